"""The audit of the English looks at each question type alike, and sees verb groups that no sentence has."""

from __future__ import annotations

import pytest

from divlogic.benchmarks.divlogiceval import english
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.records import Record
from divlogic.sentences.source_checks import GENRES
from divlogic.sentences.tokens import Reader


def test_a_part_of_a_split_has_every_question_type_alike():
    records = [
        Record(
            f"r{n}",
            "divlogiceval",
            "test",
            "",
            "",
            ("a", "b"),
            0,
            question_type=QUESTION_TYPES[n % 3],
        )
        for n in range(30)
    ]
    chosen = english._looked_at(records, 12)
    assert [sum(r.question_type == kind for r in chosen) for kind in QUESTION_TYPES] == [4, 4, 4]
    assert {r.question_type for r in english._looked_at(records, 1)} == set(QUESTION_TYPES)
    assert english._looked_at(records, None) == english._looked_at(records, 30) == records


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("two girls are singing carries the flag", True),
        ("a man is wearing purple strives to win", True),
        ("a man is holding a flag strives to win", True),
        ("a dog is chasing a cat strives to win", True),
        ("two girls are singing a song", False),
        ("two cooks are hiding behind a rotten log to watch a goat", False),
        ("a man is trying to carry the flag", False),
    ],
)
def test_a_second_finite_verb_breaks_a_sentence(text, broken):
    assert english.has_broken_verb(text) is broken


class Tagger:
    """Takes every word for a noun; what sentences are about is of no matter here."""

    def tag(self, words: list[str]) -> list[tuple[str, str]]:
        return [(word, "NN") for word in words]


COOKS, DENIED = "two cooks are peeling apples", "no cooks are peeling apples"


def classes(
    a, denial, options, premises, symbols, *, context, genre="captions", worded=None, **of_a
):
    """Return what is found of an instance about a sentence A and about cooks."""
    formulas = {
        "premises": premises,
        "symbolic_options": symbols,
        "conclusion": None,
        "necessary": None,
    }
    sentences = {
        "A": {"group": "1", "premise": a, "hypotheses": [], **of_a},
        "B": {"group": "2", "premise": COOKS, "hypotheses": []},
    }
    record = Record(
        "r", "divlogiceval", "test", context, "", tuple(options), 0, "3c1e", formulas=formulas, sentences=sentences,
        metadata={"worded": worded} if worded else {},
    )  # fmt: skip
    negations = {("1", a): denial, ("2", COOKS): DENIED}
    return english.classes_of(record, negations, Reader(Tagger()), {"1": genre, "2": "captions"})


@pytest.mark.parametrize(
    ("sentence", "genre", "sensitive"),
    [
        ("a goat is outdoors", "captions", False),
        ("a nude goat is outdoors", "captions", True),
        ("a goat is stupid", "captions", True),
        ("a goat was stabbed", "captions", True),
        ("a goat is outdoors", min(GENRES), True),
    ],
)
def test_what_the_sentence_filter_would_refuse_is_counted_as_sensitive(sentence, genre, sensitive):
    denial = f"it is not the case that {sentence}"
    options = f"{sentence.capitalize()}.", f"{DENIED.capitalize()}."
    context = f"If {COOKS}, then {sentence}. {COOKS.capitalize()}."
    found = classes(
        sentence, denial, options, ["(B→A)", "B"], ["A", "¬B"], context=context, genre=genre
    )
    assert ("sensitive" in found) is sensitive


@pytest.mark.parametrize(
    ("premise", "contradiction", "needed"),
    [
        ("a goat is outdoors", "a goat sits in a stable", True),
        ("the goat is outdoors", "the goat sits in a stable", False),
        ("the goat is outdoors", "a goat sits in a stable", True),
    ],
)
def test_a_label_that_needs_both_sentences_to_tell_of_one_event_is_counted(
    premise, contradiction, needed
):
    denial = f"it is not the case that {premise}"
    wrong = (premise, "(A→B)", "(A0→B0)")
    # Unless the premise holds, cooks peel apples; so they do where the contradiction excludes the premise.
    for right in ((contradiction, "(¬A→B)", "(Ac→B0)"), (denial, "(¬A→B)", "(¬A0→B0)")):
        texts, symbols, formulas = zip(right, wrong, strict=True)
        options = [f"If {text}, then {COOKS}." for text in texts]
        worded = {
            "axioms": ["¬(A0∧Ac)"],
            "premises": ["(¬A0→B0)"],
            "options": formulas,
            "conclusion": None,
        }
        found = classes(
            premise, denial, options, ["(¬A→B)"], symbols,
            context=f"If {denial}, then {COOKS}.", worded=worded, contradiction=contradiction,
        )  # fmt: skip
        assert ("one_event" in found) is (needed and contradiction in right)
