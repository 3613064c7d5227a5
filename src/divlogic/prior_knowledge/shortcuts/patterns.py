"""What formulas show without inference: the pattern of the options, and where their variables stand in the passage."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, TypeAlias

from divlogic.logic import And, Formula, Implies, Not, Or, Var, parse

Literal: TypeAlias = tuple[str, bool]
"""A variable and whether it is negated."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule or a literal as DivLogicEval writes them.

    Attributes:
        kind: ``literal``, ``→``, ``∨`` or ``¬∧``: what joins the literals before the arrow, if there is an arrow.
        before: literals before the arrow.
        behind: the literal behind it, or the only one.
    """

    kind: str
    before: tuple[Literal, ...]
    behind: Literal

    @property
    def literals(self) -> tuple[Literal, ...]:
        """Return all literals in the order of the text."""
        return (*self.before, self.behind)


@lru_cache(maxsize=100_000)
def read_clause(text: str) -> Clause | None:
    """Read a formula in the papers' notation; ``None`` if it is not of one of DivLogicEval's forms."""
    try:
        formula = parse(text)
    except ValueError:
        return None
    single = _literal(formula)
    if single:
        return Clause("literal", (), single)
    if not isinstance(formula, Implies) or not (behind := _literal(formula.right)):
        return None
    kind: str
    parts: tuple[Formula, ...]
    match formula.left:
        case Or(left, right):
            kind, parts = "∨", (left, right)
        case Not(And(left, right)):
            kind, parts = "¬∧", (left, right)
        case other:
            kind, parts = "→", (other,)
    before = [literal for part in parts if (literal := _literal(part))]
    return Clause(kind, tuple(before), behind) if len(before) == len(parts) else None


def _literal(formula: Formula) -> Literal | None:
    match formula:
        case Var(name):
            return name, False
        case Not(Var(name)):
            return name, True
    return None


Pattern: TypeAlias = tuple[Any, ...]


def option_patterns(options: Sequence[Clause]) -> tuple[Pattern, ...]:
    """Return for each option the pattern of all options up to renaming and order, seen from that option.

    Two options of one list have the same pattern exactly if some renaming of the variables exchanges them. Where no
    pattern goes with being right, no reader of the options alone can do better than guess.
    """
    numbers: dict[str, int] = {}
    plain = []
    for option in options:
        row: list[object] = [option.kind]
        for name, negated in option.literals:
            row.append((numbers.setdefault(name, len(numbers)), negated))
        plain.append(tuple(row))
    return _patterns(tuple(plain))


@lru_cache(maxsize=100_000)
def _patterns(options: tuple[tuple[object, ...], ...]) -> tuple[Pattern, ...]:
    """Return the smallest renaming of the list from each option on."""
    found = []
    for at, option in enumerate(options):
        rest = [other for place, other in enumerate(options) if place != at]
        orders = permutations(rest) if len(rest) <= 4 else [rest]
        found.append(min(_renamed((option, *order)) for order in orders))
    return tuple(found)


def _renamed(options: Sequence[Pattern]) -> Pattern:
    """Number the variables in the order in which they come up."""
    numbers: dict[int, int] = {}
    rows = []
    for kind, *literals in options:
        rows.append(
            (kind, *[(numbers.setdefault(number, len(numbers)), negated) for number, negated in literals])
        )
    return tuple(rows)


def roles(passage: Sequence[Clause], conclusion: Clause | None) -> dict[str, list[int]]:
    """Count for each variable how often it stands in which place.

    Returns:
        Variable -> counts: before an arrow, behind one, as a fact, as a denied fact; then whether it stands in the
        conclusion, before its arrow, and behind.
    """
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
    for clause in passage:
        for name, _ in clause.before:
            counts[name][0] += 1
        name, negated = clause.behind
        counts[name][(2 + negated) if clause.kind == "literal" else 1] += 1
    if conclusion is not None:
        for name, _ in conclusion.before:
            counts[name][4] += 1
        counts[conclusion.behind[0]][5] += 1
    return counts


def odd_one_out(options: Sequence[Clause]) -> int | None:
    """Return the option that lacks a literal which the three others have on one side; ``None`` if there is no such.

    This is the untrained rule "one literal stands on the same side in exactly three options: take the fourth".
    """
    sides: dict[tuple[Literal, str], set[int]] = defaultdict(set)
    for at, option in enumerate(options):
        for literal, side in _sides(option):
            sides[literal, side].add(at)
    lacking = Counter(
        at
        for holders in sides.values()
        if len(holders) == len(options) - 1
        for at in range(len(options))
        if at not in holders
    )
    return min(lacking, key=lambda at: (-lacking[at], at)) if lacking else None


def _sides(option: Clause) -> Iterator[tuple[Literal, str]]:
    for literal in option.before:
        yield literal, "before"
    yield option.behind, "behind"
