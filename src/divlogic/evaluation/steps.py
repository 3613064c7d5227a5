"""Scores of prediction files and of recordings, each bootstrapped once for all tables."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation import metrics as scoring
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun, Recordings
from divlogic.evaluation.rotations import read_rotations, rotations_in
from divlogic.evaluation.tables import write_tables
from divlogic.io.files import atomic_writer, open_bytes, row_count, write_csv, write_json
from divlogic.io.log import say
from divlogic.models.answer_keys import keys_of_questions
from divlogic.models.predictions import (
    PRESETS,
    PUBLISHED_RANDOM,
    Prediction,
    Series,
    label_score,
    write_predictions,
)
from divlogic.models.recordings.formats import LABEL_FORMATS, Format, Recording
from divlogic.models.recordings.reading import read_recording
from divlogic.models.requests import label_of, limited

SCORE_COLUMNS = (
    "benchmark", "model", "prompt", "question_type", "metric", "preset", "value", "low", "high", "cv", "runs",
    "instances", "parse_rate", "missing",
)  # fmt: skip
PAIR_COLUMNS = (
    "benchmark", "first_model", "first_prompt", "second_model", "second_prompt", "metric", "difference", "low", "high",
    "p_value", "instances",
)  # fmt: skip
LABEL_COLUMNS = (
    "model", "preset", "accuracy", "low", "high", "correct", "rows", "recorded", "random_probability", "delta",
    "delta_low", "delta_high",
)  # fmt: skip

_NAMED = 3
"""Series that a message names."""


def score(
    predictions: Annotated[tuple[Path, ...], ARGUMENT],
    out: Annotated[Path, "Scores (csv)."],
    params: EvaluationRun,
    pairs: Annotated[Path | None, "Paired comparisons (csv)."] = None,
    metrics: Annotated[
        Path | None, "ACC, CIR and PC per system, for `dvc metrics diff --targets` (json)."
    ] = None,
    tables: Annotated[
        Path | None, FOLDER, "Folder of table1, table2, table3, table6 and table8."
    ] = None,
    together: Annotated[Path | None, "All PREDICTIONS in one file, in the order given."] = None,
    due: Annotated[
        tuple[Path, ...],
        "Rotation file that every model of the parameters owes its answers to; repeatable.",
    ] = (),
    allow_missing: Annotated[
        bool, "Score what is there if answers that are due are missing."
    ] = False,
    recordings: Recordings = (),
) -> None:
    """Score PREDICTIONS: ACC, CIR and PC per question type and overall, with intervals; write the tables of scores."""
    section = params.evaluation
    expected = due_answers(due, section) if due else {}
    key_of = keys_of_questions(row for path in due for row in read_rotations(path))
    read = scoring.read_answers(predictions, key_of)
    answers = with_missing(read, expected, allow_missing=allow_missing)
    scores = scoring.score_all(answers, **params.bootstrap)
    write_csv(out, SCORE_COLUMNS, map(score_row, scores))
    if metrics:
        write_json(metrics, metrics_of(scores))
    if pairs:
        write_csv(
            pairs, PAIR_COLUMNS, pair_rows(answers, seed=params.seed, none=section.none_outcome)
        )
    if tables:
        write_tables(answers, scores, tables, params, recordings)
    if together:
        put_together(predictions, together)


def put_together(predictions: Sequence[Path], out: Path) -> None:
    """Write prediction files as one, row by row as they are."""
    with atomic_writer(out) as stream:
        for file in predictions:
            with open_bytes(file) as source:
                shutil.copyfileobj(source, stream)


def due_answers(rotations: Sequence[Path], parameters: EvaluationParameters) -> dict[Series, int]:
    """Return how many answers each run of each model of the parameters owes to the rotation files.

    Of a model that is asked everything the rows are only counted: the first one says of which benchmark they are.
    """
    due: dict[Series, int] = {}
    for path in rotations:
        row, rows = next(rotations_in(path)), row_count(path)
        for model in parameters.models:
            if not parameters.asks(model, row.benchmark, row.prompt):
                continue
            is_limited = model.most(row.prompt) is not None
            wanted = len(limited(list(rotations_in(path)), model)) if is_limited else rows
            for run in range(model.runs or parameters.runs):
                series = Series(row.benchmark, label_of(model), row.prompt, run)
                due[series] = due.get(series, 0) + wanted
    return due


def with_missing(
    answers: Mapping[Series, scoring.Answers], due: Mapping[Series, int], *, allow_missing: bool
) -> dict[Series, scoring.Answers]:
    """Return the answers, each series with the number of those that are due and not there."""
    counted = dict(answers)
    lacking: dict[Series, str] = {}
    for series, wanted in due.items():
        found = answers.get(series)
        there = 0 if found is None else int(found.rotations.sum()) - found.missing
        if there == wanted:
            continue
        lacking[series] = f"{there:,} of {wanted:,} answers of {series}"
        if found is not None:
            counted[series] = replace(found, missing=max(wanted - there, found.missing))
    if lacking:
        more = f" and {len(lacking) - _NAMED:,} more" if len(lacking) > _NAMED else ""
        listed = f"{'; '.join([*lacking.values()][:_NAMED])}{more}"
        if not allow_missing:
            raise DivLogicError(
                f"not the answers that are due: there are {listed}. Run these models again (divlogic evaluation run;"
                " nothing answered is asked twice), or score what is there with --allow-missing."
            )
        say(f"not the answers that are due: {listed}")
    return counted


def metrics_of(scores: Iterable[scoring.Score]) -> dict[str, dict[str, dict[str, float]]]:
    """Return metric -> percent by benchmark and system, over all question types; PC as the papers' text defines it."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for score in scoring.in_preset(scores, "corrected"):
        if score.question_type == scoring.OVERALL:
            system = found.setdefault(score.benchmark, {}).setdefault(
                f"{score.model}, {score.prompt}", {}
            )
            system[score.metric] = round(100 * score.estimate.value, 2)
    return found


