"""The core of a quartet: two chains of two lanes each, of which every member runs one.

A chain leads from facts to the statement, the other to its opposite, in as many rounds as the quartet is deep. Each of
its levels is two literals of one person, and each of its rounds is two rules of one class, one from each literal of a
level to one of the next. A fair coin says which leads to which: straight on, or crossed. At the last level one lane
ends in the goal, the other in an unrelated literal. The facts of a member start one lane of each chain.

So every member derives one literal of each level in each round, by rules of the same class, whichever lanes it runs;
and where a lane ends, only all coins of its chain together tell. Coins are tossed last: nothing that is drawn, and
nothing that is refused, depends on them. docs/methods.md has the theorem and its proof; it rests on this:

- properties are set apart by use (:class:`Properties`), so that no sentence but its own two rules leads to a level;
- a rule about all or about someone has its levels' properties to itself, so that it serves nobody else;
- two neighbouring levels have different properties, so that crossing changes no pattern that a sentence shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal as Choice

from divlogic.benchmarks.logicnli.theories import FORMS, Chooser, Form, SymbolicRule
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

Signs = Choice["fair", "positive", "one_negative"]
"""Signs of inner literals: by fair coins, all positive, or one negative literal in each rule."""

CHAINS = (0, 1)
"""The chain to the statement, and the chain to its opposite."""

LANES = (0, 1)

RULES_PER_ROUND = len(CHAINS) * len(LANES)
"""Fewer would tell a reader of the other rounds something (docs/methods.md)."""

LEAST_FACTS = 4
"""Facts of the core: of the two literals where a chain starts, one holds and the other's opposite does."""

OTHERS_FACTS = 4
"""Facts, if there is room, that start both lanes of a level for somebody else (:meth:`Core._of_others`)."""

ENDS = 3
"""Properties of the ends: the statement's, and one for each chain's other lane."""

LEAST_OTHERS = 5
"""Properties that are no level's: one of facts, two that stay open, two that noise concludes."""

LEAST_PROPERTIES = ENDS + 2 * len(CHAINS) + LEAST_OTHERS
"""Properties of the smallest quartet, whose chains start with two properties each."""


class TooSmallError(DivLogicError):
    """Sizes that no quartet of this depth fits into; the message says what would."""


@dataclass(frozen=True)
class Shape:
    """What a quartet holds.

    Attributes:
        facts: number of facts, noise included.
        rules: number of rules, noise included.
        weights: relative frequency of each class of rules.
        reading: ``both`` if E, C and N shall also hold in classical logic.
        noise: even numbers of noise sentences, ascending, that make variants of each item. If there are any, ``facts``
            and ``rules`` do not count: half of the noise is facts, half is rules.
        mirrored: whether every second level is a literal and its opposite, so that its sign tells nothing (set T).
    """

    people: int
    predicates: int
    facts: int
    rules: int
    weights: Mapping[int, float]
    signs: Signs = "fair"
    reading: Choice["both", "signed"] = "signed"
    noise: tuple[int, ...] = ()
    mirrored: bool = False

    @property
    def span(self) -> int:
        """Return the number of literals of one person."""
        return 2 * self.predicates

    @cached_property
    def chooser(self) -> Chooser:
        """Return the classes of rules by their weights."""
        return Chooser(self.weights)


@dataclass(frozen=True, slots=True)
class Level:
    """Two literals of one person; every member derives one of them.

    Attributes:
        alone: whether no other level has its properties, so that rules about all persons may speak of it.
    """

    literals: tuple[int, int]
    alone: bool


@dataclass(frozen=True, slots=True)
class Step:
    """The class of the two rules of a round, and whether an equivalence is used from its conclusion to its premise."""

    form: Form
    backward: bool

    @property
    def sides(self) -> tuple[int, int]:
        """Return the number of literals that it needs, and of those that it concludes."""
        return self.form.sides[::-1] if self.backward else self.form.sides

    @property
    def needs_fact(self) -> bool:
        """Return whether it needs a second literal that must hold."""
        return self.sides[0] == 2 and self.form.premise != "or"

    @property
    def own_properties(self) -> int:
        """Return how many properties its side literals have to themselves.

        An equivalence concludes what it needs, too: a reader going backwards must meet nothing else there.
        """
        return sum(self.sides) - 2 if self.form.equivalence else 0

    @property
    def keeps_person(self) -> bool:
        """Return whether it concludes something of whom it starts from."""
        return self.form.scope == "all"

    @property
    def is_plain(self) -> bool:
        """Return whether it takes no property for itself."""
        return self.form.scope == "named" and not self.own_properties


