"""The steps of JustLogic, to be hung into ``divlogic benchmarks``."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.cli import params_option
from divlogic.config import Parameters

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_SHARD = click.option("--shard", type=click.IntRange(0), required=True, help="Number of this shard, from 0.")
_SHARDS = click.option("--shards", type=click.IntRange(1), required=True, help="Number of shards.")


@click.command("justlogic-statements")
@click.option("--in", "source", type=_FILE, required=True, help="Generic statements (jsonl.gz).")
@click.option("--tagger", type=_FOLDER, required=True, help="Folder of the tagger.")
@_SHARD
@_SHARDS
@click.option("--out", type=_FILE, required=True, help="Usable statements of this shard (jsonl.gz).")
@click.option("--counts", type=_FILE, required=True, help="Outcomes of this shard's statements (csv).")
@params_option
def statements_step(
    source: Path, tagger: Path, shard: int, shards: int, out: Path, counts: Path, params: Parameters
) -> None:
    """Filter generic statements and negate them where that is certain."""
    from divlogic.benchmarks.justlogic.statements import StatementFilter, write_statements
    from divlogic.corpora.tagger import load_tagger
    from divlogic.sentences.tokens import Reader

    settings = _settings(params).statements
    filter_ = StatementFilter(Reader(load_tagger(tagger)), settings)
    write_statements(source, filter_, shard, shards, out, counts)


@click.command("justlogic-table")
@click.argument("files", type=_FILE, nargs=-1, required=True, metavar="SHARD... COUNTS...")
@click.option("--out", type=_FILE, required=True, help="Table of statements (jsonl, not compressed).")
@click.option("--counts-out", type=_FILE, required=True, help="Summed outcomes (csv).")
def table_step(files: tuple[Path, ...], out: Path, counts_out: Path) -> None:
    """Merge the shards of statements (jsonl.gz) and their counts (csv)."""
    from divlogic.benchmarks.justlogic.statements import merge_statements, read_counts, write_counts

    total = read_counts([path for path in files if path.suffix == ".csv"])
    merge_statements([path for path in files if path.suffix != ".csv"], out)
    write_counts(total, counts_out)


@click.command("justlogic-symbolic")
@_SHARD
@_SHARDS
@click.option("--out", type=_FILE, required=True, help="Symbolic items (jsonl).")
@params_option
def symbolic_step(shard: int, shards: int, out: Path, params: Parameters) -> None:
    """Draw the symbolic items of one shard: argument, query, label."""
    from divlogic.benchmarks.justlogic.build import write_symbolic

    write_symbolic(
        out, shard, shards, seed=params.seed, parameters=_settings(params), corpus_source=params.corpus_source
    )


@click.command("justlogic-word")
@click.option("--in", "source", type=_FILE, required=True, help="Symbolic items of the shard.")
@click.option("--statements", type=_FILE, required=True, help="Table of statements.")
@click.option("--out", type=_FILE, required=True, help="Worded items (jsonl).")
@params_option
def word_step(source: Path, statements: Path, out: Path, params: Parameters) -> None:
    """Word the items of one shard."""
    from divlogic.benchmarks.justlogic.build import write_worded

    write_worded(source, statements, out, seed=params.seed, parameters=_settings(params))


@click.command("justlogic-assemble")
@click.argument("worded", type=_FILE, nargs=-1, required=True)
@click.option("--out", type=_FOLDER, required=True, help="Folder of the benchmark's splits.")
def assemble_step(worded: tuple[Path, ...], out: Path) -> None:
    """Put the WORDED shards, in order, together into one file per split."""
    from divlogic.benchmarks.justlogic.build import write_splits

    write_splits(worded, out)


@click.command("justlogic-confirm")
@click.option("--in", "source", type=_FILE, required=True, help="Records (jsonl).")
@click.option("--out", type=_FILE, required=True, help="Report (json).")
def confirm_step(source: Path, out: Path) -> None:
    """Read every text of a file back by the grammar and confirm every label with Z3."""
    from divlogic.benchmarks.justlogic.verify import write_report

    write_report(source, out)


commands: list[click.Command] = [
    statements_step,
    table_step,
    symbolic_step,
    word_step,
    assemble_step,
    confirm_step,
]


def _settings(params: Parameters) -> JustLogicParameters:
    """Return the section ``benchmarks.justlogic``."""
    return getattr(params.benchmarks, "justlogic", None) or JustLogicParameters()
