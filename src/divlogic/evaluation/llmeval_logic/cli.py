"""``divlogic evaluation llmeval-logic``: run a model on a track, score the baselines, tabulate."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import params_option
from divlogic.evaluation.llmeval_logic.questions import TRACKS, Track
from divlogic.evaluation.parameters import EvaluationRun

_FILE = click.Path(path_type=Path, dir_okay=False)
_ANY = click.Path(path_type=Path)


@click.group("llmeval-logic")
def llmeval_logic() -> None:
    """Put LLMEval-Logic's items to models: answers, and formalizations with free or given symbols."""


@llmeval_logic.command("run")
@click.option(
    "--in", "source", type=_ANY, required=True, help="Folder of published layout, seeds or records (jsonl)."
)
@click.option("--track", type=click.Choice(TRACKS), required=True, help="What is asked.")
@click.option(
    "--model", "name", required=True, help="Label or name of a model; need not be in the parameters."
)
@click.option("--base-url", help="Address of an OpenAI-compatible server.")
@click.option("--store", type=_FILE, required=True, help="Response store (appended to).")
@click.option("--out", type=_FILE, required=True, help="Outcomes (jsonl).")
@params_option(EvaluationRun)
def run_step(
    source: Path, track: Track, name: str, base_url: str | None, store: Path, out: Path, params: EvaluationRun
) -> None:
    """Ask a model for what the store lacks and score its replies."""
    from divlogic.evaluation.llmeval_logic.steps import run
    from divlogic.models.parameters import model_named

    section = params.evaluation
    run(
        source,
        out,
        track=track,
        model=model_named(section.models, name, base_url),
        store=store,
        parameters=section.llmeval_logic,
        limits=section.limits,
        seed=params.seed,
    )


@llmeval_logic.command("baselines")
@click.argument("sources", nargs=-1, required=True, type=_ANY)
@click.option("--out", type=_FILE, required=True, help="Outcomes (jsonl).")
@params_option(EvaluationRun)
def baselines_step(sources: tuple[Path, ...], out: Path, params: EvaluationRun) -> None:
    """Score gold, majority verdict and first model on the SOURCES; the gold must pass."""
    from divlogic.evaluation.llmeval_logic.steps import score_baselines

    score_baselines(sources, out, params.evaluation.llmeval_logic)


@llmeval_logic.command("tables")
@click.argument("outcomes", nargs=-1, required=True, type=_FILE)
@click.option("--out", type=_FILE, required=True, help="Table of scores (csv; md and tex next to it).")
@params_option(EvaluationRun)
def tables_step(outcomes: tuple[Path, ...], out: Path, params: EvaluationRun) -> None:
    """Tabulate OUTCOMES: mean and standard deviation over runs, intervals by item."""
    from divlogic.evaluation.llmeval_logic.steps import tabulate

    tabulate(outcomes, out, seed=params.seed, resamples=params.evaluation.llmeval_logic.resamples)
