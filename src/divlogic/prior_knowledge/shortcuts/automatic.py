"""What can be counted in a theory without solving it: features that are made from its clauses, none of them by hand.

A reader of r sentences sees how much follows in up to r rounds, forward from the facts and backward from what is asked,
where the two meet, and which sentences name what they found. What is asked is left out of the blind counts; signs and
arrows are left out of the connection.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from divlogic.prior_knowledge.shortcuts.theories import Theory

Counts: TypeAlias = Counter[tuple[object, ...]]

Rounds: TypeAlias = dict[int, int]
"""Literal -> the round in which it is found first, 0 for what is given."""

_RARE = 20
"""A count that fewer instances have cannot fill a leaf of a tree."""

_MOST_COLUMNS = 300
"""The most frequent counts are kept: the budget of a view, which is fixed before anything is measured."""


def forward(theory: Theory, given: Iterable[int], rounds: int) -> Rounds:
    """Return what follows from given literals in so many rounds of rules."""
    found = dict.fromkeys(given, 0)
    for number in range(1, rounds + 1):
        new = [head for body, head in theory.rules if all(part in found for part in body)]
        for head in new:
            found.setdefault(head, number)
    return found


def backward(theory: Theory, goal: int, rounds: int) -> Rounds:
    """Return the literals that rules ask for, round by round, to conclude a literal."""
    found = {goal: 0}
    for number in range(1, rounds + 1):
        wanted = [body for body, head in theory.rules if found.get(head) == number - 1]
        for part in chain.from_iterable(wanted):
            found.setdefault(part, number)
    return found


# A statement's counts are put next to those of its passage. More theories than a sample has need not be remembered.
@lru_cache(maxsize=2_000)
def blind(theory: Theory, rounds: int) -> Counts:
    """Count what the passage shows in some rounds, without what is asked."""
    counts: Counts = Counter()
    for before, behind in theory.sentences:
        counts["form", len(before), _negative(before), len(behind), _negative(behind)] += 1
    counts["facts", "all"] = len(theory.facts)
    counts["facts", "negative"] = _negative(theory.facts)
    if theory.facts:
        starts = [("facts", forward(theory, theory.facts, rounds))]
        counts.update(_amounts(theory, starts, rounds))
        counts.update(_in_sentences(theory, starts, rounds))
    return counts


def asking(theory: Theory, option: int, rounds: int) -> Counts:
    """Count what some rounds show of one option, or of the statement."""
    starts: list[tuple[str, Rounds]] = []
    own = theory.options[option]
    if len(theory.options) == 1 and not theory.goal:
        # Towards a statement and towards its opposite; forward, the facts do it.
        for literal in own:
            starts.append(("for", backward(theory, literal, rounds)))
            starts.append(("against", backward(theory, literal ^ 1, rounds)))
    else:
        # An option follows if its denial leads to a contradiction.
        starts += [("own", forward(theory, [literal ^ 1], rounds)) for literal in own]
        others = [one for at, one in enumerate(theory.options) if at != option]
        starts.append(("others", dict.fromkeys(chain.from_iterable(others), 0)))
        starts += [("goal", forward(theory, [literal ^ 1], rounds)) for literal in theory.goal]
    if theory.facts:
        starts.append(("facts", forward(theory, theory.facts, rounds)))
    counts = _amounts(theory, starts, rounds)
    counts.update(_in_sentences(theory, starts, rounds))
    for place, literal in enumerate(own):
        counts["sign", place] = literal & 1
    return _with_differences(counts)


def alone(theory: Theory, option: int, rounds: int) -> Counts:
    """Count what the options show of one of them, without the passage."""
    counts: Counts = Counter()
    held = Counter(chain.from_iterable(theory.options))
    aimed = Counter(theory.goal)
    for literal in theory.options[option]:
        counts["options", "same", held[literal] - 1] += 1
        counts["options", "opposite", held[literal ^ 1]] += 1
        counts["goal", "same", aimed[literal]] += 1
        counts["goal", "opposite", aimed[literal ^ 1]] += 1
        counts["negative",] += literal & 1
    return counts


def connection(theory: Theory, option: int, rounds: int) -> Counts:
    """Count which atoms share sentences, as a graph without signs and arrows: components, degrees, distances."""
    joined: dict[int, set[int]] = defaultdict(set)
    for before, behind in theory.sentences:
        atoms = {literal >> 1 for literal in (*before, *behind)}
        for atom in atoms:
            joined[atom] |= atoms - {atom}
    facts = {literal >> 1 for literal in theory.facts}
    counts: Counts = Counter()
    for atom in joined:
        counts["degree", len(joined[atom]), atom in facts] += 1
    others = [one for at, one in enumerate(theory.options) if at != option]
    ends = [literal >> 1 for literal in theory.options[option]]
    groups = {
        "own": set(ends),
        "others": {literal >> 1 for one in others for literal in one},
        "goal": {literal >> 1 for literal in theory.goal},
        "facts": facts,
    }
    for atom in dict.fromkeys(ends):
        far = _distances(joined, atom)
        counts["component",] += len(far)
        counts["own degree", len(joined.get(atom, ()))] += 1
        counts.update(("distance", distance) for distance in far.values())
        for name, group in groups.items():
            known = [far.get(one, -1) for one in sorted(group - {atom})]
            counts.update((name, distance) for distance in known)
            counts[name, "reached"] += sum([one >= 0 for one in known])
            counts[name, "nearest"] += min([one for one in known if one >= 0], default=-1)
    return counts


def _distances(joined: Mapping[int, set[int]], start: int) -> dict[int, int]:
    """Return how far each atom of a component is from one of them."""
    far = {start: 0}
    edge = [start]
    while edge:
        following = []
        for atom in edge:
            for one in sorted(joined.get(atom, set())):
                if one not in far:
                    far[one] = far[atom] + 1
                    following.append(one)
        edge = following
    return far


def _negative(literals: Iterable[int]) -> int:
    return sum([literal & 1 for literal in literals])


def _amounts(theory: Theory, starts: Sequence[tuple[str, Rounds]], rounds: int) -> Counts:
    """Count, round by round, the literals that are new, by sign, and the rules that fire."""
    counts: Counts = Counter()
    for name, found in starts:
        for literal, number in found.items():
            counts["new", name, number] += 1
            counts["new", name, number, "negative"] += literal & 1
            counts["new", name, number, "opposite known"] += literal ^ 1 in found
        for body, head in theory.rules:
            last = max([found.get(part, rounds + 1) for part in body], default=0)
            if last < rounds:
                counts["fires", name, last + 1] += 1
                counts["fires", name, last + 1, "again"] += (
                    found[head] <= last if head in found else 0
                )
    return counts


def _in_sentences(theory: Theory, starts: Sequence[tuple[str, Rounds]], rounds: int) -> Counts:
    """Count the sentences that name what was found, the pairs that share one, and where two searches meet."""
    seen = _places(starts)
    counts: Counts = Counter()
    for before, behind in theory.sentences:
        placed = [
            (side, start, sign)
            for side, literals in ((0, before), (1, behind))
            for literal in literals
            for start, sign in seen.get(literal, ())
        ]
        size = min(len(before) + len(behind), 3)
        # The sentence itself is one more than those that led to its literals.
        for side, (_, name, number), sign in placed:
            if number + 1 <= rounds:
                counts["named", name, number, sign, side, size] += 1
                counts["named", name, number] += 1
        for one, two in combinations(placed, 2):
            if one[1] != two[1] and one[1][2] + two[1][2] + 1 <= rounds:
                counts[("pair", *sorted([_key(one), _key(two)]))] += 1
                counts[("pair, unsigned", *sorted([one[1][1:], two[1][1:]]))] += 1
    for places in seen.values():
        for (here, sign), (there, other) in combinations(places, 2):
            if here[0] != there[0] and here[2] + there[2] <= rounds:
                counts[("meet", sign == other, *sorted([here[1:], there[1:]]))] += 1
    return counts


Start: TypeAlias = tuple[int, str, int]
"""Of a literal: by which search it was found, the search's name, the round."""


