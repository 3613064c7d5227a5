"""Which pairs the checker is trained on, and with which it is tested."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Container
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl
from divlogic.networks.pairs import Pair
from divlogic.sentences.groups import check_row

LABELS = ("entailment", "neutral", "contradiction")
"""The labels of natural language inference, in the order of the checker's outputs."""

_TESTED_SHARE = 8  # of 256 premises
MOST_TESTED = 1000
"""Pairs of each corpus that the checker is tested with."""


class Labelled(NamedTuple):
    """A pair with its label, and the corpus that it is of."""

    corpus: str
    pair: Pair
    label: int


def draw_pairs(
    corpus: Path, *, train: int, seed: int, without: Container[tuple[str, str]] = ()
) -> tuple[list[Labelled], list[Labelled]]:
    """Draw pairs to train on, equally many of each label, and pairs to test with, whose premises are others.

    They do not depend on the order of the file. Of each label a premise gives at most one pair. Memory holds a few
    times the pairs wanted.

    Args:
        corpus: ``nli.jsonl.gz`` of the corpora phase.
        train: number of pairs wanted to train on; fewer are drawn where there are not enough.
        seed: of the draw.
        without: premises (corpus, id) of which no pair is drawn.

    Raises:
        DivLogicError: a row is malformed, or some label has no pair left to train on.
    """
    trained = {label: _Lowest(-(-train // len(LABELS))) for label in LABELS}
    tested: dict[str, _Lowest] = defaultdict(lambda: _Lowest(MOST_TESTED))
    for number, row in read_jsonl(corpus):
        check_row(corpus, number, row)
        name, premise = row["corpus"], str(row["premise_id"])
        if (name, premise) in without:
            continue
        key, share = _key(name, premise, seed)
        found = Labelled(name, (row["premise"], row["hypothesis"]), LABELS.index(row["label"]))
        place = tested[name] if share < _TESTED_SHARE else trained[row["label"]]
        place.add((key, row["label"] if place is tested.get(name) else ""), str(row["pair_id"]), found)
    lacking = [label for label, kept in trained.items() if not kept.rows()]
    if lacking:
        raise DivLogicError(
            f"{corpus}: no pair labelled '{lacking[0]}' is left to train on, besides those whose premises word"
            " variables; name a larger corpus in `sentences.checker.corpus` (nli.jsonl.gz of another run)."
        )
    return (
        [row for kept in trained.values() for row in kept.rows()],
        [row for name in sorted(tested) for row in tested[name].rows()],
    )


@lru_cache(maxsize=16)  # the pairs of a premise follow one another
def _key(corpus: str, premise: str, seed: int) -> tuple[str, int]:
    digest = hashlib.blake2b(f"checker {seed} {corpus} {premise}".encode(), digest_size=9).digest()
    return digest[:8].hex(), digest[8]


class _Lowest:
    """The rows with the lowest keys, one for each key; of equal keys the lowest id."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._held: dict[tuple[str, str], tuple[str, Labelled]] = {}

    def add(self, key: tuple[str, str], identifier: str, row: Labelled) -> None:
        held = self._held.get(key)
        if held is None or identifier < held[0]:
            self._held[key] = identifier, row
        if len(self._held) > 3 * self._count + 100:
            self._held = {key: self._held[key] for key in sorted(self._held)[: self._count]}

    def rows(self) -> list[Labelled]:
        return [self._held[key][1] for key in sorted(self._held)[: self._count]]
