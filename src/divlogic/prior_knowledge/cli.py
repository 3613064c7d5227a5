"""``divlogic prior_knowledge``: probe, ask, export, table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from divlogic.config.option import BASE, FILE, FOLDER, params_option, together
from divlogic.models.options import (
    asking_options,
    record_options,
    recorded_options,
    reports_option,
    with_options,
)
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun

if TYPE_CHECKING:
    from divlogic.models.parameters import ModelParameters
    from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters


_collection = click.option(
    "--in", "collection", type=FOLDER, required=True, help="Folder of `divlogic benchmarks collect`."
)
_collection_options = together(
    _collection,
    click.option(
        "--pool",
        "pools",
        type=FILE,
        multiple=True,
        help="Training split of a generated benchmark, for solved examples; repeatable.",
    ),
)


@click.group("prior_knowledge")
def cli() -> None:
    """Test whether questions can be answered without their context."""


@cli.command("probe")
@click.argument("records", nargs=-1, required=True, type=FILE)
@click.option("--benchmark", help="Name to give the benchmark; by default the records' own.")
@click.option(
    "--out", type=FILE, required=True, help="Answers of the classifier and of the majority (jsonl)."
)
@params_option(PriorKnowledgeRun)
def probe_step(
    records: tuple[Path, ...], benchmark: str | None, out: Path, params: PriorKnowledgeRun
) -> None:
    """Cross-validate a question-only classifier on RECORDS (all splits of one benchmark)."""
    from dataclasses import replace

    from divlogic.models.predictions import write_predictions
    from divlogic.prior_knowledge.probe import probe
    from divlogic.records import read_records

    read = [record for path in records for record in read_records(path)]
    answers = probe(read, params.prior_knowledge.probe, params.seed)
    if benchmark:
        answers = [replace(answer, benchmark=benchmark) for answer in answers]
    write_predictions(out, answers)


@cli.command("ask")
@click.option("--in", "source", type=FILE, required=True, help="Records (jsonl).")
@click.option("--pool", type=FILE, help="Records of the training part, for solved examples.")
@asking_options
@params_option(PriorKnowledgeRun)
def ask_step(
    source: Path,
    pool: Path | None,
    name: str,
    base_url: str | None,
    store: Path,
    concurrency: int | None,
    timeout: float | None,
    params: PriorKnowledgeRun,
) -> None:
    """Ask a model the questions to which the store has no answer yet."""
    from divlogic.prior_knowledge.steps import ask_file

    section = _with_limits(params.prior_knowledge, concurrency, timeout)
    ask_file(source, pool, store, model=_model(section, name, base_url), parameters=section, seed=params.seed)


@cli.command("export")
@click.option("--in", "source", type=FILE, required=True, help="Records (jsonl).")
@click.option("--pool", type=FILE, help="The same pool as for `ask`.")
@click.option("--store", type=FILE, required=True, help="Response store.")
@click.option("--model", "names", multiple=True, help="Only these models; by default all of the parameters.")
@click.option("--base-url", help="Address of the server; the answers do not depend on it.")
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@params_option(PriorKnowledgeRun)
def export_step(
    source: Path,
    pool: Path | None,
    store: Path,
    names: tuple[str, ...],
    base_url: str | None,
    out: Path,
    params: PriorKnowledgeRun,
) -> None:
    """Write the stored answers to the questions, in a fixed order."""
    from divlogic.models.predictions import write_predictions
    from divlogic.prior_knowledge.steps import answers_to_file

    section = params.prior_knowledge
    models = [_model(section, name, base_url) for name in names] or section.models
    write_predictions(
        out,
        (
            answer
            for model in models
            for answer in answers_to_file(
                source, pool, store, model=model, parameters=section, seed=params.seed
            )
        ),
    )


@cli.command("probe-collection")
@click.argument("splits", nargs=-1, type=FILE)
@_collection
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@params_option(PriorKnowledgeRun)
def probe_collection_step(
    splits: tuple[Path, ...], collection: Path, out: Path, params: PriorKnowledgeRun
) -> None:
    """Run the probe on every benchmark of a collection; of generated ones on all their SPLITS."""
    from divlogic.prior_knowledge.steps import probe_collection

    probe_collection(collection, splits, out, params.prior_knowledge, params.seed)


@cli.command("ask-collection")
@_collection_options
@asking_options
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@params_option(PriorKnowledgeRun)
def ask_collection_step(
    collection: Path,
    name: str,
    base_url: str | None,
    store: Path,
    pools: tuple[Path, ...],
    out: Path,
    concurrency: int | None,
    timeout: float | None,
    params: PriorKnowledgeRun,
) -> None:
    """Ask a model the questions of every benchmark of a collection, without their contexts."""
    from divlogic.prior_knowledge.steps import ask_collection

    section = _with_limits(params.prior_knowledge, concurrency, timeout)
    model = _model(section, name, base_url)
    ask_collection(collection, store, out, pools=pools, model=model, parameters=section, seed=params.seed)


@cli.command("record")
@_collection_options
@record_options
@params_option(PriorKnowledgeRun)
def record_step(
    collection: Path,
    pools: tuple[Path, ...],
    predictions: tuple[Path, ...],
    name: str,
    out: Path,
    params: PriorKnowledgeRun,
) -> None:
    """Record a model's answers to a collection's questions for later runs."""
    from divlogic.prior_knowledge.recorded_models import record_collection

    section = params.prior_knowledge
    model = _model(section, name, None)
    for table in record_collection(
        collection, pools, predictions, out, model=model, parameters=section, seed=params.seed
    ):
        click.echo(f"{out / table.name}: {table.rows:,} answers")


@cli.command("recorded")
@_collection_options
@recorded_options
@params_option(PriorKnowledgeRun)
def recorded_step(
    collection: Path,
    pools: tuple[Path, ...],
    folders: tuple[Path, ...],
    out: Path,
    report: Path,
    params: PriorKnowledgeRun,
) -> None:
    """Write the recorded answers of models to a collection's questions; those to other versions are left out."""
    from divlogic.prior_knowledge.recorded_models import write_recorded_answers

    prompts = params.prior_knowledge.prompts
    write_recorded_answers(collection, pools, folders, out, report, prompts=prompts, seed=params.seed)


