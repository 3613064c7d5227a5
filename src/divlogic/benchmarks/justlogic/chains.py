"""The balanced construction: two chains of equivalent statements, of which one is settled at its far end.

Each link of a chain is a pair of premises, *if B, then A* and *if not B, then not A* (or *if not B, then A* and *if B,
then not A*), in any wording. So the two premises on a statement mention it for and against, under every label. What
settles the far end of one chain is a fact, a reductio ad absurdum, or a disjunction elimination. The query asks for the
first statement of the settled chain (true, false) or of the other one (uncertain).

The three instances have the same premises but for the statements that they mention at a few places: every sentence
occurs in each of them with the same connective and the same signs, and the sentences on the query are the same word
for word. The two chains are equally long, and have the same links and ends. So nothing short of following the chain
from the query to its end tells the label.

* Of the links at one place, one chain has the one with equal signs and the other the one with opposite signs. From the
  second place on, each instance decides at random which chain has which.
* A fact settles the end of a chain, and one of opposite sign says something else.
* A cycle of two or three premises settles a statement if that has the same sign in both of its premises, and each of
  the others both signs. Each premise occurs with given signs in one cycle and with opposite signs in the other, so
  that to exchange some between the cycles moves what they settle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

from divlogic.benchmarks.justlogic.parameters import LINKS, FormName, JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Label, Proposition, Step
from divlogic.draws import Draws

_FACT = "fact"
_CYCLES: dict[FormName, int] = {"reductio_ad_absurdum": 2, "disjunction_elimination": 3}
"""Forms that settle a statement by a cycle of so many premises."""

Wording = tuple[FormName, bool]
"""The form that concludes the first of two statements of a premise from the second, and which is first where both are
joined by *or*."""


Shape = tuple[Any, ...]
"""Connective of a compound and the shapes of its two parts; ``None`` for a plain statement."""


@dataclass(frozen=True, slots=True)
class Chains:
    """What the three instances share. Signs are 0 for a statement and 1 for its negation.

    Attributes:
        links: of each place, from the query on, the two versions of a link: whether its signs are opposite, and the
            wording of the premise on the nearer statement and of that on its negation.
        end: what settles a chain: ``fact`` or the form that does.
        cycle: of each premise of a cycle its two signs, and its wording with these and with opposite signs.
        compounds: atom -> the compound in its place, and what denies it.
    """

    links: tuple[tuple[tuple[int, tuple[Wording, Wording]], ...], ...]
    end: str
    cycle: tuple[tuple[int, int, tuple[Wording, Wording]], ...]
    compounds: dict[int, tuple[Proposition, Proposition]]
    atoms: int


@dataclass(frozen=True, slots=True)
class TwoChains:
    """The premises of one instance, and the argument for what they conclude: the query, or of an uncertain instance the
    first statement of the other chain."""

    premises: tuple[Proposition, ...]
    conclusion: Proposition
    steps: tuple[Step, ...]


def draw_chains(
    depth: int, query: Literal["→", "∨"] | None, draws: Draws, parameters: JustLogicParameters
) -> Chains:
    """Draw what the three instances of one depth share; ``query`` is the connective of what is asked, if it has one."""
    weights = {form: parameters.forms.get(form, 0.0) for form in (*LINKS, *_CYCLES)}
    linking = [weights[form] for form in LINKS]

    def wordings() -> tuple[Wording, Wording]:
        first, second = ((LINKS[draws.weighted(linking)], draws.chance(0.5)) for _ in range(2))
        return first, second

    # At depth 1 the cycle would mention the query itself.
    ends = (_FACT, *(_CYCLES if depth > 1 else ()))
    end = ends[draws.weighted([sum(linking), *(weights[form] for form in _CYCLES)][: len(ends)])]
    links = []
    for _ in range(depth - (end != _FACT)):
        opposite = int(draws.chance(parameters.negation_probability))
        links.append(((opposite, wordings()), (1 - opposite, wordings())))
    size = _CYCLES[end] if end != _FACT else 0
    entered = [draws.below(2) for _ in range(1, size)]
    left, entering = [0, *(1 - sign for sign in entered)], [*entered, 0]
    cycle = tuple((left[at], entering[at], wordings()) for at in range(size))
    statements, cycles = _places(len(links), size)
    # Statements that may stand for each other are of one shape. Two compounds in one premise could not be read.
    shapes: list[Shape | None] = [(query, None, None) if query else None]
    for place in range(1, len(links) + 1):
        free = shapes[-1] is None and (place < len(links) or not size)
        shapes.append(_draw_shape(parameters.max_nesting - 1, draws, parameters) if free else None)
    alike = [list(pair) for pair in zip(*statements, strict=True)]
    if size > 2:
        shapes.append(_draw_shape(parameters.max_nesting - 1, draws, parameters))
        alike.append([own[2] for own in cycles])
    elif not size:
        alike[-1].append(statements[1][-1] + 1)
    unused = count(max(max(own) for own in (*alike, *cycles)) + 1)
    shaped = [(shape, atom) for shape, own in zip(shapes, alike, strict=True) if shape for atom in own]
    compounds = {atom: _compound(shape, atom, unused) for shape, atom in shaped}
    return Chains(tuple(links), end, cycle, compounds, next(unused))


def _places(length: int, size: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the atoms of the two chains, and of the two cycles at their ends.

    The first statement of one cycle, and the second of the other, end a chain.
    """
    first, end = length + 1, 2 * length + 1
    statements = [list(range(first)), list(range(first, end + 1))]
    rest = list(range(end + 1, end + 2 * size - 1))
    cycles = [[length, *rest[: size - 1]], [rest[size - 1], end, *rest[size:]]] if size else []
    return statements, cycles


