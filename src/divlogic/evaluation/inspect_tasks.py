"""Inspect tasks: ``inspect eval divlogic/divlogiceval -T shots=3 --model ...``."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.scorer import Metric, SampleScore, Scorer, accuracy, metric, scorer

from divlogic.errors import DivLogicError, nearest
from divlogic.evaluation.metrics import Answers, instance_scores, parse_rate
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.predictions import answers_of
from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.library.write import drawn_file
from divlogic.models.asking import read_questions
from divlogic.models.inspecting import find_data, shown_errors
from divlogic.models.parameters import ClosedQuestionParameters
from divlogic.models.predictions import Prediction, Series
from divlogic.models.styles import CLOSED, ROTATED, WITH_CONTEXT, PromptStyle
from divlogic.models.tasks import SEED, about, score_closed, task_of
from divlogic.records import read_records

DATA = "data/benchmarks/divlogiceval/test.jsonl"
POOL = "data/benchmarks/divlogiceval/unpolished.jsonl"


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


@task
def justlogic(
    data: str = "data/benchmarks/justlogic/test.jsonl",
    prompt: str = "zero_shot",
    pool: str = "data/benchmarks/justlogic/train.jsonl",
    instances: int | None = None,
    seed: int = SEED,
    thinking: bool = False,
) -> Task:
    """JustLogic's statements, each true, false or uncertain by its paragraph.

    Args:
        data: records (jsonl).
        prompt: ``zero_shot``, ``few_shot`` or ``chain_of_thought``.
        pool: records that solved examples are drawn from.
        instances: number of statements asked, evenly spaced over the depths; null: all.
        seed: seed of the draw of examples.
        thinking: the model thinks first and needs longer answers.
    """
    with shown_errors():
        if prompt not in WITH_CONTEXT:
            raise DivLogicError(f"unknown prompt '{prompt}'; {nearest(prompt, WITH_CONTEXT)}")
        examples = find_data(pool, "pool") if CLOSED[prompt].has_examples else None
        questions = read_questions(
            find_data(data, "data"), examples, prompts=[prompt], instances=instances, seed=seed
        )
    sampling = ClosedQuestionParameters().sampling
    return task_of(questions, closed_scorer(), sampling, data=data, name="justlogic", thinking=thinking)


@scorer(metrics=[accuracy()])
def closed_scorer() -> Scorer:
    """Right if the answer names the right label and no other."""
    return score_closed


@metric
def accuracy_unrotated() -> Metric:
    """ACC, from 0 to 1 as all metrics here."""

    def compute(scores: list[SampleScore]) -> float:
        return _share(scores, 0)

    return compute


@metric
def circular() -> Metric:
    """CIR."""

    def compute(scores: list[SampleScore]) -> float:
        return _share(scores, 1)

    return compute


@metric
def partial_circular() -> Metric:
    """PC (DivLogicEval, Eq. 2)."""

    def compute(scores: list[SampleScore]) -> float:
        return _share(scores, 2)

    return compute


@metric
def answers_read() -> Metric:
    """Share of answers that name an option."""

    def compute(scores: list[SampleScore]) -> float:
        return parse_rate(_answers(scores).picks)

    return compute


@metric
def answers_cut() -> Metric:
    """Share of answers that were cut at ``max_tokens``."""

    def compute(scores: list[SampleScore]) -> float:
        cut = sum(bool((sample.score.metadata or {}).get("cut")) for sample in scores)
        return cut / len(scores) if scores else float("nan")

    return compute


@scorer(metrics=[accuracy_unrotated(), circular(), partial_circular(), answers_read(), answers_cut()])
def rotation_scorer() -> Scorer:
    """Right or wrong per rotation; the metrics put the rotations of an instance together."""
    return score_closed


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
    sampling = EvaluationParameters().sampling
    return task_of(rows, rotation_scorer(), sampling, data=data, thinking=thinking)


def _share(scores: list[SampleScore], column: int) -> float:
    answers = _answers(scores)
    return float(instance_scores(answers)[:, column].mean()) if answers.instances else float("nan")


def _answers(scores: list[SampleScore]) -> Answers:
    """Put the scores of the rotations together; a sample without a score counts as unanswered."""
    series = Series("", "", "", 0)
    predictions = []
    for sample in scores:
        asked = about(sample)
        gold = (sample.score.metadata or {}).get("gold", "A")
        predictions.append(
            Prediction(
                *series[:3],
                str(asked["instance"]),
                gold,
                sample.score.answer,
                rotation=int(asked["rotation"]),
                choices=len(asked["names"]),
            )
        )
    return answers_of(predictions).get(series) or _none()


def _none() -> Answers:
    import numpy as np

    return Answers((), (), np.empty((0, 4), np.int8), np.empty((0, 4), np.bool_))
