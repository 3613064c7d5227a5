"""Directed quartets: rules that hold one way only, of which a negation that wanders opens or blocks a chain.

The four passages share rules, variables and places. Each variable is negated as often before, and as often behind, the
arrows of each kind of rule, but in other premises. A reader who takes *if* for *if and only if* fails. What a step of
inference tells is not hidden as in parity quartets: chains have blocked junctions, which can be counted.

All assignments of signs that are drawn for one skeleton are decided at once: an integer holds one bit for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import combinations
from operator import mul, or_

from divlogic.benchmarks.divlogiceval.propositions import CLAUSES, IMPLICATION, NEGATED, OPTIONS, Quartet
from divlogic.draws import Draws

ASSIGNMENTS = 128
"""Assignments of signs that are drawn for one skeleton."""

EVERY = (1 << ASSIGNMENTS) - 1
"""All of them, as bits."""

MISLED = {"3c1e": 4, "3e1c": 1, "missing_premise": 1}
"""Passages of a quartet at least in which who reads *if* as *if and only if* cannot tell the answer."""

CHAIN = 3
"""Smallest number of premises of the passage that a chain needs; neighbours give shorter ones away."""

_AGAIN = 9
_LEAST_WANDERING = 6
"""Classes of places among which a negation wanders: with fewer there is hardly ever a quartet."""
_ATTEMPTS = 400
_ENDS = 6

Skeleton = Sequence[tuple[int, tuple[int, ...]]]
"""The kind of each rule and its variables."""

Option = tuple[int, int]
"""The literals of an implication."""

Found = tuple[list[Option], list[int]]
"""Four options, and for each the assignments in which it is the odd one out."""


@dataclass(frozen=True, slots=True)
class DirectedSetting:
    """How directed quartets of one type and depth are drawn.

    Attributes:
        depth: number of premises that an answer needs (k), a missing one included.
        uses: premises in which a variable stands at most.
        used: number of variables in use at most.
    """

    depth: int
    premises: int
    kinds: tuple[tuple[int, float], ...]
    uses: int
    used: int
    variables: int


def draw_directed(question_type: str, setting: DirectedSetting, draws: Draws) -> Quartet | None:
    """Draw a quartet; ``None`` if the rules that came up hold none."""
    missing = question_type == "missing_premise"
    skeleton = _draw_skeleton(setting, missing, draws)
    if skeleton is None:
        return None
    signs = _draw_signs(skeleton, draws)
    right, wrong = _Decided(skeleton, signs, setting.depth - missing).options()
    misread = cache(lambda: _Decided(skeleton, signs, both_ways=True))
    odd_follows = question_type != "3e1c"
    if not odd_follows:
        right, wrong = wrong, right
    search = _Search(right, wrong, misread, odd_follows, MISLED[question_type], draws)
    found = search.to_one_end() if missing else search.among(list(right))
    if found is None:
        return None
    ends, members = found
    conclusion = None
    if missing:
        used = {variable for _, variables in skeleton for variable in variables}
        fresh = 2 * draws.pick(sorted(set(range(setting.variables)) - used)) + draws.below(2)
        conclusion = (IMPLICATION, fresh, ends[0][1])
        ends = [(fresh, first) for first, _ in ends]
    passages = []
    for member in members:
        chosen = draws.pick([at for at in range(ASSIGNMENTS) if member >> at & 1])
        places = iter(signs)
        rules = [
            (kind, *[2 * variable + (next(places) >> chosen & 1) for variable in variables])
            for kind, variables in skeleton
        ]
        passages.append(tuple(rules))
    options = tuple([(IMPLICATION, first, last) for first, last in ends])
    return Quartet("directed", setting.depth, tuple(passages), conclusion, options)


def _draw_skeleton(setting: DirectedSetting, missing: bool, draws: Draws) -> Skeleton | None:
    """Draw the rules and their variables, rarer variables more often (Eq. 3); ``None`` if they run out.

    A variable that stands an odd number of times in one class of places is the likelier there: its negation can wander.
    """
    kinds, weights = zip(*setting.kinds, strict=True)
    rules = [kinds[draws.weighted(weights)] for _ in range(setting.premises)]
    slots: list[list[int]] = [[-1] * len(NEGATED[kind]) for kind in rules]
    names = draws.shuffled(range(setting.variables))[: setting.used - missing]
    used, most = [0] * len(names), 1
    left = [min(1, setting.uses)] * len(names)
    classes = {(kind, behind): ([0] * len(names), [1] * len(names)) for kind in kinds for behind in (0, 1)}
    places = [(own, at, rules[rule]) for rule, own in enumerate(slots) for at in range(len(own))]
    wandering = 0
    for own, at, kind in draws.shuffled(places):
        alike, likelier = classes[kind, at == len(own) - 1]
        chances = list(map(mul, left, likelier))
        for name in own:
            if name >= 0:
                chances[name] = 0
        if not any(chances):
            return None
        name = draws.weighted(chances)
        own[at] = name
        used[name] += 1
        if used[name] == most:
            most += 1
            left = [most - uses if uses < setting.uses else 0 for uses in used]
        else:
            left[name] = most - used[name] if used[name] < setting.uses else 0
        alike[name] += 1
        likelier[name] = _AGAIN if alike[name] % 2 else 1
        wandering += alike[name] == 2
    if wandering < _LEAST_WANDERING:
        return None
    return [(kind, tuple([names[name] for name in own])) for kind, own in zip(rules, slots, strict=True)]


def _draw_signs(skeleton: Skeleton, draws: Draws) -> list[int]:
    """Draw for each place of each rule its signs in all assignments, one bit for each.

    Of the places of a variable before (behind) the arrows of one kind of rule a fixed number is negated, half of them.
    """
    classes: dict[tuple[int, int, bool], list[int]] = {}
    count = 0
    for kind, variables in skeleton:
        for at, variable in enumerate(variables):
            classes.setdefault((variable, kind, at == len(variables) - 1), []).append(count)
            count += 1
    signs = [0] * count
    for places in classes.values():
        negated = (len(places) + draws.below(2)) // 2
        if len(places) == 1:
            # A single sign is the same in all assignments: negated in every fourth case.
            signs[places[0]] = EVERY * draws.chance(0.25)
        elif len(places) == 2:
            wandering = _random_bits(draws)
            signs[places[0]], signs[places[1]] = wandering, wandering ^ EVERY
        else:
            choices = list(combinations(places, negated))
            chosen = [0] * len(choices)
            for assignment in range(ASSIGNMENTS):
                chosen[draws.below(len(choices))] |= 1 << assignment
            for choice, bits in zip(choices, chosen, strict=True):
                for place in choice:
                    signs[place] |= bits
    return signs


def _random_bits(draws: Draws) -> int:
    """Draw one bit for each assignment."""
    bits = 0
    for _ in range(0, ASSIGNMENTS, 32):
        bits = bits << 32 | draws.below(1 << 32)
    return bits


class _Decided:
    """What follows from what in every assignment (a bit of ``signs``): reachability of literals (2-SAT), in steps.

    An integer holds for each literal, at its place, the assignments in which it is reached from one literal.
    """

    def __init__(
        self, skeleton: Skeleton, signs: Sequence[int], length: int = 0, *, both_ways: bool = False
    ) -> None:
        variables = sorted({one for _, own in skeleton for one in own})
        self.literals = [2 * variable + sign for variable in variables for sign in (0, 1)]
        self.place = {literal: at * ASSIGNMENTS for at, literal in enumerate(self.literals)}
        self.spread = sum([1 << place for place in self.place.values()])
        edges: dict[int, dict[int, int]] = {literal: {} for literal in self.literals}
        first = 0
        for kind, own in skeleton:
            # For each place the assignments in which its clause literal is positive, and negative.
            clause = []
            for at, negated in enumerate(NEGATED[kind]):
                bits = signs[first + at]
                clause.append((bits, EVERY ^ bits) if negated else (EVERY ^ bits, bits))
            for one, other in CLAUSES[kind]:
                for sign in (0, 1):
                    for last in (0, 1):
                        where = clause[one][sign] & clause[other][last]
                        if both_ways:
                            where |= clause[one][sign ^ 1] & clause[other][last ^ 1]
                        if where:
                            x, y = 2 * own[one] + sign, 2 * own[other] + last
                            where *= self.spread
                            edges[x ^ 1][y] = edges[x ^ 1].get(y, 0) | where
                            edges[y ^ 1][x] = edges[y ^ 1].get(x, 0) | where
            first += len(own)
        self.edges = [(literal, list(ends.items())) for literal, ends in edges.items()]
        before = {literal: EVERY << place for literal, place in self.place.items()}
        reached = before
        for _ in range(length):
            before, reached = reached, {}
            self._step(before, reached)
        self.exactly = {literal: out & ~before[literal] for literal, out in reached.items()}
        # The rest of the way in any number of steps: what one literal has reached already serves the next.
        self.reached, before = dict(reached), {}
        while self.reached != before:
            before = dict(self.reached)
            self._step(self.reached, self.reached)

    def _step(self, before: Mapping[int, int], after: dict[int, int]) -> None:
        """Write what is reached from each literal in one step more."""
        for literal, ends in self.edges:
            reached = before[literal]
            for to, where in ends:
                reached |= where & before[to]
            after[literal] = reached

    def follows(self, first: int, last: int) -> int:
        """Return the assignments in which ``last`` is reached from ``first``."""
        return self.reached[first] >> self.place[last] & EVERY

    def options(self) -> tuple[dict[Option, int], dict[Option, int]]:
        """Return the implications that follow from ``length`` premises and no fewer, and do not follow, by assignment.

        Only assignments count in which no variable is settled: then the premises can be true, and no implication holds
        vacuously. Of an implication and its contrapositive one is listed.
        """
        open_ = EVERY
        for literal in self.literals:
            open_ &= ~self.follows(literal ^ 1, literal)
        right, wrong = {}, {}
        for first in self.literals if open_ else ():
            # Of all places at once: one shift for each option, and none where nothing is reached in so many steps.
            exactly = self.exactly[first] & open_ * self.spread
            for last in self.literals if exactly else ():
                if first >> 1 == last >> 1 or first > last ^ 1:
                    continue
                if (exact := exactly >> self.place[last] & EVERY) and (
                    missed := open_ & ~self.follows(first, last)
                ):
                    right[first, last], wrong[first, last] = exact, missed
        return right, wrong


@dataclass(frozen=True, slots=True)
class _Search:
    """Finds four options and for each the assignments in which it is the odd one out.

    Attributes:
        odd, even: option -> assignments in which it has the odd one's part, and that of the others.
        misread: returns what seems to follow to who reads *if* as *if and only if*; few searches come to ask.
        misled: passages at least in which such a reader cannot tell the odd one.
    """

    odd: Mapping[Option, int]
    even: Mapping[Option, int]
    misread: Callable[[], _Decided]
    odd_follows: bool
    misled: int
    draws: Draws

    def to_one_end(self) -> Found | None:
        """Search among the options with one consequent, either way round."""
        ending: dict[int, list[Option]] = {}
        for first, last in self.odd:
            ending.setdefault(last, []).append((first, last))
            ending.setdefault(first ^ 1, []).append((last ^ 1, first ^ 1))
        ends = [own for own in ending.values() if len(own) >= OPTIONS]
        return next(filter(None, map(self.among, self.draws.shuffled(ends)[:_ENDS])), None)

    def among(self, options: Sequence[Option]) -> Found | None:
        """Search among some options, by backtracking."""
        options = self.draws.shuffled(options)
        odd = [self.odd[self._listed(option)] for option in options]
        even = [self.even[self._listed(option)] for option in options]
        left = _ATTEMPTS

        def extend(chosen: list[Option], members: list[int], others: int, start: int) -> Found | None:
            nonlocal left
            firsts = [option[0] for option in chosen]
            for at in range(start, len(options)):
                own = odd[at] & others
                if not own or options[at][0] in firsts:
                    continue
                left -= 1
                follows = even[at]
                kept = [member & follows for member in members]
                if 0 not in kept:
                    four = [*chosen, options[at]]
                    if len(four) == OPTIONS:
                        if found := self._misleading(four, [*kept, own]):
                            return four, found
                    elif deeper := extend(four, [*kept, own], others & follows, at + 1):
                        return deeper
                if left < 0:
                    return None
            return None

        return extend([], [], EVERY, 0)

    def _listed(self, option: Option) -> Option:
        return option if option in self.odd else (option[1] ^ 1, option[0] ^ 1)

    def _misleading(self, options: Sequence[Option], members: Sequence[int]) -> list[int]:
        """Keep of each member the assignments that mislead, if there are any; empty if too few members have some."""
        seeming = [self.misread().follows(*option) for option in options]
        kept, count = [], 0
        for at, member in enumerate(members):
            others = reduce(or_, seeming[:at] + seeming[at + 1 :])
            misleading = member & (others if self.odd_follows else seeming[at])
            count += misleading != 0
            kept.append(misleading or member)
        return kept if count >= self.misled else []
