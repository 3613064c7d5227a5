"""Parameters of LogicNLI that cannot be met, and files that are not its own, are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from divlogic.benchmarks.logicnli.build import write_sets
from divlogic.benchmarks.logicnli.check import confirm, merge_reports
from divlogic.benchmarks.logicnli.draw import plans
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.realise import SetStatistics
from divlogic.benchmarks.logicnli.set_names import SETS, is_test
from divlogic.benchmarks.registry import benchmark_named
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_jsonl
from divlogic.records import read_records
from tests.generation import drawn_shards, run_of, worded_shards
from tests.support import cases

file_of = benchmark_named("logicnli").file_of

KINDS = ("robust", "deep", "traced", "degraded", "connective")
SMALL: dict[str, Any] = {"depths": [1, 2], "deep_depths": [6], "noise": [0, 4], "quartets": 1}
SMALL |= dict.fromkeys([f"{kind}_quartets" for kind in KINDS], 1)


@pytest.mark.parametrize(("section", "problem"), cases(__file__, "impossible"))
def test_a_parameter_that_cannot_be_met_is_named(section: dict[str, object], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        LogicNLIParameters.model_validate(section)


def test_depths_that_the_sizes_cannot_hold_are_named_with_what_would() -> None:
    section = {"forms": {29: 1}}
    (plan, *_) = plans(LogicNLIParameters.model_validate(section), "embedded")
    with pytest.raises(DivLogicError, match="set train: the classes of rules"):
        plan.block(0, 1)
    section = {"forms": {1: 1}}
    (plan, *_) = plans(LogicNLIParameters.model_validate(section), "embedded")
    with pytest.raises(
        DivLogicError, match=r"set train: two chains of depth 5 .* need 28 predicates"
    ):
        plan.block(4, 1)


def made(folder: Path, shards: int) -> Path:
    run = run_of("logicnli", {"balanced": SMALL}, seed=3)
    realised, counts = worded_shards(
        "logicnli", folder, run, drawn_shards("logicnli", folder, run, shards)
    )
    write_sets((*realised, *counts), out=folder / "out", statistics=folder / "out.json")
    return folder / "out"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("made"), 1)


def test_the_sets_are_the_same_bytes_for_any_number_of_shards(folder: Path, tmp_path: Path) -> None:
    three = made(tmp_path, 3)
    for name in SETS:
        assert (folder / file_of(name)).read_bytes() == (three / file_of(name)).read_bytes() != b""
    assert folder.with_suffix(".json").read_bytes() == three.with_suffix(".json").read_bytes()
    files = tuple([folder / file_of(name) for name in ("test", "test_t", "proofs")])
    report = confirm(files, out=tmp_path / "z3.json")
    assert report["disagreements"] == 0 and report["first_order"] == 8 + 3


def test_the_statistics_are_those_of_the_sets_read_again(folder: Path) -> None:
    rows = {row["benchmark"]: row for row in read_json(folder.with_suffix(".json"))["sets"]}
    for name in SETS:
        whole = SetStatistics()
        for record in read_records(folder / file_of(name)):
            whole.add(record)
        assert rows[name] == whole.row("generated", name)


def test_shares_of_the_theories_are_confirmed_side_by_side_and_reported_as_one(
    folder: Path, tmp_path: Path
) -> None:
    files = tuple([folder / file_of(name) for name in SETS if is_test(name)])
    confirm(files, out=tmp_path / "whole.json")
    parts = tuple([tmp_path / f"{shard}.json" for shard in range(3)])
    shares = [
        confirm(files, shard=at, shards=3, out=part)["signed_horn"] for at, part in enumerate(parts)
    ]
    merge_reports(parts, out=tmp_path / "merged.json")
    assert (tmp_path / "merged.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert min(shares) > 0
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_bytes((folder / "test.jsonl").read_bytes().replace(b'"answer":0', b'"answer":2', 1))
    with pytest.raises(DivLogicError, match="Z3 makes it entailment"):
        for shard in range(3):
            confirm((wrong,), shard=shard, shards=3, out=tmp_path / "z3.json")


def test_more_instances_than_there_are_is_an_error_and_leaves_the_sets_as_they_were(
    folder: Path,
) -> None:
    before = (folder / file_of("train")).read_bytes()
    with pytest.raises(DivLogicError, match="holds this instance already"):
        write_sets((folder.with_name("worded-0-of-1.jsonl.gz"),) * 2, out=folder)
    assert (folder / file_of("train")).read_bytes() == before


def test_rows_of_other_benchmarks_and_torn_rows_are_named(tmp_path: Path) -> None:
    other = {
        "id": "1",
        "benchmark": "folio",
        "split": "test",
        "question": "q",
        "options": ["a"],
        "answer": 0,
    }
    write_jsonl(tmp_path / "other.jsonl", [other])
    with pytest.raises(DivLogicError, match="record 1: its formulas cannot be checked"):
        confirm((tmp_path / "other.jsonl",), out=tmp_path / "z3.json")
    write_jsonl(tmp_path / "torn.jsonl", [{"set": "train", "index": 0}])
    with pytest.raises(DivLogicError, match="row 1: not a symbolic group"):
        worded_shards("logicnli", tmp_path, run_of("logicnli", {}), [tmp_path / "torn.jsonl"])
