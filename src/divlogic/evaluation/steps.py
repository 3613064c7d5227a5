"""The steps of the phase as functions of files: what the command line and the rules call."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from divlogic.benchmarks.baselines import offer_baselines
from divlogic.errors import DivLogicError
from divlogic.evaluation.due import due_answers, is_asked, with_missing
from divlogic.evaluation.metrics import NoneOutcome
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.predictions import answers_of, predictions_of, read_answers
from divlogic.evaluation.rotations import RotationRow, read_rotations
from divlogic.evaluation.scoring import Score, compare, runs_of, score_all
from divlogic.io.files import atomic_writer, open_bytes, write_csv, write_json
from divlogic.io.log import say
from divlogic.models.baselines import baseline_named, files_read
from divlogic.models.labels import PRESETS, PUBLISHED_RANDOM, label_score
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.recordings import Recording, read_recording
from divlogic.models.recordings.reading import LABEL_FORMATS
from divlogic.models.requests import Request, label_of, requests_of
from divlogic.models.store import ResponseStore, read_responses

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


def run_into_store(
    rotations: Sequence[Path],
    store: Path,
    *,
    model: ModelParameters,
    parameters: EvaluationParameters,
    seed: int,
    summary: Path | None = None,
    out: Path | None = None,
    inspect_logs: Path | None = None,
) -> None:
    """Fill the store with a model's answers to the rotation files that its parameters name.

    Args:
        rotations: files of rotation rows.
        store: response store, appended to.
        model, parameters, seed: who is asked, and how.
        summary: what the run did (json).
        out: the model's predictions, in the order of files, runs and rows.
        inspect_logs: folder of Inspect logs, one per benchmark and prompt style.

    Raises:
        DivLogicError: the model cannot be used, or answers are still missing at the end.
    """
    from divlogic.models.runner import run_requests

    asked = [
        request for path in rotations for request in wanted_requests(read_rotations(path), model, parameters)
    ]
    with ResponseStore(store) as opened:
        done = run_requests(
            asked, model, opened, sampling=parameters.sampling, limits=parameters.limits, seed=seed
        )
        responses = opened.responses
    say(f"{label_of(model)}: {done.sentence()}")
    if summary:
        write_json(
            summary, {"model": label_of(model), **vars(done), "faults": dict(sorted(done.faults.items()))}
        )
    if inspect_logs:
        from divlogic.models.inspect_log import write_inspect_logs

        write_inspect_logs(asked, responses, inspect_logs, model=model, sampling=parameters.sampling)
    done.require_all(store, label_of(model))
    if out:
        write_predictions(out, predictions_of(asked, responses, label_of(model)))


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
    Missing answers are counted on standard error.

    Raises:
        DivLogicError: a file is missing, two models have one label, or the store has no answer at all.
    """
    labels = [label_of(model) for model in models]
    if len(set(labels)) < len(labels):
        raise DivLogicError(
            f"two models have the same label ({', '.join(sorted(labels))}); give them other labels."
        )
    for model in models:
        kind, _, name = model.name.partition("/")
        lacking = [file for file in files_read(model.name) if file not in model.args]
        lacking = [file for file in lacking if file not in baseline_named(name).optional]
        if kind == "baseline" and lacking:
            raise DivLogicError(
                f"{model.name} answers by a file, which decides under which key its answers are stored; name the one"
                f" that `run` had, with --{lacking[0]}."
            )
    responses, torn = read_responses(store)
    if torn:
        say(f"{store}: {torn} torn rows of a killed run are passed over")
    files = [read_rotations(path) for path in rotations]

    def rows() -> Iterator[Prediction]:
        for model, label in zip(models, labels, strict=True):
            for file in files:
                asked = wanted_requests(file, model, parameters)
                missing = sum(not request.is_stored(responses) for request in asked)
                if missing:
                    say(
                        f"{label}: {missing:,} of {len(asked):,} answers to {file[0].prompt} are not in the store"
                    )
                yield from predictions_of(asked, responses, label)

    count = write_predictions(out, rows())
    if not count:
        raise DivLogicError(f"{store}: it holds no answer to these requests; run a model first.")
    return count


def wanted_requests(
    rows: Sequence[RotationRow], model: ModelParameters, parameters: EvaluationParameters
) -> list[Request[RotationRow]]:
    """Return the requests that a model's answers to the rows of one file need."""
    asked = [row for row in rows if is_asked(model, row, parameters)]
    return list(requests_of(asked, model, model.runs or parameters.runs, parameters.sampling))


