"""Equivalence of formalizations."""

import pytest
from hypothesis import given, settings

from divlogic.logic.deciding import TablePremises
from divlogic.logic.equivalence import canonical, compare
from divlogic.logic.expressions import read_expression
from tests.unit.logic.test_deciding import PROPOSITIONS, THINGS, propositional, read, theory

SYMBOLS = (*PROPOSITIONS[1:], *THINGS)
NOT_ALL = ("(P a)", "enumerate_objects (not (forall y (R x y))) x")


@pytest.mark.parametrize(
    ("premises", "asked", "other_premises", "other_asked", "level"),
    [
        ("A (-> A B)", "necessary B", "A (-> A B)", "necessary B", "identical"),
        ("(-> A B) (not (not A))", "necessary B", "A (-> A B)", "necessary B", "canonical"),
        ("(and C A B)", "necessary B", "(and (and B A) C)", "necessary B", "canonical"),
        ("(and A (not (not (and B C))))", "necessary B", "(and A B C)", "necessary B", "canonical"),
        ("A (or (not A) B)", "necessary B", "A (-> A B)", "necessary B", "equivalent"),
        ("(and A B)", "necessary B", "A (-> A B)", "necessary B", "equivalent"),
        ("A B C", "necessary B", "A (-> A B)", "necessary B", "same_answers"),
        ("A", "necessary B", "A (-> A B)", "necessary B", "different"),
        # Queries must be of one type and equivalent under the premises; targets are compared as a set.
        ("(<-> A B)", "possible B", "(<-> A B)", "possible A", "equivalent"),
        ("(<-> A B)", "necessary B", "(<-> A B)", "possible A", "different"),
        ("A", "enumerate_models (A B)", "A", "enumerate_models (B A)", "canonical"),
        (
            "(= a b)",
            "enumerate_models ((P a))",
            "(= a b)",
            "enumerate_models ((P b))",
            "equivalent",
        ),
        # Objects are the same whatever the variable, which may have the name of one that the other query binds.
        ("(P a)", "enumerate_objects (P x) x", "(P a)", "enumerate_objects (P y) y", "canonical"),
        ("(P a)", "enumerate_objects (exists x (not (R y x))) y", *NOT_ALL, "equivalent"),
        ("(P a)", "enumerate_objects (exists x (not (R x x))) y", *NOT_ALL, "same_answers"),
        # First-order premises are compared by entailment.
        (
            "(not (exists x (not (P x))))",
            "possible A",
            "(forall y (P y))",
            "possible A",
            "equivalent",
        ),
        ("(not (exists x (not (P x))))", "possible A", "(P a)", "possible A", "same_answers"),
    ],
)
def test_the_level_is_the_first_that_holds(premises, asked, other_premises, other_asked, level):
    found = compare(theory(SYMBOLS, premises, asked), theory(SYMBOLS, other_premises, other_asked))
    assert found.level == level
    assert found.equivalent == (level in ("identical", "canonical", "equivalent"))


def test_extra_and_missing_premises_and_missing_queries_are_named():
    found = compare(theory(SYMBOLS, "A C", "possible B"), theory(SYMBOLS, "A B", "possible B"))
    assert (found.extra, found.missing) == (("1",), ("1",))
    found = compare(
        theory(SYMBOLS, "(<-> A B)", "possible C"), theory(SYMBOLS, "(<-> A B)", "possible A")
    )
    assert found.queries == ("0",)
    found = compare(
        theory(SYMBOLS, "A", "possible A"), theory(SYMBOLS, "A", "possible A", "possible B")
    )
    assert found.queries == ("1",)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(forall x (P x))", "(forall y (P y))", True),
        ("(forall x (exists y (R x y)))", "(forall x (exists y (R y x)))", False),
        # A variable bound again inside hides the outer one.
        ("(forall x (exists x (P x)))", "(forall y (exists x (P x)))", True),
        ("(forall x (exists x (P x)))", "(forall x (exists y (P x)))", False),
    ],
)
def test_bound_names_do_not_matter_but_what_they_bind_does(one, other, same):
    assert (
        canonical(read_expression(*read(one))) == canonical(read_expression(*read(other)))
    ) == same


@settings(max_examples=80, deadline=None)
@given(propositional, propositional)
def test_canonically_equal_formulas_are_equivalent(left, right):
    one, other = read_expression(left), read_expression(right)
    if canonical(one) == canonical(other):
        assert TablePremises([one], [other]).entails(other)
        assert TablePremises([other], [one]).entails(one)
