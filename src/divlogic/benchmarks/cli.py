"""``divlogic benchmarks``: generate, verify and show benchmarks."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.collection.cli import collect_command
from divlogic.benchmarks.justlogic.cli import commands as justlogic_commands
from divlogic.benchmarks.readers.cli import formats_command, import_command
from divlogic.cli import params_option
from divlogic.config import Parameters

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group("benchmarks")
def cli() -> None:
    """Generate, verify, show and import benchmarks."""


@cli.command()
@click.option("--shard", type=click.IntRange(0), required=True, help="Number of this shard, from 0.")
@click.option("--shards", type=click.IntRange(1), required=True, help="Number of shards.")
@click.option("--out", type=FILE, required=True, help="Symbolic instances (jsonl).")
@params_option
def symbolic(shard: int, shards: int, out: Path, params: Parameters) -> None:
    """Draw the symbolic instances of one shard (Algorithm 1, options, answer)."""
    from divlogic.benchmarks.divlogiceval.build import write_symbolic

    write_symbolic(out, shard, shards, params)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Sentence groups (jsonl).")
@click.option(
    "--out", type=FILE, required=True, help="The same groups, in the order in which items receive them."
)
@params_option
def shuffle(source: Path, out: Path, params: Parameters) -> None:
    """Put the sentence groups into an order drawn from the seed."""
    from divlogic.benchmarks.divlogiceval.groups import shuffle_groups

    shuffle_groups(source, out, params.seed)


@cli.command()
@click.argument("symbolic", nargs=-1, required=True, type=FILE)
@click.option("--groups", type=FILE, required=True, help="Shuffled sentence groups.")
@click.option("--out", type=FILE, required=True, help="The plan (json).")
@params_option
def plan(symbolic: tuple[Path, ...], groups: Path, out: Path, params: Parameters) -> None:
    """Decide how many instances the sentence groups allow, from the SYMBOLIC shards in order."""
    from divlogic.benchmarks.divlogiceval.build import write_plan

    write_plan(symbolic, groups, out, params)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Symbolic instances of the shard.")
@click.option("--shard", type=click.IntRange(0), required=True, help="Number of this shard, from 0.")
@click.option("--groups", type=FILE, required=True, help="Shuffled sentence groups.")
@click.option("--plan", "plan_file", type=FILE, required=True, help="The plan.")
@click.option("--out", type=FILE, required=True, help="Worded instances (jsonl).")
@click.option("--counts", type=FILE, required=True, help="How the wording fared (json).")
@params_option
def word(
    source: Path, shard: int, groups: Path, plan_file: Path, out: Path, counts: Path, params: Parameters
) -> None:
    """Word the instances of one shard so that their labels hold."""
    from divlogic.benchmarks.divlogiceval.build import read_plan, write_worded

    write_worded(source, shard, groups, read_plan(plan_file), out, counts, params)


@cli.command()
@click.argument("worded", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FOLDER, required=True, help="Folder of the benchmark's splits.")
@click.option("--twin", type=FOLDER, required=True, help="Folder of the symbolic twin's splits.")
def assemble(worded: tuple[Path, ...], out: Path, twin: Path) -> None:
    """Put the WORDED shards together into one file per split."""
    from divlogic.benchmarks.divlogiceval.build import write_splits

    write_splits(worded, out, twin)


@cli.command()
@click.option("--in", "source", type=FOLDER, required=True, help="Folder of DivLogicEval's splits.")
@click.option("--out", type=FOLDER, required=True, help="Folder of ILogicEval's splits.")
@params_option
def ilogiceval(source: Path, out: Path, params: Parameters) -> None:
    """Cut the same instances into ILogicEval's train, validation and test splits."""
    from divlogic.benchmarks.divlogiceval.build import write_ilogiceval

    write_ilogiceval(source, out, params)


