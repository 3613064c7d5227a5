"""Inspect tasks of closed questions: a sample for each question, scored by how the workflow reads answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    ci,
    metric,
    stderr,
)
from inspect_ai.solver import TaskState

from divlogic.errors import DivLogicError, nearest
from divlogic.models.answers import FormOf, Labels, Letters, format_of
from divlogic.models.asking import Choose, read_questions
from divlogic.models.inspect_asking import asking
from divlogic.models.inspecting import find_data, sample_of
from divlogic.models.outcome import is_final
from divlogic.models.parameters import SamplingParameters
from divlogic.models.predictions import LOST, Status
from divlogic.models.requests import ClosedQuestion
from divlogic.models.styles import CLOSED

SEED = 20260101
"""Seed of the draw of examples, if none is given."""


def closed_task(
    scorer: Scorer,
    sampling: SamplingParameters,
    *,
    data: str,
    pool: str,
    prompt: str,
    prompts: Collection[str] = tuple(CLOSED),
    instances: int | None,
    seed: int,
    name: str | None = None,
    thinking: bool = False,
    form_of: FormOf = format_of,
    choose: Choose | None = None,
    reasoning_tokens: int | None = None,
) -> Task:
    """Return the task that asks the records of a file once each, in their own order of options.

    Most arguments are as of :func:`task_of` and :func:`~divlogic.models.asking.read_questions`. ``prompts`` are known,
    and ``reasoning_tokens`` the longest answer of a style that lets the model think first.
    """
    if prompt not in prompts:
        raise DivLogicError(f"unknown prompt '{prompt}'; {nearest(prompt, prompts)}")
    if CLOSED[prompt].reasoning and reasoning_tokens:
        sampling = sampling.model_copy(update={"max_tokens": reasoning_tokens})
    questions = read_questions(
        find_data(data, "data"),
        find_data(pool, "pool") if CLOSED[prompt].has_examples else None,
        prompts=[prompt],
        instances=instances,
        seed=seed,
        form_of=form_of,
        choose=choose,
    )
    return task_of(questions, scorer, sampling, data=data, name=name, thinking=thinking)


def task_of(
    questions: Iterable[ClosedQuestion],
    scorer: Scorer,
    sampling: SamplingParameters,
    *,
    data: str,
    name: str | None = None,
    thinking: bool = False,
) -> Task:
    """Return the task that asks questions, one at least, of one benchmark in one prompt style.

    The scores come from :func:`score_closed`; options of Inspect's command line come before ``sampling``.
    """
    asked, samples = list(questions), []
    for question in asked:
        sample = sample_of(question)
        sample["metadata"] |= {
            "names": list(question.form.names),
            "letters": isinstance(question.form, Letters),
            "options": list(question.options),
            "depth": question.depth,
            "quartet": question.metadata.get("quartet"),
        }
        samples.append(Sample(**sample))
    prompt = asked[0].prompt
    return Task(
        dataset=MemoryDataset(
            samples, name=f"{name or asked[0].benchmark}-{prompt}", location=data
        ),
        solver=asking(sampling, thinking=thinking),
        scorer=scorer,
        version="2",
        metadata={"prompt": prompt, "sampling": sampling.model_dump(exclude_none=True)},
    )


async def score_closed(state: TaskState, target: Target) -> Score:
    """Score a reply 1 if it names the right answer and no other, else 0; a refusal names none."""
    about, output = state.metadata, state.output
    names = tuple(about["names"])
    form = Letters(len(names)) if about["letters"] else Labels(names)
    status = status_of(output)
    answer = None
    if status != "refused":
        answer = form.read(output.completion, tuple(about["options"]))
    unread = "no_response" if status == "unanswered" else "invalid_response_format"
    return Score(
        value=1 if answer == target.text else 0,
        answer=answer,
        explanation=output.completion,
        reason=None if answer else unread,
        metadata={"gold": target.text, "status": status, "cut": status == "cut"},
    )


def status_of(output: Any) -> Status:
    """Return what keeps a reply from being an answer that ended by itself; empty where nothing does."""
    if output.stop_reason == "content_filter":
        return "refused"
    if output.stop_reason == "max_tokens":
        return "cut"
    return "" if is_final(output.completion, str(output.stop_reason)) else "unanswered"


def share_named(status: Status) -> Metric:
    """Return the metric of the share of replies that were ``refused``, ``cut`` or ``unanswered``."""

    def compute(scores: list[SampleScore]) -> float:
        found = [(one.score.metadata or {}).get("status") for one in scores]
        return found.count(status) / len(found)

    return metric_named(f"answers_{status}", compute)


def with_errors() -> list[Metric]:
    """Return the metrics of every task: accuracy with its standard error and interval, by clusters of questions that
    belong together, and the shares of replies that are no answers."""
    clustered = [accuracy(), stderr(cluster="cluster"), ci(cluster="cluster")]
    return [*clustered, *map(share_named, LOST)]


def metric_named(name: str, compute: Callable[[list[SampleScore]], float]) -> Metric:
    """Return the metric that a function of the samples' scores is, under a name; of no sample it is nan."""

    # Inspect tells by the annotation that this takes the scores of samples.
    def computed(scores: list[SampleScore]) -> float:
        return compute(scores) if scores else float("nan")

    return metric(name=name)(lambda: computed)()


def about(score: SampleScore) -> dict[str, Any]:
    """Return what a sample's metadata say."""
    return score.sample_metadata or {}
