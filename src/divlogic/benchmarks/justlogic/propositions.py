"""Propositions as the generator handles them: nested tuples over numbered atoms.

A literal is an integer, ``2 * atom`` for the atom and ``2 * atom + 1`` for its negation. A compound is a tuple of its
connective and its parts: ``("→", p, q)``, ``("∨", p, q)``, ``("¬", p)`` with p compound. (Lists, as JSON gives
them back, do as well.) This is several times faster than the syntax trees of :mod:`divlogic.logic`, into which
:func:`to_formula` turns them.
"""

from __future__ import annotations

import operator
import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal, TypeAlias

from divlogic.benchmarks.justlogic.parameters import LINKS, JustLogicParameters
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.logic import Formula, Implies, Not, Or, Var
from divlogic.logic.tables import valuations

Proposition: TypeAlias = Any
"""``int | tuple[str, Proposition] | tuple[str, Proposition, Proposition]``."""

IF, OR, NOT = "→", "∨", "¬"

Label = Literal["true", "false", "uncertain"]

MOST_ATOMS_OF_A_TABLE = 18
"""With more atoms Z3 is faster than tables of 2**atoms bits."""


def negated(p: Proposition) -> Proposition:
    """Negate a proposition; a double negation is taken away."""
    if type(p) is int:
        return p ^ 1
    return p[1] if p[0] == NOT else (NOT, p)


def nesting(p: Proposition) -> int:
    """Return how deep conditionals and disjunctions are nested: 0 for a literal, 1 for ``A→B`` and ``¬(A∨B)``."""
    if type(p) is int:
        return 0
    return nesting(p[1]) if p[0] == NOT else 1 + max(nesting(p[1]), nesting(p[2]))


def atoms_of(p: Proposition) -> list[int]:
    """List the atoms of a proposition from left to right, one that occurs twice twice."""
    if type(p) is int:
        return [p >> 1]
    return [atom for part in p[1:] for atom in atoms_of(part)]


def is_denied(p: Proposition) -> bool:
    """Return whether a proposition is a negation."""
    return bool(p & 1) if type(p) is int else p[0] == NOT


def substituted(p: Proposition, atom: int, new: Proposition, opposite: Proposition) -> Proposition:
    """Put a proposition in the place of an atom, and what denies it in that of the atom's negation."""
    if type(p) is int:
        return p if p >> 1 != atom else opposite if p & 1 else new
    parts = [substituted(part, atom, new, opposite) for part in p[1:]]
    return negated(parts[0]) if p[0] == NOT else (p[0], *parts)


def table(p: Proposition, masks: Sequence[int], full: int) -> int:
    """Return the bit set of the valuations that make ``p`` true; see :func:`divlogic.logic.tables.valuations`."""
    if type(p) is int:
        return full ^ masks[p >> 1] if p & 1 else masks[p >> 1]
    if p[0] == IF:
        return (full ^ table(p[1], masks, full)) | table(p[2], masks, full)
    if p[0] == OR:
        return table(p[1], masks, full) | table(p[2], masks, full)
    return full ^ table(p[1], masks, full)


def to_formula(p: Proposition, names: Sequence[str]) -> Formula:
    """Return the syntax tree of a proposition."""
    if type(p) is int:
        return Not(Var(names[p >> 1])) if p & 1 else Var(names[p >> 1])
    parts = [to_formula(part, names) for part in p[1:]]
    return Implies(*parts) if p[0] == IF else Or(*parts) if p[0] == OR else Not(*parts)


def notation(p: Proposition, literals: Sequence[str]) -> str:
    """Print a proposition as :func:`divlogic.logic.to_text` does its formula, with literals ``A``, ``¬A``, ``B`` ..."""
    if type(p) is int:
        return literals[p]
    parts = [literals[part] if type(part) is int else notation(part, literals) for part in p[1:]]
    return "¬" + parts[0] if p[0] == NOT else f"({parts[0]}{p[0]}{parts[1]})"


