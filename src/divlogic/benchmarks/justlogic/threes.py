"""Threes of instances, one of each label, that agree in everything that can be counted without inference.

Arguments are drawn into a pool; as soon as it holds one of each label whose passages and whose sentences on the query
have the same counts (:func:`countable`), these three are an instance each. So no reader of the counts can do better
than guess, whatever it has learnt.

If every premise is needed, a statement that follows from them stands in them on one side only: each sentence that
mentions it speaks for it (or each against it), while whatever the argument uses on its way stands on both. From two
steps on, an uncertain statement is therefore taken from the conclusion of an argument: a part of *if A, then B* or of
*A or B* that is concluded as a whole. It stands on one side too, and only inference shows that it does not follow.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from divlogic.benchmarks.justlogic.arguments import Argument, Propositions, draw_argument
from divlogic.benchmarks.justlogic.deciding import Label, decide
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Proposition, atoms_of, negated
from divlogic.benchmarks.justlogic.rewording import DEEPEST, open_atoms, reworded
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

LABELS: tuple[Label, ...] = ("true", "false", "uncertain")

_ATTEMPTS = 60_000
_OPPOSITE: dict[Label, Label] = {"true": "false", "false": "true", "uncertain": "uncertain"}

Three = dict[Label, "Drawn"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """An argument and what is asked of it.

    Attributes:
        query: what is asked.
        pairs: see :class:`~divlogic.benchmarks.justlogic.symbolic.SymbolicInstance`.
        conclusion: what the argument concludes.
        argument: its premises and steps.
    """

    query: Proposition
    pairs: tuple[tuple[int, int], ...]
    conclusion: Proposition
    argument: Argument


def draw_threes(
    entropy: Sequence[int], depth: int, count: int, parameters: JustLogicParameters
) -> list[Three]:
    """Draw ``count`` threes of one depth.

    The shape and polarity of each query are drawn first, so that neither depends on a label or on what is found. The
    answer to a denied query is the opposite of the answer to the query itself, so that one pool serves both.

    Args:
        entropy: seed and place of these threes.
        depth: steps of each argument.
        count: number of threes.
        parameters: how arguments are drawn.

    Raises:
        DivLogicError: the parameters allow no such instances.
    """
    draws = Draws(*entropy)
    asked = [draws.below(2) if depth == 1 else Propositions(draws, parameters).fresh() for _ in range(count)]
    threes: list[Three] = [{} for _ in asked]
    plain = [negated(query) if _is_denied(query) else query for query in asked]
    for shape in dict.fromkeys(plain):
        wanted = [at for at, query in enumerate(plain) if query == shape]
        found = _matched(shape, depth, len(wanted), draws, parameters)
        for at, three in zip(wanted, found, strict=True):
            threes[at] = _denied(three) if asked[at] != shape else three
    return threes


def countable(query: Proposition, premises: Sequence[Proposition], depth: int) -> tuple[Any, ...]:
    """Return what can be counted of an instance without inference.

    Of one step the passages of a three agree premise by premise; see :mod:`~divlogic.benchmarks.justlogic.rewording`.

    Returns:
        The number of premises, of those that are a single statement, of the statements that they speak of, of mentions
        of these and of negations; and for each premise that mentions the query, in order, its mentions and negations
        and those of the query in it; of two and three steps also the connectives of these, of two those of all. Of one
        step the statements, and all of this for every premise.
    """
    atoms = tuple(dict.fromkeys(atoms_of(query)))
    rows, spoken = [], 0
    for premise in premises:
        row, statements = _counted(premise, atoms)
        rows.append(row)
        spoken |= statements
    if depth == 1:
        return (spoken.bit_count(), tuple(sorted(rows)))
    mentions, negations, conditionals, disjunctions, *_ = map(sum, zip(*rows, strict=True))
    # Short passages show by single words whether a premise is a conditional; in longer ones that is lost.
    known = 4 if depth in (2, 3) else 2
    holders = sorted([(*row[:known], *row[4:]) for row in rows if any(row[4:])])
    plain = sum([row[0] == 1 for row in rows])
    connectives = (conditionals, disjunctions) if depth == 2 else ()
    return (len(premises), plain, spoken.bit_count(), mentions, negations, tuple(holders), *connectives)


# Most premises of a pool are of a few thousand kinds: each is counted once.
@lru_cache(maxsize=1 << 16)
def _counted(premise: Proposition, atoms: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Count a premise's mentions, negations, conditionals and disjunctions, then what it says of each atom.

    Returns:
        The counts, and a bit for each statement that the premise speaks of.
    """
    counts = [0] * (4 + 2 * len(atoms))
    statements = 0

    def visit(part: Proposition) -> None:
        nonlocal statements
        if type(part) is int:
            counts[0] += 1
            counts[1] += part & 1
            statements |= 1 << (part >> 1)
            if part >> 1 in atoms:
                counts[4 + 2 * atoms.index(part >> 1) + (part & 1)] += 1
            return
        counts[1 if part[0] == NOT else 2 if part[0] == IF else 3] += 1
        for inner in part[1:]:
            visit(inner)

    visit(premise)
    return tuple(counts), statements


