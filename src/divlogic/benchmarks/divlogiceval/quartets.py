"""The quartets of the preset ``balanced``: which construction draws them, and which settings allow parity quartets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any, TypeAlias

from divlogic.benchmarks.divlogiceval.parity import ParitySetting, draw_parity
from divlogic.benchmarks.divlogiceval.propositions import NOT_AND, OR, Quartet
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.benchmarks.divlogiceval.square import draw_square
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

Parameters: TypeAlias = Any
"""The section ``benchmarks.divlogiceval``, which asks this module whether there are quartets."""

DEPTHS: Mapping[int, float] = {2: 0.3, 3: 0.4, 4: 0.2, 5: 0.1}
"""Weights of the premises that a parity quartet needs where the parameters give none."""

_SHORTEST = {2: (5, 0.5, 2), 3: (5, 0.4, 2), 4: (7, 0.9, 3), 5: (7, 0.6, 3)}
_SHORTEST_MISSING = {3: (6, 0.4, 2), 4: (6, 0.4, 2)}
"""Premises needed -> links, share of compound rules and pairs of twins of a chain: short, and found often."""

_PARITY_USES = 6
_MISSING_USES = 10
_STREAM = 3
_TRIES = 400_000
_TRIES_OF_CHECK = 3_000


def draw_quartet(question_type: str, seed: int, number: int, parameters: Parameters) -> Quartet:
    """Draw the quartet with the given number among those of its type; no other one has to be drawn for it."""
    draws = Draws(seed, _STREAM, QUESTION_TYPES.index(question_type), number)
    if parameters.construction == "square":
        return draw_square(question_type, _weighted_key(parameters.rounds, draws), draws)
    depth = _weighted_key(parameters.premises_needed or DEPTHS, draws)
    setting = parity_setting(question_type, depth, parameters)
    quartet = _first(question_type, setting, draws, _TRIES)
    if quartet is not None:
        return quartet
    raise DivLogicError(
        f"params.yaml: no {question_type} quartet of {setting.depth} premises came up in {_TRIES:,} drawings; the"
        " settings under benchmarks.divlogiceval are too narrow."
    )


def _weighted_key(weights: Mapping[int, float], draws: Draws) -> int:
    """Draw a key in proportion to its weight."""
    keys = sorted(weights)
    return keys[draws.weighted([weights[key] for key in keys])]


def parity_setting(question_type: str, depth: int, parameters: Parameters) -> ParitySetting:
    """Return how parity quartets of a type and depth are drawn.

    Of a missing premise, whose chain has a link less, the depth is 3 at least (one link would be given away by one
    premise) and half the number of variables at most, and a variable stays free for the missing one.
    """
    missing = question_type == "missing_premise"
    if missing:
        depth = max(3, min(depth, parameters.variables // 2))
    most = parameters.variables - 1 - missing
    shortest = (_SHORTEST_MISSING if missing else _SHORTEST).get(
        depth, (most, 0.6, min(3, depth - missing))
    )
    links, compound, least = shortest
    weights = parameters.rule_weights
    kinds = ((NOT_AND, weights.get("not_and", 0.0)), (OR, weights.get("or", 0.0)))
    if parameters.compound is not None:
        compound = parameters.compound
    elif not any(weight for _, weight in kinds):
        compound = 0.0
    if parameters.links is not None:
        links = min(parameters.links, most) if missing else parameters.links
    return ParitySetting(
        depth=depth,
        links=links,
        compound=compound,
        compound_kinds=kinds,
        kappa=parameters.kappa,
        least_pairs=least if parameters.least_pairs is None else parameters.least_pairs,
        uses=parameters.max_uses_per_variable or (_MISSING_USES if missing else _PARITY_USES),
        variables=parameters.variables,
    )


def _first(question_type: str, setting: ParitySetting, draws: Draws, tries: int) -> Quartet | None:
    """Return the first quartet that so many drawings give; ``None``: they give none."""
    quartets = (draw_parity(question_type, setting, draws) for _ in range(tries))
    return next((quartet for quartet in quartets if quartet is not None), None)


@cache
def _comes_up(question_type: str, setting: ParitySetting) -> bool:
    return _first(question_type, setting, Draws(_STREAM), _TRIES_OF_CHECK) is not None


def objection(parameters: Parameters) -> str:
    """Say which parity quartets that the parameters ask for do not exist, and the nearest value that allows them.

    Nothing is said where each type and depth comes up in a short search.
    """
    weights = parameters.premises_needed or DEPTHS
    depths = sorted(depth for depth, weight in weights.items() if weight > 0)
    for question_type, depth in product(QUESTION_TYPES, depths):
        if problem := _problem(question_type, depth, parameters):
            near = _nearest(question_type, depth, parameters)
            return f"{problem}; {near or 'take the defaults of its preset'}"
    return ""


def _problem(question_type: str, depth: int, parameters: Parameters) -> str:
    """Say why there is no parity quartet of a type and depth; empty if there is one."""
    missing = question_type == "missing_premise"
    setting = parity_setting(question_type, depth, parameters)
    if setting.links > setting.variables - 1 - missing:
        return (
            f"{setting.links} links of a {question_type} quartet need {setting.links + 1 + missing} variables, and"
            f" there are {setting.variables}"
        )
    if setting.compound and not any(weight for _, weight in setting.compound_kinds):
        return f"compound is {setting.compound}, and rule_weights gives no weight to not_and and or"
    if setting.depth - missing > setting.links:
        links = f"the {setting.links} links of a {question_type} quartet"
        return f"{setting.depth} premises are more than {links}"
    if _comes_up(question_type, setting):
        return ""
    return (
        f"no {question_type} quartet of {setting.depth} premises came up with links: {setting.links}, kappa:"
        f" {setting.kappa}, least_pairs: {setting.least_pairs}, compound: {setting.compound},"
        f" max_uses_per_variable: {setting.uses}, variables: {setting.variables}"
    )


def _nearest(question_type: str, depth: int, parameters: Parameters) -> str:
    """Name the value of one parameter, the nearest to the present one, with which the quartet exists."""
    missing = question_type == "missing_premise"
    present = parity_setting(question_type, depth, parameters)
    tried: list[tuple[str, float, list[Any]]] = [
        ("links", present.links, [*range(4, parameters.variables - missing)]),
        ("least_pairs", present.least_pairs, [1, 2, 3]),
        ("kappa", parameters.kappa, [1, 2, 3]),
        ("max_uses_per_variable", present.uses, [*range(4, 13)]),
        ("compound", present.compound, [0.0, 0.3, 0.6, 0.9]),
        ("variables", parameters.variables, [*range(6, 17)]),
    ]
    for name, now, values in tried:
        for value in sorted(values, key=lambda value: (abs(value - now), value)):
            changed = parameters.model_copy(update={name: value})
            if value != now and not _problem(question_type, depth, changed):
                return f"{name}: {value} allows it"
    for near in sorted(DEPTHS, key=lambda near: abs(near - depth)):
        if near != depth and not _problem(question_type, near, parameters):
            return f"{near} premises can be had"
    return ""
