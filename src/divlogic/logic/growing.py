"""Signed Horn programs that grow: what several sets of facts derive while clauses are added, and taken back again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from divlogic.logic.horn import UNREACHED, Clause

Promise: TypeAlias = tuple[int, Sequence[int]]
"""A literal and the rounds that it must have, state by state."""


class _Growing:
    """What several sets of facts derive from clauses that are added one after another.

    Attributes:
        _last: the clauses of the last addition, and what it changed: a list of the state, a place in it, the value
            before.
    """

    __slots__ = ("_last", "_watch")

    def __init__(self, size: int) -> None:
        self._watch: list[list[Clause]] = [[] for _ in range(size)]
        self._last: tuple[Sequence[Clause], list[tuple[list[int], int, int]]] = ((), [])

    def undo(self) -> None:
        """Take back the last addition (once); a literal that it has fixed stays fixed."""
        clauses, trail = self._last
        for values, literal, before in reversed(trail):
            values[literal] = before
        for body, _, _ in clauses:
            for literal in body:
                self._watch[literal].pop()
        self._last = ((), [])


class GrowingProgram(_Growing):
    """Rounds of several sets of facts over the same clauses, kept up to date while facts and clauses are added.

    A generator adds a rule or a fact and wants to know at once whether what it has promised still holds; closing the
    whole program again for each addition would cost many times as much.

    An addition that would break a promise is undone and refused. The promises: the rounds of ``fixed`` literals do not
    change in any state, and no state holds a literal and its opposite, but for the literals of ``paradox``.

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
        super().__init__(size)
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
            expected: a literal and the rounds that it must have afterwards, state by state; it is fixed then.
        """
        watch = self._watch
        for clause in clauses:
            for literal in clause[0]:
                watch[literal].append(clause)
        trail: list[tuple[list[int], int, int]] = []
        for rounds in self.rounds:
            due = [(fact, 0) for fact in facts if rounds[fact]]
            for body, heads, _ in clauses:
                last = 0
                for literal in body:
                    if rounds[literal] > last:
                        last = rounds[literal]
                        if last == UNREACHED:
                            break
                else:
                    due += [(head, last + 1) for head in heads if last + 1 < rounds[head]]
            if due and not self._lower(rounds, due, trail):
                break
        else:
            self._last = (clauses, trail)
            if expected is None:
                return True
            if [rounds[expected[0]] for rounds in self.rounds] == expected[1]:
                self.fixed.add(expected[0])
                return True
        self._last = (clauses, trail)
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
            for body, heads, _ in watch[literal]:
                last = 0
                for premise in body:
                    if rounds[premise] > last:
                        last = rounds[premise]
                        if last == UNREACHED:
                            break
                else:
                    due += [(head, last + 1) for head in heads if last + 1 < rounds[head]]
        return True


class GrowingReach(_Growing):
    """What several sets of facts derive from the same clauses, without rounds; the states are the bits of one integer.

    An addition after which some state would hold a literal and its opposite is undone and refused. Which literals a
    state holds does not depend on the order of derivation, so that one pass serves all states.
    """

    __slots__ = ("_all", "_held")

    def __init__(self, size: int, states: Sequence[Iterable[int]]) -> None:
        super().__init__(size)
        self._all = (1 << len(states)) - 1
        self._held = [0] * size
        for number, facts in enumerate(states):
            for fact in facts:
                self._held[fact] |= 1 << number

    def add(self, clauses: Sequence[Clause] = (), facts: Sequence[int] = ()) -> bool:
        """Add clauses, and facts to every state; return whether no state contradicts itself (else nothing is added)."""
        watch, held = self._watch, self._held
        due = [(fact, self._all) for fact in facts]
        for clause in clauses:
            states = self._all
            for literal in clause[0]:
                watch[literal].append(clause)
                states &= held[literal]
            if states:
                due += [(head, states) for head in clause[1]]
        trail: list[tuple[list[int], int, int]] = []
        self._last = (clauses, trail)
        while due:
            literal, states = due.pop()
            before = held[literal]
            if not states & ~before:
                continue
            trail.append((held, literal, before))
            held[literal] = now = before | states
            if now & held[literal ^ 1]:
                self.undo()
                return False
            for body, heads, _ in watch[literal]:
                for premise in body:
                    now &= held[premise]
                    if not now:
                        break
                else:
                    due += [(head, now) for head in heads if now & ~held[head]]
                now = held[literal]
        return True
