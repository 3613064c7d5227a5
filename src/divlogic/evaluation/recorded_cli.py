"""``divlogic evaluation record, recorded, …``: a model's answers that the repository ships, written and read back."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.evaluation.parameters import EvaluationRun


@click.command()
@click.argument("rotations", nargs=-1, required=True, type=FILE)
@click.option("--predictions", type=FILE, multiple=True, required=True, help="The answers; repeatable.")
@click.option("--model", "name", required=True, help="Label or name of the model whose answers are recorded.")
@click.option("--out", type=FOLDER, required=True, help="The model's folder in data/recorded.")
@params_option(EvaluationRun)
def record(
    rotations: tuple[Path, ...], predictions: tuple[Path, ...], name: str, out: Path, params: EvaluationRun
) -> None:
    """Record a model's answers to the ROTATIONS for later runs: letters and log-probabilities, for these questions."""
    from divlogic.evaluation.recorded_models import record_rotations

    for table in record_rotations(rotations, predictions, out, name=name, parameters=params.evaluation):
        click.echo(f"{out / table.name}: {table.rows:,} answers")


@click.command()
@click.argument("rotations", nargs=-1, type=FILE)
@click.option("--from", "folders", type=FOLDER, multiple=True, help="Folder of a recorded model; repeatable.")
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@click.option("--report", type=FILE, required=True, help="What was met in each table (json), for notes.")
@click.option(
    "--benchmarks", type=FOLDER, help="Folder of the benchmarks, for prompt styles that no ROTATIONS have."
)
@params_option(EvaluationRun)
def recorded(
    rotations: tuple[Path, ...],
    folders: tuple[Path, ...],
    out: Path,
    report: Path,
    benchmarks: Path | None,
    params: EvaluationRun,
) -> None:
    """Write the recorded answers of models to the ROTATIONS; those to other versions of them are left out."""
    from divlogic.evaluation.recorded_models import write_recorded_predictions

    write_recorded_predictions(rotations, folders, out, report, benchmarks=benchmarks, seed=params.seed)


@click.command("record-justlogic")
@click.option("--in", "source", type=FILE, required=True, help="Questions (jsonl).")
@click.option("--pool", type=FILE, required=True, help="Training part, for prompts with solved examples.")
@click.option("--predictions", type=FILE, multiple=True, required=True, help="The answers; repeatable.")
@click.option("--model", "name", required=True, help="Label or name of the model whose answers are recorded.")
@click.option("--out", type=FOLDER, required=True, help="The model's folder in data/recorded.")
@params_option(EvaluationRun)
def record_labels(
    source: Path, pool: Path, predictions: tuple[Path, ...], name: str, out: Path, params: EvaluationRun
) -> None:
    """Record a model's answers to JustLogic's questions for later runs."""
    from divlogic.evaluation.recorded_models import record_justlogic

    section, seed = params.evaluation, params.seed
    for table in record_justlogic(source, pool, predictions, out, name=name, parameters=section, seed=seed):
        click.echo(f"{out / table.name}: {table.rows:,} answers")


@click.command("recorded-justlogic")
@click.option("--in", "source", type=FILE, required=True, help="Questions (jsonl).")
@click.option("--pool", type=FILE, required=True, help="Training part, for prompts with solved examples.")
@click.option("--from", "folders", type=FOLDER, multiple=True, help="Folder of a recorded model; repeatable.")
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@click.option("--report", type=FILE, required=True, help="What was met in each table (json), for notes.")
@params_option(EvaluationRun)
def recorded_labels(
    source: Path, pool: Path, folders: tuple[Path, ...], out: Path, report: Path, params: EvaluationRun
) -> None:
    """Write the recorded answers of models to JustLogic's questions; those to other versions are left out."""
    from divlogic.evaluation.recorded_models import write_recorded_labels

    prompts = params.evaluation.justlogic.prompts
    write_recorded_labels(source, pool, folders, out, report, prompts=prompts, seed=params.seed)


commands: list[click.Command] = [record, recorded, record_labels, recorded_labels]
