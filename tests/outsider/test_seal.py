"""A seal as docs/library.md describes it, from the command line: who may know what, when, and what is refused."""

from __future__ import annotations

import itertools
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.outsider.test_files import run as command

# Dice thrown in public: a source whose rounds have no times that a program knows.
ANNOUNCED = ("--beacon-source", "dice", "--round", "7", "--register", "https://example.org/seals")
BEACON = "00112233445566778899aabbccddeeff"
ANOTHER = "00112233445566778899aabbccddeef0"
# A label that a model may give in place of the right one.
INSTEAD = {
    "entailment": "neutral",
    "neutral": "entailment",
    "contradiction": "self_contradiction",
    "self_contradiction": "contradiction",
}


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run a step; a seal is begun for the same round always."""
    return command(*arguments, *(ANNOUNCED if arguments[1] == "new" else ()))


def secret_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.secret.json")


def copied(folder: Path, copy: Path) -> Path:
    """Copy a seal with its secret, which lies beside it."""
    shutil.copytree(folder, copy)
    shutil.copy(secret_of(folder), secret_of(copy))
    return copy


def drawn(folder: Path, beacon: str = BEACON, *, size: int = 12) -> Path:
    """Return a seal whose questions are drawn."""
    status, said = run(
        "seal", "new", "logicnli", "--size", str(size), "--level", "2", "--out", folder
    )
    assert status == 0, said
    status, said = run("seal", "draw", folder, "--beacon", beacon)
    assert status == 0, said
    return folder


def questions(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def opened(folder: Path, beside: Path) -> dict[str, Any]:
    """Return what a copy of the seal publishes when it is opened."""
    copied(folder, beside)
    status, said = run("seal", "open", beside)
    assert status == 0, said
    found: dict[str, Any] = json.loads((beside / "opened.json").read_text(encoding="utf-8"))
    return found


def predictions(path: Path, said: dict[str, str]) -> Path:
    rows = [json.dumps({"id": name, "answer": text}) for name, text in said.items()]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def wilson(share: float, trials: int) -> tuple[float, float]:
    """Return the limits of Wilson's 95 % interval in percent (Wilson 1927)."""
    z = 1.959964
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = share * (1 - share) / trials + z * z / (4 * trials * trials)
    half = z * math.sqrt(spread) / (1 + z * z / trials)
    return round(100 * (middle - half), 1), round(100 * (middle + half), 1)


def test_a_model_s_texts_are_graded_by_whole_groups(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "seal")
    key = opened(folder, tmp_path / "copy")
    groups = sorted(set(key["groups"].values()))
    assert len(groups) == 3
    said = {}
    for name, label in key["answers"].items():
        group = groups.index(key["groups"][name])
        said[name] = f"It follows in two steps.\n\n**Answer:** {label}" if group < 2 else ""
    spoilt = next(name for name in said if key["groups"][name] == groups[1])
    right = key["answers"][spoilt]
    said[spoilt] = f"<think>Answer: {right}</think>\n\nAnswer: {INSTEAD[right]}"
    # By hand: 4 of the first group and 3 of the second are right; the first group alone is right as a whole.
    status, text = run(
        "seal", "grade", folder, predictions(tmp_path / "p.jsonl", said), "--name", "anna"
    )
    assert status == 0, text
    low, high = wilson(1 / 3, 3)
    assert f"anna: 1 of 3 groups right, 33.3 % (95 %: {low} to {high})" in text
    # Seven questions of twelve are right, 58.3 %, of which nothing is told.
    assert "58.3" not in text + (folder / "gradings.jsonl").read_text()


def test_a_name_is_graded_once_whoever_was_graded_in_between(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "seal", size=4)
    file = predictions(
        tmp_path / "p.jsonl", {row["id"]: "Answer: neutral" for row in questions(folder)}
    )
    assert run("seal", "grade", folder, file, "--name", "anna")[0] == 0
    assert run("seal", "grade", folder, file, "--name", "berta")[0] == 0
    before = (folder / "gradings.jsonl").read_bytes()
    status, said = run("seal", "grade", folder, file, "--name", "anna")
    assert status == 1
    assert "'anna' has been graded" in said
    assert (folder / "gradings.jsonl").read_bytes() == before


@pytest.mark.parametrize("given", [3, 2, 1])
def test_a_prediction_for_each_question_is_wanted(tmp_path: Path, given: int) -> None:
    folder = drawn(tmp_path / "seal", size=4)
    names = [row["id"] for row in questions(folder)][:given]
    file = predictions(tmp_path / "p.jsonl", dict.fromkeys(names, "neutral"))
    status, said = run("seal", "grade", folder, file, "--name", "carl")
    assert status == 1
    assert f"p.jsonl: {4 - given} of 4 questions have no answer" in said
    assert not (folder / "gradings.jsonl").exists()


