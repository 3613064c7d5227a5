"""Free symbols are aligned by their glosses, and never against them."""

import pytest

from divlogic.benchmarks.llmeval_logic.alignment import align
from divlogic.benchmarks.llmeval_logic.schema import read_formalization


def theory(symbols, premises, formula):
    """Return a formalization with one query; a symbol is (name, gloss) or (name, kind, arity, gloss)."""
    rows = [(s[0], "prop", 0, s[1]) if len(s) == 2 else s for s in symbols]
    declared = [
        dict(zip(("name", "kind", "arity", "gloss"), (*row[:3], {"zh": row[3]}), strict=True))
        for row in rows
    ]
    stated = [{"id": f"P{n}", "formula": f} for n, f in enumerate(premises)]
    query = {"id": "Q1", "type": "necessary", "formula": formula}
    return read_formalization({"symbols": declared, "premises": stated, "queries": [query]})


def passes(candidate, reference):
    """Return whether two formalizations are equivalent under a mapping that the glosses support."""
    found = align(candidate, reference)
    return found.comparison.equivalent and not found.isomorphic


GOLD = theory([("A", "灯亮着"), ("B", "现在是晚上")], [["->", "A", "B"], "A"], "B")


@pytest.mark.parametrize(
    ("symbols", "premises", "formula"),
    [
        ([("p", "现在是晚上"), ("q", "灯亮着")], [["->", "q", "p"], "q"], "p"),
        ([("p", "现在是晚上。"), ("q", "这盏灯亮着")], ["q", ["or", ["not", "q"], "p"]], "p"),
        ([("p", "现在不是晚上"), ("q", "灯亮着")], [["->", "q", ["not", "p"]], "q"], ["not", "p"]),
    ],
)
def test_equal_similar_and_denied_glosses_name_the_same_symbol(symbols, premises, formula):
    assert passes(theory(symbols, premises, formula), GOLD)


def test_a_mapping_against_the_glosses_is_isomorphic_and_no_pass():
    rule = theory([("A", "灯亮着"), ("B", "现在是晚上")], [["->", "A", "B"]], "B")
    exchanged = theory([("p", "灯亮着"), ("q", "现在是晚上")], [["->", "q", "p"]], "p")
    found = align(exchanged, rule)
    assert found.isomorphic and found.comparison.equivalent


def test_a_variable_may_have_the_name_of_a_symbol_of_the_reference():
    gold = theory(
        [("a", "const", 0, "小周"), ("L", "pred", 2, "{0}借钱给{1}")],
        [["exists", "z", ["L", "z", "a"]]],
        ["L", "a", "a"],
    )
    same = theory(
        [("p", "const", 0, "小周"), ("L", "pred", 2, "{0}借钱给{1}")],
        [["exists", "a", ["L", "a", "p"]]],
        ["L", "p", "p"],
    )
    assert passes(same, gold)


def test_a_predicate_may_have_its_terms_exchanged():
    people = [("a", "const", 0, "小周"), ("b", "const", 0, "店主")]
    gold = theory([*people, ("L", "pred", 2, "{0}借钱给{1}")], [["L", "a", "b"]], ["L", "b", "a"])
    passive = theory(
        [*people, ("R", "pred", 2, "{1}借钱给{0}")], [["R", "b", "a"]], ["R", "a", "b"]
    )
    same_order = theory(
        [*people, ("R", "pred", 2, "{1}借钱给{0}")], [["R", "a", "b"]], ["R", "b", "a"]
    )
    assert passes(passive, gold)
    assert not passes(same_order, gold)


def test_a_different_theory_stays_different_whatever_its_names():
    found = align(
        theory([("p", "灯亮着"), ("q", "现在是晚上")], [["->", "q", "p"], "p"], "q"), GOLD
    )
    assert not found.comparison.equivalent
    assert found.comparison.missing == ("P0",)
