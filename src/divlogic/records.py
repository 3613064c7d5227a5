"""The one record that every benchmark is read into and written as."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import open_bytes, read_jsonl

T = TypeVar("T")
K = TypeVar("K")

NAME = re.compile(r"[a-z0-9_-]{1,64}")
"""Names of benchmarks, which become names of files."""


@dataclass(frozen=True, slots=True)
class Record:
    """One question of a logical-reasoning benchmark.

    Attributes:
        id: unique within the benchmark.
        benchmark: name of the benchmark, lower case (``divlogiceval``, ``reclor``, ...).
        split: ``train``, ``validation``, ``test``, ``unpolished``, ...
        context: the passage; empty if the benchmark has none.
        question: the question or the statement to judge.
        options: the answers to choose from; for label benchmarks the label names.
        answer: index into ``options`` from 0, or ``None`` where the labels are not public.
        question_type: the benchmark's own type name (``3c1e``, ``3e1c``, ``missing_premise``).
        depth: number of inference steps.
        forms: names of the argument forms used.
        formulas: symbolic form, strings in the papers' notation.
        sentences: what the symbolic variables stand for.
        metadata: everything else that the source says of the item.
    """

    id: str
    benchmark: str
    split: str
    context: str
    question: str
    options: tuple[str, ...]
    answer: int | None
    question_type: str | None = None
    depth: int | None = None
    forms: tuple[str, ...] | None = None
    formulas: dict[str, Any] | None = None
    sentences: dict[str, Any] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the record as a JSON object with a fixed key order; absent fields are left out."""
        row: dict[str, Any] = {"id": self.id, "benchmark": self.benchmark, "split": self.split}
        if self.question_type is not None:
            row["question_type"] = self.question_type
        row["context"] = self.context
        row["question"] = self.question
        row["options"] = list(self.options)
        row["answer"] = self.answer
        if self.depth is not None:
            row["depth"] = self.depth
        if self.forms is not None:
            row["forms"] = list(self.forms)
        if self.formulas is not None:
            row["formulas"] = self.formulas
        if self.sentences is not None:
            row["sentences"] = self.sentences
        if self.metadata:
            row["metadata"] = self.metadata
        return row

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Record:
        """Build a record from a JSON object.

        Raises:
            ValueError: a field is missing or of the wrong type; the message names it.
        """
        problem = _problem(row)
        if problem:
            raise ValueError(problem)
        return cls(
            id=str(row["id"]),
            benchmark=row.get("benchmark", ""),
            split=row.get("split", ""),
            context=row.get("context", ""),
            question=row["question"],
            options=tuple(row["options"]),
            answer=row.get("answer"),
            question_type=row.get("question_type"),
            depth=row.get("depth"),
            forms=tuple(row["forms"]) if row.get("forms") is not None else None,
            formulas=row.get("formulas"),
            sentences=row.get("sentences"),
            metadata=row.get("metadata") or {},
        )


def content_hash(seed: int, split: str, *texts: str) -> str:
    """Return the part of an id that holds the draw: a hash of seed, split and texts, of which no digit tells the label.

    The same instance of a seed and a split has the same hash, even if more is drawn; two seeds share none.
    """
    return blake2b("\0".join((str(seed), split, *texts)).encode(), digest_size=8).hexdigest()


def one_line(text: str) -> str:
    """Fold a text to one line with single spaces."""
    return " ".join(text.split())


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records of a jsonl file (plain or gzipped) in file order.

    Raises:
        DivLogicError: the file is missing, or a row is malformed.
    """
    for _, record in numbered_records(path):
        yield record


def numbered_records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield (row number from 1, record) of a file as :func:`read_records` does."""
    for number, row in read_jsonl(path):
        try:
            yield number, Record.from_json(row)
        except ValueError as error:
            raise DivLogicError(
                f"{path}, row {number}: {error}; fix or delete that row."
            ) from error


def records_at(path: Path, numbers: Container[int]) -> Iterator[tuple[int, Record]]:
    """Yield (row number from 1, record) of some rows of a file, in file order; the others are not decoded."""
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, start=1):
            if number in numbers:
                yield number, Record.from_json(orjson.loads(line))


_OPTIONAL: tuple[tuple[str, type, str], ...] = (
    ("question_type", str, "a string"),
    ("depth", int, "a whole number"),
    ("forms", list, "a list"),
    ("formulas", dict, "an object"),
    ("sentences", dict, "an object"),
    ("metadata", dict, "an object"),
)


_LONGEST = 500
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DEEPEST = 100
"""Levels of a field; JSON writers give up at some hundred."""


def harm(record: Record) -> str | None:
    """Say what is wrong with a record from outside that no reader would stumble over at once, or ``None``.

    What this workflow wrote itself needs no such look.
    """
    if _CONTROL.search(record.id) or len(record.id) > _LONGEST:
        return f"the id {record.id[:80]!r} has control characters or is longer than {_LONGEST}"
    for name in ("formulas", "sentences", "metadata"):
        if _depth(getattr(record, name)) > _DEEPEST:
            return f"the field '{name}' is nested deeper than {_DEEPEST} levels"
    return None


def _depth(value: Any) -> int:
    """Return how deep lists and objects are nested, without recursion."""
    depth, level = 0, [value] if isinstance(value, dict | list) else []
    while level:
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        depth += 1
    return depth


def grouped(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return rows by their keys, both in the order in which they come."""
    found: dict[K, list[T]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def spaced_over_types(records: Sequence[Record], most: int | None) -> list[Record]:
    """Return at most ``most`` of the records in their order, evenly spaced over question types, in these over depths.

    Question types and depths take turns in a file: every sixth instance of DivLogicEval is of one type.
    """
    return [
        records[at]
        for at in spaced_places([(one.question_type, one.depth) for one in records], most)
    ]


def spaced_places(kinds: Sequence[tuple[str | None, int | None]], most: int | None) -> list[int]:
    """Return the places of the records that :func:`spaced_over_types` returns, from their question types and depths."""
    if most is None or len(kinds) <= most:
        return list(range(len(kinds)))
    classes = sorted(range(len(kinds)), key=lambda at: (kinds[at][0] or "", kinds[at][1] or 0))
    return sorted(classes[place * len(kinds) // most] for place in range(most))


def _problem(row: dict[str, Any]) -> str | None:
    """Say what keeps a JSON object from being a record, or ``None``."""
    for name in ("id", "question", "options"):
        if name not in row:
            return f"the field '{name}' is missing"
    for name in ("context", "question", "benchmark", "split"):
        if not isinstance(row.get(name, ""), str):
            return f"the field '{name}' is not a string"
    if not isinstance(row["id"], (str, int)):
        return "the field 'id' is neither a string nor a number"
    for name, kind, described in _OPTIONAL:
        if row.get(name) is not None and not isinstance(row[name], kind):
            return f"the field '{name}' is not {described}"
    if row.get("benchmark") and not NAME.fullmatch(row["benchmark"]):
        return f"the benchmark {row['benchmark'][:80]!r} is no name; use up to 64 of the letters a-z, digits, _ and -"
    options = row["options"]
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        return "the field 'options' is not a list of strings"
    answer = row.get("answer")
    if answer is not None and (isinstance(answer, bool) or not isinstance(answer, int)):
        return "the field 'answer' is neither an index nor null"
    if answer is not None and not 0 <= answer < len(options):
        return f"the answer {answer} is not an index of the {len(options)} options"
    return None
