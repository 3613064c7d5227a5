"""One loop that runs every probe that fits a benchmark, and measures how often it is right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from divlogic.prior_knowledge.groups import named_group, twins
from divlogic.prior_knowledge.parameters import ShortcutParameters
from divlogic.prior_knowledge.probe import has_labels
from divlogic.prior_knowledge.shortcuts import features, learners, probes
from divlogic.records import Record

_MOST_TYPES = 6
_LOOKUP_FOLDS = 10
_MANY = 2000
"""Instances of which one half teaches the trees enough about the other."""

_SOLVED = 0.95

FEW = 200
"""Instances below which a row says that they are few."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """How often one probe is right on instances of one type, as fractions.

    Attributes:
        benchmark: name that the records carry.
        construction: of a generated benchmark ``square``, ``parity``, ``balanced`` or ``as_published``, else empty.
        form: ``symbols`` or ``text``: what the probe reads; ``fresh`` if the instances were drawn for this table.
        type: question type, or ``all``.
        probe: one of :data:`NAMES`.
        instances: number of instances.
        accuracy: share of right answers; a tie of k options counts 1/k.
        low, high: 95 % interval.
        chance: accuracy of guessing; of labels that of always giving the most frequent one.
        depth: number of sentences or steps that these instances need; ``None``: instances of all depths.
        joint: accuracy where the instances of a quartet, or of three, get different answers.
        limit: what ``high`` must not exceed; ``None``: no limit is set.
        words, sentences: mean number of words of passage and options, and of sentences of the passage; of a depth.
        note: which part of a published benchmark this is, its odd rows, and whether the instances are few.
    """

    benchmark: str
    construction: str
    form: str
    type: str
    probe: str
    instances: int
    accuracy: float
    low: float
    high: float
    chance: float
    depth: int | None = None
    joint: float | None = None
    limit: float | None = None
    words: float | None = None
    sentences: float | None = None
    note: str = ""

    @property
    def within(self) -> bool | None:
        """Return whether the limit is kept; ``None``: there is none."""
        return None if self.limit is None else self.high <= self.limit


def measure(
    records: Sequence[Record],
    *,
    benchmark: str,
    construction: str = "",
    form: str = "text",
    parameters: ShortcutParameters,
    seed: int,
    guessed: Mapping[str, bool] | None = None,
    sets: bool = False,
    note: str = "",
    reads: Collection[str] = ("formulas", "words", "either"),
    only: Collection[str] = probes.NAMES,
) -> list[Shortcut]:
    """Run the probes on one benchmark.

    Args:
        records: its records; those without an answer or with fewer than two options are left out.
        benchmark, construction, form, note: what the rows say; the limits are those of the construction.
        parameters: folds, sizes and limits. A limit is set where the sample has ``least_judged`` instances, the
            accuracy is exact, or an interval of twice the width (99.99 %, as hundreds are looked at) lies above it and
            rests on :data:`FEW` instances or more. Of labels it is as far above their chance as above
            that of three equally frequent ones.
        seed: of the folds and the trees.
        guessed: instance -> whether the question-only classifier was right: the probe ``text``.
        sets: the question types of a benchmark with labels are sets of its own, each with its labels (LogicNLI's), and
            not, as RuleTaker's, ways to make a statement of a certain label.
        reads, only: which probes are run, by what they read and by name.
    """
    asked = [record for record in records if record.answer is not None and len(record.options) > 1]
    if not asked:
        return []
    labelled = has_labels(asked)
    counts = Counter(map(kind_of, asked))
    pooled = len(counts) == 1 or not _apart(asked, parameters.least_instances, labelled, sets)
    found: list[Shortcut] = []
    for kind in ("all",) if pooled else sorted(counts):
        own = [record for record in asked if pooled or kind_of(record) == kind]
        if len(own) < parameters.least_instances:
            continue
        features.clear_caches()
        asking = _Asking(
            own, labelled, folds=parameters.folds, repeats=parameters.repeats, seed=seed
        )
        parts = asking.parts(parameters.least_instances)
        solved = False
        for probe in probes.LABEL_PROBES if labelled else probes.OPTION_PROBES:
            # A learner that sees one step more than one that is nearly always right tells nothing new.
            left_out = probe.reads not in reads or probe.name not in only
            if left_out or (solved and probe.steps and probe.how == "trees"):
                continue
            answered = asking.recalled(guessed) if probe.how == "given" else asking.scored(probe)
            if answered is None:
                continue
            right, scores = answered
            solved |= bool(probe.steps) and float(right.mean()) >= _SOLVED
            for depth, every in parts.items():
                places = every[~np.isnan(right[every])]
                if not len(places):
                    continue
                clusters, answers = [
                    [of[at] for at in places] for of in (asking.clusters, asking.answers)
                ]
                chance = float(np.mean([1 / len(own[at].options) for at in places]))
                if labelled:
                    chance = Counter(answers).most_common(1)[0][1] / len(answers)
                accuracy, low, high = learners.interval(right[places], clusters)
                limit = None
                if construction in probe.bound:
                    bound = (
                        parameters.labels / 100 + chance - 1 / 3
                        if labelled
                        else parameters.options / 100
                    )
                    above = 2 * low - accuracy > bound and len(places) >= FEW
                    if low == high or above or len(places) >= parameters.least_judged:
                        limit = bound
                # What takes no step is limited by the instances that need the fewest sentences.
                needed = depth if probe.steps is not None else depth or asking.shallowest
                if probe.may_know(benchmark, construction, kind, needed):
                    limit = None
                scored = [scores[at] for at in places] if scores else []
                joint = learners.jointly(scored, answers, clusters, seed) if scores else None
                few = (
                    f"fewer than {FEW} instances: the interval is wide" if len(places) < FEW else ""
                )
                found.append(
                    Shortcut(
                        benchmark, construction, form, kind or "all", probe.name, len(places),
                        accuracy, low, high, chance,
                        depth=depth,
                        joint=joint,
                        limit=limit,
                        **({} if depth is None else asking.lengths(places)),
                        note="; ".join(filter(None, (note, few))),
                    )
                )  # fmt: skip
    return found


def _apart(records: Sequence[Record], least: int, labelled: bool, sets: bool) -> bool:
    """Return whether each question type is measured by itself.

    Labels are where the types are sets with labels of their own: to tell such types apart is no shortcut to the answer,
    but in one sample it would look like one. (LogicNLI's set T has no neutral statement, its proofs have two labels.)
    """
    counts = Counter(map(kind_of, records))
    if not labelled:
        return len(counts) <= _MOST_TYPES and min(counts.values()) >= least
    labels: dict[str, set[int | None]] = defaultdict(set)
    for record in records:
        if counts[kind_of(record)] >= least:
            labels[kind_of(record)].add(record.answer)
    return sets and len(set(map(frozenset, labels.values()))) > 1


def kind_of(record: Record) -> str:
    """Return the question type of a record; the steps of proofs, which have labels of their own, are a type too."""
    return (record.question_type or "") + (", proofs" if "proves" in record.metadata else "")


class _Asking:
    """Records of one type with their answers, clusters and folds."""

    def __init__(
        self, records: Sequence[Record], labelled: bool, *, folds: int, repeats: int, seed: int
    ) -> None:
        self.sample = probes.Sample(records)
        self.labelled = labelled
        self.seed = seed
        self.answers = [record.answer for record in records if record.answer is not None]
        self.sizes = [len(record.options) for record in records]
        self.clusters: list[Hashable] = list(twins(records))
        several, count = (1, 2) if len(records) >= _MANY else (repeats, folds)
        self.deals = [deal_folds(self.clusters, count, seed + number) for number in range(several)]
        # A table costs the same for any number of folds, and gains by what it has seen.
        self.lookup_folds = deal_folds(self.clusters, _LOOKUP_FOLDS, seed)

    @cached_property
    def _counted(self) -> dict[str, learners.Whole]:
        """Numbers of words of passages and options, and of sentences of the passages."""
        records = self.sample.records
        if records[0].benchmark.startswith("s-"):
            return {}
        return {
            "words": np.array(
                [len(" ".join((one.context, *one.options)).split()) for one in records]
            ),
            "sentences": np.array([len(features.sentences_of(one.context)) for one in records]),
        }

    def lengths(self, places: learners.Whole) -> dict[str, float]:
        """Return the mean number of words and sentences of some instances."""
        return {name: float(np.mean(counts[places])) for name, counts in self._counted.items()}

    def parts(self, least: int) -> dict[int | None, learners.Whole]:
        """Return the places of all instances, and of those of each depth that has enough of them."""
        depths = [probes.depth_of(record) for record in self.sample.records]
        several = sorted(
            one for one, count in Counter(depths).items() if one is not None and count >= least
        )
        return {None: np.arange(len(depths))} | {
            depth: np.flatnonzero([one == depth for one in depths]) for depth in several
        }

    @cached_property
    def shallowest(self) -> int | None:
        """The least number of sentences or steps that an instance needs."""
        depths = map(probes.depth_of, self.sample.records)
        return min((depth for depth in depths if depth is not None), default=None)

    def recalled(self, guessed: Mapping[str, bool] | None) -> tuple[learners.Array, None] | None:
        """Return what the question-only classifier got right; not-a-number for records that it was not given."""
        ids = [record.id for record in self.sample.records]
        right = np.array(
            [float(guessed[one]) if guessed and one in guessed else np.nan for one in ids]
        )
        return None if np.isnan(right).all() else (right, None)

    def scored(self, probe: probes.Probe) -> tuple[learners.Array, list[learners.Array]] | None:
        """Return the credit of each instance, and the scores of its options; ``None``: the probe does not fit."""
        values = probe.of(self.sample)
        if values is None:
            return None
        if probe.how == "trees":
            return self._learnt(values)
        if probe.how == "table":
            keys, finer = values if isinstance(values, tuple) else (values, None)
            scores = learners.looked_up(keys, self.answers, self.lookup_folds, finer)
        else:
            scores = [np.asarray(row, dtype=np.float64) for row in values]
        return learners.credits(scores, self.answers), scores

    def _learnt(self, values: probes.Values) -> tuple[learners.Array, list[learners.Array]]:
        """Return credits and scores by trees over the options' numbers, means over the deals of the folds.

        Options that no learner can rank are all alike.
        """
        if self.labelled:
            labels = max(self.sizes)
            rows = np.array(values, dtype=np.float64)
            # To choose a label is to rank the labels; each has the numbers of the instance.
            ranked = rows.repeat(labels, axis=0)
        else:
            rows = ranked = np.concatenate([np.asarray(own, dtype=np.float64) for own in values])
        if learners.is_settled(ranked, self.sizes, self.answers, self.clusters):
            scores = [np.zeros(size) for size in self.sizes]
            return learners.credits(scores, self.answers), scores
        # How the folds are dealt moves a number by points, which no interval holds.
        dealt = []
        for folds in self.deals:
            if self.labelled:
                found = learners.classified(rows, labels, self.answers, folds, self.seed)
            else:
                tables = (rows, *features.listwise(rows, self.sizes))
                found = learners.ranked(tables, self.sizes, self.answers, folds, self.seed)
            dealt.append(found)
        credits = [learners.credits(found, self.answers) for found in dealt]
        scores = [np.mean(own, axis=0) for own in zip(*dealt, strict=True)]
        return np.mean(credits, axis=0), scores


def cluster_of(record: Record) -> Hashable:
    """Return what a record shares with those that were drawn with it: the group that it names, else its passage."""
    return named_group(record) or record.context or record.id


def deal_folds(clusters: Sequence[Hashable], folds: int, seed: int) -> learners.Whole:
    """Deal clusters out to folds at random; shape (n,)."""
    numbers = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters))}
    fold = (
        np.random.default_rng(np.random.SeedSequence([seed, 1])).permutation(len(numbers)) % folds
    )
    return fold[[numbers[cluster] for cluster in clusters]]