def _matched(
    query: Proposition, depth: int, count: int, draws: Draws, parameters: JustLogicParameters
) -> list[Three]:
    """Draw arguments that bear on a query until ``count`` threes agree in what can be counted.

    Each argument is used once, in the order in which it was drawn. The solver, which takes most of the time, is asked
    of those only that have found their like.
    """
    waiting: dict[tuple[Any, ...], dict[Label, deque[_Candidate]]] = defaultdict(
        lambda: {label: deque() for label in LABELS}
    )
    draw_open = _draw_mentioned if depth == 1 else _draw_part
    threes: list[Three] = []
    for attempt in range(_ATTEMPTS * count):
        found = (draw_open if attempt % 2 else _draw_settled)(query, depth, draws, parameters)
        if found is None:
            continue
        label, candidate = found
        alike = waiting[countable(candidate.query, candidate.argument.premises, depth)]
        alike[label].append(candidate)
        while all(alike.values()):
            wrong = [one for one in LABELS if alike[one][0].label != one]
            if not wrong:
                threes.append({one: _drawn(alike[one].popleft(), draws) for one in LABELS})
                if len(threes) == count:
                    return threes
            for one in wrong:
                alike[one].popleft()
    raise too_narrow(depth, _ATTEMPTS * count)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An argument and what could be asked of it, which the solver has not confirmed yet."""

    query: Proposition
    conclusion: Proposition
    argument: Argument

    @property
    def label(self) -> Label | None:
        return confirmed(self.argument, self.conclusion, self.query)


def _draw_settled(
    query: Proposition, depth: int, draws: Draws, parameters: JustLogicParameters
) -> tuple[Label, _Candidate]:
    """Draw an argument that concludes a query or its opposite."""
    denied = draws.chance(0.5)
    conclusion = negated(query) if denied else query
    argument = _drawn_argument(conclusion, depth, 1 + max(atoms_of(query)), draws, parameters)
    return "false" if denied else "true", _Candidate(query, conclusion, argument)


def _draw_part(
    query: Proposition, depth: int, draws: Draws, parameters: JustLogicParameters
) -> tuple[Label, _Candidate]:
    """Draw an argument for a conditional or a disjunction that speaks of a query and should leave it open."""
    parts = [2 * atom + draws.below(2) for atom in draws.shuffled((0, 1))]
    conclusion = (IF if draws.chance(0.5) else OR, *parts)
    return "uncertain", _Candidate(
        query, conclusion, _drawn_argument(conclusion, depth, 2, draws, parameters)
    )


def _drawn_argument(
    conclusion: Proposition, depth: int, used: int, draws: Draws, parameters: JustLogicParameters
) -> Argument:
    """Draw an argument; a short one is put in other sentences."""
    argument = draw_argument(conclusion, depth, used, draws, parameters)
    return reworded(argument, draws) if depth <= DEEPEST else argument


def _draw_mentioned(
    query: Proposition, depth: int, draws: Draws, parameters: JustLogicParameters
) -> tuple[Label, _Candidate] | None:
    """Draw an argument for a statement that mentions another, to be asked, and leaves that open, or ``None``."""
    conclusion = draws.below(2)
    argument = _drawn_argument(conclusion, depth, 1, draws, parameters)
    for atom in draws.shuffled(open_atoms(argument.premises, conclusion)):
        if confirmed(argument, conclusion, 2 * atom) == "uncertain":
            return "uncertain", _Candidate(2 * atom, conclusion, argument)
    return None


def _drawn(candidate: _Candidate, draws: Draws) -> Drawn:
    """Choose for each atom of a query another that gets a statement on the same term, alike for all labels."""
    asked = list(dict.fromkeys(atoms_of(candidate.query)))
    own = {*asked, *atoms_of(candidate.conclusion)}
    if len(candidate.argument.steps) == 1:
        # An argument of two statements has no third one, and of more each stands beside each other one.
        own = set(asked)
    others = draws.shuffled([atom for atom in range(candidate.argument.atoms) if atom not in own])
    partners = others[: len(asked)] if len(others) >= len(asked) else asked
    pairs = tuple(zip(asked, partners, strict=True))
    return Drawn(candidate.query, pairs, candidate.conclusion, candidate.argument)


def confirmed(argument: Argument, conclusion: Proposition, query: Proposition) -> Label | None:
    """Return what an argument says of a query; ``None`` if its premises clash, or are not all needed."""
    verdict = decide(argument.premises, conclusion, query, argument.atoms)
    return verdict.label if verdict.satisfiable and verdict.concluded and verdict.necessary else None


def too_narrow(depth: int, attempts: int) -> DivLogicError:
    """Return the error of parameters that allow no instance."""
    return DivLogicError(
        f"params.yaml: no instance of depth {depth} was found in {attempts:,} attempts; give more forms a weight"
        " under 'benchmarks.justlogic.forms'."
    )


def _is_denied(query: Proposition) -> bool:
    return bool(query & 1) if type(query) is int else query[0] == NOT


def _denied(three: Three) -> Three:
    """Ask for the opposite: what is true is false then."""
    return {
        _OPPOSITE[label]: Drawn(negated(one.query), one.pairs, one.conclusion, one.argument)
        for label, one in three.items()
    }
