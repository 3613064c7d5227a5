"""Accuracy, Circular and PartialCircular as pure functions of an answer matrix, such matrices, and scores of systems.

The matrix has one row per instance and one column per rotation, as many as an instance has options (k; four in the
papers). In rotation ``r`` the option with index ``(position + r) % k`` stands at ``position``, as in footnote 1 of the
DivLogicEval paper. An entry of ``picks`` is the index of the option *content* that was chosen (the rotation undone), or
``NONE`` for an answer that names no option. Scores are fractions; tables print them in percent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from string import ascii_uppercase
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from divlogic.errors import DivLogicError
from divlogic.intervals import (
    Estimate,
    Floats,
    PairedTest,
    coefficient_of_variation,
    estimates,
    paired_test,
)
from divlogic.io.files import read_jsonl
from divlogic.models.answer_keys import KeyOf, require_match
from divlogic.models.predictions import Prediction, Series, lost_cells, prediction_from

NONE = -1
"""The fifth outcome: the answer names none of the options (ILogicEval, Section 5.1)."""

METRICS = ("ACC", "CIR", "PC")

FEWEST_OPTIONS, MOST_OPTIONS = 2, 10
"""Options that an instance may have to be asked and scored."""

NoneOutcome = Literal["fifth", "excluded"]
"""How an answer that names no option enters PC's distribution p.

``fifth``: as an outcome of its own, as ILogicEval's Section 5.1 says. ``excluded``: p is taken over the rotations
that name an option; this is what gives the score of the recorded ChatGPT answers to two digits (13.49, against 13.46).
"""

PRESETS: dict[str, NoneOutcome] = {"as_published": "excluded", "corrected": "fifth"}
"""What the tables call the two: what the authors' own scores come from, and what their text says."""

Picks = NDArray[np.int8]
Correct = NDArray[np.bool_]


@lru_cache(maxsize=16)
def _plogp(options: int) -> Floats:
    """Return p·log p to the base of the number of options for p = row / column, with 0·log 0 = 0."""
    counts = range(options + 1)
    return np.array(
        [
            [k / n * np.log(k / n) / np.log(options) if k and n else 0.0 for n in counts]
            for k in counts
        ]
    )


@dataclass(frozen=True)
class Answers:
    """One system's answers to all rotations of a set of instances.

    Attributes:
        instances: instance ids, in order.
        types: question type per instance; empty strings where the benchmark has none.
        picks: int8 of shape (instances, rotations), chosen option or ``NONE``; columns that an instance with fewer
            options has not hold ``NONE``.
        correct: bool of the same shape, whether that choice is the gold one.
        missing: rotations for which no answer was recorded; they count as ``NONE``.
        choices: number of options of each instance; ``None`` if each has a column for every one.
        lost: numbers of replies that were ``refused``, ``cut`` or ``unanswered``, where there are any; not of parts.
    """

    instances: tuple[str, ...]
    types: tuple[str, ...]
    picks: Picks
    correct: Correct
    missing: int = 0
    choices: tuple[int, ...] | None = None
    lost: Mapping[str, int] = field(default_factory=dict)

    @property
    def rotations(self) -> NDArray[np.int64]:
        """Number of rotations of each instance, as many as it has options."""
        return np.array(self.choices or [self.picks.shape[1]] * len(self.picks), dtype=np.int64)

    def of_type(self, question_type: str) -> Answers:
        """Return the part with one question type."""
        keep = np.flatnonzero(np.array(self.types, dtype=object) == question_type)
        return Answers(
            tuple(self.instances[i] for i in keep),
            tuple(self.types[i] for i in keep),
            self.picks[keep],
            self.correct[keep],
            choices=None if self.choices is None else tuple(self.choices[i] for i in keep),
        )


def accuracy(correct: Correct) -> Floats:
    """ACC per instance: 1 where the unrotated instance (column 0) is answered correctly; shape (n,)."""
    return correct[:, 0].astype(np.float64)


def circular(correct: Correct) -> Floats:
    """CIR per instance: 1 where all rotations are answered correctly; shape (n,). Source: Liu et al. 2023b.

    >>> circular(np.array([[True, True, True, True], [True, True, True, False]]))
    array([1., 0.])
    """
    return np.asarray(correct.all(axis=1), dtype=np.float64)


