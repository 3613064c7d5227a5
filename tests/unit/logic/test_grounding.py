"""Clauses over the things named say the same as the sentence whose quantifiers range over these things."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, strategies as st

from divlogic.logic.grounding import clauses_over
from divlogic.logic.parsing import parse_fol
from divlogic.logic.smt import Z3Clauses
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence
from tests.support import some
from tests.unit.logic.oracle import holds

PEOPLE = ("Ann", "Bob")
ATOMS = [Atom(predicate, (person,)) for predicate in "PQ" for person in PEOPLE]


def sentences() -> st.SearchStrategy[Sentence]:
    terms = st.sampled_from([*PEOPLE, "x"])
    atoms = st.builds(lambda name, term: Atom(name, (term,)), st.sampled_from("PQ"), terms)
    equal = st.builds(lambda one, other: Atom("=", (one, other)), terms, terms)
    return st.recursive(
        st.one_of(atoms, equal),
        lambda inner: st.one_of(
            st.builds(Negation, inner),
            st.builds(Binary, st.sampled_from("∧∨→↔⊕"), inner, inner),
            st.builds(Quantified, st.sampled_from("∀∃"), st.just("x"), inner),
        ),
        max_leaves=5,
    ).map(lambda body: Quantified("∀", "x", body))


@given(sentences(), st.booleans())
def test_the_clauses_hold_in_the_worlds_in_which_the_sentence_does(
    sentence: Sentence, wanted: bool
) -> None:
    clauses = clauses_over(sentence, PEOPLE, wanted)
    for signs in some(product((False, True), repeat=len(ATOMS))):
        world = {atom for atom, true in zip(ATOMS, signs, strict=True) if true}
        expected = holds(sentence, world, PEOPLE) == wanted
        found = all(
            any((Atom(name, terms) in world) == sign for name, terms, sign in one)
            for one in clauses
        )
        assert found == expected


def test_who_is_not_there_and_a_sentence_of_too_many_cases_are_named() -> None:
    with pytest.raises(ValueError, match=r"P\(Cid\): not everyone is among Ann, Bob"):
        clauses_over(parse_fol("P(Cid)"), PEOPLE)
    everyone = tuple(f"A{number}" for number in range(20))
    with pytest.raises(ValueError, match="too many cases"):
        clauses_over(parse_fol("∃x (P(x) ∧ Q(x))"), everyone)


@given(
    st.lists(st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), min_size=1, max_size=3), max_size=5),
    st.lists(st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), min_size=1, max_size=3), max_size=3),
)
def test_z3_finds_the_models_of_clauses(theory: list[list[int]], cases: list[list[int]]) -> None:
    solver = Z3Clauses()
    clauses = [tuple(clause) for clause in theory]
    worlds = [
        [at if true else -at for at, true in enumerate(signs, 1)]
        for signs in product((0, 1), repeat=3)
    ]
    models = [set(world) for world in worlds if all(set(clause) & set(world) for clause in clauses)]
    with solver.held(clauses, 3):
        assert solver.satisfiable() == bool(models)
        for case in cases:
            assert solver.satisfiable(case) == any(set(case) <= model for model in models)


def test_what_one_theory_says_is_forgotten_with_it() -> None:
    solver = Z3Clauses()
    with solver.held([(1,)], 1):
        assert not solver.satisfiable([-1])
    with solver.held([(2,)], 2):
        assert solver.satisfiable([-1])
