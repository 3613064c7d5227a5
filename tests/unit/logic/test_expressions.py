"""Formulas as S-expressions."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from divlogic.logic.expressions import counted, read_expression, to_expression
from divlogic.logic.syntax import Atom
from divlogic.logic.tables import truth_space
from divlogic.logic.theory import Symbol
from tests.support import cases

SYMBOLS = {
    symbol.name: symbol
    for symbol in (
        Symbol("A", "prop"),
        Symbol("P", "pred", 1),
        Symbol("R", "pred", 2),
        Symbol("a", "const"),
    )
}
formulas = st.recursive(
    st.sampled_from(["A", ["P", "a"], ["R", "a", "x"], ["=", "a", "x"], ["!=", "x", "a"]]),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or", "->", "<->", "xor"]), inner, inner),
        st.tuples(st.sampled_from(["forall", "exists"]), st.just("x"), inner),
    ),
    max_leaves=10,
)


@given(formulas)
def test_printing_and_reading_a_formula_gives_it_back(formula):
    sentence = read_expression(formula)
    assert read_expression(to_expression(sentence)) == sentence


@given(st.integers(1, 5), st.data())
def test_counts_hold_exactly_where_so_many_operands_do(total, data):
    number = data.draw(st.integers(0, total))
    names = [f"p{place}" for place in range(total)]
    space = truth_space(names)
    for word, fits in (
        ("exactly", lambda true: true == number),
        ("at_most", lambda true: true <= number),
        ("at_least", lambda true: true >= number),
    ):
        table = space.table(counted(word, number, [Atom(name, ()) for name in names]))
        for place, values in enumerate(product((False, True), repeat=total)):
            assert bool(table >> place & 1) == fits(sum(values))


@pytest.mark.parametrize(("value", "message"), cases(__file__, "no_formula"))
def test_what_is_no_formula_is_refused_with_its_reason(value, message):
    with pytest.raises(ValueError, match=message):
        read_expression(value, SYMBOLS)


def test_a_formula_nested_too_deep_is_refused():
    value = "A"
    for _ in range(5000):
        value = ["not", value]
    with pytest.raises(ValueError, match="nested more than 100 deep"):
        read_expression(value)
