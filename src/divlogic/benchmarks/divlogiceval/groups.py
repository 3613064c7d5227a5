"""Sentence groups: the sentences that may word one variable, in an order shuffled by the seed."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import orjson

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalRun
from divlogic.benchmarks.divlogiceval.spacing import Spacing
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, open_bytes, read_as, read_jsonl
from divlogic.io.log import say

BUCKET = 4_096
"""Groups sorted in memory at once while shuffling."""

FAN_OUT = 256
"""Bucket files into which groups are spread at once: one per value of two hexadecimal digits."""

_KEY = 32  # hexadecimal digits before each row of a bucket file
_WORD = 2**64


@dataclass(frozen=True, slots=True)
class GroupSentence:
    """A sentence in mid-sentence form and its negation; what it is about (singular nouns), and whether several."""

    text: str
    negated: str
    subject: tuple[str, ...] = ()
    plural: bool = False


@dataclass(frozen=True, slots=True)
class SentenceGroup:
    """A premise, hypotheses that it entails, and hypotheses that contradict it.

    Attributes:
        id: 12 hexadecimal digits, a hash of the premise.
        corpus: registry name of the corpus.
        source: the corpus's own id of the premise.
        clauses: the premise, then the entailed hypotheses that may stand for it.
        contradicted: hypotheses that cannot be true together with the premise.
    """

    id: str
    corpus: str
    source: str
    clauses: tuple[GroupSentence, ...]
    contradicted: tuple[GroupSentence, ...]

    @classmethod
    def from_json(cls, row: dict[str, Any], max_hypotheses: int | None = None) -> SentenceGroup:
        """Build a group from a row of ``groups.jsonl``, with its first ``max_hypotheses`` hypotheses (default: all)."""
        clauses = [_clause(sentence) for sentence in (row["premise"], *row["entailed"][:max_hypotheses])]
        contradicted = [_clause(sentence) for sentence in row["contradicted"]]
        return cls(row["id"], row["corpus"], row["source"], tuple(clauses), tuple(contradicted))

    def to_json(self) -> dict[str, Any]:
        """Return the group as an object that orjson writes and :meth:`from_json` reads."""
        premise, *entailed = self.clauses
        return {
            "id": self.id,
            "corpus": self.corpus,
            "source": self.source,
            "premise": premise,
            "entailed": entailed,
            "contradicted": self.contradicted,
        }


def _clause(row: dict[str, Any]) -> GroupSentence:
    return GroupSentence(row["text"], row["negated"], tuple(row.get("subject", ())), bool(row.get("plural")))


def wanted_rows(groups: Path, wanted: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the wanted groups of a file.

    Raises:
        DivLogicError: some are not in it.
    """
    left = set(wanted)
    for _, row in read_jsonl(groups):
        if row["id"] in left:
            left.remove(row["id"])
            yield row
    if left:
        raise DivLogicError(
            f"{groups}: {len(left)} sentence groups of the benchmark are not in it ({min(left)}, ...); give the"
            " groups that the benchmark was made from."
        )


def negations_of(row: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Return the negations of a group's premise and hypotheses: (group id, sentence) -> negated sentence."""
    return {
        (row["id"], sentence["text"]): sentence["negated"] for sentence in (row["premise"], *row["entailed"])
    }


def shuffle(
    source: Annotated[Path, "--in", "Sentence groups (jsonl)."],
    out: Annotated[Path, "The same groups, in the order in which items receive them."],
    params: DivLogicEvalRun,
) -> None:
    """Put the sentence groups into an order drawn from the seed, groups about the same apart."""
    settings = params.benchmarks.divlogiceval
    shuffle_groups(source, out, params.seed, settings.variables if settings.preset == "balanced" else 0)


def shuffle_groups(groups: Path, out: Path, seed: int, distance: int = 0) -> int:
    """Write the groups in an order drawn from the seed; return their number.

    The order is that of the keys that :func:`shuffle_key` draws, for any order of the file. Rows are spread over
    bucket files by the first digits of their keys, and a bucket that is still too large by the next ones. So memory
    holds one bucket, however many groups there are. Then groups whose sentences are about the same are moved apart.

    Args:
        groups: ``groups.jsonl`` of the sentences phase.
        out: where the groups are written, with what wording needs of them.
        seed: the run's seed.
        distance: consecutive groups that may not touch each other (see :class:`Spacing`); 0: the order stays.

    Raises:
        DivLogicError: the file is missing, a row is malformed, or there is no group.
    """
    with tempfile.TemporaryDirectory(prefix="divlogic-shuffle-") as folder, atomic_writer(out) as stream:
        sizes = _spread(_keyed_rows(groups, seed), Path(folder), 0)
        if not any(sizes):
            raise DivLogicError(
                f"{groups}: no sentence group; the filter kept nothing: results/sentences/filter.csv gives the"
                " reasons."
            )
        rows = (row[_KEY:] for row in _in_order(Path(folder), sizes, 0))
        if not distance:
            stream.writelines(rows)
            return sum(sizes)
        spacing = Spacing(distance)
        arranged = spacing.arrange(map(orjson.loads, rows))
        stream.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in arranged)
    say(
        f"{spacing.left_over:,} of {sum(sizes):,} sentence groups found no place among groups about something else;"
        f" {spacing.dropped:,} hypotheses were taken out."
    )
    return sum(sizes) - spacing.left_over