def _places(starts: Sequence[tuple[str, Rounds]]) -> dict[int, list[tuple[Start, int]]]:
    """Return of each literal where it, or its opposite (sign 1), was found."""
    seen: dict[int, list[tuple[Start, int]]] = defaultdict(list)
    for place, (name, found) in enumerate(starts):
        for literal, number in found.items():
            seen[literal].append(((place, name, number), 0))
            seen[literal ^ 1].append(((place, name, number), 1))
    return seen


def _key(placed: tuple[int, Start, int]) -> tuple[str, int, int, int]:
    side, (_, name, number), sign = placed
    return (name, number, sign, side)


def _with_differences(counts: Counts) -> Counts:
    """Add by how much each count for a statement is above that against it."""
    swapped = {"for": "against"}
    for key, value in list(counts.items()):
        opposite = tuple(swapped.get(part, part) if isinstance(part, str) else part for part in key)
        if opposite != key:
            counts[("difference", *key)] = value - counts[opposite]
    return counts


def table(rows: Sequence[Counts]) -> NDArray[np.float64]:
    """Return counts as numbers; shape (rows, columns). Rare counts and those beyond the budget are left out."""
    held = Counter(chain.from_iterable(rows))
    names = sorted(
        (key for key, count in held.items() if count >= _RARE),
        key=lambda key: (-held[key], repr(key)),
    )[:_MOST_COLUMNS]
    found = [[row[name] for name in names] for row in rows]
    return np.array(found, dtype=np.float64).reshape(len(rows), len(names))
