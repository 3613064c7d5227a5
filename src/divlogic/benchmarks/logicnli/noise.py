"""Noise: facts and rules that fill a quartet up, and are the same to whoever runs either lane.

A rule that speaks of a level has a twin, which says the same of the level's other literal. It either starts from the
level and concludes something that is free, or concludes the level from something that never holds; so no noise leads
from level to level, and none to the statement but dead ends. What is kept is decided with all lanes running at once:
were it decided by what the members derive, it would depend on the coins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal as Choice, TypeAlias

from divlogic.benchmarks.logicnli import theories
from divlogic.benchmarks.logicnli.lanes import LANES, Core, Level, stated
from divlogic.benchmarks.logicnli.theories import FORMS, Form, SymbolicRule
from divlogic.logic.growing import GrowingModel
from divlogic.logic.horn import Clause

Kind = Choice["fact", "rule"]

Sentence: TypeAlias = tuple[Kind, int]
"""A noise sentence: its kind and its number among the facts or rules."""

_TRIES = 400

_TWINS = 2 / 3
"""Share of the draws that speak of a level, while there is room for two rules."""


class Noise:
    """Noise under construction.

    Attributes:
        facts: facts, those of the core first.
        rules: rules, those of the core first, uncrossed.
        sentences: the noise, in the order of its addition.
        closed: whether a rule speaks of everyone, so that the text must say that there is nobody else.
    """

    def __init__(self, core: Core) -> None:
        shape = core.shape
        self.core, self.draws, self.shape = core, core.draws, shape
        self.facts = list(core.facts)
        self.rules = [
            rule
            for rounds in core.rounds
            for one in rounds
            for rule in one.rules(False, shape.span)
        ]
        self.sentences: list[Sentence] = []
        self.closed = False
        self._core_rules = len(self.rules)
        self._marks = [rule.marks(shape.predicates) for rule in self.rules]
        clauses = theories.ground_rules(self.rules, shape.people, shape.predicates)
        self._model = GrowingModel(shape.people * shape.span, core.all_running(), clauses)
        self._stated = {fact >> 1 for fact in self.facts}
        self._levels = [level for levels in core.chains for level in levels]
        self._inner = [level for levels in core.chains for level in levels[:-1]]

    def fill(self) -> bool:
        """Add as many facts and rules as the shape asks for; return whether they were found."""
        for kind, count in self._units():
            done = self._add_fact() if kind == "fact" else self._add_rules(count)
            if not done:
                return False
        return True

    def _units(self) -> list[tuple[Kind, int]]:
        """Return the kinds of noise in the order of their addition, each with the number of rules that are left."""
        shape = self.shape
        facts: Kind = "fact"
        rules: Kind = "rule"
        if shape.noise:
            units: list[tuple[Kind, int]] = []
            # Twins are kept or dropped together, so that variants differ by two facts or two rules.
            for _ in range(0, shape.noise[-1], 4):
                for kind in self.draws.shuffled((facts, rules)):
                    units += [(kind, 2)] if kind == "rule" else [(kind, 1)] * 2
            return units
        missing = shape.facts - len(self.facts)
        return [(facts, 1)] * missing + [(rules, shape.rules - len(self.rules))]

    def _add_fact(self) -> bool:
        """Add a fact that states nothing of a level, nothing that must stay open, and contradicts nothing."""
        shape, properties, core = self.shape, self.core.properties, self.core
        for _ in range(_TRIES):
            literal = self.draws.below(shape.people * shape.span)
            if shape.signs == "positive":
                literal &= ~1
            one, sign = literal % shape.span >> 1, literal & 1
            if literal >> 1 in self._stated or literal >> 1 in core.lane_atoms:
                continue
            if one in properties.kept:
                continue
            if one in properties.open and sign == properties.body_sign[one]:
                continue
            if self._model.add((), (literal,)):
                self._stated.add(literal >> 1)
                self.sentences.append(("fact", len(self.facts)))
                self.facts.append(literal)
                return True
        return False

    def _add_rules(self, count: int) -> bool:
        """Add so many rules: twins, and single ones that speak of no level."""
        for _ in range(_TRIES + 20 * count):
            if not count:
                return True
            form = FORMS[self.shape.chooser.draw(self.draws)]
            if form.scope == "everyone" and not self._everybody_is_named():
                continue
            found: list[SymbolicRule] | None
            if count >= len(LANES) and self.draws.chance(_TWINS):
                found = self._from_level(form) if self.draws.chance(0.5) else self._into_level(form)
            else:
                found = self._free(form)
            if found and self._keep(found):
                count -= len(found)
        return not count

    def _everybody_is_named(self) -> bool:
        """Return whether each person is named so far; in sets of variants, by the core.

        Were somebody named by noise alone, a variant without that noise could make "everyone" true.
        """
        core = self.shape.noise != ()
        facts = self.core.facts if core else self.facts
        rules = self.rules[: self._core_rules] if core else self.rules
        named = theories.named_people(facts, rules, self.shape.predicates)
        return len(named) == self.shape.people

    def _keep(self, rules: Sequence[SymbolicRule]) -> bool:
        """Add rules, unless one says what another one says or they derive a literal beside its opposite."""
        shape = self.shape
        marks = [rule.marks(shape.predicates) for rule in rules]
        known = [*zip(self.rules, self._marks, strict=True), *zip(rules, marks, strict=True)]
        if any(
            _repeats(known[at], known[:at], shape.people, shape.predicates)
            for at in range(len(self.rules), len(known))
        ):
            return False
        clauses = theories.ground_rules(rules, shape.people, shape.predicates, len(self.rules))
        if not self._model.add(clauses):
            return False
        self.sentences += [("rule", len(self.rules) + at) for at in range(len(rules))]
        self.rules += rules
        self._marks += marks
        self.closed |= FORMS[rules[0].form].scope == "everyone"
        return True

    def _free(self, form: Form) -> list[SymbolicRule] | None:
        """Draw a rule that speaks of no level."""
        properties, (needed, concluded) = self.core.properties, form.sides
        # What an equivalence needs it concludes as well.
        named = (
            properties.free
            if form.equivalence
            else [*properties.given, *properties.open, *properties.free]
        )
        body = self._literals(self._some(named, needed), form)
        heads = self._heads(body, concluded, form)
        return [stated(form, body, heads, self.shape.span)] if body and heads else None

    def _from_level(self, form: Form) -> list[SymbolicRule] | None:
        """Draw a rule that starts from one literal of a level, and its twin that starts from the other."""
        level = self.draws.pick(self._inner)
        if form.equivalence or form.scope == "everyone":
            return None
        if form.scope != "named" and not level.alone:
            return None
        properties = self.core.properties
        others = [*properties.given, *properties.open, *properties.free]
        beside = self._literals(self._some(others, form.sides[0] - 1), form)
        heads = self._heads([*level.literals, *beside], form.sides[1], form)
        if not heads:
            return None
        turned = self.draws.chance(0.5)
        return [
            stated(form, [*beside, one] if turned else [one, *beside], heads, self.shape.span)
            for one in level.literals
        ]

    def _into_level(self, form: Form) -> list[SymbolicRule] | None:
        """Draw a rule that would conclude one literal of a level from what never holds, and its twin."""
        if form.equivalence:
            return None
        level, properties, span = (
            self.draws.pick(self._levels),
            self.core.properties,
            self.shape.span,
        )
        # An "or" never holds where neither part does, an "and" where one does not.
        never = self._some(properties.open, form.sides[0] if form.premise == "or" else 1)
        rest = self._some([*properties.given, *properties.open], form.sides[0] - len(never))
        body = self._literals([*never, *rest], form)
        if len({literal % span >> 1 for literal in body}) < form.sides[0]:
            return None
        body = self.draws.shuffled(body)
        literals = self._concluded(level, body, form)
        more = self._heads([*body, *literals], form.sides[1] - 1, form)
        if more is None:
            return None
        turned = self.draws.chance(0.5)
        return [
            stated(form, body, [*more, one] if turned else [one, *more], span) for one in literals
        ]

    def _concluded(self, level: Level, body: Sequence[int], form: Form) -> tuple[int, int]:
        """Return a level's literals with the sign that a rule must have for one negative literal in all."""
        first, second = level.literals
        if self.shape.signs == "one_negative" and (first ^ body[0]) & 1 == 0:
            goal = self.core.statement
            if first >> 1 == goal >> 1:
                # The statement's opposite has another companion than the statement.
                other = self.core.chains[1 - (first & 1 ^ goal & 1)][-1]
                return other.literals
            return first ^ 1, second ^ 1
        return first, second

    def _some(self, properties: Sequence[int], count: int) -> list[int]:
        """Draw different properties, as many as asked for or as there are."""
        if count == 1:
            return [self.draws.pick(properties)]
        return self.draws.shuffled(properties)[:count]

    def _literals(self, properties: Iterable[int], form: Form) -> list[int]:
        """Return literals that a premise has of properties, in the one sign that premises name them with."""
        shape, signs = self.shape, self.core.properties.body_sign
        same = self.draws.below(shape.people)
        return [
            (self.draws.below(shape.people) if form.scope == "named" else same) * shape.span
            + 2 * one
            + signs[one]
            for one in properties
        ]

    def _heads(self, body: Sequence[int], count: int, form: Form) -> list[int] | None:
        """Draw what a rule concludes of free properties that it does not name yet; ``None`` if too few are left."""
        shape = self.shape
        named = {literal % shape.span >> 1 for literal in body}
        left = [one for one in self.core.properties.free if one not in named]
        if len(left) < count:
            return None
        heads = []
        for one in self._some(left, count) if count else ():
            if shape.signs == "positive":
                sign = 0
            elif shape.signs == "one_negative":
                sign = 1 - (body[0] & 1)
            elif form.equivalence:
                sign = self.core.properties.body_sign[one]
            else:
                sign = self.draws.below(2)
            heads.append(self.draws.below(shape.people) * shape.span + 2 * one + sign)
        return heads