@lru_cache(maxsize=64)
def atom_names(count: int) -> tuple[str, ...]:
    """Name atoms A ... Z, then A1 ... Z1 and so on."""
    letters = string.ascii_uppercase
    return tuple(letters[i % 26] + (str(i // 26) if i >= 26 else "") for i in range(count))


def decide(
    premises: Sequence[Any], conclusion: Proposition, query: Proposition, atoms: int
) -> Label | None:
    """Return what an argument says of a query: ``true`` if it entails it, ``false`` if it refutes it, or ``uncertain``.

    It is ``None`` if the premises cannot all be true, or do not entail the conclusion, or do without one of them. This
    is decided by truth tables, or by Z3 if these would be too large; neither looks at how the argument was made.
    """
    if atoms > MOST_ATOMS_OF_A_TABLE:
        return _decide_by_z3(premises, conclusion, query, atoms)
    full, masks = valuations(atoms)
    tables = [table(premise, masks, full) for premise in premises]
    counter = full ^ table(conclusion, masks, full)
    # What the premises before each one leave of the valuations that refute the conclusion.
    *lefts, left = accumulate(tables, operator.and_, initial=counter)
    model = full
    for before, premise in zip(reversed(lefts), reversed(tables), strict=True):
        if not before & model:
            return None
        model &= premise
    if left or not model:
        return None
    true = table(query, masks, full)
    return "true" if not model & ~true else "false" if not model & true else "uncertain"


def _decide_by_z3(premises: Sequence[Any], conclusion: Any, query: Any, atoms: int) -> Label | None:
    """Decide with one solver: every premise is a goal, so that it can be left out."""
    from divlogic.logic.smt import Z3Session

    parts = [*premises, negated(conclusion), query, negated(query)]
    everything = range(len(premises))
    refuted, queried, denied = (len(premises) + place for place in range(3))
    with Z3Session(
        (), [to_formula(part, atom_names(atoms)) for part in parts], rlimit=0
    ) as session:
        possible = session.satisfiable
        if not possible(*everything) or possible(*everything, refuted):
            return None
        if not all(possible(*everything[:at], *everything[at + 1 :], refuted) for at in everything):
            return None
        if not possible(*everything, denied):
            return "true"
        return "uncertain" if possible(*everything, queried) else "false"


@dataclass(frozen=True, slots=True)
class Step:
    """One inference: what the form concludes from its premises."""

    form: str
    premises: tuple[Proposition, ...]
    conclusion: Proposition


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument.

    Attributes:
        premises: the leaves: what no step concludes, in the order of the argument.
        steps: the steps; the first concludes the conclusion, each other one a premise of an earlier one.
    """

    premises: tuple[Proposition, ...]
    steps: tuple[Step, ...]
    atoms: int


class Propositions:
    """Draws propositions over atoms that are not in use yet."""

    def __init__(self, draws: Draws, parameters: JustLogicParameters, used: int = 0) -> None:
        self.draws = draws
        self.used = used
        self._negation = parameters.negation_probability
        weights = parameters.shape_weights
        first, second = weights.get("statement", 0.0), weights.get("conditional", 0.0)
        total = first + second + weights.get("disjunction", 0.0)
        self._statement = first / total
        self._conditional = (first + second) / total

    def fresh(self) -> Proposition:
        """Draw a statement, conditional or disjunction, negated or not."""
        point = self.draws.uniform()
        if point < self._statement:
            return self._literal(self._negation)
        # Within a compound, the parts are plain: JustLogic negates the whole.
        parts = (IF if point < self._conditional else OR, self._literal(0.0), self._literal(0.0))
        return negated(parts) if self.draws.chance(self._negation) else parts

    def _literal(self, negation: float) -> Proposition:
        atom = self.used
        self.used += 1
        return 2 * atom + (negation > 0 and self.draws.chance(negation))


def draw_argument(
    conclusion: Proposition, depth: int, used: int, draws: Draws, parameters: JustLogicParameters
) -> Argument:
    """Draw an argument of exactly ``depth`` steps for a conclusion, whose ``used`` atoms are numbered from 0.

    The first step concludes the conclusion; each further one a premise drawn from those that no step concludes yet
    (JustLogic, Section 3.1).
    """
    source = Propositions(draws, parameters, used)
    fitting = _fitting(tuple(parameters.forms.items()))
    leaves: list[Proposition] = [conclusion]
    steps: list[Step] = []
    while len(steps) < depth:
        # A leaf that nothing fits (a nested negation, say) is passed over.
        places = draws.shuffled(range(len(leaves))) if len(leaves) > 1 else [0]
        for place in places:
            goal = leaves[place]
            kind = None if type(goal) is int else goal[0]
            names, chances = fitting[kind, nesting(goal) < parameters.max_nesting]
            if names:
                form = names[draws.weighted(chances)]
                break
        else:
            raise DivLogicError(
                "params.yaml: no form under 'benchmarks.justlogic.forms' fits any premise; give more forms a weight."
            )
        premises = _premises(form, goal, source)
        steps.append(Step(form, premises, goal))
        leaves[place : place + 1] = premises
    return Argument(tuple(leaves), tuple(steps), source.used)


_Fitting = dict[tuple[str | None, bool], tuple[tuple[str, ...], tuple[float, ...]]]


@lru_cache(maxsize=8)
def _fitting(forms: tuple[tuple[str, float], ...]) -> _Fitting:
    """Return the forms that fit, with their weights, by the goal's connective and whether there is room for nesting."""
    weights = dict(forms)
    found: _Fitting = {}
    for kind in (None, IF, OR, NOT):
        for roomy in (False, True):
            names = (*(_ANY_GOAL if roomy else ()), *_FOR_KIND.get(kind, ()))
            names = tuple(name for name in names if weights.get(name, 0.0) > 0)
            found[kind, roomy] = (names, tuple(weights[name] for name in names))
    return found


def _premises(form: str, goal: Proposition, source: Propositions) -> tuple[Proposition, ...]:
    """Return premises from which a form concludes a goal."""
    p = source.fresh()
    match form:
        case "modus_ponens":
            return (IF, p, goal), p
        case "modus_tollens":
            return (IF, negated(goal), p), negated(p)
        case "hypothetical_syllogism":
            return (IF, goal[1], p), (IF, p, goal[2])
        case "disjunctive_syllogism":
            return _either(p, goal, source.draws), negated(p)
        case "reductio_ad_absurdum":
            return (IF, negated(goal), p), (IF, negated(goal), negated(p))
    q = source.fresh()
    if form == "constructive_dilemma":
        return _either(p, q, source.draws), (IF, p, goal[1]), (IF, q, goal[2])
    assert form == "disjunction_elimination"
    return (OR, p, q), (IF, p, goal), (IF, q, goal)


def _either(p: Proposition, q: Proposition, draws: Draws) -> Proposition:
    return (OR, p, q) if draws.chance(0.5) else (OR, q, p)


_ANY_GOAL = (*LINKS, "reductio_ad_absurdum", "disjunction_elimination")
_FOR_KIND: dict[str | None, Sequence[str]] = {
    IF: ("hypothetical_syllogism",),
    OR: ("constructive_dilemma",),
}
