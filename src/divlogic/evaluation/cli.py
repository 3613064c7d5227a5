"""``divlogic evaluation``: rotate, plan, run, export, score, replay, tables, figures, audit-published, harness."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from divlogic.config.option import FILE, FOLDER, params_option, together
from divlogic.evaluation.asked_cli import commands as asked_commands
from divlogic.evaluation.justlogic.cli import commands as justlogic_commands
from divlogic.evaluation.llmeval_logic.cli import llmeval_logic
from divlogic.evaluation.logicnli.cli import logicnli
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.recorded_cli import commands as recorded_commands
from divlogic.models.options import asking_options, reports_option, with_options
from divlogic.models.recordings.reading import FORMATS

PUBLISHED = Path("data/published")
BaselineFiles = Mapping[str, Path | tuple[Path, ...] | None]

_baseline_files = together(
    click.option("--train", type=FILE, help="Records that trained baselines learn from."),
    click.option(
        "--records", type=FILE, multiple=True, help="Records that the symbolic reader reads; repeatable."
    ),
    click.option("--groups", type=FILE, help="Sentence groups with negations, for the symbolic reader."),
)


def baseline_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name what baselines read; the command receives them as ``files``, by name."""

    @_baseline_files
    @functools.wraps(command)
    def collected(
        *args: Any, train: Path | None, records: tuple[Path, ...], groups: Path | None, **rest: Any
    ) -> Any:
        return command(*args, files={"train": train, "records": records, "groups": groups}, **rest)

    return collected


@click.group("evaluation")
def cli() -> None:
    """Put questions to models, score the answers, replay recorded ones, and write the tables."""


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Records (jsonl).")
@click.option("--prompt", required=True, help="Prompt style, such as zero_shot.")
@click.option("--pool", type=FILE, help="Records that few-shot examples are drawn from.")
@click.option("--out", type=FILE, required=True, help="Rotation rows (jsonl).")
@params_option(EvaluationRun)
def rotate(source: Path, prompt: str, pool: Path | None, out: Path, params: EvaluationRun) -> None:
    """Write the four rotations of every instance as prompts."""
    from divlogic.evaluation.rotations import write_rotations

    write_rotations(source, out, prompt=prompt, pool=pool, seed=params.seed)


@cli.command()
@click.argument("rotations", nargs=-1, required=True, type=FILE)
@asking_options
@click.option("--summary", type=FILE, help="What the run did (json).")
@click.option("--out", type=FILE, help="Write the model's answers as predictions (jsonl).")
@click.option("--inspect-logs", type=FOLDER, help="Write Inspect logs into this folder, for `inspect view`.")
@baseline_options
@params_option(EvaluationRun)
def run(
    rotations: tuple[Path, ...],
    name: str,
    base_url: str | None,
    store: Path,
    summary: Path | None,
    out: Path | None,
    inspect_logs: Path | None,
    concurrency: int | None,
    timeout: float | None,
    files: BaselineFiles,
    params: EvaluationRun,
) -> None:
    """Ask a model for every answer to the ROTATIONS that the store lacks."""
    from divlogic.evaluation.steps import run_into_store, with_files
    from divlogic.models.parameters import model_named

    section = params.evaluation
    model = model_named(section.models, name, base_url)
    limits = with_options(section.limits, concurrency, timeout)
    run_into_store(
        rotations,
        store,
        model=with_files(model, files),
        parameters=section.model_copy(update={"limits": limits}),
        seed=params.seed,
        summary=summary,
        out=out,
        inspect_logs=inspect_logs,
    )