@dataclass(frozen=True, slots=True)
class Round:
    """The two rules of a round, but for which literal leads to which.

    Attributes:
        beside: a second literal that both rules need: a fact or, behind "or", something that never holds.
        more: a second literal that both rules conclude.
        turned: whether the second literal stands before the first, in premise and conclusion.
    """

    step: Step
    start: Level
    end: Level
    beside: int | None
    more: int | None
    turned: tuple[bool, bool]

    def rules(self, crossed: bool, span: int) -> list[SymbolicRule]:
        """Return the rules of both lanes."""
        ends = self.end.literals[::-1] if crossed else self.end.literals
        return [self._rule(*pair, span) for pair in zip(self.start.literals, ends, strict=True)]

    def _rule(self, start: int, end: int, span: int) -> SymbolicRule:
        sides = [
            [first] if second is None else [second, first] if turned else [first, second]
            for first, second, turned in zip(
                (start, end), (self.beside, self.more), self.turned, strict=True
            )
        ]
        if self.step.backward:
            sides.reverse()
        return stated(self.step.form, sides[0], sides[1], span)


def stated(
    form: Form, premise: Sequence[int], conclusion: Sequence[int], span: int
) -> SymbolicRule:
    """Return the rule of a class that speaks of literals of persons; of nobody where the class names nobody."""
    if form.scope != "named":
        premise = [literal % span for literal in premise]
    if form.scope == "all":
        conclusion = [literal % span for literal in conclusion]
    return SymbolicRule(form.code, tuple(premise), tuple(conclusion))


@dataclass(slots=True)
class Properties:
    """The properties of a quartet by what is said of them.

    Attributes:
        body_sign: the one sign with which premises name a property that is no level's. What is undecided can then be
            set the other way, so that its rules hold in classical logic.
        given: facts speak of them, and no rule concludes them.
        open: no rule concludes them and no fact states them as premises need them, so that these never hold.
        free: noise concludes them, and no rule leads from them to a level.
        kept: properties of which no further fact may speak.
    """

    body_sign: dict[int, int] = field(default_factory=dict)
    given: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)


