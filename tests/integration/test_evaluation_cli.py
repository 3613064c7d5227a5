"""The phase from rotations to tables, by the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import group
from divlogic.errors import DivLogicError
from divlogic.evaluation.figures import chance
from divlogic.io.files import write_jsonl
from tests.unit.evaluation.samples import records

cli = group("evaluation")

pytestmark = pytest.mark.integration

PUBLISHED = str(Path(__file__).parents[2] / "data" / "published")
BASELINES = ("uniform", "position", "majority", "overlap", "hypothesis_only", "ranker")
RUNS = {"uniform": 5}
PROMPTS = ("zero_shot", "three_shot", "zero_shot_nolr")


def call(*arguments: object) -> Result:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rotations in three prompts, answered by all baselines that need no real benchmark, exported and tabulated."""
    folder = tmp_path_factory.mktemp("evaluation")
    models = [{"name": f"baseline/{name}", "runs": RUNS.get(name, 1)} for name in BASELINES]
    params = ["--params", json.dumps({"evaluation": {"models": models}})]
    for split in ("test", "unpolished"):
        write_jsonl(folder / f"{split}.jsonl", (record.to_json() for record in records(24, split)))
    files = [folder / f"{prompt}.jsonl" for prompt in PROMPTS]
    for prompt, out in zip(PROMPTS, files, strict=True):
        pool = ["--pool", folder / "unpolished.jsonl"]
        call("rotate", "--in", folder / "test.jsonl", "--prompt", prompt, *pool, "--out", out, *params)
    train = ["--train", folder / "unpolished.jsonl"]
    names: list[str] = []
    for name in BASELINES:
        names += ["--model", f"baseline/{name}"]
        call("run", *files, *names[-2:], "--store", folder / "store.sqlite", *train, *params)
    arguments = [*files, "--store", folder / "store.sqlite", *names, *train, *params]
    call("export", *arguments, "--out", folder / "predictions.jsonl")
    call("export", *arguments, "--out", folder / "again.jsonl")
    predictions = [folder / "predictions.jsonl", *params]
    call("score", *predictions, "--out", folder / "scores.csv", "--pairs", folder / "pairs.csv")
    call("tables", *predictions, "--published", PUBLISHED, "--out", folder / "tables")
    call("figures", "--table8", folder / "tables" / "table8", "--out", folder, *params)
    return folder


def test_the_same_store_exports_the_same_bytes(folder: Path) -> None:
    assert (folder / "predictions.jsonl").read_bytes() == (folder / "again.jsonl").read_bytes()


def test_every_baseline_answers_every_rotation_in_every_run(folder: Path) -> None:
    lines = (folder / "predictions.jsonl").read_bytes().count(b"\n")
    assert lines == 24 * 4 * len(PROMPTS) * sum(RUNS.get(name, 1) for name in BASELINES)


def test_scores_are_given_for_the_whole_and_each_type(folder: Path) -> None:
    scores = rows_of(folder / "scores.csv")
    assert {row["question_type"] for row in scores} == {"all", "3c1e", "3e1c", "missing_premise"}
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in scores)
    position = {row["metric"]: row["value"] for row in scores if row["model"] == "baseline/position"}
    assert (position["CIR"], position["PC"]) == ("0.00", "0.00")


def test_pairs_share_either_the_prompt_or_the_model(folder: Path) -> None:
    pairs = rows_of(folder / "pairs.csv")
    systems = len(BASELINES) * (len(BASELINES) - 1) // 2 * len(PROMPTS) + len(BASELINES) * 3
    assert len(pairs) == 3 * systems
    for row in pairs:
        assert row["first_model"] == row["second_model"] or row["first_prompt"] == row["second_prompt"]


@pytest.mark.parametrize(
    ("table", "published", "measured"),
    [
        ("table1", 2, len(BASELINES)),
        ("table2", 6, 3 * len(PROMPTS)),
        ("table3", 9, 3 * len(BASELINES)),
        ("table6", 6, 6 * len(BASELINES)),
        ("table8", 48 + 30 + 2, 6 * len(BASELINES)),
    ],
)
def test_tables_hold_the_printed_rows_and_the_measured_ones(
    folder: Path, table: str, published: int, measured: int
) -> None:
    rows = rows_of(folder / "tables" / f"{table}.csv")
    assert sum(row["source"] == "published" for row in rows) == published
    assert sum(row["source"] == "measured" for row in rows) == measured
    for suffix in (".md", ".tex"):
        text = (folder / "tables" / f"{table}{suffix}").read_text(encoding="utf-8")
        assert "rows marked measured were scored by this workflow" in " ".join(text.split())


