"""Fewer rounds than a quartet is deep tell nothing of its labels: equality, crossed lanes, and mutants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import pytest

from divlogic.benchmarks.logicnli import quartets
from divlogic.benchmarks.logicnli.check import unequal_quartets
from divlogic.benchmarks.logicnli.counts import RuleBook, differences
from divlogic.benchmarks.logicnli.draw import plans
from divlogic.benchmarks.logicnli.lanes import CHAINS, Core, Shape, TooSmallError, drawn_core
from divlogic.benchmarks.logicnli.noise import Noise
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.quartets import QuartetSet
from divlogic.benchmarks.logicnli.set_names import CONNECTIVE_SETS, DRAWN_SETS
from divlogic.benchmarks.logicnli.theories import (
    FORMS,
    STATES,
    SymbolicRule,
    ground_rules,
    named_people,
    program_of,
)
from divlogic.draws import Draws
from divlogic.logic.horn import Clause, Program
from divlogic.records import Record
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

TEST_SETS = [name for name in DRAWN_SETS if name.startswith(("test", "d_test", "fol"))]


def shape_of(name: str) -> QuartetSet:
    source = next(plan for plan in plans(LogicNLIParameters(), "full") if plan.name == name).source
    assert isinstance(source, QuartetSet)
    return source


@pytest.mark.parametrize("name", TEST_SETS)
def test_all_that_fewer_rounds_count_is_equal_in_the_members_of_a_quartet(name: str) -> None:
    records = [Record.from_json(row) for row in made_rows(name, 15)]
    assert unequal_quartets(records) == []


def test_the_training_set_is_no_other_than_the_test_set() -> None:
    for name in ("train", "dev", "train_r"):
        assert unequal_quartets([Record.from_json(row) for row in made_rows(name, 10)]) == []


# Known constructions that fail: clauses and the facts of the four members, by hand.


@dataclass(frozen=True)
class Made:
    """A quartet of propositions; the statement is literal 0, its opposite literal 1."""

    depth: int
    clauses: list[Clause]
    facts: list[list[int]]

    def told(self) -> list[str]:
        book = RuleBook(Program(self.clauses, 400), 400)
        derived = [dict(enumerate(map(hash, book.derivations(facts)))) for facts in self.facts]
        own = [book.both_ways(facts, self.depth - 1, 0) for facts in self.facts]
        rounds = [{f"round {at}": number for at, number in one.items()} for one in derived]
        return differences(own) + differences(rounds)

    def is_quartet(self) -> bool:
        program = Program(self.clauses, 400)
        closed = [program.close(facts) for facts in self.facts]
        return [(one.holds(0), one.holds(1)) for one in closed] == list(STATES)


def chain_of(literals: Sequence[int], number: int) -> list[Clause]:
    return [((one,), (other,), number) for one, other in pairwise(literals)]


def decoys(depth: int, length: int) -> Made:
    """Chains broken at their leaves, each with a decoy whose leaf is whole exactly when the chain's is not."""
    clauses: list[Clause] = []
    leaves: list[tuple[int, int]] = []
    for goal, start in ((0, 100), (1, 200)):
        chain = [start + 2 * at for at in range(depth)]
        decoy = [start + 50, *[start + 51 + 2 * at for at in range(1, length + 1)]]
        clauses += chain_of([*chain, goal], 0) + chain_of(decoy, 0)
        leaves.append((chain[0], decoy[0]))
    facts = [
        [leaf ^ (whole == at) for whole, pair in zip(state, leaves, strict=True) for at, leaf in enumerate(pair)]
        for state in STATES
    ]  # fmt: skip
    return Made(depth, clauses, facts)


def late_switch(depth: int) -> Made:
    """A clock runs in all members; the leaves decide in the last round."""
    clock = [300 + 2 * at for at in range(depth)]
    clauses = chain_of(clock, 0)
    leaves = (100, 200)
    for goal, leaf, end in ((0, 100, 110), (1, 200, 211)):
        clauses += [((clock[-1], leaf), (goal,), 0), ((clock[-1], leaf ^ 1), (end,), 0)]
    facts = [
        [clock[0], *[leaf ^ (not whole) for whole, leaf in zip(state, leaves, strict=True)]]
        for state in STATES
    ]
    return Made(depth, clauses, facts)


