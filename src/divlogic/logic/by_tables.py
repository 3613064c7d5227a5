"""Deciding propositional theories by bit sets: one bit per valuation (:mod:`divlogic.logic.tables`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from divlogic.logic.decision import MOST_LISTED, Decision, TooManyModelsError, Verdict, answer_of_models
from divlogic.logic.syntax import Atom, Sentence
from divlogic.logic.tables import truth_space
from divlogic.logic.theory import Answer, Formalization, Query, vocabulary

MAX_PROPOSITIONS = 24
"""Largest number of propositions whose valuations are listed: 2 MiB for each table."""


class TablePremises:
    """Propositional premises as the set of the valuations that make them true.

    Args:
        premises: the premises.
        further: other sentences that will be asked about; all propositions must occur in either.

    Raises:
        ValueError: a sentence is not propositional, or there are more than ``MAX_PROPOSITIONS``.
    """

    def __init__(self, premises: Iterable[Sentence], further: Iterable[Sentence] = ()) -> None:
        premises = tuple(premises)
        used = vocabulary((*premises, *further))
        if used.predicates or used.constants:
            raise ValueError("a truth table needs propositional sentences")
        if len(used.propositions) > MAX_PROPOSITIONS:
            raise ValueError(f"{len(used.propositions)} propositions are too many for a truth table")
        self._space = truth_space(*[(name,) for name in used.propositions])
        self._true = self._space.conjunction(premises)

    def satisfiable(self, *further: Sentence) -> bool:
        """Return whether some valuation makes the premises and the further sentences true."""
        return self._true & self._space.conjunction(further) != 0

    def entails(self, sentence: Sentence) -> bool:
        """Return whether every valuation that makes the premises true makes the sentence true."""
        return self._true & ~self._space.table(sentence) == 0

    def models(self, targets: Sequence[Atom]) -> tuple[tuple[str, ...], ...]:
        """Return the models, projected to the targets, in canonical form.

        Raises:
            TooManyModelsError: there are more than ``MOST_LISTED``.
        """
        names = [target.predicate for target in targets]
        return _projected(self._true, [self._space.masks[name] for name in names], names)


class TableDecider:
    """Decide propositional theories by bit sets; shares no code with the other deciders past the syntax tree."""

    name = "tables"

    def decide(self, theory: Formalization) -> Decision:
        """Answer every query.

        Raises:
            ValueError: the theory is not propositional or has more than ``MAX_PROPOSITIONS`` propositions.
        """
        premises = TablePremises(theory.axioms(), theory.sentences())
        verdicts = tuple(_verdict(premises, query) for query in theory.queries)
        return Decision(premises.satisfiable(), verdicts, (self.name,))


def _verdict(premises: TablePremises, query: Query) -> Verdict:
    try:
        return Verdict(query.id, _answer(premises, query))
    except TooManyModelsError:
        return Verdict(query.id, None, "undecided")


def _answer(premises: TablePremises, query: Query) -> Answer:
    if query.type in ("possible", "necessary"):
        assert query.formula is not None
        if query.type == "possible":
            return "possible" if premises.satisfiable(query.formula) else "impossible"
        return "necessary" if premises.entails(query.formula) else "unnecessary"
    if query.type == "enumerate_objects":
        # Without terms there are no objects to name.
        return ()
    return answer_of_models(query, premises.models(query.targets))


def _projected(true: int, masks: Sequence[int], targets: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Split the valuations by one target after the other; empty halves are dropped.

    Depth first, so that no more halves are held than there are targets.
    """
    rows: list[tuple[int, ...]] = []
    waiting: list[tuple[int, tuple[int, ...], int]] = [(0, (), true)] if true else []
    while waiting:
        place, row, part = waiting.pop()
        if place == len(masks):
            rows.append(row)
            if len(rows) > MOST_LISTED:
                raise TooManyModelsError
            continue
        inside = part & masks[place]
        if inside != part:
            waiting.append((place + 1, row, part ^ inside))
        if inside:
            waiting.append((place + 1, (*row, place), inside))
    return tuple(tuple(targets[place] for place in row) for row in sorted(rows))
