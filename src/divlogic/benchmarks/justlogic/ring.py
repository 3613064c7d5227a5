"""The balanced construction: one path from the query to what is settled, through a ring of two one-way routes.

::

    query ══ … ══ head ── a ── foot ══ … ══ end
                     └─ b ─┘

``══`` is a *stem link*: two premises that together say that two statements are both true or both false (or that just
one of them is). ``──`` is a *route clause*: one conditional, which holds one way only. The end is settled by a fact, a
reductio ad absurdum, a disjunction elimination, or a constructive dilemma and a disjunction elimination. Route 0
concludes the head, route 1 denies it, and two of the four joints are cut in every instance, one at the foot and one in
the middle: a cut turns the sign of one statement in one conditional, so that nothing is concluded there.

* Both cuts on one route: the other route passes, and the query is true or false.
* One cut on each route: neither passes, and the query is uncertain.

The three instances of a group have the same statements at the same places and differ in signs alone, and each sentence
occurs in each of them with the same connective and the same signs. So who looks only at which statements share a
sentence learns nothing, and who takes every *if* for *if and only if* meets a contradiction in every instance.

An uncertain instance has no argument for its query. Its record holds the argument that would settle the query if one
conditional of the text, where a route is cut, had its sign turned back: what a reader who overlooks the cut concludes.

At depth 1 there is no room for a ring: the query's statement and another one stand in two premises, of which a reductio
concludes one or the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any, Literal

from divlogic.benchmarks.justlogic.parameters import (
    CONDITIONAL_LINKS,
    LINKS,
    FormName,
    JustLogicParameters,
)
from divlogic.benchmarks.justlogic.propositions import (
    IF,
    NOT,
    OR,
    Label,
    Proposition,
    Step,
    substituted,
)
from divlogic.draws import Draws

Clause = tuple[int, int]
"""Two literals of which one holds."""

Shape = tuple[Any, ...]
"""Connective of a compound and the shapes of its two parts; ``None`` for a plain statement."""

SignedWording = tuple[str, bool]
"""How a clause is said: its connective, and whether the literal with the lower sign comes first."""

_LABELS: tuple[Label, ...] = ("true", "false", "uncertain")

_SHALLOW = (2, 3)
"""Depths with few sentences. How often each statement is said and denied in the whole text would tell their label (42 %
of depth 2, 36 % of depth 3, where guessing has 33), so it is equal in a three; from depth 4 on nothing is found in it.
The query's own sentences cannot be equal, too: they are half of the path."""

_ATTEMPTS = {True: 40, False: 400}
"""Draws of one instance before the three is drawn anew, of shallow ones and of others. Most first instances of a
shallow three have no mates, and to look for them longer takes more time than another first instance."""

