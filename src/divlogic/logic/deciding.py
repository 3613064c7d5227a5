"""Deciding every query of a theory twice, by ways that share no code past the syntax tree.

Propositional theories: bit sets (:mod:`~divlogic.logic.tables`) and Z3 (:mod:`~divlogic.logic.smt`). First-order
theories: Z3 and finite models (:mod:`~divlogic.logic.grounding`). A disagreement stops the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from divlogic.logic import theory as theories
from divlogic.logic.grounding import GroundDecider
from divlogic.logic.smt import RLIMIT, OutOfResourcesError, Z3Session
from divlogic.logic.syntax import Atom, Negation, Sentence
from divlogic.logic.tables import projected, truth_space
from divlogic.logic.theory import Answer, Decision, Formalization, Judgement, answer_of, answer_of_models

MAX_PROPOSITIONS = 24
"""Largest number of propositions whose valuations are listed: 2 MiB for each table."""

T = TypeVar("T")


class TablePremises:
    """Propositional premises as the set of the valuations that make them true.

    All propositions that will be asked about occur in them or in the ``further`` sentences.
    """

    def __init__(self, premises: Iterable[Sentence], further: Iterable[Sentence] = ()) -> None:
        premises = tuple(premises)
        used = theories.vocabulary((*premises, *further))
        if used.predicates or used.constants:
            raise ValueError("a truth table needs propositional sentences")
        if len(used.propositions) > MAX_PROPOSITIONS:
            raise ValueError(f"{len(used.propositions)} propositions are too many for a truth table")
        self._space = truth_space(used.propositions)
        self._true = self._space.conjunction(premises)

    def satisfiable(self, *further: Sentence) -> bool:
        """Return whether some valuation makes the premises and the further sentences true."""
        return self._true & self._space.conjunction(further) != 0

    def entails(self, sentence: Sentence) -> bool:
        """Return whether every valuation that makes the premises true makes the sentence true."""
        return self._true & ~self._space.table(sentence) == 0

    def models(self, targets: Sequence[Atom]) -> tuple[tuple[str, ...], ...] | None:
        """Return the models, projected to the targets, in canonical form; ``None`` above ``MOST_LISTED``."""
        names = [target.predicate for target in targets]
        rows = projected(self._true, [self._space.masks[name] for name in names], theories.MOST_LISTED)
        return None if rows is None else tuple(tuple(names[place] for place in row) for row in rows)


class TableDecider:
    """Decide propositional theories by bit sets; shares no code with the other deciders past the syntax tree."""

    name = "tables"

    def decide(self, theory: Formalization) -> Decision:
        """Answer every query.

        Raises:
            ValueError: the theory is not propositional or has more than ``MAX_PROPOSITIONS`` propositions.
        """
        premises = TablePremises(theory.axioms(), theory.sentences())
        verdicts = []
        for query in theory.queries:
            if query.formula is None:
                models = premises.models(query.targets)
                answer = None if models is None else answer_of_models(query, models)
            else:
                goals = theories.goals_of(query, theory.constants)
                answer = answer_of(query, theory.constants, list(map(premises.satisfiable, goals)))
            verdicts.append(Judgement(query.id, answer, "undecided" if answer is None else "decided"))
        return Decision(premises.satisfiable(), tuple(verdicts), (self.name,))


class Z3Decider:
    """Decide theories by Z3; what runs out of resources is asked again in a fresh context, then it is undecided."""

    name = "z3"

    def __init__(self, rlimit: int = RLIMIT) -> None:
        self.rlimit = rlimit

    def decide(self, theory: Formalization) -> Decision:
        """Answer every query."""
        axioms, queries = theory.axioms(), theory.queries
        goals: list[Sentence] = []
        places: list[range] = []
        for query in queries:
            own = theories.goals_of(query, theory.constants)
            places.append(range(len(goals), len(goals) + len(own)))
            goals += own
        targets = [target for query in queries for target in query.targets]

        def ask(work: Callable[[Z3Session], T]) -> T | None:
            return _asked(axioms, goals, targets, work, self.rlimit)

        def answer(session: Z3Session, number: int) -> Answer:
            query = queries[number]
            if query.formula is None:
                return answer_of_models(query, session.models(query.targets))
            return answer_of(query, theory.constants, list(map(session.satisfiable, places[number])))

        numbers = range(len(queries))
        whole = ask(lambda session: (session.satisfiable(), [answer(session, number) for number in numbers]))
        if whole is not None:
            verdicts = [Judgement(query.id, one) for query, one in zip(queries, whole[1], strict=True)]
            return Decision(whole[0], tuple(verdicts), (self.name,))
        verdicts = []
        for number in numbers:
            one = ask(lambda session, number=number: answer(session, number))  # type: ignore[misc]
            verdicts.append(Judgement(queries[number].id, one, "undecided" if one is None else "decided"))
        return Decision(ask(lambda session: session.satisfiable()), tuple(verdicts), (self.name,))


class Z3SentencePremises:
    """Premises about which single sentences are asked; ``None`` where Z3's resources run out."""

    def __init__(self, premises: Iterable[Sentence]) -> None:
        self._premises = tuple(premises)

    def satisfiable(self, *further: Sentence) -> bool | None:
        """Return whether the premises and the further sentences have a model."""
        return _asked((*self._premises, *further), (), (), lambda session: session.satisfiable())

    def entails(self, sentence: Sentence) -> bool | None:
        """Return whether the sentence follows."""
        open_ = self.satisfiable(Negation(sentence))
        return None if open_ is None else not open_


