"""Truth tables, minimal premises, and Z3's agreement with them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings, strategies as st

from divlogic.logic import (
    Var,
    entails,
    equivalent,
    minimal_premises,
    parse,
    satisfiable,
    truth_space,
    variables,
)
from divlogic.logic.smt import z3_entails, z3_satisfiable
from tests.unit.logic.oracle import holds
from tests.unit.logic.test_formula import FORMULAS


@given(FORMULAS)
def test_a_table_holds_one_bit_per_valuation(formula):
    names = variables(formula)
    space = truth_space(names)
    table = space.table(formula)
    for number in range(2 ** len(names)):
        world = {Var(name) for name in names if space.masks[name] >> number & 1}
        assert bool(table >> number & 1) == holds(formula, world)


def test_every_valuation_is_numbered_once():
    space = truth_space("ABC")
    rows = {tuple(space.masks[name] >> number & 1 for name in "ABC") for number in range(8)}
    assert rows == set(itertools.product((0, 1), repeat=3))


@pytest.mark.parametrize("theorem", ["((A→B)→(¬B→¬A))", "((¬(A∧B)→C)→(¬A→C))", "(((A∨B)→C)→(A→C))"])
def test_the_rules_of_equation_1_are_valid(theorem):
    assert entails([], parse(theorem))
    assert z3_entails([], parse(theorem))


@settings(max_examples=150, deadline=None)
@given(st.lists(FORMULAS, max_size=4), FORMULAS)
def test_z3_agrees_on_entailment_and_satisfiability(premises, conclusion):
    assert entails(premises, conclusion) == z3_entails(premises, conclusion)
    assert satisfiable(premises) == z3_satisfiable(premises)


@given(st.lists(FORMULAS, min_size=1, max_size=5), FORMULAS)
def test_minimal_premises_entail_and_none_can_be_left_out(premises, conclusion):
    kept = minimal_premises(premises, conclusion)
    if kept is None:
        assert not entails(premises, conclusion)
        return
    assert entails([premises[index] for index in kept], conclusion)
    for index in kept:
        assert not entails([premises[other] for other in kept if other != index], conclusion)


def test_equivalence_ignores_variables_that_make_no_difference():
    assert equivalent(parse("A"), parse("(A∨(B∧¬B))"))
    assert equivalent(parse("(A→B)"), parse("(¬B→¬A)"))
    assert not equivalent(parse("(A→B)"), parse("(B→A)"))
