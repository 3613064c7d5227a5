"""The probes: what each sees of an instance, how it answers, and where its limit holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import numpy as np

from divlogic.benchmarks.logicnli.premises import ParsedPremises, read_premises
from divlogic.io.files import read_yaml
from divlogic.logic import Formula, Not, parse
from divlogic.logic.tables import truth_space
from divlogic.prior_knowledge.shortcuts import features
from divlogic.prior_knowledge.shortcuts.graph import STEPS, Graph
from divlogic.prior_knowledge.shortcuts.learners import Array
from divlogic.prior_knowledge.shortcuts.patterns import (
    Formulas,
    option_patterns,
    pure_literal,
    read_formulas,
)
from divlogic.prior_knowledge.shortcuts.readings import READINGS, options_that_fit
from divlogic.records import Record

_DECLARED: dict[str, Any] = read_yaml(Path(__file__).with_name("probes.yaml"))
KINDS: tuple[str, ...] = tuple(_DECLARED["kinds"])
ALONE, PASSAGE, STEP = KINDS

SQUARE, PARITY, BALANCED = "square", "parity", "balanced"
_BOUND = {
    "all": frozenset((SQUARE, PARITY, BALANCED)),
    "quartets": frozenset((SQUARE, PARITY)),
    "square": frozenset((SQUARE,)),
    "none": frozenset[str](),
}
_LOGICNLI = "logicnli_generated"
_JUSTLOGIC = "justlogic_generated"
_SIGNS = "sentence signs"


class Sample:
    """Records of one benchmark, construction and type, and what is read from them once for several probes."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records

    @cached_property
    def formulas(self) -> list[Formulas] | None:
        """Options and passages as DivLogicEval's formulas; ``None`` where one record has no such formulas."""
        read = [one for record in self.records if (one := read_formulas(record))]
        return read if len(read) == len(self.records) else None

    @cached_property
    def graph(self) -> Graph | None:
        """The passages as graphs, where all instances have as many options, and all or none a conclusion."""
        if self.formulas is None:
            return None
        shapes = {(len(one.options), one.conclusion is None) for one in self.formulas}
        return Graph(self.formulas) if len(shapes) == 1 else None

    @cached_property
    def counts(self) -> Array | None:
        """Counts of the options' variables by form, place and sign; shape (instances, options, features)."""
        if self.formulas is None or self.graph is None:
            return None
        rows = [
            features.option_roles(one.premises, one.conclusion, one.options)
            for one in self.formulas
        ]
        return np.array(rows, dtype=np.float64)

    @cached_property
    def arguments(self) -> list[tuple[list[Formula], Formula]] | None:
        """Premises and query as JustLogic's formulas; ``None`` where a record has none."""
        stated = [record.formulas or {} for record in self.records]
        if not all("query" in formulas for formulas in stated):
            return None
        read = lru_cache(maxsize=None)(parse)  # the same few formulas come again and again
        return [(list(map(read, one["premises"])), read(one["query"])) for one in stated]

    @cached_property
    def theories(self) -> list[ParsedPremises] | None:
        """Facts, rules and statement of LogicNLI's instances, as made here."""
        if self.records[0].benchmark != _LOGICNLI:
            return None
        return [read_premises(record) for record in self.records]

    @cached_property
    def decided(self) -> list[tuple[int, ...]] | None:
        """The number of steps in which each statement, and its denial, is derived; `STEPS` + 1: more, or never.

        Of an argument one less than the number of sentences; of a theory the number of rounds of its rules.
        """
        if self.arguments is not None:
            return [(_needed(*one) - 1, _needed(one[0], Not(one[1])) - 1) for one in self.arguments]
        if self.theories is None:
            return None
        rounds = map(ParsedPremises.rounds, self.theories)
        return [tuple(STEPS + 1 if one is None else one for one in both) for both in rounds]

    @property
    def deepest(self) -> int:
        """The largest number of steps at which a learner is measured: one less than the deepest instance needs."""
        return min(STEPS, max((depth_of(record) or 0 for record in self.records), default=0) - 1)


def construction_of(record: Record) -> str:
    """Return how a generated record was drawn; empty if it was not generated, or not so that shortcuts do not help."""
    named = record.metadata.get("construction") or record.metadata.get("preset")
    balanced = "quartet" in record.metadata or record.metadata.get("uncertain_query") == "open"
    return str(named or (BALANCED if balanced else ""))


def depth_of(record: Record) -> int | None:
    """Return the number of sentences that the answer needs (DivLogicEval), or of steps (others)."""
    needed = record.metadata.get("premises_needed")
    return record.depth if needed is None else int(needed)


