"""Judges: the first decides what stays open; on one seeded sample all do, and their agreement is measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from divlogic.draws import Draws
from divlogic.evaluation.llmeval_logic.asking import asked
from divlogic.evaluation.llmeval_logic.questions import OpenQuestion, Task, Track
from divlogic.evaluation.llmeval_logic.replies import UnreadableError, read_answers, same_text
from divlogic.evaluation.llmeval_logic.rubrics import JudgeQuestion, agreement, judge_question
from divlogic.evaluation.llmeval_logic.scoring import read_formal
from divlogic.evaluation.parameters import LLMEvalLogicEvaluationParameters
from divlogic.io.tables import write_table
from divlogic.models.answers import Rubric
from divlogic.models.parameters import LimitParameters
from divlogic.models.requests import label_of

COLUMNS = (
    *("benchmark", "track", "first", "second", "atoms", "raw", "unanimous", "kappa", "low", "high", "band"),
)
NOTE = (
    "Pairs of judges on one sample of items, drawn by the run's seed. atoms: rubric atoms or sub-questions that both"
    " decided. raw: share of equal verdicts; unanimous: share on which all judges agree. kappa: Cohen's, with a 95 %"
    " bootstrap interval that draws items with all their atoms; undefined where neither judge ever differs from itself."
    " band: Landis and Koch 1977."
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One judge's verdict on one rubric atom or sub-question of one reply."""

    benchmark: str
    track: str
    model: str
    judge: str
    item: str
    atom: str
    passed: bool

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as a JSON object."""
        return asdict(self)


def judge_questions(
    tasks: Mapping[str, Task],
    replies: Mapping[str, str],
    track: Track,
    parameters: LLMEvalLogicEvaluationParameters,
) -> list[JudgeQuestion]:
    """Return a prompt for every reply of which something stays open, in the order of the items."""
    found = (
        _answer_judge(tasks[name], reply)
        if track == "answer"
        else _rubric_judge(tasks[name], reply, track, parameters)
        for name, reply in sorted(replies.items())
    )
    return [question for question in found if question is not None]


def judged(
    questions: Sequence[JudgeQuestion],
    track: Track,
    parameters: LLMEvalLogicEvaluationParameters,
    store: Path,
    limits: LimitParameters,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """Return the first judge's verdicts by item; empty without judges."""
    if not parameters.judges or not questions:
        return {}
    replies = asked(questions, parameters.judges[0], store, 1, parameters.judge_sampling, limits, seed)
    found: dict[str, dict[str, Any]] = {}
    for question in questions:
        given = question.verdicts(replies.get((question.instance, 0), ""))
        if track == "answer":
            found[question.instance] = {
                each.atom: each.verdict == "pass" for each in given if each.verdict != "open"
            }
        else:
            found[question.instance] = {each.atom: each for each in given}
    return found


def sampled(
    questions: Sequence[JudgeQuestion],
    track: Track,
    model: str,
    parameters: LLMEvalLogicEvaluationParameters,
    store: Path,
    limits: LimitParameters,
    seed: int,
) -> list[Judged]:
    """Ask every judge about the same sample of prompts; with fewer than two judges there is nothing to compare."""
    if len(parameters.judges) < 2 or not questions:
        return []
    order = Draws(seed, len(questions)).shuffled(list(questions))[: parameters.judge_sample]
    rows = []
    for judge in parameters.judges:
        replies = asked(order, judge, store, 1, parameters.judge_sampling, limits, seed)
        for question in order:
            rows += [
                Judged(
                    question.benchmark,
                    track,
                    model,
                    label_of(judge),
                    question.instance,
                    each.atom,
                    each.verdict == "pass",
                )
                for each in question.verdicts(replies.get((question.instance, 0), ""))
                if each.verdict != "open"
            ]
    return rows


def write_agreement(rows: Iterable[Judged], out: Path, *, seed: int, resamples: int) -> list[dict[str, Any]]:
    """Write how judges agree, one row per benchmark, track and pair of judges; without judges no row."""
    groups: dict[tuple[str, str], dict[str, dict[tuple[str, str], bool]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for row in rows:
        # Replies of two models to one item are one cluster, and their atoms are not the same.
        groups[row.benchmark, row.track][row.judge][row.item, f"{row.model} {row.atom}"] = row.passed
    table = []
    for (benchmark, track), verdicts in sorted(groups.items()):
        shared = set.intersection(*(set(each) for each in verdicts.values()))
        same = sum(len({each[key] for each in verdicts.values()}) == 1 for key in shared)
        table += [
            {
                **asdict(pair),
                "benchmark": benchmark,
                "track": track,
                "unanimous": same / len(shared) if shared else None,
            }
            for pair in agreement(verdicts, seed=seed, resamples=resamples)
        ]
    write_table(out.with_suffix(""), COLUMNS, table, note=NOTE, floats=3)
    return table


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
    free = [question for question in task.questions if not question.exact]
    try:
        given = read_answers(reply, [question.id for question in free])
    except UnreadableError:
        return None
    open_questions = [question for question in free if not same_text(given[question.id], question.answer)]
    if not open_questions:
        return None
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
