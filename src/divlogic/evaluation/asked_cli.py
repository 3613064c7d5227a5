"""``divlogic evaluation ask, record, recorded, answers``: benchmarks that are asked with one prompt per record."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.option import BASE, FILE, params_option, together
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.options import (
    asking_options,
    record_options,
    recorded_options,
    reports_option,
    with_options,
)

_questions = together(
    click.argument("benchmark", type=click.Choice([one.name for one in BENCHMARKS if one.asked])),
    click.option("--in", "records", type=FILE, required=True, help="Records that are asked (jsonl)."),
    click.option(
        "--pool", type=FILE, required=True, help="Training split, for prompts with solved examples (jsonl)."
    ),
)


@click.command("ask")
@_questions
@asking_options
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@params_option(EvaluationRun)
def ask_step(
    benchmark: str,
    records: Path,
    pool: Path,
    name: str,
    base_url: str | None,
    store: Path,
    concurrency: int | None,
    timeout: float | None,
    out: Path,
    params: EvaluationRun,
) -> None:
    """Ask a model the questions of BENCHMARK, with their context, to which the store has no answer."""
    from divlogic.evaluation.asked import Source, ask_benchmark
    from divlogic.models.parameters import model_named

    section = params.evaluation
    limits = with_options(section.limits, concurrency, timeout)
    ask_benchmark(
        Source(benchmark, records, pool, params.seed),
        store,
        out,
        model=model_named(section.models, name, base_url),
        parameters=section.model_copy(update={"limits": limits}),
    )


@click.command("record")
@_questions
@record_options
@params_option(EvaluationRun)
def record_step(
    benchmark: str,
    records: Path,
    pool: Path,
    predictions: tuple[Path, ...],
    name: str,
    out: Path,
    params: EvaluationRun,
) -> None:
    """Record a model's answers to the questions of BENCHMARK for later runs."""
    from divlogic.evaluation.asked import Source, record_benchmark
    from divlogic.models.parameters import model_named

    section = params.evaluation
    tables = record_benchmark(
        Source(benchmark, records, pool, params.seed),
        predictions,
        out,
        model=model_named(section.models, name, None),
        parameters=section,
    )
    for table in tables:
        click.echo(f"{out / table.name}: {table.rows:,} answers")


@click.command("recorded")
@_questions
@recorded_options
@params_option(EvaluationRun)
def recorded_step(
    benchmark: str,
    records: Path,
    pool: Path,
    folders: tuple[Path, ...],
    out: Path,
    report: Path,
    params: EvaluationRun,
) -> None:
    """Write the recorded answers of models to the questions of BENCHMARK; those to other versions are left out."""
    from divlogic.evaluation.asked import Source, section_of, write_recorded_benchmark

    prompts = section_of(benchmark, params.evaluation).prompts
    write_recorded_benchmark(
        Source(benchmark, records, pool, params.seed), folders, out, report, prompts=prompts
    )


@click.command("answers")
@click.argument("answers", nargs=-1, type=FILE)
@reports_option
@click.option("--out", type=BASE, required=True, help="Table, without its suffix.")
@params_option(EvaluationRun)
def answers_step(
    answers: tuple[Path, ...], recordings: tuple[Path, ...], out: Path, params: EvaluationRun
) -> None:
    """Write one table of accuracies from the files of ANSWERS, whatever benchmarks they are answers to."""
    from divlogic.evaluation.answers import write_answers
    from divlogic.models.predictions import read_predictions

    write_answers(
        (one for path in answers for one in read_predictions(path)),
        out,
        seed=params.seed,
        resamples=params.evaluation.resamples,
        recordings=recordings,
    )


commands: list[click.Command] = [ask_step, record_step, recorded_step, answers_step]