def _needed(premises: Sequence[Formula], query: Formula) -> int:
    """Return the least number of premises that entail a query; `STEPS` + 2: more, or it does not follow.

    Premises of which each is needed hang together: a variable of one is for or against what another says of it.
    """
    held = [(features.literals(one), features.literals(Not(one))) for one in premises]
    needing = [features.needed_denials(one) for one in premises]
    grown = {frozenset[int](): features.literals(Not(query))}
    for size in range(1, STEPS + 2):
        grown = {
            chosen | {at}: against | own
            for chosen, against in grown.items()
            for at, (own, denied) in enumerate(held)
            if at not in chosen and not denied.isdisjoint(against)
        }
        for chosen, against in grown.items():
            if not all(needing[at] <= against for at in chosen):
                continue
            space = truth_space(sorted({name for name, _ in against}))
            if not space.conjunction((*(premises[at] for at in chosen), Not(query))):
                return size
    return STEPS + 2


Values = Any
"""Of a probe that learns: rows of numbers, or keys; of a rule: scores."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One way to answer without reasoning, or with few steps of it.

    Attributes:
        name, kind, sees, how, reads, figure: as ``probes.yaml`` says.
        of: what it sees, of a sample; ``None`` where it does not fit.
        bound: the constructions for which its limit holds.
        steps: number of steps of inference; see :meth:`may_know`.
    """

    name: str
    kind: str
    sees: str
    how: Literal["trees", "table", "rule", "given"]
    of: Callable[[Sample], Values | None]
    bound: frozenset[str]
    reads: Literal["formulas", "words", "either"] = "either"
    steps: int | None = None
    figure: str = ""

    def may_know(
        self, benchmark: str, construction: str, question_type: str, depth: int | None
    ) -> bool:
        """Return whether a probe may tell something of instances of a construction and depth: no limit holds.

        A reader of r steps has r + 1 sentences. A learner has as many from either end of an option, two at least; of a
        square quartet with t rounds, any t tell nothing. JustLogic's arguments of one step are the two premises on the
        statement, which `sentence signs` reads.
        """
        if benchmark == _JUSTLOGIC and self.name == _SIGNS and depth == 1:
            return True
        learns_steps = self.how == "trees" and (self.steps is not None or self.name == _SIGNS)
        if construction == SQUARE and learns_steps and depth is not None:
            beside_rounds = 3 if question_type == "missing_premise" else 1
            rounds = (depth - beside_rounds) // 2
            return max(2, (self.steps or 0) + 1) > rounds
        if self.steps is None:
            return False
        if depth is None:
            return True
        return self.steps >= depth - 1


def _nothing(sample: Sample) -> None:
    """Return nothing: the answers of the question-only classifier are given."""


def _option_pattern(sample: Sample) -> Values | None:
    """Return the coarse and the fine pattern of each option."""
    if sample.formulas is None:
        return None
    patterns = [option_patterns(one.options) for one in sample.formulas]
    return tuple([[pattern[level] for pattern in row] for row in patterns] for level in (0, 1))


def _of_records(see: Callable[[Record], Any], sample: Sample) -> Values:
    return list(map(see, sample.records))


_question = partial(_of_records, lambda one: [(one.question, at) for at in range(len(one.options))])
_option_surface = partial(_of_records, lambda one: features.surface(one.options))
_option_overlap = partial(_of_records, lambda one: features.overlap(one.context, one.options))
_sentence_words = partial(
    _of_records, lambda one: features.sentence_words(one.context, one.options)
)
_statement_surface = partial(
    _of_records, lambda one: features.statement_shape(one.context, one.question)
)
_statement_overlap = partial(
    _of_records, lambda one: features.statement_overlap(one.context, one.question)
)


def _unsigned(sample: Sample) -> Values | None:
    return sample.graph and sample.graph.unsigned()


def _option_roles(sample: Sample) -> Values | None:
    if sample.counts is None:
        return None
    return np.concatenate([sample.counts, _option_surface(sample)], axis=2)


def _pure(sample: Sample) -> Values | None:
    """Take the option whose literals occur, and where the one that need not hold is asked for, the one whose do not."""
    if sample.formulas is None:
        return None
    sign = -1 if sample.records[0].question_type == "3e1c" else 1
    return [[sign * score for score in pure_literal(one)] for one in sample.formulas]


def _stepwise(steps: int, sample: Sample) -> Values | None:
    """Return what a learner sees that combines so many sentences and one more, with all counts; 0: one sentence.

    Of a theory: all that can be counted in so many rounds of its rules.
    """
    if sample.theories is not None:
        return features.round_counts(sample.theories, steps) if steps <= sample.deepest else None
    graph = sample.graph
    if graph is None or sample.counts is None or steps > sample.deepest:
        return None
    more = [graph.derived(steps)] if steps else []
    return np.concatenate([sample.counts, graph.unsigned(), graph.signed(), *more], axis=2)


_sentence_signs = partial(_stepwise, 0)


