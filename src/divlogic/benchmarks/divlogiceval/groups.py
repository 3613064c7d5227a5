"""Sentence groups: the sentences that may word one variable, in an order shuffled by the seed."""

from __future__ import annotations

import tempfile
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import orjson

from divlogic.errors import DivLogicError
from divlogic.files import atomic_writer, open_bytes, read_jsonl

BUCKET = 4_096
"""Groups held in memory at once while shuffling, unless that made too many files."""

MOST_FILES = 512


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence in mid-sentence form and its negation."""

    text: str
    negated: str


@dataclass(frozen=True, slots=True)
class Group:
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
    clauses: tuple[Clause, ...]
    contradicted: tuple[Clause, ...]

    @classmethod
    def from_json(cls, row: dict[str, Any], max_hypotheses: int) -> Group:
        """Build a group from a row of ``groups.jsonl.gz``.

        Raises:
            KeyError: a field is missing.
        """
        sentences = [row["premise"], *row["entailed"][:max_hypotheses]]
        return cls(
            row["id"],
            row["corpus"],
            row["source"],
            tuple(Clause(sentence["text"], sentence["negated"]) for sentence in sentences),
            tuple(Clause(sentence["text"], sentence["negated"]) for sentence in row["contradicted"]),
        )


def shuffle_groups(groups: Path, out: Path, seed: int) -> int:
    """Write the groups in an order drawn from the seed; return their number.

    The order depends on the groups' ids alone. Memory holds 16 bytes per group and one bucket of groups.

    Raises:
        DivLogicError: the file is missing, a row is malformed, or there is no group.
    """
    ranks = seeded_ranks(_group_ids(groups), seed)
    with (
        tempfile.TemporaryDirectory(prefix="divlogic-shuffle-") as folder,
        atomic_writer(out) as stream,
    ):
        size = max(BUCKET, -(-len(ranks) // MOST_FILES))
        buckets = [Path(folder, str(number)) for number in range(-(-len(ranks) // size))]
        _fill_buckets(groups, ranks, buckets, size)
        for bucket in buckets:
            lines = sorted(bucket.read_bytes().splitlines(keepends=True))
            stream.writelines(line[12:] for line in lines)
    return len(ranks)


def seeded_ranks(ids: np.ndarray, seed: int) -> np.ndarray:
    """Return each group's place in an order shuffled by ``seed``.

    Every id is mixed with the seed (SplitMix64's finaliser) and the results are ranked, so that the order of the
    file does not matter.

    Args:
        ids: shape (groups,), unsigned 64-bit.
        seed: the run's seed.

    Returns:
        Array of shape (groups,): rank of the group at each file position.
    """
    mixed = ids ^ np.uint64((seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % 2**64)
    with np.errstate(over="ignore"):
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    ranks = np.empty(len(ids), dtype=np.int64)
    ranks[np.lexsort((ids, mixed))] = np.arange(len(ids))
    return ranks


def read_groups(path: Path, first: int, max_hypotheses: int) -> Iterator[Group]:
    """Yield the groups of a shuffled file from place ``first`` on; earlier rows are not parsed.

    Raises:
        DivLogicError: the file is missing or a row is malformed.
    """
    with open_bytes(path) as stream:
        for place, line in enumerate(stream):
            if place < first:
                continue
            try:
                yield Group.from_json(orjson.loads(line), max_hypotheses)
            except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                raise DivLogicError(
                    f"{path}, row {place + 1}: not a sentence group ({error}); make the file again."
                ) from error


def without_shared_sentences(groups: list[Group]) -> list[Group]:
    """Take out hypotheses and contradictions that stand in several of the groups of one instance.

    "A man is outside" under two premises would word two variables of the instance by one sentence, and what follows
    from the text would no longer be what follows from the formulas. Premises always stay: they are distinct.
    """
    uses: Counter[str] = Counter()
    for group in groups:
        uses.update(
            {
                text.lower()
                for clause in (*group.clauses, *group.contradicted)
                for text in (clause.text, clause.negated)
            }
        )
    if len(uses) == sum(uses.values()):
        return groups

    def own(clause: Clause) -> bool:
        return uses[clause.text.lower()] == 1 and uses[clause.negated.lower()] == 1

    return [
        replace(
            group,
            clauses=(group.clauses[0], *filter(own, group.clauses[1:])),
            contradicted=tuple(filter(own, group.contradicted)),
        )
        for group in groups
    ]


def _group_ids(path: Path) -> np.ndarray:
    """Return the ids of all groups as 64-bit numbers, in file order."""
    ids = array("Q")
    for number, row in read_jsonl(path):
        try:
            ids.append(int(row["id"], 16))
        except (KeyError, ValueError, TypeError) as error:
            raise DivLogicError(
                f"{path}, row {number}: the group has no hexadecimal 'id'; make the file again."
            ) from error
    if not ids:
        raise DivLogicError(
            f"{path}: no sentence group; the filter kept nothing: results/sentences/filter.csv gives the reasons."
        )
    return np.array(ids, dtype=np.uint64)


def _fill_buckets(groups: Path, ranks: np.ndarray, buckets: list[Path], size: int) -> None:
    """Append every row to the file of its range of ranks, its rank in 12 digits before it."""
    streams: list[IO[bytes]] = []
    try:
        streams = [bucket.open("wb") for bucket in buckets]
        with open_bytes(groups) as lines:
            rows = (line for line in lines if not line.isspace())
            for rank, line in zip(ranks.tolist(), rows, strict=True):
                streams[rank // size].write(b"%012d" % rank + line.rstrip(b"\r\n") + b"\n")
    finally:
        for stream in streams:
            stream.close()
