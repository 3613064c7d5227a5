"""``divlogic evaluation logicnli``: diagnose learners and models, train a learner of one's own choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.options import limit_options, with_options
from divlogic.models.parameters import model_named


@click.group("logicnli")
def logicnli() -> None:
    """Diagnose learners and models on LogicNLI's sets."""


@logicnli.command("diagnose")
@click.argument("predictions", nargs=-1, type=FILE)
@click.option("--sets", "folder", type=FOLDER, required=True, help="Folder of the sets.")
@click.option("--answers", type=FILE, required=True, help="What the learners answered (jsonl).")
@click.option(
    "--recordings", multiple=True, type=FILE, help="Report of `logicnli recorded`, for the note; repeatable."
)
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


def _questions_options(command: Any) -> Any:
    """Add what every command takes that puts statements to models."""
    for add in (
        params_option(EvaluationRun),
        click.option(
            "--out", type=click.Path(path_type=Path), required=True, help="Answers, or their folder."
        ),
        click.option(
            "--pool", type=FILE, required=True, help="Training set, for prompts with solved examples."
        ),
        click.option("--in", "source", type=FILE, required=True, help="The set (jsonl)."),
    ):
        command = add(command)
    return command


@logicnli.command("ask")
@click.option(
    "--model", "name", required=True, help="Label or name of a model; need not be in the parameters."
)
@click.option("--base-url", help="Address of a server, in place of that of the parameters.")
@click.option("--store", type=FILE, required=True, help="Response store (appended to).")
@limit_options
@_questions_options
def ask_step(
    source: Path,
    pool: Path,
    name: str,
    base_url: str | None,
    store: Path,
    out: Path,
    concurrency: int | None,
    timeout: float | None,
    params: EvaluationRun,
) -> None:
    """Ask a model the statements of a set that the store holds no answer to."""
    from divlogic.evaluation.logicnli.models import ask_logicnli

    section = params.evaluation
    limits = with_options(section.limits, concurrency, timeout)
    ask_logicnli(
        source,
        pool,
        store,
        out,
        model=model_named(section.models, name, base_url),
        parameters=section.model_copy(update={"limits": limits}),
        seed=params.seed,
    )


@logicnli.command("record")
@click.option("--predictions", type=FILE, multiple=True, required=True, help="The answers; repeatable.")
@click.option("--model", "name", required=True, help="Label or name of the model whose answers are recorded.")
@_questions_options
def record_step(
    source: Path, pool: Path, predictions: tuple[Path, ...], name: str, out: Path, params: EvaluationRun
) -> None:
    """Record a model's answers to the statements of a set for later runs."""
    from divlogic.evaluation.logicnli.models import record_logicnli

    section = params.evaluation
    model = model_named(section.models, name, None)
    tables = record_logicnli(
        source, pool, predictions, out, model=model, parameters=section, seed=params.seed
    )
    for table in tables:
        click.echo(f"{out / table.name}: {table.rows:,} answers")


@logicnli.command("recorded")
@click.option("--from", "folders", type=FOLDER, multiple=True, help="Folder of a recorded model; repeatable.")
@click.option("--report", type=FILE, required=True, help="What was met in each table (json), for notes.")
@_questions_options
def recorded_step(
    source: Path, pool: Path, folders: tuple[Path, ...], report: Path, out: Path, params: EvaluationRun
) -> None:
    """Write the recorded answers of models to the statements of a set; those to other versions are left out."""
    from divlogic.evaluation.logicnli.models import write_recorded_statements

    write_recorded_statements(source, pool, folders, out, report, seed=params.seed)


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
