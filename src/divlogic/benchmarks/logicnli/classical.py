"""Satisfiability in classical logic of a ground theory of LogicNLI.

The rules are universal sentences without functions, so that a theory has a model over an open domain exactly if its
instances for the named persons have one. The ``everyone`` classes are read over the named persons; the text of such a
theory says that there is nobody else. A reader who contraposes reasons in this logic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from divlogic.logic.horn import Clause


class ClassicalTheory:
    """Clauses of signed Horn programs, read as material implications over unsigned atoms."""

    def __init__(self, clauses: Sequence[Clause], size: int) -> None:
        self.size = size
        disjunctions = {
            tuple(sorted({premise ^ 1 for premise in body} | {head}))
            for body, heads, _ in clauses
            for head in heads
        }
        # A disjunction that holds a literal and its opposite is always true.
        self._clauses = sorted(one for one in disjunctions if not any(part ^ 1 in one for part in one))
        self._watch: list[list[int]] = [[] for _ in range(size)]
        for number, disjunction in enumerate(self._clauses):
            for part in disjunction:
                self._watch[part ^ 1].append(number)

    def satisfiable(self, literals: Iterable[int]) -> bool:
        """Return whether some valuation makes the clauses and the literals true."""
        value = bytearray(self.size)
        return self._assign(value, list(literals)) and self._search(value)

    def _search(self, value: bytearray, start: int = 0) -> bool:
        """Decide by unit propagation and branching (Davis, Putnam, Logemann and Loveland); clauses before are true."""
        for number in range(start, len(self._clauses)):
            disjunction = self._clauses[number]
            for part in disjunction:
                if value[part]:
                    break
            else:
                for part in disjunction:
                    if not value[part ^ 1]:
                        trial = bytearray(value)
                        if self._assign(trial, [part]) and self._search(trial, number + 1):
                            return True
                        if not self._assign(value, [part ^ 1]):
                            return False
                        if any(value[other] for other in disjunction):
                            break
                else:
                    return False
        return True

    def _assign(self, value: bytearray, due: list[int]) -> bool:
        """Make literals true and propagate units; return whether no clause is false."""
        clauses, watch = self._clauses, self._watch
        while due:
            literal = due.pop()
            if value[literal]:
                continue
            if value[literal ^ 1]:
                return False
            value[literal] = 1
            for number in watch[literal]:
                open_ = -1
                for part in clauses[number]:
                    if value[part]:
                        break
                    if not value[part ^ 1]:
                        if open_ >= 0:
                            break
                        open_ = part
                else:
                    if open_ < 0:
                        return False
                    due.append(open_)
        return True
