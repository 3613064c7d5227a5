"""What a reader of some rounds can count: forward from the facts, backward from the statement, and where both meet.

In a quartet all of it is equal in the members, as far as it takes fewer rounds than the quartet is deep. The names of
the counts say what is counted; literals and rules are those about persons, so that a rule about all is one a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from divlogic.logic.horn import UNREACHED, Program

Counts = dict[str, int]


class RuleBook:
    """Rules with their places: which literals they need, and which they conclude.

    Attributes:
        span: number of literals of one person.
    """

    def __init__(self, program: Program, span: int) -> None:
        self.program, self.span = program, span
        clauses = program.clauses
        self.bodies = Counter(chain.from_iterable(body for body, _, _ in clauses))
        self.heads = Counter(chain.from_iterable(heads for _, heads, _ in clauses))

    def derivations(self, facts: Iterable[int]) -> list[tuple[int, int, int]]:
        """Return of each round the new literals, the rules that apply first, and how many rules need what is new."""
        rounds = self.program.close(facts).rounds
        found: list[list[int]] = []
        for literal, number in enumerate(rounds):
            if 0 < number < UNREACHED:
                found += [[0, 0, 0] for _ in range(number - len(found))]
                found[number - 1][0] += 1
                found[number - 1][2] += self.bodies[literal]
        for body, _, _ in self.program.clauses:
            number = max(rounds[literal] for literal in body)
            if number < len(found):
                found[number][1] += 1
        return [(new, applied, needing) for new, applied, needing in found]

    def forward(
        self, facts: Sequence[int], depth: int, statement: int | None = None, *, signs: bool = True
    ) -> Counts:
        """Return what is counted in ``depth`` rounds from the facts.

        Args:
            statement: what is asked, for a reader who compares it with what he derives; ``None``: he does not read it.
            signs: whether counts of negative literals, and of opposites, are among them.
        """
        rounds = self.program.close(facts).rounds
        counts: Counts = {}
        for number in range(depth + 1):
            new = [literal for literal, first in enumerate(rounds) if first == number]
            counts |= _named(f"round {number}", self._about(new, signs))
            if signs:
                known = [literal for literal in new if rounds[literal ^ 1] <= number]
                counts[f"round {number}: opposites known"] = len(known)
            if number:
                applied = [
                    1
                    for body, _, _ in self.program.clauses
                    if max(rounds[literal] for literal in body) == number - 1
                ]
                counts[f"round {number}: rules that apply"] = len(applied)
            if statement is not None:
                counts |= _named(f"round {number}", self._like(new, statement, signs))
        return counts

    def both_ways(
        self, facts: Sequence[int], steps: int, statement: int, *, signs: bool = True
    ) -> Counts:
        """Return what is counted in so many rounds, and where ``f`` forward and the rest backward meet, for each f."""
        counts = self.forward(facts, steps, statement, signs=signs)
        rounds = self.program.close(facts).rounds
        for side, goal in (("statement", statement), ("opposite", statement ^ 1)):
            fronts = self._fronts(goal, steps)
            for back, front in enumerate(fronts):
                counts |= _named(f"{side}, {back} back", self._about(front, signs))
                ahead = steps - back
                known = [literal for literal in front if rounds[literal] <= ahead]
                denied = [literal for literal in front if rounds[literal ^ 1] <= ahead]
                counts[f"{side}, {back} back: known in {ahead}"] = len(known)
                counts[f"{side}, {back} back: denied in {ahead}"] = len(denied)
        return counts

    def _fronts(self, goal: int, steps: int) -> list[list[int]]:
        """Return the literals that rules need for a goal, step by step."""
        fronts, seen = [[goal]], {goal}
        for _ in range(steps):
            last = set(fronts[-1])
            needed = {
                part
                for body, heads, _ in self.program.clauses
                if not last.isdisjoint(heads)
                for part in body
            }
            fronts.append(sorted(needed - seen))
            seen |= needed
        return fronts

    def _about(self, literals: Sequence[int], signs: bool) -> Counts:
        """Count literals, the rules that need and conclude them, and those that need and conclude their opposites."""
        found = {
            "literals": len(literals),
            "rules that need them": sum(self.bodies[one] for one in literals),
            "rules that conclude them": sum(self.heads[one] for one in literals),
        }
        if signs:
            found |= {
                "negative": sum(one & 1 for one in literals),
                "rules that need their opposites": sum(self.bodies[one ^ 1] for one in literals),
                "rules that conclude their opposites": sum(self.heads[one ^ 1] for one in literals),
            }
        return found

    def _like(self, literals: Sequence[int], statement: int, signs: bool) -> Counts:
        """Count literals that are the statement or its opposite, or share its person, property or sign."""
        span = self.span
        found = {
            "the statement": literals.count(statement),
            "its opposite": literals.count(statement ^ 1),
            "of its person": sum(one // span == statement // span for one in literals),
            "of its property": sum(
                (one % span) >> 1 == (statement % span) >> 1 for one in literals
            ),
        }
        if signs:
            found["of its sign"] = sum((one ^ statement) & 1 == 0 for one in literals)
        return found


def _named(where: str, counts: Mapping[str, int]) -> Counts:
    return {f"{where}: {what}": number for what, number in counts.items()}


def differences(members: Sequence[Counts]) -> list[str]:
    """Return the counts that are not equal in all members of a quartet."""
    first, *others = members
    keys = dict.fromkeys(chain.from_iterable(members))
    return [key for key in keys if any(one.get(key) != first.get(key) for one in others)]
