"""Truth tables as big integers: one bit per valuation, so that a connective is one machine-speed operation.

A :class:`TruthSpace` numbers the valuations that are considered. For plain propositional logic these are all
``2**n`` valuations of n variables; with known relations between variables (a premise entails its hypothesis)
only the valuations that respect them are numbered, which keeps the tables small and makes the relations hold
by construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from divlogic.logic.syntax import Atom, Binary, Formula, Negation, variables


@dataclass(frozen=True, slots=True)
class TruthSpace:
    """The valuations considered and, for each variable, the set of those in which it is true.

    Attributes:
        full: integer with one 1-bit per valuation.
        masks: variable name -> bit set of the valuations that make it true.
    """

    full: int
    masks: dict[str, int]

    def table(self, formula: Formula) -> int:
        """Return the bit set of the valuations that make a propositional formula true.

        Raises:
            KeyError: the formula has a variable that this space does not know.
            ValueError: it has terms or quantifiers.
        """
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


State = tuple[bool, ...]


def truth_space(*groups: Sequence[str], states: Sequence[Sequence[State]] | None = None) -> TruthSpace:
    """Build a truth space.

    Args:
        groups: names of variables; the variables of different groups are independent of each other.
        states: for each group, the allowed combinations of truth values of its variables; by default all.

    Returns:
        A space whose valuations are the product of the groups' states.
    """
    if states is None:
        states = [_all_states(len(group)) for group in groups]
    shape = tuple(tuple(map(tuple, group_states)) for group_states in states)
    full, masks = _masks(shape)
    names = [name for group in groups for name in group]
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
    """Return indices of premises that entail the conclusion and of which none can be left out.

    Premises are dropped from the last to the first, so that of several such sets the same one is returned always.

    Returns:
        The indices, or ``None`` where the premises do not entail the conclusion.
    """
    if not entails(premises, conclusion):
        return None
    kept = list(range(len(premises)))
    for index in reversed(range(len(premises))):
        without = [other for other in kept if other != index]
        if entails([premises[other] for other in without], conclusion):
            kept = without
    return tuple(kept)


def _space_of(formulas: Iterable[Formula]) -> TruthSpace:
    names = sorted({name for formula in formulas for name in variables(formula)})
    return truth_space(*[(name,) for name in names])


@lru_cache(maxsize=64)
def _all_states(count: int) -> tuple[State, ...]:
    """Return every combination of truth values of ``count`` variables."""
    return tuple(tuple(bool(number >> bit & 1) for bit in range(count)) for number in range(2**count))


@lru_cache(maxsize=4096)
def _masks(shape: tuple[tuple[State, ...], ...]) -> tuple[int, tuple[int, ...]]:
    """Return the full set and one bit set per variable for groups with the given states."""
    total = 1
    for states in shape:
        total *= len(states)
    full = (1 << total) - 1
    masks: list[int] = []
    stride = 1
    for states in shape:
        period = stride * len(states)
        run = (1 << stride) - 1
        for position in range(len(states[0])):
            block = 0
            for index, state in enumerate(states):
                if state[position]:
                    block |= run << (index * stride)
            masks.append(_repeated(block, period, total))
        stride = period
    return full, tuple(masks)


def _repeated(block: int, period: int, total: int) -> int:
    """Return ``block`` of ``period`` bits side by side until ``total`` bits, a multiple of it, are full.

    Doubling takes linear time; a multiplication by a division's 1, 0, 0, 1, ... takes quadratic time.
    """
    length = period
    while 2 * length <= total:
        block |= block << length
        length *= 2
    return block | (block & ((1 << (total - length)) - 1)) << length
