"""Groups of sentences that share a premise: one shard of the work; :mod:`.merging` makes the union of the shards."""

from __future__ import annotations

import heapq
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

import click
import orjson

from divlogic.config.command import FOLDER
from divlogic.corpora import PAIR_CORPORA
from divlogic.corpora.tagger import load_tagger
from divlogic.errors import DivLogicError
from divlogic.io.files import read_as, read_jsonl, row_count, write_csv, write_jsonl
from divlogic.io.log import say, track
from divlogic.io.shards import HELD as HELD_BYTES, divide, merge_sorted
from divlogic.sentences import source_checks
from divlogic.sentences.filtering import KeptSentence, SentenceFilter
from divlogic.sentences.negation import generic
from divlogic.sentences.parameters import SentencesRun, least_acceptability
from divlogic.sentences.parsing import LinkParser
from divlogic.sentences.source_checks import group_id, letters_of, refused
from divlogic.sentences.subject import lacks_context, subject_of_clause
from divlogic.sentences.tokens import Reader, Refused

ROLES = {"entailment": "entailed", "contradiction": "contradicted", "neutral": "neutral"}

COUNT_COLUMNS = ("corpus", "role", "outcome", "sentences")
HELD = 200_000
"""Pairs of a shard that are held in memory at once, some 200 MiB with what comes of them."""

Row = dict[str, Any]
Counts = Counter[tuple[str, str, str]]
"""(corpus, role, outcome) to number of sentences."""


@dataclass(slots=True)
class PremisePairs:
    """The pairs of one premise, as the corpus has them."""

    corpus: str
    genre: str | None
    source: str
    premise: str
    hypotheses: list[tuple[str, str, str, float | None]] = field(default_factory=list)
    """(label, pair id, text, share of the annotators who gave the label)"""


def partition(
    source: Annotated[Path, "--in", "Sentence pairs (jsonl.gz), one per row."],
    *,
    shards: Annotated[int, click.IntRange(min=1), "Number of shards."],
    out: Annotated[Path, FOLDER, "Folder of one file (jsonl.gz) per shard; replaced."],
) -> None:
    """Divide sentence pairs by premise: one file per shard of `filter`."""
    placed = (
        (shard_of(row["premise"], shards), row) for _, row in track(read_jsonl(source), "pairs")
    )
    say(
        f"sentences: {divide(source, placed, out, shards, held=HELD_BYTES):,} pairs for {shards:,} shards"
    )


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
    from divlogic.sentences.acceptability.judging import Judge
    from divlogic.sentences.acceptability.language import Language
    from divlogic.sentences.acceptability.usage import read_usage

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


def show(
    source: Annotated[Path, "--in", "Groups (jsonl.gz)."],
    *,
    count: Annotated[int, click.IntRange(min=1), "Sentences to print."] = 20,
    seed: Annotated[int, "Seed of the draw."] = 1,
) -> None:
    """Print sentences drawn at random, each with its negation."""
    for number, (role, kept) in enumerate(draw(source, count, seed), start=1):
        click.echo(f"{number:>4}  {role:<12}  + {kept['text']}")
        click.echo(f"{'':>4}  {'':<12}  - {kept['negated']}")