def write_scores(
    predictions: Sequence[Path],
    out: Path,
    *,
    pairs: Path | None,
    metrics: Path | None = None,
    parameters: EvaluationParameters,
    seed: int,
    due: Sequence[Path] = (),
    allow_missing: bool = False,
) -> list[Score]:
    """Score prediction files; with ``pairs`` also compare systems and prompts on the same instances.

    Args:
        predictions, out, pairs, parameters, seed: what is scored, where to, and how.
        metrics: where ACC, CIR and PC of every system on each whole benchmark go, for `dvc metrics diff` (json).
        due: rotation files that every model of the parameters owes its answers to.
        allow_missing: score what is there if answers are missing, and count these, instead of stopping.

    Raises:
        DivLogicError: a file is missing, empty or malformed, or answers that are due are missing.
    """
    answers = with_missing(
        read_answers(predictions), due_answers(due, parameters), allow_missing=allow_missing
    )
    scores = score_all(answers, seed=seed, resamples=parameters.resamples)
    write_csv(out, SCORE_COLUMNS, map(score_row, scores))
    if metrics:
        write_json(metrics, metrics_of(scores))
    if pairs:
        write_csv(pairs, PAIR_COLUMNS, pair_rows(answers, seed=seed, none=parameters.none_outcome))
    return scores


def metrics_of(scores: Iterable[Score]) -> dict[str, dict[str, dict[str, float]]]:
    """Return metric -> percent by benchmark and system, over all question types; PC as the papers' text defines it."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for score in scores:
        if score.question_type == "all" and score.preset != "as_published":
            system = f"{score.model}, {score.prompt}"
            of_benchmark = found.setdefault(score.benchmark, {})
            of_benchmark.setdefault(system, {})[score.metric] = round(100 * score.estimate.value, 2)
    return found


def replay(
    recording: Recording,
    *,
    predictions: Path | None,
    scores: Path | None,
    parameters: EvaluationParameters,
    seed: int,
) -> list[dict[str, Any]]:
    """Score answers that somebody else recorded; return one row of figures per metric and part.

    Where ``as_published`` and ``corrected`` differ there is a row of each: in how an answer that names no option enters
    PartialCircular (left out of p, or a fifth outcome), and in whether asked and unanswered label questions count.

    Raises:
        DivLogicError: the file does not have the format, or too many of its rows cannot be read.
    """
    read, _ = read_recording(recording)
    columns: Sequence[str]
    if recording.format in LABEL_FORMATS:
        name = recording.model or Path(recording.file).stem
        columns, figures = LABEL_COLUMNS, label_rows(name, read, recording.benchmark, parameters, seed)
    else:
        columns = SCORE_COLUMNS
        scored = score_all(answers_of(read), seed=seed, resamples=parameters.resamples)
        figures = [score_row(score) for score in scored]
    if predictions:
        write_predictions(predictions, read)
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
    rows: Sequence[Prediction],
    benchmark: str,
    parameters: EvaluationParameters,
    seed: int,
) -> list[list[Any]]:
    """Score label answers in both presets; the published random probability enters ``as_published`` only."""
    table = []
    for preset in PRESETS:
        known = PUBLISHED_RANDOM.get(benchmark) if preset == "as_published" else None
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


def with_files(
    model: ModelParameters, files: Mapping[str, Path | tuple[Path, ...] | None]
) -> ModelParameters:
    """Give a baseline the files that it reads, unless its own arguments name them."""
    offer_baselines()
    needed = files_read(model.name)
    if not needed:
        return model
    given = {
        name: [str(path) for path in paths] if isinstance(paths, tuple) else str(paths)
        for name, paths in files.items()
        if paths and name in needed
    }
    return model.model_copy(update={"args": {**given, **model.args}})


def percent(fraction: float) -> str:
    """Return a fraction in percent with two decimals; empty for ``nan``."""
    return "" if fraction != fraction else f"{100 * fraction:.2f}"


def gather_predictions(files: Sequence[Path], out: Path) -> None:
    """Put prediction files together in the order given, atomically.

    Raises:
        DivLogicError: a file is missing.
    """
    with atomic_writer(out) as stream:
        for file in files:
            with open_bytes(file) as source:
                shutil.copyfileobj(source, stream)
