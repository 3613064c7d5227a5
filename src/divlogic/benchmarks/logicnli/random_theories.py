"""Random theories with the parameters of the release: the sets of preset ``as_published``.

A theory depends on the seed, its set and its index only. (Tian et al. 2021, Section 4.2)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from divlogic.benchmarks.logicnli import theories
from divlogic.benchmarks.logicnli.theories import (
    FORMS,
    Chooser,
    Group,
    JudgedStatement,
    SymbolicRule,
)
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.logic.horn import UNREACHED, Closure, Program

Rules = tuple[SymbolicRule, ...]
_TRIES = 200_000
_FACTS_PER_RULES = 16
"""Sets of facts tried on the same rules; at most one of them is kept."""


@dataclass(frozen=True, slots=True)
class TheoryShape:
    """What a random theory holds, and how one is drawn."""

    people: int
    predicates: int
    facts: int
    rules: int
    weights: Mapping[int, float]
    signs: bool = True
    paradox: bool = True
    max_rounds: int | None = None

    def draw_rules(self, draws: Draws, chooser: Chooser) -> tuple[Rules, Program]:
        """Draw the rules of a theory."""
        people, width, signs = self.people, self.predicates, self.signs
        forms = (FORMS[chooser.draw(draws)] for _ in range(self.rules))
        rules = tuple(
            [theories.random_rule(draws, form, people, width, signs=signs) for form in forms]
        )
        return rules, theories.program_of(rules, people, width)

    def draw_facts(self, draws: Draws) -> tuple[int, ...]:
        """Draw the facts of a theory, on different atoms."""
        atoms = theories.distinct(draws, self.people * self.predicates, self.facts)
        return tuple([2 * atom + (draws.below(2) if self.signs else 0) for atom in atoms])

    def closed(self, facts: tuple[int, ...], rules: Rules, program: Program) -> Closure | None:
        """Return the least model; ``None`` if the theory is to be drawn again."""
        of_everyone = any(FORMS[rule.form].scope == "everyone" for rule in rules)
        if of_everyone and len(theories.named_people(facts, rules, self.predicates)) < self.people:
            return None  # "everyone" is every named person, so that each must be named
        closure = program.close(facts)
        if self.max_rounds is not None and closure.depth > self.max_rounds:
            return None
        both_sides_by = min(map(max, closure.rounds[::2], closure.rounds[1::2]))
        return closure if self.paradox or both_sides_by == UNREACHED else None


@dataclass(frozen=True, slots=True)
class StatementSet:
    """A set of random theories, each with the same number of statements per label.

    Attributes:
        stream: number that sets its draws apart from those of other sets.
        sizes: numbers of sentences to which each item is cut down (robustness), empty for none.
    """

    name: str
    stream: int
    shape: TheoryShape
    labels: tuple[int, ...]
    per_label: int
    sizes: tuple[int, ...] = ()

    per_block = 1

    def block(self, index: int, seed: int) -> list[Group]:
        """Draw one theory and its statements."""
        draws = Draws(seed, self.stream, index)
        shape, chooser = self.shape, Chooser(self.shape.weights)
        for _ in range(_TRIES):
            rules, program = shape.draw_rules(draws, chooser)
            facts = shape.draw_facts(draws)
            closure = shape.closed(facts, rules, program)
            if closure is None:
                continue
            pools = _by_label(closure.rounds, self.labels)
            if self.sizes:
                pools = {
                    label: [one for one in pool if len(relevant(closure, one)) <= self.sizes[0]]
                    for label, pool in pools.items()
                }
            if min(len(pool) for pool in pools.values()) < self.per_label:
                continue
            items = [
                JudgedStatement(pool[place], label, _rounds_of(closure, pool[place], label))
                for label, pool in pools.items()
                for place in theories.distinct(draws, len(pool), self.per_label)
            ]
            items = draws.shuffled(items)
            if self.sizes:
                items = _eliminated(items, closure, facts, rules, shape, self.sizes, draws)
            return [
                Group(self.name, index, shape.people, shape.predicates, facts, rules, tuple(items))
            ]
        raise _impossible(self.name, f"{self.per_label} statements of each label")


@dataclass(frozen=True, slots=True)
class HopSet:
    """A set of single statements of given hops (generalisation, traceability).

    A block of groups holds each pair of hop and label once. Each theory of a block serves the rarest pair that it can.
    """

    name: str
    stream: int
    shape: TheoryShape
    labels: tuple[int, ...]
    hops: tuple[int, ...]

    @property
    def per_block(self) -> int:
        """Return the number of groups that are drawn together."""
        return len(self.slots)

    @property
    def slots(self) -> list[tuple[int, int]]:
        """Return the pairs of hop and label, the rarest last."""
        order = (theories.NEUTRAL, theories.ENTAILMENT, theories.CONTRADICTION, theories.PARADOX)
        return [(hop, label) for hop in self.hops for label in order if label in self.labels]

    def block(self, number: int, seed: int) -> list[Group]:
        """Draw one block of groups."""
        draws = Draws(seed, self.stream, number)
        shape, chooser, slots = self.shape, Chooser(self.shape.weights), self.slots
        missing = dict(enumerate(slots))
        found: list[tuple[tuple[int, ...], Rules, JudgedStatement]] = []
        for _ in range(_TRIES):
            rules, program = shape.draw_rules(draws, chooser)
            for _ in range(_FACTS_PER_RULES):
                facts = shape.draw_facts(draws)
                closure = shape.closed(facts, rules, program)
                if closure is None or closure.depth < min(self.hops):
                    continue
                rounds = closure.rounds
                place = self._rarest(missing, rounds, closure.depth)
                if place is None:
                    continue
                hop, label = missing.pop(place)
                pool = _by_label(rounds, (label,))[label]
                pool = [one for one in pool if _depth(rounds, one, label) in (None, hop)]
                found.append((facts, rules, JudgedStatement(draws.pick(pool), label, hop)))
                break
            if not missing:
                mixed = enumerate(draws.shuffled(found), start=number * len(slots))
                return [
                    Group(self.name, index, shape.people, shape.predicates, facts, rules, (item,))
                    for index, (facts, rules, item) in mixed
                ]
        hop = missing[max(missing)][0]
        raise _impossible(self.name, f"statements of {hop} hops")

    def _rarest(
        self, missing: Mapping[int, tuple[int, int]], rounds: list[int], deepest: int
    ) -> int | None:
        """Return the place of the rarest pair still missing that a theory can serve."""
        have = {
            (_depth(rounds, literal, label), label)
            for label, pool in _by_label(rounds, self.labels).items()
            for literal in pool
        }
        for place in sorted(missing, reverse=True):
            hop, label = missing[place]
            # A neutral statement has no hops: it comes from a theory that is as deep as those of its pair.
            fits = label == theories.NEUTRAL and deepest == hop and (None, label) in have
            if fits or (hop, label) in have:
                return place
        return None


def relevant(closure: Closure, statement: int) -> frozenset[tuple[str, int]]:
    """Return the facts and rules (by literal and number) in the proofs of a statement and of its opposite."""
    found: set[tuple[str, int]] = set()
    for goal in (statement, statement ^ 1):
        if closure.holds(goal):
            for step in closure.proof(goal):
                if step.clause < 0:
                    found.add(("fact", step.literal))
                else:
                    found.add(("rule", closure.program.clauses[step.clause][2]))
    return frozenset(found)


def _by_label(rounds: Sequence[int], labels: Sequence[int]) -> dict[int, list[int]]:
    """Return the literals that have each label."""
    pools: dict[int, list[int]] = {label: [] for label in labels}
    for literal, own in enumerate(rounds):
        label = theories.LABEL_OF_STATE[own < UNREACHED, rounds[literal ^ 1] < UNREACHED]
        if label in pools:
            pools[label].append(literal)
    return pools


def _depth(rounds: Sequence[int], statement: int, label: int) -> int | None:
    if label == theories.NEUTRAL:
        return None
    sides = rounds[statement], rounds[statement ^ 1]
    return max(sides) if label == theories.PARADOX else min(sides)


def _rounds_of(closure: Closure, statement: int, label: int) -> int:
    """Return the depth of a statement; to see that one is neutral takes every round of its theory."""
    depth = _depth(closure.rounds, statement, label)
    return closure.depth if depth is None else depth


def _eliminated(
    items: Sequence[JudgedStatement],
    closure: Closure,
    facts: Sequence[int],
    rules: Sequence[SymbolicRule],
    shape: TheoryShape,
    sizes: Sequence[int],
    draws: Draws,
) -> list[JudgedStatement]:
    """Cut each item down to each size: what its proofs need stays, the others go in one random order.

    Derivability is monotone, so that no label can change; only "everyone" could come to hold where persons are
    no longer named, and such an order is drawn again.
    """
    cut: list[JudgedStatement] = []
    place_of = {literal: place for place, literal in enumerate(facts)}
    sentences = [("fact", number) for number in range(len(facts))]
    sentences += [("rule", number) for number in range(len(rules))]
    for number, item in enumerate(items):
        found = relevant(closure, item.statement)
        needed = {(kind, place_of[what] if kind == "fact" else what) for kind, what in found}
        others = [sentence for sentence in sentences if sentence not in needed]
        for _ in range(_TRIES):
            others = draws.shuffled(others)
            variants = [
                _variant(
                    item,
                    number,
                    sorted(needed.union(others[: size - len(needed)])),
                    size - len(needed),
                )
                for size in sizes
            ]
            if not any(_everyone_holds(one, closure, facts, rules, shape) for one in variants):
                break
        cut += variants
    return cut


def _variant(
    item: JudgedStatement, base: int, kept: Sequence[tuple[str, int]], noise: int
) -> JudgedStatement:
    return item._replace(
        facts=tuple([place for kind, place in kept if kind == "fact"]),
        rules=tuple([place for kind, place in kept if kind == "rule"]),
        base=base,
        noise=noise,
    )


def _everyone_holds(
    item: JudgedStatement,
    closure: Closure,
    facts: Sequence[int],
    rules: Sequence[SymbolicRule],
    shape: TheoryShape,
) -> bool:
    """Return whether all persons who are still named, though not all persons, have what some "everyone" rule needs."""
    kept = [rules[place] for place in item.rules or ()]
    everyone = [rule for rule in kept if FORMS[rule.form].scope == "everyone"]
    if not everyone:
        return False
    span = 2 * shape.predicates
    literals = [item.statement, *[facts[place] for place in item.facts or ()]]
    named = theories.named_people(literals, kept, shape.predicates)
    return len(named) < shape.people and any(
        all(closure.holds(span * person + literal) for person in named)
        for rule in everyone
        for literal in rule.premise
    )


def _impossible(name: str, what: str) -> DivLogicError:
    return DivLogicError(
        f"benchmarks.logicnli, set {name}: {_TRIES:,} random theories hold no {what}; allow more facts, rules or"
        " predicates, or fewer hops."
    )