def test_the_same_secret_and_another_beacon_draw_other_questions(tmp_path: Path) -> None:
    first = tmp_path / "first"
    assert run("seal", "new", "logicnli", "--size", "4", "--level", "2", "--out", first)[0] == 0
    second = copied(first, tmp_path / "second")
    assert run("seal", "draw", first, "--beacon", BEACON)[0] == 0
    assert run("seal", "draw", second, "--beacon", ANOTHER)[0] == 0
    texts = [{row["question"] for row in questions(folder)} for folder in (first, second)]
    assert not texts[0] & texts[1]


def test_the_same_beacon_and_another_secret_draw_other_questions(tmp_path: Path) -> None:
    first = {row["question"] for row in questions(drawn(tmp_path / "first", size=4))}
    second = {row["question"] for row in questions(drawn(tmp_path / "second", size=4))}
    assert not first & second


def test_a_seal_is_drawn_once_and_shows_no_answer_before_it_is_opened(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "seal", size=4)
    status, said = run("seal", "draw", folder, "--beacon", ANOTHER)
    assert status == 1
    assert "drawn once" in said
    assert all(set(row) == {"id", "question"} for row in questions(folder))
    published = (folder / "commitment.json").read_text() + (folder / "questions.jsonl").read_text()
    secret = json.loads(secret_of(folder).read_text(encoding="utf-8"))
    assert all(value not in published for value in secret.values() if len(str(value)) > 16)


@pytest.mark.parametrize("beacon", ["zz", "00ff", "", "0x" + BEACON[:-1] + "g"])
def test_a_beacon_that_is_no_random_value_in_hex_is_refused(tmp_path: Path, beacon: str) -> None:
    folder = tmp_path / "seal"
    assert run("seal", "new", "justlogic", "--size", "3", "--out", folder)[0] == 0
    status, _said = run("seal", "draw", folder, "--beacon", beacon)
    assert status in (1, 2)
    assert not (folder / "questions.jsonl").exists()


def test_an_opened_seal_is_verified_by_everyone_and_a_changed_byte_is_named(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "seal", size=4)
    # What the maker publishes at the end: the folder.
    assert run("seal", "open", folder)[0] == 0
    public = tmp_path / "public"
    shutil.copytree(folder, public)
    assert sorted(path.name for path in public.iterdir()) == [
        "commitment.json",
        "opened.json",
        "questions.jsonl",
    ]
    status, said = run("seal", "verify", public)
    assert status == 0, said
    assert "4 questions and answers follow from the secret and the beacon" in said

    spoilt = tmp_path / "questions"
    shutil.copytree(public, spoilt)
    file = spoilt / "questions.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("Passage: ", "Passage:  ", 1), "utf-8")
    status, said = run("seal", "verify", spoilt)
    assert status == 1
    assert "questions.jsonl" in said

    lying = tmp_path / "answers"
    shutil.copytree(public, lying)
    content = json.loads((lying / "opened.json").read_text(encoding="utf-8"))
    name = sorted(content["answers"])[0]
    content["answers"][name] = INSTEAD[content["answers"][name]]
    (lying / "opened.json").write_text(json.dumps(content), "utf-8")
    status, said = run("seal", "verify", lying)
    assert status == 1
    assert "opened.json" in said


def test_another_code_than_the_one_that_was_committed_to_draws_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "seal"
    assert run("seal", "new", "justlogic", "--size", "3", "--out", folder)[0] == 0
    path = folder / "commitment.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["sha256_of_code"] = "0" * 64
    path.write_text(json.dumps(content), "utf-8")
    status, _said = run("seal", "draw", folder, "--beacon", BEACON)
    assert status == 1
    assert not (folder / "questions.jsonl").exists()


def test_the_order_of_the_questions_tells_neither_group_nor_place(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "seal", size=24)
    groups = opened(folder, tmp_path / "copy")["groups"]
    order = [groups[row["id"]] for row in questions(folder)]
    runs = 1 + sum(first != second for first, second in itertools.pairwise(order))
    # Six blocks of four would be 6 runs; 24 shuffled ones have 20 on average, fewer than 10 about never.
    assert runs >= 10


def test_one_member_of_each_group_has_no_sibling(tmp_path: Path) -> None:
    folder = tmp_path / "seal"
    arguments = ["--size", "6", "--level", "2", "--members", "one", "--out", folder]
    assert run("seal", "new", "logicnli", *arguments)[0] == 0
    assert run("seal", "draw", folder, "--beacon", BEACON)[0] == 0
    passages = {row["question"].split("Statement:")[0] for row in questions(folder)}
    assert len(passages) == 6
    groups = opened(folder, tmp_path / "copy")["groups"]
    assert len(set(groups.values())) == 6


def test_the_one_member_may_be_any_of_its_group(tmp_path: Path) -> None:
    # A three of JustLogic holds True, False and Uncertain; were it always the same member, one label would be missing.
    folder = tmp_path / "seal"
    arguments = ["--size", "40", "--level", "1", "--members", "one", "--out", folder]
    assert run("seal", "new", "justlogic", *arguments)[0] == 0
    assert run("seal", "draw", folder, "--beacon", BEACON)[0] == 0
    answers = opened(folder, tmp_path / "copy")["answers"]
    # Each label is absent from 40 fair draws about once in ten million.
    assert set(answers.values()) == {"True", "False", "Uncertain"}
