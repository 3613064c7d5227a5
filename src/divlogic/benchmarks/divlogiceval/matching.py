"""Choose four wirings and four options of which each is right in just one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeAlias

from divlogic.benchmarks.divlogiceval.propositions import Proposition
from divlogic.draws import Draws

SIZE = 4
"""Instances of a quartet: one for each option."""

_STEPS = 150
_MOST_OPTIONS = 12

Choice: TypeAlias = tuple[int, int]
"""A wiring and the option that is right in it."""

Fits: TypeAlias = Callable[[tuple[Proposition, ...], Proposition], bool]
"""Tells whether a conclusion rests on as many of the premises as is wanted."""


def one_each(right: Sequence[int], wrong: Sequence[int], draws: Draws) -> list[Choice] | None:
    """Choose four wirings and four options so that each option is right in one of them and wrong in the others.

    Args:
        right: per wiring the options that would be right, as a bit set.
        wrong: per wiring the options that would be wrong; an option may be neither.
        draws: where choices are drawn from.

    Returns:
        The four pairs; ``None`` if a search of bounded length finds none.
    """
    able, order = _pruned(right, wrong)
    if able is None:
        return None
    order = draws.shuffled(order)
    steps = _STEPS

    def extend(chosen: list[Choice], options: int, still: int) -> list[Choice] | None:
        nonlocal steps
        for at in order:
            fresh = right[at] & still
            if not fresh or options & ~wrong[at]:
                continue
            steps -= 1
            for option in draws.shuffled(places_of(fresh))[:3]:
                own = [*chosen, (at, option)]
                if len(own) == SIZE:
                    return own
                found = extend(own, options | 1 << option, still & wrong[at])
                if found is not None:
                    return found
            if steps < 0:
                return None
        return None

    return extend([], 0, able)


def all_but_one(right: Sequence[int], wrong: Sequence[int], draws: Draws) -> list[Choice] | None:
    """Do as :func:`one_each` where few options are ever ``wrong``: in each wiring, list what three of these allow."""
    able, order = _pruned(right, wrong)
    if able is None:
        return None
    options = draws.shuffled(places_of(able))[:_MOST_OPTIONS]
    found: dict[int, dict[int, int]] = {}
    for at in draws.shuffled(order):
        odd = [option for option in options if right[at] >> option & 1]
        for three in combinations([option for option in options if wrong[at] >> option & 1], SIZE - 1):
            others = sum([1 << option for option in three])
            for option in odd:
                own = found.setdefault(others | 1 << option, {})
                own[option] = at
                if len(own) == SIZE:
                    return [(wiring, answer) for answer, wiring in sorted(own.items())]
    return None


def _pruned(right: Sequence[int], wrong: Sequence[int]) -> tuple[int | None, list[int]]:
    """Leave out options that are never right or wrong too seldom, and wirings without enough of the others.

    Returns:
        The options left as a bit set (``None``: too few) and the wirings left.
    """
    order = list(range(len(right)))
    able = -1
    while True:
        before = able
        able = _able([right[at] for at in order], 1) & _able([wrong[at] for at in order], SIZE - 1)
        order = [at for at in order if right[at] & able and (wrong[at] & able).bit_count() >= SIZE - 1]
        if able.bit_count() < SIZE or len(order) < SIZE:
            return None, []
        if able == before:
            return able, order


def _able(sets: Sequence[int], least: int) -> int:
    """Return what is in at least ``least`` of the sets (at most 3)."""
    levels = [0] * (least + 1)
    for options in sets:
        for level in range(least, 1, -1):
            levels[level] |= levels[level - 1] & options
        levels[1] |= options
    return levels[least]


def places_of(bits: int) -> list[int]:
    """Return the places of the ones in an integer, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def kept_bits(bits: int, keep: Callable[[int], bool]) -> int:
    """Return the places of the ones that are kept, as a bit set again."""
    return sum([1 << place for place in places_of(bits) if keep(place)])
