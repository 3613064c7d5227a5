"""Models' answers without the context that the repository ships, and how they come into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.collection.collect import load_collection
from divlogic.benchmarks.spec import PRIOR_KNOWLEDGE_TABLE
from divlogic.models.asking import ClosedQuestion, askable, read_questions
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import read_predictions
from divlogic.models.recordings.model_answers import Table, described, read_all, write_recorded
from divlogic.models.requests import label_of
from divlogic.models.styles import CLOSED
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters
from divlogic.records import read_records

KIND = "prior_knowledge"


def record_collection(
    collection: Path,
    pools: Sequence[Path],
    predictions: Sequence[Path],
    folder: Path,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> list[Table]:
    """Write a model's answers to the questions of a collection as the repository ships them.

    Args:
        collection: folder that ``divlogic benchmarks collect`` wrote.
        pools: training splits of generated benchmarks, that solved examples are drawn from.
        predictions: files of what was answered, by any models.
        folder: the model's folder.
        model, parameters, seed: who was asked, and how.

    Raises:
        DivLogicError: a file is missing, or the model has no answer to any question.
    """
    prompts = parameters.prompts if model.prompts is None else model.prompts
    asked = _questions(collection, pools, prompts, parameters.instances, seed)
    about = described(model, parameters.sampling)
    answers = (row for path in predictions for row in read_predictions(path))
    label = label_of(model)
    return write_recorded(folder, KIND, model=label, about=about, questions=list(asked), predictions=answers)


def write_recorded_answers(
    collection: Path,
    pools: Sequence[Path],
    folders: Sequence[Path],
    out: Path,
    report: Path,
    *,
    prompts: Sequence[str],
    seed: int,
) -> None:
    """Write what models answered when they were recorded, as far as the questions are still the same.

    Args:
        collection: folder that ``divlogic benchmarks collect`` wrote.
        pools: training splits of generated benchmarks, that solved examples are drawn from.
        folders: the models' folders.
        out: the predictions.
        report: what was met in each table, for the notes of tables.
        prompts: the run's prompt styles.
        seed: of the draw of examples.

    Raises:
        DivLogicError: a manifest is missing or malformed, or the collection is.
    """

    def questions(table: Table) -> list[ClosedQuestion]:
        asked = [table.prompt] if table.prompt in prompts else []
        return list(_questions(collection, pools, asked, None, seed, table.benchmark)) if asked else []

    read_all(folders, KIND, questions, out, report)


def _questions(
    collection: Path,
    pools: Sequence[Path],
    prompts: Sequence[str],
    instances: int | None,
    seed: int,
    benchmark: str | None = None,
) -> Iterator[ClosedQuestion]:
    """Yield the questions of every benchmark of a collection, or of one, under the names that it has there."""
    training = {next(iter(askable(path))).benchmark: path for path in pools}
    for one in load_collection(collection, PRIOR_KNOWLEDGE_TABLE):
        source, pool = collection / f"{one.stem}.jsonl.gz", training.get(one.benchmark)
        if not one.available or benchmark not in (None, one.benchmark):
            continue
        kept = [name for name in prompts if pool is not None or not CLOSED[name].has_examples]
        if not kept or not any(record.answer is not None for record in read_records(source)):
            continue
        for question in read_questions(
            source, pool, prompts=kept, instances=instances, seed=seed, form_of=answer_format
        ):
            yield replace(question, record=replace(question.record, benchmark=one.benchmark))
