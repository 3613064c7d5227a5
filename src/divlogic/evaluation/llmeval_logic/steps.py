"""The steps: ask a model and score its replies, score the baselines, tabulate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from divlogic.benchmarks.llmeval_logic.schema import EVALUATION_ONLY, Item
from divlogic.benchmarks.llmeval_logic.verify import read_any
from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic.baselines import NAMES, baseline_replies
from divlogic.evaluation.llmeval_logic.questions import (
    OpenQuestion,
    Task,
    Track,
    prompts,
    task_of_item,
    task_of_record,
)
from divlogic.evaluation.llmeval_logic.replies import UnreadableError, read_answers
from divlogic.evaluation.llmeval_logic.rubrics import (
    Agreement,
    AtomVerdict,
    JudgeQuestion,
    agreement,
    judge_question,
)
from divlogic.evaluation.llmeval_logic.scoring import (
    Outcome,
    read_formal,
    score_answers,
    score_formalization,
    scores,
)
from divlogic.evaluation.parameters import LLMEvalLogicEvaluationParameters
from divlogic.io.files import read_as, write_csv, write_jsonl
from divlogic.io.log import say
from divlogic.io.tables import write_table
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import label_of, requests_of
from divlogic.models.runner import run_model
from divlogic.models.store import ResponseStore, read_responses
from divlogic.records import read_records

COLUMNS = (
    *("benchmark", "track", "language", "model", "metric", "items", "runs"),
    *("score", "sd", "low", "high", "unreadable", "not_judged"),
)


def read_tasks(source: Path) -> list[Task]:
    """Return the tasks of a folder of published layout, of seeds, or of a file of generated records.

    Raises:
        DivLogicError: the source is missing or of another form.
    """
    if source.is_dir() or _holds_items(source):
        items, problems = read_any(source)
        for problem in problems:
            say(f"left out: {problem}")
        return [task_of_item(item, _name(item)) for item in items]
    return [task_of_record(record) for record in read_records(source)]


def run(
    source: Path,
    out: Path,
    *,
    track: Track,
    model: ModelParameters,
    store: Path,
    parameters: LLMEvalLogicEvaluationParameters,
    limits: LimitParameters,
    seed: int,
) -> list[Outcome]:
    """Ask a model for what the store lacks, let the first judge decide what stays open, and write the outcomes.

    Raises:
        DivLogicError: there is nothing to ask, a model cannot be used, or answers are still lacking.
    """
    tasks = {task.id: task for task in read_tasks(source)}
    questions = prompts(list(tasks.values()), track, parameters.language)
    if not questions:
        raise DivLogicError(
            f"{source}: no item can be asked in track {track} and language {parameters.language}; choose others."
        )
    runs = model.runs or parameters.runs
    replies = _asked(questions, model, store, runs, parameters.sampling, limits, seed)
    outcomes = []
    for number in range(runs):
        said = {name: reply for (name, run_), reply in replies.items() if run_ == number}
        judged = _judged(tasks, said, track, parameters, store, limits, seed)
        outcomes += [
            _outcome(
                tasks[name], said[name], track, label_of(model), parameters, number, judged.get(name, {})
            )
            for name in sorted(said)
        ]
    write_jsonl(out, [each.to_json() for each in outcomes])
    return outcomes


def score_baselines(
    sources: Sequence[Path], out: Path, parameters: LLMEvalLogicEvaluationParameters
) -> list[Outcome]:
    """Score the baselines on every source and track; write their outcomes.

    Raises:
        DivLogicError: the gold as candidate does not score 100 where everything is compared exactly.
    """
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
    return outcomes


def tabulate(files: Iterable[Path], out: Path, *, seed: int, resamples: int) -> list[dict[str, Any]]:
    """Write the table of scores of outcome files.

    Raises:
        DivLogicError: a file is missing, or a row is no outcome.
    """
    outcomes = [
        outcome for path in files for _, outcome in read_as(path, lambda row: Outcome(**row), "an outcome")
    ]
    rows = scores(outcomes, seed=seed, resamples=resamples)
    note = (
        "Percent; mean and sample standard deviation over runs, 95 % bootstrap interval by item. Item accuracy: items"
        " with all sub-questions right. z3: the candidate, executed, answers as the reference; rubric: every atom"
        " passes; rubric_atoms: atoms that pass; both: z3 and rubric on the same item. Replies that cannot be read and"
        " atoms that nobody judged count as wrong."
    )
    write_table(out.with_suffix(""), COLUMNS, rows, note=note, floats=1)
    return rows


def write_agreement(rows: Sequence[Agreement], out: Path) -> None:
    """Write the agreement of judges, one row per pair."""
    columns = ("first", "second", "atoms", "raw", "kappa", "low", "high", "band")
    write_csv(out, columns, [[_cell(getattr(row, name)) for name in columns] for row in rows])


def judge_agreement(
    judged: Mapping[str, Mapping[str, Sequence[AtomVerdict]]], *, seed: int, resamples: int
) -> list[Agreement]:
    """Return how judges agree on the atoms that they judged, by judge and item."""
    flat = {
        judge: {
            (item, each.atom): each.verdict == "pass"
            for item, verdicts in items.items()
            for each in verdicts
            if each.verdict != "open"
        }
        for judge, items in judged.items()
    }
    return agreement(flat, seed=seed, resamples=resamples)


def _asked(
    questions: Sequence[Any],
    model: ModelParameters,
    store: Path,
    runs: int,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
) -> dict[tuple[str, int], str]:
    with ResponseStore(store) as opened:
        done = run_model(questions, model, opened, runs=runs, sampling=sampling, limits=limits, seed=seed)
    say(f"{label_of(model)}: {done.sentence()}")
    done.require_all(store, label_of(model))
    responses, _ = read_responses(store)
    found = {}
    for request in requests_of(questions, model, runs, sampling):
        response = request.stored(responses)
        if response is not None:
            found[request.question.instance, request.run] = response.answer
    return found


def _judged(
    tasks: Mapping[str, Task],
    replies: Mapping[str, str],
    track: Track,
    parameters: LLMEvalLogicEvaluationParameters,
    store: Path,
    limits: LimitParameters,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """Return the first judge's verdicts by item; empty without judges."""
    if not parameters.judges:
        return {}
    questions: list[JudgeQuestion] = []
    for name, reply in sorted(replies.items()):
        question = (
            _answer_judge(tasks[name], reply)
            if track == "answer"
            else _rubric_judge(tasks[name], reply, track, parameters)
        )
        if question is not None:
            questions.append(question)
    if not questions:
        return {}
    said = _asked(questions, parameters.judges[0], store, 1, parameters.judge_sampling, limits, seed)
    found: dict[str, dict[str, Any]] = {}
    for question in questions:
        given = question.verdicts(said.get((question.instance, 0), ""))
        if track == "answer":
            found[question.instance] = {
                each.atom: each.verdict == "pass" for each in given if each.verdict != "open"
            }
        else:
            found[question.instance] = {each.atom: each for each in given}
    return found


