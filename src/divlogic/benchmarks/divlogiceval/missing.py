"""Quartets of missing premises: one conclusion, and for each of four propositions a passage that lacks just it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from divlogic.benchmarks.divlogiceval.conclusions import Found
from divlogic.benchmarks.divlogiceval.matching import SIZE, Fits, kept_bits, one_each, places_of
from divlogic.benchmarks.divlogiceval.propositions import IMPLICATION, LITERAL, NOT_AND, OR, Proposition
from divlogic.benchmarks.divlogiceval.skeletons import (
    LITERALS,
    VARIABLES,
    Bits,
    Skeletons,
    Uniforms,
    Whole,
    Wirings,
    fact_propositions,
    wire,
)
from divlogic.draws import Draws

BATCH = 96
_WIRINGS = 48


def find_missing_premises(
    skeletons: Skeletons, stream: Uniforms, draws: Draws, fits: Fits | None = None
) -> Iterator[Found]:
    """Find quartets of missing premises, at most one for each skeleton; the conclusion must fit.

    One proposition is taken out of each skeleton, and a conclusion drawn that follows with it only. The options are
    propositions of its kind, each of which yields the conclusion in one wiring of the rest.
    """
    rest, missing = _without_one(skeletons, stream, draws)
    wirings = wire(rest, _WIRINGS)
    conclusions = [
        _draw_conclusion(rest, wirings, row, proposition, draws) if proposition else None
        for row, proposition in enumerate(missing)
    ]
    for kind in (LITERAL, IMPLICATION, NOT_AND, OR):
        rows = [
            row
            for row, (proposition, conclusion) in enumerate(zip(missing, conclusions, strict=True))
            if proposition and conclusion and proposition[0] == kind
        ]
        if rows:
            yield from _quartets_of_kind(kind, rows, rest, wirings, conclusions, draws, fits)


@dataclass(frozen=True, slots=True)
class _Pool:
    """The propositions of one kind that may be the missing premise; Q of them.

    Attributes:
        propositions: in a fixed order.
        uses: variables of each as bits; shape (Q,).
        before, behind: literals of its clauses, "not before, or behind"; shape (Q, clauses).
    """

    propositions: tuple[Proposition, ...]
    uses: Whole
    before: Whole
    behind: Whole


@cache
def _pool(kind: int) -> _Pool:
    """Return the propositions of a kind: positive literals in rules, as Algorithm 1 draws them."""
    found: list[Proposition]
    if kind == LITERAL:
        found = [(LITERAL, literal) for literal in range(LITERALS)]
    elif kind == IMPLICATION:
        found = [(kind, 2 * left, 2 * right) for left, right in permutations(range(VARIABLES), 2)]
    else:
        found = [
            (kind, 2 * first, 2 * second, 2 * last)
            for first, second, last in permutations(range(VARIABLES), 3)
            if first < second
        ]
    clauses = [clauses_of(proposition) for proposition in found]
    return _Pool(
        tuple(found),
        np.array([sum({1 << (literal >> 1) for literal in proposition[1:]}) for proposition in found]),
        np.array([[before for before, _ in own] for own in clauses]),
        np.array([[behind for _, behind in own] for own in clauses]),
    )


def clauses_of(proposition: Proposition) -> list[tuple[int, int]]:
    """Return the clauses that a proposition amounts to, each as (literal before, literal behind an arrow).

    A single literal is the clause that its denial implies it.
    """
    kind, *literals = proposition
    if kind == LITERAL:
        return [(literals[0] ^ 1, literals[0])]
    return [(literal ^ (kind == NOT_AND), literals[-1]) for literal in literals[:-1]]


def _quartets_of_kind(
    kind: int,
    rows: Sequence[int],
    rest: Skeletons,
    wirings: Wirings,
    conclusions: Sequence[Proposition | None],
    draws: Draws,
    fits: Fits | None,
) -> Iterator[Found]:
    """Find the quartets among the rows from which a proposition of one kind is missing."""
    pool = _pool(kind)
    goals = [conclusion for row in rows if (conclusion := conclusions[row])]
    yields, fails = _verdicts_on_pool(pool, rest.take(np.array(rows)), wirings.take(rows), goals)
    varied = yields.any(axis=1) & (fails.sum(axis=1) >= SIZE - 1)
    for place in np.flatnonzero(varied.sum(axis=1) >= SIZE).tolist():
        kept = np.flatnonzero(yields[place].any(axis=1))
        row, goal = rows[place], goals[place]
        facts = fact_propositions(int(rest.facts[row]))

        def context(
            wiring: int, row: int = row, kept: Whole = kept, facts: list[Proposition] = facts
        ) -> tuple[Proposition, ...]:
            return (*wirings.rules(rest, row, int(kept[wiring])), *facts)

        right = _as_integers(yields[place, kept])
        if fits is not None:
            right = [_fitting(bits, pool, context(at), goal, fits) for at, bits in enumerate(right)]
        choices = one_each(right, _as_integers(fails[place, kept]), draws)
        if choices is not None:
            yield Found(
                tuple([context(wiring) for wiring, _ in choices]),
                goal,
                tuple([_either_way(pool.propositions[option], draws) for _, option in choices]),
            )


def _without_one(
    skeletons: Skeletons, stream: Uniforms, draws: Draws
) -> tuple[Skeletons, list[Proposition | None]]:
    """Take one proposition out of each skeleton; return the rest, and what was taken (``None``: no proposition)."""
    points = stream.draw(len(skeletons))
    rules, lefts, facts = skeletons.rules.copy(), skeletons.lefts.copy(), skeletons.facts.copy()
    missing: list[Proposition | None] = []
    for row, point in enumerate(points):
        single = fact_propositions(int(facts[row]))
        count = int(rules[row])
        if point * (count + len(single)) >= count:
            taken = draws.pick(single)
            facts[row] ^= np.uint16(1 << taken[1])
            missing.append(taken)
            continue
        # Kinds and variables are in random order, so that the last rule is as good as any.
        kind = int(skeletons.kinds[row, count - 1])
        number = 1 if kind == IMPLICATION else 2
        variables = [
            *skeletons.before[row, lefts[row] - number : lefts[row]],
            skeletons.behind[row, count - 1],
        ]
        rules[row] -= 1
        lefts[row] -= number
        distinct = len(set(variables)) == len(variables)
        missing.append((kind, *[2 * int(variable) for variable in variables]) if distinct else None)
    return replace(skeletons, rules=rules, lefts=lefts, facts=facts), missing


def _draw_conclusion(
    rest: Skeletons, wirings: Wirings, row: int, missing: Proposition, draws: Draws
) -> Proposition | None:
    """Draw what follows from the first sound wiring of the rest with the missing premise, and from neither alone."""
    sound = np.flatnonzero(wirings.sound[row])
    if not len(sound):
        return None
    reach = [int(bits) for bits in wirings.reach[:, row, sound[0]]]
    known, allowed = int(wirings.known[row, sound[0]]), int(rest.options[row])
    found: dict[Proposition, None] = {}
    for before, behind in clauses_of(missing):
        goals = (reach[behind] | 1 << behind) & allowed & ~known
        if missing[0] == LITERAL or known >> before & 1:
            itself = 1 << missing[1] if missing[0] == LITERAL else 0
            found.update({(LITERAL, goal): None for goal in places_of(goals & ~itself)})
        if missing[0] == LITERAL:
            continue
        for source in places_of(allowed):
            if (source != before and not reach[source] >> before & 1) or known >> (source ^ 1) & 1:
                continue
            for goal in places_of(goals & ~reach[source]):
                if source >> 1 != goal >> 1 and (source, goal) != (before, behind):
                    found[IMPLICATION, source, goal] = None
    return draws.pick(list(found)) if found else None


def _verdicts_on_pool(
    pool: _Pool, rest: Skeletons, wirings: Wirings, goals: Sequence[Proposition]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which propositions yield each row's conclusion, and which fail to; shape (rows, W, Q) each.

    What yields it alone or vacuously, or is settled by the rest, stands in neither.
    """
    rows = np.arange(len(goals))
    conditional = np.array([goal[0] == IMPLICATION for goal in goals])[:, None]
    goal = np.array([goal[-1] for goal in goals])
    source = np.array([goal[1] if goal[0] == IMPLICATION else goal[1] ^ 1 for goal in goals])
    reach, known = wirings.reach, wirings.known
    # The literals that hold once the conclusion is assumed to fail, and with each half of that assumption.
    deny_goal = known | reach[goal ^ 1, rows] | np.left_shift(1, goal ^ 1).astype(np.uint16)[:, None]
    take_source = known | reach[source, rows] | np.left_shift(1, source).astype(np.uint16)[:, None]
    denied = deny_goal | take_source
    open_before = (denied & denied >> np.uint16(1) & np.uint16(0x5555)) == 0
    allowed = (pool.uses & ~_variables(rest.options)[:, None]) == 0
    usable = (open_before & wirings.sound)[:, :, None] & allowed[:, None, :]
    works = _refuted(pool, denied, reach)
    vacuous = np.where(
        conditional[:, :, None],
        _refuted(pool, deny_goal, reach) | _refuted(pool, take_source, reach),
        _refuted(pool, known, reach),
    )
    stated = _settled(pool, known, reach)
    alone = (
        (pool.before == source[:, None, None]) & (pool.behind == goal[:, None, None])
        | (pool.before == goal[:, None, None] ^ 1) & (pool.behind == source[:, None, None] ^ 1)
    ).any(axis=2)[:, None, :]
    return usable & works & ~vacuous & ~alone, usable & ~works & ~stated


