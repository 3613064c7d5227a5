"""A user's own data set: a table (csv, tsv, xlsx, parquet, JSON lines) whose columns are found by their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import orjson

from divlogic.benchmarks import columns as column_names
from divlogic.benchmarks.columns import FEWEST, MOST, Columns, find_columns
from divlogic.benchmarks.source import TABLES, SourceFile, rows
from divlogic.records import Record

_OBJECTS = ("formulas", "sentences", "metadata", "forms")
_FIELDS = ("id", "benchmark", "split", "question_type")
_RECORD = frozenset(("id", "benchmark", "split", "context", "question", "options", "answer"))
"""Fields that every record written by this workflow has."""

_TABULAR = (*TABLES, ".parquet", ".xlsx", ".arrow")
_WHOLE = re.compile(r"\d{1,18}(\.0)?")


def is_table(row: Mapping[str, Any], file: SourceFile) -> bool:
    """Return whether a file is a table (separated values, a spreadsheet, parquet, Arrow) whose columns can be read."""
    return file.name.endswith(_TABULAR) and columns_of(row, file) is not None


def is_json(row: Mapping[str, Any], file: SourceFile) -> bool:
    """Return whether a file holds JSON objects with fields that can be read."""
    return not file.name.endswith(_TABULAR) and columns_of(plain_row(row), file) is not None


def columns_of(row: Mapping[str, Any], file: SourceFile) -> Columns | None:
    """Return which columns of a row hold what; without columns of options, labels of the whole file may be them."""
    found = find_columns(row)
    if found is None and (bare := find_columns(row, with_options=False)):
        inline = "\nOptions:" in str(row[bare.fields["question"]])
        found = bare if inline or label_options(file, bare) else None
    return found


def plain_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the fields that some sets nest (``question.stem``, ``mc1_targets``) at its top."""
    flat = dict(row)
    if isinstance(stem := row.get("question"), dict) and "stem" in stem:
        flat |= {"question": stem["stem"], **{name: value for name, value in stem.items() if name != "stem"}}
    if isinstance(target := row.get("mc1_targets"), dict):
        texts, right = target.get("choices", list(target)), target.get("labels", list(target.values()))
        if 1 not in right:
            return flat
        flat |= {"options": texts, "answer": right.index(1)}
        for name in ("mc1_targets", "mc2_targets"):
            flat.pop(name, None)
    return flat


def label_options(file: SourceFile, columns: Columns) -> tuple[str, ...] | None:
    """Return the labels that the column of answers takes its values from, in the order of their numbers, if known."""
    pairs = columns.fields["question"].casefold() in ("hypothesis", "sentence2")
    two = ("entailment", "not_entailment") if pairs else ("False", "True")
    return labels_in(file, columns.fields["answer"], two)


