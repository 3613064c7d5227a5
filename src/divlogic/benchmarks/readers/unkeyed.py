"""What else may hold the keys of a file in which no row has one: it is asked about, not passed over in silence."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from divlogic.benchmarks.columns import WORDS, Columns, named_for, plain_name
from divlogic.benchmarks.readers.keys import Tally, is_missing, key_text
from divlogic.benchmarks.readers.options import is_one_hot, marks_of, read_options

_TRUTH = {"true": 1, "false": 0, "yes": 1, "no": 0, "1": 1, "0": 0, "x": 1, "": 0}
"""What marks the right option, where each option has a mark."""

_SIGN = re.compile(r"\d+|(?<![^\W_])[a-j](?![^\W_])")
"""What tells the columns of a run from each other: a number or a letter."""

_TICKED = re.compile(r"^\s*(\*(?!\*)|✓|✔|√|\[x\])|(✓|✔|√|[(\[](correct|right)[)\]])\s*$", re.I)
"""A sign by which people mark the right option in its text."""


@dataclass
class Unkeyed:
    """The cells of a file whose keys have not been found.

    Attributes:
        columns: which columns hold what.
        tallies: column that is left -> its cells, read as keys.
        values: column that is left -> its cells as texts, in the order of the rows.
        one_hot: column that is left -> rows in which it is a list of one 1 and a 0 for each other option.
        marks: run of columns, or what stands in the options -> the option that it marks, of each row.
        rows: rows whose options can be read.
        keyed: whether a row itself marks its right option.
    """

    columns: Columns
    tallies: dict[str, Tally] = field(default_factory=dict)
    values: dict[str, list[str]] = field(default_factory=dict)
    one_hot: dict[str, int] = field(default_factory=dict)
    marks: dict[str, list[int]] = field(default_factory=dict)
    rows: int = 0
    keyed: bool = False

    def add(self, number: str, row: Mapping[str, Any], left: Iterable[str]) -> None:
        """Look at the cells of a row in the columns that are left."""
        try:
            options = read_options(row, self.columns)
        except ValueError:
            return
        self.rows += 1
        self.keyed = self.keyed or options.right is not None
        count = len(options.texts)
        bits: dict[str, list[int]] = {}
        for name in left:
            cell = row.get(name)
            if is_missing(cell, options):
                continue
            marks = marks_of(cell)
            if len(marks) == count and is_one_hot(marks):
                self.one_hot[name] = self.one_hot.get(name, 0) + 1
            elif isinstance(cell, dict) and (inner := named_for("answer", list(cell))):
                self._mark(f"field '{inner[0]}' of the objects in '{name}'", -1)
            elif len(marks) == count and _are_scores(name, marks):
                self._mark(f"list '{name}' with a score for each option", -1)
            if isinstance(cell, dict) or (isinstance(cell, list) and len(cell) != 1):
                continue
            self.tallies.setdefault(name, Tally()).add(number, cell, options)
            self.values.setdefault(name, []).append(_text_of(cell))
            family = _SIGN.sub("…", plain_name(name), count=1)
            said = self.values[name][-1].casefold()
            if "…" in family and said in _TRUTH:
                bits.setdefault(family, []).append(_TRUTH[said])
        for family, marks in bits.items():
            if len(marks) == count and sum(marks) == 1:
                self._mark(f"columns '{family}'", marks.index(1))
        cell = row.get(self.columns.fields.get("options", ""))
        for name, marks in _fields_of_options(cell).items():
            if len(marks) == count and is_one_hot(marks):
                # Numbers 0 and 1 of two options are marks only if they are not those of every row.
                always = all(isinstance(mark, bool) for mark in marks)
                self._mark(f"field '{name}' of the options", -1 if always else marks.index(1))
        ticked = [place for place, text in enumerate(options.texts) if _TICKED.search(text)]
        if len(ticked) == 1:
            self._mark("sign (* or ✓) at an option", ticked[0])

    def _mark(self, what: str, place: int) -> None:
        """Note the option that is marked in a row; -1 if the mark is one in any case."""
        self.marks.setdefault(what, []).append(place)

    def marking(self) -> str | None:
        """Return the column that marks one option of every row in a list, and is called as such lists are."""
        found = [name for name, rows in self.one_hot.items() if rows == self.rows]
        named = [name for name in found if plain_name(name) in WORDS["marks"]]
        return named[0] if len(found) == len(named) == 1 else None

    def question(self) -> str:
        """Return the sentence that asks where the keys are; empty if nothing looks like keys."""
        if self.keyed or not self.rows:
            return ""
        none = "or, if there are no keys, --columns answer=none"
        for name, places in self.marks.items():
            if len(places) == self.rows and (-1 in places or len(set(places)) > 1):
                return (
                    f"no column of answers was found, but the {name} may mark the right one. Write its letter into a"
                    f" column 'answer', {none}."
                )
        lists = [name for name, rows in self.one_hot.items() if rows == self.rows]
        for name in [*lists, *filter(self._may_be_keys, self.values)]:
            return (
                f"no column of answers was found, but '{name}' may hold them. Say so with --columns"
                f" {shlex.quote(f'answer={name}')}, {none}."
            )
        return ""

    def _may_be_keys(self, name: str) -> bool:
        """Return whether a column may hold the keys, by its name or because all that it holds names options."""
        words = [word for word in re.split(r"[\W_]+", plain_name(name)) if word not in ("", "s")]
        values = self.values[name]
        if words and all(word in WORDS["answer_words"] for word in words):
            return True
        if any(word in WORDS["ordinals"] for word in words):
            return False
        tally = self.tallies[name]
        read = sum(tally.places[places] for places in tally.readable())
        # A column that never changes tells nothing, and one that counts the rows is no key.
        if read < self.rows or len(set(values)) < 2:
            return False
        return not _counts(values)


def _are_scores(name: str, marks: list[Any]) -> bool:
    """Return whether a list is one of scores of the options, by its name."""
    numbers = all(isinstance(mark, int | float) for mark in marks)
    return numbers and plain_name(name) in WORDS["marks"]


def _fields_of_options(cell: Any) -> dict[str, list[Any]]:
    """Return the values that options have in each field, if they are objects or an object of lists."""
    if isinstance(cell, dict):
        return {name: value for name, value in cell.items() if isinstance(value, list)}
    if not isinstance(cell, list) or not cell or not all(isinstance(one, dict) for one in cell):
        return {}
    shared = set.intersection(*(set(one) for one in cell))
    return {name: [one[name] for one in cell] for name in sorted(shared)}


def _counts(values: list[str]) -> bool:
    """Return whether the values are consecutive numbers."""
    if not all(value.isdecimal() for value in values):
        return False
    first = int(values[0])
    return [int(value) for value in values] == list(range(first, first + len(values)))


def _text_of(cell: Any) -> str:
    try:
        return key_text(cell)
    except ValueError:
        return str(cell)
