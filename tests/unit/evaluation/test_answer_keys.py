"""Every reader of predictions refuses those of another seed, which have the same ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.collection.collect import INDEX
from divlogic.errors import DivLogicError
from divlogic.evaluation.asked import AnsweredRecords
from divlogic.evaluation.justlogic import error_analysis
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.rotations import rotation_json, rotation_rows, style_named
from divlogic.evaluation.steps import score
from divlogic.evaluation.tables import label_accuracy, write_answers
from divlogic.io.files import write_json, write_jsonl
from divlogic.models.asking import prediction_of, questions_of
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.requests import ClosedQuestion
from divlogic.prior_knowledge.independence import write_independence
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun
from divlogic.prior_knowledge.probe import PROBE
from divlogic.prior_knowledge.shortcuts.steps import measure_benchmarks
from divlogic.prior_knowledge.steps import AnsweredCollection
from divlogic.records import Record

MODEL = "baseline/uniform"
NAME, LABELS = "justlogic_generated", ("True", "False", "Uncertain")
RECORDS = [
    Record(
        f"{NAME}-test-1-{at:05d}", NAME, "test", f"Fact {at} holds.", "It holds.", LABELS, at % 3,
        depth=1, forms=("modus_ponens",),
    )
    for at in range(6)
]  # fmt: skip
POOL = [
    replace(one, id=f"train-{at}", split="train", context=f"{one.context} So it was.")
    for at, one in enumerate(RECORDS)
]


def rotated(records: Sequence[Record]) -> Iterator[ClosedQuestion]:
    return rotation_rows(records, style_named("zero_shot"), seed=1)


def closed(records: Sequence[Record]) -> Iterator[ClosedQuestion]:
    return questions_of(records, POOL, "few_shot", EvaluationRun().seed, answer_format)


def of_probe(records: Sequence[Record]) -> Iterator[Prediction]:
    for one in records:
        yield Prediction(
            one.benchmark, PROBE, "", one.id, str(one.answer), "0", source="probe", choices=3
        )


def answered(questions: Callable[[Sequence[Record]], Iterator[ClosedQuestion]]):
    def predictions(records: Sequence[Record]) -> Iterator[Prediction]:
        return (
            prediction_of(one, MODEL, one.form.names[0], answer="x") for one in questions(records)
        )

    return predictions


def read_by_score(answers: Path, folder: Path) -> None:
    due = (folder / "rotations.jsonl",)
    score((answers,), folder / "scores.csv", EvaluationRun(), due=due, allow_missing=True)


def compared_in(folder: Path) -> dict[str, Any]:
    files = AnsweredRecords((folder / "test.jsonl",), (folder / "train.jsonl",))
    return {"answered": files, "params": EvaluationRun()}


def read_by_error_analysis(answers: Path, folder: Path) -> None:
    out = {"groups": folder / "groups", "regression": folder / "regression"}
    error_analysis((answers,), **out, **compared_in(folder))


def read_by_table_of_answers(answers: Path, folder: Path) -> None:
    write_answers((answers,), out=folder / "table", **compared_in(folder))


def read_by_label_accuracy(answers: Path, folder: Path) -> None:
    label_accuracy((answers,), out=folder / "table", **compared_in(folder))


def read_by_independence(answers: Path, folder: Path) -> None:
    files = AnsweredCollection(folder, (folder / "test.jsonl",), (folder / "train.jsonl",))
    write_independence((answers,), answered=files, out=folder / "table", params=PriorKnowledgeRun())


def read_by_shortcuts(answers: Path, folder: Path) -> None:
    given = {
        "collection": folder,
        "probe": answers,
        "out": folder / "out",
        "params": PriorKnowledgeRun(),
    }
    measure_benchmarks((folder / "test.jsonl",), **given)


OF_ROTATIONS = (read_by_score,)
OF_LABELS = (
    read_by_error_analysis,
    read_by_table_of_answers,
    read_by_label_accuracy,
    read_by_independence,
)
READERS = dict.fromkeys(OF_ROTATIONS, answered(rotated)) | dict.fromkeys(
    OF_LABELS, answered(closed)
)
READERS[read_by_shortcuts] = of_probe
# Rotations are those of some benchmarks and prompt styles only; what the probe answers has no digest.
CASES = [(reader, changed) for reader in OF_LABELS for changed in ("context", "answer", "id")]
CASES += [(reader, changed) for reader in OF_ROTATIONS for changed in ("context", "answer")]
CASES.append((read_by_shortcuts, "answer"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of a run: records, those of the training part, rotations, a collection without a benchmark."""
    for split, records in (("test", RECORDS), ("train", POOL)):
        write_jsonl(tmp_path / f"{split}.jsonl", (one.to_json() for one in records))
    write_jsonl(tmp_path / "rotations.jsonl", map(rotation_json, rotated(RECORDS)))
    write_json(tmp_path / INDEX, [])
    return tmp_path


@pytest.mark.parametrize("reader", READERS)
def test_the_answers_of_the_run_are_read(folder, reader):
    write_predictions(folder / "answers.jsonl", READERS[reader](RECORDS))
    reader(folder / "answers.jsonl", folder)


@pytest.mark.parametrize(("reader", "changed"), CASES)
def test_answers_of_another_seed_are_refused(folder, reader, changed):
    to = {
        "context": "Something else holds.",
        "answer": 2,
        "id": "justlogic_generated-test-1-99999",
    }[changed]
    predictions = list(
        READERS[reader]([RECORDS[0], replace(RECORDS[1], **{changed: to}), *RECORDS[2:]])
    )
    if changed == "answer":
        predictions = [replace(one, question="") for one in predictions]
    write_predictions(folder / "answers.jsonl", predictions)
    row = len(predictions) // len(RECORDS) + 1
    with pytest.raises(
        DivLogicError, match=rf"answers\.jsonl, row {row}: the answer of .* another version"
    ):
        reader(folder / "answers.jsonl", folder)
