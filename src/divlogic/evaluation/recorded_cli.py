"""``divlogic evaluation record-rotations, recorded-rotations``: shipped answers to rotated instances."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.options import record_options, recorded_options


@click.command("record-rotations")
@click.argument("rotations", nargs=-1, required=True, type=FILE)
@record_options
@params_option(EvaluationRun)
def record_step(
    rotations: tuple[Path, ...], predictions: tuple[Path, ...], name: str, out: Path, params: EvaluationRun
) -> None:
    """Record a model's answers to the ROTATIONS for later runs: letters and log-probabilities, for these questions."""
    from divlogic.evaluation.recorded_models import record_rotations

    for table in record_rotations(rotations, predictions, out, name=name, parameters=params.evaluation):
        click.echo(f"{out / table.name}: {table.rows:,} answers")


@click.command("recorded-rotations")
@click.argument("rotations", nargs=-1, type=FILE)
@recorded_options
@click.option(
    "--benchmarks", type=FOLDER, help="Folder of the benchmarks, for prompt styles that no ROTATIONS have."
)
@params_option(EvaluationRun)
def recorded_step(
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


commands: list[click.Command] = [record_step, recorded_step]
