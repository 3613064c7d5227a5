"""The released sets: what a record states is enough to decide its answers again; the release loads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.benchmarks.llmeval_logic.check import confirmed_pairs, write_confirmation
from divlogic.benchmarks.llmeval_logic.draw import draw
from divlogic.benchmarks.llmeval_logic.parameters import HardenerParameters
from divlogic.benchmarks.llmeval_logic.realise import hard_record, seed_record
from divlogic.benchmarks.llmeval_logic.seeds import read_scenarios
from divlogic.benchmarks.made import LLMEVAL_LOGIC
from divlogic.benchmarks.parameters import ReleaseRun
from divlogic.benchmarks.release.gather import gather_facts
from divlogic.benchmarks.release.write import write_release
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.records import Record


@pytest.fixture(scope="module")
def sets() -> dict[str, list[Record]]:
    seeds = list(read_scenarios(Path("data/embedded/scenarios")))
    items = [draw(HardenerParameters(), 1, number, seeds) for number in (0, 2, 6, 10)]
    return {
        "base": [seed_record(seed) for seed in seeds],
        "hard": [hard_record(item) for item in items if item is not None],
    }


def written(folder: Path, sets: dict[str, list[Record]]) -> dict[str, Path]:
    for name, records in sets.items():
        write_jsonl(folder / f"{name}.jsonl", (record.to_json() for record in records))
    return {name: folder / f"{name}.jsonl" for name in sets}


def test_records_state_enough_to_confirm_every_answer(sets, tmp_path: Path) -> None:
    write_confirmation(tuple(written(tmp_path, sets).values()), out=tmp_path / "z3.json")
    questions = sum(
        len(record.metadata["questions"]) for records in sets.values() for record in records
    )
    stated = {
        "instances": len(sets["base"] + sets["hard"]),
        "questions": questions,
        "disagreements": 0,
    }
    assert json.loads((tmp_path / "z3.json").read_text()) == stated


def test_a_wrong_answer_is_found_and_named(sets, tmp_path: Path) -> None:
    record = sets["hard"][0]
    questions = json.loads(json.dumps(record.metadata["questions"]))
    counted = next(
        each for each in questions if each["type"] in ("count_models", "enumerate_models")
    )
    counted["answer"] = "63" if counted["type"] == "count_models" else "[]"
    wrong = replace(record, metadata={**record.metadata, "questions": questions})
    assert sum(stated != found for _, stated, found in confirmed_pairs(wrong)) == 1
    path = written(tmp_path, {"hard": [wrong]})["hard"]
    with pytest.raises(
        DivLogicError, match=f"does not confirm 1 .*: {record.id}: question {counted['id']}"
    ):
        write_confirmation((path,), out=tmp_path / "z3.json")
    assert not (tmp_path / "z3.json").exists()


def test_a_record_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [Record("x", "b", "hard", "", "?", (), None)]})["a"]
    said = r"a.jsonl, record x: its formulas cannot be checked \(it has none\)"
    with pytest.raises(DivLogicError, match=said):
        write_confirmation((path,), out=tmp_path / "z3.json")


def test_the_release_loads_with_both_splits(sets, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    facts = gather_facts(LLMEVAL_LOGIC, ReleaseRun(), (), {})
    splits = write_release(tmp_path / "release", {"llmeval_logic": written(tmp_path, sets)}, facts)
    assert {split.name: split.rows for split in splits} == {
        name: len(rows) for name, rows in sets.items()
    }
    rows = pq.read_table(tmp_path / "release" / splits[1].file).to_pylist()
    assert json.loads(rows[0]["metadata"])["questions"][0]["answer"]
    card = (tmp_path / "release" / "README.md").read_text(encoding="utf-8")
    assert "language:\n- zh" in card and "cc0-1.0" in card


def test_questions_in_two_languages_are_numbered_alike(sets) -> None:
    for record in sets["hard"]:
        for question in record.metadata["questions"]:
            assert question["zh"].count("（1）") >= question["en"].count("(1)") > -1
            listed = json.loads(question["answer"]) if "[" in question["answer"] else []
            for label in {label for row in listed for label in row}:
                assert f"（{label}）" in question["zh"] and f"({label})" in question["en"]
