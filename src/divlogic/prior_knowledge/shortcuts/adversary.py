"""The adversary: a generic learner on counts that are made from a record's clauses, not from a list of known leaks.

Its views, its learner and their sizes are fixed before anything is measured. The highest of all views is what counts,
next to what the highest of as many guessers reaches.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from divlogic.prior_knowledge.parameters import AdversaryParameters
from divlogic.prior_knowledge.shortcuts import automatic, features, learners
from divlogic.prior_knowledge.shortcuts.measure import cluster_of, deal_folds
from divlogic.prior_knowledge.shortcuts.probes import construction_of, depth_of
from divlogic.prior_knowledge.shortcuts.theories import Theory, theory_of
from divlogic.records import Record, grouped

_USUAL = 0.05

ALARM = 0.001
"""Share of runs in which the highest of as many guessers is an alarm: a run has some twenty samples."""

_FOLDS = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """How often the learner is right on one view of one sample; accuracies are fractions.

    Attributes:
        benchmark, construction, type: the sample; as in :class:`.measure.Shortcut`.
        view: ``alone``, ``connection``, ``blind`` or ``asking`` (:mod:`.automatic`).
        rounds: of derivation that the view looks at.
        beyond: the instances need more sentences than this, which is as many as the view can join; ``None``: all
            instances, of which the view may solve some.
        instances: their number.
        counts: number of columns.
        repeats: number of deals of the folds over which the accuracy is a mean; 0: no learner can tell the members of
            any group apart, nothing was trained.
        accuracy, low, high: mean and 95 % interval.
        chance: accuracy of guessing.
    """

    benchmark: str
    construction: str
    type: str
    view: str
    rounds: int
    beyond: int | None
    instances: int
    counts: int
    repeats: int
    accuracy: float
    low: float
    high: float
    chance: float

    @property
    def gain(self) -> float:
        """Return by how much the learner is above guessing."""
        return self.accuracy - self.chance

    @property
    def error(self) -> float:
        """Return the standard error of a guesser that learns in folds.

        Each fold trains the learner of the others, so that right answers are not independent: as many instances tell
        as much as n / (1 + K / (K - 1)) would for K folds (Nadeau and Bengio 2003).
        """
        alone = (self.high - self.low) / (2 * 1.96)
        return alone * math.sqrt(1 + _FOLDS / (_FOLDS - 1))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The highest of all views of one sample that look at fewer sentences than its instances need.

    The views have samples of several sizes; the highest is the one that is most standard errors above guessing.

    Attributes:
        highest: the view.
        views: number of views that could differ from guessing.
        by_chance: gain of this view that the highest of as many guessers stands for in 5 of 100 runs.
        alarm: gain that it stands for in one of 1,000 runs.
    """

    highest: Finding
    views: int
    by_chance: float
    alarm: float

    @property
    def found(self) -> bool:
        """Return whether something tells the answer that should not."""
        return self.highest.gain > self.alarm


@dataclass(frozen=True, slots=True)
class _View:
    """One way to look at an instance.

    Attributes:
        name, rounds: as the tables say.
        joins: the largest number of sentences that its counts join.
        of: the counts of an option.
        listwise: whether options are compared with each other. Where signs of sentences are counted they are not: each
            option would add the sentences of its own, and a learner would join them all.
    """

    name: str
    rounds: int
    joins: int
    of: Callable[[Theory, int, int], automatic.Counts]
    listwise: bool = False


def _blind(theory: Theory, option: int, rounds: int) -> automatic.Counts:
    return automatic.blind(theory, rounds)


def _statement(theory: Theory, option: int, rounds: int) -> automatic.Counts:
    """Return the counts about a statement and, as they may go together, those of the passage alone."""
    counts = automatic.asking(theory, option, rounds)
    for key, count in automatic.blind(theory, rounds).items():
        counts[("passage", *key)] = count
    return counts


def views(rounds: int, *, labelled: bool) -> tuple[_View, ...]:
    """Return the views of a benchmark with labels, or of one whose instances have options of their own.

    From both ends, so many rounds join twice as many sentences; a passage alone has one end.
    """
    numbers = range(1, rounds + 1)
    found = [_View("connection", 0, 1, automatic.connection, listwise=not labelled)]
    if labelled:
        found += [_View("blind", number, number, _blind) for number in numbers]
        found += [_View("asking", number, 2 * number, _statement) for number in numbers]
    else:
        found.append(_View("alone", 0, 0, automatic.alone, listwise=True))
        found += [_View("asking", number, 2 * number, automatic.asking) for number in numbers]
    return tuple(found)


def attack(
    records: Sequence[Record], parameters: AdversaryParameters, seed: int
) -> Iterator[Finding]:
    """Yield what the learner finds on every view of every sample: a benchmark, a construction, a question type."""
    answered = [one for one in records if one.answer is not None and len(one.options) > 1]
    samples = grouped(answered, lambda one: (one.benchmark, construction_of(one), _type_of(one)))
    for (benchmark, construction, kind), own in samples.items():
        chosen = _spaced(own, parameters.instances)
        theories = [theory_of(record) for record in chosen]
        # A few formulas that cannot be read would leave their groups incomplete.
        read = [one for one in theories if one is not None]
        if len(read) < len(chosen) or len(chosen) < parameters.least_instances:
            continue
        sample = _Sample(chosen, read, parameters, seed)
        for view in views(parameters.rounds, labelled=sample.labelled):
            yield from sample.findings(view, benchmark, construction, kind)


