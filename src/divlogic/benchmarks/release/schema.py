"""The columns of a release: name, type, meaning; and how a record's JSON becomes a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import orjson

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["text", "integer", "texts", "json", "struct", "structs"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or a part of a column that is a struct.

    Attributes:
        kind: ``json`` is text that holds a JSON object; ``struct`` and ``structs`` (a list of them) have ``parts``.
        meaning: one sentence for the card.
    """

    name: str
    kind: Kind
    meaning: str
    parts: tuple[Column, ...] = ()


COLUMNS: tuple[Column, ...] = (
    Column("id", "text", "identifier, unique within the benchmark"),
    Column("benchmark", "text", "name of the benchmark"),
    Column("split", "text", "name of the split"),
    Column("question_type", "text", "`3c1e`, `3e1c` or `missing_premise`"),
    Column("context", "text", "the passage; with `missing_premise` it ends in the conclusion"),
    Column("question", "text", "what is asked of the options"),
    Column("options", "texts", "the four answers to choose from"),
    Column("answer", "integer", "index of the right option, from 0"),
    Column("depth", "integer", "number of inference steps"),
    Column("forms", "texts", "names of the argument forms used"),
    Column(
        "formulas",
        "struct",
        "the symbolic form, in the paper's notation",
        (
            Column("premises", "texts", "formulas of the context's sentences, in order"),
            Column(
                "options",
                "texts",
                "formulas of the options; `contradict` for one worded by an NLI contradiction",
            ),
            Column("conclusion", "text", "formula of the conclusion drawn in the context, if there is one"),
            Column("necessary", "text", "the premise that was taken away (`missing_premise`)"),
            Column(
                "symbolic_options",
                "texts",
                "as `options`, the contradiction written as the formula it amounts to",
            ),
            Column(
                "drawn_options", "texts", "as `options`, with the formula whose place the contradiction takes"
            ),
        ),
    ),
    Column(
        "sentences",
        "structs",
        "what each propositional variable stands for",
        (
            Column("variable", "text", "the variable, `A` to `H`"),
            Column("premise", "text", "its sentence, in mid-sentence form"),
            Column("hypotheses", "texts", "sentences that the premise entails, used as other wordings"),
            Column("contradiction", "text", "a sentence that contradicts the premise, where one is used"),
            Column("corpus", "text", "corpus of the sentences"),
            Column("source", "text", "identifier of the premise in that corpus"),
            Column("group", "text", "identifier of the sentence group"),
        ),
    ),
    Column("metadata", "json", "whatever else was recorded of the item, as a JSON object"),
)


def columns_of(row: Mapping[str, Any]) -> tuple[Column, ...]:
    """Return the columns of a file whose first record is ``row``, in their fixed order."""
    return tuple(column for column in COLUMNS if column.name in row)


def to_row(row: Mapping[str, Any], columns: Iterable[Column]) -> dict[str, Any]:
    """Turn a record's JSON object into a row of the given columns.

    Raises:
        ValueError: the record has a field that is no column; the message names it.
    """
    columns = tuple(columns)
    _refuse_unknown(row, columns, "")
    return {column.name: _cell(row.get(column.name), column) for column in columns}


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """Return the Arrow schema of the columns."""
    import pyarrow as pa

    return pa.schema([pa.field(column.name, _arrow_type(column)) for column in columns])


def _cell(value: Any, column: Column) -> Any:
    if column.kind == "json":
        # Always an object, so that the text parses whether or not there was anything to say.
        return orjson.dumps(value or {}).decode()
    if value is None:
        return None
    if column.kind == "struct":
        _refuse_unknown(value, column.parts, f"{column.name}.")
        return {part.name: _cell(value.get(part.name), part) for part in column.parts}
    if column.kind == "structs":
        key, *parts = column.parts
        for name, entry in value.items():
            _refuse_unknown(entry, parts, f"{column.name}.{name}.")
        return [
            {key.name: name} | {part.name: _cell(entry.get(part.name), part) for part in parts}
            for name, entry in value.items()
        ]
    return value


def _refuse_unknown(row: Mapping[str, Any], columns: Iterable[Column], prefix: str) -> None:
    unknown = sorted(set(row) - {column.name for column in columns})
    if unknown:
        raise ValueError(f"the field '{prefix}{unknown[0]}' has no column in this release")


def _arrow_type(column: Column) -> pa.DataType:
    import pyarrow as pa

    match column.kind:
        case "text" | "json":
            return pa.string()
        case "integer":
            return pa.int64()
        case "texts":
            return pa.list_(pa.string())
        case _:
            parts = pa.struct([pa.field(part.name, _arrow_type(part)) for part in column.parts])
            return parts if column.kind == "struct" else pa.list_(parts)