def passage(chains: Chains, label: Label, draws: Draws, parameters: JustLogicParameters) -> TwoChains:
    """Build the instance of a label."""
    length = len(chains.links)
    settled = int(label == "uncertain")
    versions = [0, *(draws.below(2) for _ in range(1, length))]
    statements, cycles = _places(length, len(chains.cycle))
    # The signs of the settled statements, from the far end to the query.
    turned = sum(pair[at][0] for pair, at in zip(chains.links, versions, strict=True)) % 2
    sign = draws.below(2) if settled else int(label == "false") ^ turned
    premises: list[Proposition] = []
    sentences: dict[tuple[int, int], tuple[Wording, Proposition]] = {}
    for place, (pair, at) in enumerate(zip(chains.links, versions, strict=True)):
        for version, (opposite, words) in enumerate(pair):
            own = statements[version ^ at]
            for near in (0, 1):
                far = near ^ opposite ^ 1
                sentence = _sentence(words[near], 2 * own[place] + near, 2 * own[place + 1] + far)
                premises.append(sentence)
                if version ^ at == settled:
                    sentences[place, near] = words[near], sentence
    literals = [2 * statements[settled][-1] + sign]
    for place in reversed(range(length)):
        sign ^= chains.links[place][versions[place] ^ settled][0]
        literals.insert(0, 2 * statements[settled][place] + sign)
    path = [sentences[place, literals[place] & 1] for place in range(length)]
    steps = list(_steps(path, literals, parameters, draws))
    if chains.end == _FACT:
        other = 2 * statements[1][-1] + 2 + (~literals[-1] & 1)
        premises += sorted((literals[-1], other), key=lambda literal: literal & 1)
    else:
        support, ends = _cycles(chains, cycles, literals[-1], settled)
        premises += ends
        steps.append(Step(chains.end, support, literals[-1]))
    return _shaped(chains, TwoChains(tuple(premises), literals[0], tuple(steps)))


