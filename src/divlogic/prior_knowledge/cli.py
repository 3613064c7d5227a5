"""``divlogic prior_knowledge``: the commands of the phase."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from divlogic.config.command import Commands
from divlogic.config.option import BASE, FILE, FOLDER, params_option
from divlogic.models.options import reports_option
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun

cli = Commands(
    "prior_knowledge",
    "Test whether questions can be answered without their context.",
    {
        "probe": "prior_knowledge.steps:probe_file",
        "ask": "prior_knowledge.steps:ask_file",
        "export": "prior_knowledge.steps:export_file",
        "probe-collection": "prior_knowledge.steps:probe_collection",
        "ask-collection": "prior_knowledge.steps:ask_collection",
        "record": "prior_knowledge.steps:record_collection",
        "recorded": "prior_knowledge.steps:recorded_collection",
        "shortcuts-fresh": "prior_knowledge.cli:shortcuts_fresh_step",
        "shortcuts-benchmarks": "prior_knowledge.cli:shortcuts_benchmarks_step",
        "shortcuts": "prior_knowledge.cli:shortcuts_step",
        "ladder": "prior_knowledge.cli:ladder_step",
        "leaks": "prior_knowledge.cli:leaks_step",
        "table": "prior_knowledge.cli:table_step",
        "figures": "prior_knowledge.cli:figures_step",
    },
)

_collection = click.option(
    "--in", "collection", type=FOLDER, required=True, help="Folder of `divlogic benchmarks collect`."
)


@click.command("shortcuts-fresh")
@click.argument("sources", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FILE, required=True, help="Measured shortcuts (jsonl).")
@params_option(PriorKnowledgeRun)
def shortcuts_fresh_step(**given: Any) -> None:
    """Run the probes on fresh instances; each file of SOURCES holds those of one benchmark and preset."""
    from divlogic.prior_knowledge.shortcuts.steps import measure_fresh

    measure_fresh(**given)


@click.command("shortcuts-benchmarks")
@click.argument("splits", nargs=-1, type=FILE)
@_collection
@click.option("--probe", type=FILE, required=True, help="Answers of the question-only classifier.")
@click.option("--out", type=FILE, required=True, help="Measured shortcuts (jsonl).")
@params_option(PriorKnowledgeRun)
def shortcuts_benchmarks_step(**given: Any) -> None:
    """Run the probes on every benchmark of a collection; of generated ones on all their SPLITS."""
    from divlogic.prior_knowledge.shortcuts.steps import measure_benchmarks

    measure_benchmarks(**given)


@click.command("shortcuts")
@click.argument("measured", nargs=-1, required=True, type=FILE)
@click.option("--out", type=BASE, required=True, help="Table, without its suffix.")
@click.option("--summary", type=FILE, required=True, help="Summary for the report (json).")
@click.option("--ladder", type=BASE, required=True, help="Table of accuracy by depth, without its suffix.")
@params_option(PriorKnowledgeRun)
def shortcuts_step(**given: Any) -> None:
    """Tabulate the MEASURED shortcuts and stop where a balanced benchmark exceeds a limit."""
    from divlogic.prior_knowledge.shortcuts.steps import tabulate

    tabulate(**given)


@click.command("ladder")
@click.argument("ladder", type=BASE)
@click.option("--predictions", type=FILE, required=True, help="Answers of the evaluation's models (jsonl).")
@click.option(
    "--asked", type=FILE, multiple=True, help="Benchmark that these models were asked (jsonl); repeatable."
)
@click.option("--out", type=BASE, required=True, help="Table and figure, without their suffix.")
def ladder_step(**given: Any) -> None:
    """Write the ladder with the evaluation's models among its rows, and draw it."""
    from divlogic.prior_knowledge.shortcuts.ladder import write_with_models

    write_with_models(**given)


@click.command("leaks")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the folds.")
def leaks_step(**given: Any) -> None:
    """List what released FILES (jsonl, parquet) tell of their answers by ids, order and metadata."""
    from divlogic.prior_knowledge.shortcuts.steps import list_leaks

    list_leaks(**given)


@click.command("table")
@click.argument("answers", nargs=-1, type=FILE)
@click.option(
    "--published", type=FILE, help="The printed table (data/published/justlogic_prior_knowledge.csv)."
)
@click.option("--out", type=BASE, required=True, help="Table, without its suffix.")
@reports_option
@params_option(PriorKnowledgeRun)
def table_step(
    answers: tuple[Path, ...],
    published: Path | None,
    out: Path,
    recordings: tuple[Path, ...],
    params: PriorKnowledgeRun,
) -> None:
    """Test the files of ANSWERS against guessing and write the table (csv, md, tex, json)."""
    from divlogic.models.predictions import read_predictions
    from divlogic.prior_knowledge.independence import write_independence

    section = params.prior_knowledge
    write_independence(
        (prediction for path in answers for prediction in read_predictions(path)),
        published,
        out,
        seed=params.seed,
        resamples=section.resamples,
        level=section.level,
        least=section.least_instances,
        folds=section.probe.folds,
        recordings=recordings,
    )


@click.command("figures")
@click.option("--independence", type=FILE, help="The table of `table`, without its suffix.")
@click.option("--shortcuts", type=FILE, help="The table of `shortcuts`, without its suffix.")
@click.option("--out", type=FOLDER, required=True, help="Folder of the figures (svg and png).")
def figures_step(independence: Path | None, shortcuts: Path | None, out: Path) -> None:
    """Draw the figures of the tables given."""
    from divlogic.prior_knowledge.figures import draw_independence
    from divlogic.prior_knowledge.shortcuts.figures import draw_shortcuts

    if independence:
        draw_independence(independence, out / "independence")
    if shortcuts:
        draw_shortcuts(shortcuts, out / "shortcuts")
