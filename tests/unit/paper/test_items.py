"""What the item browser holds."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

from divlogic.cli import group
from divlogic.evaluation.llmeval_logic.scoring import ReplyOutcome
from divlogic.io.files import write_jsonl, write_text
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.paper.items import item_row, read_answers, read_shelves
from tests.support import call
from tests.unit.paper.items import labelled, lettered

cli = group("paper")


def instances(folder: Path, count: int) -> Path:
    write_jsonl(folder / "test.jsonl", [lettered(number).to_json() for number in range(count)])
    return folder / "test.jsonl"


def unpacked(path: Path) -> list[dict[str, object]]:
    text = (
        path.read_text(encoding="utf-8").partition('"')[2].partition(',"')[2].removesuffix('");\n')
    )
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_of_a_large_file_evenly_spaced_instances_are_shown_and_all_are_counted(
    tmp_path: Path,
) -> None:
    path = instances(tmp_path, 10)
    (shelf,) = read_shelves([path], [], 4)
    assert (shelf.total, shelf.splits) == (10, {"test": 10})
    assert [row["id"][-1] for row in shelf.rows] == ["0", "1", "4", "5"]
    (whole,) = read_shelves([path], [], None)
    assert len(whole.rows) == 10


def test_answers_stand_at_their_rotation_and_a_missing_one_is_empty(tmp_path: Path) -> None:
    given = [
        Prediction(
            "divlogiceval", "clever", "zero_shot", "i0", "A", letter, rotation=rotation, run=run
        )
        for run, rotation, letter in ((0, 2, "C"), (0, 0, "A"), (1, 0, None))
    ]
    # A learner stands by its name alone.
    given += [
        Prediction(
            "logicnli_generated", name, prompt, "test-0-0", "neutral", "neutral", source="baseline"
        )
        for name, prompt in (("lookup", "test"), ("baseline/uniform", "zero_shot"))
    ]
    write_predictions(tmp_path / "said.jsonl", given)
    found = read_answers([tmp_path / "said.jsonl"])
    clever = {"clever · zero_shot": ["A", None, "C"], "clever · zero_shot, run 2": [None]}
    assert found["divlogiceval", "i0"] == clever and len(found) == 2
    assert list(found["logicnli_generated", "test-0-0"]) == [
        "lookup",
        "baseline/uniform · zero_shot",
    ]


def test_what_replies_to_llmeval_logic_are_worth_stands_with_the_item(tmp_path: Path) -> None:
    outcome = ReplyOutcome("divlogiceval_test", "clever", "answer", "zh", 0, "i0", asked=3, right=2)
    form = ReplyOutcome(
        "divlogiceval_test", "clever", "formalise_free", "zh", 1, "i0", atoms=5, passed=5
    )
    write_jsonl(tmp_path / "outcomes.jsonl", [outcome, form])
    (shelf,) = read_shelves(
        [instances(tmp_path, 2)], [], None, outcomes=[tmp_path / "outcomes.jsonl"]
    )
    worth = {"clever": [("answer", 2, 3)], "clever, run 2": [("formalise_free", 5, 5)]}
    assert shelf.rows[0]["worth"] == worth
    assert "worth" not in shelf.rows[1]


def test_the_words_of_each_symbol_are_those_that_may_stand_in_the_passage() -> None:
    assert item_row(lettered(0), {})["words"]["A"] == ["it rains", "it is wet"]
    row = item_row(labelled(), {})
    assert list(row["words"]) == ["kind", "shy"]
    assert row["used"] == ["Ann is kind."]
    assert row["proof"] == [("proof", "1. kind(Ann) (fact 1)")]


def test_a_second_run_writes_the_same_bytes_and_leaves_nothing_stale(tmp_path: Path) -> None:
    instances(tmp_path, 3)
    out = tmp_path / "results"
    write_text(out / "items" / "gone.js", "")
    files = f"--out {out}/items.html --data {out}/items --counts {out}/counts.json"
    written = []
    for _ in range(2):
        call(cli, f"items {tmp_path}/test.jsonl {files}", {})
        written.append(
            {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
        )
    assert written[0] == written[1]
    assert [path.name for path in (out / "items").iterdir()] == ["divlogiceval.js"]
    assert [row["id"] for row in unpacked(out / "items" / "divlogiceval.js")] == ["i0", "i1", "i2"]
    counts = json.loads((out / "counts.json").read_text(encoding="utf-8"))
    assert counts["benchmarks"][0]["splits"] == {"test": 3}
    assert counts["example"]["id"] == "i0"


def test_imported_data_sets_are_shown(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "imported"
    instances(tmp_path, 1)
    write_jsonl(folder / "quiz.jsonl.gz", [{**lettered(1).to_json(), "benchmark": "quiz"}])
    files = " ".join(f"--{name} {tmp_path}/{name}" for name in ("out", "data", "counts"))
    call(cli, f"items {tmp_path}/test.jsonl --imported {folder} {files}", {})
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == [
        "divlogiceval.js",
        "quiz.js",
    ]
