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


def refused(*arguments: object) -> str:
    """Return the sentence by which a command is refused."""
    found = run(*arguments)
    assert found.exit_code == 1 and isinstance(found.exception, DivLogicError)
    return str(found.exception)


def questions_in(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]


def predicted(folder: Path, answer: str) -> list[str]:
    return [json.dumps({"id": row["id"], "answer": answer}) + "\n" for row in questions_in(folder)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run("new", "logicnli", "--size", 40, "--level", 1, "--out", tmp_path / "seal").exit_code == 0
    assert run("draw", tmp_path / "seal", "--beacon", BEACON).exit_code == 0
    return tmp_path / "seal"


def test_a_seal_is_graded_opened_and_verified(folder: Path, tmp_path: Path) -> None:
    assert all(set(row) == {"id", "question"} for row in questions_in(folder))
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text("".join(predicted(folder, "Answer: neutral")), encoding="utf-8")
    said = run("grade", folder, predictions, "--name", "constant").output
    assert "constant: 25.0 % of 40 items" in said and "0.0 % of 10 groups" in said
    assert "has been graded" in refused("grade", folder, predictions, "--name", "constant")
    assert "not opened yet" in refused("verify", folder)
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
        said = refused("verify", folder)
        if name == "questions.jsonl":
            assert f"{path}: differs" in said and f"in bytes {place:,} to {place:,}." in said
        assert str(folder) in said or "version" in said
    path.write_bytes(whole)
    assert run("verify", folder).exit_code == 0


def test_what_was_announced_can_be_told_from_the_folder(tmp_path: Path) -> None:
    steps = (("new", "justlogic", "--size", 6, "--out", tmp_path), ("draw", tmp_path, "--beacon", BEACON))
    announced = [re.findall("[0-9a-f]{64}", run(*step).output)[-1] for step in steps]
    run("open", tmp_path)
    assert re.findall("[0-9a-f]{64}", run("verify", tmp_path).output) == announced


def test_one_member_of_each_group_leaves_no_siblings(tmp_path: Path) -> None:
    assert "give a multiple of 4" in refused("new", "logicnli", "--size", 10, "--out", tmp_path / "x")
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
    assert "other code of version" in refused("verify", folder)
    monkeypatch.setattr(seal, "__version__", "9")
    assert "made by version" in refused("verify", folder)


def test_ids_and_order_do_not_tell_the_answers(folder: Path) -> None:
    run("open", folder)
    answers = json.loads((folder / "opened.json").read_text())["answers"]
    questions = [row["id"] for row in questions_in(folder)]
    assert questions == sorted(questions)
    in_order = [answers[key] for key in questions]
    # Of ten of each label, each fourth question has no label always.
    assert max(in_order[place::4].count(name) for place in range(4) for name in set(in_order)) < 10


def test_predictions_that_do_not_fit_are_refused(folder: Path, tmp_path: Path) -> None:
    path, rows = tmp_path / "predictions.jsonl", predicted(folder, "x")
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
    assert "a seal is drawn once" in refused("draw", folder, "--beacon", BEACON)
    assert "holds a seal already" in refused("new", "logicnli", "--size", 4, "--out", folder)
    run("new", "logicnli", "--size", 4, "--out", other)
    for beacon in ("xyz", "0123", BEACON[:-1]):
        assert "is not a value in hex" in refused("draw", other, "--beacon", beacon)
    assert "not drawn yet" in refused("open", other)
    (other / "secret.json").write_bytes((folder / "secret.json").read_bytes())
    assert "is not the secret that was committed to" in refused("draw", other, "--beacon", BEACON)
    (folder / "secret.json").unlink()
    for step in (("open", folder), ("grade", folder, tmp_path / "x.jsonl", "--name", "x")):
        assert "only who sealed the set" in refused(*step)
