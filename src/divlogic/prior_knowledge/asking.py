"""Asking models closed questions: prompts, stored responses, answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.evaluation.labels import LabelPrediction
from divlogic.evaluation.parameters import ModelParameters
from divlogic.evaluation.requests import label_of, requests_of
from divlogic.evaluation.rotations import RotationRow
from divlogic.evaluation.runner import run_model
from divlogic.evaluation.store import ResponseStore, read_responses
from divlogic.prior_knowledge.answers import Answer, said_option
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters
from divlogic.prior_knowledge.probe import thinned
from divlogic.prior_knowledge.prompts import STYLES, LabelStyle, examples_for, lettered, render
from divlogic.progress import say
from divlogic.records import Record, read_records


def questions_of(
    records: Sequence[Record], pool: Sequence[Record], style: LabelStyle, seed: int
) -> Iterator[RotationRow]:
    """Yield one prompt per record; ``gold`` is the text of the right option.

    Raises:
        DivLogicError: a style with examples has none to draw from.
    """
    examples = examples_for(records, pool, style, seed)
    for record in records:
        assert record.answer is not None
        yield RotationRow(
            record.benchmark,
            style.name,
            record.id,
            0,
            record.question_type or "",
            record.options[record.answer],
            render(record, style, examples),
        )


def ask(
    source: Path,
    pool: Path | None,
    store: Path,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> None:
    """Ask a model every question to which the store holds no answer.

    Raises:
        DivLogicError: the model cannot be used, or answers are still lacking at the end.
    """
    _, rows = _asked(source, pool, parameters, seed)
    with ResponseStore(store) as opened:
        done = run_model(
            rows,
            model,
            opened,
            runs=model.runs or 1,
            sampling=parameters.sampling,
            limits=parameters.limits,
            seed=seed,
        )
    say(f"{label_of(model)}: {done.requests:,} answers wanted, {done.answered:,} asked now")
    if done.unanswered:
        raise DivLogicError(
            f"{store}: {label_of(model)} left {done.unanswered} questions unanswered; run the same command again."
        )


def stored_answers(
    source: Path,
    pool: Path | None,
    store: Path,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> Iterator[Answer]:
    """Yield a model's stored answers to the questions of a file, in the file's order."""
    records, rows = _asked(source, pool, parameters, seed)
    responses, _ = read_responses(store)
    for request in requests_of(rows, model, model.runs or 1, parameters.sampling):
        response = responses.get(request.key)
        if response is None:
            continue
        record = records[request.row.instance]
        yield Answer(
            record.benchmark,
            "model",
            label_of(model),
            request.row.prompt,
            record.id if (model.runs or 1) == 1 else f"{record.id}/{request.run}",
            label=request.row.gold,
            said=said_option(response.answer, record.options, letters=lettered(record)),
            choices=len(record.options),
            depth=record.depth,
        )


def recorded_answers(
    predictions: Sequence[LabelPrediction],
    *,
    benchmark: str,
    system: str,
    prompt: str,
    choices: int | None = None,
) -> Iterator[Answer]:
    """Turn recorded label answers into answers; truth labels are folded as JustLogic's evaluation folds them.

    Args:
        predictions: what the recording holds.
        benchmark, system, prompt: what it is a recording of.
        choices: number of answers to choose from; counted from the labels if not given.
    """
    from divlogic.evaluation.labels import TRUTH_LABELS, fold_label

    labels = {prediction.label for prediction in predictions}
    truth = labels <= set(TRUTH_LABELS)
    if choices is None:
        choices = len(TRUTH_LABELS) if truth else len(labels)
    for prediction in predictions:
        said = prediction.said
        if said is not None:
            # An answer that names no label was given all the same: it is wrong, not missing.
            said = (fold_label(said) or "?") if truth else said.strip().casefold()
        yield Answer(
            benchmark,
            "recorded",
            system,
            prompt,
            prediction.instance,
            prediction.label,
            said,
            choices,
            prediction.depth,
        )


def _asked(
    source: Path, pool: Path | None, parameters: PriorKnowledgeParameters, seed: int
) -> tuple[dict[str, Record], list[RotationRow]]:
    """Return the records that are asked, by id, and their prompts in all styles of the parameters."""
    usable = [record for record in read_records(source) if record.answer is not None and record.options]
    if not usable:
        raise DivLogicError(f"{source}: no record has options and an answer; there is nothing to ask.")
    records = thinned(usable, parameters.instances)
    examples = list(read_records(pool)) if pool else []
    rows = [row for name in parameters.prompts for row in questions_of(records, examples, STYLES[name], seed)]
    return {record.id: record for record in records}, rows