def sign_mirrors(depth: int) -> Made:
    """Each level of a chain is a literal and its opposite; which leads to which, crossed in every second round."""
    clauses: list[Clause] = []
    for goal, start in ((0, 100), (1, 200)):
        for at in range(depth):
            ends = (
                (start + 2 * at + 2, start + 2 * at + 3) if at < depth - 1 else (goal, 310 + goal)
            )
            clauses += [((start + 2 * at + lane,), (ends[lane ^ at % 2],), 0) for lane in (0, 1)]
    turned = (depth // 2) % 2
    facts = [
        [start ^ (whole == bool(turned)) for whole, start in zip(state, (100, 200), strict=True)]
        for state in STATES
    ]
    return Made(depth, clauses, facts)


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_constructions_that_tell_their_labels_in_fewer_rounds_are_found(depth: int) -> None:
    one_rule, as_long, switch, mirrors = (
        decoys(depth, 1), decoys(depth, depth), late_switch(depth), sign_mirrors(depth)
    )  # fmt: skip
    for made in (one_rule, as_long, switch, mirrors):
        assert made.is_quartet()
        assert made.told()
    assert any("round 2" in one for one in one_rule.told())
    # Decoys as long as the chains derive as much in each round, but their signs are others.
    assert all("negative" in one or "sign" in one for one in as_long.told())


def a_quartet(shape: Shape, depth: int, seed: int) -> tuple[Core, Noise]:
    """Return a core with its noise, drawn as a set draws them."""
    draws = Draws(seed, 7)
    while True:
        core = drawn_core(draws, shape, depth)
        noise = Noise(core)
        if noise.fill():
            return core, noise


def twinless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let noise speak of one literal of a level alone."""
    for name in ("_from_level", "_into_level"):
        original = getattr(Noise, name)

        def first(self: Noise, form: object, original: object = original) -> object:
            found = original(self, form)  # type: ignore[operator]
            return found and found[:1]

        monkeypatch.setattr(Noise, name, first)


def test_noise_without_twins_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    twinless(monkeypatch)
    records = [Record.from_json(row) for row in made_rows("test", 15)]
    assert unequal_quartets(records)


def test_lanes_of_different_signs_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    literal, calls = Core._literal, iter(range(10**6))

    def mixed(self: Core, person: int, one: int, sign: int) -> int:
        return literal(self, person, one, sign ^ next(calls) & 1)

    monkeypatch.setattr(Core, "_literal", mixed)
    records = [Record.from_json(row) for row in made_rows("test", 10)]
    assert any("negative" in problem or "sign" in problem for problem in unequal_quartets(records))


# The theorem: crossing the lanes of one round turns the label, and changes nothing that the other rounds show.


def crossings(core: Core) -> list[tuple[int, int]]:
    return [(chain, at) for chain in CHAINS for at in range(core.depth)]


def rules_of(core: Core, noise: Noise, crossed: set[tuple[int, int]]) -> list[SymbolicRule]:
    """Return all rules, in the order of their making, with some rounds crossed."""
    own = [
        rule
        for chain in CHAINS
        for at, one in enumerate(core.rounds[chain])
        for rule in one.rules((chain, at) in crossed, core.shape.span)
    ]
    return own + noise.rules[len(own) :]


def members(core: Core, noise: Noise) -> list[list[int]]:
    """Return the facts of the four members: each chain starts in one lane or the other."""
    found = []
    for lanes in product((0, 1), repeat=2):
        flipped = {2 * chain + at for chain in CHAINS if lanes[chain] for at in (0, 1)}
        found.append([fact ^ (at in flipped) for at, fact in enumerate(noise.facts)])
    return found


def seen(
    core: Core, rules: list[SymbolicRule], facts: list[int], ahead: int, back: int
) -> tuple[object, ...]:
    """Return what some rounds in either direction show: literals, and the rules that they use, word by word."""
    shape = core.shape
    clauses = ground_rules(rules, shape.people, shape.predicates)
    rounds = program_of(rules, shape.people, shape.predicates).close(facts).rounds
    used = {rule for body, _, rule in clauses if all(rounds[one] < ahead for one in body)}
    front = {core.statement, core.statement ^ 1}
    reached = set(front)
    for _ in range(back):
        applied = [(body, rule) for body, heads, rule in clauses if not front.isdisjoint(heads)]
        used |= {rule for _, rule in applied}
        front = {one for body, _ in applied for one in body}
        reached |= front
    known = [min(number, ahead + 1) for number in rounds]
    return known, reached, sorted((number, rules[number]) for number in used)


@pytest.mark.parametrize(
    ("name", "depth"),
    [("test", 1), ("test", 2), ("test", 3), ("test", 5), ("test_g", 7), ("test_t", 6)]
    + [(name, 4) for name in CONNECTIVE_SETS],
)
def test_crossing_one_round_turns_the_label_and_what_the_other_rounds_show_stays(
    name: str, depth: int
) -> None:
    for seed in range(4):
        core, noise = a_quartet(shape_of(name).shape, depth, seed)
        shape = core.shape
        before = rules_of(core, noise, set())
        for chain, at in crossings(core):
            after = rules_of(core, noise, {(chain, at)})
            for facts in members(core, noise):
                programs = [
                    program_of(rules, shape.people, shape.predicates) for rules in (before, after)
                ]
                closed = [program.close(facts) for program in programs]
                goal = core.statement ^ chain
                assert closed[0].holds(goal) != closed[1].holds(goal)
                assert closed[0].holds(goal ^ 1) == closed[1].holds(goal ^ 1)
                first, second = (
                    seen(core, rules, facts, at, depth - 1 - at) for rules in (before, after)
                )
                assert first == second
                # What a reader sees who takes one round more, in either direction, is not the same.
                assert seen(core, before, facts, at + 1, 0) != seen(core, after, facts, at + 1, 0)


def test_crossing_changes_no_pattern_of_class_person_sign_and_place() -> None:
    core, noise = a_quartet(shape_of("test").shape, 5, 3)
    shape = core.shape

    def pattern(rule: SymbolicRule) -> object:
        named = [*rule.premise, *rule.conclusion]
        people = [literal // shape.span for literal in named]
        words = [literal % shape.span >> 1 for literal in named]
        return rule.form, people, [literal & 1 for literal in named], len(set(words))

    rounds = set(crossings(core))
    straight, crossed = (list(map(pattern, rules_of(core, noise, one))) for one in (set(), rounds))
    assert straight == crossed
    places = [
        sorted(one for rule in rules_of(core, noise, of) for one in rule.premise)
        for of in (set(), rounds)
    ]
    assert places[0] == places[1]


def test_coins_are_tossed_after_everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    source = shape_of("test")
    toss = quartets._crossed
    groups = []
    for more in (0, 1, 2):

        def later(core: Core, noise: Noise, more: int = more) -> object:
            for _ in range(more):
                core.draws.below(2)
            return toss(core, noise)

        monkeypatch.setattr(quartets, "_crossed", later)
        groups.append([source.block(number, 5)[0] for number in range(6)])
    facts = [[group.facts for group in drawn] for drawn in groups]
    labels = [[[item.label for item in group.items] for group in drawn] for drawn in groups]
    rules = [[group.rules for group in drawn] for drawn in groups]
    assert facts[0] == facts[1] == facts[2] and labels[0] == labels[1] == labels[2]
    assert rules[0] != rules[1] != rules[2]


# What the proof rests on.


@pytest.mark.parametrize(
    "name", ["test", "test_g", "test_t", "test_r", "fol_all", "fol_exists", "fol_or"]
)
def test_noise_speaks_of_levels_as_the_proof_needs_it(name: str) -> None:
    source = shape_of(name)
    for seed in range(6):
        core, noise = a_quartet(source.shape, source.depths[seed % len(source.depths)], seed)
        shape = core.shape
        own = 4 * core.depth
        lanes = core.lane_atoms
        heads = {
            head >> 1
            for _, found, _ in ground_rules(noise.rules, shape.people, shape.predicates)
            for head in found
        }
        clauses = ground_rules(noise.rules[own:], shape.people, shape.predicates)
        for body, concluded, _ in clauses:
            names_level = [one for one in body if one >> 1 in lanes]
            assert len(names_level) <= 1
            if not any(one >> 1 in lanes for one in concluded):
                continue
            # Into a level: from what no rule concludes, and never holds.
            assert not names_level and not any(one >> 1 in heads for one in body)
            assert not noise._model.held.issuperset(body)


@pytest.mark.parametrize("name", ["test", "test_g", "test_t", "fol_and"])
def test_what_is_undecided_is_named_by_premises_in_one_sign(name: str) -> None:
    """So it can be set the other way, and entailment, contradiction and neutral hold in classical logic."""
    source = shape_of(name)
    for seed in range(40):
        core, noise = a_quartet(source.shape, source.depths[seed % len(source.depths)], seed)
        shape = core.shape
        clauses = ground_rules(noise.rules, shape.people, shape.predicates)
        decided = {one >> 1 for one in noise._model.held} | {fact >> 1 for fact in noise.facts}
        named = {one for body, _, _ in clauses for one in body if one >> 1 not in decided}
        assert not any(one ^ 1 in named for one in named)


@pytest.mark.parametrize("name", TEST_SETS)
def test_nothing_but_the_statement_is_paradoxical(name: str) -> None:
    source = shape_of(name)
    for number in range(12):
        group = source.block(number, 21)[0]
        program = program_of(group.rules, group.people, group.width)
        for item in group.items:
            closure = program.close(
                [fact for _, fact in group.facts_of(item)],
                []
                if item.rules is None
                else [
                    at for at, clause in enumerate(program.clauses) if clause[2] not in item.rules
                ],
            )
            both = {one >> 1 for one in closure.reached() if closure.holds(one ^ 1)}
            assert both <= {item.statement >> 1}
            assert bool(both) == (item.label == 3)


def test_who_takes_no_notice_of_names_is_wrong_at_depth() -> None:
    """Whether persons are told apart matters: all lanes run for who reads of properties alone."""
    right = []
    for row in made_rows("test", 50):
        if row["depth"] < 4:
            continue
        formulas = row["formulas"]
        facts = [("x", *fact[1:]) for fact in formulas["facts"]]
        rules = [
            {
                **rule,
                **{
                    side: {**rule[side], "fact": [("x", *one[1:]) for one in rule[side]["fact"]]}
                    for side in "pq"
                },
            }
            for rule in formulas["rules"]
        ]
        rounds = checker.chain(facts, rules, ["x"])
        statement = ("x", *formulas["statement"][1:])
        said = checker.LABEL[statement in rounds, checker.opposite(statement) in rounds]
        right.append(said == checker.label_of(row))
    assert sum(right) / len(right) < 0.4


def test_everyone_is_spoken_of_only_where_everybody_is_named() -> None:
    source = shape_of("test")
    closed = 0
    for number in range(60):
        group = source.block(number, 11)[0]
        speaks = any(FORMS[rule.form].scope == "everyone" for rule in group.rules)
        assert group.closed == speaks
        closed += speaks
        if speaks:
            named = named_people(group.facts, group.rules, group.width)
            assert len(named) == group.people
    assert closed


@pytest.mark.parametrize(
    ("changed", "depth", "problem"),
    [
        ({"predicates": 10, "weights": {1: 1}}, 5, "depth 5 with these classes of rules need 28 predicates"),
        ({"weights": {22: 1}, "facts": 10}, 5, "and 18 facts"),
        ({"weights": {29: 1}}, 2, "the classes of rules with a positive weight make no chain"),
        ({"weights": {13: 1}, "reading": "both"}, 2, "one that is no equivalence"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_what_would(
    changed: dict[str, object], depth: int, problem: str
) -> None:
    sizes = {"people": 7, "predicates": 28, "facts": 10, "rules": 24, "weights": {20: 1}}
    with pytest.raises(TooSmallError, match=problem):
        drawn_core(Draws(1), Shape(**{**sizes, **changed}), depth)  # type: ignore[arg-type]


def test_twins_of_noise_stay_together_in_the_variants_of_an_item() -> None:
    source = shape_of("test_r")
    core, noise = a_quartet(source.shape, 3, 2)
    levels = core.lane_atoms
    kinds = [kind for kind, _ in noise.sentences]
    for count in source.shape.noise:
        assert kinds[:count].count("rule") == kinds[:count].count("fact") == count // 2
        numbers = [number for kind, number in noise.sentences[:count] if kind == "rule"]
        rules = [noise.rules[number] for number in numbers]
        clauses = ground_rules(rules, core.shape.people, core.shape.predicates)
        named = {one for body, heads, _ in clauses for one in (*body, *heads) if one >> 1 in levels}
        for chain in core.chains:
            for level in chain:
                first, second = level.literals
                assert (first in named) == (second in named)
