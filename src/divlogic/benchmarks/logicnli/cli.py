"""The steps that LogicNLI alone has: ``divlogic benchmarks logicnli``."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.io.shards import expanded


@click.group("logicnli")
def cli() -> None:
    """Put the sets of LogicNLI together and confirm their labels."""


@cli.command("sets")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="SHARD... COUNTS...", callback=expanded)
@click.option("--out", type=FOLDER, required=True, help="Folder of the sets.")
@click.option(
    "--statistics", type=FILE, help="What the paper's tables print of each set, by the counts (json)."
)
def sets_step(files: tuple[Path, ...], out: Path, statistics: Path | None) -> None:
    """Put the worded SHARDs, in order, together into one file per set, and their COUNTS into statistics."""
    from divlogic.benchmarks.logicnli.build import write_sets

    counts = [file for file in files if file.name.endswith(".json")]
    write_sets([file for file in files if file not in counts], out, counts, statistics)


@cli.command("describe")
@click.option("--statistics", type=FILE, required=True, help="What `sets` counted (json).")
@click.option("--release", type=FOLDER, help="Folder of the authors' files, if it is here.")
@click.option("--profile", type=FILE, required=True, help="What was measured on them, if not (json).")
@click.option("--out", type=FOLDER, required=True, help="Folder of the tables sets, depths and floors.")
@params_option(BenchmarksRun)
def describe_step(
    statistics: Path, release: Path | None, profile: Path, out: Path, params: BenchmarksRun
) -> None:
    """Tabulate the sets, the depths of random theories beside the release's, and what needs no reasoning in them."""
    from divlogic.benchmarks.logicnli.describe import write_description

    write_description(
        statistics,
        out,
        release=release,
        profile=profile,
        parameters=params.benchmarks.logicnli,
        corpus_source=params.corpus_source,
        seed=params.seed,
    )


@cli.command("profile")
@click.argument("release", type=FOLDER)
@click.option("--out", type=FILE, required=True, help="Profile (json).")
def profile_step(release: Path, out: Path) -> None:
    """Measure the authors' files in the folder RELEASE, for runs without them."""
    from divlogic.benchmarks.logicnli.describe import write_profile

    write_profile(release, out)


@cli.command("confirm")
@click.argument("records", type=FILE, nargs=-1, required=True)
@click.option("--shard", type=click.IntRange(0), default=0, help="Which share of the theories, from 0.")
@click.option("--shards", type=click.IntRange(1), default=1, help="Number of shares.")
@click.option("--out", type=FILE, required=True, help="Report (json).")
def confirm_step(records: tuple[Path, ...], shard: int, shards: int, out: Path) -> None:
    """Read every text of the RECORDS back and confirm every label with Z3, twice where they claim it."""
    from divlogic.benchmarks.logicnli.verify import write_report

    write_report(records, out, shard, shards)


@cli.command("confirmed")
@click.argument("reports", type=FILE, nargs=-1, required=True, callback=expanded)
@click.option("--out", type=FILE, required=True, help="Report (json).")
def confirmed_step(reports: tuple[Path, ...], out: Path) -> None:
    """Put the REPORTS of `confirm` on all shares together."""
    from divlogic.benchmarks.logicnli.reports import merge_reports

    merge_reports(reports, out)