def replay(
    source: Annotated[Path, ARGUMENT, "FILE"],
    format: Annotated[Format, "Format of the recording."],
    params: EvaluationRun,
    model: Annotated[str, "Whose answers they are; the file's name if not given."] = "",
    prompt: Annotated[str, "Prompt style that was used."] = "zero_shot",
    benchmark: Annotated[
        str, "Benchmark of label answers, for its published random probability."
    ] = "",
    predictions: Annotated[Path | None, "Write the answers as predictions (jsonl)."] = None,
    scores: Annotated[Path | None, "Write the figures (csv)."] = None,
) -> None:
    """Score answers that others recorded, as published and corrected.

    Where ``as_published`` and ``corrected`` differ there is a row of each: in how an answer that names no option enters
    PartialCircular (left out of p, or a fifth outcome), and in whether asked and unanswered label questions count.
    """
    recording = Recording(str(source), format, model=model, prompt=prompt, benchmark=benchmark)
    read, _ = read_recording(recording)
    columns: Sequence[str]
    if format in LABEL_FORMATS:
        name = model or source.stem
        columns, figures = LABEL_COLUMNS, label_rows(name, read, benchmark, params.bootstrap)
    else:
        scored = scoring.score_all(scoring.answers_of(read), **params.bootstrap)
        columns, figures = SCORE_COLUMNS, list(map(score_row, scored))
    if predictions:
        write_predictions(predictions, read)
    if scores:
        write_csv(scores, columns, figures)
    print_rows(columns, figures)


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows as an aligned table; nothing if there are none."""
    cells = [[*columns], *([str(cell) for cell in row] for row in rows)]
    if len(cells) == 1:
        return
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        click.echo(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )


def score_row(score: scoring.Score) -> list[Any]:
    """Return a row of the score table, in percent with two decimals."""
    return [
        score.benchmark, score.model, score.prompt, score.question_type, score.metric, score.preset,
        *map(percent, astuple(score.estimate)),
        "" if score.cv != score.cv else f"{score.cv:.2f}",
        len(score.runs), score.instances, percent(score.parse_rate), score.missing,
    ]  # fmt: skip


def pair_rows(
    answers: Mapping[Any, Any], *, seed: int, none: scoring.NoneOutcome
) -> list[list[Any]]:
    """Compare every two systems with one prompt, and every two prompts of one system, within each benchmark."""
    rows = []
    systems = sorted({series[:3] for series in answers})
    for one, other in combinations(systems, 2):
        if one[0] == other[0] and (one[1] == other[1] or one[2] == other[2]):
            tests = scoring.compare(answers, one, other, seed=seed, none=none)
            for metric, test in tests.items():
                spread = map(percent, (test.difference, test.low, test.high))
                rows.append(
                    [*one, *other[1:], metric, *spread, f"{test.p_value:.4g}", test.instances]
                )
    return rows


def label_rows(
    model: str, rows: Sequence[Prediction], benchmark: str, bootstrap: Mapping[str, int]
) -> list[list[Any]]:
    """Score label answers in both presets; the published random probability enters ``as_published`` only."""
    table = []
    for preset in PRESETS:
        known = PUBLISHED_RANDOM.get(benchmark) if preset == "as_published" else None
        try:
            s = label_score(rows, preset=preset, random_probability=known, **bootstrap)
        except ValueError as error:
            raise DivLogicError(f"the recorded answers cannot be scored: {error}.") from error
        distance = map(percent, (s.random_probability, *astuple(s.delta)))
        counts = (s.correct, s.rows, s.recorded)
        table.append([model, preset, *map(percent, astuple(s.accuracy)), *counts, *distance])
    return table


def percent(fraction: float) -> str:
    """Return a fraction in percent with two decimals; empty for ``nan``."""
    return "" if fraction != fraction else f"{100 * fraction:.2f}"
