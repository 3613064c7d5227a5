"""Share of a benchmark's labels that rest on sentence pairs which the checker doubts, and on wrong ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.records import read_records

_ENTAILED = re.compile(r"\(([A-Z]+)0→\1([1-9]\d*)\)")
COLUMNS = ("instances", "doubted", "instances_wrong", "instances_wrong_kept")


def pairs_in_use(path: Path) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield each instance with the pairs (source, premise, hypothesis) by which its sentences are tied to one another.

    Only these decide a label: a hypothesis that stands in no sentence, or without its premise, is a variable by itself.

    Raises:
        DivLogicError: the file is missing, or a record does not tell its sentences.
    """
    for record in read_records(path):
        variables: Mapping[str, Any] = record.sentences or {}
        pairs = []
        try:
            for axiom in record.metadata["worded"]["axioms"]:
                if found := _ENTAILED.fullmatch(axiom):
                    own = variables[found[1]]
                    pairs.append((own["source"], own["premise"], own["hypotheses"][int(found[2]) - 1]))
        except (KeyError, TypeError, IndexError) as error:
            raise DivLogicError(
                f"{path}: the record {record.id} does not tell its sentences ({error!r}); give DivLogicEval's records."
            ) from error
        yield record.id, pairs


def label_shares(
    instances: Sequence[Sequence[float]], read: Sequence[tuple[float, bool]], threshold: float, doubt: float
) -> dict[str, float | None]:
    """Return how many instances rest on a doubted pair, and how many on a wrong one before and after these are refused.

    Args:
        instances: for each instance the probabilities of the pairs in use.
        read: pairs that were read: their probability, and whether their label holds. They were drawn apart below and
            above ``doubt``, so that the share of wrong ones is taken by the place of a pair between these limits.
        threshold: pairs below it are refused.
        doubt: the limit that the draw had.

    Returns:
        The values of :data:`COLUMNS`; ``None`` for what too few read pairs tell.
    """
    bounds = sorted({threshold, doubt})

    def place(chance: float) -> int:
        return sum(chance >= bound for bound in bounds)

    held: dict[int, list[bool]] = {}
    for chance, holds in read:
        held.setdefault(place(chance), []).append(holds)
    wrong = {at: 1 - sum(own) / len(own) for at, own in held.items()}
    needed = {place(chance) for pairs in instances for chance in pairs}

    def share(least: float) -> float | None:
        if not needed <= wrong.keys():
            return None
        total = 0.0
        for pairs in instances:
            sound = 1.0
            for chance in pairs:
                sound *= 1 - wrong[place(chance)] * (chance >= least)
            total += 1 - sound
        return 100 * total / len(instances)

    doubted = sum(any(chance < threshold for chance in pairs) for pairs in instances)
    values = (len(instances), 100 * doubted / len(instances), share(0.0), share(threshold))
    return dict(zip(COLUMNS, values, strict=True))
