"""Inspect tasks of closed questions: a sample for each question, scored by how the workflow reads answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric
from inspect_ai.solver import TaskState, generate

from divlogic.errors import DivLogicError, nearest
from divlogic.models.answers import FormOf, Labels, Letters, format_of
from divlogic.models.asking import Choose, read_questions
from divlogic.models.inspecting import find_data, generate_config, sample_of
from divlogic.models.parameters import SamplingParameters
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
        dataset=MemoryDataset(samples, name=f"{name or asked[0].benchmark}-{prompt}", location=data),
        solver=generate(),
        scorer=scorer,
        config=generate_config(sampling, thinking=thinking),
        version="1",
        metadata={"prompt": prompt},
    )


async def score_closed(state: TaskState, target: Target) -> Score:
    """Score a reply 1 if it names the right answer and no other, else 0."""
    about, completion = state.metadata, state.output.completion
    names = tuple(about["names"])
    form = Letters(len(names)) if about["letters"] else Labels(names)
    answer = form.read(completion, tuple(about["options"]))
    return Score(
        value=1 if answer == target.text else 0,
        answer=answer,
        explanation=completion,
        reason=None if answer else ("invalid_response_format" if completion.strip() else "no_response"),
        metadata={"gold": target.text, "cut": state.output.stop_reason == "max_tokens"},
    )


def metric_named(name: str, compute: Callable[[list[SampleScore]], float]) -> Metric:
    """Return the metric that a function of the samples' scores is, under a name; of no sample it is nan."""

    # Inspect tells by the annotation that this takes the scores of samples.
    def computed(scores: list[SampleScore]) -> float:
        return compute(scores) if scores else float("nan")

    return metric(name=name)(lambda: computed)()


def about(score: SampleScore) -> dict[str, Any]:
    """Return what a sample's metadata say."""
    return score.sample_metadata or {}
