"""Groups of sentences that share a premise: one shard of the work, and the union of all shards."""

from __future__ import annotations

import csv
import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import read_as, read_jsonl, read_lines, write_csv, write_json, write_jsonl
from divlogic.io.log import track
from divlogic.sentences.filtering import KeptSentence, SentenceFilter
from divlogic.sentences.grammar import Refused
from divlogic.sentences.subject import subject_of_clause

ROLES = {"entailment": "entailed", "contradiction": "contradicted", "neutral": "neutral"}
PAIR_CORPORA = frozenset({"multinli", "xnli", "genres"})
"""Corpora whose premises seldom pass: there each pair is a group (paper, Section 2.1), if need be of its hypothesis."""

COUNT_COLUMNS = ("corpus", "role", "outcome", "sentences")
_FIELDS = ("corpus", "genre", "label", "premise_id", "pair_id", "premise", "hypothesis")

Counts = Counter[tuple[str, str, str]]
"""(corpus, role, outcome) to number of sentences."""


@dataclass(slots=True)
class Pairs:
    """The pairs of one premise, as the corpus has them."""

    corpus: str
    genre: str | None
    source: str
    premise: str
    hypotheses: list[tuple[str, str, str, float | None]] = field(default_factory=list)
    """(label, pair id, text, share of the annotators who gave the label)"""


def filter_shard(
    source: Path, sentences: SentenceFilter, shard: int, shards: int
) -> tuple[list[dict[str, Any]], Counts]:
    """Filter, negate and group the pairs of one shard.

    Args:
        source: sentence pairs (jsonl, plain or gzipped), one per row.
        sentences: the filter.
        shard: index of the shard, from 0.
        shards: number of shards; a premise belongs to shard *hash mod shards*, so that the union of all shards
            does not depend on their number.

    Returns:
        The groups with a kept premise, and of :data:`PAIR_CORPORA` those of a hypothesis whose premise was dropped,
        sorted by id; and the outcome of every sentence of the shard.

    Raises:
        DivLogicError: the file is empty, or a row is malformed.
    """
    if not 0 <= shard < shards:
        raise DivLogicError(
            f"shard {shard} is not one of the {shards} shards; give a number from 0 to {shards - 1}."
        )
    counts: Counts = Counter()
    groups = []
    for identifier, pairs in track(sorted(_read_pairs(source, shard, shards).items()), "sentences"):
        group = _group(identifier, pairs, sentences, counts)
        if group is not None:
            groups.append(group)
        elif pairs.corpus in PAIR_CORPORA:
            groups += _alone(pairs, sentences, counts)
    return sorted(groups, key=lambda group: group["id"]), counts


def write_shard(out: Path, counts_out: Path, groups: list[dict[str, Any]], counts: Counts) -> None:
    """Write the groups of a shard and the outcomes of its sentences."""
    write_jsonl(out, groups)
    _write_counts(counts_out, counts)


def merge(
    shards: list[Path],
    counts: list[Path],
    out: Path,
    counts_out: Path,
    summary_out: Path,
    pair_share: float = 1.0,
) -> dict[str, int]:
    """Merge shards by id, streaming, and sum their counts; return the summary that is written as well.

    Groups from :data:`PAIR_CORPORA` are dropped until they make up at most ``pair_share`` of all.

    Raises:
        DivLogicError: the shards overlap (made with different numbers of shards), a file is broken, or nothing
            was kept.
    """
    total: Counts = Counter()
    for path in counts:
        total.update(_read_counts(path))
    summary = _Summary()
    limit = _share_limit(shards, pair_share)
    write_jsonl(
        out,
        _at_least_one(
            summary.watch(_distinct(_within_share(_merged(shards), limit, total), total)), out, total
        ),
    )
    _write_counts(counts_out, total)
    write_json(summary_out, summary.to_json())
    return summary.to_json()


def group_id(premise: str) -> str:
    """Return the id of a premise's group: 12 hexadecimal digits of the SHA-256 of its letters and digits.

    Blanks, marks and case are left out, so that tokenised and plain copies of a premise fall together.
    """
    return hashlib.sha256(_letters(premise).encode()).hexdigest()[:12]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _read_pairs(source: Path, shard: int, shards: int) -> dict[str, Pairs]:
    found: dict[str, Pairs] = {}
    number = 0
    for number, row in read_jsonl(source):
        _check_row(source, number, row)
        identifier = group_id(row["premise"])
        if int(identifier, 16) % shards != shard:
            continue
        pairs = found.get(identifier)
        if pairs is None:
            pairs = Pairs(row["corpus"], row["genre"], str(row["premise_id"]), row["premise"])
            found[identifier] = pairs
        agreement = row.get("agreement")
        if agreement is not None and not isinstance(agreement, (int, float)):
            raise DivLogicError(
                f"{source}, row {number}: the agreement {agreement!r} is not a number; fix that row."
            )
        pairs.hypotheses.append((row["label"], str(row["pair_id"]), row["hypothesis"], agreement))
    if not number:
        raise DivLogicError(f"{source}: the file is empty; run the step that makes it again.")
    return found


