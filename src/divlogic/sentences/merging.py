"""The union of the shards of sentence groups: one file sorted by id, with the counts summed."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

from divlogic.config.command import ARGUMENT
from divlogic.corpora import PAIR_CORPORA
from divlogic.errors import DivLogicError
from divlogic.io.files import form_of, read_jsonl, read_lines, write_json, write_jsonl
from divlogic.io.log import say
from divlogic.io.shards import HashSet, expanded, hash_of, merge_sorted
from divlogic.sentences.groups import ROLES, Counts, sentences_of, write_counts
from divlogic.sentences.parameters import SentencesRun


def merge_sentences(
    files: Annotated[tuple[Path, ...], ARGUMENT, "SHARD... COUNTS...", expanded],
    *,
    params: SentencesRun,
    out: Annotated[Path, "All groups (jsonl.gz), sorted by id."],
    counts_out: Annotated[Path, "Summed outcomes (csv)."],
    summary_out: Annotated[Path, "Numbers of groups, sentences and words (json)."],
) -> None:
    """Merge the shards (jsonl.gz) and their counts (csv), given in any order.

    They are merged by id, streaming. Groups from :data:`PAIR_CORPORA` are dropped, the least acceptable ones first,
    until they make up at most `sentences.mnli_share` of all.
    """
    counts = sorted(path for path in files if form_of(path) == ".csv")
    shards = sorted(path for path in files if form_of(path) != ".csv")
    if len(counts) != len(shards):
        raise DivLogicError(
            f"{len(shards)} shards but {len(counts)} files of counts (csv); name both files of every shard."
        )
    total: Counts = Counter()
    for path in counts:
        total.update(read_counts(path))
    summary: dict[str, int] = {}
    limit = _share_limit(shards, params.sentences.mnli_share)
    groups = watched(_distinct(_within_share(_merged(shards), limit, total), total), summary)
    write_jsonl(out, _at_least_one(groups, out, total))
    write_counts(counts_out, total)
    write_json(summary_out, summary)
    say(f"sentences: {summary['groups']} groups, {summary['sentences_kept']} sentences kept")


def _merged(shards: list[Path]) -> Iterator[dict[str, Any]]:
    previous = ""
    for place, row in merge_sorted(shards, itemgetter("id")):
        identifier = row["id"]
        if identifier <= previous:
            raise DivLogicError(
                f"{place}: the group {identifier} is out of order or in two shards;"
                " make all shards again with one number of shards."
            )
        previous = identifier
        yield row


def _distinct(groups: Iterable[dict[str, Any]], counts: Counts) -> Iterator[dict[str, Any]]:
    """Leave out a group whose premise reads as an earlier one's, once its auxiliary was put back.

    "Two boys rowing." and "Two boys are rowing." are two premises of the corpus but one sentence here, and one
    sentence must not word two variables. Memory: a number per group.
    """
    seen = HashSet()
    for group in groups:
        if seen.add(hash_of(group["premise"]["text"].lower())):
            yield group
        else:
            _take_back(group, counts, "repeated_premise")


def _take_back(group: dict[str, Any], counts: Counts, outcome: str) -> None:
    """Count the sentences of a group that is left out after all."""
    corpus, alone = group["corpus"], group.get("alone")
    if alone:
        counts[corpus, alone, "kept_alone"] -= 1
        counts[corpus, alone, outcome] += 1
        return
    counts[corpus, "premise", "kept"] -= 1
    counts[corpus, "premise", outcome] += 1
    for role in ROLES.values():
        if group[role]:
            counts[corpus, role, "kept"] -= len(group[role])
            counts[corpus, role, "premise_dropped"] += len(group[role])


def _rank(group: dict[str, Any]) -> tuple[float, str]:
    """Rank acceptable groups first; among equals, and where none was judged, the id (a hash) decides at random."""
    return -group.get("acceptability", 1.0), group["id"]


def _share_limit(shards: list[Path], share: float) -> tuple[float, str]:
    """Return the rank of the last group of :data:`PAIR_CORPORA` that stays, so that these make up ``share`` at most.

    Where there is no other group, all stay.
    """
    ranks: list[tuple[float, str]] = []
    others = 0
    for path in shards:
        for _, row in read_jsonl(path):
            if row["corpus"] in PAIR_CORPORA:
                ranks.append(_rank(row))
            else:
                others += 1
    allowed = int(others * share / (1 - share)) if share < 1 else len(ranks)
    if not others or len(ranks) <= allowed:
        return math.inf, ""
    return sorted(ranks)[allowed - 1] if allowed else (-math.inf, "")


def _within_share(
    groups: Iterable[dict[str, Any]], limit: tuple[float, str], counts: Counts
) -> Iterator[dict[str, Any]]:
    for group in groups:
        if group["corpus"] in PAIR_CORPORA and _rank(group) > limit:
            _take_back(group, counts, "over_share")
        else:
            group.pop("acceptability", None)  # has served
            yield group


def _at_least_one(
    groups: Iterable[dict[str, Any]], out: Path, counts: Counts
) -> Iterator[dict[str, Any]]:
    """Yield the groups; raise an error before anything is written if no premise of a corpus passed."""
    group = None
    for group in groups:
        yield group
    if group is None:
        names = ", ".join(f"{outcome} {n}" for (_, _, outcome), n in counts.most_common(3))
        raise DivLogicError(
            f"{out}: no premise passed the sentence filter (most frequent outcomes: {names or 'no sentences at all'});"
            " check the corpora and the parameters of section 'sentences'."
        )


def read_counts(path: Path) -> Counts:
    """Read outcomes of sentences."""
    counts: Counts = Counter()
    for row in csv.DictReader(line for _, line in read_lines(path)):
        counts[row["corpus"], row["role"], row["outcome"]] += int(row["sentences"])
    return counts


def watched(groups: Iterable[dict[str, Any]], summary: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Yield groups on their way into a file; ``summary`` has their numbers at the end."""
    names = ("groups", "groups_with_entailed", "groups_with_contradicted", "sentences_kept")
    summary.update(dict.fromkeys(names, 0))
    words: set[str] = set()
    for group in groups:
        kept = sentences_of(group)
        counts = (1, bool(group["entailed"]), bool(group["contradicted"]), len(kept))
        for name, number in zip(names, counts, strict=True):
            summary[name] += number
        for one in kept:
            words.update(word for word in one["text"].lower().split() if word.isalpha())
        yield group
    summary["distinct_words"] = len(words)
