"""Scores of answer matrices: per question type and overall, over runs, and compared in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from divlogic.evaluation.metrics import (
    METRICS,
    NONE,
    PRESETS,
    Answers,
    NoneOutcome,
    commonest_letter,
    instance_scores,
)
from divlogic.intervals import Estimate, Floats, PairedTest, coefficient_of_variation, estimates, paired_test
from divlogic.models.predictions import Series

OVERALL = "all"


@dataclass(frozen=True)
class Score:
    """One metric of one system on one part of a benchmark, as fractions.

    Attributes:
        benchmark, model, prompt: what was answered by whom and how.
        question_type: the part, ``all`` for the whole.
        metric: ACC, CIR or PC.
        preset: of PC, where answers that name no option make a difference: ``as_published`` leaves them out of p,
            ``corrected`` counts them as a fifth outcome; empty where both agree, and for ACC and CIR.
        estimate: mean over instances (and runs) with its 95 % interval, clustered by instance.
        runs: the metric in each run, in the order of the runs' numbers.
        cv: coefficient of variation over the runs in percent, ``nan`` for a single run.
        instances: instances scored.
        parse_rate: share of rotations whose answer names an option.
        missing: rotations without any answer, which count as wrong.
        commonest: share of the commonest letter among the answers that name an option.
    """

    benchmark: str
    model: str
    prompt: str
    question_type: str
    metric: str
    preset: str
    estimate: Estimate
    runs: tuple[float, ...]
    cv: float
    instances: int
    parse_rate: float
    missing: int
    commonest: float


def score_all(answers: Mapping[Series, Answers], *, seed: int, resamples: int = 2000) -> list[Score]:
    """Score every system of ``answers``; its runs are pooled instance by instance.

    Rows are sorted by benchmark, model and prompt; within these come the whole, then the question types in
    alphabetical order, each with ACC, CIR and PC; PC in both presets where they differ.
    """
    scores: list[Score] = []
    for benchmark, model, prompt in sorted({series[:3] for series in answers}):
        runs = runs_of(answers, benchmark, model, prompt)
        types = sorted({name for run in runs for name in run.types if name})
        for question_type in (OVERALL, *types):
            part = runs if question_type == OVERALL else [run.of_type(question_type) for run in runs]
            scores += _score_part((benchmark, model, prompt, question_type), part, seed, resamples)
    return scores


def in_preset(scores: Iterable[Score], preset: str) -> list[Score]:
    """Return the scores that hold in a preset: one for each metric."""
    return [score for score in scores if score.preset in ("", preset)]


def presets_of(scores: Iterable[Score]) -> list[str]:
    """Return the presets that a group of scores has to be shown in: both, or ``[""]`` where they agree."""
    found = {score.preset for score in scores}
    return [preset for preset in PRESETS if preset in found] or [""]


def runs_of(answers: Mapping[Series, Answers], benchmark: str, model: str, prompt: str) -> list[Answers]:
    """Return the answer matrices of one system's runs, in the order of the runs' numbers."""
    return [answers[s] for s in sorted(answers) if s[:3] == (benchmark, model, prompt)]


def pooled_scores(runs: Sequence[Answers], none: NoneOutcome = "fifth") -> tuple[tuple[str, ...], Floats]:
    """Average each instance's scores over the runs that hold it.

    Returns:
        the instance ids in order of first appearance, and their scores, shape (instances, 3).
    """
    if len(runs) == 1:
        return runs[0].instances, instance_scores(runs[0], none)
    place: dict[str, int] = {}
    for run in runs:
        for instance in run.instances:
            place.setdefault(instance, len(place))
    sums, counts = np.zeros((len(place), len(METRICS))), np.zeros(len(place))
    for run in runs:
        rows = np.array([place[instance] for instance in run.instances], dtype=np.int64)
        sums[rows] += instance_scores(run, none)
        counts[rows] += 1
    return tuple(place), sums / counts[:, None]


def compare(
    first: Sequence[Answers], second: Sequence[Answers], *, seed: int, none: NoneOutcome = "fifth"
) -> dict[str, PairedTest]:
    """Compare two systems or prompts on the instances that both answered, per metric: ``second - first``.

    Raises:
        ValueError: they have no instance in common.
    """
    ids_a, scores_a = pooled_scores(first, none)
    ids_b, scores_b = pooled_scores(second, none)
    where = {instance: row for row, instance in enumerate(ids_b)}
    shared = [(row, where[instance]) for row, instance in enumerate(ids_a) if instance in where]
    if not shared:
        raise ValueError("the two have no instance in common")
    rows_a, rows_b = map(list, zip(*shared, strict=True))
    return {
        metric: paired_test(scores_a[rows_a, column], scores_b[rows_b, column], seed=seed)
        for column, metric in enumerate(METRICS)
    }


def _score_part(
    part: tuple[str, str, str, str], runs: Sequence[Answers], seed: int, resamples: int
) -> Iterator[Score]:
    """Yield the metrics of one part of a benchmark: benchmark, model, prompt and question type."""
    pooled = {preset: pooled_scores(runs, none) for preset, none in PRESETS.items()}
    first, second = (scores for _, scores in pooled.values())
    differ = not np.array_equal(first, second)
    rotations = sum(run.asked for run in runs)
    parsed = sum(int((run.picks != NONE).sum()) for run in runs)
    commonest = commonest_letter(runs)
    rows: list[tuple[int, str, Score]] = []
    for preset in PRESETS if differ else ("corrected",):
        ids, scores = pooled[preset]
        per_run = [instance_scores(run, PRESETS[preset]).mean(axis=0) for run in runs if len(run.instances)]
        spread = estimates(scores, seed=seed, resamples=resamples)
        for column, (metric, estimate) in enumerate(zip(METRICS, spread, strict=True)):
            if metric != "PC" and preset != "corrected":
                continue
            values = tuple(float(run[column]) for run in per_run)
            score = Score(
                *part,
                metric,
                preset if differ and metric == "PC" else "",
                estimate,
                values,
                coefficient_of_variation(values),
                len(ids),
                parsed / rotations if rotations else float("nan"),
                sum(run.missing for run in runs),
                commonest,
            )
            rows.append((column, preset, score))
    yield from (score for _, _, score in sorted(rows, key=lambda row: row[:2]))
