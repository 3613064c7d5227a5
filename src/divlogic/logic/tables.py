"""Truth tables as big integers: one bit per valuation, so that a connective is one machine-speed operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from divlogic.logic.syntax import Atom, Binary, Formula, Negation, variables


@dataclass(frozen=True, slots=True)
class TruthSpace:
    """The valuations considered (a 1-bit each), and for each variable the set of those in which it is true."""

    full: int
    masks: dict[str, int]

    def table(self, formula: Formula) -> int:
        """Return the bit set of the valuations that make a propositional formula true."""
        # Not by `match`, which takes twice as long: a run of LLMEval-Logic's mutants comes here 300,000 times.
        if isinstance(formula, Atom) and not formula.terms:
            return self.masks[formula.predicate]
        if isinstance(formula, Negation):
            return self.full & ~self.table(formula.operand)
        if not isinstance(formula, Binary):
            raise ValueError("a truth table needs propositional sentences")
        left, right, sign = self.table(formula.left), self.table(formula.right), formula.sign
        if sign == "∧":
            return left & right
        if sign == "∨":
            return left | right
        if sign == "→":
            return (self.full & ~left) | right
        return left ^ right if sign == "⊕" else self.full & ~(left ^ right)

    def conjunction(self, formulas: Iterable[Formula]) -> int:
        """Return the bit set of the valuations that make every formula true."""
        result = self.full
        for formula in formulas:
            result &= self.table(formula)
        return result


def truth_space(names: Sequence[str]) -> TruthSpace:
    """Return the space of all valuations of some variables."""
    full, masks = valuations(len(names))
    return TruthSpace(full, dict(zip(names, masks, strict=True)))


def satisfiable(formulas: Iterable[Formula]) -> bool:
    """Return whether some valuation makes all formulas true."""
    formulas = tuple(formulas)
    return _space_of(formulas).conjunction(formulas) != 0


def entails(premises: Iterable[Formula], conclusion: Formula) -> bool:
    """Return whether every valuation that makes the premises true makes the conclusion true.

    >>> from divlogic.logic.parsing import parse
    >>> entails([parse("A → B"), parse("A")], parse("B"))
    True
    >>> entails([parse("A → B"), parse("B")], parse("A"))
    False
    """
    premises = tuple(premises)
    space = _space_of((*premises, conclusion))
    return space.conjunction(premises) & ~space.table(conclusion) == 0


def equivalent(left: Formula, right: Formula) -> bool:
    """Return whether two formulas are true in the same valuations.

    >>> from divlogic.logic.parsing import parse
    >>> equivalent(parse("A → B"), parse("¬A ∨ B"))
    True
    """
    space = _space_of((left, right))
    return space.table(left) == space.table(right)


def minimal_premises(premises: Sequence[Formula], conclusion: Formula) -> tuple[int, ...] | None:
    """Return indices of premises that entail the conclusion and of which none can be left out; ``None`` without.

    Premises are dropped from the last to the first, so that of several such sets the same one is returned always.
    """
    if not entails(premises, conclusion):
        return None
    kept = list(range(len(premises)))
    for index in reversed(range(len(premises))):
        without = [other for other in kept if other != index]
        if entails([premises[other] for other in without], conclusion):
            kept = without
    return tuple(kept)


def projected(true: int, masks: Sequence[int], most: int) -> tuple[tuple[int, ...], ...] | None:
    """Return which of some sets of valuations hold together in a valuation of ``true``, each time as their places.

    ``None`` where there are more than ``most``. One set splits the valuations after the other, depth first, so that no
    more parts are held than there are sets.
    """
    rows: list[tuple[int, ...]] = []
    waiting: list[tuple[int, tuple[int, ...], int]] = [(0, (), true)] if true else []
    while waiting:
        place, row, part = waiting.pop()
        if place == len(masks):
            rows.append(row)
            if len(rows) > most:
                return None
            continue
        inside = part & masks[place]
        if inside != part:
            waiting.append((place + 1, row, part ^ inside))
        if inside:
            waiting.append((place + 1, (*row, place), inside))
    return tuple(sorted(rows))


def _space_of(formulas: Iterable[Formula]) -> TruthSpace:
    return truth_space(sorted({name for formula in formulas for name in variables(formula)}))


@lru_cache(maxsize=64)
def valuations(count: int) -> tuple[int, tuple[int, ...]]:
    """Return the set of all valuations of so many variables, and for each variable of those that make it true."""
    total = 1 << count
    masks = []
    for place in range(count):
        run = 1 << place
        block, length = ((1 << run) - 1) << run, 2 * run
        # Doubling takes linear time; a multiplication by a division's 1, 0, 0, 1, ... takes quadratic time.
        while length < total:
            block |= block << length
            length *= 2
        masks.append(block)
    return (1 << total) - 1, tuple(masks)
