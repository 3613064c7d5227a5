"""The steps: ask a model and score its replies, score the baselines, tabulate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import orjson

from divlogic.benchmarks.llmeval_logic.published import read_published
from divlogic.benchmarks.llmeval_logic.schema import EVALUATION_ONLY, Item, read_items
from divlogic.config.command import ARGUMENT, BASE
from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic.asking import asked
from divlogic.evaluation.llmeval_logic.baselines import NAMES, baseline_replies
from divlogic.evaluation.llmeval_logic.errors import write_errors
from divlogic.evaluation.llmeval_logic.judging import (
    Judged,
    judge_questions,
    judged,
    sampled,
    write_agreement,
)
from divlogic.evaluation.llmeval_logic.questions import (
    Task,
    Track,
    prompts,
    task_of_hard,
    task_of_item,
    task_of_record,
)
from divlogic.evaluation.llmeval_logic.scoring import Outcome, score_answers, score_formalization, scores
from divlogic.evaluation.parameters import EvaluationRun, LLMEvalLogicEvaluationParameters
from divlogic.io.files import read_as, write_jsonl
from divlogic.io.log import say
from divlogic.io.tables import write_table
from divlogic.models.asking import AskingOptions
from divlogic.models.parameters import LimitParameters, ModelParameters
from divlogic.models.requests import label_of
from divlogic.records import Record, read_records

COLUMNS = (
    *("benchmark", "track", "language", "model", "metric", "items", "runs"),
    *("score", "sd", "low", "high", "unreadable", "not_judged"),
)


def read_tasks(source: Path) -> list[Task]:
    """Return the tasks of a folder of published layout, of seeds, or of a file of generated records.

    Raises:
        DivLogicError: the source is missing or of another form.
    """
    if source.is_dir():
        found = read_published(source)
        for problem in found.problems:
            say(f"left out: {problem}")
        return [*(task_of_item(item, _name(item)) for item in found.items), *map(task_of_hard, found.hard)]
    if _holds_items(source):
        return [task_of_item(item, _name(item)) for item in read_items(source)]
    return [_task_of(source, record) for record in read_records(source)]


def _task_of(source: Path, record: Record) -> Task:
    try:
        return task_of_record(record)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise DivLogicError(
            f"{source}: the record {record.id} cannot be asked ({error}); make the file again."
        ) from error


def ask_items(
    sources: Annotated[tuple[Path, ...], ARGUMENT, BASE],
    *,
    tracks: Annotated[
        tuple[Track, ...],
        "--track",
        "What is asked; repeatable [default: `evaluation.llmeval_logic.tracks`].",
    ] = (),
    given: AskingOptions,
    out: Annotated[Path, "Outcomes (jsonl)."],
    verdicts: Annotated[Path | None, "Verdicts of all judges on one sample (jsonl)."] = None,
    params: EvaluationRun,
) -> None:
    """Ask a model about the SOURCES what the store lacks, and score its replies.

    A source is a folder of published layout, a file of seeds, or a file of records (jsonl).
    """
    section = params.evaluation
    run(
        sources,
        out,
        tracks=tracks or section.llmeval_logic.tracks,
        model=given.model(section.llmeval_logic.models),
        store=given.store,
        parameters=section.llmeval_logic,
        limits=given.limits(section.limits),
        seed=params.seed,
        verdicts=verdicts,
    )


def run(
    sources: Sequence[Path],
    out: Path,
    *,
    tracks: Sequence[Track],
    model: ModelParameters,
    store: Path,
    parameters: LLMEvalLogicEvaluationParameters,
    limits: LimitParameters,
    seed: int,
    verdicts: Path | None = None,
) -> list[Outcome]:
    """Ask a model for what the store lacks, let the first judge decide what stays open, and write the outcomes.

    Args:
        sources: folders of published layout, seeds, or generated records.
        out: the outcomes.
        tracks, model, store, parameters, limits, seed: what is asked, of whom, and how. A source without reference
            formalizations is asked for answers alone.
        verdicts: where all judges' verdicts on one sample of the first run go; none are asked for without it.

    Raises:
        DivLogicError: there is nothing to ask, a model cannot be used, or answers are still lacking.
    """
    outcomes: list[Outcome] = []
    sample: list[Judged] = []
    for source in sources:
        tasks = {task.id: task for task in read_tasks(source)}
        for track in tracks:
            questions = prompts(list(tasks.values()), track, parameters.language)[: model.instances]
            if not questions and (track == "answer" or len(tracks) == 1):
                raise DivLogicError(
                    f"{source}: no item can be asked in track {track} and language {parameters.language}; choose"
                    " others."
                )
            runs = model.runs or parameters.runs
            replies = (
                asked(questions, model, store, runs, parameters.sampling, limits, seed) if questions else {}
            )
            for number in range(runs):
                answers = {name: reply for (name, run_), reply in replies.items() if run_ == number}
                open_ = judge_questions(tasks, answers, track, parameters)
                decided = judged(open_, track, parameters, store, limits, seed)
                if number == 0 and verdicts is not None:
                    sample += sampled(open_, track, label_of(model), parameters, store, limits, seed)
                outcomes += [
                    _outcome(
                        tasks[name],
                        answers[name],
                        track,
                        label_of(model),
                        parameters,
                        number,
                        decided.get(name, {}),
                    )
                    for name in sorted(answers)
                ]
    write_jsonl(out, [each.to_json() for each in outcomes])
    if verdicts is not None:
        write_jsonl(verdicts, [each.to_json() for each in sample])
    return outcomes


def score_baselines(
    sources: Annotated[tuple[Path, ...], ARGUMENT, BASE],
    *,
    out: Annotated[Path, "Outcomes (jsonl)."],
    params: EvaluationRun,
) -> None:
    """Score gold, majority verdict and first model on the SOURCES; the gold must pass.

    Raises:
        DivLogicError: the gold as candidate does not score 100 where everything is compared exactly.
    """
    parameters = params.evaluation.llmeval_logic
    outcomes = []
    for source in sources:
        tasks = read_tasks(source)
        by_id = {task.id: task for task in tasks}
        for track in parameters.tracks:
            for name in NAMES:
                for item, reply in sorted(baseline_replies(tasks, name, track).items()):
                    outcome = _outcome(by_id[item], reply, track, f"baseline/{name}", parameters, 0, {})
                    outcomes.append(outcome)
                    if name == "gold" and not _whole(outcome):
                        raise DivLogicError(
                            f"{source}, item {item}: the gold itself does not pass the track {track}"
                            f" ({outcome.problem or 'wrong'}); correct the item."
                        )
    write_jsonl(out, [each.to_json() for each in outcomes])


def tabulate(
    outcomes: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    verdicts: Annotated[tuple[Path, ...], "Verdicts of judges on a sample (jsonl); repeatable."] = (),
    out: Annotated[Path, "Table of scores; `errors` and `agreement` next to it."],
    params: EvaluationRun,
) -> None:
    """Tabulate OUTCOMES: scores with deviation and intervals, errors by kind, agreement of judges."""
    seed, resamples = params.seed, params.evaluation.llmeval_logic.resamples
    read = [
        outcome for path in outcomes for _, outcome in read_as(path, lambda row: Outcome(**row), "an outcome")
    ]
    rows = scores(read, seed=seed, resamples=resamples)
    note = (
        "Percent; mean and sample standard deviation over runs, 95 % bootstrap interval by item. Item accuracy: items"
        " with all sub-questions right. z3: the candidate, executed, answers as the reference; rubric: every atom"
        " passes; rubric_atoms: atoms that pass; both: z3 and rubric on the same item. Replies that cannot be read and"
        " atoms that nobody judged count as wrong."
    )
    write_table(out.with_suffix(""), COLUMNS, rows, note=note, floats=1)
    write_errors(read, out.with_name("errors.csv"))
    found = [each for path in verdicts for _, each in read_as(path, lambda row: Judged(**row), "a verdict")]
    write_agreement(found, out.with_name("agreement.csv"), seed=seed, resamples=resamples)


def _outcome(
    task: Task,
    reply: str,
    track: Track,
    model: str,
    parameters: LLMEvalLogicEvaluationParameters,
    run_number: int,
    decided: Mapping[str, Any],
) -> Outcome:
    if track == "answer":
        fields = score_answers(task, reply, judged=decided or None)
    else:
        assert task.item is not None
        fields = score_formalization(task.item, reply, track, order=parameters.order, judged=decided or None)
    return Outcome(task.benchmark, model, track, parameters.language, run_number, task.id, **fields)


def _whole(outcome: Outcome) -> bool:
    if outcome.track == "answer":
        return outcome.right == outcome.asked or not outcome.judged
    return outcome.z3 and (outcome.rubric or (outcome.track == "formalise_free" and not outcome.judged))


def _name(item: Item) -> str:
    published = item.formalization.licence == EVALUATION_ONLY
    return "llmeval_logic_base" if published else "llmeval_logic_generated_base"


def _holds_items(path: Path) -> bool:
    """Return whether a jsonl file holds items or seeds; else it holds records."""
    from divlogic.io.files import open_bytes

    with open_bytes(path) as stream:
        first = stream.readline()
    try:
        row = orjson.loads(first)
    except orjson.JSONDecodeError:
        return False
    return isinstance(row, dict) and ("item" in row or "premises" in row)
