"""Learners that take seconds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from divlogic.contamination.experiments import scores_of
from divlogic.contamination.learners import AnswerKey, PairPerceptron, draw_pairs
from divlogic.errors import DivLogicError
from divlogic.models.letters import option_at
from tests.unit.contamination.samples import question, write_pairs


def test_a_bag_of_words_learns_what_words_tell_and_no_premise_is_on_both_sides(tmp_path):
    pairs = draw_pairs(write_pairs(tmp_path / "nli.jsonl", 90), train=60, test=30, seed=3)
    assert (len(pairs.train), len(pairs.test)) == (60, 30)
    assert {record.split for record in pairs.test} == {"captions"}
    trained = {record.context for record in pairs.train if record.split == "captions"}
    assert trained.isdisjoint(record.context for record in pairs.test)
    learner = PairPerceptron(1)
    wanted = [record.answer for record in pairs.test]
    assert learner.choose(pairs.test) != wanted
    learner.train(pairs.train, 3)
    assert learner.choose(pairs.test) == wanted


def test_the_pairs_do_not_depend_on_the_order_of_the_file(tmp_path):
    path, turned = write_pairs(tmp_path / "nli.jsonl", 20), tmp_path / "turned.jsonl"
    first, *others = path.read_text().splitlines()
    turned.write_text("\n".join([first, *others[::-1]]) + "\n")
    draws = [draw_pairs(each, train=12, test=6, seed=1) for each in (path, turned)]
    assert draws[0] == draws[1]


def test_a_small_corpus_keeps_premises_to_train_on_and_one_without_a_label_is_refused(tmp_path):
    path = write_pairs(tmp_path / "nli.jsonl", 12)
    pairs = draw_pairs(path, train=600, test=450, seed=3)
    assert len(pairs.test) == 4 and len(pairs.train) > 40
    rows = path.read_text().splitlines(keepends=True)
    path = tmp_path / "without.jsonl"
    path.write_text("".join(row for row in rows if "neutral" not in row))
    with pytest.raises(DivLogicError, match="no pair is labelled 'neutral'"):
        draw_pairs(path, train=3, test=3, seed=1)


def test_the_same_seed_gives_the_same_choices_and_the_order_of_options_makes_no_difference():
    records = [question(number, number % 4) for number in range(12)]
    chosen = []
    for _ in range(2):
        learner = PairPerceptron(5)
        learner.train(records[:8], 4)
        chosen.append([learner.choose(records, rotation) for rotation in range(4)])
    assert chosen[0] == chosen[1]
    assert all(own == chosen[0][0] for own in chosen[0])


def test_letters_by_heart_are_undone_by_rotation_and_options_by_heart_are_not():
    records = [question(number, number % 4) for number in range(8)]
    letters, texts = AnswerKey(1, letters=True), AnswerKey(1, letters=False)
    for learner in (letters, texts):
        learner.train(records, 1)
    # all rotations, ACC, CIR, PC
    assert scores_of(letters, records).mean(axis=0).tolist() == [0.25, 1.0, 0.0, 0.0]
    assert scores_of(texts, records).mean(axis=0).tolist() == [1.0, 1.0, 1.0, 1.0]
    assert letters.choose(records[:1], 1) == [option_at(0, 1)]


def test_what_was_not_trained_on_is_guessed():
    records = [question(number, number % 4) for number in range(400)]
    learner = AnswerKey(1, letters=False)
    learner.train(records[:1], 1)
    assert abs(float(np.mean(scores_of(learner, records[1:])[:, 0])) - 0.25) < 0.05


@pytest.mark.parametrize("learner", [PairPerceptron(1), AnswerKey(1, letters=True)])
def test_a_record_without_an_answer_is_named(learner):
    with pytest.raises(DivLogicError, match="record q-1 has no answer"):
        learner.train([replace(question(1, 0), answer=None)], 1)
