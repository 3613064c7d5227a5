"""Sentence groups: the sentences that may word one variable, in an order shuffled by the seed."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import TypeAdapter

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalRun
from divlogic.benchmarks.divlogiceval.spacing import Spacing
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, open_bytes, read_as, read_jsonl
from divlogic.io.log import say

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
        premise, entailed: the premise, and the hypotheses that may stand for it.
        contradicted: hypotheses that cannot be true together with the premise.
    """

    id: str
    corpus: str
    source: str
    premise: GroupSentence
    entailed: tuple[GroupSentence, ...]
    contradicted: tuple[GroupSentence, ...]

    @classmethod
    def from_json(cls, row: dict[str, Any], max_hypotheses: int | None = None) -> SentenceGroup:
        """Build a group from a row of ``groups.jsonl``, with its first ``max_hypotheses`` hypotheses (default: all)."""
        group = _GROUP.validate_python(row)
        return replace(group, entailed=group.entailed[:max_hypotheses])

    @property
    def clauses(self) -> tuple[GroupSentence, ...]:
        """The sentences that may word the variable, premise first."""
        return self.premise, *self.entailed


_GROUP = TypeAdapter(SentenceGroup)


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

    The order is that of the keys that :func:`shuffle_key` draws, for any order of the file. Rows are sorted on disk, so
    that memory does not grow with their number. Then groups whose sentences are about the same are moved apart.

    Args:
        groups: ``groups.jsonl`` of the sentences phase.
        out: where the groups are written, with what wording needs of them.
        seed: the run's seed.
        distance: consecutive groups that may not touch each other (see :class:`Spacing`); 0: the order stays.

    Raises:
        DivLogicError: the file is missing, a row is malformed, or there is no group.
    """
    import sqlite3

    # A database without a name is a file of its own that is gone when it is closed.
    with contextlib.closing(sqlite3.connect("")) as database, atomic_writer(out) as stream:
        database.execute("CREATE TABLE keyed (key TEXT, row BLOB)")
        keyed = (
            (shuffle_key(group.id, seed), orjson.dumps(group, option=orjson.OPT_APPEND_NEWLINE))
            for _, group in read_as(groups, SentenceGroup.from_json, "a sentence group")
        )
        number = database.executemany("INSERT INTO keyed VALUES (?, ?)", keyed).rowcount
        if number < 1:
            raise DivLogicError(
                f"{groups}: no sentence group; the filter kept nothing: results/sentences/filter.csv gives the"
                " reasons."
            )
        # Groups of one id stay in the order of the file.
        rows = (row for (row,) in database.execute("SELECT row FROM keyed ORDER BY key, rowid"))
        if not distance:
            stream.writelines(rows)
            return number
        spacing = Spacing(distance)
        arranged = spacing.arrange(map(orjson.loads, rows))
        stream.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in arranged)
    say(
        f"{spacing.left_over:,} of {number:,} sentence groups found no place among groups about something else;"
        f" {spacing.dropped:,} hypotheses were taken out."
    )
    return number - spacing.left_over


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
    with open_bytes(path, offset) as stream:
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
            entailed=tuple(filter(own, group.entailed)),
            contradicted=tuple(filter(own, group.contradicted)),
        )
        for group in groups
    ]