def _refuted(pool: _Pool, given: Bits, reach: Bits) -> NDArray[np.bool_]:
    """Return whether each proposition contradicts the ``given`` literals, which must be closed; shape (rows, W, Q)."""

    def holds(literals: Whole) -> NDArray[np.bool_]:
        return (given[:, :, None] >> literals.astype(np.uint16) & np.uint16(1)).astype(bool)

    result = holds(pool.behind[:, 0] ^ 1)
    if pool.before.shape[1] == 1:
        return result & holds(pool.before[:, 0])
    first, second = pool.before.T
    linked = (reach[first ^ 1].transpose(1, 2, 0) >> second.astype(np.uint16) & np.uint16(1)).astype(bool)
    either: NDArray[np.bool_] = holds(first) | holds(second) | linked
    return result & either


def _settled(pool: _Pool, known: Bits, reach: Bits) -> NDArray[np.bool_]:
    """Return whether each proposition follows from the rest; shape (rows, W, Q)."""

    def has(bits: Bits, literals: Whole) -> NDArray[np.bool_]:
        return (bits >> literals.astype(np.uint16) & np.uint16(1)).astype(bool)

    result: NDArray[np.bool_] = np.ones((1, 1, 1), dtype=bool)
    for before, behind in zip(pool.before.T, pool.behind.T, strict=True):
        known_here = known[:, :, None]
        linked = has(reach[before].transpose(1, 2, 0), behind)
        result = result & (linked | has(known_here, behind) | has(known_here, before ^ 1))
    return result


def _variables(literals: Bits) -> Whole:
    """Return the variables of sets of literals, as bits."""
    found = np.zeros(literals.shape, dtype=np.int64)
    for at in range(VARIABLES):
        found |= ((literals >> np.uint16(2 * at) & np.uint16(3)) != 0).astype(np.int64) << at
    return found


def _fitting(bits: int, pool: _Pool, context: tuple[Proposition, ...], goal: Proposition, fits: Fits) -> int:
    """Return those of the pool's propositions, as bits, with which the goal fits the context."""
    return kept_bits(bits, lambda option: fits((*context, pool.propositions[option]), goal))


def _as_integers(rows: NDArray[np.bool_]) -> list[int]:
    """Turn each row of truth values into an integer, the first value its lowest bit."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def _either_way(proposition: Proposition, draws: Draws) -> Proposition:
    """Put the two premises of a rule, if there are two, into random order."""
    if len(proposition) == 4 and draws.chance(0.5):
        kind, first, second, last = proposition
        return (kind, second, first, last)
    return proposition
