"""A run over a model's questions: its seeds, and what it did in numbers and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.models.requests import Request
from divlogic.models.store import ResponseStore


@dataclass
class RunSummary:
    """What a run did.

    Attributes:
        requests: answers wanted.
        reused: of these, already in the store.
        answered: asked and answered now.
        unanswered: left for the next run.
        faults: failed attempts by kind.
        refusals, empty, unreadable: among all answers, those that refuse, say nothing, or name no option.
        cut: among all answers, those that ended at ``max_tokens``.
        input_tokens, output_tokens: paid for now.
        last_fault: what the last failed attempt met, in words.
    """

    requests: int = 0
    reused: int = 0
    answered: int = 0
    unanswered: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    refusals: int = 0
    empty: int = 0
    unreadable: int = 0
    cut: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    last_fault: str = ""

    def sentence(self) -> str:
        """Return the summary in words, for the log."""
        parts = [
            f"{self.requests:,} answers wanted: {self.reused:,} in the store, {self.answered:,} asked now"
        ]
        parts.append(f"{self.unanswered:,} without an answer")
        parts += [f"{count:,} × {kind}" for kind, count in sorted(self.faults.items())]
        for name in ("refusals", "empty", "unreadable"):
            if getattr(self, name):
                parts.append(f"{getattr(self, name):,} {name}")
        if self.cut:
            parts.append(f"{self.cut:,} cut at max_tokens")
        return ", ".join(parts)

    def require_all(self, store: Path, label: str) -> None:
        """Raise if answers are still lacking.

        Raises:
            DivLogicError: some are.
        """
        if self.unanswered:
            raise DivLogicError(
                f"{store}: {self.unanswered:,} answers of '{label}' are still missing (last fault: {self.last_fault});"
                " run the same command again, nothing answered is asked twice."
            )


def count_answers(summary: RunSummary, requests: Sequence[Request[Any]], store: ResponseStore) -> None:
    """Add to a summary what the store holds of a run's requests: missing, refused, empty and unreadable answers."""
    for request in requests:
        response = request.stored(store.responses)
        if response is None:
            summary.unanswered += 1
            continue
        summary.refusals += response.stop_reason == "content_filter"
        summary.cut += response.stop_reason == "max_tokens" and not request.question.likelihood
        summary.empty += not response.answer.strip()
        summary.unreadable += request.question.read(response.answer) is None


def seed_of(seed: int, run: int) -> int:
    """Return the sampling seed of a run (31 bits: what every provider takes)."""
    return int(np.random.SeedSequence([seed, run]).generate_state(1)[0]) >> 1
