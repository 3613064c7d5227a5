"""Rotations and their metrics from outside: prompts as they are shown, options found by their texts, PC by hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.outsider.test_files import run

ROOT = Path(__file__).parents[2]
OPTIONS = {
    "q1": ["a penguin", "a wren", "a lark", "a finch"],
    "q2": ["wax", "slate", "tin", "glass"],
    "q3": ["the smith", "the cook", "the guard", "the diver"],
}


def asked(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of all rotations of a quiz whose right option is the first one of each list."""
    lines = ["question,A,B,C,D,answer"]
    # The right option stands at another place in each question.
    for shift, (question, texts) in enumerate(OPTIONS.items()):
        placed = texts[-shift:] + texts[:-shift] if shift else texts
        lines.append(",".join([question, *placed, texts[0]]))
    (folder / "quiz.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    records, rows = folder / "quiz.jsonl", folder / "rotations.jsonl"
    status, said = run(
        "benchmarks", "import", folder / "quiz.csv", "--name", "quiz", "--out", records
    )
    assert status == 0, said
    parameters = ["--params", ROOT / "params.yaml"]
    status, said = run(
        *["evaluation", "rotate", "--in", records, "--prompt", "zero_shot", "--out", rows],
        *parameters,
    )
    assert status == 0, said
    return [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]


def shown(row: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the question of a prompt and its options by their letters, as they stand there."""
    lines = row["input"].splitlines()
    options = {line[0]: line[3:] for line in lines if line[1:3] == ". "}
    [question] = [line for line in lines if line in OPTIONS]
    return question, options


def scores(folder: Path, rows: list[dict[str, Any]], letters: list[str]) -> dict[str, float]:
    """Return the metrics in percent of a model that wrote these letters."""
    kept = ("benchmark", "prompt", "instance", "rotation", "question_type", "gold", "choices")
    predictions = [
        {
            **{name: row[name] for name in kept if name in row},
            "model": "someone",
            "run": 0,
            "answer": f"Because of the premises.\n\nAnswer: {letter}",
        }
        for row, letter in zip(rows, letters, strict=True)
    ]
    path, out = folder / "predictions.jsonl", folder / "scores.csv"
    path.write_text("".join(json.dumps(one) + "\n" for one in predictions), encoding="utf-8")
    status, said = run("evaluation", "score", path, "--out", out, "--params", ROOT / "params.yaml")
    assert status == 0, said
    with out.open(encoding="utf-8") as file:
        return {row["metric"]: float(row["value"]) for row in csv.DictReader(file)}


def test_each_rotation_shows_all_options_and_names_the_right_one(tmp_path: Path) -> None:
    rows = asked(tmp_path)
    assert len(rows) == 12
    places: dict[str, list[str]] = {}
    for row in rows:
        question, options = shown(row)
        assert sorted(options.values()) == sorted(OPTIONS[question])
        assert options[row["gold"]] == OPTIONS[question][0]
        places.setdefault(question, []).append(row["gold"])
    assert all(sorted(letters) == list("ABCD") for letters in places.values())


# The option that is chosen in rotations 0 to 3 (0 is the right one), and PC by Eq. 2 of DivLogicEval, in percent.
CHOSEN = [
    pytest.param((0, 0, 0, 0), 100, 100, 100, id="always right"),
    pytest.param((0, 0, 0, 1), 100, 0, 44.58, id="three of four"),
    pytest.param((0, 0, 1, 1), 100, 0, 25, id="two and two"),
    pytest.param((1, 0, 0, 1), 0, 0, 25, id="two and two, the first one wrong"),
    pytest.param((0, 0, 2, 3), 100, 0, 12.5, id="the paper's example"),
    pytest.param((1, 1, 1, 1), 0, 0, 0, id="always the same wrong one"),
    pytest.param((3, 3, 0, 3), 0, 0, 14.86, id="the same wrong one but once"),
]


@pytest.mark.parametrize(("chosen", "acc", "cir", "pc"), CHOSEN)
def test_a_model_that_chooses_by_the_text_gets_what_the_formula_says(
    chosen: tuple[int, ...], acc: float, cir: float, pc: float, tmp_path: Path
) -> None:
    rows = asked(tmp_path)
    letters = []
    for row in rows:
        question, options = shown(row)
        wanted = OPTIONS[question][chosen[row["rotation"]]]
        letters += [letter for letter, text in options.items() if text == wanted]
    found = scores(tmp_path, rows, letters)
    assert found["ACC"] == acc
    assert found["CIR"] == cir
    assert found["PC"] == pytest.approx(pc, abs=0.01)


@pytest.mark.parametrize("letter", list("ABCD"))
def test_a_model_that_says_one_letter_gets_nothing_for_it(letter: str, tmp_path: Path) -> None:
    rows = asked(tmp_path)
    found = scores(tmp_path, rows, [letter] * len(rows))
    assert (found["CIR"], found["PC"]) == (0, 0)