def _type_of(record: Record) -> str:
    """Return the question type of a record with options of its own; those of labels are sets of one benchmark."""
    return record.question_type or "all"


def _spaced(records: Sequence[Record], most: int) -> list[Record]:
    """Return whole groups of at most ``most`` records, evenly spaced over the depths."""
    groups = list(grouped(records, cluster_of).values())
    groups.sort(key=lambda group: min([depth_of(one) or 0 for one in group]))
    count = min(len(groups), max(1, len(groups) * most // len(records)))
    return [record for at in range(count) for record in groups[at * len(groups) // count]]


class _Sample:
    """Instances of one type with their theories and answers."""

    def __init__(
        self,
        records: Sequence[Record],
        theories: Sequence[Theory],
        parameters: AdversaryParameters,
        seed: int,
    ) -> None:
        self.theories, self.parameters, self.seed = theories, parameters, seed
        self.labelled = len(theories[0].options) == 1
        self.answers = [one.answer for one in records if one.answer is not None]
        self.sizes = [len(one.options) for one in records]
        self.clusters: list[Hashable] = [cluster_of(one) for one in records]
        # A wrong option may be refuted by fewer sentences than the right one needs; the easiest of a group counts.
        easiest: dict[Hashable, int] = {}
        for cluster, record, theory in zip(self.clusters, records, theories, strict=True):
            # A missing premise is one of the sentences that are needed, and not one that is looked for.
            needed = (depth_of(record) or 0) - bool(theory.goal)
            easiest[cluster] = min(needed, easiest.get(cluster, needed))
        self.needed = np.array([easiest[cluster] for cluster in self.clusters])

    def findings(
        self, view: _View, benchmark: str, construction: str, kind: str
    ) -> Iterator[Finding]:
        """Yield the accuracy on the instances that need more sentences than a view joins, and on all."""
        table = automatic.table(
            [
                view.of(theory, option, view.rounds)
                for theory in self.theories
                for option in range(len(theory.options))
            ]
        )
        right, repeats = self._right(table, view)
        parts: list[tuple[int | None, Any]] = [
            (view.joins, np.flatnonzero(self.needed > view.joins)),
            (None, np.arange(len(self.answers))),
        ]
        for beyond, places in parts:
            if len(places) < self.parameters.least_instances:
                continue
            clusters = [self.clusters[at] for at in places]
            accuracy, low, high = learners.interval(right[places], clusters)
            yield Finding(
                benchmark=benchmark,
                construction=construction,
                type=kind,
                view=view.name,
                rounds=view.rounds,
                beyond=beyond,
                instances=len(places),
                counts=table.shape[1],
                repeats=repeats,
                accuracy=accuracy,
                low=low,
                high=high,
                chance=self._chance(places),
            )

    def _chance(self, places: Any) -> float:
        if not self.labelled:
            return float(np.mean([1 / self.sizes[at] for at in places]))
        answers = Counter(self.answers[at] for at in places)
        return answers.most_common(1)[0][1] / len(places)

    def _right(self, table: learners.Array, view: _View) -> tuple[learners.Array, int]:
        """Return the mean credit of each instance over the deals of the folds, and their number."""
        ranked = table.repeat(self.sizes, axis=0) if self.labelled else table
        if not table.shape[1] or learners.is_settled(
            ranked, self.sizes, self.answers, self.clusters
        ):
            return np.array([1 / size for size in self.sizes]), 0
        credit = [
            self._credit(table, view, self.seed + number)
            for number in range(self.parameters.repeats)
        ]
        return np.mean(credit, axis=0), len(credit)

    def _credit(self, table: learners.Array, view: _View, seed: int) -> learners.Array:
        folds = deal_folds(self.clusters, _FOLDS, seed)
        if self.labelled:
            scores = learners.classified(table, max(self.sizes), self.answers, folds, seed)
        else:
            tables = (table, *features.listwise(table, self.sizes)) if view.listwise else (table,)
            scores = learners.ranked(tables, self.sizes, self.answers, folds, seed)
        return learners.credits(scores, self.answers)


def verdicts(findings: Sequence[Finding]) -> list[Verdict]:
    """Return the highest view of each sample."""
    judged = [one for one in findings if one.beyond is not None]
    found = []
    for own in grouped(judged, attrgetter("benchmark", "construction", "type")).values():
        open_to_chance = [one for one in own if one.error > 0]
        highest = max(open_to_chance or own, key=lambda one: one.gain / max(one.error, 1e-9))
        count = len(open_to_chance)
        found.append(
            Verdict(
                highest=highest,
                views=count,
                by_chance=highest.error * _highest_of(count, _USUAL),
                alarm=highest.error * _highest_of(count, ALARM),
            )
        )
    return found


def _highest_of(guessers: int, share: float) -> float:
    """Return the standard errors that the highest of some guessers exceeds in so many runs (Šidák 1967)."""
    from scipy.special import ndtri

    return float(ndtri((1 - share) ** (1 / max(guessers, 1))))
