"""Checks of labels, against what is known of the forms without them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from divlogic.field.drawing import Item, Job, draw
from divlogic.field.labels import MAY_BE_EMPTY, NON_EMPTY, by_place, canonical, decide
from tests.unit.field.planted import MOODS, UNCONDITIONAL, WITH_MEMBERS, syllogism, syllogisms

JOB = Job("module:function")


def item(text: str, answer: str | None = None) -> Item:
    return Item(0, "", text, None, answer, None)


def test_all_256_syllogisms_are_decided_as_the_traditional_table_has_them() -> None:
    valid: dict[str, set[tuple[int, str]]] = {MAY_BE_EMPTY: set(), NON_EMPTY: set()}
    for figure, mood in MOODS:
        verdict = decide(item(syllogism(figure, mood, ("herons", "bakers", "lamps"))), JOB)
        assert verdict is not None
        for reading, answer in verdict.answers.items():
            if answer == "yes":
                valid[reading].add((figure, mood))
    known = {(figure, mood) for figure, moods in UNCONDITIONAL.items() for mood in moods}
    more = {(figure, mood) for figure, moods in WITH_MEMBERS.items() for mood in moods}
    assert valid[MAY_BE_EMPTY] == known and len(known) == 15
    assert valid[NON_EMPTY] == known | more and len(known | more) == 24


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
def test_every_planted_wrong_label_is_found_and_no_other(share: float) -> None:
    items, turned = syllogisms(seed=3, size=400, wrong=share)
    assert len(turned) == 400 * share
    found = {
        one.index for one in items if (verdict := decide(one, JOB)) and verdict.wrong(one.answer)
    }
    assert found == turned


def test_a_clean_set_has_no_wrong_label() -> None:
    for seed in range(20):
        for one in syllogisms(seed, size=100)[0]:
            verdict = decide(one, JOB)
            assert verdict is not None and not verdict.wrong(one.answer)


def test_a_label_of_one_reading_is_not_called_wrong() -> None:
    verdict = decide(item(syllogism(3, "AAI", ("herons", "bakers", "lamps"))), JOB)
    assert verdict is not None and verdict.answers == {MAY_BE_EMPTY: "no", NON_EMPTY: "yes"}
    assert not verdict.wrong("Yes") and not verdict.wrong("No")
    assert "there is nothing" in verdict.why


ISLAND = (
    "A very special island is inhabited only by sages and fools. Sages always tell the truth, and fools always lie. You"
    " meet 2 inhabitants: Ann, and Bo. {} So who is a sage and who is a fool? (Format your answer like: …)"
)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        # Each by hand.
        ('Ann said that Bo is a fool. "Ann is a fool or Bo is a fool," Bo claimed.',
         "Ann is a fool, Bo is a sage"),
        ("Ann told you that Ann is a fool and Bo is a fool. Bo stated, \"Bo is a sage\".",
         "Ann is a fool, Bo is a sage"),
        ('As Ann put it, "if Ann is a sage then Bo is a sage". "Bo is a sage" - Bo.',
         "Ann is a sage, Bo is a sage"),
        ("In Ann's words: \"Ann is a sage if and only if Bo is a fool\". Bo said that Ann is a sage.",
         "Ann is a fool, Bo is a fool"),
        ("Ann asserted: \"it is not the case that (Ann is a sage and Bo is a sage)\"."
         ' Bo remarked, "Ann is a sage".', "0 solutions"),
    ],
)  # fmt: skip
def test_islands_are_decided_as_by_hand(said: str, right: str) -> None:
    verdict = decide(item(ISLAND.format(said)), JOB)
    assert verdict is not None and verdict.answers == {"one reading": right}


def test_an_answer_that_is_one_of_two_solutions_is_wrong() -> None:
    text = ISLAND.format("Ann said that Bo is a sage. Bo said that Ann is a sage.")
    verdict = decide(item(text), JOB)
    assert verdict is not None and verdict.wrong("Ann is a sage, and Bo is a sage.")


def test_a_claim_in_other_words_is_not_decided() -> None:
    text = ISLAND.format("Ann said that most of us lie. Bo said that Ann is a sage.")
    assert decide(item(text), JOB) is None
    assert decide(item("What is 2 + 2?", "4"), JOB) is None


def test_solutions_of_statements_about_themselves_are_counted() -> None:
    asked = "please tell me the number of possible solutions: \n"
    # One statement that says that none is true: the liar. One that says that one is: both ways.
    liar = asked + " - Statement 1: 'Exactly 0 of these 1 statements are true.'"
    teller = asked + " - Statement 1: 'Exactly 1 of these 1 statements are true.'"
    for text, count in ((liar, "0"), (teller, "2")):
        verdict = decide(item(text), JOB)
        assert verdict is not None and verdict.answers == {"one reading": count}


def test_answers_of_islands_are_told_by_place() -> None:
    assert canonical("Ann is a sage, and Bo is a fool.") == "Ann is a sage, Bo is a fool"
    text = ISLAND.format("Ann said that Bo is a fool. Bo said that Bo is a sage.")
    assert by_place(item(text, "Ann is a sage, and Bo is a fool.")) == "true, false"


def test_ours_are_decided_by_the_solver() -> None:
    job = Job("divlogic", "justlogic", size=8, seed=2)
    items = draw(job).items
    assert [verdict.wrong(one.answer) for one in items if (verdict := decide(one, job))] == [
        False
    ] * 8
    other = draw(replace(job, seed=3)).items[0]
    assert decide(other, replace(job, seed=3)) is not None