def shuffle_key(group_id: str, seed: int) -> str:
    """Return the key by which a group is sorted: its id mixed with the seed (SplitMix64's finaliser), then its id.

    Args:
        group_id: up to 16 hexadecimal digits.
        seed: the run's seed.

    Returns:
        32 hexadecimal digits.
    """
    number = int(group_id, 16)
    mixed = number ^ (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _WORD
    mixed ^= mixed >> 31
    return f"{mixed:016x}{number:016x}"


def read_groups(path: Path, max_hypotheses: int, *, offset: int = 0) -> Iterator[SentenceGroup]:
    """Yield the groups of a shuffled file from some place on.

    Args:
        path: the file.
        max_hypotheses: entailed hypotheses to keep of each group.
        offset: the byte at which the row of the first group begins; earlier rows are not read.
    """
    with open_bytes(path) as stream:
        stream.seek(offset)
        for line in stream:
            yield SentenceGroup.from_json(orjson.loads(line), max_hypotheses)


def without_shared_sentences(groups: list[SentenceGroup]) -> list[SentenceGroup]:
    """Take out hypotheses and contradictions that stand in several of the groups of one instance.

    "A man is outside" under two premises would word two variables of the instance by one sentence, and what follows
    from the text would no longer be what follows from the formulas. Premises always stay: they are distinct.
    """
    texts = [
        {
            text.lower()
            for clause in group.clauses + group.contradicted
            for text in (clause.text, clause.negated)
        }
        for group in groups
    ]
    if len(set().union(*texts)) == sum(map(len, texts)):
        return groups
    uses = Counter(text for own in texts for text in own)

    def own(clause: GroupSentence) -> bool:
        return uses[clause.text.lower()] == 1 and uses[clause.negated.lower()] == 1

    return [
        replace(
            group,
            clauses=(group.clauses[0], *filter(own, group.clauses[1:])),
            contradicted=tuple(filter(own, group.contradicted)),
        )
        for group in groups
    ]


def _keyed_rows(groups: Path, seed: int) -> Iterator[bytes]:
    """Yield each group as a row of a bucket file: its key, then what wording needs of it."""
    for _, group in read_as(groups, SentenceGroup.from_json, "a sentence group"):
        key = shuffle_key(group.id, seed)
        yield key.encode("ascii") + orjson.dumps(group.to_json(), option=orjson.OPT_APPEND_NEWLINE)


def _spread(rows: Iterable[bytes], folder: Path, depth: int) -> list[int]:
    """Append every row to the bucket file of two digits of its key; return the number of rows in each bucket."""
    sizes = [0] * FAN_OUT
    with ExitStack() as stack:
        buckets = [
            stack.enter_context(_bucket(folder, number).open("wb", buffering=4096))
            for number in range(FAN_OUT)
        ]
        for row in rows:
            number = int(row[2 * depth : 2 * depth + 2], 16)
            buckets[number].write(row)
            sizes[number] += 1
    return sizes


def _in_order(folder: Path, sizes: list[int], depth: int) -> Iterator[bytes]:
    """Yield the rows of a folder of buckets in the order of their keys; the buckets are gone afterwards."""
    for number, size in enumerate(sizes):
        bucket = _bucket(folder, number)
        if size <= BUCKET or 2 * depth + 2 == _KEY:
            with bucket.open("rb") as rows:
                # The sort is stable: groups of one id stay in the order of the file.
                yield from sorted(rows, key=lambda row: row[:_KEY])
        else:
            finer = folder / f"{number:02x}.finer"
            finer.mkdir()
            with bucket.open("rb") as rows:
                finer_sizes = _spread(rows, finer, depth + 1)
            bucket.unlink()
            yield from _in_order(finer, finer_sizes, depth + 1)
        bucket.unlink(missing_ok=True)


def _bucket(folder: Path, number: int) -> Path:
    return folder / f"{number:02x}"
