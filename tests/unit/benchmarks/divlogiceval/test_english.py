"""The audit of the English looks at each question type alike, and sees verb groups that no sentence has."""

from __future__ import annotations

import pytest

from divlogic.benchmarks.divlogiceval import english
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.records import Record


def test_a_part_of_a_split_has_every_question_type_alike():
    records = [
        Record(f"r{n}", "divlogiceval", "test", "", "", ("a", "b"), 0, question_type=QUESTION_TYPES[n % 3])
        for n in range(30)
    ]
    chosen = english._evenly_spaced(records, 12)
    assert [sum(r.question_type == kind for r in chosen) for kind in QUESTION_TYPES] == [4, 4, 4]
    assert english._evenly_spaced(records, None) == english._evenly_spaced(records, 30) == records


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("two girls are singing carries the flag", True),
        ("a man is wearing purple strives to win", True),
        ("two girls are singing a song", False),
        ("a man is trying to carry the flag", False),
    ],
)
def test_a_second_finite_verb_breaks_a_sentence(text, broken):
    assert english.has_broken_verb(text) is broken
