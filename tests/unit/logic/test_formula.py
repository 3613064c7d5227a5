"""Formulas are read and printed in the papers' notation."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from divlogic.logic import Implies, Not, Or, Var, filled, negate, parse, to_text, variables
from divlogic.logic.syntax import And

FORMULAS = st.recursive(
    st.sampled_from("ABCDEFGH").map(Var),
    lambda inner: st.one_of(
        inner.map(Not),
        st.builds(And, inner, inner),
        st.builds(Or, inner, inner),
        st.builds(Implies, inner, inner),
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "text", ["A", "¬A", "(A→¬B)", "(¬(A∧B)→C)", "((A∨B)→C)", "(¬A→¬B)", "(A0→Bc)"]
)
def test_the_papers_notation_survives_reading_and_printing(text):
    assert to_text(parse(text)) == text


@given(FORMULAS)
def test_a_printed_formula_reads_back_as_itself(formula):
    assert parse(to_text(formula)) == formula


def test_ascii_signs_and_missing_brackets_are_understood():
    assert to_text(parse("~A & B | C -> D => E")) == "(((¬A∧B)∨C)→(D→E))"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(A→B", r"ends where '\)' belongs"),
        ("A B", "'B' at column 3 where an operator or the end belongs"),
        ("A ∧", "ends where a formula belongs"),
        ("A ? B", r"'\?' at column 3"),
        ("", "ends where a formula belongs"),
        ("→A", "'→' at column 1 where a formula belongs"),
        ("A(B)", "has no terms"),
    ],
)
def test_what_is_no_formula_is_refused_with_its_column(text, message):
    with pytest.raises(ValueError, match=message):
        parse(text)


def test_negating_twice_gives_the_formula_back():
    formula = parse("(A→B)")
    assert negate(negate(formula)) == formula


def test_variables_come_in_order_of_first_occurrence():
    assert variables(parse("((C∨A)→(B∧C))")) == ("C", "A", "B")


def test_other_formulas_take_the_place_of_variables():
    named = {"A": Not(Var("B")), "B": Var("A"), "C": Var("C")}
    assert to_text(filled(parse("(A→¬(B∧C))"), named)) == "(¬B→¬(A∧C))"
