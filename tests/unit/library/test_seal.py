"""A sealed set: drawn from a secret and a beacon, graded once a name, opened, and made again byte for byte."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.library import seal

BEACON = "0123456789abcdef" * 4
# Round 100,000,000 of drand's quicknet is of the year 2033.
ANNOUNCED = (
    "--beacon-source",
    "drand-quicknet",
    "--round",
    10**8,
    "--register",
    "https://example.org/seals",
)


def run(step: str, *arguments: object) -> Result:
    announced = ANNOUNCED if step == "new" and "--round" not in arguments else ()
    return CliRunner().invoke(cli, ["seal", step, *map(str, (*arguments, *announced))])


def refused(step: str, *arguments: object) -> str:
    """Return the sentence by which a command is refused."""
    found = run(step, *arguments)
    assert found.exit_code == 1 and isinstance(found.exception, DivLogicError)
    return str(found.exception)


def questions_in(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]


def copied(folder: Path, copy: Path) -> Path:
    """Copy a seal with its secret."""
    shutil.copytree(folder, copy)
    shutil.copy(seal.secret_of(folder), seal.secret_of(copy))
    return copy


def predicted(folder: Path, answer: str) -> list[str]:
    return [json.dumps({"id": row["id"], "answer": answer}) + "\n" for row in questions_in(folder)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert (
        run("new", "logicnli", "--size", 40, "--level", 1, "--out", tmp_path / "seal").exit_code
        == 0
    )
    assert run("draw", tmp_path / "seal", "--beacon", BEACON).exit_code == 0
    return tmp_path / "seal"


def test_a_seal_is_graded_opened_and_verified(folder: Path, tmp_path: Path) -> None:
    assert all(set(row) == {"id", "question"} for row in questions_in(folder))
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text("".join(predicted(folder, "Answer: neutral")), encoding="utf-8")
    said = run("grade", folder, predictions, "--name", "constant").output
    assert "constant: 0 of 10 groups right, 0.0 %" in said
    # One of 11 numbers, log2(11) = 3.46 bits; ten quartets in any order, 10 log2(24) = 45.85 bits.
    assert "Grading 1 of at most 10; together they tell at most 3.5 of the 45.8 bits" in said
    assert "has been graded" in refused("grade", folder, predictions, "--name", "constant")
    assert "not opened yet" in refused("verify", folder)
    assert run("open", folder).exit_code == 0
    seal.secret_of(folder).unlink()
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
    steps = (
        ("new", "justlogic", "--size", 6, "--out", tmp_path),
        ("draw", tmp_path, "--beacon", BEACON),
    )
    announced = [re.findall("[0-9a-f]{64}", run(*step).output)[-1] for step in steps]
    run("open", tmp_path)
    said = run("verify", tmp_path).output
    assert re.findall("divlogic-seal-2 ([0-9a-f]{64}) ", said) == announced[:1]
    assert said.rstrip().endswith(announced[1])
    assert f"round 100000000 of drand-quicknet (2033-02-23T20:29:24Z), value {BEACON}" in said


def test_one_member_of_each_group_leaves_no_siblings(tmp_path: Path) -> None:
    assert "give a multiple of 4" in refused(
        "new", "logicnli", "--size", 10, "--out", tmp_path / "x"
    )
    assert (
        run("new", "logicnli", "--size", 10, "--members", "one", "--out", tmp_path).exit_code == 0
    )
    run("draw", tmp_path, "--beacon", BEACON)
    commitment, secret = seal._drawn(tmp_path), seal._secret(tmp_path)
    items = [item["metadata"] for item in seal._items(commitment, secret).values()]
    assert sorted(item["group"] for item in items) == list(range(10))
    assert len({item["source_index"] % 4 for item in items}) > 1
    run("open", tmp_path)
    assert run("verify", tmp_path).exit_code == 0


def test_other_code_of_the_same_version_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_an_open_seal_tells_the_groups_and_a_sealed_one_does_not(folder: Path) -> None:
    run("open", folder)
    groups = json.loads((folder / "opened.json").read_text())["groups"]
    assert set(groups) == {row["id"] for row in questions_in(folder)}
    assert sorted(Counter(groups.values()).values()) == [4] * 10
    assert not any(group in (folder / "questions.jsonl").read_text() for group in groups.values())


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
    seal.secret_of(other).write_bytes(seal.secret_of(folder).read_bytes())
    assert "is not the secret that was committed to" in refused("draw", other, "--beacon", BEACON)
    seal.secret_of(folder).unlink()
    for step in (("open", folder), ("grade", folder, tmp_path / "x.jsonl", "--name", "x")):
        assert "only who sealed the set" in refused(*step)


def test_another_beacon_draws_other_questions(tmp_path: Path) -> None:
    """Nobody chose the set: what is drawn follows from the beacon, too, which the maker does not know before."""
    run("new", "justlogic", "--size", 6, "--out", tmp_path / "one")
    copied(tmp_path / "one", tmp_path / "other")
    run("draw", tmp_path / "one", "--beacon", BEACON)
    run("draw", tmp_path / "other", "--beacon", BEACON[::-1])
    one, other = (
        {row["question"] for row in questions_in(tmp_path / name)} for name in ("one", "other")
    )
    assert len(one) == len(other) == 6
    assert not one & other


def keys_of(folder: Path, copy: Path) -> dict[str, dict[str, str]]:
    """Return what an opened copy of a seal holds."""
    assert run("open", copied(folder, copy)).exit_code == 0
    found: dict[str, dict[str, str]] = json.loads((copy / "opened.json").read_text())
    return found


def graded(folder: Path, path: Path, answers: dict[str, str], name: str) -> Result:
    rows = (json.dumps({"id": key, "answer": answer}) + "\n" for key, answer in answers.items())
    path.write_text("".join(rows), encoding="utf-8")
    return run("grade", folder, path, "--name", name)


def test_a_name_is_graded_once_whoever_was_graded_since(folder: Path, tmp_path: Path) -> None:
    said = {row["id"]: "Answer: neutral" for row in questions_in(folder)}
    for name in ("first", "second", "third"):
        assert graded(folder, tmp_path / "p.jsonl", said, name).exit_code == 0
    for name in ("first", "second", "third"):
        found = graded(folder, tmp_path / "p.jsonl", said, name)
        assert f"'{name}' has been graded" in str(found.exception)
    assert "has been graded" in str(graded(folder, tmp_path / "p.jsonl", said, " FIRST ").exception)
    assert "--name is empty" in str(graded(folder, tmp_path / "p.jsonl", said, " ").exception)


def test_nothing_is_graded_once_the_answers_are_known(folder: Path, tmp_path: Path) -> None:
    said = {row["id"]: "Answer: neutral" for row in questions_in(folder)}
    assert run("open", folder).exit_code == 0
    assert "is open" in str(graded(folder, tmp_path / "p.jsonl", said, "late").exception)


def test_the_interval_counts_each_group_once(folder: Path, tmp_path: Path) -> None:
    """Of 10 quartets 5 are right as wholes. Wilson's interval of a share of 0.5 with n = 10 is 23.7 to 76.3 percent.

    By hand, z = 1.96: its centre is 0.5, and half its width
    1.96 * sqrt(0.5 * 0.5 / 10 + 3.8416 / 400) / (1 + 3.8416 / 10) = 0.2634; with n = 40 it were 35.2 to 64.8.
    """
    key = keys_of(folder, tmp_path / "copy")
    whole = sorted(set(key["groups"].values()))[:5]
    said = {
        name: label if key["groups"][name] in whole else "neutral"
        for name, label in key["answers"].items()
    }
    output = graded(folder, tmp_path / "p.jsonl", said, "half").output
    assert "half: 5 of 10 groups right, 50.0 %" in output
    low, high = map(float, re.findall(r"95 %: ([0-9.]+) to ([0-9.]+)", output)[0])
    assert (low, high) == pytest.approx((23.7, 76.3), abs=0.06)


def test_a_seal_pays_what_people_write(tmp_path: Path) -> None:
    """The key of the opened seal says what is right; here it is written in other words than the key's."""
    run("new", "llmeval_logic", "--size", 3, "--out", tmp_path / "seal")
    run("draw", tmp_path / "seal", "--beacon", BEACON)
    keys = keys_of(tmp_path / "seal", tmp_path / "copy")["answers"]
    words = {
        "一定": "是的",
        "不一定": "未必",
        "可能": "有可能",
        "不可能": "不会",
        "是": "对",
        "否": "不",
    }
    said = {}
    for name, key in keys.items():
        answers = json.loads(key)
        said[name] = json.dumps(
            {f"第{number}题": words.get(str(value), value) for number, value in answers.items()},
            ensure_ascii=False,
        )
    output = graded(tmp_path / "seal", tmp_path / "p.jsonl", said, "people").output
    assert "people: 3 of 3 groups right, 100.0 %" in output


