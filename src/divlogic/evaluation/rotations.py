"""Rotation rows: every prompt that a model will be shown, as a versioned artefact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.models.answers import Letters
from divlogic.models.letters import OPTIONS
from divlogic.models.prompts import gold_letter, render
from divlogic.models.styles import ROTATED, PromptStyle
from divlogic.records import Record, read_records

FEWEST, MOST = 2, 10
"""Options that an instance may have to be asked and scored."""


@dataclass(frozen=True, slots=True)
class RotationRow:
    """One prompt and the letter that answers it.

    Attributes:
        benchmark, instance: the record it shows.
        prompt: name of the prompt style.
        rotation: 0 (the unrotated instance) to the number of options less 1.
        question_type: the record's type, empty if it has none.
        gold: letter of the gold option in this rotation.
        input: the text of the user message.
        choices: number of options.
    """

    benchmark: str
    prompt: str
    instance: str
    rotation: int
    question_type: str
    gold: str
    input: str
    choices: int = OPTIONS

    @property
    def likelihood(self) -> bool:
        """Whether the answer is the likeliest letter instead of a generated text."""
        style = ROTATED.get(self.prompt)
        return style is not None and style.likelihood

    @property
    def letters(self) -> tuple[str, ...]:
        """Letters of the options."""
        return Letters(self.choices).names

    def read(self, answer: str) -> str | None:
        """Return the letter that an answer names, ``None`` for none or several."""
        return Letters(self.choices).read(answer)

    def to_json(self) -> dict[str, Any]:
        """Return the row of the rotation file; four options are not mentioned."""
        row = {name: getattr(self, name) for name in self.__slots__}
        return row if self.choices != OPTIONS else {name: row[name] for name in _ALWAYS}


_ALWAYS = tuple(name for name in RotationRow.__slots__ if name != "choices")


def write_rotations(source: Path, out: Path, *, prompt: str, pool: Path | None, seed: int) -> int:
    """Write the rotation rows of a benchmark file in one prompt style; return their number.

    Raises:
        DivLogicError: the style is unknown, needs examples and has no pool, or a record cannot be rotated.
    """
    style = style_named(prompt)
    if style.shots and pool is None:
        raise DivLogicError(
            f"the prompt '{prompt}' shows {style.shots} examples; name the file to draw them from."
        )
    try:
        examples = list(read_records(pool)) if style.shots and pool else []
        rows = rotation_rows(read_records(source), style, pool=examples, seed=seed)
        return write_jsonl(out, (row.to_json() for row in rows))
    except DivLogicError as error:
        if str(source) in str(error) or (pool and str(pool) in str(error)):
            raise
        raise DivLogicError(f"{source}: {error}") from error


def rotation_rows(
    records: Iterable[Record], style: PromptStyle, *, pool: Sequence[Record] = (), seed: int
) -> Iterator[RotationRow]:
    """Yield the rotations of every record, as many as it has options, in the order of the records.

    The examples of a few-shot style are the same for all instances: one per question type, drawn from ``pool`` by
    ``seed`` (DivLogicEval, Section 4.1).

    Raises:
        DivLogicError: there are no records, a record has not two to ten options or no answer, two share an id, or the
            pool lacks examples.
    """
    records = list(records)
    if not records:
        raise DivLogicError("there is no instance to rotate; is the benchmark file empty?")
    seen: set[str] = set()
    for record in records:
        _check(record, seen)
    examples = few_shot_examples(records, pool, style.shots, seed) if style.shots else ()
    for record in records:
        for rotation in range(len(record.options)):
            yield RotationRow(
                record.benchmark,
                style.name,
                record.id,
                rotation,
                record.question_type or "",
                gold_letter(record, rotation),
                render(record, style, rotation, examples),
                len(record.options),
            )


def few_shot_examples(
    records: Iterable[Record], pool: Sequence[Record], shots: int, seed: int
) -> tuple[Record, ...]:
    """Draw ``shots`` examples from ``pool``, the question types of ``records`` taking turns in alphabetical order.

    Raises:
        DivLogicError: the pool has too few records of a type, or shares an instance with ``records``.
    """
    records = list(records)
    tested = {(record.benchmark, record.id) for record in records}
    types = sorted({record.question_type or "" for record in records})
    chosen: list[Record] = []
    for shot in range(shots):
        question_type = types[shot % len(types)]
        used = {record.id for record in chosen}
        candidates = sorted(
            (r for r in pool if (r.question_type or "") == question_type and r.id not in used),
            key=lambda record: record.id,
        )
        if not candidates:
            kind = f"of type '{question_type}' " if question_type else ""
            raise DivLogicError(
                f"the example pool has too few records {kind}for {shots} shots; give a larger one."
            )
        rng = np.random.default_rng(np.random.SeedSequence([seed, shot]))
        example = candidates[int(rng.integers(len(candidates)))]
        if (example.benchmark, example.id) in tested:
            raise DivLogicError(
                f"the example {example.id!r} is also tested; take the pool from another split."
            )
        _check(example, set())
        chosen.append(example)
    return tuple(chosen)


def read_rotations(path: Path) -> list[RotationRow]:
    """Read a rotation file.

    Raises:
        DivLogicError: the file is missing or empty, a field is missing or wrong, or a rotation is duplicated.
    """
    rows: list[RotationRow] = []
    seen: set[tuple[str, str, str, int]] = set()
    for number, row in _rows(path):
        key = (row.benchmark, row.prompt, row.instance, row.rotation)
        if key in seen:
            raise DivLogicError(
                f"{path}, row {number}: rotation {row.rotation} of instance {row.instance!r} is duplicated; delete one."
            )
        seen.add(key)
        rows.append(row)
    if not rows:
        raise DivLogicError(f"{path}: no rotations in it; write the file again with `rotate`.")
    return rows


def first_rotation(path: Path) -> RotationRow:
    """Return the first row of a rotation file.

    Raises:
        DivLogicError: the file is missing or empty, or the row lacks a field.
    """
    for _, row in _rows(path):
        return row
    raise DivLogicError(f"{path}: no rotations in it; write the file again with `rotate`.")


def _rows(path: Path) -> Iterator[tuple[int, RotationRow]]:
    for number, values in read_jsonl(path):
        problem = _problem(values)
        if problem:
            raise DivLogicError(f"{path}, row {number}: {problem}; write the file again with `rotate`.")
        yield number, RotationRow(**{name: values[name] for name in RotationRow.__slots__ if name in values})


def style_named(name: str) -> PromptStyle:
    """Return a prompt style by name.

    Raises:
        DivLogicError: there is no such style.
    """
    if name not in ROTATED:
        raise DivLogicError(f"unknown prompt '{name}'; known are {', '.join(ROTATED)}.")
    return ROTATED[name]


def _check(record: Record, seen: set[str]) -> None:
    count = len(record.options)
    if not FEWEST <= count <= MOST:
        raise DivLogicError(
            f"instance {record.id!r} of {record.benchmark} has {count} option{'' if count == 1 else 's'}; {FEWEST} to"
            f" {MOST} can be rotated and scored: leave it out."
        )
    if record.answer is None:
        raise DivLogicError(
            f"instance {record.id!r} of {record.benchmark} has no answer; it cannot be scored."
        )
    if record.id in seen:
        raise DivLogicError(
            f"the id {record.id!r} of {record.benchmark} is duplicated; rename or delete one of them."
        )
    seen.add(record.id)


def _problem(values: dict[str, Any]) -> str | None:
    for name in RotationRow.__slots__:
        if name not in values:
            if name == "choices":
                continue
            return f"the field '{name}' is missing"
        kind = int if name in ("rotation", "choices") else str
        if type(values[name]) is not kind:
            return f"the field '{name}' is not {'a number' if kind is int else 'a string'}"
    choices = values.get("choices", OPTIONS)
    if not FEWEST <= choices <= MOST:
        return f"the number of options {choices} is not {FEWEST} to {MOST}"
    letters = Letters(choices).names
    if values["gold"] not in letters:
        return f"the gold letter {values['gold']!r} is none of {', '.join(letters)}"
    if not 0 <= values["rotation"] < choices:
        numbers = [str(number) for number in range(choices)]
        return f"the rotation {values['rotation']} is not {', '.join(numbers[:-1])} or {numbers[-1]}"
    return None