def _reader(steps: int, sample: Sample) -> Values | None:
    """Return the scores of a reader that takes what follows in so many steps, and guesses among the rest."""
    if sample.graph is not None:
        known = sample.graph.needed <= steps + 1
        return np.where(sample.records[0].question_type == "3e1c", ~known, known).astype(np.float64)
    if sample.decided is None:
        return None
    states = [_STATES.get(option.lower()) for option in sample.records[0].options]
    return [
        [float((one <= steps, two <= steps) == state) for state in states]
        for one, two in sample.decided
    ]


def _reading(reading: str, sample: Sample) -> Values | None:
    """Return the scores of who takes each rule in one way throughout, and guesses among the options that fit."""
    if sample.formulas is None:
        return None
    wanted = sample.records[0].question_type != "3e1c"
    return [
        [float(fits == wanted) for fits in options_that_fit(one, reading)]
        for one in sample.formulas
    ]


_STATES = {
    **dict.fromkeys(("true", "entailment"), (True, False)),
    **dict.fromkeys(("false", "contradiction"), (False, True)),
    **dict.fromkeys(("uncertain", "unknown", "neutral"), (False, False)),
    **dict.fromkeys(("self_contradiction", "paradox"), (True, True)),
}


def _option_words(sample: Sample) -> Values | None:
    """Return the weights of each option's words and of its passage's; shape (instances, options, features)."""
    counts = [len(record.options) for record in sample.records]
    texts = chain.from_iterable(record.options for record in sample.records)
    options = features.frequent_words(list(map(features.tokens, texts)))
    rows = np.concatenate([options, _passage_words(sample).repeat(counts, axis=0)], axis=1)
    return np.split(rows, np.cumsum(counts)[:-1])


def _passage_words(sample: Sample) -> Array:
    return features.frequent_words(
        [features.passage_tokens(record.context) for record in sample.records]
    )


def _statement_words(sample: Sample) -> Values:
    questions = features.frequent_words(
        [features.tokens(record.question) for record in sample.records]
    )
    return np.concatenate([questions, _passage_words(sample)], axis=1)


def _label_counts(sample: Sample) -> Values | None:
    if sample.arguments is not None:
        count = features.connectives
        return [count(premises) + count([query]) for premises, query in sample.arguments]
    return sample.theories and [features.literal_counts(one) for one in sample.theories]


def _mentions(sample: Sample) -> Values | None:
    return sample.arguments and [features.mentions(*one) for one in sample.arguments]


def _declared(part: str) -> tuple[Probe, ...]:
    return tuple(
        Probe(**{**entry, "of": globals()[f"_{entry['of']}"], "bound": _BOUND[entry["bound"]]})
        for entry in _DECLARED[part]
    )


def _by_steps(
    name: str, sees: str, how: Any, of: Callable[..., Values | None]
) -> tuple[Probe, ...]:
    """Return the probe of each number of steps of inference."""
    return tuple(
        Probe(f"{name}{steps} step{'s' * (steps > 1)}", STEP, sees, how, partial(of, steps), _BOUND["quartets"],
              "formulas", steps)
        for steps in range(1, STEPS + 1)
    )  # fmt: skip


_READERS = _by_steps("reader, ", "what follows; guesses among the rest", "rule", _reader)
_LEARNT = _by_steps("", "these, and what is derived in so many steps", "trees", _stepwise)
_SEES = {
    "correct": "all that follows",
    "iff": "all that follows if each rule held both ways",
    "converse": "all that follows if each rule held backwards",
    "forward only": "what follows without contraposing a rule",
}
READING_NAMES = tuple(f"reader, {reading}" for reading in READINGS)
"""Names of the readers of whole passages, each of whom takes a rule in one way."""

_READINGS = tuple(
    Probe(
        name=name,
        kind=STEP,
        sees=_SEES[reading],
        how="rule",
        of=partial(_reading, reading),
        bound=_BOUND["none" if reading == "correct" else "square"],
        reads="formulas",
    )
    for name, reading in zip(READING_NAMES, READINGS, strict=True)
)
OPTION_PROBES = (*_declared("options"), *_LEARNT, *_READERS, *_READINGS)
LABEL_PROBES = (*_declared("labels"), *_LEARNT, *_READERS)

LEARNT_STEPS = frozenset((_SIGNS, *(probe.name for probe in _LEARNT)))
"""Learners of what the signs of sentences show."""

NAMES = tuple(dict.fromkeys(probe.name for probe in (*OPTION_PROBES, *LABEL_PROBES)))
"""Names of the probes, in the order of tables."""

FIGURE_WORDS = {probe.name: probe.figure for probe in OPTION_PROBES}
"""What a probe looks at, in words for a figure."""

KIND_OF = {probe.name: probe.kind for probe in (*OPTION_PROBES, *LABEL_PROBES)}
STEPS_OF = {probe.name: probe.steps for probe in (*OPTION_PROBES, *LABEL_PROBES)}
