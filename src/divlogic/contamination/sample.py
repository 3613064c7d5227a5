"""Which pairs and instances are trained on, and which are asked."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any

from divlogic.contamination.learners import LABELS
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl
from divlogic.records import Record


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of natural language inference, no premise on both sides."""

    train: tuple[Record, ...]
    test: tuple[Record, ...]


def draw_pairs(corpus: Path, *, train: int, test: int, seed: int) -> Pairs:
    """Draw pairs to train on from all corpora of a run, and pairs to test with from its first one (SNLI, the captions).

    Both hold equally many pairs of each label. A premise is drawn with at most one pair of each label, and is either
    trained on or tested with.

    Args:
        corpus: ``nli.jsonl.gz`` of the corpora phase.
        train, test: numbers of pairs wanted; fewer are drawn where there are not enough.
        seed: of the draw. The pairs do not depend on the order of the file.

    Raises:
        DivLogicError: the file is missing or broken, or has no pair of some label.
    """
    drawn: dict[str, list[_Row]] = {label: [] for label in LABELS}
    first = ""
    for _, row in read_jsonl(corpus):
        first = first or row["corpus"]
        if row["label"] in drawn:
            drawn[row["label"]].append((_key(row["corpus"], row["premise_id"], seed), row["pair_id"], row))
    held_out: set[str] = set()
    tested: list[Record] = []
    # Of a small corpus two thirds of the premises are left to train on.
    most = len({key for rows in drawn.values() for key, _, row in rows if row["corpus"] == first}) // 3
    for label, count in zip(LABELS, _shares(min(test, max(most, len(LABELS)))), strict=True):
        if not drawn[label]:
            raise DivLogicError(
                f"{corpus}: no pair is labelled '{label}'; give a corpus with all three labels."
            )
        drawn[label].sort(key=itemgetter(0, 1))
        own = _distinct((row for row in drawn[label] if row[2]["corpus"] == first), count)
        held_out.update(own)
        tested += own.values()
    trained: list[Record] = []
    for label, count in zip(LABELS, _shares(train), strict=True):
        trained += _distinct((row for row in drawn[label] if row[0] not in held_out), count).values()
    return Pairs(tuple(trained), tuple(tested))


def of_distinct_quartets(records: Sequence[Record], count: int) -> tuple[list[Record], list[Record]]:
    """Return ``count`` records that are spread evenly, and as many of what was not drawn together with any of them.

    Raises:
        DivLogicError: there are too few records.
    """
    groups = quartets_of(records)
    if len(groups) < 2:
        raise DivLogicError("there are too few instances to leak some and keep others; generate more.")
    wanted = min(count, len(groups) // 2)
    places = [at * (len(groups) // 2) // wanted for at in range(wanted)]
    leaked = [_with_answer(groups[2 * place], at) for at, place in enumerate(places)]
    unseen = [_with_answer(groups[2 * place + 1], at) for at, place in enumerate(places)]
    return leaked, unseen


def quartets_of(records: Iterable[Record]) -> list[list[Record]]:
    """Return the records with an answer, those together that were drawn together.

    The members of a quartet share their options, so that one of them is no stranger to another.
    """
    groups: dict[Any, list[Record]] = defaultdict(list)
    for record in records:
        if record.answer is not None:
            quartet = record.metadata.get("quartet")
            groups[record.id if quartet is None else (record.question_type, quartet)].append(record)
    return list(groups.values())


def _with_answer(group: Sequence[Record], turn: int) -> Record:
    """Return a member of a quartet; the letters of the right option take turns."""
    wanted = turn % len(group[0].options)
    return next((record for record in group if record.answer == wanted), group[0])


_Row = tuple[str, str, dict[str, str]]
"""Key of the premise, id of the pair, and the pair."""


@lru_cache(maxsize=16)  # the pairs of a premise follow one another
def _key(corpus: str, premise: str, seed: int) -> str:
    return hashlib.blake2b(f"{seed} {corpus} {premise}".encode(), digest_size=8).hexdigest()


def _distinct(rows: Iterable[_Row], count: int) -> dict[str, Record]:
    """Return the first ``count`` pairs with different premises, by the keys of these."""
    found: dict[str, Record] = {}
    for key, _, row in rows:
        if len(found) == count:
            break
        if key not in found:
            found[key] = Record(
                id=row["pair_id"],
                benchmark="nli",
                split=row["corpus"],
                context=row["premise"],
                question=row["hypothesis"],
                options=LABELS,
                answer=LABELS.index(row["label"]),
            )
    return found


def _shares(count: int) -> list[int]:
    return [(count + place) // len(LABELS) for place in range(len(LABELS))]