class Core:
    """Both chains of a quartet, drawn but for the coins.

    Attributes:
        chains: the levels of each chain, the first where it starts, the last its ends.
        rounds: the rounds of each chain.
        facts: the facts that start lane 0 of each chain, those that rules need beside a level, and some of others.
        properties: what is said of which property.
    """

    def __init__(self, draws: Draws, shape: Shape, depth: int) -> None:
        self.draws = draws
        self.shape = shape
        self.depth = depth
        self.properties = Properties()
        self.statement = draws.below(shape.people * shape.span)
        plan = _fitted(draws, shape, depth)
        own = self._property(self.statement)
        self._left = draws.shuffled([one for one in range(shape.predicates) if one != own])
        self.chains = self._levels(plan)
        self.lane_atoms = {
            literal >> 1 for levels in self.chains for level in levels for literal in level.literals
        }
        self.facts: list[int] = []
        for levels in self.chains:
            first, second = levels[0].literals
            self.facts += [first, second ^ 1]
        own_sides = [
            self._left.pop() for steps in plan for step in steps for _ in range(step.own_properties)
        ]
        self.properties.kept.update(own_sides)
        self._sort_properties(own_sides)
        self.rounds = tuple(
            [self._round(step, number, levels, own_sides) for number, step in enumerate(steps)]
            for steps, levels in zip(plan, self.chains, strict=True)
        )
        self.facts += self._of_others(plan)

    @property
    def mirrored_atoms(self) -> list[int]:
        """Return the atoms of the levels that are a literal and its opposite."""
        pairs = [level.literals for levels in self.chains for level in levels]
        return sorted([first >> 1 for first, second in pairs if first ^ 1 == second])

    def all_running(self) -> list[int]:
        """Return the facts, with all lanes started at once."""
        starts = [literal for levels in self.chains for literal in levels[0].literals]
        return [*starts, *self.facts[LEAST_FACTS:]]

    def _of_others(self, plan: Plan) -> list[int]:
        """Return facts that say of somebody else what both literals of a level say of its person.

        So who takes no notice of names has both lanes running. They come in pairs, the same in all members, and stand
        where they are no short cut: at a level that rules with names lead from, or where a chain starts with rules
        about all, which then take as many rounds for the one as for the other.
        """
        found: list[int] = []
        span, people = self.shape.span, list(range(self.shape.people))
        for steps, levels in zip(plan, self.chains, strict=True):
            room = OTHERS_FACTS if self.shape.noise else self.shape.facts - len(self.facts)
            said = {literal % span for literal in found}
            places = [
                levels[at].literals
                for at in range(self.depth)
                if _is_safe_for_others(steps, at, self.shape)
            ]
            if len(found) + 2 > room or any(
                said.issuperset([one % span for one in pair]) for pair in places
            ):
                continue
            for pair in self.draws.shuffled(places):
                # Another person for each chain: one who has the ends of both would be a paradox.
                free = [
                    person
                    for person in people
                    if not any(person == one // span for one in found)
                    and not any(person * span + one % span >> 1 in self.lane_atoms for one in pair)
                ]
                if free:
                    person = self.draws.pick(free)
                    found += [person * span + one % span for one in pair]
                    break
        return found

    def _levels(self, plan: Plan) -> tuple[list[Level], ...]:
        """Draw the levels of both chains: persons, properties and signs."""
        draws, shape = self.draws, self.shape
        ends_of = [self._ends(goal) for goal in (self.statement, self.statement ^ 1)]
        if any(steps[-1].keeps_person for steps in plan):
            ends = [literal for level in ends_of for literal in level.literals]
            self.properties.kept.update(map(self._property, ends))
        shared = {mirror: self._shared(plan, mirror) for mirror in (False, True)}
        found = []
        for steps, last in zip(plan, ends_of, strict=True):
            levels = [last]
            person = last.literals[0] // shape.span
            for at in reversed(range(self.depth)):
                if not steps[at].keeps_person:
                    person = draws.below(shape.people)
                mirror = _is_mirror(shape, self.depth, at)
                if _is_alone(steps, at):
                    own = [self._left.pop() for _ in range(1 if mirror else 2)]
                    self.properties.kept.update(own)
                else:
                    after = {self._property(one) for one in levels[-1].literals}
                    slots = [slot for slot in shared[mirror] if after.isdisjoint(slot[1])]
                    if not slots:
                        raise _NoPlaceError
                    slot = draws.pick(slots)
                    shared[mirror].remove(slot)
                    person, own = slot[0], list(slot[1])
                sign = self._level_sign(last.literals[0], at)
                pair = (own[0], own[-1])
                first, second = (self._literal(person, one, sign) for one in pair)
                literals = (first, second ^ mirror)
                levels.append(Level(literals, alone=_is_alone(steps, at) and not mirror))
            found.append(levels[::-1])
        return tuple(found)

    def _ends(self, goal: int) -> Level:
        """Return a goal with an unrelated literal of its person and sign."""
        other = self._literal(goal // self.shape.span, self._left.pop(), goal & 1)
        return Level((goal, other), alone=True)

    def _shared(self, plan: Plan, mirror: bool) -> list[tuple[int, tuple[int, ...]]]:
        """Return persons with properties for the levels that share them: one property of a mirror, two of others."""
        shape = self.shape
        count = _levels_that_share(plan, shape, self.depth)[mirror]
        least = _least_shared(count, shape.people, mirror)
        size = 1 if mirror else 2
        # No more than needed: the more levels share an adjective, the more it takes to know of whom it is said.
        sets = [tuple(self._left.pop() for _ in range(size)) for _ in range(least)]
        return [(person, own) for own in sets for person in range(shape.people)]

    def _level_sign(self, goal: int, at: int) -> int:
        if self.shape.signs == "positive":
            return 0
        if self.shape.signs == "one_negative":
            return (goal + self.depth - at) & 1  # the sign changes in each rule
        return self.draws.below(2)

    def _sort_properties(self, sides: Sequence[int]) -> None:
        """Deal out the properties that are no level's, and draw the sign that premises name each with."""
        properties, positive = self.properties, self.shape.signs == "positive"
        turns = (
            properties.given,
            properties.open,
            properties.free,
            properties.open,
            properties.free,
        )
        for number, one in enumerate(self._left):
            turns[number % len(turns)].append(one)
        for one in (*sides, *self._left):
            properties.body_sign[one] = 0 if positive else self.draws.below(2)

    def _round(self, step: Step, number: int, levels: list[Level], sides: list[int]) -> Round:
        draws, shape, properties = self.draws, self.shape, self.properties
        start, end = levels[number], levels[number + 1]
        needed, concluded = step.sides
        beside = more = None
        if needed == 2:
            person = (
                draws.below(shape.people)
                if step.form.scope == "named"
                else start.literals[0] // shape.span
            )
            if step.own_properties:
                beside = self._needed_literal(person, sides.pop())
            else:
                chosen = properties.given if step.needs_fact else properties.open
                beside = self._needed_literal(person, draws.pick(chosen))
            if step.needs_fact and beside not in self.facts:
                self.facts.append(beside)
        if concluded == 2:
            person = (
                end.literals[0] // shape.span if step.keeps_person else draws.below(shape.people)
            )
            own = sides.pop() if step.own_properties else draws.pick(properties.free)
            # Always in the sign that premises name it with: two rounds may conclude the same literal.
            more = self._needed_literal(person, own)
        turned = (draws.chance(0.5), draws.chance(0.5))
        return Round(step, start, end, beside, more, turned)

    def _needed_literal(self, person: int, one: int) -> int:
        return self._literal(person, one, self.properties.body_sign[one])

    def _literal(self, person: int, one: int, sign: int) -> int:
        return person * self.shape.span + 2 * one + sign

    def _property(self, literal: int) -> int:
        return literal % self.shape.span >> 1


class _NoPlaceError(Exception):
    """No place is left for a level; another draw has one."""


Plan = tuple[list[Step], ...]
"""The steps of each chain."""


def drawn_core(draws: Draws, shape: Shape, depth: int) -> Core:
    """Draw the core of a quartet.

    Raises:
        TooSmallError: no quartet of this depth fits into the shape.
    """
    while True:
        try:
            return Core(draws, shape, depth)
        except _NoPlaceError:
            continue


def _fitted(draws: Draws, shape: Shape, depth: int) -> Plan:
    """Draw the classes of all rounds by weight; where they do not fit, some again among those that take less room."""
    drawn = [[_step(draws, shape, depth, at) for at in range(depth)] for _ in CHAINS]
    plan = tuple([step for step in steps if step is not None] for steps in drawn)
    plain = factless = False
    while True:
        short = _needed(plan, shape, depth) > shape.predicates
        poor = not shape.noise and _facts_needed(plan, shape) > shape.facts
        if not short and not poor:
            return plan
        # What was scarce once stays so: otherwise two kinds of cheap steps could take turns for ever.
        plain, factless = plain or short, factless or poor
        costly = [
            (steps, at)
            for steps in plan
            for at, step in enumerate(steps)
            if (short and not step.is_plain) or (poor and step.needs_fact)
        ]
        steps, at = draws.pick(costly) if costly else (plan[0], 0)
        cheap = _step(draws, shape, depth, at, plain=plain, factless=factless)
        if not costly or cheap is None:
            raise _too_small(plan, shape, depth)
        steps[at] = cheap


def _step(
    draws: Draws, shape: Shape, depth: int, at: int, *, plain: bool = False, factless: bool = False
) -> Step | None:
    """Draw the step of a round; ``None`` if no class of a positive weight is as plain as is asked for."""
    weights = {}
    for code, weight in shape.weights.items():
        form = FORMS[code]
        fits = form.scope != "everyone"  # facts about all others would tell a level
        if _is_mirror(shape, depth, at):
            fits &= form.scope == "named"  # of others both signs would stay undecided
        if at < depth - 1 and _is_mirror(shape, depth, at + 1):
            # Read backwards it would start from either sign of what of others stays undecided.
            fits &= not (form.scope == "all" and form.equivalence)
        if shape.reading == "both" and at == depth - 1:
            # By contraposition a chain of equivalences alone would deny its end.
            fits &= not form.equivalence
        if plain:
            fits &= Step(form, backward=False).is_plain
        if factless:
            fits &= not Step(form, False).needs_fact and not (
                form.equivalence and sum(form.sides) > 2
            )
        if fits:
            weights[code] = weight
    if not any(weights.values()):
        if plain or factless:
            return None
        raise TooSmallError(
            "the classes of rules with a positive weight make no chain: it needs one that does not speak of everyone"
            " and, where the reading is both, one that is no equivalence."
        )
    form = FORMS[Chooser(weights).draw(draws)]
    return Step(form, form.equivalence and draws.chance(0.5))


def _is_mirror(shape: Shape, depth: int, at: int) -> bool:
    """Return whether a level is a literal and its opposite: every second one before the ends, but not the facts."""
    return shape.mirrored and at > 0 and (depth - at) % 2 == 1


def _is_alone(steps: Sequence[Step], at: int) -> bool:
    """Return whether a level has its properties to itself: a rule that leads to it, or from it, names nobody."""
    return steps[at].form.scope != "named" or (at > 0 and steps[at - 1].keeps_person)


def _is_safe_for_others(steps: Sequence[Step], at: int, shape: Shape) -> bool:
    """Return whether facts like a level's, of somebody else, let no rule apply before its round."""
    if _is_mirror(shape, len(steps), at):
        return False
    if not _is_alone(steps, at):
        return True
    if at or shape.mirrored:  # a mirror would come to hold in both signs
        return False
    after: int = at
    while after < len(steps) and steps[after].keeps_person:
        after += 1
    return after > at and (after == len(steps) or steps[after].form.scope == "named")


def _levels_that_share(plan: Plan, shape: Shape, depth: int) -> tuple[int, int]:
    """Return the numbers of levels that may share properties: those of two atoms, and mirrors."""
    mirrors = [
        _is_mirror(shape, depth, at)
        for steps in plan
        for at in range(depth)
        if not _is_alone(steps, at)
    ]
    return len(mirrors) - sum(mirrors), sum(mirrors)


def _least_shared(levels: int, people: int, mirror: bool) -> int:
    """Return how many pairs of properties (properties, of mirrors) levels that share them need at least."""
    if mirror:
        return -(-levels // people)
    # Neighbours differ in their properties; some slots more, as the last ones may be neighbours'.
    return min(levels, max(2, -(-levels * 5 // (4 * people))))


def _needed(plan: Plan, shape: Shape, depth: int) -> int:
    """Return the number of properties that a plan needs."""
    alone = [
        1 if _is_mirror(shape, depth, at) else 2
        for steps in plan
        for at in range(depth)
        if _is_alone(steps, at)
    ]
    pairs, mirrors = _levels_that_share(plan, shape, depth)
    shared = 2 * _least_shared(pairs, shape.people, False) + _least_shared(
        mirrors, shape.people, True
    )
    own = sum(step.own_properties for steps in plan for step in steps)
    return ENDS + sum(alone) + shared + own + LEAST_OTHERS


def _facts_needed(plan: Plan, shape: Shape) -> int:
    """Return how many facts a plan takes at most; those of others only as far as there is room."""
    beside = sum(step.needs_fact for steps in plan for step in steps)
    return LEAST_FACTS + min(OTHERS_FACTS, max(shape.facts - LEAST_FACTS, 0)) + beside


def _too_small(plan: Plan, shape: Shape, depth: int) -> TooSmallError:
    needed, facts = _needed(plan, shape, depth), _facts_needed(plan, shape)
    return TooSmallError(
        f"two chains of depth {depth} with these classes of rules need {needed} predicates and {facts} facts; there are"
        f" {shape.predicates} and {shape.facts}: allow more, smaller depths, or classes that name persons and need"
        " no second fact."
    )
