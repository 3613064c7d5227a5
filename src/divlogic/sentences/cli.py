"""``divlogic sentences``: filter, negate and group sentences."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.errors import DivLogicError
from divlogic.io.shards import expanded
from divlogic.sentences.checker.cli import commands
from divlogic.sentences.parameters import SentencesRun, least_acceptability


@click.group("sentences")
def cli() -> None:
    """Filter, negate and group sentences."""


@cli.command("partition")
@click.option("--in", "source", type=FILE, required=True, help="Sentence pairs (jsonl.gz), one per row.")
@click.option("--shards", type=click.IntRange(min=1), required=True, help="Number of shards.")
@click.option("--out", type=FOLDER, required=True, help="Folder of one file (jsonl.gz) per shard; replaced.")
def partition_step(source: Path, shards: int, out: Path) -> None:
    """Divide sentence pairs by premise: one file per shard of `filter`."""
    from divlogic.io.log import say
    from divlogic.sentences.partition import partition

    say(f"sentences: {partition(source, out, shards):,} pairs for {shards:,} shards")


@cli.command("filter")
@click.option("--in", "source", type=FILE, required=True, help="Sentence pairs (jsonl.gz), one per row.")
@click.option("--tagger", type=FOLDER, required=True, help="Folder of the tagger.")
@click.option("--shard", type=click.IntRange(min=0), required=True, help="Index of this shard, from 0.")
@click.option("--shards", type=click.IntRange(min=1), required=True, help="Number of shards.")
@click.option(
    "--usage", type=FILE, help="Counted words of all shards (jsonl.gz); needed unless min_acceptability is 0."
)
@params_option(SentencesRun)
@click.option("--out", type=FILE, required=True, help="Groups of this shard (jsonl.gz).")
@click.option("--counts", type=FILE, required=True, help="Outcomes of this shard's sentences (csv).")
def filter_step(
    source: Path,
    tagger: Path,
    shard: int,
    shards: int,
    usage: Path | None,
    params: SentencesRun,
    out: Path,
    counts: Path,
) -> None:
    """Filter, negate and group the sentences of one shard."""
    from divlogic.corpora.tagging.perceptron import load_tagger
    from divlogic.io.log import say
    from divlogic.sentences.acceptability.counting import read_usage
    from divlogic.sentences.acceptability.judging import Judge
    from divlogic.sentences.acceptability.language import Language
    from divlogic.sentences.filtering import FilterSettings, SentenceFilter
    from divlogic.sentences.groups import write_filtered
    from divlogic.sentences.parsing import LinkParser
    from divlogic.sentences.quick_tagger import quick
    from divlogic.sentences.tokens import Reader

    section = params.sentences
    settings = FilterSettings(
        section.min_tokens,
        section.max_tokens,
        section.pronoun_subjects,
        section.forbidden_marks,
        section.negation,
        section.hypothesis_subjects,
        section.source_faults,
        section.sensitive,
        section.min_agreement,
        section.neutrals,
        least_acceptability(section, params.corpus_source),
    )
    if settings.min_acceptability and usage is None:
        raise DivLogicError(
            "sentences.min_acceptability is above 0, but --usage names no counted words; make them with"
            " `divlogic sentences count` and `divlogic sentences sum`, or set the parameter to 0."
        )
    judge = Judge(Language(read_usage(usage))) if usage is not None and settings.min_acceptability else None
    parser = None if section.max_link_cost is None else LinkParser(section.max_link_cost)
    if parser is not None:
        say(f"sentences: only those are kept that {parser.version} parses")
    sentences = SentenceFilter(Reader(quick(load_tagger(tagger))), settings, judge, parser)
    groups, outcomes = write_filtered(source, sentences, shard, shards, out, counts)
    say(f"sentences: shard {shard} of {shards}: {groups} groups from {outcomes.total()} sentences")


@cli.command("count")
@click.option("--in", "source", type=FILE, required=True, help="Sentence pairs of a shard (jsonl.gz).")
@click.option("--tagger", type=FOLDER, required=True, help="Folder of the tagger.")
@click.option("--out", type=FILE, required=True, help="Counted words of this shard (jsonl.gz).")
def count_step(source: Path, tagger: Path, out: Path) -> None:
    """Count how the sentences of one shard use words and articles."""
    from divlogic.corpora.tagging.perceptron import load_tagger
    from divlogic.io.log import say
    from divlogic.sentences.acceptability.counting import count, write_usage
    from divlogic.sentences.quick_tagger import quick
    from divlogic.sentences.tokens import Reader

    usage = count(source, Reader(quick(load_tagger(tagger))))
    write_usage(out, usage)
    say(f"sentences: {len(usage.words):,} different words, {len(usage.runs):,} different runs of three")


@cli.command("sum")
@click.option("--out", type=FILE, required=True, help="Counted words of all shards (jsonl.gz).")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="SHARD...", callback=expanded)
def sum_step(out: Path, files: tuple[Path, ...]) -> None:
    """Add up what `count` counted in each shard."""
    from divlogic.io.log import say
    from divlogic.sentences.acceptability.counting import add, read_usage, write_usage

    usage = add([read_usage(path) for path in sorted(files)])
    write_usage(out, usage)
    say(f"sentences: {len(usage.words):,} different words, {len(usage.runs):,} different runs of three")


@cli.command("merge")
@click.option("--out", type=FILE, required=True, help="All groups (jsonl.gz), sorted by id.")
@click.option("--counts-out", type=FILE, required=True, help="Summed outcomes (csv).")
@click.option(
    "--summary-out", type=FILE, required=True, help="Numbers of groups, sentences and words (json)."
)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="SHARD... COUNTS...", callback=expanded)
@params_option(SentencesRun)
def merge_step(
    out: Path, counts_out: Path, summary_out: Path, files: tuple[Path, ...], params: SentencesRun
) -> None:
    """Merge the shards (jsonl.gz) and their counts (csv), given in any order."""
    from divlogic.io.log import say
    from divlogic.sentences.merging import merge

    counts = sorted(path for path in files if path.suffix == ".csv")
    shards = sorted(path for path in files if path.suffix != ".csv")
    if len(counts) != len(shards):
        raise DivLogicError(
            f"{len(shards)} shards but {len(counts)} files of counts (csv); name both files of every shard."
        )
    summary = merge(shards, counts, out, counts_out, summary_out, params.sentences.mnli_share)
    say(f"sentences: {summary['groups']} groups, {summary['sentences_kept']} sentences kept")


@cli.command("show")
@click.option("--in", "source", type=FILE, required=True, help="Groups (jsonl.gz).")
@click.option(
    "--count", type=click.IntRange(min=1), default=20, show_default=True, help="Sentences to print."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")
def show_step(source: Path, count: int, seed: int) -> None:
    """Print sentences drawn at random, each with its negation."""
    from divlogic.sentences.groups import draw

    for number, (role, kept) in enumerate(draw(source, count, seed), start=1):
        click.echo(f"{number:>4}  {role:<12}  + {kept['text']}")
        click.echo(f"{'':>4}  {'':<12}  - {kept['negated']}")


for command in commands:
    cli.add_command(command)