@cli.command()
@click.argument("rotations", nargs=-1, required=True, type=FILE)
@click.option(
    "--store", type=FILE, help="Response store, whose answers are not paid again; none yet if left out."
)
@click.option("--model", "names", multiple=True, help="Only these models; by default all of the parameters.")
@click.option("--input-price", type=click.FloatRange(min=0), help="Price of a million tokens of prompts.")
@click.option("--output-price", type=click.FloatRange(min=0), help="Price of a million tokens of answers.")
@baseline_options
@params_option(EvaluationRun)
def plan(
    rotations: tuple[Path, ...],
    store: Path | None,
    names: tuple[str, ...],
    input_price: float | None,
    output_price: float | None,
    files: BaselineFiles,
    params: EvaluationRun,
) -> None:
    """Say what a run on the ROTATIONS would ask: requests, tokens, and the cost at the prices given."""
    from divlogic.evaluation.plan import plan_run
    from divlogic.evaluation.steps import with_files
    from divlogic.models.parameters import model_named

    section = params.evaluation
    for model in [model_named(section.models, name, None) for name in names] or section.models:
        planned = plan_run(rotations, store, model=with_files(model, files), parameters=section)
        click.echo(planned.sentence())
        if input_price is not None or output_price is not None:
            click.echo(
                f"{planned.model}: cost about {planned.cost(input_price or 0, output_price or 0):,.2f}"
            )


@cli.command()
@click.argument("rotations", nargs=-1, required=True, type=FILE)
@click.option("--store", type=FILE, required=True, help="Response store.")
@click.option("--model", "names", multiple=True, help="Only these models; by default all of the parameters.")
@click.option("--base-url", help="Address of the server; the answers do not depend on it.")
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@baseline_options
@params_option(EvaluationRun)
def export(
    rotations: tuple[Path, ...],
    store: Path,
    names: tuple[str, ...],
    base_url: str | None,
    out: Path,
    files: BaselineFiles,
    params: EvaluationRun,
) -> None:
    """Write the stored answers to the ROTATIONS as predictions, in a fixed order."""
    from divlogic.evaluation.steps import export_predictions, with_files
    from divlogic.models.parameters import model_named

    section = params.evaluation
    models = [model_named(section.models, name, base_url) for name in names] or section.models
    export_predictions(
        rotations, store, out, models=[with_files(model, files) for model in models], parameters=section
    )


@cli.command()
@click.argument("predictions", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FILE, required=True, help="Scores (csv).")
@click.option("--pairs", type=FILE, help="Paired comparisons (csv).")
@click.option("--metrics", type=FILE, help="ACC, CIR and PC per system, for `dvc metrics diff` (json).")
@click.option(
    "--due",
    multiple=True,
    type=FILE,
    help="Rotation file that every model of the parameters owes its answers to; repeatable.",
)
@click.option(
    "--allow-missing", is_flag=True, help="Score what is there if answers that are due are missing."
)
@params_option(EvaluationRun)
def score(
    predictions: tuple[Path, ...],
    out: Path,
    pairs: Path | None,
    metrics: Path | None,
    due: tuple[Path, ...],
    allow_missing: bool,
    params: EvaluationRun,
) -> None:
    """Score PREDICTIONS: ACC, CIR and PC per question type and overall, with intervals."""
    from divlogic.evaluation.steps import write_scores

    write_scores(
        predictions,
        out,
        pairs=pairs,
        metrics=metrics,
        parameters=params.evaluation,
        seed=params.seed,
        due=due,
        allow_missing=allow_missing,
    )


@cli.command()
@click.argument("source", metavar="FILE", type=FILE)
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), required=True, help="Format of the recording."
)
@click.option("--model", help="Whose answers they are; the file's name if not given.")
@click.option("--prompt", default="zero_shot", show_default=True, help="Prompt style that was used.")
@click.option("--benchmark", help="Benchmark of label answers, for its published random probability.")
@click.option("--predictions", type=FILE, help="Write the answers as predictions (jsonl).")
@click.option("--scores", type=FILE, help="Write the figures (csv).")
@params_option(EvaluationRun)
def replay(
    source: Path,
    format_: Any,
    model: str | None,
    prompt: str,
    benchmark: str | None,
    predictions: Path | None,
    scores: Path | None,
    params: EvaluationRun,
) -> None:
    """Score answers that somebody else recorded, as published and corrected."""
    from divlogic.evaluation.steps import replay as replay_recording
    from divlogic.models.recordings import Recording

    rows = replay_recording(
        Recording(str(source), format_, model=model or "", prompt=prompt, benchmark=benchmark or ""),
        predictions=predictions,
        scores=scores,
        parameters=params.evaluation,
        seed=params.seed,
    )
    _print_rows(rows)


