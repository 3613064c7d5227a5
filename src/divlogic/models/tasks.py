"""Inspect tasks of closed questions: a sample for each question, scored by how the workflow reads answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import SampleScore, Score, Scorer, Target
from inspect_ai.solver import TaskState, generate

from divlogic.models.answers import Labels, Letters
from divlogic.models.inspecting import generate_config
from divlogic.models.parameters import SamplingParameters
from divlogic.models.requests import ClosedQuestion

SEED = 20260101
"""Seed of the draw of examples, if none is given."""


def task_of(
    questions: Iterable[ClosedQuestion],
    scorer: Scorer,
    sampling: SamplingParameters,
    *,
    data: str,
    name: str | None = None,
    thinking: bool = False,
) -> Task:
    """Return the task that asks questions of one benchmark in one prompt style.

    Args:
        questions: at least one.
        scorer: its scores come from :func:`score_closed`.
        sampling: of the section; options of Inspect's command line come before it.
        data: where the questions come from.
        name: of the benchmark; by default that of the questions.
        thinking: whether the model thinks first and needs longer answers.
    """
    asked = list(questions)
    prompt = asked[0].prompt
    return Task(
        dataset=MemoryDataset(
            [_sample(question) for question in asked],
            name=f"{name or asked[0].benchmark}-{prompt}",
            location=data,
        ),
        solver=generate(),
        scorer=scorer,
        config=generate_config(sampling, thinking=thinking),
        version="1",
        metadata={"prompt": prompt},
    )


def _sample(question: ClosedQuestion) -> Sample:
    rotated = {"rotation": question.rotation, "question_type": question.question_type}
    return Sample(
        id=question.instance if question.rotation is None else f"{question.instance}/{question.rotation}",
        input=question.input,
        target=question.gold,
        metadata={
            "benchmark": question.benchmark,
            "prompt": question.prompt,
            "instance": question.instance,
            **(rotated if question.rotation is not None else {}),
            "names": list(question.form.names),
            "letters": isinstance(question.form, Letters),
            "options": list(question.options),
            "depth": question.depth,
            "quartet": question.metadata.get("quartet"),
        },
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


def about(score: SampleScore) -> dict[str, Any]:
    """Return what a sample's metadata say."""
    return score.sample_metadata or {}
