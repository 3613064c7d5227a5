"""The learners: floors that words and overlap reach, readers that chain, and what they refuse."""

from __future__ import annotations

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
LEARNERS = (
    "majority",
    "sign",
    "lookup",
    "overlap",
    "bag_of_words",
    "reasoner_2",
    "contraposing_reader",
    "symbolic_reader",
)


def share(name: str, train: list[Record], test: list[Record], seed: int = 3) -> float:
    learner = learner_named(name, seed)
    learner.fit(train)
    labels = learner.predict(test)
    assert all(label in record.options for label, record in zip(labels, test, strict=True))
    pairs = zip(labels, test, strict=True)
    return sum(label == record.options[record.answer or 0] for label, record in pairs) / len(test)


@pytest.mark.parametrize("name", ["majority", "sign", "lookup"])
def test_what_chains_nothing_is_right_exactly_once_in_four_on_quartets(name: str) -> None:
    assert share(name, TRAIN, TEST) == 0.25


def test_overlap_and_pairs_of_words_are_at_chance_on_quartets_and_well_above_on_random_theories() -> None:
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
    harmless = [record for record in TEST if record.options[record.answer or 0] != "self_contradiction"]
    assert share("contraposing_reader", [], harmless) == 1
    assert share("contraposing_reader", [], RANDOM) < 0.6


def test_the_english_and_the_formulas_of_a_record_say_the_same() -> None:
    for record in (*TEST[:40], *RANDOM[:40]):
        told = read_premises(record)
        given = read_premises(replace(record, benchmark="logicnli"))
        assert (told.facts, told.statement, told.people) == (given.facts, given.statement, given.people)
        assert [replace(rule, name="") for rule in told.rules] == [
            replace(rule, name="") for rule in given.rules
        ]


@pytest.mark.parametrize("name", LEARNERS)
def test_the_same_records_and_seed_give_the_same_labels(name: str) -> None:
    labels = []
    for _ in range(2):
        learner = learner_named(name, 7)
        learner.fit(iter(TRAIN))
        labels.append(learner.predict(TEST[:80]))
    assert labels[0] == labels[1]


@pytest.mark.parametrize(
    "name", ["overlap", "lookup", "reasoner_1", "contraposing_reader", "symbolic_reader"]
)
def test_a_record_without_formulas_of_other_wording_is_named(name: str) -> None:
    foreign = replace(TEST[0], id="x-7", benchmark="logicnli", formulas=None)
    learner = learner_named(name, 0)
    with pytest.raises(DivLogicError, match=r"record x-7 of test: the record has no formulas.*_logic\.json"):
        learner.fit([foreign])
        learner.predict([foreign])


def test_a_sentence_that_is_not_of_the_grammar_is_named() -> None:
    torn = replace(TEST[0], id="x-8", context=TEST[0].context.replace(" is ", " might be ", 1))
    with pytest.raises(DivLogicError, match="record x-8 of test: 0 readings of"):
        learner_named("symbolic_reader", 0).predict([torn])


def test_formulas_with_a_torn_rule_are_named() -> None:
    rules = [{key: value for key, value in TEST[0].formulas["rules"][0].items() if key != "q"}]  # type: ignore[index]
    torn = replace(
        TEST[0], id="x-9", benchmark="logicnli", formulas={**(TEST[0].formulas or {}), "rules": rules}
    )
    with pytest.raises(DivLogicError, match="record x-9 of test: 'q'"):
        learner_named("symbolic_reader", 0).predict([torn])


def test_formulas_with_a_rule_of_an_unknown_form_are_named() -> None:
    rules = [dict(rule) for rule in TEST[0].formulas["rules"]]  # type: ignore[index]
    rules[2]["q"] = {"fact": [["exist", "kind", "+"]], "conj": "none"}
    odd = replace(
        TEST[0], id="x-9", benchmark="logicnli", formulas={**(TEST[0].formulas or {}), "rules": rules}
    )
    for name in ("overlap", "symbolic_reader"):
        with pytest.raises(DivLogicError, match="record x-9 of test: rule 2 has no known form"):
            learner = learner_named(name, 0)
            learner.fit([odd])
            learner.predict([odd])


@pytest.mark.parametrize("name", ("majority", "sign", "overlap", "bag_of_words"))
def test_nothing_to_learn_from_is_an_error(name: str) -> None:
    with pytest.raises(DivLogicError, match="there is no record to learn from"):
        learner_named(name, 0).fit([])
    with pytest.raises(DivLogicError, match="record u of test has no answer to learn from"):
        learner_named(name, 0).fit([replace(TEST[0], id="u", answer=None)])


def test_an_unknown_learner_is_named() -> None:
    with pytest.raises(DivLogicError, match="there is no learner 'oracle'"):
        learner_named("oracle", 0)
