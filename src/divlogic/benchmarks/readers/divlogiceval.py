"""The authors' own DivLogicEval: files whose columns are documented nowhere, read by what the columns hold.

The data set (Hugging Face, ``ttchungc/DivLogicEval``) has two splits, *polished* and *unpolished*. Columns with usual
names are found by these, as in any user's file (:mod:`divlogic.benchmarks.readers.layout`); what the names leave open
is decided by the cells of all rows. A file that stays open is refused with the list of its columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from statistics import mean
from typing import Any

from divlogic.benchmarks.columns import Columns, named_for
from divlogic.benchmarks.readers.generic import record_row
from divlogic.benchmarks.readers.keys import is_missing, places_of
from divlogic.benchmarks.readers.layout import file_rows
from divlogic.benchmarks.readers.options import Options, read_options
from divlogic.benchmarks.source import SourceFile
from divlogic.errors import DivLogicError
from divlogic.records import Record

NAME = "divlogiceval_published"

OPTIONS = 4
"""Options of every instance (DivLogicEval, Section 2.1)."""

SPLITS = {"polished": "test", "unpolished": "unpolished"}
"""The authors' splits, by the names that they have here."""

TYPES = {
    "3c1e": "3c1e",
    "3contradict1entail": "3c1e",
    "3e1c": "3e1c",
    "3entail1contradict": "3e1c",
    "missingpremise": "missing_premise",
    "premise": "missing_premise",
    "missing": "missing_premise",
}
"""Names of the question types, without marks between letters -> ours; another name is kept as it is."""

_MOST_TYPES = 12
"""Different values that a column of types has at most; the paper has three types."""

_REWORDED = 0.5
"""Share of common words from which two columns are one passage in two wordings."""

_LOOKED_AT = 50
"""Rows in which two columns are compared word by word."""

_OBJECTS = frozenset(("formulas", "sentences", "metadata", "forms"))
"""Fields of a record that are objects of this project's own form; the authors' columns of these names are others."""

Row = Mapping[str, Any]


