"""The steps of JustLogic's error analysis, to be hung into ``divlogic evaluation``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from divlogic.cli import params_option

if TYPE_CHECKING:
    from divlogic.config import Parameters
    from divlogic.prior_knowledge.answers import Answer

_FILE = click.Path(path_type=Path, dir_okay=False)
_BASE = click.Path(path_type=Path)


@click.command("overlap")
@click.argument("records", nargs=-1, required=True, type=_FILE)
@click.option("--out", type=_FILE, required=True, help="Answers (jsonl).")
def overlap_step(records: tuple[Path, ...], out: Path) -> None:
    """Answer JustLogic's RECORDS by word overlap with the context."""
    from divlogic.evaluation.depth import overlap_answers
    from divlogic.prior_knowledge.answers import write_answers
    from divlogic.records import read_records

    write_answers(out, (answer for path in records for answer in overlap_answers(read_records(path))))


@click.command("label-accuracy")
@click.argument("answers", nargs=-1, type=_FILE)
@click.option(
    "--published",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the printed tables.",
)
@click.option("--out", type=_BASE, required=True, help="Table, without its suffix.")
@params_option
def accuracy_step(answers: tuple[Path, ...], published: Path, out: Path, params: Parameters) -> None:
    """Write JustLogic's table of systems from the files of ANSWERS, beside the printed one."""
    from divlogic.evaluation.depth import write_accuracy

    write_accuracy(list(_read(answers)), published, out, seed=params.seed, resamples=_resamples(params))


@click.command("error-analysis")
@click.argument("answers", nargs=-1, required=True, type=_FILE)
@click.option("--records", multiple=True, required=True, type=_FILE, help="The records that were asked.")
@click.option(
    "--groups", type=_BASE, required=True, help="Table by depth, form and label, without its suffix."
)
@click.option("--figure", type=_BASE, help="Figure of it, without its suffix.")
@click.option("--regression", type=_BASE, required=True, help="Table of coefficients, without its suffix.")
@params_option
def error_analysis_step(
    answers: tuple[Path, ...],
    records: tuple[Path, ...],
    groups: Path,
    figure: Path | None,
    regression: Path,
    params: Parameters,
) -> None:
    """Say what makes instances hard: accuracy by depth and form, and a logistic regression."""
    from divlogic.evaluation.depth import cases_of, write_groups
    from divlogic.evaluation.error_analysis import write_regression
    from divlogic.records import read_records

    cases = list(cases_of(_read(answers), (record for path in records for record in read_records(path))))
    write_groups(cases, groups, figure, seed=params.seed, resamples=_resamples(params))
    write_regression(cases, regression)


commands: list[click.Command] = [overlap_step, accuracy_step, error_analysis_step]


def _read(paths: tuple[Path, ...]) -> Iterator[Answer]:
    from divlogic.prior_knowledge.answers import read_answers

    for path in paths:
        yield from read_answers(path)


def _resamples(params: Parameters) -> int:
    section = getattr(params, "evaluation", None)
    return section.resamples if section is not None else 2000
