"""The baselines that need no key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from divlogic.benchmarks.answers import offer_baselines
from divlogic.benchmarks.divlogiceval.reader import solve
from divlogic.benchmarks.registry import baseline_names
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.logic import parse
from divlogic.models.baselines import (
    Baseline,
    baseline_named,
    build,
    files_read,
    fingerprint,
    offer,
)
from divlogic.models.prompts import ParsedPrompt
from divlogic.records import Record
from tests.unit.evaluation.samples import records

PROMPT = ParsedPrompt(
    "The grey cat sleeps. The roof leaks.",
    "Which one follows?",
    ("The dog barks.", "The grey cat sleeps.", "A bird sings.", "The roof burns."),
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def rotated(prompt: ParsedPrompt, by: int) -> ParsedPrompt:
    return ParsedPrompt(prompt.context, prompt.question, prompt.options[by:] + prompt.options[:by])


def training_file(
    folder: Path, count: int, change: Callable[[int, Record], dict[str, object]] | None = None
) -> str:
    """Write records, each with what is changed of it."""
    path = folder / f"train-{count}.jsonl"
    asked = enumerate(records(count, "unpolished"))
    write_jsonl(
        path, (one.to_json() | (change(number, one) if change else {}) for number, one in asked)
    )
    return str(path)


@pytest.fixture()
def train(tmp_path: Path) -> str:
    return training_file(tmp_path, 60)


def test_uniform_answers_take_every_letter_about_equally_often() -> None:
    baseline = build("uniform", {})
    counts = np.bincount([baseline.choose(PROMPT, rng(seed)) for seed in range(2000)], minlength=4)
    assert counts.min() > 420


def test_a_position_bias_of_full_strength_never_leaves_its_letter() -> None:
    baseline = build("position", {"letter": "C"})
    assert {baseline.choose(PROMPT, rng(seed)) for seed in range(50)} == {2}


def test_half_a_position_bias_chooses_its_letter_five_times_in_eight() -> None:
    baseline = build("position", {"letter": "B", "strength": 0.5})
    share = np.mean([baseline.choose(PROMPT, rng(seed)) == 1 for seed in range(4000)])
    assert share == pytest.approx(0.5 + 0.5 / 4, abs=0.03)


def test_the_majority_is_the_most_frequent_answer_of_the_training_records(tmp_path: Path) -> None:
    path = training_file(tmp_path, 5, lambda number, _: {"answer": 3 if number else 0})
    assert build("majority", {"train": path}).choose(PROMPT, rng()) == 3


@pytest.mark.parametrize("name", ["overlap", "ranker", "hypothesis_only"])
def test_a_baseline_that_reads_chooses_the_same_content_in_every_rotation(
    name: str, train: str
) -> None:
    baseline = build(name, {} if name == "overlap" else {"train": train})
    chosen = {
        rotated(PROMPT, by).options[baseline.choose(rotated(PROMPT, by), rng())] for by in range(4)
    }
    assert len(chosen) == 1
    if name == "overlap":
        assert chosen == {"The grey cat sleeps."}


@pytest.mark.parametrize("name", ["ranker", "hypothesis_only"])
def test_a_word_that_marks_the_answer_is_learnt(name: str, tmp_path: Path) -> None:
    def marked(_: int, one: Record) -> dict[str, object]:
        texts = enumerate(one.options)
        return {
            "options": [f"{text[:-1]} indeed." if at == one.answer else text for at, text in texts]
        }

    options = ("It is old.", "It is new.", "It is red indeed.", "It is wet.")
    leak = ParsedPrompt("The bell is ringing.", "Which one follows?", options)
    assert build(name, {"train": training_file(tmp_path, 80, marked)}).choose(leak, rng()) == 2


@pytest.mark.parametrize(
    ("name", "args", "sentence"),
    [
        ("oracle", {}, "unknown baseline 'baseline/oracle'; known are uniform"),
        ("majority", {}, "give it with --train"),
        ("uniform", {"colour": 1}, "wrong arguments"),
        ("position", {"letter": "Z"}, "letter 'Z'"),
    ],
)
def test_a_baseline_that_cannot_be_made_is_named(name: str, args: dict, sentence: str) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        build(name, args)


def test_a_training_file_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="no record with an answer to learn from"):
        build("majority", {"train": training_file(tmp_path, 3, lambda *_: {"answer": None})})


def test_other_training_data_make_another_baseline(tmp_path: Path, train: str) -> None:
    other = training_file(tmp_path, 61)
    assert fingerprint("ranker", {"train": train}) == fingerprint("ranker", {"train": train})
    assert fingerprint("ranker", {"train": train}) != fingerprint("ranker", {"train": other})
    assert fingerprint("position", {"letter": "A"}) != fingerprint("position", {"letter": "B"})
    with pytest.raises(DivLogicError, match="make it first"):
        fingerprint("ranker", {"train": str(tmp_path / "none.jsonl")})


def test_each_question_type_is_solved_by_its_own_rule() -> None:
    premises = [parse("(A→B)"), parse("(B→C)")]
    options = [parse(text) for text in ("(A→C)", "(C→A)", "(¬C→¬A)", "C")]
    assert solve("3c1e", premises, None, options) == [True, False, True, False]
    assert solve("3e1c", premises, None, options) == [False, True, False, True]
    missing = [parse(text) for text in ("(B→C)", "(C→B)", "¬C", "(A→¬C)")]
    assert solve("missing_premise", premises[:1], parse("(A→C)"), missing) == [
        True,
        False,
        False,
        False,
    ]
    assert solve("missing_premise", premises, None, options) == [False] * 4


def test_a_benchmark_offers_baselines_of_its_own() -> None:
    offer_baselines()
    for name in baseline_names():
        assert baseline_named(name).name == name
    assert files_read("baseline/symbolic_reader") == ("records", "groups")
    with pytest.raises(DivLogicError, match="--records"):
        build("symbolic_reader", {})


def test_an_offered_baseline_answers_under_its_name_and_other_code_is_another_state(
    tmp_path: Path,
) -> None:
    class Last:
        def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int:
            return len(prompt.options) - 1

    code = tmp_path / "last.py"
    code.write_text("one", encoding="utf-8")
    offer([Baseline("last", Last, code=(code,))])
    assert build("last", {}).choose(PROMPT, rng()) == 3
    before = fingerprint("last", {})
    code.write_text("other", encoding="utf-8")
    assert fingerprint("last", {}) != before


def test_only_baselines_read_files() -> None:
    assert files_read("openai/ranker") == ()
    assert files_read("baseline/ranker") == ("train",)
    assert files_read("baseline/unknown") == ()
