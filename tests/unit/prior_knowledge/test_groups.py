"""Rows that were made together are found, whether they say so or are only alike."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from divlogic.prior_knowledge.groups import twins
from divlogic.prior_knowledge.shortcuts.cues import (
    below_guessing,
    groups_in_words,
    rows_that_fall,
    strongest,
)
from divlogic.records import Record

WORDS = [start + end for start in ("ba", "de", "ki", "lo", "mu") for end in ("ran", "ton", "vel")]
LABELS = ("entailment", "contradiction")


def passage(rng: random.Random) -> list[str]:
    return rng.choices(WORDS, k=40)


def contrast_set(groups: int = 40, *, named: bool = False) -> list[Record]:
    """Groups of two passages that differ in one word and have different answers."""
    rng = random.Random(3)
    records = []
    for group in range(groups):
        words = passage(rng)
        for answer in (0, 1):
            told = " ".join([*words[:20], ("always", "never")[answer], *words[20:]])
            given = {"group": group} if named else {}
            records.append(
                Record(f"{group}-{answer}", "x", "s", told, "It holds.", LABELS, answer, metadata=given)
            )  # fmt: skip
    return records


def pairs(groups: list[int]) -> set[frozenset[int]]:
    return {
        frozenset((one, two))
        for one in range(len(groups))
        for two in range(one)
        if groups[one] == groups[two]
    }


def test_twins_are_found_by_their_words_as_by_their_name() -> None:
    assert pairs(twins(contrast_set())) == pairs(twins(contrast_set(named=True)))
    assert len(pairs(twins(contrast_set()))) == 40


def statements(column: str | None, groups: int = 40) -> list[Record]:
    """Pairs of one short statement over two passages, with different answers."""
    rng = random.Random(9)
    records = []
    for group in range(groups):
        said = f"The {rng.choice(WORDS)} is {rng.choice(WORDS)} {group}."
        for answer in (0, 1):
            passage = f"The {rng.choice(WORDS)} is {answer} of {group}."
            given = {} if column is None else {column: f"g{group}"}
            records.append(
                Record(f"{group}-{answer}", "x", "s", passage, said, LABELS, answer, metadata=given)
            )
    return records


@pytest.mark.parametrize(
    "column",
    [
        *("group_id", "groupid", "GroupID", "pair_id", "pairID"),
        *("contrast_id", "contrast set", "quartet", "cluster-id", None),
    ],
)
def test_pairs_are_one_group_by_the_name_of_their_column_or_by_their_statement(
    column: str | None,
) -> None:
    rows = statements(column)
    groups = twins(rows)
    assert groups[::2] == groups[1::2]
    assert len(set(groups)) == 40
    how = "that they name" if column else "of the same passage or question"
    assert how in groups_in_words(rows)


def test_a_column_that_differs_in_each_row_names_no_group() -> None:
    rows = [replace(one, metadata={"pairID": one.id}) for one in contrast_set()]
    assert pairs(twins(rows)) == pairs(twins(contrast_set()))


def test_rows_without_a_twin_stay_apart() -> None:
    singles = contrast_set()[::2]
    assert len(set(twins(singles))) == len(singles)
    assert groups_in_words(singles) == "No two rows name one group or are alike."


def test_an_instruction_that_all_rows_share_makes_no_group_of_them() -> None:
    rows = [
        replace(one, context="Read and decide.", question=one.context)
        for one in contrast_set()[::2]
    ]
    assert len(set(twins(rows))) == len(rows)


def test_questions_of_one_passage_stay_together() -> None:
    rows = [replace(one, question=f"Number {one.id} holds.") for one in contrast_set()[::2]]
    more = [replace(one, question="Something else does.") for one in rows]
    groups = twins(rows + more)
    assert groups[: len(rows)] == groups[len(rows) :]


def test_a_word_that_tells_the_label_is_the_strongest_cue() -> None:
    rng = random.Random(5)
    rows = []
    for number in range(120):
        answer = number % 2
        sign = "not" if answer else "so"
        rows.append(
            Record(str(number), "x", "s", " ".join(passage(rng)), f"It is {sign}.", LABELS, answer)
        )
    cues = strongest(rows)
    sure = {cue.rule for cue in cues if cue.right == 1.0}
    assert {"“not” in the question", "“so” in the question", "1 negations in the question"} <= sure
    assert len(cues) <= 10
    falling = rows_that_fall(rows, cues)
    assert len(falling) == 120 and falling[0][2] >= falling[-1][2]


def test_where_every_word_is_as_frequent_with_every_label_no_cue_is_listed() -> None:
    assert (
        strongest(contrast_set()[::2] + [replace(one, answer=1) for one in contrast_set()[::2]])
        == []
    )


def test_an_interval_wholly_below_guessing_gets_a_sentence() -> None:
    row = {"probe": "words", "accuracy": 0.02, "low": 0.01, "high": 0.04, "chance": 0.25}
    (said,) = below_guessing([row, row | {"high": 0.26}])
    assert "words: 2.0% (1.0% to 4.0%)" in said and "told from its twins'" in said