def _asked(
    premises: Sequence[Sentence],
    goals: Sequence[Sentence],
    targets: Sequence[Atom],
    work: Callable[[Z3Session], T],
    rlimit: int = RLIMIT,
) -> T | None:
    for fresh in (False, True):
        try:
            with Z3Session(premises, goals, targets, rlimit=rlimit, fresh=fresh) as session:
                return work(session)
        except OutOfResourcesError:
            continue
        except theories.TooManyModelsError:
            break
    return None


Premises = TablePremises | Z3SentencePremises
"""Premises about which single sentences are asked; ``None`` where resources run out."""


def decide(theory: Formalization, *, where: str = "") -> Decision:
    """Answer every query twice.

    Args:
        theory: the theory; with more than ``MAX_PROPOSITIONS`` propositions Z3 decides alone (status ``single``).
        where: file and item, for the error.

    Raises:
        DisagreementError: the deciders answer a query differently.
    """
    first = Z3Decider().decide(theory)
    if theory.propositional:
        if not _fits_table(theory.sentences()):
            alone = (one if one.answer is None else replace(one, status="single") for one in first.verdicts)
            return Decision(first.satisfiable, tuple(alone), first.by)
        second = TableDecider().decide(theory)
    else:
        second = GroundDecider().decide(theory)
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


def _fits_table(sentences: Iterable[Sentence]) -> bool:
    used = theories.vocabulary(sentences)
    return not (used.predicates or used.constants or len(used.propositions) > MAX_PROPOSITIONS)


def _compared(one: Judgement, two: Judgement, names: tuple[str, str], where: str) -> Judgement:
    """Return the common verdict."""
    if one.answer is None:
        # What Z3 leaves open, finite models may settle; if they do not, it stays open.
        return two if two.status == "decided" and two.answer is not None else one
    if two.status == "bounded":
        # A model that is larger than those searched may exist, so that a difference proves nothing.
        return Judgement(one.query, one.answer, "bounded")
    if one.answer != two.answer:
        raise theories.DisagreementError(
            f"{where + ', ' if where else ''}query {one.query}: {names[0]} says {theories.answer_text(one.answer)} and"
            f" {names[1]} {theories.answer_text(two.answer)}; report this item, one of the deciders is wrong."
        )
    return one


def quick_decider(theory: Formalization) -> TableDecider | Z3Decider:
    """Return the faster decider of a theory: tables where it is propositional and small enough, else Z3."""
    small = theory.propositional and _fits_table(theory.sentences())
    return TableDecider() if small else Z3Decider()