def _check_row(source: Path, number: int, row: dict[str, Any]) -> None:
    for name in _FIELDS:
        if name not in row:
            raise DivLogicError(
                f"{source}, row {number}: the field '{name}' is missing; fix or delete that row."
            )
    for name in ("corpus", "genre", "premise", "hypothesis"):
        # A corpus in part may lack the genre of a row.
        if not isinstance(row[name], str) and not (name == "genre" and row[name] is None):
            raise DivLogicError(
                f"{source}, row {number}: the field '{name}' is not a string; fix or delete that row."
            )
    if not isinstance(row["label"], str) or row["label"] not in ROLES:
        raise DivLogicError(
            f"{source}, row {number}: the label {row['label']!r} is none of {', '.join(ROLES)};"
            " fix or delete that row."
        )


def _group(identifier: str, pairs: Pairs, sentences: SentenceFilter, counts: Counts) -> dict[str, Any] | None:
    """Filter one premise and its hypotheses; ``None`` where the premise is dropped."""
    corpus = pairs.corpus
    try:
        premise = sentences.keep(pairs.premise)
    except Refused as refusal:
        counts[corpus, "premise", refusal.reason] += 1
        if corpus not in PAIR_CORPORA:
            for label, *_ in pairs.hypotheses:
                counts[corpus, ROLES[label], "premise_dropped"] += 1
        return None
    counts[corpus, "premise", "kept"] += 1
    labels: dict[str, set[str]] = {}
    for label, _, text, _ in pairs.hypotheses:
        labels.setdefault(_letters(text), set()).add(label)
    kept: dict[str, list[dict[str, Any]]] = {role: [] for role in ROLES.values()}
    raw_seen: set[str] = set()
    seen = {premise.text.lower()}
    for label, source, text, agreement in pairs.hypotheses:
        role = ROLES[label]
        outcome = "kept"
        if len(labels[_letters(text)]) > 1:
            outcome = "conflicting_labels"
        elif source in refused_pairs():
            outcome = "refused_pair"
        elif agreement is not None and agreement < sentences.settings.min_agreement:
            outcome = "low_agreement"
        elif _letters(text) in raw_seen:
            outcome = "duplicate"
        else:
            try:
                hypothesis = sentences.keep(text, premise)
            except Refused as refusal:
                outcome = refusal.reason
            else:
                if hypothesis.text.lower() in seen:
                    outcome = "duplicate"
                else:
                    seen.add(hypothesis.text.lower())
                    kept[role].append(_sentence(hypothesis, source))
        raw_seen.add(_letters(text))
        counts[corpus, role, outcome] += 1
    return {
        "id": identifier,
        "corpus": corpus,
        "genre": pairs.genre,
        "source": pairs.source,
        "premise": _sentence(premise, pairs.source),
        "entailed": kept["entailed"],
        "contradicted": kept["contradicted"],
        "neutral": kept["neutral"],
    }


def _alone(pairs: Pairs, sentences: SentenceFilter, counts: Counts) -> Iterator[dict[str, Any]]:
    """Yield a group for each hypothesis that can stand without its dropped premise, whatever its label."""
    seen: set[str] = set()
    for label, source, text, _ in pairs.hypotheses:
        outcome = "kept_alone"
        if _letters(text) in seen:
            outcome = "duplicate"
        else:
            seen.add(_letters(text))
            try:
                kept = sentences.keep(text)
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
                "premise": _sentence(kept, source),
                "entailed": [],
                "contradicted": [],
                "neutral": [],
            }


