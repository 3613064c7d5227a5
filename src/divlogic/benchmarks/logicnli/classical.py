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
        return self._search(bytearray(self.size), list(literals))

    def _search(self, value: bytearray, due: list[int], start: int = 0) -> bool:
        """Decide by unit propagation and branching (Davis, Putnam, Logemann and Loveland); clauses before are true."""
        while due:
            literal = due.pop()
            if value[literal ^ 1]:
                return False
            if value[literal]:
                continue
            value[literal] = 1
            for number in self._watch[literal]:
                open_ = -1
                for part in self._clauses[number]:
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
        for number in range(start, len(self._clauses)):
            disjunction = self._clauses[number]
            for part in disjunction:
                if value[part]:
                    break
            else:
                parts = [part for part in disjunction if not value[part ^ 1]]
                return any(self._search(bytearray(value), [part], number + 1) for part in parts)
        return True
