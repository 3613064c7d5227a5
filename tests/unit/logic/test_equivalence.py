"""Equivalence of formalizations."""

import pytest
from hypothesis import given, settings

from divlogic.logic.deciding import TablePremises
from divlogic.logic.equivalence import canonical, compare
from divlogic.logic.expressions import read_expression
from divlogic.logic.theory import Query
from tests.unit.logic.test_deciding import PROPOSITIONS, THINGS, propositional, theory

ASKED = ("necessary", "B")


@pytest.mark.parametrize(
    ("candidate", "reference", "level"),
    [
        (["A", ["->", "A", "B"]], ["A", ["->", "A", "B"]], "identical"),
        ([["->", "A", "B"], ["not", ["not", "A"]]], ["A", ["->", "A", "B"]], "canonical"),
        ([["and", "C", "A", "B"]], [["and", ["and", "B", "A"], "C"]], "canonical"),
        (["A", ["or", ["not", "A"], "B"]], ["A", ["->", "A", "B"]], "equivalent"),
        ([["and", "A", "B"]], ["A", ["->", "A", "B"]], "equivalent"),
        (["A", "B", "C"], ["A", ["->", "A", "B"]], "same_answers"),
        (["A"], ["A", ["->", "A", "B"]], "different"),
    ],
)
def test_the_level_is_the_first_that_holds(candidate, reference, level):
    found = compare(theory(PROPOSITIONS, candidate, ASKED), theory(PROPOSITIONS, reference, ASKED))
    assert found.level == level


def test_extra_and_missing_premises_are_named():
    found = compare(theory(PROPOSITIONS, ["A", "C"], ASKED), theory(PROPOSITIONS, ["A", "B"], ASKED))
    assert (found.extra, found.missing) == (("1",), ("1",))


def test_queries_must_be_of_one_type_and_equivalent_under_the_premises():
    premises = [["<->", "A", "B"]]
    reference = theory(PROPOSITIONS, premises, ("possible", "A"))
    assert compare(theory(PROPOSITIONS, premises, ("possible", "B")), reference).level == "equivalent"
    assert compare(theory(PROPOSITIONS, premises, ("necessary", "B")), reference).level == "different"
    assert compare(theory(PROPOSITIONS, premises, ("possible", "C")), reference).queries == ("0",)


def test_targets_are_compared_as_a_set_and_objects_whatever_the_variable():
    one = theory(PROPOSITIONS, ["A"], ("enumerate_models", ("A", "B")))
    other = theory(PROPOSITIONS, ["A"], ("enumerate_models", ("B", "A")))
    assert compare(one, other).equivalent
    one, other = (theory(THINGS, [["=", "a", "b"]], ("enumerate_models", (["P", of],))) for of in "ab")
    assert compare(one, other).level == "equivalent"
    one = theory(THINGS, [["P", "a"]], ("enumerate_objects", ["P", "x"], "x"))
    other = theory(THINGS, [["P", "a"]], ("enumerate_objects", ["P", "y"], "y"))
    assert compare(one, other).level == "canonical"


def test_a_bound_variable_may_have_the_name_of_what_the_other_query_asks_about():
    asked = theory(
        THINGS, [["P", "a"]], ("enumerate_objects", ["not", ["forall", "y", ["R", "x", "y"]]], "x")
    )
    same = theory(THINGS, [["P", "a"]], ("enumerate_objects", ["exists", "x", ["not", ["R", "y", "x"]]], "y"))
    other = theory(
        THINGS, [["P", "a"]], ("enumerate_objects", ["exists", "x", ["not", ["R", "x", "x"]]], "y")
    )
    assert compare(same, asked).level == "equivalent"
    assert not compare(other, asked).equivalent


def test_bound_names_do_not_matter_but_what_they_bind_does():
    def text(expression):
        return canonical(read_expression(expression))

    assert text(["forall", "x", ["P", "x"]]) == text(["forall", "y", ["P", "y"]])
    assert text(["forall", "x", ["exists", "y", ["R", "x", "y"]]]) != text(
        ["forall", "x", ["exists", "y", ["R", "y", "x"]]]
    )
    # A variable bound again inside hides the outer one.
    assert text(["forall", "x", ["forall", "y", ["forall", "x", ["exists", "z", ["R", "x", "z"]]]]]) != text(
        ["forall", "x", ["forall", "y", ["forall", "x", ["exists", "z", ["R", "z", "x"]]]]]
    )


def test_first_order_premises_are_compared_by_entailment():
    one = theory(THINGS, [["not", ["exists", "x", ["not", ["P", "x"]]]]], ("possible", "A"))
    other = theory(THINGS, [["forall", "y", ["P", "y"]]], ("possible", "A"))
    assert compare(one, other).level == "equivalent"
    assert not compare(one, theory(THINGS, [["P", "a"]], ("possible", "A"))).equivalent


@settings(max_examples=80, deadline=None)
@given(propositional, propositional)
def test_canonically_equal_formulas_are_equivalent(left, right):
    one, other = read_expression(left), read_expression(right)
    if canonical(one) == canonical(other):
        assert TablePremises([one], [other]).entails(other)
        assert TablePremises([other], [one]).entails(one)


def test_a_query_that_is_not_asked_is_missing():
    reference = theory(PROPOSITIONS, ["A"], ("possible", "A"), ("possible", "B"))
    assert compare(theory(PROPOSITIONS, ["A"], ("possible", "A")), reference).queries == ("1",)
    assert isinstance(reference.queries[0], Query)
