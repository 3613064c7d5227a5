"""Rotations: closed questions in all cyclic orders of their options, as a versioned file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import click
import numpy as np

from divlogic.benchmarks.registry import BENCHMARKS as REGISTERED
from divlogic.errors import DivLogicError, nearest
from divlogic.evaluation.metrics import FEWEST_OPTIONS, MOST_OPTIONS
from divlogic.evaluation.parameters import EvaluationRun, collected_names
from divlogic.io.files import read_as, write_jsonl
from divlogic.io.log import say
from divlogic.models.answers import Letters
from divlogic.models.asking import require_distinct
from divlogic.models.letters import OPTIONS
from divlogic.models.prompts import content_of, gold_letter, render_rotation
from divlogic.models.requests import ClosedQuestion
from divlogic.models.styles import ROTATED, PromptStyle
from divlogic.records import Record, read_records, spaced_over_types

BENCHMARKS = Path("data/benchmarks")
COLLECTION = Path("data/interim/collection/benchmarks")

HELD_OUT = 20
"""Records of a benchmark of the collection that are shown as examples."""


_COLUMNS = ("benchmark", "prompt", "instance", "rotation", "question_type", "gold", "input")


def rotate(
    source: Annotated[Path, "--in", "Records (jsonl)."],
    prompts: Annotated[tuple[str, ...], "--prompt", "Prompt style, such as zero_shot; repeatable."],
    out: Annotated[tuple[Path, ...], "Rotation rows (jsonl), a file for each prompt style."],
    params: EvaluationRun,
    pool: Annotated[
        Path | None,
        "Records that few-shot examples are drawn from; with --hold-out it need not be there.",
    ] = None,
    benchmark: Annotated[
        str | None, "Name to give the benchmark; by default the records' own."
    ] = None,
    held_out: Annotated[
        int,
        "--hold-out",
        click.IntRange(0),
        "Number of records, evenly spaced, that are not asked but shown as examples, if there is no --pool.",
    ] = 0,
) -> None:
    """Write the four rotations of every instance as prompts."""
    if len(prompts) != len(out):
        raise DivLogicError(
            f"{len(prompts)} times --prompt and {len(out)} times --out; name a file for each."
        )
    styles = [style_named(prompt) for prompt in prompts]
    shown = max(styles, key=lambda style: style.shots)
    if shown.shots and pool is None and not held_out:
        raise DivLogicError(
            f"the prompt '{shown.name}' shows {shown.shots} examples; name the file to draw them from."
        )
    if not source.is_file():
        raise DivLogicError(
            f"{source}: there is no such file. Published benchmarks are read in runs with `corpus_source: full`, own"
            " ones lie in data/imported; `divlogic benchmarks list` names both."
        )
    try:
        records = list(read_records(source))
        if held_out and pool and not pool.is_file():
            say(
                f"{pool}: not here; {held_out} records of {source} are shown as examples and not asked."
            )
            pool = None
        examples = list(read_records(pool)) if shown.shots and pool else []
        if held_out and not pool:
            records, examples = hold_out(records, held_out)
        if benchmark:
            records = [replace(record, benchmark=benchmark) for record in records]
        for style, path in zip(styles, out, strict=True):
            rows = rotation_rows(records, style, pool=examples, seed=params.seed)
            write_jsonl(path, map(rotation_json, rows))
    except DivLogicError as error:
        if str(source) in str(error) or (pool and str(pool) in str(error)):
            raise
        raise DivLogicError(f"{source}: {error}") from error


def hold_out(records: Sequence[Record], count: int = HELD_OUT) -> tuple[list[Record], list[Record]]:
    """Return the records that are asked, and those that are kept back as examples; both have options and an answer.

    Records that share their text with an example are not asked either.
    """
    usable = [record for record in records if record.answer is not None and record.options]
    examples = spaced_over_types(usable, count)
    ids, texts = {record.id for record in examples}, {record.context for record in examples} - {""}
    return [one for one in usable if one.id not in ids and one.context not in texts], examples


def rotation_rows(
    records: Iterable[Record],
    style: PromptStyle,
    *,
    pool: Sequence[Record] = (),
    seed: int,
    tested: Sequence[Record] = (),
) -> Iterator[ClosedQuestion]:
    """Yield the rotations of every record, as many as it has options, in the order of the records.

    The examples of a few-shot style are the same for all instances: one per question type, drawn from ``pool`` by
    ``seed`` (DivLogicEval, Section 4.1).

    Args:
        pool: records that examples are drawn from.
        seed: of that draw.
        tested: all records of the benchmark, where ``records`` are a part of it: the examples are those of the whole.

    Raises:
        DivLogicError: there are no records, a record has not two to ten options or no answer, two share an id, or the
            pool lacks examples.
    """
    records = list(records)
    if not records:
        raise DivLogicError(
            "there is no instance to rotate: no record has options and a known answer."
        )
    for record in records:
        _check(record)
    require_distinct(records)
    examples = few_shot_examples(tested or records, pool, style.shots, seed) if style.shots else ()
    for record in records:
        for rotation in range(len(record.options)):
            shown = (
                record.benchmark,
                record.id,
                render_rotation(record, style, rotation, examples),
            )
            gold, form = gold_letter(record, rotation), Letters(len(record.options))
            yield ClosedQuestion(
                *shown, style.name, gold, form, rotation, record.question_type or ""
            )


def source_of(benchmark: str) -> Path:
    """Return the file of a benchmark's records: its test split, its part of the collection, or the file itself.

    Raises:
        DivLogicError: there is none.
    """
    if path := next(filter(Path.is_file, (Path(benchmark), *_places(benchmark))), None):
        return path
    splits = _split_files()
    known = dict.fromkeys((*collected_names(), *splits))
    # A name that leads nowhere is no help.
    here = [name for name in known if any(map(Path.is_file, _places(name)))]
    own = [name for name in here if name in splits and name.startswith(f"{benchmark}_")]
    hint = "generate or import it first."
    if own:
        hint = f"name one of its splits, {' or '.join(own)}."
    elif benchmark not in known:
        hint = nearest(benchmark, here, hint)
    raise DivLogicError(f"there is no benchmark '{benchmark}' here: {hint}")


def _places(benchmark: str) -> list[Path]:
    """Return where the records of a name may lie: a test split, a part of the collection, a split made here."""
    split = _split_files().get(benchmark)
    return [
        BENCHMARKS / benchmark / "test.jsonl",
        COLLECTION / f"{benchmark}.jsonl.gz",
        *([split] if split else []),
    ]


def _split_files() -> dict[str, Path]:
    """Return the splits of benchmarks that have no test split, by names such as ``llmeval_logic_base``."""
    return {
        f"{one.name}_{split}": BENCHMARKS / one.name / one.file_of(split)
        for one in REGISTERED
        if one.generator and "test" not in one.splits
        for split in one.splits
    }


def pool_of(source: Path) -> Path | None:
    """Return the split next to a test split that examples are drawn from, if there is one."""
    places = (source.with_name("unpolished.jsonl"), source.with_name("train.jsonl"))
    return next(filter(Path.is_file, places), None)


def few_shot_examples(
    records: Sequence[Record], pool: Sequence[Record], shots: int, seed: int
) -> tuple[Record, ...]:
    """Draw ``shots`` examples from ``pool``, the question types of ``records`` taking turns in alphabetical order.

    A record of the pool with the content of one of ``records`` is never drawn, whatever its id: it would solve the
    question.
    """
    tested = set(map(content_of, records))
    untested = [record for record in pool if content_of(record) not in tested]
    if len(untested) < len(pool):
        count = len(pool) - len(untested)
        say(
            f"{count:,} of the {len(pool):,} records that examples are drawn from are also tested; none is shown"
        )
    types = sorted({record.question_type or "" for record in records})
    chosen: list[Record] = []
    for shot in range(shots):
        question_type = types[shot % len(types)]
        used = {record.id for record in chosen}
        fresh = [
            one
            for one in untested
            if (one.question_type or "") == question_type and one.id not in used
        ]
        candidates = sorted(fresh, key=lambda record: record.id)
        if not candidates:
            kind = f"of type '{question_type}' " if question_type else ""
            also = " that are not also tested" if len(untested) < len(pool) else ""
            raise DivLogicError(
                f"the example pool has too few records {kind}for {shots} shots{also}; take it from another split,"
                " or give a larger one."
            )
        rng = np.random.default_rng(np.random.SeedSequence([seed, shot]))
        example = candidates[int(rng.integers(len(candidates)))]
        _check(example)
        chosen.append(example)
    return tuple(chosen)


def rotation_json(question: ClosedQuestion) -> dict[str, Any]:
    """Return the row of a rotation file; four options are not mentioned."""
    row = {name: getattr(question, name) for name in _COLUMNS}
    return row if question.choices == OPTIONS else {**row, "choices": question.choices}


def read_rotations(path: Path) -> list[ClosedQuestion]:
    """Read a rotation file."""
    return list(rotations_in(path))


def rotations_in(path: Path) -> Iterator[ClosedQuestion]:
    """Yield the rows of a rotation file, which has at least one."""
    letters = cache(Letters)

    def rotation(row: dict[str, Any]) -> ClosedQuestion:
        form = letters(row.get("choices", OPTIONS))
        return ClosedQuestion(**{name: row[name] for name in _COLUMNS}, form=form)

    question = None
    for _, question in read_as(path, rotation, "a rotation"):
        yield question
    if question is None:
        raise DivLogicError(f"{path}: no rotations in it; write the file again with `rotate`.")


def style_named(name: str) -> PromptStyle:
    """Return a prompt style by name."""
    if name not in ROTATED:
        raise DivLogicError(f"unknown prompt '{name}'; known are {', '.join(ROTATED)}.")
    return ROTATED[name]


def _check(record: Record) -> None:
    count = len(record.options)
    if not FEWEST_OPTIONS <= count <= MOST_OPTIONS:
        raise DivLogicError(
            f"instance {record.id!r} of {record.benchmark} has {count} option{'' if count == 1 else 's'};"
            f" {FEWEST_OPTIONS} to {MOST_OPTIONS} can be rotated and scored: leave it out."
        )
    if record.answer is None:
        raise DivLogicError(
            f"instance {record.id!r} of {record.benchmark} has no answer; it cannot be scored."
        )