_END_STEPS: dict[str, int] = {
    "fact": 0,
    "reductio_ad_absurdum": 1,
    "disjunction_elimination": 1,
    "constructive_dilemma": 2,
}
"""Steps of argument with which each kind of end settles the last statement of the path."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The premises of one instance, and the argument for its conclusion.

    Attributes:
        conclusion: the query or what denies it; at depth 1, of an uncertain instance, another statement.
        steps: the last inference first. Of an uncertain instance one premise is not the text's (see above).
    """

    premises: tuple[Proposition, ...]
    conclusion: Proposition
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class RingThree:
    """Three passages on the same query: what they say of it, not yet of its negation."""

    passages: dict[Label, Passage]
    query: Proposition
    atoms: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What the three instances share: the atoms at their places, the end, and the shared signs.

    Attributes:
        top: atoms from the query's to the ring's head.
        middles: the atoms of the two routes.
        bottom: atoms from the ring's foot to the settled one.
        settled: the literal that the end settles.
        end: the form that settles it, or ``fact``.
        end_premises, end_steps: the premises of the end, and its steps of argument.
        cut_middle_sign: sign of the middle that the cut conditional mentions; that statement is said twice alike.
        compound: an atom of the end in whose place a compound may stand, if there is one: its sentences are the same
            in all three.
        atoms: number of atoms.
    """

    top: tuple[int, ...]
    middles: tuple[int, int]
    bottom: tuple[int, ...]
    settled: int
    end: str
    end_premises: tuple[Proposition, ...]
    end_steps: tuple[Step, ...]
    cut_middle_sign: int
    compound: int | None
    atoms: int


@dataclass(frozen=True, slots=True)
class Signs:
    """What an instance decides by itself.

    Attributes:
        top_links, bottom_links: of each stem link, whether the two statements have opposite truth values.
        stem, ring: the clauses, in the order of the path; of the ring, lower and upper clause of each route.
        foot_cut, middle_cut: the route that is cut at the foot, and the one that is cut in the middle.
        head: the literal that route 0 concludes.
        label: what the clauses say of the query's statement.
    """

    top_links: tuple[int, ...]
    bottom_links: tuple[int, ...]
    stem: tuple[Clause, ...]
    ring: tuple[Clause, ...]
    foot_cut: int
    middle_cut: int
    head: int
    label: Label

    def alike(self) -> object:
        """Return what is equal in a three: the signs of the ring's clauses, the number of opposite stem links."""
        denials = sorted(map(_denials, self.ring))
        return denials, sum(self.top_links) + sum(self.bottom_links)


def draw_three(
    depth: int,
    query: Literal["→", "∨"] | None,
    draws: Draws,
    parameters: JustLogicParameters,
) -> RingThree:
    """Draw an instance of each label; ``query`` is the connective of what is asked, if it has one."""
    while True:
        if depth == 1:
            passages = _draw_reductio(draws)
            # The query's statement and the third one change places between the instances: both have one shape.
            return _with_compounds(passages, query, [0, 2], None, 4, draws, parameters)
        layout = _draw_layout(depth, draws, parameters)
        drawn = _draw_members(
            layout=layout,
            shallow=depth in _SHALLOW,
            compound_query=query is not None,
            draws=draws,
            parameters=parameters,
        )
        if drawn is not None:
            return _with_compounds(
                passages=drawn,
                query=query,
                asked=[0],
                other=layout.compound,
                atoms=layout.atoms,
                draws=draws,
                parameters=parameters,
            )