@cli.command("shortcuts-fresh")
@click.argument("sources", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FILE, required=True, help="Measured shortcuts (jsonl).")
@params_option(PriorKnowledgeRun)
def shortcuts_fresh_step(sources: tuple[Path, ...], out: Path, params: PriorKnowledgeRun) -> None:
    """Run the listwise probes on fresh instances; each file of SOURCES holds those of one benchmark and preset."""
    from divlogic.prior_knowledge.shortcuts.steps import measure_fresh

    measure_fresh(sources, out, params.prior_knowledge.shortcuts, params.seed)


@cli.command("shortcuts-benchmarks")
@click.argument("splits", nargs=-1, type=FILE)
@_collection
@click.option("--probe", type=FILE, required=True, help="Answers of the question-only classifier.")
@click.option("--out", type=FILE, required=True, help="Measured shortcuts (jsonl).")
@params_option(PriorKnowledgeRun)
def shortcuts_benchmarks_step(
    splits: tuple[Path, ...], collection: Path, probe: Path, out: Path, params: PriorKnowledgeRun
) -> None:
    """Run the listwise probes on every benchmark of a collection; of generated ones on all their SPLITS."""
    from divlogic.prior_knowledge.shortcuts.steps import measure_benchmarks

    measure_benchmarks(collection, splits, probe, out, params.prior_knowledge.shortcuts, params.seed)


@cli.command("shortcuts")
@click.argument("measured", nargs=-1, required=True, type=FILE)
@click.option("--out", type=BASE, required=True, help="Table, without its suffix.")
@click.option("--summary", type=FILE, required=True, help="Summary for the report (json).")
@params_option(PriorKnowledgeRun)
def shortcuts_step(measured: tuple[Path, ...], out: Path, summary: Path, params: PriorKnowledgeRun) -> None:
    """Tabulate the MEASURED shortcuts and stop where a balanced benchmark exceeds a limit."""
    from divlogic.prior_knowledge.shortcuts.steps import tabulate

    tabulate(measured, out, summary, params.prior_knowledge.shortcuts)


@cli.command("table")
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


@cli.command("figures")
@click.option("--independence", type=FILE, help="The table of `table`, without its suffix.")
@click.option("--shortcuts", type=FILE, help="The table of `shortcuts`, without its suffix.")
@click.option("--out", type=FOLDER, required=True, help="Folder of the figures (svg and png).")
def figures_step(independence: Path | None, shortcuts: Path | None, out: Path) -> None:
    """Draw the figures of the tables given."""
    from divlogic.prior_knowledge.figures import draw_independence, draw_shortcuts

    if independence:
        draw_independence(independence, out / "independence")
    if shortcuts:
        draw_shortcuts(shortcuts, out / "shortcuts")


def _model(section: PriorKnowledgeParameters, name: str, base_url: str | None) -> ModelParameters:
    from divlogic.models.parameters import model_named

    return model_named(section.models, name, base_url)


def _with_limits(
    section: PriorKnowledgeParameters, concurrency: int | None, timeout: float | None
) -> PriorKnowledgeParameters:
    return section.model_copy(update={"limits": with_options(section.limits, concurrency, timeout)})