@lru_cache(maxsize=8)
def labels_in(file: SourceFile, column: str, two: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the labels of a column; ``two`` are meant by 0 and 1 alone."""
    values: set[str] = set()
    for _, row in rows(file, on_problem=lambda problem: None):
        if isinstance(row, dict) and len(values) <= MOST:
            values.add(str(row.get(column, "")).strip())
    if values and values <= {"0", "1", "2", "-1", ""}:
        usual = column_names.INFERENCE if "2" in values else two
        return usual if column.casefold() in ("label", "gold_label") else None
    return column_names.labels_of(values - {"-", "-1"})


def record_json(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a JSON object: a record as this workflow writes it, or one whose fields are found by their names.

    The answer of the former is an index, which a number in a table need not be.
    """
    if _RECORD <= item.keys() <= frozenset(Record.__slots__):
        record = Record.from_json(item)
        _check(record.options)
        yield record
    else:
        yield from record_row(row, item, file)


def record_row(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a row of a table; its columns are found by their names.

    Options stand in a column each, or in one as a list, as JSON or separated by ``|``. The answer is an option's text,
    its letter or its number, which counts from 0 unless the file shows that it counts from 1. Further columns become
    metadata.
    """
    item = plain_row(item)
    columns = columns_of(item, file)
    if columns is None:
        raise ValueError("no question or no options in it")
    if not columns.options and "options" not in columns.fields:
        item = _with_options(item, columns, file)
        columns = find_columns(item) or columns
    values: dict[str, Any] = {name: item[name] for name in _FIELDS if _there(item.get(name))}
    values |= {name: item[at] for name, at in columns.fields.items() if name in _FIELDS and _there(item[at])}
    values |= {name: _object(name, item[name]) for name in _OBJECTS if _there(item.get(name))}
    options, labels = _options(item, columns)
    _check(tuple(options))
    context = item.get(columns.fields.get("context", ""), "")
    answer = columns.fields.get("answer", "")
    first = _first_number(file, answer) if columns.first is None else columns.first
    values |= {
        "context": " ".join(context) if isinstance(context, list) else _words(context or ""),
        "question": _words(item[columns.fields["question"]]),
        "options": options,
        "answer": column_names.answer_place(item.get(answer), options, first, labels),
    }
    depth = item.get(columns.fields.get("depth", ""))
    if _there(depth):
        if not _WHOLE.fullmatch(str(depth).strip()):
            raise ValueError(f"the field 'depth' is {depth!r}, not a whole number")
        values["depth"] = int(float(str(depth)))
    for name in _FIELDS:
        if name in values and not isinstance(values[name], str):
            values[name] = str(values[name])
    used = {*columns.used, *_FIELDS, *_OBJECTS}
    if more := {name: cell for name, cell in item.items() if name not in used and _there(cell)}:
        values["metadata"] = {**values.get("metadata", {}), **more}
    yield Record.from_json(_with_defaults(row, values, file))


def _with_options(item: dict[str, Any], columns: Columns, file: SourceFile) -> dict[str, Any]:
    """Return a row with the options that its question lists after ``Options:``, or that its label is one of."""
    question, answer = (str(item.get(columns.fields[name], "")) for name in ("question", "answer"))
    stem, mark, listed = question.partition("\nOptions:")
    options = re.findall(r"^\s*(?:\([A-Z]\)|-)[ ]?(.+)$", listed, re.MULTILINE) if mark else []
    if options:
        return {**item, columns.fields["question"]: stem, "options": options}
    labels = label_options(file, columns)
    if labels is None:
        raise ValueError("no options in it")
    answer = "" if answer in ("-1", "-") else labels[int(answer)] if answer in ("0", "1", "2") else answer
    folded = answer.replace("-", "_").replace(" ", "_")
    return {**item, columns.fields["answer"]: folded, "options": list(labels)}


@lru_cache(maxsize=8)
def _first_number(file: SourceFile, column: str) -> int:
    """Return what the numbers of answers count from: 1 if the file has none that is 0, and one past the last index."""
    numbers: set[tuple[int, int]] = set()
    for _, row in rows(file, on_problem=lambda problem: None):
        row = plain_row(row) if isinstance(row, dict) else {}
        columns = find_columns(row)
        text = str(row.get(column, "")).strip() if columns else ""
        if columns is None or not _WHOLE.fullmatch(text):
            continue
        try:
            options, _ = _options(row, columns)
        except ValueError:
            continue
        if text in options:
            continue
        numbers.add((int(float(text)), len(options)))
    least = min((number for number, _ in numbers), default=0)
    beyond = max((number - count for number, count in numbers), default=0)
    return 1 if beyond == 0 and least != 0 else 0


def _options(item: Mapping[str, Any], columns: Columns) -> tuple[list[str], list[str] | None]:
    """Return the options of a row, and their own labels where it has them."""
    if columns.options:
        cells = [item.get(name) for name in columns.options]
        while cells and not _there(cells[-1]):  # questions with fewer options leave the last columns empty
            cells.pop()
        return [_text(cell) for cell in cells], None
    cell = item[columns.fields["options"]]
    if isinstance(cell, str):
        cell = _listed(cell)
    if isinstance(cell, dict):
        lists = {name: value for name, value in cell.items() if isinstance(value, list)}
        texts = next((lists[name] for name in ("text", "texts", "options") if name in lists), None)
        labels = lists.get("label", lists.get("labels"))
        if texts is None:
            return [_text(value) for value in cell.values()], [str(key) for key in cell]
        return [_text(text) for text in texts], [str(label) for label in labels] if labels else None
    if not isinstance(cell, list):
        raise ValueError("the field 'options' is not a list")
    if cell and all(isinstance(one, dict) and "text" in one for one in cell):
        return [_text(one["text"]) for one in cell], [str(one.get("label", "")) for one in cell]
    return [_text(one) for one in cell], None


def _listed(cell: str) -> Any:
    if not cell.strip():
        raise ValueError("the field 'options' is empty")
    if cell.lstrip()[0] in "[{":
        try:
            return orjson.loads(cell)
        except orjson.JSONDecodeError as error:
            try:
                return ast.literal_eval(cell)
            except (ValueError, SyntaxError, MemoryError, RecursionError):  # Python's parser, at deep nesting
                raise ValueError(f"the field 'options' is not valid JSON ({error.msg})") from error
    mark = "|" if "|" in cell else "\n"
    return [option.strip() for option in cell.split(mark) if option.strip()]


def _object(name: str, cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    try:
        return orjson.loads(cell)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the field '{name}' is not valid JSON ({error.msg})") from error


def _check(options: tuple[str, ...]) -> None:
    if not FEWEST <= len(options) <= MOST:
        raise ValueError(f"has {len(options)} options; {FEWEST} to {MOST} can be read")


def _with_defaults(row: str, item: dict[str, Any], file: SourceFile) -> dict[str, Any]:
    name = re.sub(r"[^a-z0-9_-]+", "_", file.stem.lower()).strip("_")[:64]
    defaults = {"id": f"{file.stem}-{row}", "benchmark": name or "data", "split": file.split}
    return defaults | {name: cell for name, cell in item.items() if cell != "" or name not in defaults}


def _text(cell: Any) -> str:
    return str(cell).strip()


def _words(cell: Any) -> Any:
    """Return a number as the text that it is in a table; anything else is left to the check of the record."""
    return str(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else cell


def _there(cell: Any) -> bool:
    return cell is not None and cell != "" and cell == cell
