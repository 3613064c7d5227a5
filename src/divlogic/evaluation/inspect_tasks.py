"""Inspect tasks of rotated and of labelled benchmarks, LogicNLI's with quartet-EM and a reasoning depth.

``inspect eval divlogic/divlogiceval -T shots=3 --model ...``
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from inspect_ai import Task, task
from inspect_ai.scorer import SampleScore, Scorer, scorer

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.logicnli.set_names import spaced_groups
from divlogic.errors import DivLogicError
from divlogic.evaluation.harness_scores import circular
from divlogic.evaluation.logicnli.diagnosis import equivalent_depth
from divlogic.evaluation.metrics import Answers, answers_of, instance_scores, parse_rate
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.library.write import drawn_file
from divlogic.models.inspecting import find_data, shown_errors
from divlogic.models.parameters import ClosedQuestionParameters
from divlogic.models.predictions import Prediction
from divlogic.models.styles import ROTATED, WITH_CONTEXT
from divlogic.models.tasks import (
    SEED,
    about,
    closed_task,
    metric_named,
    score_closed,
    task_of,
    with_errors,
)
from divlogic.records import read_records


@task
@shown_errors()
def divlogiceval(
    shots: int = 0,
    prompt: str | None = None,
    data: str = "data/benchmarks/divlogiceval/test.jsonl",
    pool: str = "data/benchmarks/divlogiceval/unpolished.jsonl",
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
        thinking: let the model think first: answers have no limit in place of 64 tokens.
        size, level: a fresh set of that many instances and of that level is drawn, and no file is read.
    """
    plain = {
        style.shots: style.name
        for style in reversed(ROTATED.values())
        if style.context and not style.no_logic and not style.likelihood
    }
    name = prompt or plain.get(shots)
    if name is None:
        raise DivLogicError(
            f"there is no prompt with {shots} shots; known are {', '.join(ROTATED)}."
        )
    data = drawn_file("divlogiceval", data, size=size, seed=seed, level=level)
    style = style_named(name)
    if style.likelihood:
        raise DivLogicError(
            f"the prompt '{name}' is scored by log-probabilities, which this task does not do; use"
            " `divlogic evaluation run`."
        )
    records = list(read_records(find_data(data, "data")))[:instances]
    examples = list(read_records(find_data(pool, "pool"))) if style.shots else []
    rows = rotation_rows(records, style, pool=examples, seed=seed)
    sampling = EvaluationParameters().sampling
    return task_of(rows, rotation_scorer(), sampling, data=data, thinking=thinking)


@task
@shown_errors()
def justlogic(
    data: str = "data/benchmarks/justlogic/test.jsonl",
    prompt: str = "zero_shot",
    pool: str = "data/benchmarks/justlogic/train.jsonl",
    instances: int | None = None,
    seed: int = SEED,
    thinking: bool = False,
    size: int | None = None,
    level: int | None = None,
) -> Task:
    """JustLogic's statements, each true, false or uncertain by its paragraph.

    Args:
        data: records (jsonl).
        prompt: ``zero_shot``, ``few_shot`` or ``chain_of_thought``.
        pool: records that solved examples are drawn from.
        instances: number of statements asked, evenly spaced over the depths; null: all.
        seed: seed of the draw of examples, and of a fresh set.
        thinking: the model thinks first and needs longer answers.
        size, level: a fresh set of that many statements and of that level is drawn, and no file is read.
    """
    return closed_task(
        closed_scorer(),
        ClosedQuestionParameters().sampling,
        data=drawn_file("justlogic", data, size=size, seed=seed, level=level),
        pool=pool,
        prompt=prompt,
        prompts=WITH_CONTEXT,
        instances=instances,
        seed=seed,
        name="justlogic",
        thinking=thinking,
    )


@scorer(metrics=with_errors())
def closed_scorer() -> Scorer:
    """Right if the answer names the right label and no other."""
    return score_closed


def _share(scores: list[SampleScore], column: int) -> float:
    return float(instance_scores(_answers(scores))[:, column].mean())


def _noted(sample: SampleScore) -> dict[str, Any]:
    return sample.score.metadata or {}


def _answers(scores: list[SampleScore]) -> Answers:
    """Put the scores of the rotations together; a sample without a score counts as unanswered."""
    predictions = []
    for sample in scores:
        asked = about(sample)
        predictions.append(
            Prediction(
                benchmark="",
                model="",
                prompt="",
                instance=str(asked["instance"]),
                gold=_noted(sample).get("gold", "A"),
                predicted=sample.score.answer,
                rotation=int(asked["rotation"]),
                choices=len(asked["names"]),
            )
        )
    (answers,) = answers_of(predictions).values()
    return answers


METRICS = (
    metric_named("accuracy_unrotated", partial(_share, column=0)),
    metric_named("circular", partial(_share, column=1)),
    metric_named("partial_circular", partial(_share, column=2)),
    metric_named("answers_read", lambda scores: parse_rate([_answers(scores)])),
    *with_errors(),
)
"""ACC, CIR and PC (DivLogicEval, Eq. 2) from 0 to 1, the share of answers that name an option; accuracy over all
rotations, whose errors take an instance's rotations for one cluster."""


@scorer(metrics=list(METRICS))
def rotation_scorer() -> Scorer:
    """Right or wrong per rotation; the metrics put the rotations of an instance together."""
    return score_closed


@task
@shown_errors()
def logicnli(
    data: str = "data/benchmarks/logicnli/test.jsonl",
    prompt: str = "zero_shot",
    pool: str = "data/benchmarks/logicnli/train.jsonl.zst",
    quartets: int | None = None,
    seed: int = SEED,
    size: int | None = None,
    level: int | None = None,
) -> Task:
    """Statements to judge by facts and rules, in whole quartets.

    Args:
        data: one of LogicNLI's sets (jsonl).
        prompt: ``zero_shot``, ``few_shot`` or ``chain_of_thought``.
        pool: records that solved examples are drawn from.
        quartets: number of quartets asked, evenly spaced over the depths; null: all.
        seed: seed of the draw of examples, and of a fresh set.
        size, level: a fresh set of that many statements and of that level is drawn, and no file is read.
    """
    return closed_task(
        label_scorer(),
        EvaluationParameters().sampling,
        data=drawn_file("logicnli", data, size=size, seed=seed, level=level),
        pool=pool,
        prompt=prompt,
        prompts=WITH_CONTEXT,
        instances=quartets,
        seed=seed,
        name="logicnli",
        form_of=answer_format,
        choose=spaced_groups,
        reasoning_tokens=4096,
    )


def quartet_em(scores: list[SampleScore]) -> float:
    """Share of quartets all of whose items are right; nan where the set has none."""
    items = [[about(score)["quartet"], 0, 1, score.score.as_float(), 2] for score in scores]
    return circular([item for item in items if item[0]])


def reasoning_depth(scores: list[SampleScore]) -> float:
    """Rounds of the chaining reader that has this accuracy; nan unless depths are uniform and all items in quartets."""
    depths = Counter(about(score)["depth"] or 0 for score in scores)
    if len(set(depths.values())) != 1 or not all(about(score)["quartet"] for score in scores):
        return float("nan")
    right = sum(score.score.as_float() for score in scores) / len(scores)
    return equivalent_depth(right, list(depths))


@scorer(
    metrics=[
        *with_errors(),
        *(metric_named(one.__name__, one) for one in (quartet_em, reasoning_depth)),
    ]
)
def label_scorer() -> Scorer:
    """Right if the answer names the right label and no other."""
    return score_closed
