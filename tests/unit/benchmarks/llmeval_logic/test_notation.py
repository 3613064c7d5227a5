"""The published notation, read into the one syntax tree."""

import pytest
from hypothesis import given, strategies as st

from divlogic.benchmarks.llmeval_logic.notation import (
    folded,
    print_formula,
    read_formula,
    templated,
)
from divlogic.logic.expressions import read_expression
from tests.support import cases

SPELLINGS = {
    "not": [r"\neg A", r"\lnot A", "~A", "¬A"],
    "and": [r"A \wedge B", r"A \land B", "A & B", "A∧B"],
    "or": [r"A \vee B", r"A \lor B", "A | B", "A∨B"],
    "->": [r"A \rightarrow B", r"A \to B", r"A \Rightarrow B", "A -> B", "A→B"],
    "<->": [r"A \leftrightarrow B", r"A \Leftrightarrow B", r"A \iff B", "A <-> B", "A↔B"],
}
formulas = st.recursive(
    st.sampled_from(["A", "B_1", ["P", "a"], ["R", "x", "y"], ["=", "a", "x"], ["!=", "x", "y"]]),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or", "->", "<->"]), inner, inner),
        st.tuples(st.sampled_from(["forall", "exists"]), st.sampled_from("xy"), inner),
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(("word", "texts"), SPELLINGS.items())
def test_all_spellings_of_a_connective_read_as_one(word, texts):
    meant = read_expression([word, "A"] if word == "not" else [word, "A", "B"])
    assert {read_formula(text) for text in texts} == {meant}


@given(formulas)
def test_printing_and_reading_a_formula_gives_it_back(formula):
    sentence = read_expression(formula)
    assert read_formula(print_formula(sentence)) == sentence


SIGNS = {
    "¬": ["\\neg ", "\\lnot ", "~", "¬", "NOT "],
    "∧": ["\\wedge ", "\\land ", "&", "&&", "∧", "＆"],
    "∨": ["\\vee ", "\\lor ", "|", "||", "∨"],
    "→": ["\\rightarrow ", "\\to ", "\\Rightarrow ", "->", "=>", "→"],
    "↔": ["\\leftrightarrow ", "\\Leftrightarrow ", "\\iff ", "<->", "<=>", "↔"],
    "∀": ["\\forall ", "∀", "forall "],
    "∃": ["\\exists ", "∃", "exists "],
    "≠": ["\\neq ", "\\ne ", "!=", "≠"],
}
BRACKETS = [("(", ")"), ("[", "]"), ("\\{", "\\}"), ("\\left(", "\\right)"), ("（", "）")]


@given(formulas, st.randoms(use_true_random=False))
def test_any_mixture_of_spellings_brackets_and_spaces_reads_to_the_same_tree(formula, draw):
    sentence = read_expression(formula)
    text, closing = "", []
    for sign in print_formula(sentence):
        # A bracket that opens with one spelling closes with that spelling.
        if sign == "(":
            pair = draw.choice(BRACKETS if not text[-1:].isalnum() else BRACKETS[:1])
            closing.append(pair[1])
            text += pair[0]
        elif sign == ")":
            text += closing.pop()
        else:
            text += draw.choice(SIGNS.get(sign, [sign])) + draw.choice(
                ["", " "] if sign in SIGNS else [""]
            )
    assert read_formula(draw.choice(["{}", "${}$", "  {}  "]).format(text)) == sentence


@pytest.mark.parametrize(("text", "meant"), cases(__file__, "spellings"))
def test_spellings_beyond_the_published_ones_are_read_too(text, meant):
    assert read_formula(text) == read_expression(meant)


@pytest.mark.parametrize(("text", "meant"), cases(__file__, "precedence"))
def test_precedence_and_the_scope_of_quantifiers(text, meant):
    assert read_formula(text) == read_expression(meant)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A & ", "the formula ends where a formula belongs"),
        ("A B", "'B' at column 3 where an operator or the end"),
        ("(A & B", r"the formula ends where '\)' belongs"),
        ("A # B", "'#' at column 3 belongs to no formula"),
        ("P(a", r"ends where '\)' belongs"),
        ("-> A", "'→' at column 1 where a formula belongs"),
        ("", "the formula ends"),
        ("~" * 50_000 + "A", "nested too deep"),
    ],
)
def test_what_is_no_formula_is_refused_with_its_column(text, message):
    with pytest.raises(ValueError, match=message):
        read_formula(text)


@pytest.mark.parametrize(("gloss", "arity", "variables", "template"), cases(__file__, "templates"))
def test_a_predicates_gloss_becomes_a_template(gloss, arity, variables, template):
    assert templated(gloss, arity, variables) == template


def test_glosses_are_compared_without_punctuation_and_width():
    assert folded("灯　亮着。") == folded("灯亮着")
    assert folded("ＡＢ报名") == folded("ab 报名")
