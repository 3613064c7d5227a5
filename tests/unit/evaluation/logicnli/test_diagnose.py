"""The diagnosis of learners and of other systems on LogicNLI's sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from divlogic.benchmarks.logicnli.build import write_sets
from divlogic.benchmarks.logicnli.parameters import LogicNLIDiagnosisParameters, LogicNLIParameters
from divlogic.errors import DivLogicError
from divlogic.evaluation.asked import AskedRecords, ask_benchmark, is_asked
from divlogic.evaluation.figures import draw_curves
from divlogic.evaluation.logicnli.answers import ASKED, set_file, training_set
from divlogic.evaluation.logicnli.diagnosis import record_diagnosis, write_diagnosis
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.io.tables import read_note
from divlogic.models.asking import AskingOptions
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from divlogic.models.recordings.model_answers import STORE, record_answers
from divlogic.records import read_records
from tests import generation
from tests.support import csv_rows
from tests.unit.benchmarks.logicnli.conftest import made_rows

SMALL: dict[str, Any] = {
    "balanced": {
        "depths": [1, 2],
        "deep_depths": [3],
        "traced_depth": 3,
        "noise": [0, 4],
        **dict.fromkeys(("quartets", "robust_quartets", "deep_quartets"), 3),
        **dict.fromkeys(("traced_quartets", "degraded_quartets", "connective_quartets"), 2),
    }
}
LEARNERS = ["majority", "overlap", "reasoner_1", "symbolic_reader"]


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logicnli")
    parameters = LogicNLIParameters.model_validate(SMALL)
    run = generation.run_of("logicnli", parameters, seed=3)
    drawn = generation.drawn_shards("logicnli", folder, run)
    (realised,), _ = generation.worded_shards("logicnli", folder, run, drawn)
    write_sets((realised,), out=folder / "sets")
    return folder / "sets"


def run_of(resamples: int, learners: Sequence[str] = ()) -> EvaluationRun:
    """Return the parameters of a run with seed 1."""
    section = {"resamples": resamples, "logicnli": {"learners": list(learners)}}
    return EvaluationRun.model_validate({"seed": 1, "evaluation": section})


def diagnosed(
    sets: Path,
    out: Path,
    *predictions: Path,
    learners: Sequence[str] = LEARNERS,
    recorded: tuple[Path, ...] = (),
) -> dict[str, list[dict[str, str]]]:
    params, answers = run_of(100, learners), out / "answers.jsonl"
    write_diagnosis(
        predictions, folder=sets, answers=answers, recorded=recorded, out=out, params=params
    )
    return {name: csv_rows(out / f"{name}.csv") for name in ("diagnosis", "curves", "connectives")}


def test_learners_are_diagnosed_on_every_set(sets: Path, tmp_path: Path) -> None:
    tables = diagnosed(sets, tmp_path)
    rows = {(row["system"], row["setting"]): row for row in tables["diagnosis"]}
    assert set(rows) == {
        (name, setting) for name in LEARNERS for setting in ("LogicNLI", "d-LogicNLI")
    }
    one, whole = rows["reasoner_1", "LogicNLI"], rows["symbolic_reader", "LogicNLI"]
    assert (one["test"], one["quartet_em"], one["depth"]) == ("62.5", "50.0", "1.00")
    assert (one["test_g"], one["generalisation"], one["robustness"]) == ("25.0", "60.0", "0.0")
    assert [whole[name] for name in ("test", "p_acc", "p_em", "targets")] == [
        "100.0",
        "100.0",
        "100.0",
        "6",
    ]
    assert (rows["majority", "LogicNLI"]["test"], rows["majority", "d-LogicNLI"]["test"]) == (
        "25.0",
        "33.3",
    )
    points = {
        (row["set"], row["at"]): row["accuracy"]
        for row in tables["curves"]
        if (row["system"], row["setting"]) == ("reasoner_1", "LogicNLI")
    }
    by_depth = {("A", "1"): "100.0", ("A", "2"): "25.0", ("G", "3"): "25.0"}
    assert points == {("R", "0"): "62.5", ("R", "4"): "62.5"} | by_depth
    connectives = {row["system"]: row for row in tables["connectives"]}
    assert connectives["reasoner_1"]["fol_not"] == "62.5"
    assert connectives["symbolic_reader"]["fol_or"] == "100.0"
    answers = list(read_predictions(tmp_path / "answers.jsonl"))
    asked = sum(sum(1 for _ in read_records(set_file(sets, name))) for name in ASKED)
    assert len(answers) == asked * len(LEARNERS)


def test_the_same_run_gives_the_same_bytes(sets: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        diagnosed(sets, tmp_path / name, learners=["overlap", "bag_of_words"])
        draw_curves(tmp_path / name / "curves", tmp_path / name / "logicnli_curves")
    for name in (
        "diagnosis.csv",
        "curves.csv",
        "connectives.csv",
        "answers.jsonl",
        "logicnli_curves.svg",
    ):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def answers_to(path: Path, model: str, label: str | None = None) -> list[dict[str, Any]]:
    """Return the predictions of a model that says ``label`` to each statement of a set (``None``: what is right)."""
    rows = []
    for record in read_records(path):
        right = record.options[record.answer or 0]
        answer = Prediction(record.benchmark, model, "zero_shot", record.id, right, label or right)
        rows.append(answer.to_json())
    return rows


def test_a_model_is_diagnosed_on_what_it_was_asked(sets: Path, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "model.jsonl", answers_to(sets / "test.jsonl", "our-model"))
    tables = diagnosed(sets, tmp_path, tmp_path / "model.jsonl", learners=["majority"])
    (row,) = [row for row in tables["diagnosis"] if row["system"] == "our-model"]
    found = [row[name] for name in ("source", "test", "quartet_em", "depth")]
    assert found == ["model", "100.0", "100.0", "2.00"]
    assert row["test_g"] == row["generalisation"] == row["p_em"] == ""
    assert not [row for row in tables["connectives"] if row["system"] == "our-model"]
    alone = diagnosed(sets, tmp_path / "alone", tmp_path / "model.jsonl", learners=[])
    assert [row["system"] for row in alone["diagnosis"]] == ["our-model"]


def test_recorded_rows_stand_in_later_tables(sets: Path, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "model.jsonl", answers_to(sets / "test.jsonl", "our-model"))
    diagnosed(sets, tmp_path, tmp_path / "model.jsonl", learners=["majority"])
    recording, later = tmp_path / "our-model.json", tmp_path / "later"
    record_diagnosis("our-model", folder=tmp_path, remark="Trained on nothing.", out=recording)
    tables = diagnosed(sets, later, learners=["majority"], recorded=(recording,))
    (row,) = [row for row in tables["diagnosis"] if row["source"] == "recording"]
    assert [row[name] for name in ("system", "test", "depth")] == [
        "our-model (recorded)",
        "100.0",
        "2.00",
    ]
    assert "Trained on nothing." in read_note(later / "diagnosis")
    with pytest.raises(DivLogicError, match="no row of 'another'; there are majority, our-model"):
        record_diagnosis("another", folder=tmp_path, remark="", out=recording)


def test_predictions_that_do_not_fit_are_named(sets: Path, tmp_path: Path) -> None:
    first, *_ = answers_to(sets / "test.jsonl", "our-model")
    for rows, sentence in (
        (
            [{**first, "instance": "elsewhere-1"}],
            "our-model for 'elsewhere-1' belongs to no statement",
        ),
        ([first, first], f"our-model answers '{first['instance']}' more than once"),
        (answers_to(sets / "test.jsonl", "majority"), "under a name that no learner has"),
    ):
        write_jsonl(tmp_path / "odd.jsonl", rows)
        with pytest.raises(DivLogicError, match=sentence):
            diagnosed(sets, tmp_path, tmp_path / "odd.jsonl", learners=["majority"])


def test_each_set_has_the_training_set_of_the_paper() -> None:
    names = ("dev_r", "test_g", "d_proofs", "d_dev_r", "fol_all")
    assert list(map(training_set, names)) == ["train_r", "train", "d_train", "d_train_r", ""]


def test_unknown_and_repeated_learners_of_the_parameters_are_named() -> None:
    with pytest.raises(ValidationError, match="there is no learner 'oracle'"):
        LogicNLIDiagnosisParameters(learners=["oracle"])
    with pytest.raises(ValidationError, match="named twice"):
        LogicNLIDiagnosisParameters(learners=["sign", "sign"])


MODEL = ModelParameters(
    name="baseline/uniform", label="Guesser", benchmarks=["logicnli"], instances=2
)
PARAMETERS = EvaluationParameters(
    models=[MODEL],
    logicnli=LogicNLIDiagnosisParameters(prompts=["zero_shot", "few_shot"], quartets=10),
)


def test_only_models_that_name_it_are_asked() -> None:
    assert is_asked("logicnli", MODEL, PARAMETERS)
    assert not is_asked("logicnli", ModelParameters(name="baseline/uniform"), PARAMETERS)
    assert not is_asked(
        "logicnli", MODEL.model_copy(update={"prompts": ["likelihood"]}), PARAMETERS
    )


def test_a_model_is_recorded_and_diagnosed_on_the_part_that_it_was_asked(tmp_path: Path) -> None:
    source, pool, answers = (tmp_path / f"{name}.jsonl" for name in ("test", "train", "answers"))
    write_jsonl(source, made_rows("test", 20))
    write_jsonl(pool, made_rows("train", 5))
    statements, params = (
        AskedRecords("logicnli", source, pool),
        EvaluationRun(seed=1, evaluation=PARAMETERS),
    )
    ask_benchmark(statements, AskingOptions("Guesser", tmp_path / "store.sqlite"), answers, params)
    assert len(list(read_predictions(answers))) == 80
    record_answers((answers,), "Guesser", tmp_path / "guesser")
    kept = Counter(row.prompt for row in read_predictions(tmp_path / "guesser" / STORE))
    assert kept == {"zero_shot": 40, "few_shot": 40}
    sets = tmp_path / "sets"
    for name in ASKED:
        write_jsonl(set_file(sets, name), made_rows(name, 20) if name == "test" else [])
    given = {"answers": tmp_path / "a.jsonl", "out": tmp_path / "out", "params": run_of(100)}
    write_diagnosis((answers,), folder=sets, **given)  # type: ignore[arg-type]
    rows = {row["system"]: row for row in csv_rows(tmp_path / "out" / "diagnosis.csv")}
    assert set(rows) == {"Guesser", "Guesser, few shot"}
    right = [p.correct for p in read_predictions(answers) if p.prompt == "zero_shot"]
    assert rows["Guesser"]["statements"] == "40"
    assert rows["Guesser"]["test"] == f"{100 * sum(right) / len(right):.1f}"
    # Ten quartets, two of each depth: the accuracy reads as a depth.
    assert rows["Guesser"]["depth"] != ""
    assert "refused" not in rows["Guesser"]


def test_the_diagnosis_says_how_many_replies_were_refused(sets: Path, tmp_path: Path) -> None:
    asked = list(read_records(set_file(sets, "test")))
    replies = [
        Prediction(
            "logicnli", "Prude", "zero_shot", one.id, "a", None, status="refused" if odd else ""
        )
        for odd, one in zip(cycle((True, False)), asked, strict=False)
    ]
    write_predictions(tmp_path / "prude.jsonl", replies)
    (row,) = diagnosed(sets, tmp_path, tmp_path / "prude.jsonl", learners=())["diagnosis"]
    assert (row["refused"], "cut" in row) == (
        f"{100 * -(-len(asked) // 2) / len(asked):.1f}",
        False,
    )
