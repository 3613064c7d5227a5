"""A sealed set: drawn from a secret and a beacon, graded once a name, opened, and made again byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.library import seal

BEACON = "0123456789abcdef" * 4


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["seal", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run("new", "logicnli", "--size", 40, "--level", 1, "--out", tmp_path / "seal").exit_code == 0
    assert run("draw", tmp_path / "seal", "--beacon", BEACON).exit_code == 0
    return tmp_path / "seal"


def test_a_seal_is_graded_opened_and_verified(folder: Path, tmp_path: Path) -> None:
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
    assert all(set(row) == {"id", "question"} for row in questions)
    predictions = tmp_path / "predictions.jsonl"
    rows = [{"id": row["id"], "answer": "Answer: neutral"} for row in questions]
    predictions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert (
        "constant: 25.0 % of 40 items, 0.0 % of 10 groups"
        in run("grade", folder, predictions, "--name", "constant").output
    )
    assert "has been graded" in str(run("grade", folder, predictions, "--name", "constant").exception)
    assert "not opened yet" in str(run("verify", folder).exception)
    assert run("open", folder).exit_code == 0
    (folder / "secret.json").unlink()
    assert run("verify", folder).exit_code == 0


def test_a_changed_byte_is_named(folder: Path) -> None:
    run("open", folder)
    path = folder / "questions.jsonl"
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    assert "from byte 1,000 on" in str(run("verify", folder).exception)


def test_ids_and_order_do_not_tell_the_answers(folder: Path) -> None:
    run("open", folder)
    answers = json.loads((folder / "opened.json").read_text())["answers"]
    questions = [json.loads(line)["id"] for line in (folder / "questions.jsonl").read_text().splitlines()]
    assert questions == sorted(questions)
    in_order = [answers[key] for key in questions]
    assert max(sum(in_order[place::4].count(name) for place in (0,)) for name in set(in_order)) < 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "40 of 40 questions have no answer"),
        ('{"id": "none", "answer": "x"}\n', "row 1: the id 'none' is not of this set"),
    ],
)
def test_predictions_that_do_not_fit_are_refused(
    folder: Path, tmp_path: Path, text: str, message: str
) -> None:
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(text, encoding="utf-8")
    with pytest.raises(DivLogicError, match=message):
        seal.grade(folder, predictions, name="x")


def test_what_is_missing_or_odd_is_refused(folder: Path, tmp_path: Path) -> None:
    assert "a seal is drawn once" in str(run("draw", folder, "--beacon", BEACON).exception)
    run("new", "logicnli", "--size", 4, "--out", tmp_path / "other")
    assert "is not a value in hex" in str(run("draw", tmp_path / "other", "--beacon", "xyz").exception)
    assert "not drawn yet" in str(run("open", tmp_path / "other").exception)
    (folder / "secret.json").unlink()
    assert "only who sealed the set" in str(run("open", folder).exception)
