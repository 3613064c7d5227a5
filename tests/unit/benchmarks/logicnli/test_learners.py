"""The learners: floors that words and overlap reach, readers that chain, and what they refuse."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace

import pytest

from divlogic.benchmarks.logicnli.learners import learner_named
from divlogic.benchmarks.logicnli.premises import read_premises
from divlogic.errors import DivLogicError
from divlogic.records import Record
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

TRAIN = [Record.from_json(row) for row in made_rows("train", 60)]
TEST = [Record.from_json(row) for row in made_rows("test", 60)]
RANDOM = [Record.from_json(row) for row in made_rows("train", 30, preset="as_published")]
FLOORS = ("majority", "sign", "lookup")
READERS = ("reasoner_2", "contraposing_reader", "symbolic_reader")


def labels_of(name: str, train: Iterable[Record], test: list[Record]) -> list[str]:
    learner = learner_named(name, 3)
    learner.fit(train)
    return learner.predict(test)


def share(name: str, train: list[Record], test: list[Record]) -> float:
    pairs = list(zip(labels_of(name, train, test), test, strict=True))
    assert all(label in record.options for label, record in pairs)
    return sum(label == record.options[record.answer or 0] for label, record in pairs) / len(test)


def torn(number: int, **rule: object) -> Record:
    """Return a record whose formulas have another rule at a place."""
    formulas = deepcopy(TEST[0].formulas or {})
    formulas["rules"][number] = {"p": formulas["rules"][number]["p"], **rule}
    return replace(TEST[0], id="x-9", benchmark="logicnli", formulas=formulas)


@pytest.mark.parametrize("name", FLOORS)
def test_what_chains_nothing_is_right_exactly_once_in_four_on_quartets(name: str) -> None:
    assert share(name, TRAIN, TEST) == 0.25


def test_overlap_and_pairs_of_words_are_at_chance_on_quartets_and_well_above_on_random_theories() -> (
    None
):
    slack = 3 * (0.25 * 0.75 / len(TEST)) ** 0.5
    assert abs(share("overlap", TRAIN, TEST) - 0.25) < slack
    assert abs(share("bag_of_words", TRAIN, TEST) - 0.25) < slack
    assert share("overlap", RANDOM[:400], RANDOM[400:]) > 0.4


def test_half_of_random_statements_are_right_by_looking_them_up() -> None:
    assert share("lookup", RANDOM, RANDOM) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("rounds", range(6))
def test_a_reader_of_k_rounds_is_a_ruler(rounds: int) -> None:
    assert share(f"reasoner_{rounds}", TRAIN, TEST) == pytest.approx(0.25 + 0.75 * rounds / 5)


def test_readers_agree_with_the_independent_checker_on_random_theories() -> None:
    for rounds in (0, 1, 2, 99):
        learner = learner_named(f"reasoner_{rounds}", 0)
        answers = [checker.k_round_answer(record.to_json(), rounds) for record in RANDOM]
        assert learner.predict(RANDOM) == answers
    assert share("symbolic_reader", [], RANDOM) == 1


def test_who_contraposes_is_right_on_the_test_set_but_not_on_random_theories() -> None:
    harmless = [
        record for record in TEST if record.options[record.answer or 0] != "self_contradiction"
    ]
    assert share("contraposing_reader", [], harmless) == 1
    assert share("contraposing_reader", [], RANDOM) < 0.6


def test_the_english_and_the_formulas_of_a_record_say_the_same() -> None:
    for record in (*TEST[:40], *RANDOM[:40]):
        told, given = (
            read_premises(each) for each in (record, replace(record, benchmark="logicnli"))
        )
        assert (told.facts, told.statement, told.people) == (
            given.facts,
            given.statement,
            given.people,
        )
        rules = [[replace(rule, name="") for rule in each.rules] for each in (told, given)]
        assert rules[0] == rules[1]


@pytest.mark.parametrize("name", [*FLOORS, "overlap", "bag_of_words", *READERS])
def test_the_same_records_and_seed_give_the_same_labels(name: str) -> None:
    first, second = (labels_of(name, iter(TRAIN), TEST[:80]) for _ in range(2))
    assert first == second


NO_FORM = {"q": {"fact": [["exist", "kind", "+"]], "conj": "none"}, "type": "imp"}
MIGHT = replace(TEST[0], id="x-8", context=TEST[0].context.replace(" is ", " might be ", 1))


@pytest.mark.parametrize(
    ("names", "record", "told"),
    [
        (
            "overlap lookup reasoner_1 contraposing_reader symbolic_reader",
            replace(TEST[0], id="x-7", benchmark="logicnli", formulas=None),
            r"record x-7 of test: the record has no formulas.*_logic\.json",
        ),
        ("symbolic_reader", MIGHT, "record x-8 of test: 0 readings of"),
        ("symbolic_reader", torn(0), "record x-9 of test: 'q'"),
        (
            "overlap symbolic_reader",
            torn(2, **NO_FORM),
            "record x-9 of test: rule 2 has no known form",
        ),
    ],
    ids=[
        "no formulas",
        "a sentence not of the grammar",
        "a torn rule",
        "a rule of an unknown form",
    ],
)
def test_a_record_that_cannot_be_read_is_named(names: str, record: Record, told: str) -> None:
    for name in names.split():
        with pytest.raises(DivLogicError, match=told):
            labels_of(name, [record], [record])


@pytest.mark.parametrize("name", ("majority", "sign", "overlap", "bag_of_words"))
def test_nothing_to_learn_from_is_an_error(name: str) -> None:
    with pytest.raises(DivLogicError, match="there is no record to learn from"):
        learner_named(name, 0).fit([])
    with pytest.raises(DivLogicError, match="record u of test has no answer to learn from"):
        learner_named(name, 0).fit([replace(TEST[0], id="u", answer=None)])


def test_an_unknown_learner_is_named() -> None:
    with pytest.raises(DivLogicError, match="there is no learner 'oracle'"):
        learner_named("oracle", 0)
