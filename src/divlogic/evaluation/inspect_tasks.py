"""Inspect tasks: ``inspect eval divlogic/divlogiceval -T shots=3 --model ...``."""

from __future__ import annotations

from collections.abc import Iterable

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState, generate

from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import Answers, instance_scores, parse_rate
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.predictions import answers_of
from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.library.write import drawn_file
from divlogic.models.inspecting import find_data, generate_config, shown_errors
from divlogic.models.letters import OPTIONS, parse_answer
from divlogic.models.predictions import Prediction, Series
from divlogic.models.requests import ClosedQuestion
from divlogic.models.styles import ROTATED, PromptStyle
from divlogic.records import read_records

DATA = "data/benchmarks/divlogiceval/test.jsonl"
POOL = "data/benchmarks/divlogiceval/unpolished.jsonl"
SEED = 20260101


@task
def divlogiceval(
    shots: int = 0,
    prompt: str | None = None,
    data: str = DATA,
    pool: str = POOL,
    instances: int | None = None,
    seed: int = SEED,
    thinking: bool = False,
    size: int | None = None,
    level: int | None = None,
) -> Task:
    """All four rotations of every instance, scored by Accuracy, Circular and PartialCircular.

    Args:
        shots: 0 or 3 solved examples; another way to say ``prompt``.
        prompt: name of a prompt style (``zero_shot``, ``three_shot``, ``zero_shot_nolr``, ...).
        data: records to ask (jsonl), of this or any other benchmark with two to ten options.
        pool: records that examples are drawn from.
        instances: ask only the first ones.
        seed: seed of the draw of examples, and of a fresh set.
        thinking: let the model think first: answers have 8,192 tokens in place of 64.
        size, level: a fresh set of that many instances and of that level is drawn, and no file is read.
    """
    with shown_errors():
        name = prompt or {
            style.shots: style.name for style in reversed(ROTATED.values()) if _plain(style)
        }.get(shots)
        if name is None:
            raise DivLogicError(f"there is no prompt with {shots} shots; known are {', '.join(ROTATED)}.")
        if size or level:
            data = str(drawn_file("divlogiceval", size=size, seed=seed, level=level))
        return _task(name, data, pool, instances, seed, thinking)


@metric
def accuracy_unrotated() -> Metric:
    """ACC, in percent."""

    def compute(scores: list[SampleScore]) -> float:
        return _percent(scores, 0)

    return compute


@metric
def circular() -> Metric:
    """CIR, in percent."""

    def compute(scores: list[SampleScore]) -> float:
        return _percent(scores, 1)

    return compute


@metric
def partial_circular() -> Metric:
    """PC (DivLogicEval, Eq. 2), in percent."""

    def compute(scores: list[SampleScore]) -> float:
        return _percent(scores, 2)

    return compute


@metric
def answers_read() -> Metric:
    """Share of answers that name an option, in percent."""

    def compute(scores: list[SampleScore]) -> float:
        return 100.0 * parse_rate(_answers(scores).picks)

    return compute


@metric
def answers_cut() -> Metric:
    """Share of answers that were cut at ``max_tokens``, in percent."""

    def compute(scores: list[SampleScore]) -> float:
        cut = sum(bool((sample.score.metadata or {}).get("cut")) for sample in scores)
        return 100.0 * cut / len(scores) if scores else float("nan")

    return compute


@scorer(metrics=[accuracy_unrotated(), circular(), partial_circular(), answers_read(), answers_cut()])
def rotation_scorer() -> Scorer:
    """Right or wrong per rotation; the metrics put the rotations of an instance together."""

    async def score(state: TaskState, target: Target) -> Score:
        completion = state.output.completion
        letter = parse_answer(completion, (state.metadata or {}).get("choices", OPTIONS))
        return Score(
            value=1 if letter == target.text else 0,
            answer=letter,
            explanation=completion,
            reason=None if letter else ("invalid_response_format" if completion.strip() else "no_response"),
            metadata={"gold": target.text, "cut": state.output.stop_reason == "max_tokens"},
        )

    return score


def to_samples(rows: Iterable[ClosedQuestion]) -> list[Sample]:
    """Return one Inspect sample per rotation row."""
    return [
        Sample(
            id=f"{row.instance}/{row.rotation}",
            input=row.input,
            target=row.gold,
            metadata={
                "benchmark": row.benchmark,
                "prompt": row.prompt,
                "instance": row.instance,
                "rotation": row.rotation,
                "question_type": row.question_type,
                "choices": row.choices,
            },
        )
        for row in rows
    ]


def _plain(style: PromptStyle) -> bool:
    return style.context and not style.no_logic and not style.likelihood


def _task(prompt: str, data: str, pool: str, instances: int | None, seed: int, thinking: bool) -> Task:
    style = style_named(prompt)
    if style.likelihood:
        raise DivLogicError(
            f"the prompt '{prompt}' is scored by log-probabilities, which this task does not do; use"
            " `divlogic evaluation run`."
        )
    records = list(read_records(find_data(data, "data")))[:instances]
    examples = list(read_records(find_data(pool, "pool"))) if style.shots else []
    rows = rotation_rows(records, style, pool=examples, seed=seed)
    samples = to_samples(rows)
    dataset = MemoryDataset(samples, name=f"{records[0].benchmark}-{prompt}", location=data)
    return Task(
        dataset=dataset,
        solver=generate(),
        scorer=rotation_scorer(),
        config=generate_config(EvaluationParameters().sampling, thinking=thinking),
        version="1",
        metadata={"prompt": prompt},
    )


def _percent(scores: list[SampleScore], column: int) -> float:
    answers = _answers(scores)
    return 100.0 * float(instance_scores(answers)[:, column].mean()) if answers.instances else float("nan")


def _answers(scores: list[SampleScore]) -> Answers:
    """Put the scores of the rotations together; a sample without a score counts as unanswered."""
    series = Series("", "", "", 0)
    predictions = []
    for sample in scores:
        about = sample.sample_metadata or {}
        gold = (sample.score.metadata or {}).get("gold", "A")
        predictions.append(
            Prediction(
                *series[:3],
                str(about["instance"]),
                gold,
                sample.score.answer,
                rotation=int(about["rotation"]),
                choices=int(about.get("choices", OPTIONS)),
            )
        )
    return answers_of(predictions).get(series) or _none()


def _none() -> Answers:
    import numpy as np

    return Answers((), (), np.empty((0, 4), np.int8), np.empty((0, 4), np.bool_))
