"""Rows of JSON: lines, lists, objects one after another, and documents that hold their rows at some depth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import IO, Any, Literal

from divlogic.benchmarks.columns import NAMES, WORDS, plain_name, plain_value

_WHOLE = 64 << 20
"""Bytes up to which a broken document is read a second time, to say in which line it breaks."""

_QUESTION_LISTS = frozenset(WORDS["question_lists"])
_SPLIT_NAMES = ("train", "training", "validation", "valid", "val", "dev", "test")

SPLIT = "split"
"""Field that a row gets from the list that it stands in (``{"train": [...], "test": [...]}``)."""


class JsonError(ValueError):
    """A text is not JSON; the message gives the parser's reason with line and column."""


def parse_line(line: bytes) -> Any:
    """Return the value of a line of JSON; NaN and infinities, which Python and pandas write, are missing values.

    Raises:
        JsonError: with the parser's reason and the column.
    """
    import orjson

    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    try:
        return plain_value(json.loads(line))
    except json.JSONDecodeError as error:
        raise JsonError(f"{error.msg}, column {error.colno}") from error
    except (RecursionError, ValueError) as error:
        raise JsonError(str(error) or "nested too deep") from error


class _SeveralValuesError(Exception):
    """A document turned out to be several objects one after another."""

    def __init__(self, values: list[Any]) -> None:
        super().__init__()
        self.values = values


def list_rows(stream: IO[bytes], again: Callable[[], bytes]) -> Iterator[tuple[str, Any]]:
    """Yield (number, element) of a document that is a list, one element in memory at a time."""
    import ijson

    elements = ijson.items(stream, "item", use_float=True)
    for number, element in enumerate(_or_reason(elements, again, "elements"), start=1):
        yield str(number), element


def object_rows(stream: IO[bytes], again: Callable[[], bytes]) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a document that is an object.

    They are its items by their names (``{"q1": {...}, "q2": {...}}``), or stand in it (:func:`rows_within`).
    """
    import ijson

    items = _or_reason(ijson.kvitems(stream, "", use_float=True), again, "items")
    try:
        start = list(islice(items, 2))
        if len(start) == 2 and all(_is_named_row(*item) for item in start):
            yield from start
            for name, value in items:
                if isinstance(value, dict):
                    yield name, value
            return
        yield from rows_within(dict([*start, *items]))
    except _SeveralValuesError as several:
        yield from _numbered(several.values)


def several_rows(stream: IO[bytes], again: Callable[[], bytes]) -> Iterator[tuple[str, Any]]:
    """Yield (number, object) of objects that stand one after another, each over several lines."""
    import ijson

    values = ijson.items(stream, "", use_float=True, multiple_values=True)
    found = _or_reason(values, again, "values")
    start = list(islice(found, 2))
    if len(start) == 1 and isinstance(start[0], dict):
        yield from rows_within(start[0])
    else:
        yield from _numbered(chain(start, found))


def _numbered(values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    for number, value in enumerate(values, start=1):
        yield str(number), value


def _is_named_row(name: str, value: Any) -> bool:
    return isinstance(value, dict) and not _is_field(name) and not _is_column(value)


def rows_within(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the rows that an object holds: by split, in a list, in columns, by name; or the object as a row."""
    lists = {name: value for name, value in document.items() if _is_list_of_rows(value)}
    splits = {name: rows for name, rows in lists.items() if name.casefold() in _SPLIT_NAMES}
    if splits:
        for name, rows in splits.items():
            for number, row in enumerate(rows, start=1):
                yield f"{name}-{number}", {SPLIT: name, **row}
        return
    known = [name for name in WORDS["row_lists"] if name in lists]
    nested = [name for name in lists if name in _QUESTION_LISTS]
    beside = [name for name in document if _is_field(name)]
    if len(lists) == 1 and not beside:
        # A list under any name, if it holds questions (and not, say, the messages of a chat).
        (only,) = lists
        if not known and any(_is_field(name) for name in lists[only][0]):
            known = [only]
    if known and not (known[0] in nested and beside):
        rows = document[known[0]]
        for number, row in enumerate(rows, start=1):
            # The hub's viewer wraps each row: {"row_idx": 0, "row": {...}}.
            inner = row.get("row")
            yield str(number), inner if isinstance(inner, dict) and "row_idx" in row else row
        return
    split = _as_split(document)
    if split:
        yield from _numbered(split)
        return
    columns = _as_columns(document)
    if columns:
        names = list(columns)
        for number, cells in enumerate(zip(*columns.values(), strict=True), start=1):
            yield str(number), dict(zip(names, cells, strict=True))
        return
    objects = {name: value for name, value in document.items() if isinstance(value, dict)}
    if objects and not beside:
        yield from objects.items()
        return
    yield "1", document


def _is_list_of_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _is_field(name: str) -> bool:
    """Return whether a name is one of a row's own fields, so that the object is a row and no list of rows."""
    plain = plain_name(name)
    return any(plain in NAMES[field] for field in ("context", "question", "options"))


def _is_column(value: Any) -> bool:
    """Return whether an object is a column as pandas writes it: ``{"0": cell, "1": cell}``."""
    return isinstance(value, dict) and bool(value) and all(key.isdigit() for key in value)


def _as_columns(document: dict[str, Any]) -> dict[str, list[Any]] | None:
    """Return a document as columns of one length, if all its values are that; a question must be among them."""
    cells: dict[str, list[Any]] = {}
    for name, value in document.items():
        if _is_column(value):
            cells[name] = list(value.values())
        elif isinstance(value, list) and not _is_list_of_rows(value):
            cells[name] = value
        else:
            return None
    lengths = {len(column) for column in cells.values()}
    named = any(plain_name(name) in NAMES["question"] for name in cells)
    return cells if len(lengths) == 1 and named else None


def _as_split(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a document with ``columns`` and ``data``, as pandas writes it (``orient="split"``)."""
    names, rows = document.get("columns"), document.get("data")
    if not isinstance(names, list) or not isinstance(rows, list):
        return None
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return None
    return [dict(zip(map(str, names), row, strict=True)) for row in rows]


def _or_reason(
    found: Iterator[Any],
    again: Callable[[], bytes],
    kind: Literal["elements", "items", "values"],
) -> Iterator[Any]:
    """Yield what ijson finds; where it stops, go on with Python's reader, or raise its reason."""
    import ijson

    done = 0
    try:
        for value in found:
            yield value
            done += 1
        return
    except (ijson.JSONError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
    # Python's reader takes NaN, and its reasons name line and column.
    values = _decoded(again(), reason)
    if kind == "values":
        yield from values[done:]
    elif len(values) > 1:
        raise _SeveralValuesError(values)
    elif kind == "elements" and isinstance(values[0], list):
        yield from values[0][done:]
    elif kind == "items" and isinstance(values[0], dict):
        yield from list(values[0].items())[done:]


def _decoded(text: bytes, reason: str) -> list[Any]:
    if len(text) > _WHOLE:
        raise JsonError(reason)
    decoder = json.JSONDecoder()
    decoded = text.decode("utf-8-sig", "replace")
    values: list[Any] = []
    place = 0
    try:
        while (place := _next_place(decoded, place)) < len(decoded):
            value, place = decoder.raw_decode(decoded, place)
            values.append(plain_value(value))
    except json.JSONDecodeError as error:
        raise JsonError(f"{error.msg}, line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise JsonError("nested too deep") from error
    return values


def _next_place(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place
