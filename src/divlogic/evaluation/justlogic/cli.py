"""The steps of JustLogic's table and error analysis, commands of ``divlogic evaluation``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from divlogic.config.option import BASE, FILE, FOLDER, params_option
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.options import reports_option

if TYPE_CHECKING:
    from divlogic.models.predictions import Prediction


@click.command("overlap")
@click.argument("records", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
def overlap_step(records: tuple[Path, ...], out: Path) -> None:
    """Answer JustLogic's RECORDS by word overlap with the context."""
    from divlogic.evaluation.justlogic.groups import overlap_predictions
    from divlogic.models.predictions import write_predictions
    from divlogic.records import read_records

    write_predictions(out, (p for path in records for p in overlap_predictions(read_records(path))))


@click.command("label-accuracy")
@click.argument("answers", nargs=-1, type=FILE)
@click.option("--published", type=FOLDER, required=True, help="Folder of the printed tables.")
@reports_option
@click.option("--out", type=BASE, required=True, help="Table, without its suffix.")
@params_option(EvaluationRun)
def accuracy_step(
    answers: tuple[Path, ...],
    published: Path,
    recordings: tuple[Path, ...],
    out: Path,
    params: EvaluationRun,
) -> None:
    """Write JustLogic's table of systems from the files of ANSWERS, next to the printed one."""
    from divlogic.evaluation.justlogic.accuracy import write_accuracy

    write_accuracy(
        list(_read(answers)),
        published,
        out,
        seed=params.seed,
        resamples=params.evaluation.resamples,
        recordings=recordings,
    )


@click.command("error-analysis")
@click.argument("answers", nargs=-1, required=True, type=FILE)
@click.option("--records", multiple=True, required=True, type=FILE, help="The records that were asked.")
@click.option(
    "--groups", type=BASE, required=True, help="Table by depth, form and label, without its suffix."
)
@click.option("--regression", type=BASE, required=True, help="Table of coefficients, without its suffix.")
@params_option(EvaluationRun)
def error_analysis_step(
    answers: tuple[Path, ...],
    records: tuple[Path, ...],
    groups: Path,
    regression: Path,
    params: EvaluationRun,
) -> None:
    """Say what makes instances hard: accuracy by depth and form, and a logistic regression."""
    from divlogic.evaluation.justlogic.groups import cases_of, write_groups
    from divlogic.evaluation.justlogic.regression import write_regression
    from divlogic.records import read_records

    cases = list(cases_of(_read(answers), (record for path in records for record in read_records(path))))
    write_groups(cases, groups, seed=params.seed, resamples=params.evaluation.resamples)
    write_regression(cases, regression)


@click.command("recorded-questions")
@click.argument("folders", nargs=-1, type=FOLDER)
@click.option("--out", type=FILE, required=True, help="The questions (jsonl).")
def recorded_questions_step(folders: tuple[Path, ...], out: Path) -> None:
    """Write the questions that JustLogic's recordings in corpus FOLDERS answer; without any, the file is empty."""
    from divlogic.evaluation.justlogic.questions import write_recorded_questions

    write_recorded_questions(folders, out)


commands: list[click.Command] = [
    overlap_step,
    recorded_questions_step,
    accuracy_step,
    error_analysis_step,
]


def _read(paths: tuple[Path, ...]) -> Iterator[Prediction]:
    from divlogic.models.predictions import read_predictions

    for path in paths:
        yield from read_predictions(path)
