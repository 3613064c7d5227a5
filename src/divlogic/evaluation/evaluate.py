"""``divlogic evaluate MODEL``: from a model's name to a printed table in one command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.answers import answer_format
from divlogic.config.command import ARGUMENT
from divlogic.errors import DivLogicError
from divlogic.evaluation.asked import BaselineFiles
from divlogic.evaluation.metrics import METRICS, OVERALL, answers_of, in_preset, score_all
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.plan import AnswerPrice, PromptPrice, plan_run
from divlogic.evaluation.rotations import pool_of, rotation_rows, source_of
from divlogic.evaluation.steps import percent, print_rows
from divlogic.intervals import Estimate
from divlogic.models.answers import Letters
from divlogic.models.asking import ask, askable, predictions_of, questions_of
from divlogic.models.parameters import model_named, slug_of
from divlogic.models.predictions import Prediction, label_score, write_predictions
from divlogic.models.requests import ClosedQuestion, read_responses
from divlogic.models.styles import CLOSED, ROTATED, STYLES
from divlogic.records import grouped, read_records, spaced_over_types

STORES, GROUPS = Path(".divlogic/responses"), Path("data/sentences/groups.jsonl.gz")
COLUMNS = ("benchmark", "prompt", "instances", *METRICS, "answers read")


def evaluate(
    name: Annotated[str, ARGUMENT, "MODEL"],
    params: EvaluationRun,
    benchmarks: Annotated[
        tuple[str, ...], "--benchmark", "Name of a benchmark, or a file of records (jsonl); repeatable."
    ] = ("divlogiceval",),
    limit: Annotated[
        int, click.IntRange(1), "Number of instances of each benchmark, evenly spaced over types."
    ] = 50,
    prompt: Annotated[str, click.Choice(list(STYLES)), "Prompt style."] = "zero_shot",
    base_url: Annotated[str | None, "Address of an OpenAI-compatible server."] = None,
    thinking: Annotated[bool, "Let the model think first: answers have 8,192 tokens."] = False,
    input_price: PromptPrice = None,
    output_price: AnswerPrice = None,
    yes: Annotated[bool, "Ask without confirmation."] = False,
    out: Annotated[Path | None, "Write the model's answers as predictions (jsonl)."] = None,
) -> None:
    """Ask MODEL some instances of benchmarks, score its answers and print the table.

    MODEL is the label or name of a model of the parameters, or provider/name as Inspect calls it. Answers are kept in
    .divlogic/responses and are not paid for twice.
    """
    section = params.evaluation
    model = model_named(section.models, name, base_url)
    own: dict[str, Any] = {"thinking": thinking or model.thinking, "instances": None, "prompt_instances": {}}
    model = model.model_copy(update=own)
    sources = [source_of(benchmark) for benchmark in benchmarks]
    groups = GROUPS if GROUPS.is_file() else None
    model = BaselineFiles(pool_of(sources[0]), tuple(sources), groups).given_to(model)
    parts = [questions_about(source, prompt, limit, params.seed) for source in sources]
    store, runs, sampling = STORES / f"{slug_of(model)}.sqlite", model.runs or 1, section.sampling
    plan = plan_run(parts, read_responses(store), model=model, runs=runs, sampling=sampling)
    click.echo(plan.sentence(), err=True)
    if input_price is not None or output_price is not None:
        click.echo(f"cost about {plan.cost(input_price or 0, output_price or 0):,.2f}", err=True)
    paid = plan.requests > plan.stored and not model.name.startswith(("baseline/", "local/"))
    if paid and not yes and not click.confirm("Ask the model?", err=True):
        raise DivLogicError("nothing was asked; --limit asks fewer instances.")
    answers = ask(parts, store, model=model, sampling=sampling, limits=section.limits, seed=params.seed)
    predictions = list(predictions_of(answers, model))
    if out:
        write_predictions(out, predictions)
    print_rows(COLUMNS, table_rows(predictions, params.bootstrap))


def questions_about(source: Path, prompt: str, limit: int, seed: int) -> list[ClosedQuestion]:
    """Return the questions about some records: rotations of lettered options, else one question per record."""
    records = spaced_over_types(askable(source), limit)
    path = pool_of(source)
    lettered = isinstance(answer_format(records[0]), Letters)
    styles = ROTATED if lettered else CLOSED
    if prompt not in styles:
        raise DivLogicError(
            f"{source}: the prompt '{prompt}' does not fit its answers; choose {', '.join(styles)}."
        )
    pool = list(read_records(path)) if styles[prompt].has_examples and path else []
    if lettered:
        return list(rotation_rows(records, styles[prompt], pool=pool, seed=seed))
    return list(questions_of(records, pool, prompt, seed, answer_format))


def table_rows(predictions: Iterable[Prediction], bootstrap: Mapping[str, int]) -> list[Sequence[Any]]:
    """Return a row per benchmark and prompt style, in percent with 95 % intervals; CIR and PC of rotations alone."""
    rows: list[Sequence[Any]] = []
    groups = grouped(predictions, lambda one: (one.benchmark, one.prompt))
    for (benchmark, prompt), group in groups.items():
        instances = len({one.instance for one in group})
        read = percent(sum(one.predicted is not None for one in group) / len(group))
        if any(one.rotation for one in group):
            scores = in_preset(score_all(answers_of(group), **bootstrap), "corrected")
            shown = {one.metric: _shown(one.estimate) for one in scores if one.question_type == OVERALL}
        else:
            score = label_score(group, preset="corrected", **bootstrap)
            shown = {"ACC": _shown(score.accuracy)}
        cells = [shown.get(metric, "") for metric in METRICS]
        rows.append([benchmark, prompt, instances, *cells, read])
    return rows


def _shown(estimate: Estimate) -> str:
    return "{:.1f} [{:.1f}, {:.1f}]".format(*estimate.cells("").values())
