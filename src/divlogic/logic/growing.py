"""The least model of a signed Horn program that grows, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from divlogic.logic.horn import Clause, Program


class GrowingModel:
    """What facts and clauses derive, while more of both are added.

    A generator adds a rule or a fact and wants to know at once whether some literal and its opposite would both be
    derived; closing the whole program again for each addition would cost many times as much.

    Attributes:
        held: the literals derived so far.
    """

    __slots__ = ("_watch", "held")

    def __init__(self, size: int, facts: Iterable[int], clauses: Sequence[Clause] = ()) -> None:
        """Start with facts and clauses, which may derive a literal and its opposite."""
        self.held = set(Program(clauses, size).close(facts).reached())
        self._watch: list[list[Clause]] = [[] for _ in range(size)]
        self._see(clauses)

    def add(self, clauses: Sequence[Clause], facts: Sequence[int] = ()) -> bool:
        """Add clauses and facts, unless a literal would be derived beside its opposite; return whether they are added.

        What was held in both signs before is no reason to refuse.
        """
        held, watch = self.held, self._watch
        self._see(clauses)
        due = list(facts)
        for body, heads, _ in clauses:
            if held.issuperset(body):
                due += heads
        new: list[int] = []
        while due:
            literal = due.pop()
            if literal in held:
                continue
            if literal ^ 1 in held:
                held.difference_update(new)
                for clause in clauses:
                    for part in clause[0]:
                        watch[part].remove(clause)
                return False
            held.add(literal)
            new.append(literal)
            for body, heads, _ in watch[literal]:
                if held.issuperset(body):
                    due += heads
        return True

    def _see(self, clauses: Sequence[Clause]) -> None:
        for clause in clauses:
            for literal in clause[0]:
                self._watch[literal].append(clause)
