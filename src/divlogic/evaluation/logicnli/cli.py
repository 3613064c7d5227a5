"""``divlogic evaluation logicnli``: diagnose learners and models, train a learner of one's own choice."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.options import reports_option


@click.group("logicnli")
def logicnli() -> None:
    """Diagnose learners and models on LogicNLI's sets."""


@logicnli.command("diagnose")
@click.argument("predictions", nargs=-1, type=FILE)
@click.option("--sets", "folder", type=FOLDER, required=True, help="Folder of the sets.")
@click.option("--answers", type=FILE, required=True, help="What the learners answered (jsonl).")
@reports_option
@click.option("--out", type=FOLDER, required=True, help="Folder of the tables and the figure.")
@params_option(EvaluationRun)
def diagnose_step(
    predictions: tuple[Path, ...],
    folder: Path,
    answers: Path,
    recordings: tuple[Path, ...],
    out: Path,
    params: EvaluationRun,
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
        recordings=recordings,
        seed=params.seed,
        resamples=section.resamples,
    )


@logicnli.command("train")
@click.option("--sets", "folder", type=FOLDER, required=True, help="Folder of the sets.")
@click.option(
    "--kind",
    type=click.Choice(["transformer", "encoder"]),
    required=True,
    help="A small transformer from scratch, or an encoder of `transformers`.",
)
@click.option("--model", help="Encoder: a name of the hub, or a folder.")
@click.option("--label", help="Name of the system in tables; by default the kind, or the encoder's name.")
@click.option(
    "--train",
    "training_sets",
    multiple=True,
    default=("train",),
    show_default=True,
    type=click.Choice(["train", "train_r", "d_train", "d_train_r", "connectives"]),
    help="Training set; repeatable. The sets that go with it are answered; connectives: each half of a connective's"
    " set, asked the other.",
)
@click.option(
    "--instances", type=click.IntRange(1), help="Records trained on, the first ones; by default all."
)
@click.option("--epochs", type=click.IntRange(1), help="Passes over the training set, at most.")
@click.option("--batch", type=click.IntRange(1), help="Records per step.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="Learning rate of AdamW.")
@click.option("--save", type=FOLDER, help="Folder for the trained networks.")
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@params_option(EvaluationRun)
def train_step(
    folder: Path,
    kind: Literal["transformer", "encoder"],
    model: str | None,
    label: str | None,
    training_sets: tuple[str, ...],
    instances: int | None,
    epochs: int | None,
    batch: int | None,
    rate: float | None,
    save: Path | None,
    out: Path,
    params: EvaluationRun,
) -> None:
    """Train a network on LogicNLI's sets and write its answers; needs the environment of requirements/neural.lock."""
    from divlogic.evaluation.logicnli.networks import train_network

    given = {"epochs": epochs, "batch": batch, "rate": rate}
    train_network(
        folder,
        out,
        kind=kind,
        model=model,
        label=label or model or kind,
        training_sets=training_sets,
        instances=instances,
        settings={name: value for name, value in given.items() if value is not None},
        seed=params.seed,
        save=save,
    )


@logicnli.command("harness")
@click.argument("sources", nargs=-1, required=True, type=FILE)
@click.option("--prompt", default="zero_shot", show_default=True, help="Prompt style, such as zero_shot.")
@click.option("--pool", type=FILE, help="Records that solved examples are drawn from.")
@click.option("--out", type=FOLDER, required=True, help="Task folder for lm-evaluation-harness.")
@params_option(EvaluationRun)
def harness_step(
    sources: tuple[Path, ...], prompt: str, pool: Path | None, out: Path, params: EvaluationRun
) -> None:
    """Export sets as tasks for lm-evaluation-harness (--include_path), with accuracy and quartet-EM."""
    from divlogic.evaluation.logicnli.questions import write_harness

    click.echo("\n".join(write_harness(sources, out, prompt=prompt, pool=pool, seed=params.seed)))
