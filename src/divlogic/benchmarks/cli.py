"""``divlogic benchmarks``: generate, verify, release and show benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from divlogic.benchmarks.collection.cli import collect_command
from divlogic.benchmarks.parameters import BenchmarksRun, ReleaseRun
from divlogic.benchmarks.readers.cli import formats_command, import_command
from divlogic.benchmarks.registry import BENCHMARKS, benchmark_named, generator_named
from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.errors import DivLogicError
from divlogic.io.shards import expanded

GENERATED = tuple(one.name for one in BENCHMARKS if one.generator and one.generator.draw)
"""The benchmarks that the generic steps make."""

MEASURED = {
    one.name: one.generator.measures for one in BENCHMARKS if one.generator and one.generator.measures
}
"""The benchmarks that have measurements of their own."""

_name = click.argument("name", type=click.Choice(GENERATED), metavar="NAME")
_released = click.argument(
    "name", type=click.Choice([one.name for one in BENCHMARKS if one.release]), metavar="NAME"
)


class RoomGroup(click.Group):
    """The generic steps, and a group for every benchmark that has steps of its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        own = [one.name for one in BENCHMARKS if one.generator and one.generator.commands]
        return [*sorted(self.commands), *own]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for one in BENCHMARKS:
            if one.name == cmd_name and one.generator and one.generator.commands:
                return one.generator.commands()
        return super().get_command(ctx, cmd_name)


@click.group("benchmarks", cls=RoomGroup)
def cli() -> None:
    """Generate, verify, show and import benchmarks."""


@cli.command()
@_name
@click.option("--shard", type=click.IntRange(0), required=True, help="Number of this shard, from 0.")
@click.option("--shards", type=click.IntRange(1), required=True, help="Number of shards.")
@click.option("--out", type=FILE, required=True, help="Symbolic instances (jsonl).")
@params_option(BenchmarksRun)
def draw(name: str, shard: int, shards: int, out: Path, params: BenchmarksRun) -> None:
    """Draw the symbolic instances of one shard of the benchmark NAME."""
    _step(generator_named(name).draw, name, "draw")(out, shard=shard, shards=shards, run=params)


@cli.command()
@_name
@click.argument("inputs", nargs=-1, metavar="[INPUT=FILE]...")
@click.option("--in", "source", type=FILE, required=True, help="Symbolic instances of the shard.")
@click.option("--shard", type=click.IntRange(0), required=True, help="Number of this shard, from 0.")
@click.option("--out", type=FILE, required=True, help="Records (jsonl).")
@click.option("--counts", type=FILE, required=True, help="How the wording went (json).")
@params_option(BenchmarksRun)
def realise(
    name: str,
    inputs: tuple[str, ...],
    source: Path,
    shard: int,
    out: Path,
    counts: Path,
    params: BenchmarksRun,
) -> None:
    """Word the instances of one shard of the benchmark NAME so that their labels hold.

    INPUT=FILE names each further file that the benchmark's wording reads (`groups=groups.jsonl`).
    """
    generator = generator_named(name)
    files = dict(text.partition("=")[::2] for text in inputs)
    if set(files) != set(generator.inputs):
        given = ", ".join(files) or "none"
        raise DivLogicError(
            f"the wording of {name} reads {', '.join(generator.inputs)}, not {given}; name each as INPUT=FILE."
        )
    paths = {key: Path(path) for key, path in files.items()}
    step = _step(generator.realise, name, "realise")
    step(source, shard=shard, inputs=paths, out=out, counts=counts, run=params)


@cli.command()
@_name
@click.argument("realised", nargs=-1, required=True, type=FILE, callback=expanded)
@click.option("--split", required=True, help="Name of the split.")
@click.option("--out", type=FILE, required=True, help="Records of the split (jsonl).")
def assemble(name: str, realised: tuple[Path, ...], split: str, out: Path) -> None:
    """Put the records of one split of the benchmark NAME together from the REALISED shards, in order."""
    from divlogic.benchmarks.shards import write_split

    write_split(benchmark_named(name), realised, split, out)


VERIFIED = tuple(one.name for one in BENCHMARKS if one.generator and one.generator.verify)
"""The benchmarks whose labels a solver confirms."""


@cli.command()
@click.argument("name", type=click.Choice(VERIFIED), metavar="NAME")
@click.option(
    "--in",
    "source",
    type=click.Path(path_type=Path),
    required=True,
    help="Records (jsonl), or a folder of published layout where NAME has one.",
)
@click.option("--out", type=FILE, required=True, help="Report (json, or csv of a folder).")
def verify(name: str, source: Path, out: Path) -> None:
    """Confirm every label of a file or folder of the benchmark NAME with a solver, from what it states."""
    _step(generator_named(name).verify, name, "verify")(source, out)


@cli.command()
@click.option(
    "--in",
    "collection",
    type=FOLDER,
    required=True,
    help="Folder that `divlogic benchmarks collect` wrote.",
)
@click.option("--findings", type=FILE, required=True, help="CSV with every label that is not confirmed.")
@click.option("--out", type=FILE, required=True, help="Summary per benchmark (json).")
@params_option(BenchmarksRun)
def audit(collection: Path, findings: Path, out: Path, params: BenchmarksRun) -> None:
    """Derive labels again from the symbolic forms that benchmarks carry, and list the disagreements."""
    from divlogic.benchmarks.collection.audit import write_audit

    write_audit(collection, out, findings, seconds=params.benchmarks.audit.solver_seconds)


