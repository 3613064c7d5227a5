"""Networks answer what goes with their training set, and of a connective's set the half that they have not seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import ValidationError

from divlogic.benchmarks.logicnli.build import write_sets
from divlogic.benchmarks.logicnli.parameters import (
    LogicNLIDiagnosisParameters,
    LogicNLIParameters,
    NetworkParameters,
)
from divlogic.benchmarks.logicnli.set_names import CONNECTIVE_SETS
from divlogic.config.command import command_of
from divlogic.evaluation.logicnli import answers as networks
from divlogic.evaluation.logicnli.answers import (
    TrainingOptions,
    TrainingSet,
    set_file,
    train_network,
)
from divlogic.evaluation.logicnli.diagnosis import write_diagnosis
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.io.tables import read_table
from divlogic.models.predictions import read_predictions
from divlogic.records import Record
from tests import generation
from tests.unit.benchmarks.logicnli.conftest import made_rows
from tests.unit.evaluation.logicnli.test_diagnose import run_of

ROOT = Path(__file__).parents[4]


class Remembers:
    """Says of each record whether it was trained on, and where it stopped early."""

    def __init__(self, validation: Sequence[Record]) -> None:
        self.validation = {record.split for record in validation}
        self.seen: set[str] = set()

    def fit(self, records: Iterable[Record]) -> None:
        self.seen = {record.id for record in records}

    def predict(self, records: Sequence[Record]) -> list[str]:
        return ["seen" if record.id in self.seen else "new" for record in records]

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(networks, "_network", lambda *given: Remembers(given[3]))
    for name in ("train", "dev", "test", "test_g", "test_t", *CONNECTIVE_SETS):
        rows = made_rows(name, 3)
        for split in sorted({row["split"] for row in rows}):
            write_jsonl(set_file(tmp_path, split), (row for row in rows if row["split"] == split))
    return tmp_path


def train(sets: Path, *names: str) -> dict[str, str]:
    out = sets / "answers.jsonl"
    train_network(
        folder=sets, out=out, kind="transformer", label="small", training_sets=names, save=sets / "saved",
        params=EvaluationRun(seed=1),
    )  # fmt: skip
    found = list(read_predictions(out))
    answers = {each.instance: each.predicted or "" for each in found}
    assert {each.model for each in found} == {"small"} and len(answers) == len(found)
    return answers


def test_each_half_of_a_connectives_set_is_answered_by_a_network_that_has_not_seen_it(
    sets: Path,
) -> None:
    answers = train(sets, "connectives")
    expected = {row["id"] for name in CONNECTIVE_SETS for row in made_rows(name, 3)}
    assert set(answers) == expected and set(answers.values()) == {"new"}
    assert len(list((sets / "saved").iterdir())) == 2 * len(CONNECTIVE_SETS)


def test_the_sets_that_go_with_a_training_set_are_answered(sets: Path) -> None:
    answers = train(sets, "train")
    asked = ("dev", "test", "test_g", "test_t")
    assert set(answers) >= {row["id"] for name in asked for row in made_rows(name, 3)}
    assert set(answers.values()) == {"new"}


class SaysOne:
    """Gives every statement the first label that it was trained on."""

    def __init__(self) -> None:
        self.label = ""

    def fit(self, records: Iterable[Record]) -> None:
        first, *_ = records
        self.label = first.options[first.answer or 0]

    def predict(self, records: Sequence[Record]) -> list[str]:
        return [self.label] * len(records)


TINY = {
    "people": 4, "predicates": 16, "facts": 8, "rules": 8, "depths": [1, 2], "deep_depths": [3], "traced_depth": 3,
    "deep_facts": 10, "deep_rules": 14, "traced_rules": 18, "noise": [0, 4], "quartets": 2, "robust_quartets": 1,
    "deep_quartets": 1, "traced_quartets": 3, "degraded_quartets": 1, "connective_quartets": 2,
}  # fmt: skip


@pytest.mark.parametrize("real", [False, True])
def test_a_network_fills_every_cell_of_the_diagnosis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    if real:
        pytest.importorskip("torch")
    else:
        monkeypatch.setattr(networks, "_network", lambda *_: SaysOne())
    parameters = LogicNLIParameters.model_validate({"balanced": TINY})
    run = generation.run_of("logicnli", parameters, seed=3)
    drawn = generation.drawn_shards("logicnli", tmp_path, run)
    (realised,), _ = generation.worded_shards("logicnli", tmp_path, run, drawn)
    write_sets((realised,), out=tmp_path / "sets")
    train_network(
        folder=tmp_path / "sets", out=tmp_path / "answers.jsonl", kind="transformer", label="small",
        training_sets=get_args(TrainingSet), instances=16, settings=TrainingOptions(epochs=1), params=run_of(100),
    )  # fmt: skip
    write_diagnosis(
        (tmp_path / "answers.jsonl",), folder=tmp_path / "sets", out=tmp_path / "out",
        answers=tmp_path / "none.jsonl", params=run_of(100),
    )  # fmt: skip
    rows = {row["setting"]: row for row in read_table(tmp_path / "out/diagnosis")}
    assert set(rows) == {"LogicNLI", "d-LogicNLI"} and {row["source"] for row in rows.values()} == {
        "model"
    }
    for row in rows.values():
        # Without a right answer on Test-T there are no proofs to judge.
        proofs = {"p_em", "p_acc"} if not row["targets"] else set()
        assert {name for name in row if f"{name}_low" in row and row[name] is None} <= proofs
        assert real or row["targets"]
    (connectives,) = read_table(tmp_path / "out/connectives")
    assert all(connectives[name] is not None for name in CONNECTIVE_SETS)


def test_a_network_of_the_parameters_is_what_the_command_is_given() -> None:
    section = {"label": "XLNet", "model": "xlnet-large-cased", "rate": 1e-3, "decay": 0.8}
    section |= {"train": ["train", "d_train"]}
    assert NetworkParameters.model_validate(section).options == [
        "--label=XLNet", "--kind=encoder", "--model=xlnet-large-cased", "--rate=0.001", "--decay=0.8",
        "--train=train", "--train=d_train",
    ]  # fmt: skip
    with pytest.raises(ValidationError, match="two networks have one label"):
        LogicNLIDiagnosisParameters.model_validate({"networks": [section, section]})


@pytest.mark.parametrize("name", ["bert", "roberta", "xlnet", "minilm"])
def test_the_settings_files_name_networks_that_the_command_takes(name: str) -> None:
    values = yaml.safe_load((ROOT / "config" / f"logicnli_{name}.yaml").read_text(encoding="utf-8"))
    (network,) = EvaluationRun.model_validate(values).evaluation.logicnli.networks
    known = {
        option
        for parameter in command_of(train_network, "train").params
        for option in parameter.opts
    }
    assert {option.partition("=")[0] for option in network.options} <= known
