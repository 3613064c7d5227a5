"""Finding instances by id and by who answered them wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.show import answers_by, prediction_lines, record_files, with_ids, wrong_for
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.records import Record


def record(number: int, **changes: object) -> Record:
    fields = {
        "id": f"i{number}",
        "benchmark": "divlogiceval",
        "split": "test",
        "context": "It rains.",
    }
    fields |= {"question": "Which follows?", "options": ("a", "b", "c", "d"), "answer": 0}
    return Record(**(fields | changes))  # type: ignore[arg-type]


def said(number: int, letters: str, model: str = "clever") -> list[Prediction]:
    return [
        Prediction(
            "divlogiceval", model, "zero_shot", f"i{number}", gold, letter, rotation=rotation
        )
        for rotation, (gold, letter) in enumerate(zip("ADCB", letters, strict=True))
    ]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with three instances, of which the model gets the first and loses the last in one rotation."""
    write_jsonl(
        tmp_path / "data/benchmarks/divlogiceval/test.jsonl",
        [record(n).to_json() for n in range(3)],
    )
    write_predictions(
        tmp_path / "predictions.jsonl", [*said(0, "ADCB"), *said(1, "ADCB"), *said(2, "ADCC")]
    )
    return tmp_path


def show(run: Path, *arguments: str) -> Result:
    source = run / "data/benchmarks/divlogiceval/test.jsonl"
    return CliRunner().invoke(cli, ["show", "--in", str(source), *arguments])


def test_an_instance_is_found_by_its_id_in_every_file_of_a_run(run: Path) -> None:
    files = record_files(run / "data/benchmarks")
    assert [one.id for one in with_ids(["i2", "i0"], files)] == ["i2", "i0"]
    with pytest.raises(DivLogicError, match="no record has the id 'i9'"):
        with_ids(["i0", "i9"], files)
    with pytest.raises(DivLogicError, match="no benchmark is there"):
        record_files(run / "elsewhere")


def test_a_letter_stands_for_an_option_whatever_their_number() -> None:
    given = [
        Prediction(
            "divlogiceval", "clever", "zero_shot", "i0", "A", letter, rotation=rotation, choices=6
        )
        for rotation, letter in ((0, "F"), (3, "C"), (5, "F"))
    ]
    (line,) = prediction_lines(record(0), {("divlogiceval", "i0"): given})
    assert "0: F ✗" in line and "3: C (option F) ✗" in line and "5: F (option E) ✗" in line


def test_what_a_model_got_wrong_is_shown_with_its_answers(run: Path) -> None:
    answers = answers_by("clever", [run / "predictions.jsonl"])
    (wrong,) = wrong_for([record(n) for n in range(3)], answers)
    assert wrong.id == "i2"
    (line,) = prediction_lines(wrong, answers)
    assert line.endswith("3: C (option B) ✗") and "0: A ✓" in line
    done = show(run, "--wrong-for", "clever", "--predictions", str(run / "predictions.jsonl"))
    assert done.exit_code == 0 and done.output.startswith("i2") and line in done.output


def test_a_model_that_answered_nothing_is_refused_with_those_that_did(run: Path) -> None:
    with pytest.raises(
        DivLogicError, match="no prediction is by 'dull'; the models there are clever"
    ):
        answers_by("dull", [run / "predictions.jsonl"])


@pytest.mark.parametrize(
    ("formulas", "sentences", "metadata", "expected"),
    [
        ({"argument": "Modus Ponens:\n  A→B, A\n  B"}, {"1": "owls hoot"}, {}, ["Modus Ponens:", "1 = owls hoot"]),
        (
            {"fol": {"premises": ["Kind(Ann)"], "statement": "¬Kind(Bo)"}, "proof": {"statement": [
                {"literal": ["Ann", "kind", "+"], "round": 0, "fact": 0},
                {"literal": ["Bo", "kind", "-"], "round": 1, "rule": 2, "premises": [0]},
            ]}},
            {"0": {"text": "Ann is kind.", "fact": 0}}, {},
            ["Kind(Ann)", "¬Kind(Bo)", "1. kind(Ann) (fact 1)", "2. ¬kind(Bo) (rule 3 from 1)"],
        ),
        (
            {"premises": [{"id": "P1", "formula": ["forall", "x", ["->", ["P", "x"], ["not", "Q"]]]}],
             "symbols": [{"name": "Q", "gloss": {"zh": "下雨", "en": "it rains", "en_not": "it is dry"}}]},
            None, {"questions": [{"id": "S1", "en": "Must it rain?", "answer": "\"no\""}]},
            ["P1: ∀x (P(x) → ¬Q)", "Q = 下雨 / it rains", "S1  Must it rain? ▶ \"no\""],
        ),
        (
            {"facts": {"t1": '("Bob" "is" "kind" "+")'}, "rules": {"r1": "kind -> nice"}, "question": None}, None, {},
            ["kind -> nice"],
        ),
        ({"facts": [["Ann", "kind", "+"]], "rules": [{"p": {"fact": [["all", "kind", "+"]], "conj": "none"},
          "q": {"fact": [["Bo", "shy", "-"]], "conj": "none"}, "type": "imp"}]}, None, {},
         ["kind(Ann)", "kind(all) → ¬shy(Bo)"]),
    ],
    ids=["justlogic", "logicnli", "llmeval_logic", "proofwriter", "logicnli published"],
)  # fmt: skip
def test_every_benchmarks_formulas_can_be_read(
    tmp_path: Path, formulas: object, sentences: object, metadata: object, expected: list[str]
) -> None:
    one = record(0, formulas=formulas, sentences=sentences, metadata=metadata)
    write_jsonl(tmp_path / "records.jsonl", [one.to_json()])
    done = CliRunner().invoke(cli, ["show", "--in", str(tmp_path / "records.jsonl"), "--formulas"])
    assert done.exit_code == 0, done.output
    for part in expected:
        assert part in done.output