def partial_circular(correct: Correct, picks: Picks, none: NoneOutcome = "fifth") -> Floats:
    """PC per instance, c/k · (1 + Σ_o p(o) log_k p(o)) for k options; shape (n,), within [0, 1].

    ``c`` counts the correct rotations and ``p`` is the distribution of the chosen option contents over the
    rotations. Source: DivLogicEval, Eq. 2; ILogicEval, Eq. 3, with k = 4.

    Three of four rotations right, the fourth names another option:

    >>> partial_circular(np.array([[True, True, True, False]]), np.array([[2, 2, 2, 0]], dtype=np.int8)).round(4)
    array([0.4458])
    """
    options = picks.shape[1]
    counts = np.stack([(picks == outcome).sum(axis=1) for outcome in range(NONE, options)], axis=1)
    if none == "excluded":
        counts = counts[:, 1:]
    negative_entropy = _plogp(options)[counts, counts.sum(axis=1, keepdims=True)].sum(axis=1)
    # Four different outcomes give 1 - 1 up to rounding; a score is never below zero.
    return np.asarray(np.maximum(correct.sum(axis=1) / options * (1.0 + negative_entropy), 0.0))


def instance_scores(answers: Answers, none: NoneOutcome = "fifth") -> Floats:
    """Return ACC, CIR and PC of every instance; shape (n, 3), columns in the order of ``METRICS``."""
    scores = np.zeros((len(answers.instances), len(METRICS)))
    rotations = answers.rotations
    for count in np.unique(rotations):
        rows = rotations == count
        correct, picks = answers.correct[rows, :count], answers.picks[rows, :count]
        partial = partial_circular(correct, picks, none)
        scores[rows] = np.column_stack([accuracy(correct), circular(correct), partial])
    return scores


def commonest_letter(answers: Sequence[Answers]) -> float:
    """Return the share of the commonest letter among the answers that name one; ``nan`` without any.

    A system that says one letter to every question has 1: accuracy over all rotations cannot tell it from guessing.
    """
    counts = np.zeros(MOST_OPTIONS, dtype=np.int64)
    for run in answers:
        letters = (run.picks - np.arange(run.picks.shape[1])) % run.rotations[:, None]
        counts += np.bincount(letters[run.picks != NONE], minlength=MOST_OPTIONS)
    return float(counts.max() / counts.sum()) if counts.sum() else float("nan")


def parse_rate(runs: Sequence[Answers]) -> float:
    """Return the share of rotations whose answer names an option; ``nan`` for no answers."""
    rotations = sum(int(run.rotations.sum()) for run in runs)
    return (
        sum(int((run.picks != NONE).sum()) for run in runs) / rotations
        if rotations
        else float("nan")
    )


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
        lost: percent of the replies that were ``refused``, ``cut`` or ``unanswered``, of a whole benchmark.
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
    lost: Mapping[str, float]


def score_all(
    answers: Mapping[Series, Answers], *, seed: int, resamples: int = 2000
) -> list[Score]:
    """Score every system of ``answers``; its runs are pooled instance by instance.

    Rows are sorted by benchmark, model and prompt; within these come the whole, then the question types in
    alphabetical order, each with ACC, CIR and PC; PC in both presets where they differ.
    """
    scores: list[Score] = []
    for system in sorted({series[:3] for series in answers}):
        runs = runs_of(answers, system)
        types = sorted({name for run in runs for name in run.types if name})
        for question_type in (OVERALL, *types):
            part = (
                runs if question_type == OVERALL else [run.of_type(question_type) for run in runs]
            )
            scores += _score_part((*system, question_type), part, seed, resamples)
    return scores


def in_preset(scores: Iterable[Score], preset: str) -> list[Score]:
    """Return the scores that hold in a preset: one for each metric."""
    return [score for score in scores if score.preset in ("", preset)]


def presets_of(scores: Iterable[Score]) -> list[str]:
    """Return the presets that a group of scores has to be shown in: both, or ``[""]`` where they agree."""
    found = {score.preset for score in scores}
    return [preset for preset in PRESETS if preset in found] or [""]


def runs_of(answers: Mapping[Series, Answers], system: tuple[str, str, str]) -> list[Answers]:
    """Return the answer matrices of one system's runs, in the order of the runs' numbers."""
    return [answers[series] for series in sorted(answers) if series[:3] == system]


def pooled_scores(
    runs: Sequence[Answers], none: NoneOutcome = "fifth"
) -> tuple[tuple[str, ...], Floats]:
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
    answers: Mapping[Series, Answers], *systems: tuple[str, str, str], seed: int, none: NoneOutcome
) -> dict[str, PairedTest]:
    """Compare two systems or prompts on the instances that both answered, per metric: ``second - first``.

    Without a common instance there is no comparison of any metric.
    """
    (ids_a, scores_a), (ids_b, scores_b) = (
        pooled_scores(runs_of(answers, one), none) for one in systems
    )
    _, rows_a, rows_b = np.intersect1d(ids_a, ids_b, assume_unique=True, return_indices=True)
    if not len(rows_a):
        return {}
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
    statuses = sum((Counter(run.lost) for run in runs), Counter[str]())
    lost = lost_cells(statuses, sum(int(run.rotations.sum()) for run in runs))
    answered = (parse_rate(runs), sum(run.missing for run in runs), commonest_letter(runs))
    shown = tuple(PRESETS) if differ else ("corrected",)
    spread = {name: estimates(pooled[name][1], seed=seed, resamples=resamples) for name in shown}
    for column, metric in enumerate(METRICS):
        for preset in shown if metric == "PC" else ("corrected",):
            by_run = [
                instance_scores(run, PRESETS[preset]).mean(axis=0) for run in runs if run.instances
            ]
            values = tuple(float(means[column]) for means in by_run)
            named = preset if differ and metric == "PC" else ""
            numbers = (spread[preset][column], values, coefficient_of_variation(values))
            instances = len(pooled[preset][0])
            yield Score(*part, metric, named, *numbers, instances, *answered, lost=lost)


