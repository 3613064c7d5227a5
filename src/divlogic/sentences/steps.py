"""The step that filters a shard: the filter put together from the run's parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from divlogic.config.command import FOLDER
from divlogic.corpora.tagger import load_tagger
from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.sentences.acceptability.judging import Judge
from divlogic.sentences.acceptability.language import Language
from divlogic.sentences.acceptability.usage import read_usage
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.groups import write_filtered
from divlogic.sentences.parameters import SentencesRun, least_acceptability
from divlogic.sentences.parsing import LinkParser
from divlogic.sentences.tokens import Reader


def filter_sentences(
    source: Annotated[Path, "--in", "Sentence pairs (jsonl.gz), one per row."],
    *,
    params: SentencesRun,
    tagger: Annotated[Path, FOLDER, "Folder of the tagger."],
    shard: Annotated[int, click.IntRange(min=0), "Index of this shard, from 0."],
    shards: Annotated[int, click.IntRange(min=1), "Number of shards."],
    out: Annotated[Path, "Groups of this shard (jsonl.gz)."],
    counts: Annotated[Path, "Outcomes of this shard's sentences (csv)."],
    usage: Annotated[
        Path | None, "Counted words of all shards (jsonl.gz); needed unless min_acceptability is 0."
    ] = None,
) -> None:
    """Filter, negate and group the sentences of one shard."""
    section = params.sentences
    context = section.context or ("refuse" if params.corpus_source == "full" else "keep")
    least = least_acceptability(section, params.corpus_source)
    settings = section.model_copy(update={"min_acceptability": least, "context": context})
    if least and usage is None:
        raise DivLogicError(
            "sentences.min_acceptability is above 0, but --usage names no counted words; make them with"
            " `divlogic sentences count` and `divlogic sentences sum`, or set the parameter to 0."
        )
    judge = Judge(Language(read_usage(usage))) if usage is not None and least else None
    parser = None if section.max_link_cost is None else LinkParser(section.max_link_cost)
    if parser is not None:
        say(f"sentences: only those are kept that {parser.version} parses")
    sentences = SentenceFilter(Reader(load_tagger(tagger)), settings, judge, parser)
    groups, outcomes = write_filtered(source, sentences, shard, shards, out, counts)
    say(f"sentences: shard {shard} of {shards}: {groups} groups from {outcomes.total()} sentences")
