"""Inspect tasks: ``inspect eval divlogic/llmeval_logic_answer --model ...``, ``.../llmeval_logic_formalise``.

They ask the prompts of :mod:`~divlogic.evaluation.llmeval_logic.questions` and score by the functions of the workflow.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Literal

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic import judging, questions, scoring, steps
from divlogic.evaluation.llmeval_logic.questions import Language, Track
from divlogic.evaluation.llmeval_logic.scoring import COUNTS, METRICS, AtomVerdict, ReplyOutcome
from divlogic.evaluation.parameters import LLMEvalLogicEvaluationParameters
from divlogic.library.write import drawn_file
from divlogic.models.inspect_asking import Asker, ask_judge, asking
from divlogic.models.inspecting import find_data, shown_errors
from divlogic.models.tasks import metric_named, status_of, with_errors


@task
@shown_errors()
def llmeval_logic_answer(
    data: str = "data/benchmarks/llmeval_logic/hard.jsonl",
    language: Language = "zh",
    judge: str | None = None,
    instances: int | None = None,
    seed: int = 0,
    size: int | None = None,
    level: int | None = None,
) -> Task:
    """Answers as JSON, compared exactly; free text of the published sets by a judge.

    Args:
        data: records or seeds (jsonl), or a folder of published layout.
        language: ``zh`` or ``en``; published items have ``zh`` only.
        judge: model that compares free text; without one it counts as wrong and as not judged.
        instances: ask only the first ones.
        seed, size, level: a fresh set of that many items and of that level is drawn, and no file is read.
    """
    data = drawn_file("llmeval_logic", data, size=size, seed=seed, level=level)
    return _task(data, "answer", language, judge, instances)


@task
@shown_errors()
def llmeval_logic_formalise(
    data: str = "data/benchmarks/llmeval_logic/base.jsonl",
    symbols: Literal["free", "fixed"] = "fixed",
    language: Language = "zh",
    judge: str | None = None,
    instances: int | None = None,
) -> Task:
    """Formalizations, executed (z3) and held against the rubric.

    Args:
        data: items with reference formalizations: records of the split ``base``, seeds, a folder of published layout.
        symbols: ``fixed``: the reference's symbols and glosses are given; ``free``: the model declares its own.
        language: ``zh`` or ``en``; published items have ``zh`` only.
        judge: model that decides the rubric atoms that stay open; without one they do not pass.
        instances: ask only the first ones.
    """
    track: Track = "formalise_free" if symbols == "free" else "formalise_fixed"
    return _task(data, track, language, judge, instances)


def _outcome(sample: SampleScore) -> ReplyOutcome:
    noted = {**(sample.score.metadata or {})}
    noted.pop("status", None)
    return ReplyOutcome(**noted)


def _share(name: str) -> Metric:
    """Return the metric that puts what is right in all outcomes over what there is, in percent."""

    def compute(scores: list[SampleScore]) -> float:
        pairs = [COUNTS[name](_outcome(sample)) for sample in scores]
        total = sum(weight for _, weight in pairs)
        return 100.0 * sum(right for right, _ in pairs) / total if total else float("nan")

    return metric_named(name, compute)


def _scorer(
    track: Track,
    tasks: dict[str, questions.Task],
    judge: str | None,
    settings: LLMEvalLogicEvaluationParameters,
) -> Scorer:
    """Return the scorer of a track; an item is right where the track's main count is."""
    name, main, metrics = "answer_scorer", "item_accuracy", METRICS["answer"]
    if track != "answer":
        name, main, metrics = "formalisation_scorer", "both", METRICS["formalise_fixed"]
    asker = Asker(settings.judge_sampling)

    async def score(state: TaskState, target: Target) -> Score:
        asked = tasks[str(state.sample_id)]
        status = status_of(state.output)
        reply = "" if status == "refused" else state.output.completion
        decided: list[AtomVerdict] = []
        if judge is not None:
            tasked, replied = {asked.id: asked}, {asked.id: reply}
            for question in judging.judge_questions(tasked, replied, track, settings):
                said = await ask_judge(asker, get_model(judge), question.input)
                decided = question.verdicts(said)
        outcome = scoring.score(asked, reply, track, settings, judged=decided)
        unread = "no_response" if status == "unanswered" else "invalid_response_format"
        return Score(
            value=int(COUNTS[main](outcome)[0]),
            answer=state.output.completion,
            explanation=outcome.problem or None,
            reason=unread if outcome.problem else None,
            metadata={**asdict(outcome), "status": status},
        )

    # Inspect writes a scorer's arguments into every sample; this one has none there.
    shares = [_share(each) for each in (*metrics, "replies_read", "judged")]
    return scorer(metrics=[*with_errors(), *shares], name=name)(lambda: score)()


def _task(
    data: str, track: Track, language: Language, judge: str | None, instances: int | None
) -> Task:
    parameters = LLMEvalLogicEvaluationParameters(language=language)
    source = Path(data) if Path(data).is_dir() else find_data(data, "data")
    tasks = {each.id: each for each in steps.read_tasks(source)}
    worded = questions.prompts(list(tasks.values()), track, language)[:instances]
    if not worded:
        raise DivLogicError(
            f"{data}: no item can be asked in track {track} and language {language}; choose another file or language."
        )
    samples = [
        Sample(
            id=one.instance,
            input=one.input,
            metadata={"benchmark": one.benchmark, "cluster": one.instance},
        )
        for one in worded
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"llmeval_logic-{track}-{language}", location=data),
        solver=asking(parameters.sampling),
        scorer=_scorer(track, tasks, judge, parameters),
        version="2",
        metadata={"track": track, "language": language},
    )
