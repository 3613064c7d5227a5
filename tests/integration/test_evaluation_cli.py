"""The phase from rotations to tables, by the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from divlogic.cli import group
from divlogic.errors import DivLogicError
from divlogic.evaluation.figures import chance
from divlogic.io.files import write_jsonl
from tests.support import call, csv_rows
from tests.unit.evaluation.samples import records

cli = group("evaluation")

pytestmark = pytest.mark.integration

BASELINES = ("uniform", "position", "majority", "overlap", "hypothesis_only", "ranker")
RUNS = {"uniform": 5}
PROMPTS = ("zero_shot", "three_shot", "zero_shot_nolr")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rotations in three prompts, answered by all baselines that need no real benchmark, exported and tabulated."""
    folder = tmp_path_factory.mktemp("evaluation")
    models = [{"name": f"baseline/{name}", "runs": RUNS.get(name, 1)} for name in BASELINES]
    params = {"evaluation": {"models": models}}
    for split in ("test", "unpolished"):
        write_jsonl(folder / f"{split}.jsonl", (record.to_json() for record in records(24, split)))
    files = [folder / f"{prompt}.jsonl" for prompt in PROMPTS]
    for prompt, out in zip(PROMPTS, files, strict=True):
        pool = folder / "unpolished.jsonl"
        call(
            cli,
            f"rotate --in {folder}/test.jsonl --prompt {prompt} --pool {pool} --out {out}",
            params,
        )
    given = f"{' '.join(map(str, files))} --store {folder}/store.sqlite --train {folder}/unpolished.jsonl"
    for name in BASELINES:
        call(cli, f"run {given} --model baseline/{name}", params)
    names = " ".join(f"--model baseline/{name}" for name in BASELINES)
    call(cli, f"export {given} {names} --out {folder}/predictions.jsonl", params)
    call(cli, f"export {given} {names} --out {folder}/again.jsonl", params)
    predictions = folder / "predictions.jsonl"
    written = f"--pairs {folder}/pairs.csv --tables {folder}/tables"
    call(cli, f"score {predictions} --out {folder}/scores.csv {written}", params)
    return folder


def test_the_same_store_exports_the_same_bytes(folder: Path) -> None:
    assert (folder / "predictions.jsonl").read_bytes() == (folder / "again.jsonl").read_bytes()


def test_every_baseline_answers_every_rotation_in_every_run(folder: Path) -> None:
    lines = (folder / "predictions.jsonl").read_bytes().count(b"\n")
    assert lines == 24 * 4 * len(PROMPTS) * sum(RUNS.get(name, 1) for name in BASELINES)


def test_scores_are_given_for_the_whole_and_each_type(folder: Path) -> None:
    scores = csv_rows(folder / "scores.csv")
    assert {row["question_type"] for row in scores} == {"all", "3c1e", "3e1c", "missing_premise"}
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in scores)
    position = {
        row["metric"]: row["value"] for row in scores if row["model"] == "baseline/position"
    }
    assert (position["CIR"], position["PC"]) == ("0.00", "0.00")
    asked = [row for row in scores if (row["question_type"], row["prompt"]) == ("all", "zero_shot")]
    values = {(row["model"], row["metric"]): float(row["value"]) for row in asked}
    for row in csv_rows(folder / "tables" / "table2.csv"):
        if row["shots"] == "0-shot":
            runs = [float(row[f"run{number}"]) for number in range(1, 6)]
            assert np.mean(runs) == pytest.approx(values[row["system"], row["metric"]], abs=0.06)


def test_pairs_share_either_the_prompt_or_the_model(folder: Path) -> None:
    pairs = csv_rows(folder / "pairs.csv")
    systems = len(BASELINES) * (len(BASELINES) - 1) // 2 * len(PROMPTS) + len(BASELINES) * 3
    assert len(pairs) == 3 * systems
    for row in pairs:
        assert (
            row["first_model"] == row["second_model"] or row["first_prompt"] == row["second_prompt"]
        )


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("table1", len(BASELINES)),
        ("table2", 3 * len(PROMPTS)),
        ("table3", 3 * len(BASELINES)),
        ("table6", 6 * len(BASELINES)),
        ("table8", 6 * len(BASELINES)),
    ],
)
def test_tables_hold_a_row_for_each_system_that_was_asked(
    folder: Path, table: str, rows: int
) -> None:
    found = csv_rows(folder / "tables" / f"{table}.csv")
    assert len(found) == rows
    assert {row["system"] for row in found} <= {f"baseline/{name}" for name in BASELINES}
    for suffix in (".md", ".tex"):
        text = (folder / "tables" / f"{table}{suffix}").read_text(encoding="utf-8")
        assert "bootstrap intervals clustered by instance" in " ".join(text.split())


