"""Signed Horn programs that grow: what several sets of facts derive while clauses are added, and taken back again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from divlogic.logic.horn import UNREACHED, Clause

Promise: TypeAlias = tuple[int, Sequence[int]]
"""A literal and the rounds that it must have, state by state."""


class GrowingProgram:
    """What several sets of facts, the states, derive from the same clauses while facts and clauses are added.

    A generator adds a rule or a fact and wants to know at once whether what it has promised still holds; closing the
    whole program again for each addition would cost many times as much.

    An addition is undone and refused if some state would hold a literal and its opposite.

    Attributes:
        _held: per literal the states that hold it, a bit for each.
        _last: the clauses of the last addition, and what it changed: a list, a place in it, the value before.
    """

    __slots__ = ("_everywhere", "_held", "_last", "_watch")

    def __init__(self, size: int, states: Sequence[Iterable[int]]) -> None:
        self._watch: list[list[Clause]] = [[] for _ in range(size)]
        self._last: tuple[Sequence[Clause], list[tuple[list[int], int, int]]] = ((), [])
        self._held = [0] * size
        for number, facts in enumerate(states):
            for fact in facts:
                self._held[fact] |= 1 << number
        self._everywhere = (1 << len(states)) - 1

    def undo(self) -> None:
        """Take back the last addition (once)."""
        clauses, trail = self._last
        for values, literal, before in reversed(trail):
            values[literal] = before
        for body, _, _ in clauses:
            for literal in body:
                self._watch[literal].pop()
        self._last = ((), [])

    def add(self, clauses: Sequence[Clause], facts: Sequence[int] = ()) -> bool:
        """Add clauses, and facts to every state; return whether no state contradicts itself (if not, none is added)."""
        due = [(fact, self._everywhere) for fact in facts]
        due += [(head, states) for clause, states in self._begun(clauses) for head in clause[1]]
        return self._hold(due)

    def completed(self) -> bool:
        """Return whether deciding atom by atom finds a total model of each state; it may miss one that there is.

        Where the contrapositives of all clauses are clauses too, it is a model of them in classical logic. What was
        decided stays: ask when nothing is to be added any more.
        """
        for literal in range(0, len(self._held), 2):
            states = self._everywhere & ~(self._held[literal] | self._held[literal + 1])
            self._begun(())
            if not (self._hold([(literal, states)]) or self._hold([(literal + 1, states)])):
                return False
        return True

    def _hold(self, due: list[tuple[int, int]]) -> bool:
        """Add literals in some states and pass that on; undo all, and return false, if a state gets contradictory."""
        watch, held, trail = self._watch, self._held, self._last[1]
        while due:
            literal, states = due.pop()
            states &= ~held[literal]
            if not states:
                continue
            if states & held[literal ^ 1]:
                self.undo()
                return False
            trail.append((held, literal, held[literal]))
            held[literal] |= states
            for body, heads, _ in watch[literal]:
                now = states
                for part in body:
                    now &= held[part]
                if now:
                    due += [(head, now) for head in heads]
        return True

    def _begun(self, clauses: Sequence[Clause]) -> list[tuple[Clause, int]]:
        """Begin an addition; return the clauses that apply in some states, with these: by far most apply in none."""
        watch, held = self._watch, self._held
        self._last = (clauses, [])
        found = []
        for clause in clauses:
            states = self._everywhere
            for literal in clause[0]:
                watch[literal].append(clause)
                states &= held[literal]
            if states:
                found.append((clause, states))
        return found


class GrowingRounds(GrowingProgram):
    """A program that also knows the rounds in which literals are derived, and keeps further promises.

    These are: the rounds of ``fixed`` literals do not change in any state, and no state holds a literal and its
    opposite, but for the literals of ``paradox``.

    Attributes:
        rounds: per state the round of each literal.
        fixed: literals whose rounds are fixed; the caller may add to them.
    """

    __slots__ = ("_paradox", "fixed", "rounds")

    def __init__(
        self,
        size: int,
        states: Sequence[Iterable[int]],
        *,
        fixed: Iterable[int] = (),
        paradox: Iterable[int] = (),
    ) -> None:
        super().__init__(size, states)
        self.rounds = [[UNREACHED] * size for _ in states]
        for rounds, facts in zip(self.rounds, states, strict=True):
            for fact in facts:
                rounds[fact] = 0
        self.fixed, self._paradox = set(fixed), frozenset(paradox)

    def add(
        self, clauses: Sequence[Clause], facts: Sequence[int] = (), expected: Promise | None = None
    ) -> bool:
        """Add clauses, and facts to every state; return whether that keeps the promises (if not, nothing is added).

        Args:
            expected: a literal and the rounds that it must have afterwards, state by state.
        """
        applying = self._begun(clauses)
        for number, rounds in enumerate(self.rounds):
            due = [(fact, 0) for fact in facts if rounds[fact]]
            due += _earlier(rounds, [clause for clause, states in applying if states >> number & 1])
            if due and not self._lower(number, due):
                break
        else:
            if expected is None or [rounds[expected[0]] for rounds in self.rounds] == expected[1]:
                return True
        self.undo()
        return False

    def _lower(self, state: int, due: list[tuple[int, int]]) -> bool:
        """Lower the rounds of a state to what is due and pass that on; return whether the promises held."""
        fixed, paradox, watch, held = self.fixed, self._paradox, self._watch, self._held
        rounds, bit, trail = self.rounds[state], 1 << state, self._last[1]
        while due:
            literal, round_ = due.pop()
            if round_ >= rounds[literal]:
                continue
            if literal in fixed or (held[literal ^ 1] & bit and literal not in paradox):
                return False
            trail += ((rounds, literal, rounds[literal]), (held, literal, held[literal]))
            rounds[literal] = round_
            held[literal] |= bit
            if watch[literal]:
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