def write_filtered(
    source: Path,
    sentences: SentenceFilter,
    shard: int,
    shards: int,
    out: Path,
    counts_out: Path,
    *,
    held: int = HELD,
) -> tuple[int, Counts]:
    """Filter, negate and group the pairs of one shard; write its groups, sorted by id, and its counts.

    The groups are those with a kept premise, and of :data:`PAIR_CORPORA` those of a hypothesis whose premise was
    dropped; the counts are the outcomes of all sentences. A premise belongs to shard *hash mod shards*, so that the
    union of all shards does not depend on their number. Of a large shard, parts of the premises (``held`` pairs each,
    roughly) are filtered one after the other, so that memory is bounded; each part reads the whole file, which takes
    a hundredth of the time that filtering takes. The bytes do not depend on ``held``.
    """
    if not 0 <= shard < shards:
        raise DivLogicError(
            f"shard {shard} is not one of the {shards} shards; give a number from 0 to {shards - 1}."
        )
    parts = max(1, -(-row_count(source) // held))
    counts: Counts = Counter()
    with tempfile.TemporaryDirectory(prefix="divlogic-filter-") as folder:
        files = [Path(folder, f"{number}.jsonl") for number in range(parts)]
        for number, file in enumerate(files):
            pairs = _read_pairs(source, shard, shards, (number, parts))
            # A row as text takes a tenth of what it takes as objects; a copy, as orjson's own keeps a larger buffer.
            groups = sorted(
                (group["id"], bytes(memoryview(orjson.dumps(group))))
                for identifier in track(sorted(pairs), "sentences")
                for group in _groups(identifier, pairs.pop(identifier), sentences, counts)
            )
            write_jsonl(file, (orjson.Fragment(row) for _, row in groups))
        merged = merge_sorted(files, itemgetter("id"))
        number = write_jsonl(out, (row for _, row in merged))
    write_counts(counts_out, counts)
    return number, counts


def _groups(
    identifier: str, pairs: PremisePairs, sentences: SentenceFilter, counts: Counts
) -> Iterator[Row]:
    """Yield the group of a premise, or those of its hypotheses if these can stand alone."""
    # Of what a corpus in part has without its genre, nothing tells that it is not such a text.
    offensive = pairs.genre in source_checks.GENRES or (
        pairs.genre is None and pairs.corpus == "multinli"
    )
    if offensive and sentences.settings.sensitive == "refuse":
        roles = ("premise", *(ROLES[label] for label, *_ in pairs.hypotheses))
        counts.update((pairs.corpus, role, "offensive") for role in roles)
        return
    group = _group(identifier, pairs, sentences, counts)
    if group is not None:
        yield group
    elif pairs.corpus in PAIR_CORPORA:
        yield from _alone(pairs, sentences, counts)


_id_of = lru_cache(maxsize=16)(group_id)  # the pairs of a premise follow one another


def shard_of(premise: str, shards: int) -> int:
    """Return the shard that a premise belongs to."""
    return int(_id_of(premise), 16) % shards


def _read_pairs(
    source: Path, shard: int, shards: int, part: tuple[int, int]
) -> dict[str, PremisePairs]:
    found: dict[str, PremisePairs] = {}
    for _, row in read_jsonl(source):
        identifier = _id_of(row["premise"])
        place, own = divmod(int(identifier, 16), shards)
        if own != shard or place % part[1] != part[0]:
            continue
        if identifier not in found:
            premise = (row["corpus"], row["genre"], str(row["premise_id"]), row["premise"])
            found[identifier] = PremisePairs(*premise)
        pair = (row["label"], str(row["pair_id"]), row["hypothesis"], row.get("agreement"))
        found[identifier].hypotheses.append(pair)
    # Of few pairs, one of several shards may hold none.
    if not found and shards == 1 and not row_count(source):
        raise DivLogicError(f"{source}: the file is empty; run the step that makes it again.")
    return found


def _group(
    identifier: str, pairs: PremisePairs, sentences: SentenceFilter, counts: Counts
) -> Row | None:
    """Filter one premise and its hypotheses; ``None`` where the premise is dropped."""
    corpus = pairs.corpus
    try:
        premise = _kept(sentences, pairs.premise, pairs)
    except Refused as refusal:
        counts[corpus, "premise", refusal.reason] += 1
        if corpus not in PAIR_CORPORA:
            counts.update(
                (corpus, ROLES[label], "premise_dropped") for label, *_ in pairs.hypotheses
            )
        return None
    counts[corpus, "premise", "kept"] += 1
    shown = [premise]
    careful = sentences.settings.source_faults == "refuse"
    labels: dict[str, set[str]] = {}
    own_letters = [letters_of(text) for _, _, text, _ in pairs.hypotheses]
    for (label, *_), letters in zip(pairs.hypotheses, own_letters, strict=True):
        labels.setdefault(letters, set()).add(label)
    kept: dict[str, list[dict[str, Any]]] = {role: [] for role in ROLES.values()}
    raw_seen: set[str] = set()
    seen = {premise.text.lower()}
    for (label, source, text, agreement), letters in zip(
        pairs.hypotheses, own_letters, strict=True
    ):
        role = ROLES[label]
        outcome = "kept"
        if len(labels[letters]) > 1:
            outcome = "conflicting_labels"
        elif role == "neutral" and sentences.settings.neutrals == "skip":
            outcome = "not_needed"
        elif group_id(pairs.premise + text) in refused("pairs"):
            outcome = "refused_pair"
        elif agreement is not None and agreement < sentences.settings.min_agreement:
            outcome = "low_agreement"
        elif letters in raw_seen:
            outcome = "duplicate"
        else:
            try:
                hypothesis = _kept(sentences, text, pairs, premise)
            except Refused as refusal:
                outcome = refusal.reason
            else:
                lower = hypothesis.text.lower()
                if lower in seen:
                    outcome = "duplicate"
                elif role == "entailed" and careful and source_checks.any_time(lower):
                    outcome = "any_time"
                elif premise.bare and role == "contradicted" and corpus in PAIR_CORPORA:
                    outcome = "contrary"  # of *some socks*, that is, though not of socks
                else:
                    seen.add(lower)
                    shown.append(hypothesis)
                    kept[role].append(_sentence(hypothesis, source))
        raw_seen.add(letters)
        counts[corpus, role, outcome] += 1
    return {
        "id": identifier,
        "corpus": corpus,
        "genre": pairs.genre,
        "source": pairs.source,
        **_judged(corpus, *shown),
        "premise": _sentence(premise, pairs.source),
        **kept,
    }


def _alone(pairs: PremisePairs, sentences: SentenceFilter, counts: Counts) -> Iterator[Row]:
    """Yield a group for each hypothesis that can stand without its dropped premise, of any label."""
    seen: set[str] = set()
    for label, source, text, _ in pairs.hypotheses:
        outcome = "kept_alone"
        if letters_of(text) in seen:
            outcome = "duplicate"
        else:
            seen.add(letters_of(text))
            try:
                kept = _kept(sentences, text, pairs)
            except Refused as refusal:
                outcome = refusal.reason
        counts[pairs.corpus, ROLES[label], outcome] += 1
        if outcome == "kept_alone":
            yield {
                "id": group_id(f"{pairs.premise} {text}"),
                "corpus": pairs.corpus,
                "genre": pairs.genre,
                "source": source,
                "alone": ROLES[label],
                **_judged(pairs.corpus, kept),
                "premise": _sentence(kept, source),
                **{role: [] for role in ROLES.values()},
            }


def _judged(corpus: str, *sentences: KeptSentence) -> dict[str, float]:
    """Return for a group that may be one too many of its corpus how acceptable its least acceptable sentence is."""
    scores = [kept.acceptability for kept in sentences if kept.acceptability is not None]
    return {"acceptability": round(min(scores), 4)} if scores and corpus in PAIR_CORPORA else {}


def _kept(
    sentences: SentenceFilter, text: str, pairs: PremisePairs, premise: KeptSentence | None = None
) -> KeptSentence:
    """Return the kept form of a sentence that was not found wrong by reading and stands alone.

    Raises:
        Refused: the sentence is dropped; ``reason`` names why.
    """
    if sentences.settings.source_faults == "refuse" and group_id(text) in refused("sentences"):
        raise Refused("refused_sentence")
    kept = sentences.keep(text, premise)
    asked = sentences.settings.context == "refuse" and pairs.corpus in PAIR_CORPORA
    if asked and lacks_context(kept.positive, kept.clause, pairs.genre, bare=kept.bare):
        raise Refused("no_context")
    if asked and generic(kept.positive, kept.clause):
        raise Refused("contrary")
    if asked and any(map(source_checks.hides_negation, kept.text.split())):
        raise Refused("negative_word")
    return kept


def _sentence(kept: KeptSentence, source: str) -> dict[str, Any]:
    """Return a sentence as a row holds it; ``subject`` are the nouns that it is about, and ``plural`` if several."""
    subject = subject_of_clause(kept.positive, kept.clause)
    return {
        "text": kept.text,
        "negated": kept.negated,
        "source": source,
        "subject": list(subject.heads),
        "plural": subject.plural,
    }


def write_counts(path: Path, counts: Counts) -> None:
    """Write the outcomes of sentences as a table (csv)."""
    write_csv(path, COUNT_COLUMNS, ((*key, number) for key, number in sorted(counts.items())))


def draw(source: Path, count: int, seed: int) -> list[tuple[str, dict[str, str]]]:
    """Draw ``count`` (role, sentence) items of a file of groups at random, in file order."""
    generator = random.Random(seed)

    def of_group(group: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
        roles = ["premise", *(role for role in ROLES.values() for _ in group[role])]
        return list(zip(roles, sentences_of(group), strict=True))

    items = (item for _, group in read_as(source, of_group, "a sentence group") for item in group)
    drawn = heapq.nsmallest(
        count, ((generator.random(), number, item) for number, item in enumerate(items))
    )
    return [item for _, number, item in sorted(drawn, key=itemgetter(1))]


def sentences_of(group: dict[str, Any]) -> list[dict[str, str]]:
    """List the kept sentences of a group: the premise, then its hypotheses."""
    return [group["premise"], *group["entailed"], *group["contradicted"], *group["neutral"]]
