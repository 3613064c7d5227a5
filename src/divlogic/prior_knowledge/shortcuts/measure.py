"""Run every probe that fits a benchmark, and say how often it is right."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from divlogic.prior_knowledge.parameters import ShortcutParameters
from divlogic.prior_knowledge.probe import has_labels
from divlogic.prior_knowledge.shortcuts import features
from divlogic.prior_knowledge.shortcuts.learners import (
    Array,
    Whole,
    classified,
    credits,
    is_settled,
    looked_up,
    ranked,
)
from divlogic.prior_knowledge.shortcuts.patterns import Clause, odd_one_out, option_patterns, read_clause
from divlogic.prior_knowledge.shortcuts.text_patterns import read_options
from divlogic.records import Record

PROBES = (
    "pattern", "text pattern", "odd one out", "surface", "text", "question", "overlap", "roles", "neighbours",
    "missing words",
)  # fmt: skip
"""In the order of tables; the first six see the options (or the statement) only."""

OPTIONS_ONLY = frozenset(PROBES[:6])
_MOST_TYPES = 6
_UNKNOWN = frozenset(("uncertain", "unknown", "neutral"))
_NORMAL = 1.959964
_LOOKUP_FOLDS = 10
_MANY = 2000
"""Instances of which one half teaches the trees enough about the other."""

FEW = 200
"""Instances below which a row says that they are few."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """How often one probe is right on instances of one type, as fractions.

    Attributes:
        benchmark: name that the records carry.
        preset: ``as_published`` or ``balanced`` of a generated benchmark, else empty.
        form: ``symbols`` or ``text``: what the probe reads.
        type: question type, depth, or ``all``.
        probe: one of :data:`PROBES`.
        instances: number of instances.
        accuracy: share of right answers; a tie of k options counts 1/k.
        low, high: 95 % interval, from the spread between groups of instances drawn together (quartets, one passage).
        chance: accuracy of guessing; of labels that of always giving the most frequent one.
        limit: what ``high`` must not exceed; ``None``: no limit is set.
        note: which part of a published benchmark this is, its odd rows, and whether the instances are few.
    """

    benchmark: str
    preset: str
    form: str
    type: str
    probe: str
    instances: int
    accuracy: float
    low: float
    high: float
    chance: float
    limit: float | None = None
    note: str = ""

    @property
    def within(self) -> bool | None:
        """Return whether the limit is kept; ``None``: there is none."""
        return None if self.limit is None else self.high <= self.limit


def measure(
    records: Sequence[Record],
    *,
    benchmark: str,
    preset: str = "",
    form: str = "text",
    limits: Mapping[str, float],
    parameters: ShortcutParameters,
    seed: int,
    guessed: Mapping[str, bool] | None = None,
    sets: bool = False,
    note: str = "",
    only: Collection[str] = PROBES,
) -> list[Shortcut]:
    """Run the probes on one benchmark.

    Args:
        records: its records; those without an answer or with fewer than two options are left out.
        benchmark, preset, form: how the rows are named.
        limits: probe -> greatest upper bound, for samples of ``parameters.least_judged`` instances and more; of labels
            where three of them are equally frequent, else as far above the chance as then.
        parameters: folds and sizes.
        seed: of the folds and the trees.
        guessed: instance -> whether the question-only classifier was right: the probe ``text``.
        sets: the question types of a benchmark with labels are sets of its own, each with its labels (LogicNLI's), and
            not, as RuleTaker's, ways to make a statement of a certain label.
        note: what the rows say of the benchmark.
        only: the probes that are run, of those that fit.
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
        sample = _Sample(own, parameters.folds, seed)
        probes = _label_probes(sample) if labelled else _option_probes(sample)
        if guessed is not None:
            probes["text"] = lambda own=own: _recalled(own, guessed)  # type: ignore[misc]
        parts = {kind or "all": np.arange(len(own))}
        if labelled and pooled and len(depths := sorted({r.depth for r in own if r.depth is not None})) > 1:
            parts |= {f"depth {d}": np.flatnonzero([r.depth == d for r in own]) for d in depths}
        for name in PROBES:
            right = probes[name]() if name in probes and name in only else None
            if right is None:
                continue
            for part, places in parts.items():
                places = places[~np.isnan(right[places])]
                if not len(places):
                    continue
                clusters = [sample.clusters[at] for at in places]
                accuracy, low, high = interval(right[places], clusters)
                answers = [sample.answers[at] for at in places]
                chance = (
                    Counter(answers).most_common(1)[0][1] / len(answers)
                    if labelled
                    else float(np.mean([1 / len(own[at].options) for at in places]))
                )
                limit = limits.get(name) if len(places) >= parameters.least_judged else None
                if labelled and limit is not None:
                    limit += chance - 1 / 3
                notes = [note] if note else []
                if len(places) < FEW:
                    notes.append(f"fewer than {FEW} instances: the interval is wide")
                named = (benchmark, preset, form, part, name, len(places))
                found.append(Shortcut(*named, accuracy, low, high, chance, limit, "; ".join(notes)))
    return found


def _apart(records: Sequence[Record], least: int, labelled: bool, sets: bool) -> bool:
    """Return whether each question type is measured by itself.

    Labels are where the types are sets with labels of their own: to tell such types apart is no shortcut to the answer,
    but in one sample it would look like one. (LogicNLI's set T has no neutral statement, its proofs have two labels.)
    """
    counts = Counter(map(kind_of, records))
    if not labelled:
        return len(counts) <= _MOST_TYPES and min(counts.values()) >= least
    return sets and len({_labels(records, kind) for kind, count in counts.items() if count >= least}) > 1


def _labels(records: Sequence[Record], kind: str) -> frozenset[int | None]:
    return frozenset(record.answer for record in records if kind_of(record) == kind)


def kind_of(record: Record) -> str:
    """Return the question type of a record; the steps of proofs, which have labels of their own, are a type too."""
    return (record.question_type or "") + (", proofs" if "proves" in record.metadata else "")


def interval(right: Array, clusters: Sequence[Hashable]) -> tuple[float, float, float]:
    """Return a mean and its 95 % interval; what was drawn together counts as one draw.

    Of a quartet with exactly one right answer the mean is known without error.
    """
    mean = float(right.mean())
    sums: dict[Hashable, float] = defaultdict(float)
    for value, cluster in zip(right, clusters, strict=True):
        sums[cluster] += value - mean
    spread = _NORMAL * math.sqrt(sum([one * one for one in sums.values()])) / len(right)
    return mean, max(0.0, mean - spread), min(1.0, mean + spread)


class _Sample:
    """Records of one type with their answers, clusters and folds."""

    def __init__(self, records: Sequence[Record], folds: int, seed: int) -> None:
        self.records = records
        self.seed = seed
        self.answers = [record.answer for record in records if record.answer is not None]
        self.clusters = [cluster_of(record) for record in records]
        self.folds = _folds(self.clusters, 2 if len(records) >= _MANY else folds, seed)
        # A table costs the same whatever the number of folds, and gains by what it has seen.
        self.lookup_folds = _folds(self.clusters, _LOOKUP_FOLDS, seed)

    def ranked(self, lists: Iterable[features.Rows], *more: Iterable[features.Rows]) -> Array:
        """Rank options by their numbers; further lists of numbers stand next to the first."""
        every = [
            [list(chain(*parts)) for parts in zip(*options, strict=True)]
            for options in zip(lists, *more, strict=True)
        ]
        sizes = [len(rows) for rows in every]
        plain = np.array([row for rows in every for row in rows], dtype=np.float64)
        if is_settled(plain, sizes, self.answers, self.clusters):
            return 1 / np.array(sizes, dtype=np.float64)
        return ranked(features.listwise(every), sizes, self.answers, self.folds, self.seed)

    def looked_up(self, lists: Iterable[Sequence[Clause]]) -> Array:
        """Look up the pattern of all options of an instance; shape (n,)."""
        patterns = [option_patterns(options) for options in lists]
        coarse = [[common for common, _ in row] for row in patterns]
        fine = [[special for _, special in row] for row in patterns]
        return looked_up(coarse, self.answers, self.lookup_folds, fine)

    def classified(self, rows: Iterable[list[float]]) -> Array:
        """Classify instances by their numbers."""
        numbers = np.array(list(rows))
        labels = sorted(set(self.answers))
        places = [labels.index(answer) for answer in self.answers]
        # To choose a label is to rank the labels; each has the numbers of the instance.
        if is_settled(
            np.repeat(numbers, len(labels), axis=0), [len(labels)] * len(places), places, self.clusters
        ):
            return np.full(len(places), 1 / len(labels))
        return classified(numbers, self.answers, self.folds, self.seed)


def cluster_of(record: Record) -> Hashable:
    """Return what a record shares with those that were drawn with it: its quartet, else its passage.

    Records that were made from a member of a quartet (LogicNLI: with more noise, or as a step of its proof) belong to
    that quartet.
    """
    origin = record.metadata.get("base") or record.metadata.get("proves")
    quartet = origin.rpartition("-")[0] if isinstance(origin, str) else record.metadata.get("quartet")
    return (record.question_type, quartet) if quartet is not None else (record.context or record.id)


def _folds(clusters: Sequence[Hashable], folds: int, seed: int) -> Whole:
    """Deal clusters out to folds at random; shape (n,)."""
    numbers: dict[Hashable, int] = {}
    for cluster in clusters:
        numbers.setdefault(cluster, len(numbers))
    fold = np.random.default_rng(np.random.SeedSequence([seed, 1])).permutation(len(numbers)) % folds
    return fold[[numbers[cluster] for cluster in clusters]]


Probes = dict[str, Callable[[], Array | None]]


def _option_probes(sample: _Sample) -> Probes:
    """Return the probes of a benchmark whose instances have options of their own."""
    records, answers = sample.records, sample.answers
    probes: Probes = {
        "surface": lambda: sample.ranked(features.surface(record.options) for record in records),
        "question": lambda: looked_up(
            [[(record.question, at) for at in range(len(record.options))] for record in records],
            answers,
            sample.lookup_folds,
        ),
        "overlap": lambda: sample.ranked(features.overlap(r.context, r.options) for r in records),
    }
    clauses = list(_clauses(records))
    if all(one is not None for one in clauses):
        read = [one for one in clauses if one is not None]
        where = [features.option_roles(one.premises, one.conclusion, one.options) for one in read]
        probes |= {
            "pattern": lambda: sample.looked_up([one.options for one in read]),
            "odd one out": lambda: credits([_odd(one.options) for one in read], answers),
            "roles": lambda: sample.ranked(where, (features.surface(r.options) for r in records)),
            "neighbours": lambda: sample.ranked(
                where, (features.neighbours(one.premises, one.options) for one in read)
            ),
        }
        if not any(read_clause(option) for option in records[0].options):  # words, not formulas
            probes["text pattern"] = lambda: sample.looked_up([read_options(r.options) for r in records])
    return probes


def _label_probes(sample: _Sample) -> Probes:
    """Return the probes of a benchmark that asks for one of a few labels."""
    records = sample.records
    probes: Probes = {
        "surface": lambda: sample.classified(
            features.statement_shape(record.context, record.question) for record in records
        ),
        "overlap": lambda: sample.classified(
            features.statement_overlap(r.context, r.question) for r in records
        ),
    }
    unknown = [at for at, option in enumerate(records[0].options) if option.lower() in _UNKNOWN]
    if len(unknown) == 1:
        probes["missing words"] = lambda: credits(
            [_by_missing_words(record, unknown[0]) for record in records], sample.answers
        )
    return probes


@dataclass(frozen=True, slots=True)
class _Formulas:
    premises: tuple[Clause, ...]
    conclusion: Clause | None
    options: tuple[Clause, ...]


def _clauses(records: Sequence[Record]) -> Iterator[_Formulas | None]:
    """Read the formulas of records that state them as DivLogicEval does."""
    for record in records:
        formulas = record.formulas or {}
        options = formulas.get("drawn_options") or formulas.get("options")
        if not isinstance(options, list) or not isinstance(formulas.get("premises"), list):
            yield None
            continue
        texts = [*formulas["premises"], *options]
        conclusion = formulas.get("conclusion")
        read = [read_clause(text) if isinstance(text, str) else None for text in texts]
        goal = read_clause(conclusion) if isinstance(conclusion, str) else None
        clauses = tuple([one for one in read if one is not None])
        if len(clauses) < len(texts) or (conclusion and goal is None) or len(options) != len(record.options):
            yield None
            continue
        count = len(formulas["premises"])
        yield _Formulas(clauses[:count], goal, clauses[count:])


def _odd(options: Sequence[Clause]) -> Array:
    """Score options by the untrained rule of :func:`odd_one_out`; without an odd one all are alike."""
    odd = odd_one_out(options)
    return np.array([float(at == odd) for at in range(len(options))])


def _by_missing_words(record: Record, unknown: int) -> Array:
    """Score labels untrained: a statement with a word that the passage lacks is undecided, else a coin is tossed."""
    missing = features.words_missing(record.context, record.question)
    return np.array([float((at == unknown) == missing) for at in range(len(record.options))])


def _recalled(records: Sequence[Record], guessed: Mapping[str, bool]) -> Array | None:
    """Return what the question-only classifier got right; not-a-number for records that it was not given."""
    right = np.array([float(guessed[r.id]) if r.id in guessed else np.nan for r in records])
    return None if np.isnan(right).all() else right