_LETTER_INDEX = {letter: index for index, letter in enumerate(ascii_uppercase[:MOST_OPTIONS])}


def read_answers(paths: Sequence[Path], key_of: KeyOf = lambda _: None) -> dict[Series, Answers]:
    """Read prediction files into one answer matrix per series, in the order of the series' names.

    A prediction must agree with its key. A row without ``predicted`` has its ``answer`` parsed. Instances keep the
    order in which they come.
    """
    answers = answers_of(prediction for path in paths for prediction in _scorable(path, key_of))
    if not answers:
        named = ", ".join(map(str, paths)) or "no file of predictions"
        raise DivLogicError(f"{named}: no predictions in it; run or replay something first.")
    return answers


def _scorable(path: Path, key_of: KeyOf) -> Iterator[Prediction]:
    """Yield the predictions of a file, whose rotations and letters their options must have."""
    for number, row in read_jsonl(path):
        try:
            p = prediction_from(row)
            if not FEWEST_OPTIONS <= p.choices <= MOST_OPTIONS:
                raise ValueError(
                    f"the number of options {p.choices} is not {FEWEST_OPTIONS} to {MOST_OPTIONS}"
                )
            if p.rotation >= p.choices:
                *most, last = map(str, range(p.choices))
                raise ValueError(f"the rotation {p.rotation} is not {', '.join(most)} or {last}")
            for letter in (p.gold, p.predicted):
                if letter and _LETTER_INDEX.get(letter, MOST_OPTIONS) >= p.choices:
                    raise ValueError(f"{letter!r} is none of the letters of the options")
        except ValueError as error:
            raise DivLogicError(
                f"{path}, row {number}: {error}; fix or delete that row."
            ) from error
        require_match(path, number, p, key_of(p))
        yield p


def answers_of(predictions: Iterable[Prediction]) -> dict[Series, Answers]:
    """Group predictions into answer matrices, as :func:`read_answers` does with files."""
    rows = defaultdict[Series, list[tuple[str, str, int, int, int, int]]](list)
    lost = defaultdict[Series, Counter[str]](Counter)
    for p in predictions:
        if p.status:
            lost[p.series][p.status] += 1
        letters = (_LETTER_INDEX[p.gold], _LETTER_INDEX[p.predicted] if p.predicted else NONE)
        rows[p.series].append((p.instance, p.question_type, p.choices, p.rotation, *letters))
    found = {series: _matrix(series, rows[series]) for series in sorted(rows)}
    return {series: replace(one, lost=lost.get(series, {})) for series, one in found.items()}


def _matrix(series: Series, answers: Sequence[tuple[str, str, int, int, int, int]]) -> Answers:
    """Return the answers of a series: each instance, type, number of options, rotation, gold and predicted letter."""
    names, kinds, *numbers = zip(*answers, strict=True)
    options, rotations, gold, letters = np.array(numbers, dtype=np.int64)
    place: dict[str, int] = {}
    rows = np.array([place.setdefault(name, len(place)) for name in names])
    types = dict(zip(reversed(names), reversed(kinds), strict=True))
    choices = np.zeros(len(place), dtype=np.int64)
    np.maximum.at(choices, rows, options)
    shape = len(place), int(choices.max())
    seen = np.zeros(shape, dtype=np.int64)
    np.add.at(seen, (rows, rotations), 1)
    for row, rotation in np.argwhere(seen > 1)[:1]:
        raise DivLogicError(
            f"instance {list(place)[row]!r}, rotation {rotation} of {series} comes {seen[row, rotation]} times;"
            " remove the duplicate rows or give the files different model or run names."
        )
    picks, correct = np.full(shape, NONE, dtype=np.int8), np.zeros(shape, dtype=np.bool_)
    picks[rows, rotations] = np.where(letters == NONE, NONE, (letters + rotations) % choices[rows])
    correct[rows, rotations] = letters == gold
    mixed = None if (choices == shape[1]).all() else tuple(choices.tolist())
    missing = int(choices.sum()) - len(answers)
    return Answers(
        tuple(place), tuple(map(types.__getitem__, place)), picks, correct, missing, mixed
    )