def test_printed_cells_stay_as_printed_and_the_broken_ones_are_flagged(folder: Path) -> None:
    rows = rows_of(folder / "tables" / "table8.csv")
    (row,) = [
        row
        for row in rows
        if (row["system"], row["benchmark"], row["shots"], row["metric"])
        == ("Gemini", "divlogiceval", "0-shot", "PC")
    ]
    assert [row[f"test{part}"] for part in ("", "_3e1c", "_3c1e", "_missing")] == [
        "21.6",
        "19.9",
        "19.9",
        "17.9",
    ]
    assert row["flags"] == "Test: mean_of_types, between_types"
    delta = rows_of(folder / "tables" / "table3.csv")[3]
    assert (delta["benchmark"], delta["delta"]) == ("reclor", "2.5")


def test_a_fresh_project_has_tables_and_a_figure_without_predictions(tmp_path: Path) -> None:
    call("tables", "--published", PUBLISHED, "--out", tmp_path, "--params", "{}")
    call("figures", "--table8", tmp_path / "table8", "--out", tmp_path, "--params", "{}")
    assert len(rows_of(tmp_path / "table8.csv")) == 80
    assert (tmp_path / "figure2.png").stat().st_size > 10_000


def test_the_figure_is_drawn_the_same_twice(folder: Path, tmp_path: Path) -> None:
    call("figures", "--table8", folder / "tables" / "table8", "--out", tmp_path, "--params", "{}")
    for suffix in ("svg", "png"):
        assert (tmp_path / f"figure2.{suffix}").read_bytes() == (folder / f"figure2.{suffix}").read_bytes()


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


def test_replayed_answers_stand_in_the_tables_in_both_presets(recording: Path, tmp_path: Path) -> None:
    replayed = tmp_path / "predictions.jsonl"
    given = ["--format", "ilogiceval", "--model", "oracle (recorded)", "--params", "{}"]
    result = call("replay", recording, *given, "--predictions", replayed)
    # c = 2. Left out, p is 2/3, 1/3; as a fifth outcome it is 1/2, 1/4, 1/4.
    both = {"as_published": "27.04", "corrected": "12.50"}
    assert all(f"{preset:12}  {value}" in result.output for preset, value in both.items())
    call("tables", replayed, "--published", PUBLISHED, "--out", tmp_path / "tables", "--params", "{}")
    for name, column, accuracy in (("table1", "PC", "ACC"), ("table8", "test", "test")):
        rows = [r for r in rows_of(tmp_path / "tables" / f"{name}.csv") if "oracle" in r["system"]]
        found = {r["preset"]: r[column] for r in rows if r.get("metric", "PC") == "PC"}
        assert found == both, name
        assert {r[accuracy] for r in rows if r.get("metric", "ACC") == "ACC"} == {"100.00"}
    assert "as_published leaves them out" in (tmp_path / "tables" / "table8.md").read_text(encoding="utf-8")


def test_where_every_answer_names_an_option_there_is_one_row(folder: Path) -> None:
    result = call("replay", folder / "predictions.jsonl", "--format", "predictions", "--params", "{}")
    assert "as_published" not in result.output
    for name in ("table1", "table2", "table3", "table8"):
        assert {row["preset"] for row in rows_of(folder / "tables" / f"{name}.csv")} == {""}


def test_the_audit_is_written_as_a_table(tmp_path: Path) -> None:
    call("audit-published", "--in", PUBLISHED, "--out", tmp_path / "audit.csv")
    rules = {row["rule"] for row in rows_of(tmp_path / "audit.csv")}
    assert {"pc_not_below_cir", "mean_of_types", "same_quantity"} <= rules


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--prompt", "three_shot"], "shows 3 examples; name the file"),
        (["--prompt", "many_shot"], "unknown prompt 'many_shot'"),
    ],
)
def test_a_prompt_that_cannot_be_worded_is_refused(folder: Path, arguments: list[str], sentence: str) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        call(
            "rotate", "--in", folder / "test.jsonl", *arguments, "--out", folder / "x.jsonl", "--params", "{}"
        )


def test_an_empty_benchmark_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "test.jsonl").write_bytes(b"")
    with pytest.raises(DivLogicError, match=r"test\.jsonl: there is no instance to rotate"):
        call(
            "rotate",
            "--in",
            tmp_path / "test.jsonl",
            "--prompt",
            "zero_shot",
            "--out",
            tmp_path / "x",
            "--params",
            "{}",
        )


def test_an_unknown_model_is_refused_with_the_known_ones(folder: Path) -> None:
    with pytest.raises(DivLogicError, match="unknown model 'gpt'; the parameters have baseline/uniform"):
        call(
            "run",
            folder / "zero_shot.jsonl",
            "--model",
            "gpt",
            "--store",
            folder / "s.sqlite",
            "--params",
            "{}",
        )


def test_an_empty_store_exports_nothing_and_says_so(folder: Path) -> None:
    with pytest.raises(DivLogicError, match="holds no answer to these requests"):
        call(
            "export", folder / "zero_shot.jsonl", "--store", folder / "no.jsonl", "--model", "baseline/uniform",
            "--out", folder / "p.jsonl", "--params", "{}",
        )  # fmt: skip
