"""Inspect tasks: ``inspect eval divlogic/llmeval_logic_answer --model ...``, ``.../llmeval_logic_formalise``.

They ask the prompts of :mod:`~divlogic.evaluation.llmeval_logic.questions` and score by the functions of the workflow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState, generate

from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic import questions, steps
from divlogic.evaluation.llmeval_logic.judging import judge_questions
from divlogic.evaluation.llmeval_logic.questions import Language, Track, prompts
from divlogic.evaluation.llmeval_logic.scoring import score_answers, score_formalization
from divlogic.evaluation.parameters import LLMEvalLogicEvaluationParameters
from divlogic.models.inspecting import find_data, generate_config, shown_errors

ANSWER_DATA = "data/benchmarks/llmeval_logic/hard.jsonl"
FORMALISE_DATA = "data/benchmarks/llmeval_logic/base.jsonl"
Counts = Callable[[dict[str, Any]], tuple[float, float]]
"""From the fields of an outcome: what is right, and of how much."""


@task
def llmeval_logic_answer(
    data: str = ANSWER_DATA, language: Language = "zh", judge: str | None = None, instances: int | None = None
) -> Task:
    """Answers as JSON, compared exactly; free text of the published sets by a judge.

    Args:
        data: records or seeds (jsonl), or a folder of published layout.
        language: ``zh`` or ``en``; published items have ``zh`` only.
        judge: model that compares free text; without one it counts as wrong and as not judged.
        instances: ask only the first ones.
    """
    with shown_errors():
        return _task(data, "answer", language, judge, instances, answer_scorer)


@task
def llmeval_logic_formalise(
    data: str = FORMALISE_DATA,
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
    with shown_errors():
        track: Track = "formalise_free" if symbols == "free" else "formalise_fixed"
        return _task(data, track, language, judge, instances, formalisation_scorer)


def _share(counts: Counts) -> Metric:
    """Return the metric that puts what is right in all outcomes over what there is, in percent."""

    # Inspect tells by the annotation that this takes the scores of samples.
    def compute(scores: list[SampleScore]) -> float:
        pairs = [counts(dict(sample.score.metadata or {})) for sample in scores]
        total = sum(weight for _, weight in pairs)
        return 100.0 * sum(right for right, _ in pairs) / total if total else float("nan")

    return compute


@metric
def item_accuracy() -> Metric:
    """Items with all sub-questions right, in percent."""
    return _share(lambda o: (o["asked"] > 0 and o["right"] == o["asked"], 1))


@metric
def sub_question_accuracy() -> Metric:
    """Sub-questions answered right, in percent."""
    return _share(lambda o: (o["right"], o["asked"]))


@metric
def z3() -> Metric:
    """Candidates that, executed, answer as the reference, in percent."""
    return _share(lambda o: (o["z3"], 1))


@metric
def rubric() -> Metric:
    """Candidates that pass every rubric atom, in percent."""
    return _share(lambda o: (o["rubric"], 1))


@metric
def both() -> Metric:
    """Candidates that do both, in percent."""
    return _share(lambda o: (o["z3"] and o["rubric"], 1))


@metric
def rubric_atoms() -> Metric:
    """Rubric atoms that pass, in percent."""
    return _share(lambda o: (o["passed"], o["atoms"]))


@metric
def replies_read() -> Metric:
    """Replies that could be read, in percent."""
    return _share(lambda o: (not o["problem"], 1))


@metric
def judged() -> Metric:
    """Readable replies of which nothing stayed open, in percent."""
    return _share(lambda o: (not o["problem"] and o["judged"], not o["problem"]))


@scorer(metrics=[item_accuracy(), sub_question_accuracy(), replies_read(), judged()])
def answer_scorer(
    tasks: dict[str, questions.Task], track: Track, judge: str | None, parameters: dict[str, Any]
) -> Scorer:
    """Right or wrong by item; the metrics count sub-questions too."""

    async def score(state: TaskState, target: Target) -> Score:
        asked, completion = tasks[str(state.sample_id)], state.output.completion
        decided = await _decided(asked, completion, track, judge, parameters)
        fields = {
            "problem": "",
            "judged": True,
            "right": 0,
            **score_answers(asked, completion, judged=decided or None),
        }
        return _score(fields, fields["right"] == fields["asked"], completion)

    return score


@scorer(metrics=[z3(), rubric(), both(), rubric_atoms(), replies_read(), judged()])
def formalisation_scorer(
    tasks: dict[str, questions.Task], track: Track, judge: str | None, parameters: dict[str, Any]
) -> Scorer:
    """Whether execution and rubric both pass; the metrics have each by itself."""
    order = LLMEvalLogicEvaluationParameters(**parameters).order

    async def score(state: TaskState, target: Target) -> Score:
        item, completion = tasks[str(state.sample_id)].item, state.output.completion
        assert item is not None  # prompts leaves out what has no reference
        decided = await _decided(tasks[str(state.sample_id)], completion, track, judge, parameters)
        unread = {"problem": "", "judged": True, "z3": False, "rubric": False, "passed": 0}
        fields = {
            **unread,
            **score_formalization(item, completion, track, order=order, judged=decided or None),
        }
        return _score(fields, fields["z3"] and fields["rubric"], completion)

    return score


async def _decided(
    asked: questions.Task, completion: str, track: Track, judge: str | None, parameters: dict[str, Any]
) -> dict[str, Any]:
    """Return the judge's verdicts on what stays open; none without a judge."""
    if judge is None:
        return {}
    settings = LLMEvalLogicEvaluationParameters(**parameters)
    for question in judge_questions({asked.id: asked}, {asked.id: completion}, track, settings):
        reply = await get_model(judge).generate(
            question.input, config=generate_config(settings.judge_sampling)
        )
        given = question.verdicts(reply.completion)
        if track == "answer":
            return {each.atom: each.verdict == "pass" for each in given if each.verdict != "open"}
        return {each.atom: each for each in given}
    return {}


def _score(fields: dict[str, Any], passed: bool, completion: str) -> Score:
    reason = (
        "no_response" if not completion.strip() else "invalid_response_format" if fields["problem"] else None
    )
    return Score(
        value=1 if passed else 0,
        answer=completion,
        explanation=fields["problem"] or None,
        reason=reason,
        metadata=fields,
    )


def _task(
    data: str,
    track: Track,
    language: Language,
    judge: str | None,
    instances: int | None,
    scored: Callable[..., Scorer],
) -> Task:
    parameters = LLMEvalLogicEvaluationParameters(language=language)
    source = Path(data) if Path(data).is_dir() else find_data(data, "data")
    tasks = {each.id: each for each in steps.read_tasks(source)}
    worded: Sequence[questions.OpenQuestion] = prompts(list(tasks.values()), track, language)[:instances]
    if not worded:
        raise DivLogicError(
            f"{data}: no item can be asked in track {track} and language {language}; choose another file or language."
        )
    samples = [
        Sample(id=each.instance, input=each.input, metadata={"benchmark": each.benchmark}) for each in worded
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"llmeval_logic-{track}-{language}", location=data),
        solver=generate(),
        scorer=scored(tasks, track, judge, parameters.model_dump()),
        config=generate_config(parameters.sampling),
        version="1",
        metadata={"track": track, "language": language},
    )
