"""Deciding every query of a theory twice, by ways that share no code past the syntax tree.

Propositional theories: bit sets (:mod:`~divlogic.logic.by_tables`) and Z3 (:mod:`~divlogic.logic.by_z3`). First-order
theories: Z3 and finite models (:mod:`~divlogic.logic.by_grounding`). A disagreement stops the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from divlogic.logic.by_grounding import GroundDecider
from divlogic.logic.by_tables import MAX_PROPOSITIONS, TableDecider, TablePremises
from divlogic.logic.by_z3 import Z3Decider, Z3SentencePremises
from divlogic.logic.decision import Decision, DisagreementError, Verdict
from divlogic.logic.smt import RLIMIT
from divlogic.logic.syntax import Atom, Sentence
from divlogic.logic.theory import Formalization, answer_text, vocabulary

__all__ = [
    "MAX_PROPOSITIONS",
    "RLIMIT",
    "Decider",
    "Decision",
    "DisagreementError",
    "GroundDecider",
    "Premises",
    "TableDecider",
    "TablePremises",
    "Verdict",
    "Z3Decider",
    "decide",
    "open_premises",
]


class Decider(Protocol):
    """A way to answer a theory's queries."""

    name: str

    def decide(self, theory: Formalization) -> Decision:
        """Answer every query."""


class Premises(Protocol):
    """Premises about which single sentences are asked; ``None`` where resources run out."""

    def satisfiable(self, *further: Sentence) -> bool | None:
        """Return whether the premises and the further sentences have a model."""

    def entails(self, sentence: Sentence) -> bool | None:
        """Return whether the sentence follows."""

    def models(self, targets: Sequence[Atom]) -> tuple[tuple[str, ...], ...] | None:
        """Return the models, projected to the targets, in canonical form."""


def decide(theory: Formalization, *, rlimit: int = RLIMIT, where: str = "") -> Decision:
    """Answer every query twice.

    Args:
        theory: the theory; with more than ``MAX_PROPOSITIONS`` propositions Z3 decides alone (status ``single``).
        rlimit: Z3's resource limit of one check.
        where: file and item, for the error.

    Raises:
        DisagreementError: the deciders answer a query differently.
    """
    first = Z3Decider(rlimit).decide(theory)
    if theory.propositional:
        if len(vocabulary(theory.sentences()).propositions) > MAX_PROPOSITIONS:
            alone = [
                Verdict(v.query, v.answer, "single" if v.answer is not None else v.status)
                for v in first.verdicts
            ]
            return Decision(first.satisfiable, tuple(alone), first.by)
        second = TableDecider().decide(theory)
    else:
        second = GroundDecider().decide(theory)
    verdicts = tuple(
        _compared(one, two, (first.by[0], second.by[0]), where)
        for one, two in zip(first.verdicts, second.verdicts, strict=True)
    )
    return Decision(first.satisfiable, verdicts, (*second.by, *first.by))


def open_premises(
    premises: Iterable[Sentence], further: Iterable[Sentence] = (), *, rlimit: int = RLIMIT
) -> Premises:
    """Return premises to ask about: as a table where they are propositional and few enough, else in Z3.

    Args:
        premises: the premises.
        further: every other sentence that will be asked about.
        rlimit: Z3's resource limit of one check.
    """
    premises, further = tuple(premises), tuple(further)
    used = vocabulary((*premises, *further))
    if used.predicates or used.constants or len(used.propositions) > MAX_PROPOSITIONS:
        return Z3SentencePremises(premises, rlimit=rlimit)
    return TablePremises(premises, further)


def _compared(one: Verdict, two: Verdict, names: tuple[str, str], where: str) -> Verdict:
    """Return the common verdict.

    Raises:
        DisagreementError: there is none.
    """
    if one.answer is None:
        # What Z3 leaves open, finite models may settle; if they do not, it stays open.
        return two if two.status == "decided" and two.answer is not None else one
    if two.status == "bounded":
        # A model that is larger than those searched may exist, so that a difference proves nothing.
        return Verdict(one.query, one.answer, "bounded")
    if one.answer != two.answer:
        raise DisagreementError(
            f"{where + ', ' if where else ''}query {one.query}: {names[0]} says {answer_text(one.answer)} and"
            f" {names[1]} {answer_text(two.answer)}; report this item, one of the deciders is wrong."
        )
    return one