def test_guessing_is_a_quarter_for_accuracy_and_a_256th_for_circular() -> None:
    assert chance("ACC") == pytest.approx(25)
    # The first answer names the gold option with 1/4, and so must the other three.
    assert chance("CIR") == pytest.approx(100 / 256)
    assert chance("CIR") < chance("PC") < chance("ACC")


@pytest.fixture()
def recording(tmp_path: Path) -> Path:
    """One recorded instance, twice: two rotations right, one wrong, one that names no option."""
    path = tmp_path / "0-shot-oracle.txt"
    lines = ["7 B B The answer is (B).", "7 A A A", "7 D A A", "7 C N I cannot tell"]
    path.write_text("".join(f"{line} {' N ' not in line}\n" for line in lines), encoding="utf-8")
    return path


def test_replayed_answers_stand_in_the_tables_in_both_presets(
    recording: Path, tmp_path: Path
) -> None:
    replayed = tmp_path / "predictions.jsonl"
    given = "--format ilogiceval --model 'oracle (recorded)'"
    output = call(cli, f"replay {recording} {given} --predictions {replayed}", {})
    # c = 2. Left out, p is 2/3, 1/3; as a fifth outcome it is 1/2, 1/4, 1/4.
    both = {"as_published": "27.04", "corrected": "12.50"}
    assert all(f"{preset:12}  {value}" in output for preset, value in both.items())
    call(cli, f"score {replayed} --out {tmp_path}/scores.csv --tables {tmp_path}/tables", {})
    for name, column, accuracy in (("table1", "PC", "ACC"), ("table8", "test", "test")):
        rows = [r for r in csv_rows(tmp_path / "tables" / f"{name}.csv") if "oracle" in r["system"]]
        found = {r["preset"]: r[column] for r in rows if r.get("metric", "PC") == "PC"}
        assert found == both, name
        assert {r[accuracy] for r in rows if r.get("metric", "ACC") == "ACC"} == {"100.00"}
    assert "as_published leaves them out" in (tmp_path / "tables" / "table8.md").read_text(
        encoding="utf-8"
    )


def test_where_every_answer_names_an_option_there_is_one_row(folder: Path) -> None:
    output = call(cli, f"replay {folder}/predictions.jsonl --format predictions", {})
    assert "as_published" not in output
    for name in ("table1", "table2", "table3", "table8"):
        assert {row["preset"] for row in csv_rows(folder / "tables" / f"{name}.csv")} == {""}


@pytest.mark.parametrize(
    ("prompt", "sentence"),
    [
        ("three_shot", "shows 3 examples; name the file"),
        ("many_shot", "unknown prompt 'many_shot'"),
    ],
)
def test_a_prompt_that_cannot_be_worded_is_refused(
    folder: Path, prompt: str, sentence: str
) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        call(cli, f"rotate --in {folder}/test.jsonl --prompt {prompt} --out {folder}/x.jsonl", {})


def test_an_empty_benchmark_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "test.jsonl").write_bytes(b"")
    with pytest.raises(DivLogicError, match=r"test\.jsonl: there is no instance to rotate"):
        call(cli, f"rotate --in {tmp_path}/test.jsonl --prompt zero_shot --out {tmp_path}/x", {})


def test_an_empty_store_exports_nothing_and_says_so(folder: Path) -> None:
    with pytest.raises(DivLogicError, match="holds no answer to these requests"):
        files = f"{folder}/zero_shot.jsonl --store {folder}/no.jsonl --out {folder}/p.jsonl"
        call(cli, f"export {files} --model baseline/uniform", {})
