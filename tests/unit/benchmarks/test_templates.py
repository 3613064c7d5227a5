"""The wording templates: each says its formula, and only that."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from divlogic.benchmarks import templates
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.benchmarks.phrases import PhraseGrammar
from divlogic.benchmarks.templates import (
    IMPLICATION,
    LITERAL,
    NOT_AND,
    OR,
    FrameReader,
    load_templates,
)
from divlogic.logic import Formula, Implies, Not, Var, equivalent, parse, to_text

TEMPLATES = load_templates()
derive = PhraseGrammar(Path(__file__).with_name("templates_grammar.yaml")).derive
FRAMES = [frame for frames in TEMPLATES.frames.values() for frame in frames]

PAIRS = {
    "A": ("a man in a red coat is riding a horse", "a man in a red coat isn't riding a horse"),
    "B": ("a man in a red coat is riding a horse or a mule", "a man in a red coat isn't riding a horse or a mule"),
    "C": ("two women and a child are baking bread either at home or in a shop",
          "two women and a child aren't baking bread either at home or in a shop"),
    "D": ("Maria sings whenever it rains", "Maria doesn't sing whenever it rains"),
    "E": ("there are no boats at St. Ives", "there are boats at St. Ives"),
    "F": ("the ship left the U.S.", "the ship didn't leave the U.S."),
    "G": ("it rains", "it doesn't rain"),
}  # fmt: skip
CLAUSES = {
    text: sign + name
    for name, pair in PAIRS.items()
    for sign, text in zip(("", "¬"), pair, strict=True)
}
CLAUSE_OF = {literal: clause for clause, literal in CLAUSES.items()}

literals = st.sampled_from(sorted(CLAUSE_OF))


def word(formula: Formula, clauses: list[str], choice: float) -> str:
    """Word a formula as one sentence."""
    return TEMPLATES.frame(formula, clauses, choice).sentence(clauses)


def fill(heading: str, chosen: list[str]) -> str:
    """Put literals into a heading such as ``((A∨B)→C)``."""
    return re.sub("[ABC]", lambda slot: chosen["ABC".index(slot[0])], heading)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: f"{frame.formula} {frame.id}")
def test_a_template_says_the_formula_under_which_it_stands(frame):
    assert equivalent(derive(frame.text), parse(frame.formula))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("it is not the case that {A} unless {B}", "reads as"),
        ("{A} if {B} or {C}", "reads as"),
        ("{A} because {B}", "cannot read"),
    ],
)
def test_a_template_with_open_scope_or_an_unknown_phrase_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        derive(text)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("{A} if {B}", "(B→A)"),
        ("{A} only if {B}", "(A→B)"),
        ("unless {A}, {B}", "(¬A→B)"),
        ("for it to be true that {A}, it is enough that {B}", "(B→A)"),
        ("in order for it to be true that {A}, it must be true that {B}", "(A→B)"),
        ("in order for it to be false that {A}, it must be true that {B}", "(¬A→B)"),
        ("it is neither true that {A} nor true that {B}", "(¬A∧¬B)"),
        ("it is never the case that {A} without it also being the case that {B}", "(A→B)"),
        ("if it is not true both that {A} and that {B}, then {C}", "((¬A∨¬B)→C)"),
    ],
)
def test_the_grammar_reads_connectives_as_logicians_do(text, formula):
    assert equivalent(derive(text), parse(formula))


@pytest.mark.parametrize(("heading", "count"), [(IMPLICATION, 30), (OR, 24), (NOT_AND, 24)])
def test_every_connective_has_many_wordings(heading, count):
    assert len(TEMPLATES.frames[heading]) >= count


def test_no_two_templates_share_their_fixed_words():
    assert len({frame.pieces for frame in FRAMES}) == len(FRAMES)


def test_no_condition_follows_a_slot_whose_negation_could_swallow_it():
    swallowed = re.compile(
        r"\} (only|when|whenever|as long|so long|in the event|on the condition)\b"
    )
    assert [frame.text for frame in FRAMES if swallowed.search(frame.text)] == []
    assert swallowed.search("{A} only if {B}")


def test_every_question_type_has_its_own_questions():
    texts = [text for kind in QUESTION_TYPES for text in TEMPLATES.questions[kind]]
    assert all(len(TEMPLATES.questions[kind]) >= 14 for kind in QUESTION_TYPES)
    assert len(set(texts)) == len(texts)
    assert all(text[0].isupper() and text.endswith("?") for text in texts)
    assert all(
        TEMPLATES.question_type(TEMPLATES.question(kind, 0.99)) == kind for kind in QUESTION_TYPES
    )
    assert TEMPLATES.question_type("Who is there?") is None


@given(
    heading=st.sampled_from([LITERAL, IMPLICATION, OR, NOT_AND]),
    chosen=st.lists(literals, min_size=3, max_size=3),
    choice=st.integers(0, 200) | st.floats(0, 1, exclude_max=True),
)
def test_a_worded_sentence_reads_back_as_its_formula(heading, chosen, choice):
    formula = parse(fill(heading, chosen))
    clauses = [CLAUSE_OF[literal] for literal in chosen[: len(templates.SLOTS[heading])]]
    sentence = word(formula, clauses, choice)
    assert sentence[0].isupper() and re.search(r"[^.]\.$", sentence)
    assert FrameReader(CLAUSES).read(sentence).formula == formula


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: f"{frame.formula} {frame.id}")
def test_every_template_is_recovered_from_its_sentences(frame):
    draw = random.Random(frame.id)
    reader = FrameReader(CLAUSES)
    for _ in range(20):
        chosen = draw.sample(sorted(CLAUSE_OF), 3)
        formula = parse(fill(frame.formula, chosen))
        clauses = [CLAUSE_OF[literal] for literal in chosen[: len(frame.order)]]
        reading = reader.read(frame.sentence(clauses))
        assert (reading.frame.id, reading.formula) == (frame.id, formula)
        assert [to_text(literal) for literal in reading.literals] == chosen[: len(frame.order)]


@pytest.mark.parametrize("drawn", [False, True], ids=["integer", "uniform"])
def test_choices_reach_every_template(drawn):
    formula, clauses = parse("(A→B)"), ["it rains", "it pours"]
    count = len(TEMPLATES.frames[IMPLICATION])
    choices = [(index + 0.5) / count for index in range(count)] if drawn else range(count)
    assert len({word(formula, clauses, choice) for choice in choices}) == count
    assert word(formula, clauses, count) == word(formula, clauses, 0)


def test_a_double_negative_is_never_added_to_a_negated_clause():
    said = word(parse("(A→¬B)"), ["it rains", "Maria doesn't sing"], 0)
    assert said == "If it rains, then Maria doesn't sing."


@pytest.mark.parametrize(
    ("text", "clauses", "message"),
    [
        *(
            (text, 3, "no template")
            for text in ("(A∧B)", "¬(A→B)", "(A→(B→C))", "((A→B)→C)", "(¬(A∨B)→C)")
        ),
        *((text, 3, "no template") for text in ("((A∧B)→C)", "¬¬A")),
        ("(A→B)", 1, "takes 2 clauses"),
    ],
)
def test_formulas_of_other_shapes_and_wrong_numbers_of_clauses_are_refused(text, clauses, message):
    with pytest.raises(ValueError, match=message):
        word(parse(text), ["it rains"] * clauses, 0)


@given(st.sampled_from(["A", "(A→B)", "((A∨B)→C)", "(¬(A∧B)→C)"]), st.sets(st.sampled_from("ABC")))
def test_negated_literals_keep_the_shape(heading, negated):
    text = "".join(f"¬{char}" if char in negated else char for char in heading)
    assert templates.shape(parse(text))[0] == heading


@given(
    st.lists(
        st.tuples(literals, literals, st.floats(0, 1, exclude_max=True)), min_size=1, max_size=5
    ),
    literals,
    st.integers(0, 11),
)
def test_a_passage_reads_back_sentence_by_sentence(rules, goal, introducer):
    formulas = [parse(f"({first}→{second})") for first, second, _ in rules]
    clauses = [([CLAUSE_OF[first], CLAUSE_OF[second]], choice) for first, second, choice in rules]
    sentences = [word(formula, *said) for formula, said in zip(formulas, clauses, strict=True)]
    conclusion = TEMPLATES.conclude(parse(goal), [CLAUSE_OF[goal]], 0, introducer)
    premises, drawn = FrameReader(CLAUSES).read_sentences(" ".join([*sentences, conclusion]))
    assert [reading.formula for reading in premises] == formulas
    assert drawn is not None and drawn.formula == parse(goal)
    assert FrameReader(CLAUSES).read_sentences(" ".join(sentences))[1] is None


def test_a_conclusion_continues_after_its_introducer_in_lower_case():
    text = TEMPLATES.conclude(parse("(A→B)"), ["it rains", "it pours"], 0, 0)
    assert text == "Therefore, if it rains, then it pours."


def test_unknown_sentences_are_named_when_they_cannot_be_read():
    with pytest.raises(ValueError, match="Dogs bark"):
        FrameReader(CLAUSES).read("Dogs bark.")
    with pytest.raises(ValueError, match=r"^'Dogs bark"):
        FrameReader(CLAUSES).read_sentences(
            "If it rains, then it doesn't rain. Dogs bark. It rains."
        )


def test_a_sentence_with_two_meanings_is_refused():
    clauses = {"it rains": "A", "it pours": "B", "it rains if it pours": "C"}
    with pytest.raises(ValueError, match="both give this"):
        FrameReader(clauses).read("It rains if it pours.")


def test_known_clauses_may_stand_for_formulas():
    reader = FrameReader({"it rains": Not(Var("A")), "it pours": Var("B")})
    assert reader.read("It pours if it rains.").formula == Implies(Not(Var("A")), Var("B"))
