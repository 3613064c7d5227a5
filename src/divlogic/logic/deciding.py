"""Deciding every query of a theory twice, by ways that share no code past the syntax tree.

Propositional theories: bit sets (:mod:`~divlogic.logic.tables`) and Z3 (:mod:`~divlogic.logic.smt`). First-order
theories: Z3 and finite models (:mod:`~divlogic.logic.grounding`). A disagreement stops the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import product
from operator import and_
from typing import Any

from divlogic.logic import theory
from divlogic.logic.grounding import GroundDecider, grounded
from divlogic.logic.smt import RLIMIT, OutOfResourcesError, Z3Session
from divlogic.logic.syntax import Atom, Negation, Sentence
from divlogic.logic.tables import projected, truth_space
from divlogic.logic.theory import Answer, Decision, Formalization, Judgement, Query, Symbol

MAX_PROPOSITIONS = 24
"""Largest number of propositions whose valuations are listed: 2 MiB for each table."""


def ground_atoms(symbols: Iterable[Symbol]) -> tuple[Atom, ...]:
    """Return the propositions and the predicates of all constants, in the order of the symbols."""
    symbols = tuple(symbols)
    constants = [symbol.name for symbol in symbols if symbol.kind == "const"]
    return tuple(
        Atom(symbol.name, terms)
        for symbol in symbols
        if symbol.kind != "const"
        for terms in product(constants, repeat=symbol.arity)
    )


class Space:
    """All valuations of the ground atoms of closed theories over some symbols, as bit sets.

    A theory with a premise taken out or added is one conjunction away. First-order sentences are grounded first.

    Raises:
        ValueError: there are more than ``most`` ground atoms.
    """

    def __init__(self, symbols: Iterable[Symbol], most: int) -> None:
        symbols = tuple(symbols)
        self.constants = tuple(symbol.name for symbol in symbols if symbol.kind == "const")
        self.atoms = ground_atoms(symbols)
        if len(self.atoms) > most:
            raise ValueError(f"{len(self.atoms)} ground atoms are too many")
        self._space = truth_space(list(map(theory.target_name, self.atoms)))
        self.table = cache(self._table)
        self._projected = cache(self._project)
        self.full = self._space.full

    def _table(self, sentence: Sentence) -> int:
        """Return the bit set of the valuations that make a sentence true."""
        if isinstance(sentence, Negation):
            return self.full & ~self.table(sentence.operand)
        ground = grounded(sentence, self.constants) if self.constants else sentence
        if isinstance(ground, bool):
            return self.full if ground else 0
        return self._space.table(ground)

    def conjunction(self, sentences: Iterable[Sentence]) -> int:
        """Return the bit set of the valuations that make every sentence true."""
        return reduce(and_, map(self.table, sentences), self.full)

    def asked(self, query: Query, most: int) -> Callable[[int], Answer | None]:
        """Return what answers a query from a set of valuations; ``None`` for more than ``most`` projected models."""
        if query.formula is not None:
            goals = list(map(self.table, theory.goals_of(query, self.constants)))
            return lambda true: theory.answer_of(
                query, self.constants, [bool(true & goal) for goal in goals]
            )
        names = list(map(theory.target_name, query.targets))

        def answer(true: int) -> Answer | None:
            models = self.models(true, query.targets, most)
            if models is None:
                return None
            return theory.answer_of_models(
                query, tuple([tuple([names[n] for n in row]) for row in models])
            )

        return answer

    def models(
        self, true: int, targets: Sequence[Atom], most: int
    ) -> tuple[tuple[int, ...], ...] | None:
        """Return the models projected to targets, each as the places of those that hold; ``None`` above ``most``."""
        return self._projected(true, tuple(targets), most)

    def _project(
        self, true: int, targets: tuple[Atom, ...], most: int
    ) -> tuple[tuple[int, ...], ...] | None:
        return projected(
            true, [self._space.masks[theory.target_name(target)] for target in targets], most
        )

    def case(self, targets: Sequence[Atom], held: Sequence[int]) -> int:
        """Return the bit set of the valuations in which just the targets at those places hold."""
        true = self.full
        for place, target in enumerate(targets):
            table = self.table(target)
            true &= table if place in held else ~table
        return true


def _fits_table(sentences: Iterable[Sentence]) -> bool:
    used = theory.vocabulary(sentences)
    first_order = used.predicates or used.constants or used.bound
    return not first_order and len(used.propositions) <= MAX_PROPOSITIONS


def _space_of(sentences: Iterable[Sentence]) -> Space:
    """Return the valuations of the propositions of propositional sentences."""
    names = theory.vocabulary(sentences).propositions
    return Space([Symbol(name, "prop") for name in names], MAX_PROPOSITIONS)


class TablePremises:
    """Propositional premises as the set of the valuations that make them true.

    All propositions that will be asked about occur in them or in the ``further`` sentences.
    """

    def __init__(self, premises: Iterable[Sentence], further: Iterable[Sentence] = ()) -> None:
        premises = tuple(premises)
        self._space = _space_of((*premises, *further))
        self._true = self._space.conjunction(premises)

    def satisfiable(self, *further: Sentence) -> bool:
        """Return whether some valuation makes the premises and the further sentences true."""
        return self._true & self._space.conjunction(further) != 0

    def entails(self, sentence: Sentence) -> bool:
        """Return whether every valuation that makes the premises true makes the sentence true."""
        return self._true & ~self._space.table(sentence) == 0


class TableDecider:
    """Decide propositional theories by bit sets; shares no code with the other deciders past the syntax tree."""

    name = "tables"

    def decide(self, formalization: Formalization) -> Decision:
        """Answer every query.

        Raises:
            ValueError: the theory is not propositional or has more than ``MAX_PROPOSITIONS`` propositions.
        """
        space = _space_of(formalization.sentences())
        true = space.conjunction(formalization.axioms())
        answers = [space.asked(query, theory.MOST_LISTED)(true) for query in formalization.queries]
        return Decision(true != 0, _judgements(formalization, answers), (self.name,))


class Z3Decider:
    """Decide theories by Z3; what runs out of resources is asked again in a fresh context, then it is undecided."""

    name = "z3"

    def decide(self, formalization: Formalization) -> Decision:
        """Answer every query."""
        goals: list[Sentence] = []
        questions: list[Callable[[Z3Session], Any]] = [Z3Session.satisfiable]

        def answer(query: Query, own: range, session: Z3Session) -> Answer:
            if query.formula is None:
                return theory.answer_of_models(query, session.models(query.targets))
            return theory.answer_of(
                query, formalization.constants, list(map(session.satisfiable, own))
            )

        for query in formalization.queries:
            start = len(goals)
            goals += theory.goals_of(query, formalization.constants)
            questions.append(partial(answer, query, range(start, len(goals))))
        targets = [target for query in formalization.queries for target in query.targets]
        satisfiable, *answers = _asked(formalization.axioms(), goals, targets, questions)
        return Decision(satisfiable, _judgements(formalization, answers), (self.name,))


def _judgements(
    formalization: Formalization, answers: Sequence[Answer | None]
) -> tuple[Judgement, ...]:
    return tuple(
        Judgement(query.id, answer, "undecided" if answer is None else "decided")
        for query, answer in zip(formalization.queries, answers, strict=True)
    )


class Z3SentencePremises:
    """Premises about which single sentences are asked; ``None`` where Z3's resources run out."""

    def __init__(self, premises: Iterable[Sentence]) -> None:
        self._premises = tuple(premises)

    def satisfiable(self, *further: Sentence) -> bool | None:
        """Return whether the premises and the further sentences have a model."""
        found: bool | None
        (found,) = _asked((*self._premises, *further), (), (), [Z3Session.satisfiable])
        return found

    def entails(self, sentence: Sentence) -> bool | None:
        """Return whether the sentence follows."""
        open_ = self.satisfiable(Negation(sentence))
        return None if open_ is None else not open_