_Marked: TypeAlias = tuple[SymbolicRule, int]
"""A rule and its marks."""


def _repeats(marked: _Marked, others: Iterable[_Marked], people: int, width: int) -> bool:
    """Return whether a rule says nothing but what another one says, or all that another one says.

    Such are a contrapositive, an equivalence and one of its implications, a rule of one person and the same of all.
    Few pairs have marks that allow it; only these are spelled out.
    """
    rule, own = marked
    near = [one for one, marks in others if marks & own in (marks, own)]
    if not near:
        return False
    said, *known = [_said(one, people, width) for one in (rule, *near)]
    return any(said <= other or other <= said for other in known)


def disjunctions(clauses: Iterable[Clause]) -> frozenset[tuple[int, ...]]:
    """Return clauses as disjunctions of ascending literals: a clause and its contrapositives are the same one."""
    pairs = [(body, head) for body, heads, _ in clauses for head in heads]
    return frozenset([tuple(sorted({part ^ 1 for part in body} | {head})) for body, head in pairs])


@lru_cache(maxsize=1_000)
def _said(rule: SymbolicRule, people: int, width: int) -> frozenset[tuple[int, ...]]:
    """Return what a rule says; remembered, as the rules of a quartet are compared with each rule that is drawn."""
    return disjunctions(theories.ground_rule(rule, people, width, 0))
