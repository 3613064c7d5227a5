"""``divlogic contamination``: train and ask learners, record them, tabulate."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.command import Commands
from divlogic.config.option import BASE, FILE, FOLDER, params_option
from divlogic.contamination.parameters import ContaminationRun

_published = click.option(
    "--published", type=FOLDER, required=True, help="Folder of the printed numbers (data/published)."
)


cli = Commands(
    "contamination",
    "Measure what training on a benchmark's sources, or on the benchmark itself, does to its scores.",
    {
        "run": "contamination.cli:run_step",
        "guess": "contamination.asking:guess_options",
        "record": "contamination.cli:record_step",
        "tabulate": "contamination.cli:tabulate_step",
        "learnability": "contamination.cli:learnability_step",
        "learn": "contamination.cli:learn_step",
        "transfer": "contamination.cli:transfer_step",
        "tabulate-transfer": "contamination.cli:tabulate_transfer_step",
    },
)


@click.command("run")
@click.option("--learner", "name", required=True, help="Name of a learner of the parameters.")
@click.option("--pairs", type=FILE, required=True, help="Pairs of natural language inference (jsonl.gz).")
@click.option("--test", type=FILE, required=True, help="Test split of DivLogicEval (jsonl).")
@click.option("--groups", type=FILE, required=True, help="Its shuffled sentence groups (jsonl).")
@click.option("--work", type=FOLDER, help="Folder of checkpoints; the same command goes on from there.")
@click.option(
    "--experiment",
    "experiments",
    multiple=True,
    type=click.Choice(["pairs", "leak"]),
    help="Only this one; repeatable. By default both.",
)
@click.option("--out", type=FILE, required=True, help="Outcomes (jsonl).")
@params_option(ContaminationRun)
def run_step(
    name: str,
    pairs: Path,
    test: Path,
    groups: Path,
    work: Path | None,
    experiments: tuple[str, ...],
    out: Path,
    params: ContaminationRun,
) -> None:
    """Train a learner on pairs and on leaked instances, and ask it before and after."""
    from divlogic.contamination.build import learner_named
    from divlogic.contamination.steps import EXPERIMENTS, run_learner

    run_learner(
        learner_named(params.contamination.learners, name),
        out,
        params,
        pairs=pairs,
        test=test,
        groups=groups,
        work=work,
        experiments=experiments or EXPERIMENTS,
    )


@click.command("record")
@click.option("--in", "source", type=FILE, required=True, help="Outcomes of `run` (jsonl).")
@click.option("--learner", "name", required=True, help="Name of the learner that they are of.")
@click.option("--test", type=FILE, required=True, help="Test split of DivLogicEval (jsonl).")
@click.option("--out", type=FILE, required=True, help="The recording (json), in data/recorded/contamination.")
@params_option(ContaminationRun)
def record_step(source: Path, name: str, test: Path, out: Path, params: ContaminationRun) -> None:
    """Record outcomes for later runs, which show them without training: numbers, settings and versions."""
    from divlogic.contamination.build import learner_named
    from divlogic.contamination.recording import record

    learner = learner_named(params.contamination.learners, name)
    click.echo(f"{out}: {record(source, out, learner, params, test):,} outcomes")


@click.command("tabulate")
@click.argument("outcomes", nargs=-1, type=FILE)
@click.option(
    "--recording", "recordings", multiple=True, type=FILE, help="Recorded outcomes (json); repeatable."
)
@click.option("--test", type=FILE, required=True, help="Test split of DivLogicEval (jsonl).")
@_published
@click.option("--out", type=FOLDER, required=True, help="Folder of the tables and the figure.")
def tabulate_step(
    outcomes: tuple[Path, ...], recordings: tuple[Path, ...], test: Path, published: Path, out: Path
) -> None:
    """Write table5, leak and guessing (csv, md, tex), the figure of leaks (svg, png) and the summary (json)."""
    from divlogic.contamination.outcomes import read_outcomes
    from divlogic.contamination.recording import read_recording
    from divlogic.contamination.table5 import write_table5
    from divlogic.contamination.tables import draw_leak, write_guessing, write_leak, write_summary

    found = [outcome for path in outcomes for outcome in read_outcomes(path)]
    own = {outcome.learner for outcome in found}
    for path in recordings:
        # A learner that was trained in this run needs no recording.
        found += [outcome for outcome in read_recording(path, test) if outcome.learner not in own]
    write_table5(found, published, out / "table5")
    write_leak(found, out / "leak")
    write_guessing(found, published, out / "guessing")
    draw_leak(found, out / "leak")
    write_summary(found, out / "summary.json")


@click.command("learnability")
@click.option("--groups", type=FILE, required=True, help="Shuffled sentence groups of DivLogicEval (jsonl).")
@click.option(
    "--recording", "recordings", multiple=True, type=FILE, help="Curves of `learn` (json); repeatable."
)
@click.option("--out", type=BASE, required=True, help="Table and figure, without suffix.")
@params_option(ContaminationRun)
def learnability_step(
    groups: Path, recordings: tuple[Path, ...], out: Path, params: ContaminationRun
) -> None:
    """Train learners that do not reason on more and more fresh instances of both presets (minutes)."""
    from divlogic.contamination.curves import read_curves
    from divlogic.contamination.learnability import learnability, write_learnability

    found = list(learnability(groups, params))
    write_learnability(found + [one for path in recordings for one in read_curves(path, groups)], out)


@click.command("learn")
@click.option("--learner", "name", required=True, help="Name of a learner of the parameters.")
@click.option("--groups", type=FILE, required=True, help="Shuffled sentence groups of DivLogicEval (jsonl).")
@click.option("--work", type=FOLDER, help="Folder of checkpoints; the same command goes on from there.")
@click.option("--out", type=FILE, required=True, help="The recording (json), in data/recorded/learnability.")
@params_option(ContaminationRun)
def learn_step(name: str, groups: Path, work: Path | None, out: Path, params: ContaminationRun) -> None:
    """Record the learning curves of a learner that takes long: a training for each number of fresh instances."""
    from divlogic.contamination.curves import builder, record_curves

    record_curves(name, builder(name, params), groups, out, params, work=work)


@click.command("transfer")
@click.option(
    "--generated",
    type=FILE,
    multiple=True,
    required=True,
    help="Generated instances (jsonl); repeatable. They must not be those of the test split.",
)
@click.option("--reading", type=FILE, required=True, help="Questions on texts, as records (jsonl).")
@click.option("--test", type=FILE, help="Questions to test with; by default a part of --reading.")
@click.option("--work", type=FOLDER, help="Folder of checkpoints; the same command goes on from there.")
@click.option("--out", type=FILE, required=True, help="The recording (json), in data/recorded/transfer.")
@params_option(ContaminationRun)
def transfer_step(
    generated: tuple[Path, ...],
    reading: Path,
    test: Path | None,
    work: Path | None,
    out: Path,
    params: ContaminationRun,
) -> None:
    """Train an encoder on generated instances and then on questions on texts, and on the latter alone (needs torch)."""
    from divlogic.contamination.transfer_run import run_transfer

    run_transfer(generated, reading, test, out, params, work=work)


@click.command("tabulate-transfer")
@click.argument("recordings", nargs=-1, type=FILE)
@click.option("--generated", type=FILE, multiple=True, help="Generated instances of this run; repeatable.")
@_published
@click.option("--out", type=BASE, required=True, help="Table, without suffix.")
def tabulate_transfer_step(
    recordings: tuple[Path, ...], generated: tuple[Path, ...], published: Path, out: Path
) -> None:
    """Write the table of transfer from recordings, with the printed cells."""
    from divlogic.contamination.transfer import write_transfer
    from divlogic.contamination.transfer_run import read_transfer

    found = [one for path in recordings for one in read_transfer(path, generated)]
    write_transfer(found, published, out)
