"""Multiple choice by an encoder: each option is scored by itself, and the best one is taken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.networks.pairs import Pair, PairNetwork
from divlogic.networks.training import Schedule
from divlogic.records import Record


class MultipleChoice(PairNetwork):
    """An encoder that reads a passage with each option of a question, as ReClor's baselines do (Yu et al. 2020).

    Args:
        model: ``minilm-l6-v2``, a folder of `transformers` or a name of the hub.
        schedule: how it is trained first.
        longest: tokens of passage, question and option; the passage is cut.
        work: folder of the checkpoint of the first training; ``None``: none is written.
        loaded: a model and its tokenizer, instead of those that ``model`` names.
    """

    def __init__(
        self,
        model: str,
        schedule: Schedule,
        *,
        longest: int = 256,
        work: Path | None = None,
        loaded: tuple[Any, Any] | None = None,
    ) -> None:
        super().__init__(
            model, schedule, outputs=1, longest=longest, work=work, loaded=loaded, loss=self._choice_loss
        )

    def train(self, records: Sequence[Record], passes: int) -> None:
        """Go over records with answers ``passes`` times more.

        Raises:
            DivLogicError: a record has no answer.
        """
        for record in records:
            if record.answer is None:
                raise DivLogicError(
                    f"record {record.id} has no answer to learn; train on labelled records only."
                )
        self.fit([(_pairs(record), record.answer) for record in records], passes)

    def train_further(
        self, records: Sequence[Record], passes: int, schedule: Schedule, work: Path | None
    ) -> None:
        """Train on other records, with an optimiser and a checkpoint of their own."""
        self.restart(schedule, work, self._choice_loss)
        self.train(records, passes)

    def choose(self, records: Sequence[Record]) -> list[int]:
        """Return the option chosen for each record; of equal ones the alphabetically first."""
        scores = self.fixed_scores([pair for record in records for pair in _pairs(record)])
        chosen, start = [], 0
        for record in records:
            own = [row[0] for row in scores[start : start + len(record.options)]]
            start += len(record.options)
            chosen.append(min(range(len(own)), key=lambda at: (-own[at], record.options[at])))
        return chosen

    def _choice_loss(self, rows: Sequence[tuple[list[Pair], int]]) -> Any:
        scores = self.scores([pair for pairs, _ in rows for pair in pairs])[:, 0]
        losses, start = [], 0
        for pairs, answer in rows:
            own = scores[start : start + len(pairs)]
            start += len(pairs)
            losses.append(
                self._torch.nn.functional.cross_entropy(
                    own[None], self._torch.tensor([answer], device=self.device)
                )
            )
        return self._torch.stack(losses).mean()


def _pairs(record: Record) -> list[Pair]:
    return [
        (record.context, f"{record.question} {option}".strip() if record.question else option)
        for option in record.options
    ]
