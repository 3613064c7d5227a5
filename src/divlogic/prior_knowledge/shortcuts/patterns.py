"""What formulas show without inference: the pattern of the options, and where their variables stand in the passage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from divlogic.logic import Binary, Formula, Not, Var, parse
from divlogic.records import Record

FORMS = ("literal", "→", "∨", "¬∧")
"""Kinds of clauses."""

Literal: TypeAlias = tuple[str, bool]
"""A variable and whether it is negated."""


@dataclass(frozen=True, slots=True)
class SymbolicClause:
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

    @property
    def asserted(self) -> tuple[Literal, ...]:
        """Return the literals with their signs in clause form."""
        turned = self.kind != "¬∧"
        return (*((name, negated != turned) for name, negated in self.before), self.behind)


@dataclass(frozen=True, slots=True)
class Formulas:
    """The passage, the conclusion (of a missing premise) and the options of an instance."""

    premises: tuple[SymbolicClause, ...]
    conclusion: SymbolicClause | None
    options: tuple[SymbolicClause, ...]

    @property
    def clauses(self) -> tuple[SymbolicClause, ...]:
        """Return all clauses."""
        return (*self.premises, *filter(None, [self.conclusion]), *self.options)


def read_formulas(record: Record) -> Formulas | None:
    """Read the formulas of a record that states them as DivLogicEval does; ``None`` if it does not."""
    formulas = record.formulas or {}
    premises: Any = formulas.get("premises")
    options: Any = formulas.get("drawn_options") or formulas.get("options")
    if (
        not isinstance(premises, list)
        or not isinstance(options, list)
        or len(options) != len(record.options)
    ):
        return None
    stated = [*premises, *options, *filter(None, [formulas.get("conclusion")])]
    clauses = [clause for text in stated if (clause := read_clause(text))]
    if len(clauses) < len(stated):
        return None
    first, last = len(premises), len(premises) + len(options)
    return Formulas(tuple(clauses[:first]), (*clauses[last:], None)[0], tuple(clauses[first:last]))


@lru_cache(maxsize=100_000)
def read_clause(text: str) -> SymbolicClause | None:
    """Read a formula in the papers' notation; ``None`` if it is not of one of DivLogicEval's forms."""
    try:
        formula = parse(text)
    except ValueError:
        return None
    single = _literal(formula)
    if single:
        return SymbolicClause("literal", (), single)
    if (
        not isinstance(formula, Binary)
        or formula.sign != "→"
        or not (behind := _literal(formula.right))
    ):
        return None
    kind: str
    parts: tuple[Formula, ...]
    match formula.left:
        case Binary("∨", left, right):
            kind, parts = "∨", (left, right)
        case Not(Binary("∧", left, right)):
            kind, parts = "¬∧", (left, right)
        case other:
            kind, parts = "→", (other,)
    before = [literal for part in parts if (literal := _literal(part))]
    return SymbolicClause(kind, tuple(before), behind) if len(before) == len(parts) else None


def _literal(formula: Formula) -> Literal | None:
    match formula:
        case Var(name):
            return name, False
        case Not(Var(name)):
            return name, True
    return None


Pattern: TypeAlias = tuple[int, int]
"""A coarse and a fine pattern, as hashes."""

_ROUNDS = 3

Place: TypeAlias = tuple[int, int, bool]
"""Of a literal: what joins it with others (0: or, 1: and, 2: what follows from these), its variable, its sign."""


def option_patterns(options: Sequence[SymbolicClause]) -> tuple[Pattern, ...]:
    """Return for each option the patterns of all options up to renaming and order, seen from that option.

    An implication is read as a disjunction, so that *if A, then B* and *if not B, not A* are the same. Options that a
    renaming of variables exchanges have the same fine pattern, those that a renaming of literals (A for not B)
    exchanges the same coarse one.
    """
    numbers: dict[str, int] = {}
    plain = []
    for option in options:
        row = []
        for place, (name, negated) in enumerate(option.literals):
            ahead = place < len(option.before)
            joined = option.kind in ("∨", "¬∧")
            # (A∨B)→C is (¬A∧¬B)∨C, ¬(A∧B)→C is (A∧B)∨C.
            sign = negated != (ahead and option.kind != "¬∧")
            row.append(
                ((1 if ahead else 2) if joined else 0, numbers.setdefault(name, len(numbers)), sign)
            )
        plain.append(tuple(row))
    return _patterns(tuple(plain))


@lru_cache(maxsize=20_000)
def _patterns(options: tuple[tuple[Place, ...], ...]) -> tuple[Pattern, ...]:
    return tuple(
        zip(_refined(options, turning=True), _refined(options, turning=False), strict=True)
    )


def _refined(options: Sequence[Sequence[Place]], *, turning: bool) -> list[int]:
    """Colour options by the colours of their variables and these by those of their options, round after round.

    With ``turning`` each variable is read as that of its two literals that comes first; where both look alike, signs
    tell nothing. Hashes of whole numbers are the same in every process.
    """
    colours = [len(option) for option in options]
    for _ in range(_ROUNDS):
        places: dict[int, list[Place]] = defaultdict(list)
        for colour, option in zip(colours, options, strict=True):
            for joined, variable, sign in option:
                places[variable].append((colour, joined, sign))
        seen: dict[int, tuple[int, tuple[bool, bool]]] = {}
        for variable, own in places.items():
            plain, signs = sorted(own), (False, True)
            if turning:
                turned = sorted([(colour, joined, not sign) for colour, joined, sign in own])
                signs = (False, False) if turned == plain else (turned < plain, plain < turned)
                plain = min(plain, turned)
            seen[variable] = hash(tuple(plain)), signs
        for at, option in enumerate(options):
            parts = []
            for joined, variable, sign in option:
                colour, signs = seen[variable]
                parts.append((joined, colour, signs[sign]))
            parts.sort()
            colours[at] = hash((colours[at], tuple(parts)))
    whole = tuple(sorted(colours))
    return [hash((colour, whole)) for colour in colours]


def pure_literal(one: Formulas) -> list[float]:
    """Score options by the untrained rule that each of their literals must occur in the passage, signs as in clauses.

    What follows holds literals that some sentence asserts; a missing premise those that a sentence denies.
    """
    seen = {literal for clause in one.premises for literal in clause.asserted}
    if one.conclusion is None:
        return [float(seen.issuperset(option.asserted)) for option in one.options]
    seen |= {_turned(literal) for literal in one.conclusion.asserted}
    return [float(seen.issuperset(map(_turned, option.asserted))) for option in one.options]


def _turned(literal: Literal) -> Literal:
    return literal[0], not literal[1]