def _asked(
    premises: Sequence[Sentence],
    goals: Sequence[Sentence],
    targets: Sequence[Atom],
    questions: Sequence[Callable[[Z3Session], Any]],
) -> list[Any]:
    """Return the answers to questions; those that run out of resources are asked again in a fresh context."""
    answers: list[Any] = [None] * len(questions)
    waiting = list(range(len(questions)))
    for fresh in (False, True):
        if not waiting:
            break
        asked, waiting = waiting, []
        with Z3Session(premises, goals, targets, rlimit=RLIMIT, fresh=fresh) as session:
            for place in asked:
                try:
                    answers[place] = questions[place](session)
                except OutOfResourcesError:
                    waiting.append(place)
                except theory.TooManyModelsError:
                    continue
    return answers


Premises = TablePremises | Z3SentencePremises
"""Premises about which single sentences are asked; ``None`` where resources run out."""


def decide(formalization: Formalization, *, where: str = "") -> Decision:
    """Answer every query twice.

    Args:
        theory: the theory; with more than ``MAX_PROPOSITIONS`` propositions Z3 decides alone (status ``single``).
        where: file and item, for the error.

    Raises:
        DisagreementError: the deciders answer a query differently.
    """
    first = Z3Decider().decide(formalization)
    if formalization.propositional:
        if not _fits_table(formalization.sentences()):
            alone = (
                one if one.answer is None else replace(one, status="single")
                for one in first.verdicts
            )
            return Decision(first.satisfiable, tuple(alone), first.by)
        second = TableDecider().decide(formalization)
    else:
        second = GroundDecider().decide(formalization)
    verdicts = tuple(
        _compared(one, two, (first.by[0], second.by[0]), where)
        for one, two in zip(first.verdicts, second.verdicts, strict=True)
    )
    return Decision(first.satisfiable, verdicts, (*second.by, *first.by))


def open_premises(premises: Iterable[Sentence], further: Iterable[Sentence] = ()) -> Premises:
    """Return premises to ask about: as a table where they are propositional and few enough, else in Z3."""
    premises, further = tuple(premises), tuple(further)
    if _fits_table((*premises, *further)):
        return TablePremises(premises, further)
    return Z3SentencePremises(premises)


def _compared(one: Judgement, two: Judgement, names: tuple[str, str], where: str) -> Judgement:
    """Return the common verdict."""
    if one.answer is None:
        # What Z3 leaves open, finite models may settle; if they do not, it stays open.
        return two if two.status == "decided" and two.answer is not None else one
    if two.status == "bounded":
        # A model that is larger than those searched may exist, so that a difference proves nothing.
        return Judgement(one.query, one.answer, "bounded")
    if one.answer != two.answer:
        raise theory.DisagreementError(
            f"{where + ', ' if where else ''}query {one.query}: {names[0]} says {theory.answer_text(one.answer)} and"
            f" {names[1]} {theory.answer_text(two.answer)}; report this item, one of the deciders is wrong."
        )
    return one


def quick_decider(formalization: Formalization) -> TableDecider | Z3Decider:
    """Return the faster decider of a theory: tables where it is propositional and small enough, else Z3."""
    return TableDecider() if _fits_table(formalization.sentences()) else Z3Decider()
