"""Columns of a user's table, found by their names, and cells; a wrong one is a ValueError that names the field."""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
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
        raise ValueError(f"the field '{name}' is {value!r}, which is no index of the {len(options)} options")
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

_DATA: dict[str, Any] = read_json(Path(__file__).with_name("columns.json"))
NAMES: dict[str, tuple[str, ...]] = {field: tuple(names) for field, names in _DATA["names"].items()}
"""What each field of a record may be called, most telling first."""

LABELS: tuple[tuple[str, ...], ...] = tuple(map(tuple, _DATA["labels"]))
"""Sets of labels that are the options of a question where a table has no column of options."""

INFERENCE = LABELS[3]
"""Labels of sentence pairs, in the order of their usual numbers 0, 1 and 2 (-1: no label)."""

_LONG = 80
"""Mean length in characters from which an unused column of text may be a context."""

_ONE_OPTION = re.compile(r"(?:option|choice|answer|ending|opt|alternative)?[ _.-]?([a-j]|10|[0-9])")


@dataclass(frozen=True)
class Columns:
    """The columns of a table that become fields of a record.

    Attributes:
        fields: field of the record -> column.
        options: a column for each option, in order; empty if one column holds them all.
        first: what an answer that is a number counts from, if the names of the option columns say so.
    """

    fields: Mapping[str, str]
    options: tuple[str, ...]
    first: int | None = None

    @property
    def used(self) -> set[str]:
        """All columns that become fields."""
        return {*self.fields.values(), *self.options}

    def sentence(self, names: Iterable[str], given: Mapping[str, str], labels: Iterable[str] | None) -> str:
        """Return in words which columns became which fields (``given``: the user's), and which are left as metadata.

        ``labels`` are the options of a table without a column of them.
        """
        fields = {**self.fields, **{name: given[name] for name in given if self.fields.get(name) == name}}
        named = [f"{field} ← {fields[field]}" for field in NAMES if field in fields]
        if self.options:
            named.append(f"options ← {self.options[0]} … {self.options[-1]}")
        elif "options" not in self.fields:
            named.append(f"options: {' | '.join(labels or ()) or 'listed in the question'}")
        missing = [f"{field}: none" for field in ("context", "answer") if field not in self.fields]
        rest = [name for name in names if name not in self.used]
        return "; ".join([", ".join(named), *missing, f"metadata: {', '.join(rest) or 'none'}"])


def find_columns(names: Iterable[str], *, with_options: bool = True) -> Columns | None:
    """Return which columns hold what, ``None`` where a question, or options (if wanted, else an answer) are missing."""
    return _find(tuple(name for name in names if isinstance(name, str)), with_options)


def labels_of(values: Iterable[str]) -> tuple[str, ...] | None:
    """Return the smallest known set of labels that holds all values, in any case; ``None`` if there is none.

    >>> labels_of(["yes", "NO"])
    ('Yes', 'No')
    """
    folded = {value.casefold().replace("-", "_").replace(" ", "_") for value in values if value}
    return next((known for known in LABELS if folded and folded <= {name.casefold() for name in known}), None)


def looks_like_context(name: str, texts: Iterable[str]) -> bool:
    """Return whether an unused column may hold the contexts: by its name, or by the length of its texts."""
    lengths = [len(text) for text in texts]
    return _plain(name) in _DATA["context_words"] or (bool(lengths) and sum(lengths) / len(lengths) >= _LONG)


@lru_cache(maxsize=64)
def _find(given: tuple[str, ...], with_options: bool) -> Columns | None:
    # Asked for every row of a table, whose columns stay the same.
    names = list(given)
    options, first = _option_columns(names)
    fields: dict[str, str] = {}
    for field, known in NAMES.items():
        for wanted in known:
            found = [name for name in names if _plain(name) == wanted]
            if found and found[0] not in options and found[0] not in fields.values():
                fields[field] = found[0]
                break
    if options:
        fields.pop("options", None)
    if "question" not in fields and "context" in fields:
        fields["question"] = fields.pop("context")
    has_options = bool(options or "options" in fields)
    if "question" not in fields or not (has_options or (not with_options and "answer" in fields)):
        return None
    return Columns(fields, options, first)


def what_is_needed(names: Iterable[str]) -> str:
    """Return the sentence that says which columns were found and which are needed."""
    names = list(names)
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    questions, options, answers = (", ".join(NAMES[name][:4]) for name in ("question", "options", "answer"))
    return (
        f"the columns are {shown or 'none'}. Needed are a question ({questions}, …) and its options, in one column"
        f" ({options}, …) or in one each (A, B, C, … or option_1, option_2, …); an answer ({answers}, …) and a context"
        f" ({', '.join(NAMES['context'][:3])}, …) are read where they are. Name yours (--columns question=COLUMN), or"
        " a published format with --format (`divlogic benchmarks formats` lists them)."
    )


def answer_place(value: Any, options: list[str], first: int, letters: list[str] | None = None) -> int | None:
    """Return the index of the right option.

    Args:
        first: what numbers count from, 0 or 1.
        letters: the options' own labels, where the table has them.

    Raises:
        ValueError: it names no option.
    """
    if value is None or (isinstance(value, float) and value != value) or str(value).strip() == "":
        return None
    if isinstance(value, bool):
        value = "true" if value else "false"
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
    stated = [option.strip() for option in options]
    # Before numbers and letters: an option may be one.
    for known in ([letter.strip() for letter in letters or []], stated):
        if text in known:
            return known.index(text)
    folded = [option.casefold() for option in stated]
    if text.casefold() in folded:
        return folded.index(text.casefold())
    bare = re.fullmatch(r"\(?([A-Za-z])[).:]?", text)
    place = int(text) - first if re.fullmatch(r"\d+", text) else ord(bare[1].upper()) - 65 if bare else -1
    if not 0 <= place < len(options):
        raise ValueError(
            f"the answer {text!r} is not a letter, number (from {first}) or text of one of {len(options)} options"
        )
    return place


def _option_columns(names: list[str]) -> tuple[tuple[str, ...], int | None]:
    """Return the columns that hold one option each, if they are numbered or lettered without a gap."""
    found: dict[str, str] = {}
    for name in names:
        match = _ONE_OPTION.fullmatch(_plain(name))
        if match and match[1] not in found:
            found[match[1]] = name
    for signs, first in (("abcdefghij", None), ("123456789", 1), ("0123456789", 0)):
        keys = [*signs, "10"] if first == 1 else list(signs)
        chosen = [found[key] for key in takewhile(found.__contains__, keys)]
        if len(chosen) >= FEWEST:
            return tuple(chosen), first
    return (), None


def _plain(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.strip()).casefold().replace(" ", "_").strip("_")