def _sentence(wording: Wording, first: int, second: int) -> Proposition:
    form, turned = wording
    if form == "modus_ponens":
        return IF, second ^ 1, first
    if form == "modus_tollens":
        return IF, first ^ 1, second
    return (OR, second, first) if turned else (OR, first, second)


def _cycles(
    chains: Chains, cycles: Sequence[Sequence[int]], goal: int, settled: int
) -> tuple[tuple[Proposition, ...], list[Proposition]]:
    """Return the premises that settle the end of a chain, and these with those of the other cycle."""
    size, sign = len(chains.cycle), goal & 1
    entered = sign ^ chains.cycle[0][1]
    turns = [entered ^ 1, *[entered] * (size - 1)] if settled else [sign] * size
    support, premises = [], []
    for at, (left, entered, words) in enumerate(chains.cycle):
        for turned in (0, 1):
            number = turns[at] ^ turned
            first, second = cycles[number][at], cycles[number][(at + 1) % size]
            sentence = _sentence(words[turned], 2 * first + (left ^ turned), 2 * second + (entered ^ turned))
            premises.append(sentence)
            if number == settled:
                support.append(sentence)
    return tuple(support), premises


def _steps(
    path: Sequence[tuple[Wording, Proposition]],
    literals: Sequence[int],
    parameters: JustLogicParameters,
    draws: Draws,
) -> Iterator[Step]:
    """Yield the steps along a chain, the last inference first.

    Conditionals of one direction may be joined by hypothetical syllogisms first.
    """
    chained = parameters.forms.get("hypothetical_syllogism", 0.0)
    start = 0
    while start < len(path):
        form = path[start][0][0]
        share = 0.0 if form == LINKS[-1] else chained / (chained + parameters.forms[form])
        stop = start + 1
        while stop < len(path) and path[stop][0][0] == form and draws.chance(share):
            stop += 1
        joined = [path[start][1]]
        for place in range(start + 1, stop):
            near, far = literals[start], literals[place + 1]
            joined.append((IF, far, near) if form == "modus_ponens" else (IF, near ^ 1, far ^ 1))
        yield Step(form, (joined[-1], literals[stop]), literals[start])
        for place in reversed(range(start + 1, stop)):
            at = place - start
            yield Step("hypothetical_syllogism", (joined[at - 1], path[place][1]), joined[at])
        start = stop


def _draw_shape(room: int, draws: Draws, parameters: JustLogicParameters) -> Shape | None:
    """Draw the shape of a compound nested no deeper than ``room``; ``None``: a plain statement."""
    names = ("statement", "conditional", "disjunction")
    weights = [parameters.shape_weights.get(name, 0.0) for name in names]  # type: ignore[call-overload]
    kind = (None, IF, OR)[draws.weighted(weights)] if room else None
    return (kind, *(_draw_shape(room - 1, draws, parameters) for _ in range(2))) if kind else None


def _compound(shape: Shape | None, atom: int, unused: Iterator[int]) -> tuple[Proposition, Proposition]:
    """Join an atom to others in a shape; return the compound and what denies it.

    English readers do not take *it is not true that if A, then B* for *A, and not B*.
    """
    if shape is None:
        return 2 * atom, 2 * atom + 1
    kind, first, second = shape
    other = next(unused)
    (left, denied), (right, _) = _compound(first, atom, unused), _compound(second, other, unused)
    return (kind, left, right), (NOT, (OR, denied if kind == IF else left, right))


def _shaped(chains: Chains, plain: TwoChains) -> TwoChains:
    """Put the compounds in the place of their atoms."""

    def put(p: Proposition) -> Proposition:
        if type(p) is not int:
            return p[0], *map(put, p[1:])
        return chains.compounds.get(p >> 1, (p & ~1, p | 1))[p & 1]

    return TwoChains(
        tuple(map(put, plain.premises)),
        put(plain.conclusion),
        tuple(Step(step.form, tuple(map(put, step.premises)), put(step.conclusion)) for step in plain.steps),
    )