@cli.command()
@click.argument("counts", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FILE, required=True, help="Table (csv).")
@params_option
def verification(counts: tuple[Path, ...], out: Path, params: Parameters) -> None:
    """Report how many instances fail at the nli level when worded freely, from the shards' COUNTS."""
    from divlogic.benchmarks.divlogiceval.build import write_verification

    write_verification(counts, out, params)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Records (jsonl).")
@click.option("--out", type=FILE, required=True, help="Report (json).")
def confirm(source: Path, out: Path) -> None:
    """Confirm every label of a file with Z3, from the formulas that its records state."""
    from divlogic.benchmarks.divlogiceval.verify import write_report

    write_report(source, out)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Records of one split (jsonl).")
@click.option("--out", type=FILE, required=True, help="The finished split.")
@click.option(
    "--store",
    type=FOLDER,
    default=".divlogic/proposals",
    show_default=True,
    help="Where a model's proposals are kept for good.",
)
@params_option
def polish(source: Path, out: Path, store: Path, params: Parameters) -> None:
    """Correct the grammar of the test split with a language model, if `polish.enabled`; else copy the split.

    Proposals are kept: a run that was stopped, or is made again, pays for no answer twice.
    """
    from divlogic.benchmarks.polish import ProposalStore, apply, ask
    from divlogic.files import copy_file
    from divlogic.progress import say

    settings = params.benchmarks.divlogiceval.polish
    # Only the test split is polished, as in the paper; the other one is called unpolished.
    if not settings.enabled or source.stem != "test":
        copy_file(source, out)
        return
    proposals = ProposalStore(store)
    asked = ask(source, proposals, settings)
    report = apply(source, out, proposals, settings)
    say(
        f"{asked:,} proposals asked for; {report.changed_fragments:,} of {report.fragments:,} texts in"
        f" {report.changed_records:,} of {report.records:,} records were corrected."
    )


@cli.command()
@click.argument("corpora", nargs=-1, type=FOLDER)
@click.option("--in", "source", type=FOLDER, required=True, help="Folder of the benchmark's splits.")
@click.option("--twin", type=FOLDER, required=True, help="Folder of the symbolic twin's splits.")
@click.option("--registry", type=FILE, default="data/registry.yaml", show_default=True, help="The registry.")
@click.option("--verification", "table", type=FILE, required=True, help="The table of `verification`.")
@click.option("--out", type=FOLDER, required=True, help="The release folder.")
@params_option
def release(
    source: Path,
    twin: Path,
    corpora: tuple[Path, ...],
    registry: Path,
    table: Path,
    out: Path,
    params: Parameters,
) -> None:
    """Write the release: parquet files, data card and Croissant metadata, loadable with `datasets`.

    CORPORA are the corpus folders that the sentences come from.
    """
    from divlogic.benchmarks.divlogiceval.build import SPLITS
    from divlogic.benchmarks.release import corpus_sources, divlogiceval_facts, write_release

    splits = {
        name: {split: folder / f"{split}.jsonl" for split in SPLITS}
        for name, folder in (("divlogiceval", source), ("s-divlogiceval", twin))
    }
    sources = corpus_sources(corpora, registry)
    facts = divlogiceval_facts(params, sources, {"Instances worded freely, checked at the nli level": table})
    write_release(out, splits, facts)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Records (jsonl).")
@click.option("--type", "question_type", help="Only this question type (3c1e, 3e1c, missing_premise).")
@click.option("--count", type=click.IntRange(1), default=5, show_default=True, help="How many to show.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which ones.")
@click.option("--formulas", is_flag=True, help="Show the symbolic form beside the text.")
def show(source: Path, question_type: str | None, count: int, seed: int, formulas: bool) -> None:
    """Show instances for reading, drawn at random."""
    from divlogic.benchmarks import show as reading

    reading.show(reading.choose_from(source, count, seed, question_type), formulas)


for command in (import_command, formats_command, collect_command, *justlogic_commands):
    cli.add_command(command)
