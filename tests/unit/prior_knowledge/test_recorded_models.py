"""Recorded answers without context: those to a benchmark that has not changed count again."""

from __future__ import annotations

import json
from pathlib import Path

from divlogic.models.asking import AskingOptions
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.model_answers import RecordedOptions, RecordOptions
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters, PriorKnowledgeRun
from divlogic.prior_knowledge.steps import (
    AskedCollection,
    ask_collection,
    record_collection,
    recorded_collection,
)
from tests.support import write_collection
from tests.unit.prior_knowledge.test_prior_knowledge import toy_records

MODEL = ModelParameters(name="baseline/uniform", label="Dice")
SETTINGS = PriorKnowledgeParameters(instances=12, prompts=["question_only"], models=[MODEL])
RUN = PriorKnowledgeRun(seed=1, prior_knowledge=SETTINGS)


def collection(folder: Path, **further: str) -> Path:
    """Write a collection of two benchmarks; ``further`` is put after the questions of a benchmark."""
    rows = [r.to_json() | {"benchmark": "as_stored"} for r in toy_records(leak=False)]
    return write_collection(
        folder,
        {
            name: [row | {"question": row["question"] + further.get(name, "")} for row in rows]
            for name in ("toy", "other")
        },
    )


def read(folder: Path, recorded: Path) -> tuple[list[Prediction], list[str]]:
    out, report = recorded.with_name("out.jsonl"), recorded.with_name("report.json")
    recorded_collection(AskedCollection(folder), RecordedOptions(out, report, (recorded,)), RUN)
    errors = [row["error"] for row in json.loads(report.read_text(encoding="utf-8"))]
    return list(read_predictions(out)), errors


def test_what_was_answered_counts_again_for_each_benchmark_that_is_the_same(tmp_path: Path) -> None:
    folder, recorded, answers = collection(tmp_path), tmp_path / "dice", tmp_path / "answers.jsonl"
    asked_of = AskedCollection(folder)
    ask_collection(asked_of, AskingOptions("Dice", tmp_path / "store.sqlite"), answers, RUN)
    record_collection(asked_of, RecordOptions((answers,), "Dice", recorded), RUN)

    asked = {(p.benchmark, p.instance): (p.gold, p.predicted) for p in read_predictions(answers)}
    found, errors = read(folder, recorded)
    assert errors == ["", ""]
    assert {(p.benchmark, p.instance): (p.gold, p.predicted) for p in found} == asked
    assert len(asked) == 24
    assert {prediction.model for prediction in found} == {"Dice (recorded)"}

    found, errors = read(collection(tmp_path, other=" Really?"), recorded)
    assert {prediction.benchmark for prediction in found} == {"toy"}
    assert sorted(errors) == ["", "recorded on another version"]