def _draw_layout(depth: int, draws: Draws, parameters: JustLogicParameters) -> Layout:
    """Draw the lengths of the stems, the end, and the signs that a three shares."""
    end = _draw_end(depth, draws, parameters)
    links = depth - _END_STEPS[end] - 2
    # The ring lies in the middle, so that both stems hide it equally long.
    top_links = min((depth - 2 + draws.below(2)) // 2, links)
    atoms = count()
    top = tuple(next(atoms) for _ in range(top_links + 1))
    middles = next(atoms), next(atoms)
    bottom = tuple(next(atoms) for _ in range(links - top_links + 1))
    settled = 2 * bottom[-1] + draws.chance(parameters.negation_probability)
    end_atoms = bottom[-1] + 1
    premises, steps = _end(end, settled, atoms, draws)
    return Layout(
        top=top,
        middles=middles,
        bottom=bottom,
        settled=settled,
        end=end,
        end_premises=premises,
        end_steps=steps,
        cut_middle_sign=draws.below(2),
        compound=None if end == "fact" else end_atoms,
        atoms=next(atoms),
    )


def _draw_end(depth: int, draws: Draws, parameters: JustLogicParameters) -> str:
    """Draw what settles the path among what leaves room for the two steps of the ring."""
    # A fact takes the place of one step of a link, and weighs as much as a link's forms do in the mean.
    linking = sum(parameters.forms.get(form, 0.0) for form in LINKS) / len(LINKS)
    names = [name for name, steps in _END_STEPS.items() if steps <= depth - 2]
    weights = []
    for name in names:
        weight = linking if name == "fact" else parameters.forms.get(name, 0.0)  # type: ignore[call-overload]
        weights.append(weight)
    # A dilemma is followed by an elimination: without weight for the one there is none of the other.
    if "constructive_dilemma" in names and not parameters.forms.get("disjunction_elimination"):
        weights[names.index("constructive_dilemma")] = 0.0
    return names[draws.weighted(weights)]


def _end(
    end: str, settled: int, atoms: Iterator[int], draws: Draws
) -> tuple[tuple[Proposition, ...], tuple[Step, ...]]:
    """Return the premises that settle a literal, and the steps by which they do."""

    def fresh() -> int:
        return 2 * next(atoms) + draws.below(2)

    if end == "fact":
        return (settled,), ()
    if end == "reductio_ad_absurdum":
        absurd = fresh()
        premises = ((IF, settled ^ 1, absurd), (IF, settled ^ 1, absurd ^ 1))
        return premises, (Step(end, premises, settled),)
    if end == "disjunction_elimination":
        first, second = fresh(), fresh()
        cases = ((IF, first, settled), (IF, second, settled))
        either = (OR, first, second)
        return (either, *cases), (Step(end, (either, *cases), settled),)
    cause, other_cause, first, second = fresh(), fresh(), fresh(), fresh()
    dilemma = ((OR, cause, other_cause), (IF, cause, first), (IF, other_cause, second))
    either = (OR, first, second)
    cases = ((IF, first, settled), (IF, second, settled))
    elimination = Step("disjunction_elimination", (either, *cases), settled)
    return (*dilemma, *cases), (elimination, Step(end, dilemma, either))


def _draw_members(
    layout: Layout,
    shallow: bool,
    compound_query: bool,
    draws: Draws,
    parameters: JustLogicParameters,
) -> dict[Label, Passage] | None:
    """Draw the instances of the three labels; ``None`` where the first one drawn has no mates."""
    passages: dict[Label, Passage] = {}
    signs_alike: object = None
    words_alike: object = None
    stem_wordings: dict[int, list[SignedWording]] = {}
    ring_wordings: dict[int, list[SignedWording]] = {}
    for label in _LABELS:
        for _ in range(_ATTEMPTS[shallow]):
            signs = _draw_signs(layout, draws)
            if signs.label != label:
                continue
            if signs_alike is None:
                signs_alike = signs.alike()
                stem_wordings = _draw_wordings(signs.stem, _stem_connectives(parameters), draws)
                ring_wordings = _draw_wordings(signs.ring, {IF: 1.0}, draws)
            elif signs.alike() != signs_alike:
                continue
            stem = _worded(signs.stem, stem_wordings, draws)
            ring = _worded(signs.ring, ring_wordings, draws)
            sentences = (*stem, *ring, *layout.end_premises)
            if shallow:
                words: object = _mentions(sentences)
            elif compound_query:
                # A compound can be told from other statements, so that its sentences must be equal in a three.
                words = _sentences_on(0, sentences)
            else:
                words = None
            if words_alike is None:
                words_alike = words
            if words == words_alike:
                passages[label] = _passage(layout, signs, stem, ring, draws, parameters)
                break
        else:
            return None
    return passages


def _draw_signs(layout: Layout, draws: Draws) -> Signs:
    """Draw what an instance decides by itself, and see what it says of the query's statement."""
    top_links = tuple(draws.below(2) for _ in layout.top[1:])
    bottom_links = tuple(draws.below(2) for _ in layout.bottom[1:])
    stem = (*_stem(layout.top, top_links), *_stem(layout.bottom, bottom_links))
    # What is known of the ring's foot: the settled sign, turned by each opposite link on the way.
    foot_sign = (layout.settled & 1) ^ (sum(bottom_links) & 1)
    foot = 2 * layout.bottom[0] + foot_sign
    head = 2 * layout.top[-1] + draws.below(2)
    foot_cut, middle_cut = draws.below(2), draws.below(2)
    ring: list[Clause] = []
    for route, atom in enumerate(layout.middles):
        concluded = head ^ route
        if route == middle_cut:
            middle = 2 * atom + (1 - layout.cut_middle_sign)
        else:
            middle = 2 * atom + draws.below(2)
        # foot → middle, but for a cut: ¬foot → middle, or foot → ¬middle.
        lower = (foot ^ 1 ^ (route == foot_cut), middle ^ (route == middle_cut))
        upper = (middle ^ 1, concluded)
        ring += (lower, upper)
    label: Label = "uncertain"
    if foot_cut == middle_cut:
        passing = 1 - foot_cut
        sign = ((head ^ passing) & 1) ^ (sum(top_links) & 1)
        label = "false" if sign else "true"
    return Signs(
        top_links=top_links,
        bottom_links=bottom_links,
        stem=stem,
        ring=tuple(ring),
        foot_cut=foot_cut,
        middle_cut=middle_cut,
        head=head,
        label=label,
    )


def _stem(atoms: Sequence[int], links: Sequence[int]) -> tuple[Clause, ...]:
    """Return the two clauses of each link of a stem."""
    clauses: list[Clause] = []
    for (near, far), opposite in zip(pairwise(atoms), links, strict=True):
        # Equal: near ∨ ¬far, ¬near ∨ far. Opposite: near ∨ far, ¬near ∨ ¬far.
        clauses.append((2 * near, 2 * far + 1 - opposite))
        clauses.append((2 * near + 1, 2 * far + opposite))
    return tuple(clauses)


def _denials(clause: Clause) -> int:
    """Return how many of the two literals are negative."""
    return sum(literal & 1 for literal in clause)


def _stem_connectives(parameters: JustLogicParameters) -> dict[str, float]:
    """Return the weights with which a stem clause is said as a conditional and as a disjunction."""
    conditional = sum(parameters.forms.get(form, 0.0) for form in CONDITIONAL_LINKS)
    return {IF: conditional, OR: parameters.forms.get("disjunctive_syllogism", 0.0)}


def _draw_wordings(
    clauses: Sequence[Clause], weights: dict[str, float], draws: Draws
) -> dict[int, list[SignedWording]]:
    """Draw as many wordings for each number of denials as there are clauses that have it."""
    connectives = list(weights)
    wordings: dict[int, list[SignedWording]] = {}
    for denials, clauses_alike in sorted(Counter(map(_denials, clauses)).items()):
        drawn = []
        for _ in range(clauses_alike):
            connective = connectives[draws.weighted(list(weights.values()))]
            drawn.append((connective, draws.chance(0.5)))
        wordings[denials] = drawn
    return wordings


def _worded(
    clauses: Sequence[Clause], wordings: dict[int, list[SignedWording]], draws: Draws
) -> list[Proposition]:
    """Deal the wordings out to the clauses; sentences of a three then have equal connectives and signs."""
    dealt = {denials: draws.shuffled(own) for denials, own in wordings.items()}
    return [_said(clause, dealt[_denials(clause)].pop()) for clause in clauses]


def _said(clause: Clause, wording: SignedWording) -> Proposition:
    """Say a clause as a conditional or a disjunction.

    The sign, and not the place on the path, decides which literal comes first: else it would tell where a sentence
    belongs.
    """
    connective, lower_sign_first = wording
    literals = sorted(clause, key=lambda literal: literal & 1)
    first, second = literals if lower_sign_first else literals[::-1]
    return (IF, first ^ 1, second) if connective == IF else (OR, first, second)


def _sentences_on(atom: int, sentences: Sequence[Proposition]) -> list[Any]:
    """Return the connectives and signs of the sentences on a statement, and where in them it stands."""
    found = []
    for sentence in sentences:
        if type(sentence) is not int and atom in (sentence[1] >> 1, sentence[2] >> 1):
            signs = (sentence[1] & 1, sentence[2] & 1)
            found.append((sentence[0], *signs, sentence[1] >> 1 == atom))
    return sorted(found)


def _mentions(sentences: Sequence[Proposition]) -> list[list[int]]:
    """Return how often each statement is said and denied, as worded, in an order that names no statement."""
    counts: dict[int, list[int]] = {}
    for sentence in sentences:
        parts = (sentence,) if type(sentence) is int else sentence[1:]
        for literal in parts:
            counts.setdefault(literal >> 1, [0, 0])[literal & 1] += 1
    return sorted(counts.values())


def _passage(
    layout: Layout,
    signs: Signs,
    stem: list[Proposition],
    ring: list[Proposition],
    draws: Draws,
    parameters: JustLogicParameters,
) -> Passage:
    """Join the premises of an instance, and its argument, from the settled literal up to the query."""
    top = len(signs.top_links)
    if signs.label == "uncertain":
        # The argument that a reader makes who overlooks the cut of one route.
        route = draws.below(2)
        cut_atom = layout.bottom[0] if route == signs.foot_cut else layout.middles[route]
        lower = _turned(ring[2 * route], cut_atom)
        middle = signs.ring[2 * route][1] ^ (route == signs.middle_cut)
    else:
        route = 1 - signs.foot_cut
        lower = ring[2 * route]
        middle = signs.ring[2 * route][1]
    literals = [layout.settled]
    path: list[Proposition] = []

    def follow(atoms: Sequence[int], links: Sequence[int], sentences: list[Proposition]) -> None:
        """Conclude the atoms of a stem, from the far end on."""
        for place in reversed(range(len(links))):
            concluded = 2 * atoms[place] + ((literals[-1] & 1) ^ links[place])
            # Of the two sentences of a link, the first one concludes the statement, the other its negation.
            path.append(sentences[2 * place + (concluded & 1)])
            literals.append(concluded)

    follow(layout.bottom, signs.bottom_links, stem[2 * top :])
    path += (lower, ring[2 * route + 1])
    literals += (middle, signs.head ^ route)
    follow(layout.top, signs.top_links, stem[: 2 * top])
    links = [
        (_form(sentence, concluded), sentence)
        for sentence, concluded in zip(path, literals[1:], strict=True)
    ]
    steps = [
        *_steps(links[::-1], literals[::-1], parameters, draws),
        *layout.end_steps,
    ]
    premises = (*stem[: 2 * top], *ring, *stem[2 * top :], *layout.end_premises)
    return Passage(premises, literals[-1], tuple(steps))


def _turned(sentence: Proposition, atom: int) -> Proposition:
    """Return a sentence in which one statement has the other sign."""
    return substituted(sentence, atom, 2 * atom + 1, 2 * atom)


def _form(sentence: Proposition, concluded: int) -> FormName:
    """Return the form that concludes a literal from a sentence of two literals and another literal."""
    if sentence[0] == OR:
        return "disjunctive_syllogism"
    return "modus_ponens" if sentence[2] == concluded else "modus_tollens"


def _steps(
    path: Sequence[tuple[FormName, Proposition]],
    literals: Sequence[int],
    parameters: JustLogicParameters,
    draws: Draws,
) -> Iterator[Step]:
    """Yield the steps along a path, the last inference first.

    Conditionals of one direction may be joined by hypothetical syllogisms first, which leaves the number of steps.
    """
    syllogisms = parameters.forms.get("hypothetical_syllogism", 0.0)
    conditionals = sum(parameters.forms.get(form, 0.0) for form in CONDITIONAL_LINKS) / 2
    share = syllogisms / (syllogisms + conditionals)
    start = 0
    while start < len(path):
        form = path[start][0]
        joinable = form in CONDITIONAL_LINKS
        stop = start + 1
        while joinable and stop < len(path) and path[stop][0] == form and draws.chance(share):
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


def _draw_reductio(draws: Draws) -> dict[Label, Passage]:
    """Draw the three of depth 1.

    Two statements, the query's and another, stand in two of the four clauses that two statements can have, two
    further statements in the other two. Where the clauses agree on the query's statement, that is concluded; where
    they agree on the other one, the query is open.
    """
    query, other, third, fourth = range(4)
    patterns = [(first, second) for first in (0, 1) for second in (0, 1)]
    wordings = {pattern: (IF, draws.chance(0.5)) for pattern in patterns}
    open_sign = draws.below(2)
    passages: dict[Label, Passage] = {}
    for label in _LABELS:
        if label == "uncertain":
            asked_of = [(sign, open_sign) for sign in (0, 1)]
            concluded = 2 * other + open_sign
        else:
            sign = int(label == "false")
            asked_of = [(sign, other_sign) for other_sign in (0, 1)]
            concluded = 2 * query + sign
        premises = []
        support = []
        for pattern in patterns:
            first, second = (query, other) if pattern in asked_of else (third, fourth)
            clause = (2 * first + pattern[0], 2 * second + pattern[1])
            sentence = _said(clause, wordings[pattern])
            premises.append(sentence)
            if pattern in asked_of:
                support.append(sentence)
        step = Step("reductio_ad_absurdum", tuple(support), concluded)
        passages[label] = Passage(tuple(premises), concluded, (step,))
    return passages


def _with_compounds(
    passages: dict[Label, Passage],
    query: str | None,
    asked: Sequence[int],
    other: int | None,
    atoms: int,
    draws: Draws,
    parameters: JustLogicParameters,
) -> RingThree:
    """Put compounds in the place of some atoms: the same ones, at the same places, in all three instances.

    Args:
        query: connective of the compound in the place of the atoms ``asked``, of which 0 is the query's.
        other: an atom in whose place a compound of any shape may stand.
        atoms: number of atoms before.
    """
    unused = count(atoms)
    compounds: dict[int, tuple[Proposition, Proposition]] = {}
    if query is not None:
        for atom in asked:
            compounds[atom] = _compound((query, None, None), atom, unused)
    if other is not None:
        shape = _draw_shape(parameters.max_nesting - 1, draws, parameters)
        if shape is not None:
            compounds[other] = _compound(shape, other, unused)

    def put(p: Proposition) -> Proposition:
        if type(p) is not int:
            return p[0], *map(put, p[1:])
        return compounds.get(p >> 1, (p & ~1, p | 1))[p & 1]

    shaped: dict[Label, Passage] = {}
    for label, plain in passages.items():
        steps = []
        for step in plain.steps:
            premises = tuple(put(premise) for premise in step.premises)
            steps.append(Step(step.form, premises, put(step.conclusion)))
        shaped[label] = Passage(
            premises=tuple(put(premise) for premise in plain.premises),
            conclusion=put(plain.conclusion),
            steps=tuple(steps),
        )
    return RingThree(shaped, put(0), next(unused))


def _draw_shape(room: int, draws: Draws, parameters: JustLogicParameters) -> Shape | None:
    """Draw the shape of a compound nested no deeper than ``room``; ``None``: a plain statement."""
    names = ("statement", "conditional", "disjunction")
    weights = [parameters.shape_weights.get(name, 0.0) for name in names]  # type: ignore[call-overload]
    kind = (None, IF, OR)[draws.weighted(weights)] if room else None
    if kind is None:
        return None
    first = _draw_shape(room - 1, draws, parameters)
    second = _draw_shape(room - 1, draws, parameters)
    return kind, first, second


def _compound(
    shape: Shape | None, atom: int, unused: Iterator[int]
) -> tuple[Proposition, Proposition]:
    """Join an atom to others in a shape; return the compound and what denies it.

    English readers do not take *it is not true that if A, then B* for *A, and not B*.
    """
    if shape is None:
        return 2 * atom, 2 * atom + 1
    kind, first, second = shape
    other = next(unused)
    left, left_denied = _compound(first, atom, unused)
    right, _ = _compound(second, other, unused)
    denied = (NOT, (OR, left_denied if kind == IF else left, right))
    return (kind, left, right), denied
