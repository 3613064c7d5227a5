"""The table of statements: how the filter's shards become one file, and how items draw from it."""

from __future__ import annotations

import csv
import math
import mmap
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any, NamedTuple

import numpy as np
import orjson

from divlogic.benchmarks.justlogic.parameters import JustLogicRun
from divlogic.benchmarks.justlogic.statements import COUNTED, KEPT, WORDS
from divlogic.config.command import ARGUMENT
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import form_of, open_bytes, read_jsonl, read_lines, write_jsonl
from divlogic.io.shards import expanded, merge_sorted
from divlogic.io.tables import write_listing
from divlogic.sentences.lexicon import lemmas_of

_TRIES = 10_000
_LIKEST_OF = 24
"""Statements of which the likest to an asked one becomes its partner."""
_ORDER = itemgetter("term", "id")
_WORD = re.compile(r"[a-z']+")
_DEFINES = re.compile(r"\b(?:is|are|belongs? to|consists? of|refers? to|means?)\b")


class Row(NamedTuple):
    """One statement; ``words`` are the lemmas of its content words and ``subject`` those of its term."""

    id: str
    term: str
    text: str
    negated: str | None
    source: str
    words: frozenset[str]
    subject: frozenset[str]


class Statements:
    """The statements of a file made by :func:`merge_statements`.

    Memory holds eight bytes per statement and the rows read last; the text stays on disk.
    """

    def __init__(self, path: Path) -> None:
        # Items read rows at random places, which a compressed file does not allow: it is unpacked.
        with open_bytes(path) as stream, TemporaryFile() as unpacked:
            lengths = map(unpacked.write, stream)
            self._starts = np.fromiter(accumulate(lengths, initial=0), dtype=np.int64)
            unpacked.flush()
            if not self._starts[-1]:
                raise DivLogicError(f"{path}: the file is empty; run the step that makes it.")
            self._data = mmap.mmap(unpacked.fileno(), 0, access=mmap.ACCESS_READ)
        self._path = path
        # Steps of about the golden section of an odd number of rows: every second one visits each before it comes back.
        self._turns = size = len(self) - 1 + len(self) % 2
        self._step = next(
            n for n in range(int(0.618 * size) + 1, 2 * size + 2) if math.gcd(n, size) == 1
        )
        self.row = lru_cache(maxsize=1 << 15)(self._row)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def _row(self, number: int) -> Row:
        value = orjson.loads(self._data[self._starts[number] : self._starts[number + 1]])
        value.pop("structured", None)
        subject = lemmas(value["term"])
        return Row(**value, words=lemmas(value["text"]) | subject, subject=subject)

    def in_turn(self, number: int, taken: Iterable[Row], draws: Draws, limit: float) -> Row:
        """Return the statement whose turn it is in an order in which each has as many turns as any other.

        If it does not go with those that are taken, another one is drawn.
        """
        row = self.row(number * self._step % self._turns)
        return (
            row
            if not any(clash(row, one, limit) for one in taken)
            else self.draw(taken, draws, limit)
        )

    def draw(self, taken: Iterable[Row], draws: Draws, limit: float) -> Row:
        """Draw a statement that goes with those that are taken, each with the same probability."""
        taken = tuple(taken)
        for _ in range(_TRIES):
            row = self.row(draws.below(len(self)))
            if not any(clash(row, one, limit) for one in taken):
                return row
        raise DivLogicError(
            f"{self._path}: {len(self)} statements are too few for one instance; use a larger corpus or lower depths,"
            " or raise 'benchmarks.justlogic.statements.max_overlap'."
        )

    def like(self, row: Row, taken: Iterable[Row], draws: Draws, limit: float) -> Row:
        """Draw a few statements that go with those that are taken; return the one likest to ``row``."""
        drawn = [self.draw(taken, draws, limit) for _ in range(_LIKEST_OF)]
        return max(drawn, key=lambda one: len(one.words & row.words) / len(one.words | row.words))


def clash(first: Row, second: Row, limit: float) -> bool:
    """Return whether two statements may say the same, or one what follows from the other.

    They do if they have one subject, or one subject is a kind of the other (*lilies* and *true lilies*); if of the
    content words of the one that has fewer, ``limit`` or more stand in the other, as lemmas; or if one of them defines
    and the other's subject is in it.
    """
    common = first.words & second.words
    if not common:
        return False
    if first.subject <= second.subject or second.subject <= first.subject:
        return True
    if len(common) >= limit * min(len(first.words), len(second.words)):
        return True
    defines = _DEFINES.search(first.text) or _DEFINES.search(second.text)
    return bool(defines) and (first.subject <= second.words or second.subject <= first.words)


@lru_cache(maxsize=1 << 15)
def lemmas(text: str) -> frozenset[str]:
    """Return the lemmas of a text's words without the light ones, or of all if it has no others."""
    words = _WORD.findall(text.lower())
    return frozenset(_lemma(word) for word in words if word not in WORDS["light"]) or frozenset(
        words
    )


@lru_cache(maxsize=1 << 15)
def _lemma(word: str) -> str:
    found = sorted(one for listed in lemmas_of(word).values() for one in listed)
    return min(found, key=len, default=word)


def tabulate_statements(
    files: Annotated[tuple[Path, ...], ARGUMENT, "SHARD... COUNTS...", expanded],
    *,
    out: Annotated[Path, "Table of statements (jsonl.gz)."],
    counts_out: Annotated[Path, "Summed outcomes (csv)."],
    params: JustLogicRun,
) -> None:
    """Merge the shards of statements (jsonl.gz) and their counts (csv)."""
    total: Counter[str] = Counter()
    for path in (path for path in files if form_of(path) == ".csv"):
        rows = csv.DictReader(line for _, line in read_lines(path))
        total.update({row["outcome"]: int(row["statements"]) for row in rows})
    share = params.benchmarks.justlogic.statements.structured_share
    merge_statements([path for path in files if form_of(path) != ".csv"], out, share, total)
    listed = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    rows_out = [dict(zip(COUNTED, row, strict=True)) for row in listed]
    write_listing(counts_out.with_suffix(""), COUNTED, rows_out)


def merge_statements(
    shards: Sequence[Path], out: Path, structured_share: float, total: Counter[str]
) -> None:
    """Merge shards into one file.

    Of the statements from knowledge bases, at most ``structured_share`` of the whole stay: those with the smallest ids,
    which are hashes of their texts. What is left out is moved in ``total`` to the outcome ``structured``.
    """
    limit = _structured_limit(shards, structured_share)

    def admitted() -> Iterator[dict[str, Any]]:
        for _, row in merge_sorted(shards, _ORDER):
            if row["structured"] and row["id"] > limit:
                total[KEPT[0] if row["negated"] else KEPT[1]] -= 1
                total["structured"] += 1
            else:
                yield row

    if not write_jsonl(out, admitted()):
        raise DivLogicError(
            f"{out}: no generic statement passed the filter; relax 'benchmarks.justlogic.statements' in params.yaml."
        )


def _structured_limit(shards: Sequence[Path], share: float) -> str:
    """Return the greatest id of a structured statement that stays, so that these make up ``share`` of all at most.

    Where every statement is structured there is nothing to mix them with, and all stay.
    """
    structured, others = [], 0
    for row in (row for path in shards for _, row in read_jsonl(path)):
        if row["structured"]:
            structured.append(row["id"])
        else:
            others += 1
    structured.sort()
    allowed = int(others * share / (1 - share)) if share < 1 else len(structured)
    if not others or len(structured) <= allowed:
        return "~"
    return structured[allowed - 1] if allowed else ""
