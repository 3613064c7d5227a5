"""Signed Horn programs: the least model, its rounds, first reasons and proofs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from divlogic.logic.growing import GrowingProgram
from divlogic.logic.horn import (
    ALL,
    EXIST,
    UNREACHED,
    Clause,
    Existential,
    Literal,
    Program,
    Rule,
    Side,
    Theory,
)
from tests.unit.logic.oracle import forward_chain

PEOPLE = ("Ann", "Bob", "Cy")
WORDS = ("calm", "kind", "tall", "wise")
SIGNS = st.sampled_from("+-")


def literals(subjects: st.SearchStrategy[str]) -> st.SearchStrategy[Literal]:
    return st.builds(Literal, subjects, st.sampled_from(WORDS), SIGNS)


@st.composite
def sides(draw: st.DrawFn, subject: str | None, connectives: tuple[str, ...]) -> Side:
    connective = draw(st.sampled_from(connectives))
    subjects = st.sampled_from(PEOPLE) if subject is None else st.just(subject)
    count = 1 if connective == "none" else 2
    return Side(tuple(draw(literals(subjects)) for _ in range(count)), connective)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    subject = draw(st.sampled_from([(ALL, ALL), (None, None), (EXIST, None), (ALL, None)]))
    premise = draw(sides(subject[0], ("none", "and", "or")))
    both = subject[0] == subject[1] and premise.connective != "or" and draw(st.booleans())
    return Rule(str(draw(st.integers(0, 99))), premise, draw(sides(subject[1], ("none", "and"))), both)


Drawn = tuple[list[Literal], list[Rule], Theory]
THEORIES = st.tuples(
    st.lists(literals(st.sampled_from(PEOPLE)), max_size=6), st.lists(rules(), min_size=1, max_size=8)
).map(lambda drawn: (*drawn, Theory(drawn[1], PEOPLE, WORDS)))


@given(THEORIES, st.sampled_from(["sound", "released"]))
@settings(max_examples=80)
def test_the_least_model_is_that_of_repeated_passes(theory: Drawn, existential: Existential) -> None:
    facts, given_rules, _ = theory
    coded = Theory(given_rules, PEOPLE, WORDS, existential=existential)
    reached = coded.program.close(map(coded.code, facts)).reached()
    expected = forward_chain(facts, given_rules, PEOPLE, existential=existential)
    assert reached == sorted(map(coded.code, expected))


@given(THEORIES)
@settings(max_examples=50)
def test_each_round_applies_every_rule_once_to_what_the_rounds_before_gave(theory: Drawn) -> None:
    facts, _, coded = theory
    known, now = set(map(coded.code, facts)), 0
    closure = coded.program.close(known)
    while True:
        assert known == {code for code in closure.reached() if closure.rounds[code] <= now}
        fired = {head for body, heads, _ in coded.program.clauses if known.issuperset(body) for head in heads}
        if fired <= known:
            break
        known, now = known | fired, now + 1


@given(THEORIES)
@settings(max_examples=50)
def test_every_step_of_a_proof_is_an_instance_of_a_rule_in_its_first_round(theory: Drawn) -> None:
    facts, _, coded = theory
    given = list(map(coded.code, facts))
    closure = coded.program.close(given)
    for goal in closure.reached():
        proof = closure.proof(goal)
        assert proof[-1].literal == goal
        for place, step in enumerate(proof):
            assert step.round == closure.rounds[step.literal]
            if step.clause < 0:
                assert step.literal in given and step.round == 0
                continue
            clause = coded.program.clauses[step.clause]
            assert tuple(proof[premise].literal for premise in step.premises) == clause[0]
            assert step.literal in clause[1] and all(premise < place for premise in step.premises)
            assert step.round == 1 + max(proof[premise].round for premise in step.premises)
            assert step.clause == min(
                number
                for number, (body, heads, _) in enumerate(coded.program.clauses)
                if step.literal in heads and max(closure.rounds[one] for one in body) == step.round - 1
            )


@given(THEORIES, st.lists(literals(st.sampled_from(PEOPLE)), max_size=4), st.data())
@settings(max_examples=50)
def test_a_program_that_grows_keeps_the_rounds_of_the_whole(
    theory: Drawn, noise: list[Literal], data: st.DataObject
) -> None:
    facts, given_rules, coded = theory
    given, size = list(map(coded.code, facts)), coded.program.size
    facts_of_states = [dict.fromkeys(given), dict.fromkeys(given[1:])]
    states = [[fact for fact in state if fact ^ 1 not in state] for state in facts_of_states]
    fixed = {coded.code(literal) for literal in data.draw(st.lists(literals(st.just("Ann")), max_size=2))}
    growing = GrowingProgram(size, states, fixed=fixed)
    before = [[rounds[literal] for literal in sorted(fixed)] for rounds in growing.rounds]
    added = [code for code in map(coded.code, noise) if growing.add([], [code])]
    kept: list[Clause] = []
    for number in range(len(given_rules)):
        clauses = [clause for clause in coded.program.clauses if clause[2] == number]
        grown = Program([*kept, *clauses], size)
        closures = [grown.close([*state, *added]) for state in states]
        changed = [[c.rounds[literal] for literal in sorted(fixed)] for c in closures] != before
        opposed = any(c.holds(code ^ 1) for c in closures for code in c.reached())
        if growing.add(clauses):
            kept += clauses
        assert growing.rounds == [Program(kept, size).close([*state, *added]).rounds for state in states]
        assert (changed or opposed) == (kept[-len(clauses) :] != clauses)


@given(THEORIES, st.lists(literals(st.sampled_from(PEOPLE)), max_size=4), st.booleans())
@settings(max_examples=80)
def test_a_program_that_grows_refuses_what_makes_some_state_contradict_itself(
    theory: Drawn, noise: list[Literal], taken_back: bool
) -> None:
    facts, given_rules, coded = theory
    given, size = list(map(coded.code, facts)), coded.program.size
    facts_of_states = [dict.fromkeys(given), dict.fromkeys(given[1:]), {}]
    states = [[fact for fact in state if fact ^ 1 not in state] for state in facts_of_states]
    growing = GrowingProgram(size, states)
    kept: list[Clause] = []
    added: list[int] = []

    def opposed(clauses: list[Clause], codes: list[int]) -> bool:
        program = Program([*kept, *clauses], size)
        closures = [program.close([*state, *added, *codes]) for state in states]
        return any(closure.holds(code ^ 1) for closure in closures for code in closure.reached())

    additions: list[tuple[list[Clause], list[int]]] = [([], [coded.code(literal)]) for literal in noise]
    additions += [
        ([clause for clause in coded.program.clauses if clause[2] == number], [])
        for number in range(len(given_rules))
    ]
    for place, (clauses, codes) in enumerate(additions):
        wanted = not opposed(clauses, codes)
        assert growing.add(clauses, codes) == wanted
        if wanted and taken_back and place % 2:
            growing.undo()
        elif wanted:
            kept += clauses
            added += codes


def test_a_literal_grows_as_expected_or_not_at_all() -> None:
    growing = GrowingProgram(8, [[0], [1]])
    assert not growing.add([((0,), (2,), 0)], expected=(2, [1, 1]))
    assert [rounds[2] for rounds in growing.rounds] == [UNREACHED, UNREACHED]
    assert growing.add([((0,), (2,), 0)], expected=(2, [1, UNREACHED]))


def test_an_equivalence_runs_both_ways_and_a_rule_one_way() -> None:
    one = Side((Literal("Ann", "kind", "+"),), "none")
    two = Side((Literal("Bob", "calm", "-"),), "none")
    for equivalence in (False, True):
        theory = Theory([Rule("0", one, two, equivalence=equivalence)], PEOPLE)
        closure = theory.program.close([theory.code(two.literals[0])])
        assert closure.rounds[theory.code(one.literals[0])] == (1 if equivalence else UNREACHED)


def test_a_literal_that_is_not_derivable_has_no_proof() -> None:
    closure = Program([((0,), (2,), 0)], 4).close([])
    assert closure.rounds == [UNREACHED] * 4
    with pytest.raises(ValueError, match="not derivable"):
        closure.proof(2)
    proof = Program([((0,), (2,), 0), ((2,), (3,), 1)], 4).close([0]).proof(3)
    assert [(step.literal, step.clause) for step in proof] == [(0, -1), (2, 0), (3, 1)]


def test_a_rule_of_no_known_form_is_named() -> None:
    mixed = Side((Literal(ALL, "kind", "+"), Literal("Ann", "calm", "+")), "and")
    with pytest.raises(ValueError, match="rule 7 has no known form"):
        Theory([Rule("7", mixed, Side((Literal("Ann", "wise", "+"),), "none"))], PEOPLE)
    someone = Side((Literal(EXIST, "kind", "+"),), "none")
    with pytest.raises(ValueError, match="rule 8 is an equivalence"):
        Theory([Rule("8", someone, Side((Literal("Ann", "wise", "+"),), "none"), True)], PEOPLE)
