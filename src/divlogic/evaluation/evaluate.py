"""``divlogic evaluate MODEL``: from a model's name to a printed table in one command."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import click
import numpy as np

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
from divlogic.models.asking import (
    Concurrency,
    MissingAnswersError,
    Timeout,
    ask,
    askable,
    limits_with,
    predictions_of,
    questions_of,
)
from divlogic.models.parameters import (
    ModelParameters,
    address_of,
    is_local,
    model_named,
    slug_of,
)
from divlogic.models.predictions import LOST, Prediction, label_score, write_predictions
from divlogic.models.ready import unusable_models
from divlogic.models.requests import ClosedQuestion, Request, Response, read_responses
from divlogic.models.styles import CLOSED, ROTATED, STYLES
from divlogic.records import Record, grouped, read_records

STORES, GROUPS = Path(".divlogic/responses"), Path("data/sentences/groups.jsonl.gz")
COLUMNS = (
    "benchmark", "prompt", "instances", *METRICS, "answers read", *LOST,
)  # fmt: skip
"""The last four in percent of all answers; what is not read counts as wrong."""


def evaluate(
    name: Annotated[str, ARGUMENT, "MODEL"],
    params: EvaluationRun,
    benchmarks: Annotated[
        tuple[str, ...],
        "--benchmark",
        "Name of a benchmark, or a file of records (jsonl); repeatable.",
    ] = ("divlogiceval",),
    limit: Annotated[
        int,
        click.IntRange(1),
        "Number of instances of each benchmark, balanced over types; a larger number adds to them.",
    ] = 50,
    prompt: Annotated[str, click.Choice(list(STYLES)), "Prompt style."] = "zero_shot",
    base_url: Annotated[str | None, "Address of an OpenAI-compatible server."] = None,
    thinking: Annotated[bool, "Let the model think first: answers have no limit."] = False,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    input_price: PromptPrice = None,
    output_price: AnswerPrice = None,
    yes: Annotated[bool, "Ask the model without a question about the price."] = False,
    out: Annotated[Path | None, "Write the model's answers as predictions (jsonl)."] = None,
) -> None:
    """Ask MODEL some instances of benchmarks, score its answers and print the table.

    MODEL is the label or name of a model of the parameters, or provider/name as Inspect calls it. Answers are kept in
    .divlogic/responses and are not paid for twice.
    """
    section = params.evaluation
    model = model_named(section.models, name, base_url)
    own: dict[str, Any] = {
        "thinking": thinking or model.thinking,
        "instances": None,
        "prompt_instances": {},
    }
    model = model.model_copy(update=own)
    sources = [source_of(benchmark) for benchmark in benchmarks]
    groups = GROUPS if GROUPS.is_file() else None
    model = BaselineFiles(pool_of(sources[0]), tuple(sources), groups).given_to(model)
    if problems := unusable_models([model], STORES):
        raise DivLogicError(" ".join(problems))
    parts = [questions_about(source, prompt, limit, params.seed) for source in sources]
    store = STORES / f"{slug_of(model)}.sqlite"
    runs = model.runs or 1
    sampling = section.sampling
    plan = plan_run(parts, read_responses(store), model=model, runs=runs, sampling=sampling)
    click.echo(plan.sentence(), err=True)
    if input_price is not None or output_price is not None:
        click.echo(f"cost about {plan.cost(input_price or 0, output_price or 0):,.2f}", err=True)
    if plan.requests > plan.stored and costs_money(model) and not yes:
        _confirm()
    missing = None
    try:
        answers = ask(
            parts,
            store,
            model=model,
            sampling=sampling,
            limits=limits_with(section.limits, concurrency, timeout),
            seed=params.seed,
        )
    except MissingAnswersError as error:
        # What a server failed to answer does not keep back the table of the rest.
        missing = error
        answers = whole_instances(parts, error.found, runs)
    predictions = list(predictions_of(answers, model))
    if out and missing is None:
        write_predictions(out, predictions)
    print_rows(COLUMNS, table_rows(predictions, params.bootstrap))
    if missing is not None:
        raise DivLogicError(
            f"the table is of the instances that are answered as a whole. {missing}"
        )


def whole_instances(
    parts: Sequence[Sequence[ClosedQuestion]],
    found: Sequence[tuple[Request[Any], Response]],
    runs: int,
) -> list[tuple[Request[Any], Response]]:
    """Return the answers to instances all of whose questions were answered in all runs."""
    lacking = Counter[tuple[str, str]]()
    for part in parts:
        for question in part:
            lacking[question.benchmark, question.instance] += runs
    for request, _ in found:
        lacking[request.question.benchmark, request.question.instance] -= 1
    return [
        row for row in found if not lacking[row[0].question.benchmark, row[0].question.instance]
    ]


def costs_money(model: ModelParameters) -> bool:
    """Return whether each answer may cost something: whether others compute it."""
    ours = ("baseline/", "local/", "mockllm/")
    return not model.name.startswith(ours) and not is_local(address_of(model))


def _confirm() -> None:
    """Ask a person whether to go on; where nobody sits there, nothing is asked of the model."""
    if not sys.stdin.isatty():
        raise DivLogicError(
            "nothing was asked: the model may cost money, and there is no terminal to confirm that on; add --yes."
        )
    if not click.confirm("Ask the model?", err=True):
        raise DivLogicError("nothing was asked; --limit asks fewer instances.")


def questions_about(source: Path, prompt: str, limit: int, seed: int) -> list[ClosedQuestion]:
    """Return the questions about some records: rotations of lettered options, else one question per record."""
    tested = askable(source)
    records = seeded_part(tested, limit, seed)
    path = pool_of(source)
    lettered = isinstance(answer_format(records[0]), Letters)
    styles = ROTATED if lettered else CLOSED
    if prompt not in styles:
        raise DivLogicError(
            f"{source}: the prompt '{prompt}' does not fit its answers; choose {', '.join(styles)}."
        )
    pool = list(read_records(path)) if styles[prompt].has_examples and path else []
    if lettered:
        rows = rotation_rows(records, styles[prompt], pool=pool, seed=seed, tested=tested)
        return list(rows)
    return list(questions_of(records, pool, prompt, seed, answer_format, tested=tested))


def seeded_part(records: Sequence[Record], number: int, seed: int) -> list[Record]:
    """Return the first so many records of one seeded order, in the order of the file.

    In the seeded order question types and depths take turns. A larger number adds records, and asks no others again.
    """
    ranks = np.random.default_rng(np.random.SeedSequence([seed])).permutation(len(records))
    turns = Counter[tuple[str, int]]()
    order: list[tuple[int, int, int]] = []
    for place in np.argsort(ranks):
        record = records[place]
        kind = (record.question_type or "", record.depth or 0)
        order.append((turns[kind], len(order), int(place)))
        turns[kind] += 1
    chosen = sorted(place for _, _, place in sorted(order)[:number])
    return [records[place] for place in chosen]


def table_rows(
    predictions: Iterable[Prediction], bootstrap: Mapping[str, int]
) -> list[Sequence[Any]]:
    """Return a row per benchmark and prompt style, in percent with 95 % intervals; CIR and PC of rotations alone."""
    rows: list[Sequence[Any]] = []
    groups = grouped(predictions, lambda one: (one.benchmark, one.prompt))
    for (benchmark, prompt), group in groups.items():
        instances = len({one.instance for one in group})
        read = percent(sum(one.predicted is not None for one in group) / len(group))
        statuses = Counter(one.status for one in group)
        lost = [percent(statuses[name] / len(group)) for name in LOST]
        if any(one.rotation for one in group):
            scores = in_preset(score_all(answers_of(group), **bootstrap), "corrected")
            shown = {
                one.metric: _shown(one.estimate) for one in scores if one.question_type == OVERALL
            }
        else:
            score = label_score(group, preset="corrected", **bootstrap)
            shown = {"ACC": _shown(score.accuracy)}
        cells = [shown.get(metric, "") for metric in METRICS]
        rows.append([benchmark, prompt, instances, *cells, read, *lost])
    return rows


def _shown(estimate: Estimate) -> str:
    return "{:.1f} [{:.1f}, {:.1f}]".format(*estimate.cells("").values())
