"""A user's own data set: JSON lines or CSV with the fields of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record

_FIELDS = ("id", "benchmark", "split", "context", "question", "options", "answer", "question_type", "depth")
_OBJECTS = ("formulas", "sentences", "metadata", "forms")


def record_json(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a JSON object with the record's fields; `id`, `benchmark` and `split` may be left out."""
    yield Record.from_json(_with_defaults(row, item, file))


def record_csv(row: str, item: dict[str, str], file: SourceFile) -> Iterator[Record]:
    """Read a CSV row with the record's fields as columns.

    `options` is a JSON list or separated by ``|``; `answer` is an index from 0, a letter, an option's text or
    empty; further columns become metadata.
    """
    import orjson

    values: dict[str, Any] = {name: item[name] for name in _FIELDS if item.get(name)}
    for name in _OBJECTS:
        if item.get(name):
            try:
                values[name] = orjson.loads(item[name])
            except orjson.JSONDecodeError as error:
                raise ValueError(f"the field '{name}' is not valid JSON ({error.msg})") from error
    values["options"] = _options(item.get("options", ""))
    values["answer"] = _answer(item.get("answer", ""), values["options"])
    if "depth" in values:
        if not re.fullmatch(r"\d+", values["depth"].strip()):
            raise ValueError(f"the field 'depth' is {values['depth']!r}, no whole number")
        values["depth"] = int(values["depth"])
    more = {name: cell for name, cell in item.items() if name not in _FIELDS + _OBJECTS and cell}
    if more:
        values["metadata"] = {**values.get("metadata", {}), **more}
    yield Record.from_json(_with_defaults(row, values, file))


def _with_defaults(row: str, item: dict[str, Any], file: SourceFile) -> dict[str, Any]:
    defaults = {"id": f"{file.stem}-{row}", "benchmark": file.stem, "split": file.split}
    return {
        **defaults,
        **{name: value for name, value in item.items() if value != "" or name not in defaults},
    }


def _options(cell: str) -> list[str]:
    import orjson

    if not cell.strip():
        raise ValueError("the field 'options' is empty")
    if cell.lstrip().startswith("["):
        try:
            return list(orjson.loads(cell))
        except orjson.JSONDecodeError as error:
            raise ValueError(f"the field 'options' is not valid JSON ({error.msg})") from error
    return [option.strip() for option in cell.split("|")]


def _answer(cell: str, options: list[str]) -> int | None:
    cell = cell.strip()
    if not cell:
        return None
    if cell in options:  # before numbers: an option may be one
        return options.index(cell)
    if re.fullmatch(r"\d+", cell):
        return int(cell)
    if re.fullmatch(r"[A-Za-z]", cell):
        return ord(cell.upper()) - ord("A")
    raise ValueError(f"the answer {cell!r} is no index, letter or text of an option")
