"""The steps: ask a model and score its replies, score the baselines, tabulate."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import orjson

from divlogic.benchmarks.llmeval_logic.published import read_published
from divlogic.benchmarks.llmeval_logic.schema import EVALUATION_ONLY, Item, read_items
from divlogic.config.command import ARGUMENT, BASE
from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic import judging
from divlogic.evaluation.llmeval_logic.baselines import NAMES, baseline_replies
from divlogic.evaluation.llmeval_logic.questions import (
    Task,
    Track,
    prompts,
    task_of_hard,
    task_of_item,
    task_of_record,
)
from divlogic.evaluation.llmeval_logic.rubrics import AtomVerdict
from divlogic.evaluation.llmeval_logic.scoring import ReplyOutcome, errors, score, scores
from divlogic.evaluation.parameters import EvaluationRun, LLMEvalLogicEvaluationParameters
from divlogic.io.files import open_bytes, read_as, write_jsonl
from divlogic.io.log import say
from divlogic.io.tables import declared_tables
from divlogic.models.asking import AskingOptions
from divlogic.models.requests import label_of
from divlogic.records import Record, read_records

TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))


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
    parameters = params.evaluation.llmeval_logic
    model = given.model(parameters.models)
    asking = judging.Asking(parameters, given.store, given.limits(params.evaluation.limits), params.seed)
    label, runs = label_of(model), model.runs or parameters.runs
    tracks = tracks or tuple(parameters.tracks)
    outcomes: list[ReplyOutcome] = []
    sample: list[judging.Judged] = []
    for source in sources:
        tasks = {task.id: task for task in read_tasks(source)}
        for track in tracks:
            questions = prompts(list(tasks.values()), track, parameters.language)[: model.instances]
            if not questions:
                # A source without reference formalizations is asked for answers alone.
                if track == "answer" or len(tracks) == 1:
                    raise DivLogicError(
                        f"{source}: no item can be asked in track {track} and language {parameters.language}; choose"
                        " others."
                    )
                continue
            replies = asking.replies(questions, model, runs, parameters.sampling)
            for number in range(runs):
                answers = {name: reply for (name, run), reply in replies.items() if run == number}
                still_open = judging.judge_questions(tasks, answers, track, parameters)
                decided = judging.judged(still_open, asking)
                if number == 0 and verdicts is not None:
                    sample += judging.sampled(still_open, track, label, asking)
                outcomes += [
                    _outcome(tasks[name], reply, track, label, parameters, number, decided.get(name, ()))
                    for name, reply in sorted(answers.items())
                ]
    write_jsonl(out, outcomes)
    if verdicts is not None:
        write_jsonl(verdicts, sample)


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
                    outcome = _outcome(by_id[item], reply, track, f"baseline/{name}", parameters)
                    outcomes.append(outcome)
                    if name == "gold" and not _whole(outcome):
                        raise DivLogicError(
                            f"{source}, item {item}: the gold itself does not pass the track {track}"
                            f" ({outcome.problem or 'wrong'}); correct the item."
                        )
    write_jsonl(out, outcomes)


def tabulate(
    outcomes: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    verdicts: Annotated[tuple[Path, ...], "Verdicts of judges on a sample (jsonl); repeatable."] = (),
    out: Annotated[Path, "Table of scores; `errors` and `agreement` next to it."],
    params: EvaluationRun,
) -> None:
    """Tabulate OUTCOMES: scores with deviation and intervals, errors by kind, agreement of judges."""
    drawn = {"seed": params.seed, "resamples": params.evaluation.llmeval_logic.resamples}
    read = [
        outcome
        for path in outcomes
        for _, outcome in read_as(path, lambda row: ReplyOutcome(**row), "an outcome")
    ]
    given = [
        each for path in verdicts for _, each in read_as(path, lambda row: judging.Judged(**row), "a verdict")
    ]
    folder = out.parent
    TABLES["scores"].write(out.with_suffix(""), scores(read, **drawn))
    TABLES["errors"].write(folder / "errors", errors(read))
    TABLES["agreement"].write(folder / "agreement", judging.agreement_rows(given, **drawn))


def _outcome(
    task: Task,
    reply: str,
    track: Track,
    model: str,
    parameters: LLMEvalLogicEvaluationParameters,
    run: int = 0,
    decided: Sequence[AtomVerdict] = (),
) -> ReplyOutcome:
    fields = score(task, reply, track, parameters.order, decided)
    return ReplyOutcome(task.benchmark, model, track, parameters.language, run, task.id, **fields)


def _whole(outcome: ReplyOutcome) -> bool:
    if outcome.track == "answer":
        return outcome.right == outcome.asked or not outcome.judged
    return outcome.z3 and (outcome.rubric or (outcome.track == "formalise_free" and not outcome.judged))


def _name(item: Item) -> str:
    published = item.formalization.licence == EVALUATION_ONLY
    return "llmeval_logic_base" if published else "llmeval_logic_generated_base"


def _holds_items(path: Path) -> bool:
    """Return whether a jsonl file holds items or seeds; else it holds records."""
    with open_bytes(path) as stream, suppress(orjson.JSONDecodeError):
        row = orjson.loads(stream.readline())
        return isinstance(row, dict) and ("item" in row or "premises" in row)
    return False
