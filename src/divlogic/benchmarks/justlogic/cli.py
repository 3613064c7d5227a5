"""``divlogic benchmarks justlogic``: the steps that JustLogic alone has."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.io.shards import expanded

_SHARD = click.option("--shard", type=click.IntRange(0), required=True, help="Number of this shard, from 0.")
_SHARDS = click.option("--shards", type=click.IntRange(1), required=True, help="Number of shards.")


@click.group("justlogic")
def cli() -> None:
    """Steps of JustLogic: the table of generic statements."""


@cli.command("partition")
@click.option("--in", "source", type=FILE, required=True, help="Generic statements (jsonl.gz).")
@_SHARDS
@click.option("--out", type=FOLDER, required=True, help="Folder of one file (jsonl.gz) per shard; replaced.")
def partition_step(source: Path, shards: int, out: Path) -> None:
    """Divide generic statements by term: one file per shard of `statements`."""
    from divlogic.benchmarks.justlogic.statements import partition_statements
    from divlogic.io.log import say

    number = partition_statements(source, out, shards)
    say(f"justlogic: {number:,} generic statements for {shards:,} shards")


@cli.command("statements")
@click.option(
    "--in", "source", type=FILE, required=True, help="Generic statements of this shard (jsonl.gz), or all."
)
@click.option("--tagger", type=FOLDER, required=True, help="Folder of the tagger.")
@_SHARD
@_SHARDS
@click.option("--out", type=FILE, required=True, help="Usable statements of this shard (jsonl.gz).")
@click.option("--counts", type=FILE, required=True, help="Outcomes of this shard's statements (csv).")
@params_option(BenchmarksRun)
def statements_step(
    source: Path, tagger: Path, shard: int, shards: int, out: Path, counts: Path, params: BenchmarksRun
) -> None:
    """Filter generic statements and negate them where that is certain."""
    from divlogic.benchmarks.justlogic.statements import StatementFilter, write_statements
    from divlogic.corpora.tagging.perceptron import load_tagger
    from divlogic.sentences.tokens import Reader

    settings = params.benchmarks.justlogic.statements
    filter_ = StatementFilter(Reader(load_tagger(tagger)), settings)
    write_statements(source, filter_, shard, shards, out, counts)


@cli.command()
@click.option("--statements", type=FILE, required=True, help="Table of statements (jsonl, not compressed).")
@click.option("--out", type=FILE, required=True, help="Fresh worded instances (jsonl).")
@params_option(BenchmarksRun)
def fresh(statements: Path, out: Path, params: BenchmarksRun) -> None:
    """Draw fresh worded instances of each depth for the probes that look for shortcuts."""
    from divlogic.benchmarks.justlogic.fresh import write_fresh

    write_fresh(statements, out, params)


@cli.command("table")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="SHARD... COUNTS...", callback=expanded)
@click.option("--out", type=FILE, required=True, help="Table of statements (jsonl, not compressed).")
@click.option("--counts-out", type=FILE, required=True, help="Summed outcomes (csv).")
@params_option(BenchmarksRun)
def table_step(files: tuple[Path, ...], out: Path, counts_out: Path, params: BenchmarksRun) -> None:
    """Merge the shards of statements (jsonl.gz) and their counts (csv)."""
    from divlogic.benchmarks.justlogic.merging import merge_statements, read_counts, write_counts

    total = read_counts([path for path in files if path.suffix == ".csv"])
    share = params.benchmarks.justlogic.statements.structured_share
    merge_statements([path for path in files if path.suffix != ".csv"], out, share, total)
    write_counts(total, counts_out)
