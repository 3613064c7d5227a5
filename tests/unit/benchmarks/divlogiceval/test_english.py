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
        Record(f"r{n}", "divlogiceval", "test", "", "", ("a", "b"), 0, question_type=QUESTION_TYPES[n % 3])
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
    negated = f"it is not the case that {sentence}"
    other, denied = "two cooks are peeling apples", "no cooks are peeling apples"
    record = Record(
        "r", "divlogiceval", "test", f"If {other}, then {sentence}. Two cooks are peeling apples.", "",
        (sentence.capitalize() + ".", denied.capitalize() + "."), 0, question_type="3c1e",
        formulas={
            "premises": ["(B→A)", "B"], "symbolic_options": ["A", "¬B"], "conclusion": None, "necessary": None,
        },
        sentences={
            "A": {"group": "1", "premise": sentence, "hypotheses": []},
            "B": {"group": "2", "premise": other, "hypotheses": []},
        },
    )  # fmt: skip
    negations = {("1", sentence): negated, ("2", other): denied}
    reader = Reader(Tagger())
    found = english.classes_of(record, negations, reader, {"1": genre, "2": "captions"})
    assert ("sensitive" in found) is sensitive


@pytest.mark.parametrize(
    ("premise", "contradiction", "needed"),
    [
        ("a goat is outdoors", "a goat sits in a stable", True),
        ("the goat is outdoors", "the goat sits in a stable", False),
        ("the goat is outdoors", "a goat sits in a stable", True),
    ],
)
def test_a_label_that_needs_both_sentences_to_tell_of_one_event_is_counted(premise, contradiction, needed):
    cooks, apples = "two cooks are peeling apples", "no cooks are peeling apples"
    denial = f"it is not the case that {premise}"

    def record(by_contradiction: bool) -> Record:
        # Unless the premise holds, cooks peel apples; so they do where the contradiction excludes the premise.
        options = (
            f"If {contradiction}, then {cooks}.",
            f"If {premise}, then {cooks}.",
            f"If {denial}, then {cooks}.",
        )
        symbols = ("(¬A→B)", "(A→B)", "(¬A→B)")
        order = (0, 1) if by_contradiction else (2, 1)
        return Record(
            "r", "divlogiceval", "test", f"If {denial}, then {cooks}.", "", tuple(options[at] for at in order), 0,
            question_type="3c1e",
            formulas={
                "premises": ["(¬A→B)"], "symbolic_options": [symbols[at] for at in order], "conclusion": None,
                "necessary": None,
            },
            sentences={
                "A": {"group": "1", "premise": premise, "hypotheses": [], "contradiction": contradiction},
                "B": {"group": "2", "premise": cooks, "hypotheses": []},
            },
            metadata={
                "worded": {
                    "axioms": ["¬(A0∧Ac)"],
                    "premises": ["(¬A0→B0)"],
                    "options": [("(Ac→B0)", "(A0→B0)", "(¬A0→B0)")[at] for at in order],
                    "conclusion": None,
                }
            },
        )  # fmt: skip

    def found(by_contradiction: bool) -> set[str]:
        negations = {("1", premise): denial, ("2", cooks): apples}
        return english.classes_of(
            record(by_contradiction), negations, Reader(Tagger()), {"1": "captions", "2": "captions"}
        )

    assert ("one_event" in found(True)) is needed
    assert "one_event" not in found(False)


class Tagger:
    """Takes every word for a noun; what sentences are about is of no matter here."""

    def tag(self, words: list[str]) -> list[tuple[str, str]]:
        return [(word, "NN") for word in words]
