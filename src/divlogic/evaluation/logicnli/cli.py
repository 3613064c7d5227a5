"""``divlogic evaluation logicnli``: diagnose learners and models, train a learner of one's own choice."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import params_option
from divlogic.evaluation.parameters import EvaluationRun

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group("logicnli")
def logicnli() -> None:
    """Diagnose learners and models on LogicNLI's sets."""


@logicnli.command("diagnose")
@click.argument("predictions", nargs=-1, type=_FILE)
@click.option("--sets", "folder", type=_FOLDER, required=True, help="Folder of the sets.")
@click.option("--answers", type=_FILE, required=True, help="What the learners answered (jsonl).")
@click.option("--out", type=_FOLDER, required=True, help="Folder of the tables and the figure.")
@params_option(EvaluationRun)
def diagnose_step(
    predictions: tuple[Path, ...], folder: Path, answers: Path, out: Path, params: EvaluationRun
) -> None:
    """Train the learners of the parameters, answer every set, and diagnose them and the systems of the PREDICTIONS."""
    from divlogic.evaluation.logicnli.diagnose import write_diagnosis

    section = params.evaluation
    write_diagnosis(
        folder,
        out,
        learners=section.logicnli.learners,
        answers=answers,
        further=predictions,
        seed=params.seed,
        resamples=section.resamples,
    )
