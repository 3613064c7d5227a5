"""Readers of whole passages who take a rule for something else than it says, and one who does not.

correct        the rule and its contrapositive
iff            the rule both ways: *if* is taken for *if and only if*
converse       the rule backwards alone (affirming the consequent)
forward only   the rule as it is said, never its contrapositive; this reader makes no error, but misses much
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from divlogic.prior_knowledge.shortcuts.patterns import Formulas, Literal, SymbolicClause

READINGS = ("correct", "iff", "converse", "forward only")
Edges = dict[Literal, set[Literal]]


def options_that_fit(instance: Formulas, reading: str) -> list[bool]:
    """Return for each option whether it follows to a reader; of a missing premise whether the conclusion then does."""
    if instance.conclusion is None:
        return [_follows(instance.premises, option, reading) for option in instance.options]
    fitting = []
    for option in instance.options:
        # It is granted in both wordings: an assumption of one's own is not read off the page.
        stated = [*instance.premises, option, _contrapositive(option)]
        fitting.append(_follows(stated, instance.conclusion, reading))
    return fitting


def _follows(stated: Sequence[SymbolicClause], goal: SymbolicClause, reading: str) -> bool:
    edges: Edges = {}
    facts: set[Literal] = set()
    for clause in stated:
        if not clause.before:
            facts.add(clause.behind)
        for before, behind in _implications(clause):
            for start, end in _taken_as(before, behind, reading):
                edges.setdefault(start, set()).add(end)
    return all(
        _derives(edges, facts, before, behind, reading) for before, behind in _implications(goal)
    )


def _derives(
    edges: Edges, facts: set[Literal], before: Literal, behind: Literal, reading: str
) -> bool:
    """Return whether ``behind`` is reached from ``before``, or the denial of this from the denial of that."""
    onwards = _reached(edges, {before, *facts})
    backwards = _reached(edges, {_denied(behind), *facts})
    if reading in ("correct", "iff"):
        # Who contraposes refutes the denial of the option: something and its denial are reached.
        both = onwards | backwards
        return any(_denied(literal) in both for literal in both)
    return behind in onwards or _denied(before) in backwards


def _taken_as(before: Literal, behind: Literal, reading: str) -> Iterator[tuple[Literal, Literal]]:
    """Yield what a reader takes "before, then behind" to allow, as (start, end)."""
    if reading != "converse":
        yield before, behind
    if reading in ("correct", "iff"):
        yield _denied(behind), _denied(before)
    if reading in ("iff", "converse"):
        yield behind, before
    if reading == "iff":
        yield _denied(before), _denied(behind)


def _implications(clause: SymbolicClause) -> Iterator[tuple[Literal, Literal]]:
    """Yield the implications between literals that a rule amounts to; a literal L is ¬L → L."""
    if not clause.before:
        yield _denied(clause.behind), clause.behind
    for literal in clause.before:
        yield (_denied(literal) if clause.kind == "¬∧" else literal), clause.behind


def _contrapositive(clause: SymbolicClause) -> SymbolicClause:
    if len(clause.before) != 1:
        return clause
    return SymbolicClause("→", (_denied(clause.behind),), _denied(clause.before[0]))


def _denied(literal: Literal) -> Literal:
    name, negated = literal
    return name, not negated


def _reached(edges: Edges, starts: set[Literal]) -> set[Literal]:
    found = set(starts)
    left = list(starts)
    while left:
        new = edges.get(left.pop(), set()) - found
        found |= new
        left += new
    return found
