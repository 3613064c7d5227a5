"""A sealed set: drawn from a secret and a beacon, graded once a name, opened, and made again byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.library import seal

BEACON = "0123456789abcdef" * 4


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["seal", *map(str, arguments)])


def predicted(folder: Path, path: Path, answer: str) -> list[str]:
    ids = [json.loads(line)["id"] for line in (folder / "questions.jsonl").read_text().splitlines()]
    rows = [json.dumps({"id": key, "answer": answer}) + "\n" for key in ids]
    path.write_text("".join(rows), encoding="utf-8")
    return rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run("new", "logicnli", "--size", 40, "--level", 1, "--out", tmp_path / "seal").exit_code == 0
    assert run("draw", tmp_path / "seal", "--beacon", BEACON).exit_code == 0
    return tmp_path / "seal"


def test_a_seal_is_graded_opened_and_verified(folder: Path, tmp_path: Path) -> None:
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
    assert all(set(row) == {"id", "question"} for row in questions)
    predictions = tmp_path / "predictions.jsonl"
    predicted(folder, predictions, "Answer: neutral")
    said = run("grade", folder, predictions, "--name", "constant").output
    assert "constant: 25.0 % of 40 items" in said and "0.0 % of 10 groups" in said
    assert "has been graded" in str(run("grade", folder, predictions, "--name", "constant").exception)
    assert "not opened yet" in str(run("verify", folder).exception)
    assert run("open", folder).exit_code == 0
    (folder / "secret.json").unlink()
    assert run("verify", folder).exit_code == 0


@pytest.mark.parametrize("name", ["questions.jsonl", "commitment.json", "opened.json"])
def test_a_changed_byte_is_refused_and_its_file_named(folder: Path, name: str) -> None:
    run("open", folder)
    path = folder / name
    whole = path.read_bytes()
    for place in range(1, len(whole) - 2, max(1, len(whole) // 15)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        found = run("verify", folder)
        assert found.exit_code == 1 and isinstance(found.exception, DivLogicError), place
        if name == "questions.jsonl":
            assert f"{path}: differs" in str(found.exception)
            assert f"in bytes {place:,} to {place:,}." in str(found.exception)
        assert str(folder) in str(found.exception) or "version" in str(found.exception)
    path.write_bytes(whole)
    assert run("verify", folder).exit_code == 0


def test_what_was_announced_can_be_told_from_the_folder(tmp_path: Path) -> None:
    announced = [
        re.findall("[0-9a-f]{64}", run(*step).output)[-1]
        for step in (
            ("new", "justlogic", "--size", 6, "--out", tmp_path),
            ("draw", tmp_path, "--beacon", BEACON),
        )
    ]
    run("open", tmp_path)
    assert re.findall("[0-9a-f]{64}", run("verify", tmp_path).output) == announced


def test_one_member_of_each_group_leaves_no_siblings(tmp_path: Path) -> None:
    assert "give a multiple of 4" in str(
        run("new", "logicnli", "--size", 10, "--out", tmp_path / "x").exception
    )
    assert run("new", "logicnli", "--size", 10, "--members", "one", "--out", tmp_path).exit_code == 0
    run("draw", tmp_path, "--beacon", BEACON)
    commitment, secret = seal._drawn(tmp_path), seal._secret(tmp_path)
    items = [item["metadata"] for item in seal._items(commitment, secret).values()]
    assert sorted(item["group"] for item in items) == list(range(10))
    assert len({item["source_index"] % 4 for item in items}) > 1
    run("open", tmp_path)
    assert run("verify", tmp_path).exit_code == 0


def test_other_code_of_the_same_version_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("open", folder)
    monkeypatch.setattr(seal, "_code", lambda name: "0" * 64)
    assert "other code of version" in str(run("verify", folder).exception)
    monkeypatch.setattr(seal, "__version__", "9")
    assert "made by version" in str(run("verify", folder).exception)


def test_ids_and_order_do_not_tell_the_answers(folder: Path) -> None:
    run("open", folder)
    answers = json.loads((folder / "opened.json").read_text())["answers"]
    questions = [json.loads(line)["id"] for line in (folder / "questions.jsonl").read_text().splitlines()]
    assert questions == sorted(questions)
    in_order = [answers[key] for key in questions]
    # Of ten of each label, each fourth question has no label always.
    assert max(in_order[place::4].count(name) for place in range(4) for name in set(in_order)) < 10


def test_predictions_that_do_not_fit_are_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    rows = predicted(folder, path, "x")
    for text, message in (
        ("", "40 of 40 questions have no answer"),
        ("".join(rows[1:]), "1 of 40 questions have no answer"),
        ("".join([*rows, rows[0]]), "row 41: the id '[0-9a-f]+' appears twice; delete one row"),
        ('{"id": "none", "answer": "x"}\n', "row 1: the id 'none' is not of this set"),
        (rows[0].replace('"x"', "7"), "row 1: the answer is not a text"),
        ("[]\n", "row 1"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DivLogicError, match=message):
            seal.grade(folder, path, name="x")
    assert not (folder / "gradings.jsonl").exists()


def test_what_is_missing_or_odd_is_refused(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert "a seal is drawn once" in str(run("draw", folder, "--beacon", BEACON).exception)
    assert "holds a seal already" in str(run("new", "logicnli", "--size", 4, "--out", folder).exception)
    run("new", "logicnli", "--size", 4, "--out", other)
    for beacon in ("xyz", "0123", BEACON[:-1]):
        assert "is not a value in hex" in str(run("draw", other, "--beacon", beacon).exception)
    assert "not drawn yet" in str(run("open", other).exception)
    (other / "secret.json").write_bytes((folder / "secret.json").read_bytes())
    assert "is not the secret that was committed to" in str(run("draw", other, "--beacon", BEACON).exception)
    (folder / "secret.json").unlink()
    for step in (("open", folder), ("grade", folder, tmp_path / "x.jsonl", "--name", "x")):
        assert "only who sealed the set" in str(run(*step).exception)
