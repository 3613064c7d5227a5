"""A user's own data set: records of a file whose columns are found by their names and by what all rows agree with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from divlogic.benchmarks.readers.keys import (
    is_missing,
    key_text,
    place_in,
    places_of,
)
from divlogic.benchmarks.readers.layout import Layout, label_place, layout_of
from divlogic.benchmarks.readers.options import (
    Options,
    cell_text,
    is_there,
    options_within,
    read_options,
)
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record

_OBJECTS = ("formulas", "sentences", "metadata", "forms")
_FIELDS = ("id", "benchmark", "split", "question_type")
_WHOLE = re.compile(r"\d{1,18}(\.0)?")


def record_row(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a row of a user's file as its layout says; further columns become metadata.

    A record as this workflow writes it is taken as it is: its answer is an index, which a number in a table need not
    be.
    """
    layout = layout_of(file)
    if layout.is_record:
        yield Record.from_json(item)
        return
    fields = layout.columns.fields
    question, options = _question_and_options(item, layout)
    # `--columns id=none` says that a column of this name is no such field.
    denied = {name for name, columns in file.said.columns if not columns}
    own = [name for name in _FIELDS if name not in denied]
    values: dict[str, Any] = {name: item[name] for name in own if is_there(item.get(name))}
    for name in own:
        if name in fields and is_there(item.get(fields[name])):
            values[name] = item[fields[name]]
    nested = {name for name, cell in values.items() if isinstance(cell, dict | list)}
    for name in _OBJECTS:
        if is_there(item.get(name)):
            values[name] = _object(name, item[name])
    values |= {
        "context": _context(item.get(fields["context"]) if "context" in fields else None),
        "question": question,
        "options": list(options.texts),
        "answer": _answer(item, options, layout),
    }
    depth = item.get(fields["depth"]) if "depth" in fields else None
    if is_there(depth):
        values["depth"] = _whole(depth)
    for name in _FIELDS:
        if name in nested:
            del values[name]
        elif name in values:
            values[name] = str(values[name])
    used = {*layout.columns.used, *own, *_OBJECTS} - {fields.get(name) for name in nested}
    more = {name: cell for name, cell in item.items() if is_there(cell) and name not in used}
    if more:
        values["metadata"] = {**values.get("metadata", {}), **more}
    yield Record.from_json(_with_defaults(row, values, file))


def _question_and_options(item: Mapping[str, Any], layout: Layout) -> tuple[str, Options]:
    cell = item.get(layout.columns.fields["question"])
    # A text is kept to the letter.
    named = f"the field '{layout.columns.fields['question']}'"
    question = cell if isinstance(cell, str) else cell_text(cell, named)
    if not question.strip():
        raise ValueError("the question is empty")
    if layout.columns.has_options:
        return question, read_options(item, layout.columns)
    if layout.labels:
        return question, Options(layout.labels)
    found = options_within(question)
    if found is None:
        raise ValueError("the question lists no options")
    return found[0], Options(found[1])


def _context(cell: Any) -> str:
    if not is_there(cell):
        return ""
    if isinstance(cell, list) and all(isinstance(one, str) for one in cell):
        return " ".join(cell)
    return cell if isinstance(cell, str) else cell_text(cell, "the context")


def _answer(item: Mapping[str, Any], options: Options, layout: Layout) -> int | None:
    """Return the index of the right option; ``None`` where the row does not say.

    Raises:
        ValueError: the answer names no option.
    """
    if options.right is not None:
        return options.right
    if "answer" not in layout.columns.fields:
        return None
    cell = item.get(layout.columns.fields["answer"])
    if layout.labels:
        return label_place(cell, layout.labels)
    if is_missing(cell, options):
        return None
    place = place_in(places_of(cell, options), layout.keys or ("text", "letter"))
    if place is None:
        numbers = next((way for way in layout.keys if way.startswith("from")), "")
        counted = f"number ({numbers})" if numbers else "label"
        raise ValueError(
            f"the answer {key_text(cell)[:80]!r} is not a letter, {counted} or text of one of"
            f" {len(options.texts)} options"
        )
    return place


def _whole(cell: Any) -> int:
    if not _WHOLE.fullmatch(str(cell).strip()):
        raise ValueError(f"the field 'depth' is {cell!r}, not a whole number")
    return int(float(str(cell)))


def _object(name: str, cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the field '{name}' is not valid JSON ({error.msg})") from error


def _with_defaults(row: str, item: dict[str, Any], file: SourceFile) -> dict[str, Any]:
    name = re.sub(r"[^a-z0-9_-]+", "_", file.stem.lower()).strip("_")[:64]
    defaults = {"id": f"{file.stem}-{row}", "benchmark": name or "data", "split": file.split}
    return defaults | {
        name: cell for name, cell in item.items() if cell != "" or name not in defaults
    }