def test_a_draw_that_was_killed_can_be_made_again(tmp_path: Path) -> None:
    run("new", "justlogic", "--size", 3, "--out", tmp_path)
    (tmp_path / "questions.jsonl").write_text("half a file", encoding="utf-8")
    assert run("draw", tmp_path, "--beacon", BEACON).exit_code == 0
    assert len(questions_in(tmp_path)) == 3


def begun(step: str, *arguments: object, before: str = "") -> subprocess.Popen[str]:
    """Start a step in a process of its own; ``before`` is done there first."""
    program = f"from divlogic.library import seal\n{before}\nfrom divlogic.cli import main\nmain()"
    return subprocess.Popen(
        [sys.executable, "-c", program, "seal", step, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_draw_killed_between_its_two_files_is_made_again_with_the_same_bytes(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "seal"
    run("new", "justlogic", "--size", 6, "--out", folder)
    whole = copied(folder, tmp_path / "whole")
    assert run("draw", whole, "--beacon", BEACON).exit_code == 0
    killed = "import os, signal\nseal._write = lambda *given: os.kill(os.getpid(), signal.SIGKILL)"
    process = begun("draw", folder, "--beacon", BEACON, before=killed)
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert (folder / "questions.jsonl").exists()
    assert "not drawn yet" in refused("open", folder)
    assert run("draw", folder, "--beacon", BEACON).exit_code == 0
    for name in ("questions.jsonl", "commitment.json"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes()


def test_graders_at_once_are_logged_one_after_the_other(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text("".join(predicted(folder, "neutral")), encoding="utf-8")
    names = ["anna", "berta", "anna", "berta", "carl"]
    processes = [begun("grade", folder, path, "--name", name) for name in names]
    said = [process.communicate(timeout=300)[0] for process in processes]
    rows = [json.loads(line) for line in (folder / "gradings.jsonl").read_text().splitlines()]
    assert sorted(row["name"] for row in rows) == ["anna", "berta", "carl"]
    assert sum(process.returncode == 0 for process in processes) == 3
    assert sum("has been graded" in text for text in said) == 2
    # Each of the three is told another number.
    numbers = re.findall("Grading ([0-9]+) of at most 10", " ".join(said))
    assert sorted(numbers) == ["1", "2", "3"]


def test_two_draws_at_once_draw_one_set(tmp_path: Path) -> None:
    folder = tmp_path / "seal"
    run("new", "justlogic", "--size", 6, "--out", folder)
    beacons = (BEACON, BEACON[::-1])
    processes = [begun("draw", folder, "--beacon", beacon) for beacon in beacons]
    said = [process.communicate(timeout=300)[0] for process in processes]
    assert sorted(process.returncode for process in processes) == [0, 1]
    assert sum("a seal is drawn once" in text for text in said) == 1
    run("open", folder)
    assert run("verify", folder).exit_code == 0


def test_there_are_as_many_gradings_as_were_announced(tmp_path: Path) -> None:
    folder, path = tmp_path / "seal", tmp_path / "p.jsonl"
    run("new", "justlogic", "--size", 6, "--gradings", 2, "--out", folder)
    run("draw", folder, "--beacon", BEACON)
    path.write_text("".join(predicted(folder, "True")), encoding="utf-8")
    assert run("grade", folder, path, "--name", "a").exit_code == 0
    assert run("grade", folder, path, "--name", "b").exit_code == 0
    assert "graded 2 times, which is all" in refused("grade", folder, path, "--name", "c")
    run("open", folder)
    assert "Gradings: 2 of at most 2" in run("verify", folder).output
    with (folder / "gradings.jsonl").open("a") as log:
        log.write('{"name": "c"}\n')
    assert "holds 3 gradings" in refused("verify", folder)


def test_a_grading_tells_nothing_about_single_questions(folder: Path, tmp_path: Path) -> None:
    """Who has one question right and who has thirty of forty, no quartet as a whole, is told the same."""
    key = keys_of(folder, tmp_path / "copy")
    names = sorted(key["answers"])
    spoilt = {key["groups"][name]: name for name in names}.values()
    few = dict.fromkeys(names, "no answer") | {names[0]: key["answers"][names[0]]}
    many = key["answers"] | dict.fromkeys(spoilt, "no answer")
    said = [
        graded(folder, tmp_path / "p.jsonl", answers, name).output.partition(": 0 of 10")[2]
        for name, answers in (("few", few), ("many", many))
    ]
    assert (
        said[0].splitlines()[0]
        == said[1].splitlines()[0]
        == " groups right, 0.0 % (95 %: 0.0 to 27.8)"
    )
    rows = (folder / "gradings.jsonl").read_text()
    assert "accuracy" not in rows and "75" not in str(
        [row["right"] for row in map(json.loads, rows.splitlines())]
    )


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_the_secret_is_for_its_owner_and_outside_the_folder(tmp_path: Path, mask: int) -> None:
    folder = tmp_path / "seal"
    before = os.umask(mask)
    try:
        assert run("new", "justlogic", "--size", 6, "--out", folder).exit_code == 0
    finally:
        os.umask(before)
    assert [path.name for path in folder.iterdir()] == ["commitment.json"]
    secret = tmp_path / "seal.secret.json"
    assert secret.stat().st_mode & 0o777 == 0o600
    assert (folder / "commitment.json").stat().st_mode & 0o777 == 0o666 & ~mask
    hidden = json.loads(secret.read_text())["secret"]
    run("draw", folder, "--beacon", BEACON)
    assert all(hidden not in path.read_text() for path in folder.iterdir())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("beacon", BEACON[::-1]),
        ("beacon_round", 10**8 + 1),
        ("beacon_source", "drand-default"),
        ("published_at", "https://example.org/others"),
        ("gradings", 99),
    ],
)
def test_what_was_announced_cannot_be_changed_afterwards(
    folder: Path, field: str, value: object
) -> None:
    path = folder / "commitment.json"
    line = json.loads(path.read_text())
    path.write_text(json.dumps(line | {field: value}))
    run("open", folder)
    # With the maker's own opening of the changed seal, too: the questions are those of another set.
    assert "questions.jsonl: differs" in refused("verify", folder)


def test_a_seal_drawn_anew_for_another_round_has_another_line(tmp_path: Path) -> None:
    """A maker who changes the round and draws again has a sound seal, which is not the one of the line."""
    folder = tmp_path / "seal"
    line = run("new", "justlogic", "--size", 6, "--out", folder).output.splitlines()[-1]
    assert line.startswith("divlogic-seal-2 ") and "round 100000000" in line
    path = folder / "commitment.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"beacon_round": 10**8 + 1}))
    run("draw", folder, "--beacon", BEACON)
    run("open", folder)
    assert "(to be compared)" in run("verify", folder).output
    assert "is not the seal of that line" in refused("verify", folder, "--line", line)


def test_verify_compares_the_line_and_the_value(tmp_path: Path) -> None:
    folder = tmp_path / "seal"
    line = run("new", "justlogic", "--size", 6, "--out", folder).output.splitlines()[-1]
    run("draw", folder, "--beacon", BEACON)
    run("open", folder)
    found = run("verify", folder, "--line", line, "--beacon", BEACON.upper())
    assert found.exit_code == 0
    assert found.output.count("the same as given") == 2 and "to be compared" not in found.output
    assert "is not the given value of round 100000000 of drand-quicknet" in refused(
        "verify", folder, "--beacon", BEACON[::-1]
    )


def test_a_round_that_is_known_is_refused(tmp_path: Path) -> None:
    """drand's quicknet began on 2023-08-23 at 15:09:27 UTC (api.drand.sh/v2/beacons/quicknet/info), a round in 3 s."""
    announced = ("--beacon-source", "drand-quicknet", "--register", "r", "--out", tmp_path / "x")
    said = refused("new", "justlogic", "--size", 3, *announced, "--round", 1)
    assert "was published at 2023-08-23T15:09:27Z; give one that is not known yet" in said
    proposed = int(re.findall("such as ([0-9]+)", said)[0])
    due = 1692803367 + 3 * (proposed - 1)
    assert 3500 < due - time.time() < 3700
    assert run("new", "justlogic", "--size", 3, *announced, "--round", proposed).exit_code == 0
    other = ("--beacon-source", "nist-pulse", "--register", "r", "--out", tmp_path / "y")
    assert run("new", "justlogic", "--size", 3, *other, "--round", 1).exit_code == 0


@pytest.mark.parametrize("left_out", ["--beacon-source", "--round", "--register"])
def test_no_seal_without_an_announced_beacon_and_register(tmp_path: Path, left_out: str) -> None:
    given = {"--beacon-source": "drand-quicknet", "--round": "100000000", "--register": "r"}
    del given[left_out]
    options = [word for pair in given.items() for word in pair]
    found = CliRunner().invoke(
        cli, ["seal", "new", "justlogic", "--size", "3", "--out", str(tmp_path / "x"), *options]
    )
    assert found.exit_code == 2 and left_out in found.output
    assert not (tmp_path / "x").exists()


def test_a_seal_of_the_old_format_is_refused_in_a_sentence(folder: Path) -> None:
    path = folder / "commitment.json"
    content = json.loads(path.read_text()) | {"format": "divlogic-seal-1"}
    path.write_text(json.dumps(content))
    for step in (("verify", folder), ("draw", folder, "--beacon", BEACON), ("open", folder)):
        assert "a seal of format 1, whose commitment names no round" in refused(*step)


def test_a_value_that_drand_cannot_give_is_refused(tmp_path: Path) -> None:
    run("new", "justlogic", "--size", 3, "--out", tmp_path / "x")
    assert "has 16 bytes" in refused("draw", tmp_path / "x", "--beacon", BEACON[:32])
