"""``divlogic audit FILE`` measures somebody's data set and writes one page."""

from __future__ import annotations

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

WORDS = ["river", "stone", "lamp", "window", "garden", "bread", "paper", "engine", "bridge", "market"]


def write_quiz(path: Path) -> Path:
    """Write 80 questions whose right option is the only one with the word `surely`."""
    draw = random.Random(1)
    rows = []
    for number in range(80):
        right = draw.randrange(4)
        options = [f"the {draw.choice(WORDS)} is here" + " surely" * (at == right) for at in range(4)]
        passage = f"Number {number} stands near the {draw.choice(WORDS)} and the {draw.choice(WORDS)}."
        rows.append((passage, "What follows?", *options, "ABCD"[right]))
    write_csv(path, ("Passage", "Question", *(f"Option {letter}" for letter in "ABCD"), "Answer"), rows)
    return path


@pytest.fixture(scope="module", autouse=True)
def _few_repeats() -> Iterator[None]:
    """Let the measures of words draw few samples, which take longer than all the rest."""
    run, few = page._run, {"diversity": {name: {"repeats": 2} for name in ("as_published", "corrected")}}
    with patch.object(
        page, "_run", lambda *given: run(*(json.dumps(few) if one == "{}" else one for one in given))
    ):
        yield


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = write_quiz(tmp_path_factory.mktemp("audit") / "my quiz.csv")
    result = CliRunner().invoke(cli, ["audit", str(path), "--root", str(ROOT)])
    assert result.exit_code == 0, result.output
    return path.with_name("my quiz-audit"), result.output


def test_a_word_that_gives_the_answers_away_is_the_worst_probe(audited: tuple[Path, str]) -> None:
    folder, said = audited
    assert "context ← Passage, question ← Question, answer ← Answer, options ← Option A … Option D" in said
    assert "100.0" in said.split("worst probe: ")[1]
    page = (folder / "audit.html").read_text(encoding="utf-8")
    assert "80 instances of 4 options" in page
    assert "none of them tells the answers" in page
    assert "src=" not in page  # one file, no network


def test_a_folder_that_holds_something_is_left_alone(audited: tuple[Path, str]) -> None:
    with pytest.raises(DivLogicError, match="is not empty; name another folder with --out"):
        audit(str(audited[0].with_name("my quiz.csv")), root=ROOT)


def test_outside_a_checkout_the_missing_word_counts_are_named(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="name a checkout with --root"):
        audit(str(write_quiz(tmp_path / "quiz.csv")), root=tmp_path)


def test_so_few_questions_that_no_probe_learns_are_told(tmp_path: Path) -> None:
    lines = write_quiz(tmp_path / "quiz.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "few.csv").write_text("\n".join(lines[:9]) + "\n", encoding="utf-8")
    said = CliRunner().invoke(cli, ["audit", str(tmp_path / "few.csv"), "--root", str(ROOT)]).output
    assert "no probe was trained: too few instances have an answer" in said