def _rubric_judge(
    task: Task, reply: str, track: Track, parameters: LLMEvalLogicEvaluationParameters
) -> JudgeQuestion | None:
    assert task.item is not None
    try:
        found = read_formal(task.item, reply, track, order=parameters.order)
    except UnreadableError:
        return None
    wanted = {each.atom for each in found.verdicts if each.verdict == "open"}
    atoms = [atom for atom in task.item.rubric.atoms if atom.id in wanted] if task.item.rubric else []
    return judge_question(task.item, found.theory, atoms, task.benchmark) if atoms else None


def _answer_judge(task: Task, reply: str) -> JudgeQuestion | None:
    """Return the prompt that asks whether free answers say what the references say."""
    open_questions = [question for question in task.questions if not question.exact]
    if not open_questions:
        return None
    try:
        given = read_answers(reply, [question.id for question in open_questions])
    except UnreadableError:
        return None
    from divlogic.models.answers import Rubric

    points = [
        f"问题：{question.text.zh}\n参考答案：{question.answer}\n回答：{given[question.id]}"
        for question in open_questions
    ]
    form = Rubric(len(points))
    text = (
        "判断每个回答与参考答案的意思是否完全一致；多答、漏答或条件不同都算不一致。\n\n"
        + "\n".join(form.listing(points))
        + f"\n\n{form.instruction()}"
    )
    ids = tuple(question.id for question in open_questions)
    return JudgeQuestion(OpenQuestion(task.benchmark, task.id, text), ids)


def _outcome(
    task: Task,
    reply: str,
    track: Track,
    model: str,
    parameters: LLMEvalLogicEvaluationParameters,
    run_number: int,
    judged: Mapping[str, Any],
) -> Outcome:
    if track == "answer":
        fields = score_answers(task, reply, judged=judged or None)
    else:
        assert task.item is not None
        fields = score_formalization(task.item, reply, track, order=parameters.order, judged=judged or None)
    return Outcome(task.benchmark, model, track, parameters.language, run_number, task.id, **fields)


def _whole(outcome: Outcome) -> bool:
    if outcome.track == "answer":
        return outcome.right == outcome.asked or not outcome.judged
    return outcome.z3 and (outcome.rubric or (outcome.track == "formalise_free" and not outcome.judged))


def _name(item: Item) -> str:
    published = item.formalization.licence == EVALUATION_ONLY
    return "llmeval_logic_base" if published else "llmeval_logic_generated_base"


def _holds_items(path: Path) -> bool:
    """Tell whether a jsonl file holds items or seeds; else it holds records."""
    from divlogic.io.files import open_bytes

    with open_bytes(path) as stream:
        first = stream.readline()
    try:
        row = orjson.loads(first)
    except orjson.JSONDecodeError:
        return False
    return isinstance(row, dict) and ("item" in row or "premises" in row)


def _cell(value: Any) -> Any:
    return f"{value:.3f}" if isinstance(value, float) else value
