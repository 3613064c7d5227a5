"""Columns of a user's table, found by their names, and cells; a wrong one is a ValueError that names the field."""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from divlogic.io.files import read_json

T = TypeVar("T")


def text(value: Any, name: str) -> str:
    """Return ``value`` if it is a string."""
    if not isinstance(value, str):
        raise ValueError(f"the field '{name}' is not a string")
    return value


def strings(value: Any, name: str) -> tuple[str, ...]:
    """Return ``value`` as a tuple if it is a list of strings."""
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise ValueError(f"the field '{name}' is not a list of strings")
    return tuple(value)


def index(value: Any, options: tuple[str, ...], name: str) -> int | None:
    """Return ``value`` as an index of ``options``; ``None`` stays ``None`` (labels that are not public)."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(options):
        raise ValueError(
            f"the field '{name}' is {value!r}, which is no index of the {len(options)} options"
        )
    return value


def label(value: Any, options: tuple[str, ...]) -> int:
    """Return the index of a label, in upper or lower case; ``true`` and ``false`` may be JSON's own."""
    folded = str(value).strip().casefold()
    for position, option in enumerate(options):
        if option.casefold() == folded:
            return position
    raise ValueError(f"the label {value!r} is none of {', '.join(options)}")


def integer(value: Any) -> int | None:
    """Return ``value`` if it is a whole number, else ``None``."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def lines(value: Any, name: str) -> tuple[str, ...]:
    """Return the lines of a string, or a list of strings as it is."""
    return tuple(value.split("\n")) if isinstance(value, str) else strings(value, name)


def plain_value(value: Any) -> Any:
    """Return a cell as JSON can hold it: days and times in ISO 8601, a day without time as a day."""
    if isinstance(value, dict):
        return {str(name): plain_value(cell) for name, cell in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(cell) for cell in value]
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return (value.date() if midnight else value).isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def read_typed(kind: type[T], value: Any) -> T:
    """Return a JSON value as a pydantic model or a dataclass; a ValueError names the first objection and its place."""
    try:
        found: T = _adapter(kind).validate_python(value)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the row"
        said = re.sub(r"a dictionary or an instance of \w+", "an object", first["msg"])
        said = said.removeprefix("Value error, ")
        raise ValueError(f"{place}: {said[0].lower()}{said[1:]}") from error
    return found


@contextmanager
def located(place: str) -> Iterator[None]:
    """Add a place to the ValueErrors of a block."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


_adapter = cache(TypeAdapter)


FEWEST, MOST = 2, 10
"""Options that a question may have."""

WORDS: dict[str, Any] = read_json(Path(__file__).with_name("columns.json"))
"""What columns, fields, labels and lists of rows are called in published data sets."""

NAMES: dict[str, tuple[str, ...]] = {field: tuple(names) for field, names in WORDS["names"].items()}
"""What each field of a record may be called, most telling first."""

LABELS: tuple[tuple[str, ...], ...] = tuple(map(tuple, WORDS["labels"]))
"""Sets of labels that are the options of a question where a table has no column of options."""

INFERENCE = LABELS[3]
"""Labels of sentence pairs, in the order of their usual numbers 0, 1 and 2 (-1: no label)."""

_LONG = 80
"""Mean length in characters from which an unused column of text may be a context."""

_UNNAMED = re.compile(r"unnamed: \d+|__index_level_\d+__|", re.IGNORECASE)
"""Names that pandas gives to an index and to columns without a name: they tell nothing."""


def _sign_pattern(prefixes: Iterable[str]) -> re.Pattern[str]:
    """Return what matches names such as ``option_a``, ``sol1`` and ``选项A``: one of the prefixes and a sign."""
    known = "|".join(re.escape(prefix) for prefix in sorted(prefixes, key=len, reverse=True))
    return re.compile(f"({known})[ _.-]?([a-j]|10|[0-9])")


