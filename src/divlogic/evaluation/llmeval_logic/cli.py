"""``divlogic evaluation llmeval-logic``: run a model on a track, score the baselines, tabulate."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import BASE, FILE, params_option
from divlogic.evaluation.llmeval_logic.questions import TRACKS, Track
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.options import asking_options, with_options


@click.group("llmeval-logic")
def llmeval_logic() -> None:
    """Put LLMEval-Logic's items to models: answers, and formalizations with free or given symbols."""


@llmeval_logic.command("run")
@click.argument("sources", nargs=-1, required=True, type=BASE)
@click.option(
    "--track",
    "tracks",
    type=click.Choice(TRACKS),
    multiple=True,
    help="What is asked; repeatable [default: `evaluation.llmeval_logic.tracks`].",
)
@asking_options
@click.option("--out", type=FILE, required=True, help="Outcomes (jsonl).")
@click.option("--verdicts", type=FILE, help="Verdicts of all judges on one sample (jsonl).")
@params_option(EvaluationRun)
def run_step(
    sources: tuple[Path, ...],
    tracks: tuple[Track, ...],
    name: str,
    base_url: str | None,
    store: Path,
    concurrency: int | None,
    timeout: float | None,
    out: Path,
    verdicts: Path | None,
    params: EvaluationRun,
) -> None:
    """Ask a model about the SOURCES what the store lacks, and score its replies.

    A source is a folder of published layout, a file of seeds, or a file of records (jsonl).
    """
    from divlogic.evaluation.llmeval_logic.steps import run
    from divlogic.models.parameters import model_named

    section = params.evaluation
    run(
        sources,
        out,
        tracks=tracks or section.llmeval_logic.tracks,
        model=model_named(section.llmeval_logic.models, name, base_url),
        store=store,
        parameters=section.llmeval_logic,
        limits=with_options(section.limits, concurrency, timeout),
        seed=params.seed,
        verdicts=verdicts,
    )


@llmeval_logic.command("baselines")
@click.argument("sources", nargs=-1, required=True, type=BASE)
@click.option("--out", type=FILE, required=True, help="Outcomes (jsonl).")
@params_option(EvaluationRun)
def baselines_step(sources: tuple[Path, ...], out: Path, params: EvaluationRun) -> None:
    """Score gold, majority verdict and first model on the SOURCES; the gold must pass."""
    from divlogic.evaluation.llmeval_logic.steps import score_baselines

    score_baselines(sources, out, params.evaluation.llmeval_logic)


@llmeval_logic.command("tables")
@click.argument("outcomes", nargs=-1, required=True, type=FILE)
@click.option(
    "--verdicts", type=FILE, multiple=True, help="Verdicts of judges on a sample (jsonl); repeatable."
)
@click.option("--out", type=FILE, required=True, help="Table of scores; `errors` and `agreement` next to it.")
@params_option(EvaluationRun)
def tables_step(
    outcomes: tuple[Path, ...], verdicts: tuple[Path, ...], out: Path, params: EvaluationRun
) -> None:
    """Tabulate OUTCOMES: scores with deviation and intervals, errors by kind, agreement of judges."""
    from divlogic.evaluation.llmeval_logic.steps import tabulate

    resamples = params.evaluation.llmeval_logic.resamples
    tabulate(outcomes, out, seed=params.seed, resamples=resamples, verdicts=verdicts)
