"""Deciding theories by Z3: one process, one context, two solvers (:mod:`divlogic.logic.smt`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from divlogic.logic.decision import Decision, TooManyModelsError, Verdict, answer_of_models
from divlogic.logic.smt import RLIMIT, OutOfResourcesError, Z3Session
from divlogic.logic.syntax import Atom, Negation, Sentence
from divlogic.logic.theory import Answer, Formalization, Query, sorted_models, substituted

T = TypeVar("T")


class Z3Decider:
    """Decide theories by Z3; what runs out of resources is asked again in a fresh context, then it is undecided."""

    name = "z3"

    def __init__(self, rlimit: int = RLIMIT) -> None:
        self.rlimit = rlimit

    def decide(self, theory: Formalization) -> Decision:
        """Answer every query."""
        axioms = theory.axioms()
        goals, places = _goals(theory)
        targets = [target for query in theory.queries for target in query.targets]

        def ask(work: Callable[[Z3Session], T]) -> T | None:
            return _asked(axioms, goals, targets, self.rlimit, work)

        def everything(session: Z3Session) -> tuple[bool, list[Answer]]:
            return session.satisfiable(), [
                _answer(session, query, place, theory)
                for query, place in zip(theory.queries, places, strict=True)
            ]

        whole = ask(everything)
        if whole is not None:
            verdicts = [
                Verdict(query.id, answer) for query, answer in zip(theory.queries, whole[1], strict=True)
            ]
            return Decision(whole[0], tuple(verdicts), (self.name,))
        verdicts = []
        for query, place in zip(theory.queries, places, strict=True):
            answer = ask(lambda session, q=query, p=place: _answer(session, q, p, theory))  # type: ignore[misc]
            verdicts.append(Verdict(query.id, answer, "undecided" if answer is None else "decided"))
        return Decision(ask(lambda session: session.satisfiable()), tuple(verdicts), (self.name,))


class Z3SentencePremises:
    """Premises about which single sentences are asked; ``None`` where Z3's resources run out."""

    def __init__(self, premises: Iterable[Sentence], *, rlimit: int = RLIMIT) -> None:
        self._premises, self._rlimit = tuple(premises), rlimit

    def satisfiable(self, *further: Sentence) -> bool | None:
        """Return whether the premises and the further sentences have a model."""
        premises = (*self._premises, *further)
        return _asked(premises, (), (), self._rlimit, lambda session: session.satisfiable())

    def entails(self, sentence: Sentence) -> bool | None:
        """Return whether the sentence follows."""
        open_ = self.satisfiable(Negation(sentence))
        return None if open_ is None else not open_

    def models(self, targets: Sequence[Atom]) -> tuple[tuple[str, ...], ...] | None:
        """Return the models, projected to the targets, in canonical form."""
        return _asked(self._premises, (), targets, self._rlimit, lambda session: session.models(targets))


def _asked(
    premises: Sequence[Sentence],
    goals: Sequence[Sentence],
    targets: Sequence[Atom],
    rlimit: int,
    work: Callable[[Z3Session], T],
) -> T | None:
    for fresh in (False, True):
        try:
            with Z3Session(premises, goals, targets, rlimit=rlimit, fresh=fresh) as session:
                return work(session)
        except OutOfResourcesError:
            continue
        except TooManyModelsError:
            break
    return None


def _goals(theory: Formalization) -> tuple[list[Sentence], list[int]]:
    """Return the sentences whose satisfiability answers the queries, and where each query's begin."""
    goals: list[Sentence] = []
    places: list[int] = []
    for query in theory.queries:
        places.append(len(goals))
        if query.formula is None:
            continue
        if query.type == "enumerate_objects":
            goals += [substituted(query.formula, {query.variable: name}) for name in theory.constants]
        else:
            goals.append(query.formula if query.type == "possible" else Negation(query.formula))
    return goals, places


def _answer(session: Z3Session, query: Query, place: int, theory: Formalization) -> Answer:
    match query.type:
        case "possible":
            return "possible" if session.satisfiable(place) else "impossible"
        case "necessary":
            return "unnecessary" if session.satisfiable(place) else "necessary"
        case "enumerate_objects":
            names = theory.constants
            held = [[name] for index, name in enumerate(names) if session.satisfiable(place + index)]
            return sorted_models(held, names)
    return answer_of_models(query, session.models(query.targets))
