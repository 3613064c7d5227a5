"""What is earned without reasoning: the probes of ``divlogic audit``, on the items of an environment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from divlogic.field.drawing import Item
from divlogic.field.labels import by_place
from divlogic.intervals import wilson
from divlogic.prior_knowledge.parameters import ProbeParameters, ShortcutParameters
from divlogic.prior_knowledge.probe import PROBE, probe
from divlogic.prior_knowledge.shortcuts.cues import Cue, strongest
from divlogic.prior_knowledge.shortcuts.measure import Shortcut, measure
from divlogic.records import Record

MOST_LABELS = 10
"""Different answers that are told apart as labels: of more, 400 items show each too seldom to learn it, and
``divlogic benchmarks import`` reads no more options."""

LEAST = 50
"""Items of which a probe learns; of fewer the constant answer alone is given."""

SURE = 3.5
"""Standard errors above guessing from which a probe is said to find something: of 200 numbers, five probes of forty
environments, chance puts one above it in one table of twenty."""

READS = ("words", "either")
"""Probes that read texts: formulas are not given to other people's items, nor to ours here."""

_MADE = re.compile(r"[^a-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Floors:
    """What earns how much, as fractions.

    Attributes:
        items: number of items with an answer.
        answers: number of different answers; of options that items have of their own, their number.
        constant: the answer that is right most often.
        share, low, high: how often it is, with its 95 % interval.
        guessing: accuracy of a blind guess: of labels the constant's, of options one over their number.
        probes: how often each probe is right; none where answers are open.
        cues: single words, places and counts that are right more often than guessing.
    """

    items: int
    answers: int
    constant: str
    share: float
    low: float
    high: float
    guessing: float
    probes: tuple[Shortcut, ...]
    cues: tuple[Cue, ...]

    @property
    def surest(self) -> Shortcut | None:
        """Return the probe that is farthest above guessing in its standard errors."""
        return max(self.probes, key=surety, default=None)

    @property
    def found(self) -> bool:
        """Return whether a probe is above guessing by more than chance explains."""
        return self.surest is not None and surety(self.surest) > SURE


def surety(probe: Shortcut) -> float:
    """Return how many standard errors a probe lies above guessing."""
    error = max((probe.high - probe.low) / (2 * 1.959964), 1e-9)
    return (probe.accuracy - probe.chance) / error


def records_of(items: Sequence[Item], name: str) -> list[Record]:
    """Return items as records to measure; none where the answers are open.

    Items without options have the answers of all as labels, if they are few.
    """
    benchmark = _MADE.sub("-", name.lower()).strip("-")[:64] or "environment"
    answered = [item for item in items if item.answer is not None]
    labels = {} if _have_options(answered) else _labels(answered)
    if not _have_options(answered) and not labels:
        return []
    found = []
    for item in answered:
        options = item.options or tuple(labels)
        place = labels[by_place(item)] if labels else options.index(item.answer or "")
        found.append(
            Record(
                id=str(item.index),
                benchmark=benchmark,
                split="drawn",
                context=item.context,
                question=item.question,
                options=options,
                answer=place,
                metadata={} if item.group is None else {"group": item.group},
            )
        )
    return found


def as_rows(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Return items as rows of a data set that ``divlogic benchmarks import`` reads; none where answers are open."""
    return [
        {
            "id": record.id,
            "context": record.context,
            "question": record.question,
            "options": list(record.options),
            "answer": record.options[record.answer or 0],
            **record.metadata,
        }
        for record in records_of(items, "rows")
    ]


def _have_options(items: Sequence[Item]) -> bool:
    return bool(items) and all(item.options and len(item.options) > 1 for item in items)


def _labels(items: Sequence[Item]) -> dict[str, int]:
    """Return the answers of all items by number, or nothing where they are one or too many."""
    found = sorted({by_place(item) for item in items})
    return {one: at for at, one in enumerate(found)} if 1 < len(found) <= MOST_LABELS else {}


def floors(items: Sequence[Item], name: str, seed: int = 0) -> Floors | None:
    """Measure what no reasoning earns; ``None`` where no item has an answer."""
    records = records_of(items, name)
    answered = [item for item in items if item.answer is not None]
    if not answered:
        return None
    labelled = len({record.options for record in records}) == 1
    if records and not labelled:
        given = Counter(f"option {(record.answer or 0) + 1}" for record in records)
        answers = max(len(record.options) for record in records)
        guessing = sum(1 / len(record.options) for record in records) / len(records)
    else:
        given = Counter(map(by_place, answered))
        answers = max(len(given), len(records[0].options) if records else 0)
        guessing = max(given.values()) / len(answered)
    constant, count = min(given.items(), key=lambda one: (-one[1], one[0]))
    share = wilson(count / len(answered), len(answered))
    probes: list[Shortcut] = []
    cues: list[Cue] = []
    if len(records) >= LEAST:
        parameters = ShortcutParameters()
        hits = {
            answer.instance: answer.correct
            for answer in probe(records, ProbeParameters(), seed)
            if answer.model == PROBE
        }
        probes = measure(
            records,
            benchmark=records[0].benchmark,
            parameters=parameters,
            seed=seed,
            guessed=hits,
            reads=READS,
        )
        cues = strongest(records, most=3)
    return Floors(
        items=len(answered),
        answers=answers,
        constant=constant,
        share=share.value,
        low=share.low,
        high=share.high,
        guessing=guessing,
        probes=tuple(probes),
        cues=tuple(cues),
    )
