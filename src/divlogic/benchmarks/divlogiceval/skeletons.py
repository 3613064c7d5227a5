"""Contexts by Algorithm 1 in batches, and the same propositions wired otherwise.

A skeleton is a context taken apart: the kind of each rule, the variables that stand before an arrow, those that stand
behind one, and the single literals. A wiring puts the variables back, each on its own side of some arrow. In all
wirings of a skeleton every variable stands as often before an arrow, behind an arrow, as a fact and as a denied fact:
what a reader can count is the same, and only the inferences differ.

Every rule of Eq. 1 amounts to clauses of two literals, and a single literal to a clause of one. What follows is
therefore decided exactly by reachability between literals (2-SAT), for thousands of wirings at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import (
    IMPLICATION,
    LITERAL,
    NOT_AND,
    OR,
    VARIABLE_NAMES,
    Proposition,
)
from divlogic.errors import DivLogicError

VARIABLES = len(VARIABLE_NAMES)
LITERALS = 2 * VARIABLES
_KINDS = np.array([IMPLICATION, NOT_AND, OR])
_PERMUTATION_SEED = 20

Bits: TypeAlias = NDArray[np.uint16]
"""Sets of literals: bit ``2 * variable + negated``."""

Whole: TypeAlias = NDArray[np.int64]


class Uniforms:
    """A stream of uniform numbers in arrays, the same on every machine.

    Only the raw words of PCG64 are used: NumPy guarantees those, and not what its ``Generator`` makes of them.
    """

    def __init__(self, *entropy: int) -> None:
        self._words = np.random.PCG64(np.random.SeedSequence(entropy))

    def draw(self, *shape: int) -> NDArray[np.float64]:
        """Draw numbers from 0 (included) to 1 (excluded) in an array of the given shape."""
        words = self._words.random_raw(int(np.prod(shape)))
        return ((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(shape)


@dataclass(frozen=True, slots=True)
class Skeletons:
    """A batch of contexts taken apart; B skeletons, at most R rules each.

    Attributes:
        rules: number of rules of each; shape (B,).
        kinds: kind of each rule; shape (B, R).
        before: variables before arrows, in random order, the rules' own number of them first; shape (B, 2R).
        lefts: number of these; shape (B,).
        behind: variables behind arrows, in random order; shape (B, R).
        facts: literals that stand alone; shape (B,).
        options: literals of x', the variables used at least once and fewer than n times; shape (B,).
    """

    rules: Whole
    kinds: Whole
    before: Whole
    lefts: Whole
    behind: Whole
    facts: Bits
    options: Bits

    def __len__(self) -> int:
        return len(self.rules)

    def take(self, rows: Whole | NDArray[np.bool_]) -> Skeletons:
        """Return the skeletons at the given rows."""
        return Skeletons(*(getattr(self, name)[rows] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Wirings:
    """W wirings of each of B skeletons.

    Attributes:
        first, second, last: variables of each rule, shape (R, B, W); ``second`` is -1 where a rule has one premise.
        sound: whether the wiring's rules have distinct variables and the whole can be true; shape (B, W).
        direct: what each literal implies by one rule; shape (16, B, W).
        reach: what each literal implies; shape (16, B, W).
        known: literals that follow; shape (B, W).
    """

    first: Whole
    second: Whole
    last: Whole
    sound: NDArray[np.bool_]
    direct: Bits
    reach: Bits
    known: Bits

    def take(self, rows: Sequence[int]) -> Wirings:
        """Return the wirings of the skeletons at the given rows."""
        parts = [getattr(self, name) for name in self.__slots__]
        return Wirings(*(part[rows] if part.ndim == 2 else part[:, rows] for part in parts))

    def rules(self, skeletons: Skeletons, row: int, wiring: int) -> tuple[Proposition, ...]:
        """Return the rules of one wiring as propositions."""
        found: list[Proposition] = []
        for rule in range(int(skeletons.rules[row])):
            variables = [part[rule, row, wiring] for part in (self.first, self.second, self.last)]
            kind = int(skeletons.kinds[row, rule])
            found.append((kind, *[2 * int(variable) for variable in variables if variable >= 0]))
        return tuple(found)


def draw_skeletons(stream: Uniforms, count: int, parameters: DivLogicEvalParameters) -> Skeletons:
    """Run Algorithm 1 ``count`` times: l rules each, l uniform on 2 ... n+1, then the single literals.

    Raises:
        DivLogicError: the parameters leave too few variables for a rule.
    """
    n, size = parameters.max_uses_per_variable, parameters.variables
    most = n + 1
    rules = 2 + (stream.draw(count) * n).astype(np.int64)
    weights = [parameters.rule_weights.get(name, 0.0) for name in ("implication", "not_and", "or")]
    kinds = _KINDS[_places(np.broadcast_to(np.array(weights), (count, most, 3)), stream.draw(count, most))]
    used = np.zeros((count, size), dtype=np.int64)
    before = np.full((count, most, 2), -1, dtype=np.int64)
    behind = np.full((count, most), -1, dtype=np.int64)
    every = np.arange(count)
    for rule in range(most):
        left = _selection_weights(used, parameters)
        points = stream.draw(count, 3)
        active = rule < rules
        chosen = []
        for at in range(3):
            if not (left[active] > 0).any(axis=1).all():
                raise DivLogicError(
                    "params.yaml: benchmarks.divlogiceval: variables and max_uses_per_variable leave too few"
                    f" variables for {most} propositions; raise 'variables' or 'max_uses_per_variable'."
                )
            variable = _places(left, points[:, at])
            left[every, variable] = 0.0
            chosen.append(variable)
        # The plain implication discards the last of the three variables (Appendix B).
        short = kinds[:, rule] == IMPLICATION
        before[:, rule, 0] = np.where(active, chosen[0], -1)
        before[:, rule, 1] = np.where(active & ~short, chosen[1], -1)
        behind[:, rule] = np.where(active, np.where(short, chosen[1], chosen[2]), -1)
        for variable, counts in zip(chosen, (active, active, active & ~short), strict=True):
            used[every, variable] += counts
    options = (used > 0) & (used < n)
    pooled = before.reshape(count, 2 * most)
    return Skeletons(
        rules,
        kinds,
        _shuffled(pooled, stream.draw(*pooled.shape)),
        (pooled >= 0).sum(axis=1),
        _shuffled(behind, stream.draw(*behind.shape)),
        _draw_facts(stream, options, parameters),
        _literals(options, options),
    )


def wire(skeletons: Skeletons, count: int) -> Wirings:
    """Wire each skeleton in ``count`` random ways and find out what follows.

    Args:
        skeletons: the batch.
        count: wirings of each skeleton, W; some may be the same.
    """
    size, most = skeletons.kinds.shape
    left_orders, right_orders = _orders(2 * most, count), _orders(most, count)
    rows = np.arange(size)[:, None, None]
    lefts = skeletons.before[rows, left_orders[skeletons.lefts]]
    rights = skeletons.behind[rows, right_orders[skeletons.rules]]
    first, second, last = (np.full((most, size, count), -1, dtype=np.int64) for _ in range(3))
    place = np.zeros(size, dtype=np.int64)
    for rule in range(most):
        there = (rule < skeletons.rules)[:, None]
        double = there & (skeletons.kinds[:, rule] != IMPLICATION)[:, None]
        at = np.minimum(place, 2 * most - 2)
        first[rule] = np.where(there, lefts[np.arange(size), :, at], -1)
        second[rule] = np.where(double, lefts[np.arange(size), :, at + 1], -1)
        last[rule] = np.where(there, rights[:, :, rule], -1)
        place = place + there[:, 0] + double[:, 0]
    return decide(skeletons, first, second, last)


def decide(skeletons: Skeletons, first: Whole, second: Whole, last: Whole) -> Wirings:
    """Find out what follows from wirings, given as in :class:`Wirings`."""
    most, size, count = first.shape
    sound = np.ones((size, count), dtype=bool)
    # The last row takes what has no place: the second premise of a rule that has only one.
    direct = np.zeros((LITERALS + 1, size * count), dtype=np.uint16)
    for rule in range(most):
        there = last[rule] >= 0
        sound &= ~there | ((first[rule] != last[rule]) & (first[rule] != second[rule]))
        sound &= ~there | (second[rule] != last[rule])
        negated = (skeletons.kinds[:, rule] == NOT_AND)[:, None]
        for part in (first[rule], second[rule]):
            _imply(direct, (2 * part + negated).ravel(), 2 * last[rule].ravel(), (part >= 0).ravel())
    direct = direct[:LITERALS].reshape(LITERALS, size, count)
    reach = direct.copy()
    for literal in range(LITERALS):
        fact = (skeletons.facts >> np.uint16(literal) & np.uint16(1))[:, None]
        reach[literal ^ 1] |= fact << np.uint16(literal)
    for literal in range(LITERALS):
        through = (reach >> np.uint16(literal)) & np.uint16(1)
        reach |= (np.uint16(0) - through) & reach[literal]
    known = np.zeros((size, count), dtype=np.uint16)
    for literal in range(LITERALS):
        known |= reach[literal ^ 1] & np.uint16(1 << literal)
    contradictory = (known & known >> np.uint16(1) & np.uint16(0x5555)) != 0
    return Wirings(first, second, last, sound & ~contradictory, direct, reach, known)


def _imply(direct: Bits, source: Whole, goal: Whole, there: NDArray[np.bool_]) -> None:
    """Add the clause "not source, or goal" to the wirings at which it is ``there``; arrays over all wirings."""
    columns = np.arange(len(source))
    direct[np.where(there, source, LITERALS), columns] |= np.left_shift(1, np.maximum(goal, 0)).astype(
        np.uint16
    )
    direct[np.where(there, goal ^ 1, LITERALS), columns] |= np.left_shift(
        1, np.maximum(source ^ 1, 0)
    ).astype(np.uint16)


def _selection_weights(used: Whole, parameters: DivLogicEvalParameters) -> NDArray[np.float64]:
    """Return the weight of each variable in the next draw (Eq. 3 and the caps of Appendix B); shape (B, V)."""
    most = used.max(axis=1, keepdims=True) + 1
    weights = (most - used) / (most * used.shape[1] - used.sum(axis=1, keepdims=True))
    weights = np.where(used == parameters.max_uses_per_variable - 1, parameters.cap_probability, weights)
    return np.where(used >= parameters.max_uses_per_variable, 0.0, weights)


def _draw_facts(stream: Uniforms, options: NDArray[np.bool_], parameters: DivLogicEvalParameters) -> Bits:
    """Draw 0 ... floor(|x'| / divisor) literals of distinct variables of x', as bits; shape (B,)."""
    most = (options.sum(axis=1) / parameters.literal_divisor).astype(np.int64)
    number = (stream.draw(len(options)) * (most + 1)).astype(np.int64)
    keys = np.where(options, stream.draw(*options.shape), 2.0)
    rank = np.argsort(np.argsort(keys, axis=1, kind="stable"), axis=1, kind="stable")
    chosen = options & (rank < number[:, None])
    negated = stream.draw(*options.shape) < parameters.literal_negation
    return _literals(chosen & ~negated, chosen & negated)


def _literals(positive: NDArray[np.bool_], negative: NDArray[np.bool_]) -> Bits:
    """Return the literals at which the arrays, of shape (B, V), are true."""
    weight = 4 ** np.arange(positive.shape[1])
    return (positive @ weight + 2 * (negative @ weight)).astype(np.uint16)


def _places(weights: NDArray[np.float64], points: NDArray[np.float64]) -> Whole:
    """Return the index on which each point, from 0 to 1, falls when the weights of its row are laid end to end."""
    ends = np.cumsum(weights, axis=-1)
    places: Whole = (ends <= points[..., None] * ends[..., -1:]).sum(axis=-1)
    found: Whole = np.minimum(places, weights.shape[-1] - 1)
    return found


def _shuffled(values: Whole, keys: NDArray[np.float64]) -> Whole:
    """Put the values that are not negative first, in the order of their keys."""
    order = np.argsort(np.where(values >= 0, keys, 2.0), axis=1, kind="stable")
    return np.take_along_axis(values, order, axis=1)


@cache
def _orders(size: int, count: int) -> Whole:
    """Return ``count`` orders of the first m of ``size`` places for each m; shape (size + 1, count, size).

    What is put into these orders has been shuffled already, so that they need not be drawn for each item.
    """
    stream = Uniforms(_PERMUTATION_SEED, size)
    table = np.empty((size + 1, count, size), dtype=np.int64)
    for places in range(size + 1):
        keys = stream.draw(count, size)
        keys[:, places:] = 2.0
        table[places] = np.argsort(keys, axis=1, kind="stable")
    return table


def fact_propositions(facts: int) -> list[Proposition]:
    """Return the literals of a bit set as propositions."""
    return [(LITERAL, literal) for literal in range(LITERALS) if facts >> literal & 1]