_OPTION_COLUMN = _sign_pattern(WORDS["option_columns"])
_DISTRACTOR_COLUMN = _sign_pattern(WORDS["distractor_columns"])
# A run of signs begins with the first of one of these.
_SIGNS = ("abcdefghij", ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"), "0123456789")

Given = Mapping[str, tuple[str, ...]]
"""Field of a record -> the columns that the user says hold it; none for a field that the table lacks."""


@dataclass(frozen=True)
class Columns:
    """The columns of a table that become fields of a record.

    Attributes:
        fields: field of the record -> column.
        options: a column for each option, in order; empty if one column holds them all.
        distractors: a column for each wrong option; the right one stands in the column of answers.
    """

    fields: Mapping[str, str]
    options: tuple[str, ...] = ()
    distractors: tuple[str, ...] = ()

    @property
    def used(self) -> set[str]:
        """All columns that become fields."""
        return {*self.fields.values(), *self.options, *self.distractors}

    @property
    def has_options(self) -> bool:
        """Whether some column holds options."""
        listed = "options" in self.fields or "distractors" in self.fields
        return bool(listed or self.options or self.distractors)

    @property
    def from_zero(self) -> bool:
        """Whether the columns of options are numbered from 0, as are keys to them in every known data set."""
        return bool(self.options) and plain_name(self.options[0]).endswith("0")


def find_columns(
    names: Iterable[str], given: Given | None = None, *, with_options: bool = True
) -> Columns | None:
    """Return which columns hold what, by their names alone, and ``None`` where no question is among them.

    Args:
        names: the columns, without those that are empty in every row.
        given: what the user says of them.
        with_options: whether options are needed; an answer will do if not.
    """
    given = given or {}
    there = [name for name in names if isinstance(name, str)]
    taken = {column for columns in given.values() for column in columns}
    free = [name for name in there if name not in taken and not is_unnamed(name)]
    options = _given_several(given, "options")
    if not options and "options" not in given:
        options = _signed_columns(free, _OPTION_COLUMN)
    distractors = _given_several(given, "distractors")
    if not distractors and "distractors" not in given and not options:
        distractors = _signed_columns(free, _DISTRACTOR_COLUMN, fewest=1)
    fields = {
        field: columns[0]
        for field, columns in given.items()
        if columns and columns[0] in there and columns[0] not in (*options, *distractors)
    }
    for field in NAMES:
        if field in given:
            continue
        used = {*fields.values(), *options, *distractors}
        found = [name for name in named_for(field, free) if name not in used]
        if found:
            fields[field] = found[0]
    if options:
        fields.pop("options", None)
    if options or "options" in fields:
        # Wrong options beside all options tell nothing more.
        fields.pop("distractors", None)
        distractors = ()
    if "question" not in fields and "context" in fields and "context" not in given:
        fields["question"] = fields.pop("context")
    columns = Columns(fields, options, distractors)
    if columns.has_options and not (options or "options" in fields) and "answer" not in fields:
        return None
    if "question" not in fields:
        return None
    if not columns.has_options and (with_options or "answer" not in fields):
        return None
    return columns


def named_for(field: str, names: Sequence[str]) -> list[str]:
    """Return the columns that may hold a field by their names, most telling first."""
    plain = {name: plain_name(name) for name in names}
    return [name for known in NAMES[field] for name in names if plain[name] == known]


def is_option_label(name: str) -> bool:
    """Return whether a name is the label of an option: a letter, a number, or such as ``option_a``."""
    plain = plain_name(name)
    return len(plain) <= 1 or plain.isdecimal() or bool(_OPTION_COLUMN.fullmatch(plain))


def is_unnamed(name: str) -> bool:
    """Return whether a column has no name of its own (an index that pandas wrote)."""
    return bool(_UNNAMED.fullmatch(name.strip()))


def labels_of(values: Iterable[str]) -> tuple[str, ...] | None:
    """Return the smallest known set of labels that holds all values, in any case; ``None`` if there is none.

    >>> labels_of(["yes", "NO"])
    ('Yes', 'No')
    """
    folded = {label_name(value) for value in values if value}
    for known in LABELS:
        if folded and folded <= {name.casefold() for name in known}:
            return known
    return None


def label_name(value: str) -> str:
    """Return a label in the spelling of :data:`LABELS`, in lower case; ANLI's ``e``, ``n``, ``c`` in full."""
    folded = value.strip().casefold().replace("-", "_").replace(" ", "_")
    return str(WORDS["short_labels"].get(folded, folded))


def looks_like_context(name: str, texts: Iterable[str]) -> bool:
    """Return whether an unused column may hold the contexts: by its name, or by the length of its texts."""
    plain = plain_name(name)
    if plain in WORDS["explanations"] or is_unnamed(name):
        return False
    lengths = [len(text) for text in texts if text]
    # A list of passages is called by the plural of what one is called.
    by_name = plain in WORDS["context_words"] or plain.removesuffix("s") in NAMES["context"]
    return by_name or (bool(lengths) and sum(lengths) / len(lengths) >= _LONG)


def what_is_needed(names: Iterable[str]) -> str:
    """Return the sentence that says which columns were found and which are needed."""
    names = [name if name.strip() else "(no name)" for name in names]
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    questions, options, answers = (
        ", ".join(NAMES[name][:4]) for name in ("question", "options", "answer")
    )
    return (
        f"the columns are {shown or 'none'}. Needed are a question ({questions}, …) and its options, in one column"
        f" ({options}, …) or in one each (A, B, C, … or option_1, option_2, …); an answer ({answers}, …) and a context"
        f" ({', '.join(NAMES['context'][:3])}, …) are read where they are. Name yours (--columns question=COLUMN,"
        " --columns options=COLUMN,COLUMN,COLUMN), or a published format with --format (`divlogic benchmarks formats`"
        " lists them)."
    )


def plain_name(name: str) -> str:
    """Return a name in lower case with underscores: ``answerKey``, ``Answer Key`` and ``answer-key`` are one."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[ _-]+", "_", split.casefold()).strip("_")


def _given_several(given: Given, field: str) -> tuple[str, ...]:
    columns = given.get(field, ())
    return tuple(columns) if len(columns) > 1 else ()


def _signed_columns(
    names: Sequence[str], pattern: re.Pattern[str], fewest: int = FEWEST
) -> tuple[str, ...]:
    """Return the longest run of columns that have one prefix and are numbered or lettered without a gap."""
    by_prefix: dict[str, dict[str, str]] = {}
    for name in names:
        if match := pattern.fullmatch(plain_name(name)):
            by_prefix.setdefault(match[1], {}).setdefault(match[2], name)
    longest: tuple[str, ...] = ()
    for found in by_prefix.values():
        for signs in _SIGNS:
            run: list[str] = []
            for sign in signs:
                if sign not in found:
                    break
                run.append(found[sign])
            if len(run) >= fewest and len(run) > len(longest):
                longest = tuple(run)
    return longest
