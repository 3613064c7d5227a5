"""Transfer: two arms on the same questions, nothing tested that was trained on, and recordings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from divlogic.contamination import transfer as steps
from divlogic.contamination.networks import OptionEncoder
from divlogic.contamination.outcomes import Outcome
from divlogic.contamination.parameters import ContaminationRun, TransferParameters
from divlogic.contamination.transfer import AFTER, ALONE, GENERATED
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.io.tables import read_note, read_table
from divlogic.networks.training import Schedule
from divlogic.records import Record
from tests.unit.contamination.samples import question
from tests.unit.networks import tiny

RECORDED = Path(__file__).parents[3] / "data" / "recorded"
SIZES = {"pretrain": 24, "held_out": 8, "finetune": 12, "tested": 10, "seeds": 2}


def generated(count: int = 48) -> list[Record]:
    return [question(number, number % 4, quartet=number // 4) for number in range(count)]


def reading(count: int = 30) -> list[Record]:
    """Two questions on each text."""
    return [
        replace(
            question(n // 2, n % 4), benchmark="logiqa2", id=f"r-{n}", context=f"Text {n // 2}."
        )
        for n in range(count)
    ]


class Notes:
    """Is right on questions on texts only if it was trained on generated instances before; notes what it saw."""

    seen: list[tuple[str, tuple[str, ...]]]

    def __init__(self, seed: int, work: Path | None) -> None:
        self.seed, self.seen, self.skilled, self.training = seed, [], False, "generated"
        made.append(self)

    def train(self, records: Any, passes: int, judged_on: Any = ()) -> None:
        self.seen.append((self.training, tuple(record.context for record in records)))
        self.skilled = self.skilled or self.training == "generated"

    def restart(self, schedule: Any, work: Path | None) -> None:
        self.training = "reading"

    def choose(self, records: Any) -> list[int]:
        self.seen.append(("asked", tuple(record.context for record in records)))
        return [record.answer if self.skilled else (record.answer + 1) % 4 for record in records]


made: list[Notes] = []


def found(**settings: Any) -> list[Outcome]:
    made.clear()
    parameters = TransferParameters(**SIZES | settings)
    return steps.transfer(Notes, generated(), reading(), parameters, seed=5, resamples=50)


def test_the_arms_differ_in_the_first_training_alone_and_are_asked_the_same_unseen_questions() -> (
    None
):
    outcomes = {(one.sample, one.stage): one for one in found()}
    assert outcomes["logiqa2", ALONE].value == 0 and outcomes["logiqa2", AFTER].value == 100
    assert outcomes["logiqa2", AFTER].change == 100 and outcomes["logiqa2", AFTER].seeds == 2
    assert outcomes[GENERATED, "before"].value == 0 and outcomes[GENERATED, "after"].value == 100
    reading_of = [dict(one.seen)["reading"] for one in made]
    asked = [one.seen[-1][1] for one in made]
    assert len(set(reading_of)) == len(set(asked)) == 1
    assert not set(reading_of[0]) & set(asked[0])
    first = [dict(one.seen).get("generated") for one in made]
    assert [kept is None for kept in first] == [True, True, False, False]


def test_f_leaves_out_a_part_of_the_long_instances_and_s_shows_formulas() -> None:
    long = {name: {} for name in "ABCDEF"}
    some = [
        replace(one, sentences=long if at < 30 else {"A": {}}) for at, one in enumerate(generated())
    ]
    kept = {one.id for one in steps.formed(some, "f-ilogiceval", 3)}
    assert len(kept) == 48 - int(30 / 3.5) and {one.id for one in some[30:]} <= kept
    assert {one.id for one in steps.formed(some, "f-ilogiceval", 4)} != kept
    formulas = {"premises": ["(A→B)"], "conclusion": None, "drawn_options": ["A", "B", "¬A", "¬B"]}
    (symbols,) = steps.formed([replace(some[0], formulas=formulas)], "s-ilogiceval", 3)
    assert (symbols.context, symbols.options) == ("(A→B)", ("A", "B", "¬A", "¬B"))


def test_the_best_is_judged_on_what_is_held_out_and_the_first_learner_of_both_answers_the_server() -> (
    None
):
    judged: list[tuple[str, int]] = []
    answered: list[Any] = []

    class Judged(Notes):
        def train(self, records: Any, passes: int, judged_on: Any = ()) -> None:
            judged.append((self.training, len(judged_on)))
            super().train(records, passes)

    made.clear()
    settings = TransferParameters(**SIZES, judged=5)
    steps.transfer(
        Judged, generated(), reading(), settings, seed=5, resamples=20, answer=answered.append
    )
    assert judged == [("reading", 10)] * 2 + [("generated", 8), ("reading", 10)] * 2
    assert answered == [made[2]] and made[2].skilled


def test_too_few_questions_are_told() -> None:
    with pytest.raises(DivLogicError, match="30 questions are too few to test with 29"):
        found(tested=29)


def test_the_table_has_the_difference_that_the_first_training_makes(tmp_path: Path) -> None:
    steps.write_transfer(found(), tmp_path / "transfer")
    rows = read_table(tmp_path / "transfer")
    assert {row["source"] for row in rows} == {"measured"}
    assert [row["delta"] for row in rows if row["arm"] == AFTER] == [100]


def test_of_a_learner_the_last_recording_counts(tmp_path: Path) -> None:
    kept = RECORDED / "transfer" / "minilm-l6.json"
    own = tmp_path / "own.json"
    own.write_text(kept.read_text().replace("logiqa2", "own"))
    steps.tabulate_transfer((kept, own), out=tmp_path / "transfer")
    samples = {
        row["sample"] for row in read_table(tmp_path / "transfer") if row["source"] == "recording"
    }
    assert samples == {"own", GENERATED}


def loaded() -> Any:
    texts = [f"{r.context} {r.question} {' '.join(r.options)}" for r in (*generated(), *reading())]
    return tiny.encoder(), tiny.tokenizer(texts)


@pytest.mark.slow
def test_an_interrupted_transfer_goes_on_to_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("divlogic.networks.training.load_encoder", lambda model: loaded())
    write_jsonl(tmp_path / "generated.jsonl", [record.to_json() for record in generated()])
    write_jsonl(tmp_path / "reading.jsonl", [record.to_json() for record in reading()])
    settings = TransferParameters(**SIZES, steps_kept=1, batch=4, rate=1e-3, warm_up=0.5, judged=2)
    run = ContaminationRun.model_validate(
        {"contamination": {"transfer": settings, "resamples": 20}}
    )

    def measured(name: str) -> list[Outcome]:
        files = {
            "generated": (tmp_path / "generated.jsonl",),
            "reading": tmp_path / "reading.jsonl",
        }
        out = tmp_path / f"{name}.json"
        steps.run_transfer(**files, work=tmp_path / name, out=out, params=run)
        return steps.read_transfer(out, files["generated"])

    whole = measured("whole")
    train = OptionEncoder.train
    calls = iter(range(5))

    def stopped(self: Any, *arguments: Any) -> None:
        train(self, *arguments)
        if next(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(OptionEncoder, "train", stopped)
    with pytest.raises(KeyboardInterrupt):
        measured("stopped")
    monkeypatch.setattr(OptionEncoder, "train", train)
    assert measured("stopped") == whole
    kept = steps.read_transfer(tmp_path / "stopped.json", [tmp_path / "generated.jsonl"])
    assert [one.value for one in kept] == [one.value for one in whole]
    assert kept[0].source == "recording" and "another version" not in kept[0].remark
    assert "another version" in steps.read_transfer(tmp_path / "stopped.json", [])[0].remark
    steps.write_transfer(kept, tmp_path / "transfer")
    note = " ".join(read_note(tmp_path / "transfer").split())
    assert "24 generated instances, passes: 2; 12 questions, passes: 3" in note
    assert "Premise" not in (tmp_path / "stopped.json").read_text()


@pytest.mark.slow
def test_multiple_choice_learns_and_does_not_mind_the_order_of_options() -> None:
    pytest.importorskip("torch")
    learner = OptionEncoder("tiny", Schedule(3e-3, 4, seed=1), labels=False, loaded=loaded())
    records = [question(number, 2) for number in range(12)]
    learner.train(records, 30)
    assert learner.choose(records) == [2] * 12
    turned = [replace(record, options=record.options[::-1]) for record in records]
    assert learner.choose(turned) == [1] * 12
    with pytest.raises(DivLogicError, match="has no answer to learn"):
        learner.train([replace(records[0], answer=None)], 1)


def test_a_recording_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text("{}")
    with pytest.raises(DivLogicError, match="not a recording of this kind"):
        steps.read_transfer(tmp_path / "r.json", [])
