"""Signed Horn programs that grow: what several sets of facts derive while clauses are added, and taken back again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from divlogic.logic.horn import UNREACHED, Clause

Promise: TypeAlias = tuple[int, Sequence[int]]
"""A literal and the rounds that it must have, state by state."""


class GrowingProgram:
    """Rounds of several sets of facts over the same clauses, kept up to date while facts and clauses are added.

    A generator adds a rule or a fact and wants to know at once whether what it has promised still holds; closing the
    whole program again for each addition would cost many times as much.

    An addition that would break a promise is undone and refused. The promises: the rounds of ``fixed`` literals do not
    change in any state, and no state holds a literal and its opposite, but for the literals of ``paradox``.

    Attributes:
        rounds: per state the round of each literal.
        fixed: literals whose rounds are fixed; the caller may add to them.
        _last: the clauses of the last addition, and what it changed: a list of the state, a place in it, the value
            before.
    """

    __slots__ = ("_last", "_paradox", "_watch", "fixed", "rounds")

    def __init__(
        self,
        size: int,
        states: Sequence[Iterable[int]],
        *,
        fixed: Iterable[int] = (),
        paradox: Iterable[int] = (),
    ) -> None:
        self._watch: list[list[Clause]] = [[] for _ in range(size)]
        self._last: tuple[Sequence[Clause], list[tuple[list[int], int, int]]] = ((), [])
        self.rounds = [[UNREACHED] * size for _ in states]
        for rounds, facts in zip(self.rounds, states, strict=True):
            for fact in facts:
                rounds[fact] = 0
        self.fixed, self._paradox = set(fixed), frozenset(paradox)

    def undo(self) -> None:
        """Take back the last addition (once)."""
        clauses, trail = self._last
        for values, literal, before in reversed(trail):
            values[literal] = before
        for body, _, _ in clauses:
            for literal in body:
                self._watch[literal].pop()
        self._last = ((), [])

    def add(
        self, clauses: Sequence[Clause], facts: Sequence[int] = (), expected: Promise | None = None
    ) -> bool:
        """Add clauses, and facts to every state; return whether that keeps the promises (if not, nothing is added).

        Args:
            expected: a literal and the rounds that it must have afterwards, state by state.
        """
        watch = self._watch
        for clause in clauses:
            for literal in clause[0]:
                watch[literal].append(clause)
        trail: list[tuple[list[int], int, int]] = []
        self._last = (clauses, trail)
        for rounds in self.rounds:
            due = [(fact, 0) for fact in facts if rounds[fact]]
            if not self._lower(rounds, [*due, *_earlier(rounds, clauses)], trail):
                break
        else:
            if expected is None or [rounds[expected[0]] for rounds in self.rounds] == expected[1]:
                return True
        self.undo()
        return False

    def _lower(
        self, rounds: list[int], due: list[tuple[int, int]], trail: list[tuple[list[int], int, int]]
    ) -> bool:
        """Lower rounds to what is due and pass that on; return whether the promises held."""
        fixed, paradox, watch = self.fixed, self._paradox, self._watch
        while due:
            literal, round_ = due.pop()
            if round_ >= rounds[literal]:
                continue
            if literal in fixed or (rounds[literal ^ 1] < UNREACHED and literal not in paradox):
                return False
            trail.append((rounds, literal, rounds[literal]))
            rounds[literal] = round_
            due += _earlier(rounds, watch[literal])
        return True


def _earlier(rounds: list[int], clauses: Iterable[Clause]) -> list[tuple[int, int]]:
    """Return the heads that clauses derive in an earlier round than so far, with that round."""
    found = []
    for body, heads, _ in clauses:
        last = 0
        for literal in body:
            if rounds[literal] > last:
                last = rounds[literal]
                if last == UNREACHED:
                    break
        else:
            found += [(head, last + 1) for head in heads if last + 1 < rounds[head]]
    return found
