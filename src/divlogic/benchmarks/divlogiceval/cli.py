"""``divlogic benchmarks divlogiceval``: the steps that DivLogicEval alone has."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.divlogiceval.parameters import Preset
from divlogic.benchmarks.parameters import BenchmarksRun, ReleaseRun
from divlogic.config.option import BASE, FILE, FOLDER, params_option
from divlogic.io.shards import expanded


@click.group("divlogiceval")
def cli() -> None:
    """Steps of DivLogicEval: groups of sentences, plan, symbolic twin, polish, verification."""


@cli.command()
@click.option("--preset", type=click.Choice(["as_published", "balanced"]), required=True, help="How to draw.")
@click.option("--out", type=FILE, required=True, help="Fresh instances in symbols (jsonl).")
@params_option(BenchmarksRun)
def fresh(preset: Preset, out: Path, params: BenchmarksRun) -> None:
    """Draw fresh symbolic instances of one preset for the probes that look for shortcuts."""
    from divlogic.benchmarks.divlogiceval.fresh import write_fresh

    write_fresh(out, preset, params)


@cli.command("fresh-worded")
@click.option("--groups", type=FILE, required=True, help="Shuffled sentence groups.")
@click.option("--out", type=FILE, required=True, help="Fresh worded instances (jsonl).")
@params_option(BenchmarksRun)
def fresh_worded(groups: Path, out: Path, params: BenchmarksRun) -> None:
    """Word fresh instances as published for the probe that reads the options' pattern."""
    from divlogic.benchmarks.divlogiceval.fresh import write_fresh_worded

    write_fresh_worded(groups, out, params)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Sentence groups (jsonl).")
@click.option(
    "--out", type=FILE, required=True, help="The same groups, in the order in which items receive them."
)
@params_option(BenchmarksRun)
def shuffle(source: Path, out: Path, params: BenchmarksRun) -> None:
    """Put the sentence groups into an order drawn from the seed, groups about the same apart."""
    from divlogic.benchmarks.divlogiceval.groups import shuffle_groups

    settings = params.benchmarks.divlogiceval
    distance = settings.variables if settings.preset == "balanced" else 0
    shuffle_groups(source, out, params.seed, distance)


@cli.command()
@click.argument("symbolic", nargs=-1, required=True, type=FILE, callback=expanded)
@click.option("--groups", type=FILE, required=True, help="Shuffled sentence groups.")
@click.option("--out", type=FILE, required=True, help="The plan (json).")
@params_option(BenchmarksRun)
def plan(symbolic: tuple[Path, ...], groups: Path, out: Path, params: BenchmarksRun) -> None:
    """Decide how many instances the sentence groups allow, from the SYMBOLIC shards in order."""
    from divlogic.benchmarks.divlogiceval.build import write_plan

    write_plan(symbolic, groups, out, params)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Records of one split (jsonl).")
@click.option("--out", type=FILE, required=True, help="The same split of s-DivLogicEval.")
def twin(source: Path, out: Path) -> None:
    """Write the symbolic twin of a split: formulas in the place of sentences."""
    from divlogic.benchmarks.divlogiceval.build import write_twin

    write_twin(source, out)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Records of one split (jsonl).")
@click.option("--out", type=FILE, required=True, help="The finished split.")
@click.option(
    "--store",
    type=FILE,
    default=".divlogic/responses/polish.jsonl",
    show_default=True,
    help="Response store of the model's proposals (appended to).",
)
@params_option(BenchmarksRun)
def polish(source: Path, out: Path, store: Path, params: BenchmarksRun) -> None:
    """Correct the grammar of the test split with a language model, if `polish.enabled`; else copy the split.

    Proposals are kept: a run that was stopped, or is made again, pays for no answer twice.
    """
    from divlogic.benchmarks.polish.run import apply, ask, wanted_proposals
    from divlogic.io.files import copy_file
    from divlogic.io.log import say
    from divlogic.models.store import ResponseStore

    settings = params.benchmarks.divlogiceval.polish
    # Only the test split is polished, as in the paper; the other one is called unpolished.
    if not settings.enabled or source.stem != "test":
        copy_file(source, out)
        return
    wanted = wanted_proposals(source, settings)
    with ResponseStore(store) as proposals:
        asked = ask(wanted, proposals, settings, seed=params.seed)
        report = apply(source, out, wanted, proposals.responses, settings)
    say(
        f"{asked:,} proposals asked for; {report.changed_fragments:,} of {report.fragments:,} texts in"
        f" {report.changed_records:,} of {report.records:,} records were corrected."
    )


@cli.command()
@click.argument("counts", nargs=-1, required=True, type=FILE, callback=expanded)
@click.option("--out", type=FILE, required=True, help="Table (csv).")
@params_option(BenchmarksRun)
def verification(counts: tuple[Path, ...], out: Path, params: BenchmarksRun) -> None:
    """Report how many instances fail at the nli level when worded freely, from the shards' COUNTS."""
    from divlogic.benchmarks.divlogiceval.build import write_verification

    write_verification(counts, out, params)


@cli.command()
@click.option("--in", "source", type=FILE, required=True, help="Test split before any polish (jsonl).")
@click.option("--groups", type=FILE, required=True, help="Sentence groups (jsonl.gz).")
@click.option("--tagger", type=FOLDER, required=True, help="Folder of the tagger.")
@click.option("--out", type=FILE, required=True, help="Table (csv).")
@params_option(BenchmarksRun)
def english(source: Path, groups: Path, tagger: Path, out: Path, params: BenchmarksRun) -> None:
    """Count how often the English of a split says something else than its formulas."""
    from divlogic.benchmarks.divlogiceval.english import write_audit

    write_audit(source, groups, tagger, out, params.benchmarks.divlogiceval.audited)


@cli.command()
@click.argument("splits", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FILE, required=True, help="Table (csv).")
def premises(splits: tuple[Path, ...], out: Path) -> None:
    """Count how many premises the answers in SPLITS need."""
    from divlogic.benchmarks.divlogiceval.build import write_premises_needed

    write_premises_needed(splits, out)


@cli.command("yield")
@click.argument("symbolic", nargs=-1, required=True, type=FILE, callback=expanded)
@click.option("--counts", type=FILE, required=True, help="Outcomes of the sentence filter (csv).")
@click.option("--plan", "planned", type=FILE, required=True, help="Plan of the instances (json).")
@click.option("--out", type=BASE, required=True, help="Table, without its suffix.")
@params_option(ReleaseRun)
def yield_step(
    symbolic: tuple[Path, ...], counts: Path, planned: Path, out: Path, params: ReleaseRun
) -> None:
    """Tabulate what each step from pairs to instances keeps; the SYMBOLIC shards say what instances need."""
    from divlogic.benchmarks.divlogiceval.build import read_plan
    from divlogic.benchmarks.divlogiceval.yields import write_yield

    write_yield(symbolic, counts, read_plan(planned), out, params.sentences.mnli_share)