@lru_cache(maxsize=1)
def refused_pairs() -> frozenset[str]:
    """Return the ids of the pairs whose gold label was found wrong by reading (``refused_pairs.txt``)."""
    path = Path(__file__).with_name("refused_pairs.txt")
    # An id may hold a "#" itself (4812138503.jpg#0r1n): a remark stands behind a blank.
    lines = (line.partition(" #")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


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


def _merged(shards: list[Path]) -> Iterator[dict[str, Any]]:
    previous = ""
    rows = ((row["id"], place, row) for place, row in _merge_by_id(shards))
    for identifier, place, row in rows:
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
    seen: set[int] = set()
    for group in groups:
        key = hash_of(group["premise"]["text"].lower())
        if key not in seen:
            seen.add(key)
            yield group
            continue
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


def _share_limit(shards: list[Path], share: float) -> str:
    """Return the greatest id of a group of :data:`PAIR_CORPORA` that stays, so that these make up ``share`` at most.

    The ids are hashes, so those that stay are a random part. Where there is no other group, all stay.
    """
    ids: list[str] = []
    others = 0
    for path in shards:
        for _, row in read_as(path, _checked_group, "a group of sentences"):
            if row["corpus"] in PAIR_CORPORA:
                ids.append(row["id"])
            else:
                others += 1
    allowed = int(others * share / (1 - share)) if share < 1 else len(ids)
    if not others or len(ids) <= allowed:
        return "~"
    return sorted(ids)[allowed - 1] if allowed else ""


def _within_share(groups: Iterable[dict[str, Any]], limit: str, counts: Counts) -> Iterator[dict[str, Any]]:
    for group in groups:
        if group["corpus"] in PAIR_CORPORA and group["id"] > limit:
            _take_back(group, counts, "over_share")
        else:
            yield group


def hash_of(text: str) -> int:
    """Return 64 bits that stand for a text, the same in every run."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _at_least_one(groups: Iterable[dict[str, Any]], out: Path, counts: Counts) -> Iterator[dict[str, Any]]:
    """Pass the groups on; a corpus of which no premise passed is an error, told before anything is written."""
    group = None
    for group in groups:
        yield group
    if group is None:
        names = ", ".join(f"{outcome} {n}" for (_, _, outcome), n in counts.most_common(3))
        raise DivLogicError(
            f"{out}: no premise passed the sentence filter (most frequent outcomes: {names or 'no sentences at all'});"
            " check the corpora and the parameters of section 'sentences'."
        )


def _merge_by_id(shards: list[Path]) -> Iterable[tuple[Path, dict[str, Any]]]:
    def rows(path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
        for _, row in read_as(path, _checked_group, "a group of sentences"):
            yield path, row

    return heapq.merge(*(rows(path) for path in shards), key=lambda item: item[1]["id"])


def _checked_group(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row that :func:`write_shard` wrote if it is one."""
    for name in ("id", "corpus", "source"):
        if not isinstance(row[name], str):
            raise ValueError(f"the field '{name}' is not a string")
    for kept in sentences_of(row):
        if not all(isinstance(kept[name], str) for name in ("text", "negated", "source")):
            raise ValueError("a sentence lacks its text, its negation or its source")
    return row


def _write_counts(path: Path, counts: Counts) -> None:
    write_csv(path, COUNT_COLUMNS, ((*key, number) for key, number in sorted(counts.items())))


def _read_counts(path: Path) -> Counts:
    counts: Counts = Counter()
    lines = read_lines(path)
    number = 0
    for number, cells in enumerate(csv.reader(line for _, line in lines), start=1):
        if number == 1 and tuple(cells) == COUNT_COLUMNS:
            continue
        if number == 1 or len(cells) != len(COUNT_COLUMNS) or not cells[-1].isdigit():
            raise DivLogicError(
                f"{path}, row {number}: not a row of counts ({','.join(COUNT_COLUMNS)}); make it again."
            )
        counts[cells[0], cells[1], cells[2]] += int(cells[3])
    if not number:
        raise DivLogicError(f"{path}: the file is empty; make it again.")
    return counts


class _Summary:
    """Counts what passes by on its way into the merged file."""

    def __init__(self) -> None:
        self.groups = self.with_entailed = self.with_contradicted = self.sentences = 0
        self.words: set[str] = set()

    def watch(self, groups: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for group in groups:
            self.groups += 1
            self.with_entailed += bool(group["entailed"])
            self.with_contradicted += bool(group["contradicted"])
            for kept in sentences_of(group):
                self.sentences += 1
                self.words.update(word for word in kept["text"].lower().split() if word.isalpha())
            yield group

    def to_json(self) -> dict[str, int]:
        return {
            "groups": self.groups,
            "groups_with_entailed": self.with_entailed,
            "groups_with_contradicted": self.with_contradicted,
            "sentences_kept": self.sentences,
            "distinct_words": len(self.words),
        }


def draw(source: Path, count: int, seed: int) -> list[tuple[str, dict[str, str]]]:
    """Draw ``count`` (role, sentence) items of a file of groups at random, in file order (reservoir sampling).

    Raises:
        DivLogicError: a row is no sentence group.
    """
    import random

    generator = random.Random(seed)
    chosen: list[tuple[int, str, dict[str, str]]] = []
    seen = 0
    for number, group in read_jsonl(source):
        if lacking := [name for name in ("premise", *ROLES.values()) if name not in group]:
            raise DivLogicError(
                f"{source}, row {number}: not a sentence group, it has no '{lacking[0]}'; instances are shown by"
                " `divlogic benchmarks show`."
            )
        roles = ["premise", *(role for role in ROLES.values() for _ in group[role])]
        for role, kept in zip(roles, sentences_of(group), strict=True):
            place = seen if seen < count else generator.randrange(seen + 1)
            item = (seen, role, kept)
            seen += 1
            if len(chosen) < count:
                chosen.append(item)
            elif place < count:
                chosen[place] = item
    return [(role, kept) for _, role, kept in sorted(chosen, key=lambda item: item[0])]


def sentences_of(group: dict[str, Any]) -> list[dict[str, str]]:
    """List the kept sentences of a group: the premise, then its hypotheses."""
    return [group["premise"], *group["entailed"], *group["contradicted"], *group["neutral"]]