def published_row(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read an instance of the authors' files.

    Raises:
        ValueError: the columns leave open what they hold, or the instance has not four options and one right one.
    """
    columns = _columns(file, file.stamp)
    named = replace(file, said=replace(file.said, columns=columns))
    plain = {f"authors_{name}" if name in _OBJECTS else name: cell for name, cell in item.items()}
    try:
        records = list(record_row(row, plain, named))
    except DivLogicError as error:
        raise ValueError(f"{error} {_way_out(item)}") from error
    for record in records:
        if len(record.options) != OPTIONS:
            raise ValueError(f"has {len(record.options)} options, and the paper's have {OPTIONS}")
        if record.answer is None:
            raise ValueError("names no right option, and every instance of the paper has one")
        context, question = record.context, record.question
        if not context:
            context, question = _apart(question)
        yield replace(
            record,
            benchmark=NAME,
            split=SPLITS.get(file.stem, file.stem),
            context=context,
            question=question,
            question_type=_type_name(record.question_type),
        )


def _apart(text: str) -> tuple[str, str]:
    """Return passage and question of a text that holds both: the question is its last sentence."""
    found = re.fullmatch(r"(.*[.!?:])\s+([^.!?]+\?)\s*", text, re.DOTALL)
    if found is None:
        raise ValueError("no column holds a question, and the passage ends with none")
    return found[1].strip(), found[2].strip()


def _type_name(name: str | None) -> str | None:
    if name is None:
        return None
    return TYPES.get(re.sub(r"[^a-z0-9]", "", name.casefold()), name)


@lru_cache(maxsize=4)
def _columns(file: SourceFile, stamp: tuple[int, int]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return which column holds which field; what the user said stands.

    Raises:
        ValueError: a field is held by no column, or by several that differ.
    """
    rows = [row for _, row in file_rows(file, lambda problem: None)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    said = dict(file.said.columns)
    free = [name for name in names if not any(name in taken for taken in said.values())]
    found = dict(said)
    if "options" not in found and (options := _options(rows, free)):
        found["options"] = (options,)
    taken = {name for columns in found.values() for name in columns}
    if "answer" not in found and "options" in found and len(found["options"]) == 1:
        read = [_read(row, found["options"][0]) for row in rows]
        left = [name for name in free if name not in taken]
        if answer := _answer(rows, left, read):
            found["answer"] = (answer,)
            taken.add(answer)
    texts = _texts(rows, [name for name in free if name not in taken])
    return tuple((found | _worded(texts, found)).items())


def _options(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Return the column with four texts in every row, of several the one with the most words; empty if there is none.

    Formulas of the options may stand beside their words, and are shorter.
    """
    lengths: dict[str, float] = {}
    for name in names:
        read = [_read(row, name) for row in rows]
        if all(one is not None and len(one.texts) == OPTIONS for one in read):
            words = [len(text.split()) for one in read if one is not None for text in one.texts]
            lengths[name] = mean(words)
    return max(lengths, key=lambda name: lengths[name]) if lengths else ""


def _read(row: Row, name: str) -> Options | None:
    cell = row.get(name)
    # A text that is no list is not split at its commas or lines.
    if isinstance(cell, str) and not cell.lstrip().startswith(("[", "{")):
        return None
    try:
        return read_options(row, Columns({"options": name, "question": name}))
    except ValueError:
        return None


def _answer(rows: Sequence[Row], names: Sequence[str], read: Sequence[Options | None]) -> str:
    """Return the column that names an option in every row; empty where the names of the columns are left to decide."""
    if named_for("answer", list(names)):
        return ""
    naming = [
        name
        for name in names
        if all(_names_option(row.get(name), one) for row, one in zip(rows, read, strict=True))
    ]
    if len(naming) > 1:
        raise ValueError(f"{_listed(naming)} may all hold the answers. {_way_out(rows[0])}")
    return naming[0] if naming else ""


def _names_option(cell: Any, options: Options | None) -> bool:
    if options is None or is_missing(cell, options):
        return False
    try:
        return any(place is not None for place in places_of(cell, options))
    except ValueError:
        return False


def _texts(rows: Sequence[Row], names: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns that are a text in every row."""
    texts: dict[str, list[str]] = {}
    for name in names:
        cells = [row.get(name) for row in rows]
        if cells and all(isinstance(cell, str) and cell.strip() for cell in cells):
            texts[name] = [str(cell) for cell in cells]
    return texts


def _worded(
    texts: Mapping[str, list[str]], said: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the columns of passage, question and type that the names of the columns leave open."""
    lengths = {name: mean(map(len, cells)) for name, cells in texts.items()}
    found: dict[str, tuple[str, ...]] = {}
    named = {field: named_for(field, list(texts)) for field in ("context", "question")}
    asking = [name for name in texts if _is_question(texts[name])]
    if "question" not in said and not named["question"] and len(asking) == 1:
        found["question"] = (asking[0],)
    longest = sorted(lengths, key=lambda name: -lengths[name])
    passages = [name for name in longest if name not in (*named["question"], *asking)]
    if "context" not in said and passages:
        context = (named["context"] or passages)[0]
        _refuse_two_wordings(context, passages, texts)
        found["context"] = (context,)
        if "question" not in said and "question" not in found and not named["question"]:
            # The passage ends with its question.
            found |= {"context": (), "question": (context,)}
    if "question_type" not in said and not named_for("question_type", list(texts)):
        used = {name for columns in found.values() for name in columns}
        types = [name for name in texts if name not in used and _is_type(texts[name])]
        known = [name for name in types if {*map(_type_name, texts[name])} & {*TYPES.values()}]
        if len(known or types) == 1:
            found["question_type"] = ((known or types)[0],)
    return found


def _is_question(cells: Sequence[str]) -> bool:
    """Return whether the texts of a column are questions by themselves: each one sentence that ends in a mark."""
    return all(re.fullmatch(r"[^.!?]{8,}\?\s*", cell) for cell in cells)


def _is_type(cells: Sequence[str]) -> bool:
    """Return whether the texts of a column are names that come back, and no sentences."""
    different = set(cells)
    few = 1 < len(different) <= _MOST_TYPES and len(different) < len(cells)
    return few and all(len(cell.split()) <= 4 for cell in different)


def _refuse_two_wordings(
    context: str, passages: Sequence[str], texts: Mapping[str, list[str]]
) -> None:
    """Refuse a file with the passage in two wordings: which one the paper measured is not said."""
    for other in passages:
        if other == context:
            continue
        pairs = list(zip(texts[context], texts[other], strict=True))[:_LOOKED_AT]
        within = all(one in more or more in one for one, more in pairs)
        if not within and mean(_common(one, more) for one, more in pairs) >= _REWORDED:
            raise ValueError(
                f"{_listed([context, other])} hold the passage in two wordings, and which one was asked is not said."
                f" {_way_out(texts)}"
            )


def _common(one: str, other: str) -> float:
    """Return the share of the words of two texts that both have."""
    words, others = (set(re.findall(r"\w+", text.casefold())) for text in (one, other))
    return len(words & others) / max(1, len(words | others))


def _way_out(columns: Mapping[str, Any]) -> str:
    """Name the columns, and the command that reads the file as the user says."""
    return (
        f"The columns are {_listed(list(columns))}. Say which is which: divlogic benchmarks import FILE --name NAME"
        " --columns context=COLUMN --columns question=COLUMN --columns options=COLUMN --columns answer=COLUMN"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
