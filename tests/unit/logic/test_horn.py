"""Signed Horn programs: the least model, its rounds, first reasons and proofs."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings, strategies as st

from divlogic.logic import horn
from divlogic.logic.growing import GrowingModel
from divlogic.logic.horn import ALL, EXIST, UNREACHED, Clause, Literal, Program, Rule, Side, Theory
from tests.unit.logic.oracle import forward_chain

READINGS: tuple[horn.Existential, ...] = get_args(horn.Existential)
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
    return Rule(
        str(draw(st.integers(0, 99))), premise, draw(sides(subject[1], ("none", "and"))), both
    )


Drawn = tuple[list[Literal], list[Rule], Theory]
THEORIES = st.tuples(
    st.lists(literals(st.sampled_from(PEOPLE)), max_size=6),
    st.lists(rules(), min_size=1, max_size=8),
).map(lambda drawn: (*drawn, Theory(drawn[1], PEOPLE, WORDS)))


@given(THEORIES, st.sampled_from(READINGS))
@settings(max_examples=80)
def test_the_least_model_is_that_of_repeated_passes(
    theory: Drawn, existential: horn.Existential
) -> None:
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
        fired = {
            head
            for body, heads, _ in coded.program.clauses
            if known.issuperset(body)
            for head in heads
        }
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
                if step.literal in heads
                and max(closure.rounds[one] for one in body) == step.round - 1
            )


FEW = st.lists(literals(st.sampled_from(PEOPLE)), max_size=4)


@given(THEORIES, FEW)
@settings(max_examples=120)
def test_a_model_that_grows_is_that_of_the_whole_and_refuses_what_contradicts_it(
    theory: Drawn, noise: list[Literal]
) -> None:
    facts, given_rules, coded = theory
    codes = list(dict.fromkeys(map(coded.code, facts)))
    start = [code for code in codes if code ^ 1 not in codes]
    size = coded.program.size
    growing = GrowingModel(size, start)
    kept: list[Clause] = []
    added = list(start)
    additions: list[tuple[list[Clause], list[int]]] = [
        ([], [coded.code(literal)]) for literal in noise
    ]
    additions += [
        ([one for one in coded.program.clauses if one[2] == number], [])
        for number in range(len(given_rules))
    ]
    for clauses, more in additions:
        whole = set(Program([*kept, *clauses], size).close([*added, *more]).reached())
        consistent = not any(literal ^ 1 in whole for literal in whole)
        assert growing.add(clauses, more) == consistent
        if consistent:
            kept += clauses
            added += more
        assert growing.held == set(Program(kept, size).close(added).reached())


def test_what_is_held_in_both_signs_from_the_start_is_no_reason_to_refuse() -> None:
    growing = GrowingModel(8, [0, 1])
    assert growing.add([((0,), (2,), 0)]) and growing.held == {0, 1, 2}
    assert not growing.add([((1,), (3,), 0)]) and growing.held == {0, 1, 2}


def side(text: str) -> Side:
    """Read "all kind + and all calm -"."""
    connective = next((word for word in ("and", "or") if f" {word} " in text), "none")
    return Side(tuple(Literal(*one.split()) for one in text.split(f" {connective} ")), connective)


def rule(text: str) -> Rule:
    """Read two sides with an arrow; ↔ is an equivalence."""
    premise, arrow, conclusion = text.partition(" ↔ " if "↔" in text else " → ")
    return Rule("7", side(premise), side(conclusion), arrow == " ↔ ")


@pytest.mark.parametrize(
    ("text", "facts", "sound", "released"),
    [
        ("Ann kind + → Bob calm +", "Ann kind +", "Bob calm +", "Bob calm +"),
        ("Ann kind + → Bob calm +", "Bob calm -", "", ""),  # never by contraposition
        ("Ann kind + ↔ Bob calm -", "Bob calm -", "Ann kind +", "Ann kind +"),
        ("Ann kind + → Ann calm -", "Ann kind +, Ann calm +", "Ann calm -", "Ann calm -"),
        ("all kind + → all calm -", "Bob kind +", "Bob calm -", "Bob calm -"),
        ("all kind + → Ann calm +", "Bob kind +", "", ""),  # all in the premise only needs everyone
        ("all kind + → Ann calm +", "Ann kind +, Bob kind +, Cy kind +", "Ann calm +", "Ann calm +"),
        ("exist kind + or exist tall + → Ann calm + and Cy wise -", "Bob tall +", *["Ann calm +, Cy wise -"] * 2),
        ("exist kind + and exist tall + → Ann calm +", "Bob kind +, Ann tall +", "", ""),
        ("exist kind + and exist tall + → Ann calm +", "Bob kind +, Bob tall +", "Ann calm +", "Ann calm +"),
        # As released, equal signs are needed, and the second fact may have the other one.
        ("exist kind + and exist tall + → Ann calm +", "Bob kind +, Bob tall -", "", "Ann calm +"),
        ("exist kind - and exist tall - → Ann calm +", "Bob kind -, Bob tall +", "", "Ann calm +"),
        ("exist kind + and exist tall - → Ann calm +", "Bob kind +, Bob tall -", "Ann calm +", ""),
    ],
)  # fmt: skip
def test_a_rule_gives_what_it_says(text: str, facts: str, sound: str, released: str) -> None:
    for existential, expected in zip(READINGS, (sound, released), strict=True):
        theory = Theory([rule(text)], PEOPLE, existential=existential)
        closure = theory.program.close(
            theory.code(Literal(*fact.split())) for fact in facts.split(", ")
        )
        said = [one for one in f"{facts}, {expected}".split(", ") if one]
        assert closure.reached() == sorted(theory.code(Literal(*one.split())) for one in said)


def test_a_literal_that_is_not_derivable_has_no_proof() -> None:
    closure = Program([((0,), (2,), 0)], 4).close([])
    assert closure.rounds == [UNREACHED] * 4
    with pytest.raises(ValueError, match="not derivable"):
        closure.proof(2)
    proof = Program([((0,), (2,), 0), ((2,), (3,), 1)], 4).close([0]).proof(3)
    assert [(step.literal, step.clause) for step in proof] == [(0, -1), (2, 0), (3, 1)]


def test_a_rule_of_no_known_form_is_named() -> None:
    for text in ("all kind + and Ann calm + → Ann wise +", "Ann kind + → Ann calm + or Ann wise +"):
        with pytest.raises(ValueError, match="rule 7 has no known form"):
            Theory([rule(text)], PEOPLE)
    with pytest.raises(ValueError, match="rule 7 is an equivalence"):
        Theory([rule("exist kind + ↔ Ann wise +")], PEOPLE)
