"""``divlogic audit FILE`` measures somebody's data set and writes one page."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from divlogic import audit as page
from divlogic.audit import audit
from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.io.files import write_csv
from tests.contract.graph import ROOT

WORDS = [
    "river",
    "stone",
    "lamp",
    "window",
    "garden",
    "bread",
    "paper",
    "engine",
    "bridge",
    "market",
]


def write_quiz(path: Path) -> Path:
    """Write 80 questions whose right option is the only one with the word `surely`."""
    draw = random.Random(1)
    rows = []
    for number in range(80):
        right = draw.randrange(4)
        options = [
            f"the {draw.choice(WORDS)} is here" + " surely" * (at == right) for at in range(4)
        ]
        passage = (
            f"Number {number} stands near the {draw.choice(WORDS)} and the {draw.choice(WORDS)}."
        )
        rows.append((passage, "What follows?", *options, "ABCD"[right]))
    write_csv(
        path, ("Passage", "Question", *(f"Option {letter}" for letter in "ABCD"), "Answer"), rows
    )
    return path


@pytest.fixture(scope="module", autouse=True)
def _few_repeats() -> Iterator[None]:
    """Let the measures of words draw few samples, which take longer than all the rest."""
    run, few = (
        page._run,
        {"diversity": {name: {"repeats": 2} for name in ("as_published", "corrected")}},
    )
    with patch.object(
        page,
        "_run",
        lambda *given: run(*(json.dumps(few) if one == "{}" else one for one in given)),
    ):
        yield


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = write_quiz(tmp_path_factory.mktemp("audit") / "my quiz.csv")
    with patch.object(page, "say", STEPS.append):
        result = CliRunner().invoke(cli, ["audit", str(path), "--root", str(ROOT)])
    assert result.exit_code == 0, result.output
    return path.with_name("my quiz-audit"), result.output


STEPS: list[str] = []
"""What the audit said that it was about to do."""


def test_every_step_is_announced(audited: tuple[Path, str]) -> None:
    assert [line.split(":")[0] for line in STEPS] == [f"{number} of 9" for number in range(1, 10)]


def test_the_first_step_is_announced_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(page, "say", said.append)
    monkeypatch.setattr(page, "_run", lambda *given: said.append(given[0]) or "")
    with pytest.raises(DivLogicError):
        audit(str(write_quiz(tmp_path / "quiz.csv")), root=ROOT)
    assert said[:2] == [f"1 of 9: reading {tmp_path / 'quiz.csv'} …", "benchmarks import"]


def test_a_file_that_leaves_its_keys_open_is_asked_about_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text("question,A,B,C,answer\nq1,a,b,c,1\nq2,d,e,f,2\n", encoding="utf-8")
    with pytest.raises(DivLogicError, match=r"--keys from-0 or --keys from-1"):
        audit(str(path), root=ROOT)
    assert not (tmp_path / "quiz-audit").exists()


def test_a_word_that_gives_the_answers_away_is_the_worst_probe(audited: tuple[Path, str]) -> None:
    folder, said = audited
    assert (
        "context ← Passage, question ← Question, answer ← Answer, options ← Option A … Option D"
        in said
    )
    assert "100.0" in said.split("worst probe: ")[1]
    page = (folder / "audit.html").read_text(encoding="utf-8")
    assert "80 instances of 4 options" in page
    assert "none of them tells the answers" in page
    assert "src=" not in page  # one file, no network
    assert "the option with “surely”" in page
    rows = (folder / "rows.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "id,answer,cues_right,cues_wrong,question" and len(rows) == 81


def test_where_one_place_does_as_well_as_the_best_probe_the_place_is_named(tmp_path: Path) -> None:
    draw = random.Random(2)
    rows = []
    for number in range(200):
        right = 1 if draw.random() < 0.7 else draw.randrange(4)
        options = [" ".join(draw.sample(WORDS, 3)) for _ in range(4)]
        rows.append((f"What stood at house {number}?", *options, "ABCD"[right]))
    at_second = sum(row[-1] == "B" for row in rows) / 2
    write_csv(tmp_path / "quiz.csv", ("question", *"ABCD", "answer"), rows)
    said = (
        CliRunner().invoke(cli, ["audit", str(tmp_path / "quiz.csv"), "--root", str(ROOT)]).output
    )
    told = f"The simplest rule that does as well: option 2 in every row: {at_second:.1f} %."
    assert told in said
    assert told in (tmp_path / "quiz-audit/audit.html").read_text(encoding="utf-8")


def test_clashing_keys_and_a_key_that_stands_twice_are_named(tmp_path: Path) -> None:
    write_csv(
        tmp_path / "quiz.csv",
        ("question", *"ABC", "answer"),
        [
            ("What is in the box?", "a lamp", "a stone", "bread", "A"),
            ("What is in  the box?", "a stone", "a lamp", "bread", "A"),  # the other text
            ("Who comes?", "a cat", "a dog", "an owl", "B"),
            ("Who comes?", "a dog", "a cat", "an owl", "A"),  # the same text at another place
            ("Who goes?", "a cat", "A cat", "an owl", "B"),
            ("Who stays?", "a cat", "a cat", "an owl", "C"),  # the twice written one is wrong
        ],
    )
    said = (
        CliRunner().invoke(cli, ["audit", str(tmp_path / "quiz.csv"), "--root", str(ROOT)]).output
    )
    clash = (
        "Questions that stand several times with different keys: 1 (first rows: quiz-1 and quiz-2)."
    )
    twice = "Rows with two identical options, one of which is the key: 1 (first rows: quiz-5)."
    assert clash in said and twice in said
    shown = (tmp_path / "quiz-audit/audit.html").read_text(encoding="utf-8")
    assert clash in shown and twice in shown


def test_a_folder_that_holds_something_is_left_alone(audited: tuple[Path, str]) -> None:
    with pytest.raises(DivLogicError, match="is not empty; name another folder with --out"):
        audit(str(audited[0].with_name("my quiz.csv")), root=ROOT)


def test_outside_a_checkout_all_but_the_words_is_measured(
    tmp_path: Path, audited: tuple[Path, str]
) -> None:
    quiz = write_quiz(tmp_path / "my quiz.csv")
    out = tmp_path / "page"
    given = ["audit", str(quiz), "--root", str(tmp_path), "--out", str(out)]
    result = CliRunner().invoke(cli, given)
    assert result.exit_code == 0, result.output
    worst = audited[1].split("worst probe: ")[1].splitlines()[0]
    assert f"worst probe: {worst}" in result.output
    assert "Not compared" in (out / "audit.html").read_text(encoding="utf-8")
    there = (audited[0] / "probes.jsonl").read_bytes()
    assert (out / "probes.jsonl").read_bytes() == there


def test_so_few_questions_that_no_probe_learns_are_told(tmp_path: Path) -> None:
    lines = write_quiz(tmp_path / "quiz.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "few.csv").write_text("\n".join(lines[:9]) + "\n", encoding="utf-8")
    said = CliRunner().invoke(cli, ["audit", str(tmp_path / "few.csv"), "--root", str(ROOT)]).output
    assert "no probe was trained: too few instances have an answer" in said


def test_an_audit_that_fails_leaves_no_folder_behind(tmp_path: Path) -> None:
    quiz = write_quiz(tmp_path / "quiz.csv")
    run = page._run

    def failing(command: str, *arguments: str | Path) -> str:
        if command == "diversity readability":
            raise DivLogicError("nltk is not installed")
        return run(command, *arguments)

    with patch.object(page, "_run", failing), pytest.raises(DivLogicError, match="nltk"):
        audit(str(quiz), root=ROOT)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["quiz.csv"]


def test_an_environment_is_drawn_and_its_wrong_labels_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)  # where the module of the callable is found
    out = tmp_path / "page"
    given = ["audit", "--package", "tests.unit.field.environments:mistaken", "--items", "60"]
    result = CliRunner().invoke(cli, [*given, "--out", str(out)])
    assert result.exit_code == 0, result.output
    said = "6 of 60 labels that the texts decide (syllogism) are wrong in every reading (4.7 to 20.1 %)"
    assert said in result.output
    assert said in (out / "audit.html").read_text(encoding="utf-8")
    rows = read_csv(out / "labels.csv")
    assert [row["index"] for row in rows] == ["9", "19", "29", "39", "49", "59"]
    assert {row["label"] for row in rows} == {"No"}


def test_an_environment_that_fails_or_has_open_answers_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(DivLogicError, match="0 items, of which 0 have an answer to choose"):
        audit(package="tests.unit.field.environments:calling", out=tmp_path / "page")
    with pytest.raises(DivLogicError, match="write whole numbers from 0"):
        audit(package="divlogic", name="logicnli", levels="one")
    with pytest.raises(DivLogicError, match="a FILE, or an environment"):
        audit()
    with pytest.raises(DivLogicError, match="--keys is for a FILE"):
        audit(package="divlogic", name="logicnli", keys="texts")


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
