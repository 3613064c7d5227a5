"""The steps of the phase as functions of files: what the command line and the rules call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import NoneOutcome
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.predictions import (
    Prediction,
    answers_of,
    predictions_of,
    read_answers,
    write_predictions,
)
from divlogic.evaluation.replay import Format, read_ilogiceval, read_inspect
from divlogic.evaluation.rotations import RotationRow, read_rotations, rotation_rows, style_named
from divlogic.evaluation.scoring import Score, compare, runs_of, score_all
from divlogic.files import write_csv, write_json, write_jsonl
from divlogic.models.baseline_files import NEEDS
from divlogic.models.label_recordings import read_justlogic
from divlogic.models.labels import PRESETS, PUBLISHED_RANDOM, LabelPrediction, label_score
from divlogic.models.parameters import ModelParameters
from divlogic.models.requests import label_of, requests_of
from divlogic.models.store import ResponseStore, read_responses
from divlogic.progress import say
from divlogic.records import read_records

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


def run_into_store(
    rotations: Sequence[Path],
    store: Path,
    *,
    model: ModelParameters,
    parameters: EvaluationParameters,
    seed: int,
    summary: Path | None = None,
) -> None:
    """Fill the store with a model's answers to the rotation files that its parameters name.

    Raises:
        DivLogicError: the model cannot be used, or answers are still lacking at the end.
    """
    from divlogic.models.runner import run_model

    rows = [row for path in rotations for row in read_rotations(path)]
    rows = [row for row in rows if is_asked(model, row, parameters)]
    with ResponseStore(store) as opened:
        done = run_model(
            rows,
            model,
            opened,
            runs=model.runs or parameters.runs,
            sampling=parameters.sampling,
            limits=parameters.limits,
            seed=seed,
        )
    say(f"{label_of(model)}: {done.sentence()}")
    if summary:
        write_json(
            summary, {"model": label_of(model), **vars(done), "faults": dict(sorted(done.faults.items()))}
        )
    done.require_all(store, label_of(model))


def export_predictions(
    rotations: Sequence[Path],
    store: Path,
    out: Path,
    *,
    models: Sequence[ModelParameters],
    parameters: EvaluationParameters,
) -> int:
    """Write the stored answers of all models as predictions; return their number.

    The order is that of models, rotation files, runs and rows, whatever the order in which the answers arrived.
    Answers that the store lacks are told on standard error.

    Raises:
        DivLogicError: a file is missing, two models have one label, or the store has no answer at all.
    """
    labels = [label_of(model) for model in models]
    if len(set(labels)) < len(labels):
        raise DivLogicError(
            f"two models are labelled alike ({', '.join(sorted(labels))}); give them other labels."
        )
    responses, torn = read_responses(store)
    if torn:
        say(f"{store}: {torn} torn rows of a killed run are passed over")
    files = [read_rotations(path) for path in rotations]

    def rows() -> Any:
        for model, label in zip(models, labels, strict=True):
            for file in files:
                asked = [row for row in file if is_asked(model, row, parameters)]
                runs = model.runs or parameters.runs
                requests = list(requests_of(asked, model, runs, parameters.sampling))
                lacking = sum(request.key not in responses for request in requests)
                if lacking:
                    say(
                        f"{label}: {lacking:,} of {len(requests):,} answers to {file[0].prompt} are not in the store"
                    )
                yield from predictions_of(requests, responses, label)

    count = write_predictions(out, rows())
    if not count:
        raise DivLogicError(f"{store}: it has none of the answers wanted; run a model first.")
    return count


def write_scores(
    predictions: Sequence[Path], out: Path, *, pairs: Path | None, parameters: EvaluationParameters, seed: int
) -> list[Score]:
    """Score prediction files; with ``pairs`` also compare systems and prompts on the same instances.

    Raises:
        DivLogicError: a file is missing, empty or malformed.
    """
    answers = read_answers(predictions)
    scores = score_all(answers, seed=seed, resamples=parameters.resamples)
    write_csv(out, SCORE_COLUMNS, map(score_row, scores))
    if pairs:
        write_csv(pairs, PAIR_COLUMNS, pair_rows(answers, seed=seed, none=parameters.none_outcome))
    return scores


def replay(
    source: Path,
    *,
    format: Format,
    model: str,
    prompt: str,
    benchmark: str | None,
    predictions: Path | None,
    scores: Path | None,
    parameters: EvaluationParameters,
    seed: int,
) -> list[dict[str, Any]]:
    """Score answers that somebody else recorded; return one row of figures per metric and part.

    Where ``as_published`` and ``corrected`` differ there is a row of each: in how an answer that names no option enters
    PartialCircular (left out of p, or a fifth outcome), and in whether unanswered label questions count.

    Raises:
        DivLogicError: the file does not have the format.
    """
    if format in ("justlogic", "justlogic-prior"):
        rows = list(read_justlogic(source))
        columns, figures = LABEL_COLUMNS, label_rows(model, rows, benchmark, parameters, seed)
        if predictions:
            write_jsonl(predictions, ({"model": model, **_label_json(row)} for row in rows))
    else:
        if format == "predictions":
            answers = read_answers([source])
        else:
            reader = {
                "ilogiceval": lambda: read_ilogiceval(source, model=model, prompt=prompt, note=say),
                "inspect": lambda: read_inspect(source, note=say),
            }[format]
            read: list[Prediction] = list(reader())
            answers = answers_of(read)
            if predictions:
                write_predictions(predictions, read)
        columns = SCORE_COLUMNS
        figures = [score_row(s) for s in score_all(answers, seed=seed, resamples=parameters.resamples)]
    if scores:
        write_csv(scores, columns, figures)
    return [dict(zip(columns, row, strict=True)) for row in figures]


def score_row(score: Score) -> list[Any]:
    """Return a row of the score table, in percent with two decimals."""
    e = score.estimate
    return [
        score.benchmark, score.model, score.prompt, score.question_type, score.metric, score.preset,
        percent(e.value), percent(e.low), percent(e.high),
        "" if score.cv != score.cv else f"{score.cv:.2f}",
        len(score.runs), score.instances, percent(score.parse_rate), score.missing,
    ]  # fmt: skip


def pair_rows(answers: Mapping[Any, Any], *, seed: int, none: NoneOutcome) -> list[list[Any]]:
    """Compare every two systems with one prompt, and every two prompts of one system, within each benchmark."""
    rows = []
    systems = sorted({series[:3] for series in answers})
    for one, other in combinations(systems, 2):
        if one[0] != other[0] or (one[1] != other[1] and one[2] != other[2]):
            continue
        first, second = runs_of(answers, *one), runs_of(answers, *other)
        try:
            tests = compare(first, second, seed=seed, none=none)
        except ValueError:
            continue
        for metric, test in tests.items():
            spread = map(percent, (test.difference, test.low, test.high))
            rows.append([*one, *other[1:], metric, *spread, f"{test.p_value:.4g}", test.instances])
    return rows


def label_rows(
    model: str,
    rows: Sequence[LabelPrediction],
    benchmark: str | None,
    parameters: EvaluationParameters,
    seed: int,
) -> list[list[Any]]:
    """Score label answers in both presets; the published random probability enters ``as_published`` only."""
    table = []
    for preset in PRESETS:
        known = PUBLISHED_RANDOM.get(benchmark or "") if preset == "as_published" else None
        try:
            s = label_score(
                rows, preset=preset, random_probability=known, seed=seed, resamples=parameters.resamples
            )
        except ValueError as error:
            raise DivLogicError(f"the recorded answers cannot be scored: {error}.") from error
        table.append(
            [model, preset, *map(percent, (s.accuracy.value, s.accuracy.low, s.accuracy.high))]
            + [s.correct, s.rows, s.recorded]
            + [percent(v) for v in (s.random_probability, s.delta.value, s.delta.low, s.delta.high)]
        )
    return table


def is_asked(model: ModelParameters, row: RotationRow, parameters: EvaluationParameters) -> bool:
    """Tell whether a model answers a rotation: whether its prompt style and its benchmark are the model's."""
    prompts = parameters.prompts if model.prompts is None else model.prompts
    return row.prompt in prompts and (model.benchmarks is None or row.benchmark in model.benchmarks)


def with_files(
    model: ModelParameters, files: Mapping[str, Path | tuple[Path, ...] | None]
) -> ModelParameters:
    """Give a baseline the files that it reads, unless its own arguments name them."""
    if not model.name.startswith("baseline/"):
        return model
    needed = NEEDS.get(model.name.removeprefix("baseline/"), ())
    given = {
        name: [str(path) for path in paths] if isinstance(paths, tuple) else str(paths)
        for name, paths in files.items()
        if paths and name in needed
    }
    return model.model_copy(update={"args": {**given, **model.args}})


def percent(fraction: float) -> str:
    """Return a fraction in percent with two decimals; empty for ``nan``."""
    return "" if fraction != fraction else f"{100 * fraction:.2f}"


def _label_json(row: LabelPrediction) -> dict[str, Any]:
    return {"instance": row.instance, "label": row.label, "said": row.said, "depth": row.depth}
