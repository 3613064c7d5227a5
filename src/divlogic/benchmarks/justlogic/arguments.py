"""Arguments: a conclusion expanded by argument forms until it rests on as many steps as the depth says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Proposition, negated, nesting
from divlogic.draws import Draws
from divlogic.errors import DivLogicError


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
        atoms: number of atoms in use, those of the conclusion included.
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
        weights = [
            parameters.shape_weights.get(shape, 0.0) for shape in ("statement", "conditional", "disjunction")
        ]
        total = sum(weights)
        self._statement = weights[0] / total
        self._conditional = (weights[0] + weights[1]) / total

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
    """Draw an argument of exactly ``depth`` steps for a conclusion.

    The first step concludes the conclusion; each further one a premise drawn from those that no step concludes yet
    (JustLogic, Section 3.1).

    Args:
        conclusion: what is concluded; its atoms are numbered from 0.
        depth: number of steps.
        used: number of atoms already in use.
        draws: the instance's stream.
        parameters: form weights, shapes, nesting.

    Raises:
        DivLogicError: none of the forms that have a weight fits.
    """
    source = Propositions(draws, parameters, used)
    fitting = _fitting(tuple(parameters.forms.items()))
    leaves: list[Proposition] = [conclusion]
    steps: list[Step] = []
    while len(steps) < depth:
        # A leaf that nothing fits (a nested negation, say) is passed over.
        places = draws.shuffled(range(len(leaves))) if len(leaves) > 1 else [0]
        for place in places:
            form = _draw_form(leaves[place], fitting, draws, parameters.max_nesting)
            if form is not None:
                break
        else:
            raise DivLogicError(
                "params.yaml: no form under 'benchmarks.justlogic.forms' fits any premise; give more forms a weight."
            )
        premises = _premises(form, leaves[place], source)
        steps.append(Step(form, premises, leaves[place]))
        leaves[place : place + 1] = premises
    return Argument(tuple(leaves), tuple(steps), source.used)


def _draw_form(goal: Proposition, fitting: _Fitting, draws: Draws, most: int) -> str | None:
    """Draw one of the forms that can conclude ``goal`` without nesting deeper than ``most``."""
    names, weights = fitting[None if type(goal) is int else goal[0], nesting(goal) < most]
    return names[draws.weighted(weights)] if names else None


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


_ANY_GOAL: Sequence[str] = (
    "modus_ponens",
    "modus_tollens",
    "disjunctive_syllogism",
    "reductio_ad_absurdum",
    "disjunction_elimination",
)
_FOR_KIND: dict[str | None, Sequence[str]] = {IF: ("hypothetical_syllogism",), OR: ("constructive_dilemma",)}
