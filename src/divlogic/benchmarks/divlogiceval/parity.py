"""Parity quartets: all that does not hold the whole of a chain of premises is independent of the answer.

Every premise has a *twin*: the same rule over the same variables in the same places, with every sign turned. Its
clauses (x∨y) and (¬x∨¬y) of two premises say that the variables at both ends of a *link* are equal or opposite; which
of the two, one bit, is free. Links form a tree, so that between two variables there is one path, the *chain*. An option
p→q follows where the bits of its chain add up to the sum that its signs ask for, and p→¬q where they do not: no chain
ever breaks off, and each bit less leaves its sum open.

Proof, assumptions and what was measured: docs/methods.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from divlogic.benchmarks.divlogiceval import propositions
from divlogic.benchmarks.divlogiceval.propositions import (
    CLAUSES,
    IMPLICATION,
    NEGATED,
    Proposition,
    Quartet,
)
from divlogic.draws import Draws

_TRIES = 60


@dataclass(frozen=True, slots=True)
class ParitySetting:
    """How parity quartets of one type and depth are drawn.

    Attributes:
        depth: number of premises that an answer needs (k), a missing one included.
        links: number of links; the tree has one variable more.
        compound: probability that two links come from one rule with two premises.
        kappa: pairs of twins that the sum of two or of three chains touches at least.
        least_pairs: pairs of twins that each chain touches at least.
        uses: premises in which a variable stands at most.
    """

    depth: int
    links: int
    compound: float
    compound_kinds: tuple[tuple[int, float], ...]
    kappa: int
    least_pairs: int
    uses: int
    variables: int


@dataclass(frozen=True, slots=True)
class Tree:
    """Pairs of twins: the kind and the variables of each, and its links as bits; and the two variables of each link."""

    pairs: tuple[tuple[int, tuple[int, ...]], ...]
    held: tuple[int, ...]
    links: tuple[tuple[int, int], ...]


def draw_parity(question_type: str, setting: ParitySetting, draws: Draws) -> Quartet | None:
    """Draw a quartet; ``None`` if the tree that came up holds none."""
    tree = _draw_tree(setting, draws)
    if tree is None:
        return None
    missing = question_type == "missing_premise"
    chains = _chains(tree, setting, missing, draws)
    four = _choose_chains(tree, setting.kappa, chains, draws)
    if four is None:
        return None
    masks = [mask for _, _, mask in four]
    # What the chain of each option must sum up to for the option to follow.
    ends = [(2 * first + draws.below(2), 2 * last + draws.below(2)) for first, last, _ in four]
    odd_ones_out = 1 if question_type == "3e1c" else propositions.OPTIONS - 1
    conclusion = None
    if missing:
        goal = ends[0][1]
        ends = [(first, goal) for first, _ in ends]
    sums = [(first ^ last) & 1 for first, last in ends]
    if masks[0] ^ masks[1] ^ masks[2] ^ masks[3] == 0 and (sum(sums) + odd_ones_out) & 1:
        # The chains depend on each other: one option with its other sign, else no member could be made.
        turned = draws.below(propositions.OPTIONS)
        first, last = ends[turned]
        ends[turned] = (first ^ 1, last)
        sums[turned] ^= 1
    if missing:
        unused = sorted(set(range(setting.variables)) - {v for _, used in tree.pairs for v in used})
        fresh = 2 * draws.pick(unused) + draws.below(2)
        conclusion = _either_way(fresh, goal, draws)
        ends = [(fresh, first) for first, _ in ends]
    options = tuple([_either_way(first, last, draws) for first, last in ends])
    order = draws.shuffled(range(2 * len(tree.pairs)))
    passages = []
    for answer in range(propositions.OPTIONS):
        wanted = [
            wish ^ ((at == answer) == (question_type == "3e1c")) for at, wish in enumerate(sums)
        ]
        bits = _solve(masks, wanted, len(tree.links), draws)
        if bits is None:
            return None
        passages.append(_passage(tree, bits, order, draws))
    stated = [literal for one in options for literal in one[1:]]
    variables = {v for _, used in tree.pairs for v in used} | {literal >> 1 for literal in stated}
    return Quartet(
        construction="parity",
        depth=setting.depth,
        passages=tuple(passages),
        conclusion=conclusion,
        options=options,
        stages=tuple([(variable,) for variable in sorted(variables)]),
    )


def _draw_tree(setting: ParitySetting, draws: Draws) -> Tree | None:
    """Draw rules until they have the links wanted, each joined by one variable to those before it."""
    free = draws.shuffled(range(setting.variables))
    used: dict[int, int] = {}
    pairs: list[tuple[int, tuple[int, ...]]] = []
    held: list[int] = []
    links: list[tuple[int, int]] = []
    while len(links) < setting.links:
        kind = IMPLICATION
        if setting.links - len(links) > 1 and draws.chance(setting.compound):
            kinds, weights = zip(*setting.compound_kinds, strict=True)
            kind = kinds[draws.weighted(weights)]
        joined = []
        if used:
            open_ = [variable for variable, uses in used.items() if uses + 2 <= setting.uses]
            if not open_:
                return None
            joined = [draws.pick(open_)]
        size = len(NEGATED[kind])
        variables = draws.shuffled([*joined, *[free.pop() for _ in range(size - len(joined))]])
        for variable in variables:
            used[variable] = used.get(variable, 0) + 2
        held.append((1 << len(CLAUSES[kind])) - 1 << len(links))
        links += [(variables[one], variables[other]) for one, other in CLAUSES[kind]]
        pairs.append((kind, tuple(variables)))
    return Tree(tuple(pairs), tuple(held), tuple(links))


def _chains(
    tree: Tree, setting: ParitySetting, missing: bool, draws: Draws
) -> list[tuple[int, int, int]]:
    """List the chains of the wanted length as (variable, variable, links as bits).

    Of a missing premise they are those to one end, drawn among the variables that have four.
    """
    around: dict[int, list[tuple[int, int]]] = {}
    for number, (one, other) in enumerate(tree.links):
        around.setdefault(one, []).insert(0, (other, 1 << number))
        around.setdefault(other, []).insert(0, (one, 1 << number))
    length = setting.depth - missing
    found: dict[int, list[tuple[int, int, int]]] = {}
    for last in around:
        paths = [(last, 0, -1)]
        for _ in range(length):
            paths = [
                (to, mask | link, at)
                for at, mask, came in paths
                for to, link in around[at]
                if to != came
            ]
        if own := [
            (at, last, mask)
            for at, mask, _ in paths
            if (missing or at < last) and _pairs_touched(tree, mask) >= setting.least_pairs
        ]:
            found[last] = own
    if not missing:
        return [chain for own in found.values() for chain in own]
    ends = [own for own in found.values() if len(own) >= propositions.OPTIONS]
    return draws.pick(ends) if ends else []


def _choose_chains(
    tree: Tree, kappa: int, chains: Sequence[tuple[int, int, int]], draws: Draws
) -> list[tuple[int, int, int]] | None:
    """Draw four chains no two or three of which add up to less than kappa pairs of twins."""
    if len(chains) < propositions.OPTIONS:
        return None
    touched = cache(partial(_pairs_touched, tree))
    for _ in range(_TRIES):
        four = draws.shuffled(chains)[: propositions.OPTIONS]
        if all(touched(mask) >= kappa for mask in sums_of([c[2] for c in four])):
            return four
    return None


def sums_of(masks: Sequence[int]) -> Iterator[int]:
    """Yield the sums (over GF(2)) of two and of three of four chains."""
    for one, other in combinations(masks, 2):
        yield one ^ other
    whole = masks[0] ^ masks[1] ^ masks[2] ^ masks[3]
    for mask in masks:
        yield whole ^ mask


def _pairs_touched(tree: Tree, mask: int) -> int:
    """Return the number of pairs of twins that hold links of a mask."""
    return len([links for links in tree.held if links & mask])


def _solve(masks: Sequence[int], wanted: Sequence[int], links: int, draws: Draws) -> int | None:
    """Draw the bits of all links, uniform among those with the wanted sum of each mask; ``None`` if there are none.

    Gauss-Jordan elimination over GF(2): with reduced rows, setting one pivot leaves the other rows alone.
    """
    rows: list[tuple[int, int, int]] = []
    for mask, total in zip(masks, wanted, strict=True):
        for row, right, pivot in rows:
            if mask >> pivot & 1:
                mask, total = mask ^ row, total ^ right
        if not mask:
            if total:
                return None
            continue
        pivot = mask.bit_length() - 1
        rows = [
            (row ^ mask, right ^ total, own) if row >> pivot & 1 else (row, right, own)
            for row, right, own in rows
        ]
        rows.append((mask, total, pivot))
    bits = draws.below(1 << links)
    for row, right, pivot in rows:
        if (row & bits).bit_count() & 1 != right:
            bits ^= 1 << pivot
    return bits


def _passage(tree: Tree, bits: int, order: Sequence[int], draws: Draws) -> tuple[Proposition, ...]:
    """Write the twins of all pairs, in the order given, with signs that give each link its bit."""
    signs = []
    link = 0
    for kind, variables in tree.pairs:
        # A fair coin for the clause's sign behind the arrow tells which twin has which signs.
        behind = draws.below(2)
        own = [behind] * len(variables)
        for before, _ in CLAUSES[kind]:
            own[before] = behind ^ 1 ^ (bits >> link & 1)
            link += 1
        signs.append([sign ^ negated for sign, negated in zip(own, NEGATED[kind], strict=True)])
    passage: list[Proposition] = []
    for place in order:
        pair, twin = divmod(place, 2)
        kind, variables = tree.pairs[pair]
        literals = [2 * v + (s ^ twin) for v, s in zip(variables, signs[pair], strict=True)]
        passage.append((kind, *literals))
    return tuple(passage)


def _either_way(first: int, last: int, draws: Draws) -> Proposition:
    """Write "first, then last" or its contrapositive."""
    return (IMPLICATION, first, last) if draws.chance(0.5) else (IMPLICATION, last ^ 1, first ^ 1)