@cli.command()
@click.argument("predictions", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FILE, required=True, help="All predictions (jsonl).")
def gather(predictions: tuple[Path, ...], out: Path) -> None:
    """Put PREDICTIONS together in the order given."""
    from divlogic.evaluation.steps import gather_predictions

    gather_predictions(predictions, out)


@cli.command()
@click.argument("predictions", nargs=-1, type=FILE)
@click.option("--published", type=FOLDER, default=PUBLISHED, show_default=True, help="Printed cells.")
@reports_option
@click.option("--out", type=FOLDER, required=True, help="Folder of table1, table2, table3, table6, table8.")
@params_option(EvaluationRun)
def tables(
    predictions: tuple[Path, ...],
    published: Path,
    recordings: tuple[Path, ...],
    out: Path,
    params: EvaluationRun,
) -> None:
    """Write Tables 1, 2, 3, 6 and 8: printed rows, and those of PREDICTIONS next to them."""
    from divlogic.evaluation.tables import write_tables

    write_tables(
        predictions,
        published,
        out,
        parameters=params.evaluation,
        seed=params.seed,
        recordings=recordings,
    )


@cli.command()
@click.option("--table8", type=FILE, help="Table 8, without its suffix, for figure2.")
@click.option("--groups", type=FILE, help="JustLogic's accuracy by group, for justlogic_groups.")
@click.option("--curves", type=FILE, help="LogicNLI's curves, for logicnli_curves.")
@params_option(EvaluationRun)
@click.option("--out", type=FOLDER, required=True, help="Folder of the figures (svg and png).")
def figures(
    table8: Path | None, groups: Path | None, curves: Path | None, params: EvaluationRun, out: Path
) -> None:
    """Draw the figures of the tables given, each named without its suffix."""
    from divlogic.evaluation.figures import draw_figure2, draw_groups
    from divlogic.evaluation.logicnli.figure import draw_curves

    if table8:
        draw_figure2(table8, out / "figure2", none=params.evaluation.none_outcome)
    if groups:
        draw_groups(groups, out / "justlogic_groups")
    if curves:
        draw_curves(curves, out / "logicnli" / "logicnli_curves")


@cli.command("audit-published")
@click.option("--in", "source", type=FOLDER, default=PUBLISHED, show_default=True, help="Printed cells.")
@click.option("--out", type=FILE, required=True, help="Findings (csv).")
def audit_published(source: Path, out: Path) -> None:
    """List every printed cell that breaks a rule of arithmetic or of the metrics."""
    from divlogic.published import read_published
    from divlogic.published.audit import write_audit

    count = write_audit(read_published(source), out)
    click.echo(f"{count} findings in {out}")


@cli.command()
@click.argument("rotations", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FOLDER, required=True, help="Task folder for lm-evaluation-harness.")
def harness(rotations: tuple[Path, ...], out: Path) -> None:
    """Export ROTATIONS as tasks for lm-evaluation-harness (--include_path)."""
    from divlogic.evaluation.harness import write_harness

    click.echo("\n".join(write_harness(rotations, out)))


for command in (*asked_commands, *justlogic_commands, *recorded_commands, llmeval_logic, logicnli):
    cli.add_command(command)


def _print_rows(rows: list[dict[str, Any]]) -> None:
    """Print figures as an aligned table."""
    if not rows:
        return
    columns = list(rows[0])
    cells = [columns, *([str(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[index]) for line in cells) for index in range(len(columns))]
    for line in cells:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