@cli.command()
@_released
@click.argument("corpora", nargs=-1, type=FOLDER)
@click.option(
    "--in",
    "source",
    type=FOLDER,
    required=True,
    help="Folder with one folder of splits (jsonl) per configuration.",
)
@click.option("--results", type=FOLDER, required=True, help="Folder of the benchmark's reports.")
@click.option("--registry", type=FILE, default="data/registry.yaml", show_default=True, help="The registry.")
@click.option("--out", type=FOLDER, required=True, help="The release folder.")
@params_option(ReleaseRun)
def release(
    name: str,
    corpora: tuple[Path, ...],
    source: Path,
    results: Path,
    registry: Path,
    out: Path,
    params: ReleaseRun,
) -> None:
    """Write the release of the benchmark NAME: parquet files, data card and Croissant metadata.

    The folder loads with `datasets`. CORPORA are the corpus folders that the sentences come from.
    """
    from divlogic.benchmarks.release.gather import (
        corpus_sources,
        gather_facts,
        made_of_wanted,
        release_facts,
    )
    from divlogic.benchmarks.release.write import write_release
    from divlogic.io.log import say

    benchmark = benchmark_named(name)
    known = release_facts(benchmark)
    configs = {
        config: {split: source / config / f"{split}.jsonl" for split in benchmark.splits}
        for config in known.configs
    }
    reports = {title: results / file for title, file in known.reports.items()}
    facts = gather_facts(benchmark, params, corpus_sources(corpora, registry), reports)
    splits = write_release(out, configs, facts, confirmed=results / "z3.json")
    say(f"{made_of_wanted(benchmark, params, splits)}.")


@cli.command()
@click.option(
    "--in",
    "sources",
    type=FILE,
    multiple=True,
    help="Records (jsonl), repeatable [default: with --id or --wrong-for, every generated benchmark].",
)
@click.option("--id", "ids", multiple=True, help="The instance of this id; repeatable.")
@click.option("--wrong-for", "model", help="Instances that this model answered wrongly, with its answers.")
@click.option(
    "--predictions",
    type=FILE,
    multiple=True,
    default=(Path("results/evaluation/predictions.jsonl"),),
    show_default=True,
    help="What models answered; repeatable.",
)
@click.option("--type", "question_type", help="Only this question type (3c1e, 3e1c, missing_premise).")
@click.option("--count", type=click.IntRange(1), default=5, show_default=True, help="How many to show.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which ones.")
@click.option("--formulas", is_flag=True, help="Show the symbolic form and the proof, too.")
def show(
    sources: tuple[Path, ...],
    ids: tuple[str, ...],
    model: str | None,
    predictions: tuple[Path, ...],
    question_type: str | None,
    count: int,
    seed: int,
    formulas: bool,
) -> None:
    """Show instances for reading: drawn at random, by id, or those that a model answered wrongly."""
    from divlogic.benchmarks import lookup
    from divlogic.benchmarks import show as reading
    from divlogic.records import read_records

    if not (sources or ids or model):
        raise DivLogicError("name what to show: --in FILE, --id ID or --wrong-for MODEL.")
    answers = lookup.answers_by(model, predictions) if model else {}
    files = sources or lookup.record_files()
    if ids:
        chosen = lookup.with_ids(ids, files)
    elif model:
        wrong = lookup.wrong_for((one for path in files for one in read_records(path)), answers)
        chosen = reading.choose(wrong, count, seed, question_type)
        if not chosen:
            raise DivLogicError(
                f"'{model}' answered no instance wrongly that is in {', '.join(map(str, files))}."
            )
    else:
        chosen = [one for path in files for one in reading.choose_from(path, count, seed, question_type)]
    lines = {record.id: lookup.prediction_lines(record, answers) for record in chosen}
    reading.show(chosen, formulas, predictions=lines)


def _measure_command(measure: str) -> click.Command:
    """Return the command of a measurement that some benchmarks have."""
    names = tuple(name for name, measures in MEASURED.items() if measure in measures)

    @click.command(measure, help=f"Measure the {measure} of the benchmark NAME, without a model.")
    @click.argument("name", type=click.Choice(names), metavar="NAME")
    @click.option(
        "--in",
        "source",
        type=click.Path(path_type=Path),
        required=True,
        help="Folder of published layout, or own items (jsonl).",
    )
    @click.option("--out", type=FILE, required=True, help="Table (csv); its counts go next to it as json.")
    @click.option(
        "--shards", type=click.IntRange(1), default=1, show_default=True, help="Number of processes."
    )
    def command(name: str, source: Path, out: Path, shards: int) -> None:
        MEASURED[name][measure](source, out, shards)

    return command


for measure in sorted({measure for measures in MEASURED.values() for measure in measures}):
    cli.add_command(_measure_command(measure))
for command in (import_command, formats_command, collect_command):
    cli.add_command(command)


def _step(step: Any, name: str, what: str) -> Any:
    """Return a generator's step.

    Raises:
        DivLogicError: the benchmark has none of that kind.
    """
    if step is None:
        raise DivLogicError(
            f"{name} has no step '{what}' of its own; see `divlogic benchmarks {name} --help`."
        )
    return step
