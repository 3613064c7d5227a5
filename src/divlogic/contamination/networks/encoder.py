"""Encoders that classify pairs of passage and statement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.contamination.learner import LABELS, hypothesis_label, is_pair
from divlogic.networks.pairs import PairNetwork
from divlogic.networks.training import Schedule
from divlogic.records import Record

_BATCH = 32


class PairEncoder(PairNetwork):
    """An encoder that labels pairs.

    A question with options of its own is answered by how well each option bears the label that is asked for
    (:func:`hypothesis_label`), whatever the order of the options. It is trained on such questions by the likelihood of
    the right option among all.

    Args:
        model: ``minilm-l6-v2``, a folder of `transformers` or a name of the hub.
        schedule: how it is trained.
        longest: tokens of a pair; the passage is cut.
        work: folder of its checkpoint; ``None``: none is written.
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
            model,
            schedule,
            outputs=len(LABELS),
            longest=longest,
            work=work,
            loaded=loaded,
            loss=self._loss,
        )
        self._chosen: tuple[int, list[Record], list[int]] | None = None

    def train(self, records: Sequence[Record], passes: int) -> None:
        self.fit([_row(record) for record in records], passes)

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        # The order of the options makes no difference: their rotations are asked one after another.
        if self._chosen is None or self._chosen[:2] != (self._trainer.step, list(records)):
            self._chosen = self._trainer.step, list(records), self._best(records)
        return list(self._chosen[2])

    def _best(self, records: Sequence[Record]) -> list[int]:
        rows = [_row(record) for record in records]
        chosen: list[int] = []
        with self._torch.no_grad():
            for start in range(0, len(rows), _BATCH):
                part = rows[start : start + _BATCH]
                for row, own in zip(part, self._scores(part), strict=True):
                    scores = [round(float(score), 4) for score in own]
                    # Of equal options the alphabetically first: their order says nothing.
                    names = row.names
                    chosen.append(min(range(len(scores)), key=lambda at: (-scores[at], names[at])))
        return chosen

    def _loss(self, rows: Sequence[_Row]) -> Any:
        torch = self._torch
        losses = [
            torch.nn.functional.cross_entropy(own[None], torch.tensor([row.answer], device=self.device))
            for row, own in zip(rows, self._scores(rows), strict=True)
        ]
        return torch.stack(losses).mean()

    def _scores(self, rows: Sequence[_Row]) -> list[Any]:
        """Return the score of each option of each row."""
        labels = self.scores([pair for row in rows for pair in row.pairs])
        scores, start = [], 0
        for row in rows:
            own = labels[start : start + len(row.pairs)]
            start += len(row.pairs)
            scores.append(own[0] if row.label is None else self._torch.log_softmax(own, dim=-1)[:, row.label])
        return scores


class _Row:
    """A record as pairs: one that is to be labelled (``label`` is ``None``), or one per option."""

    __slots__ = ("answer", "label", "names", "pairs")

    def __init__(
        self, pairs: list[tuple[str, str]], label: int | None, names: tuple[str, ...], answer: int | None
    ) -> None:
        self.pairs, self.label, self.names, self.answer = pairs, label, names, answer

    def __repr__(self) -> str:
        return repr((self.pairs, self.label, self.answer))


def _row(record: Record) -> _Row:
    if is_pair(record):
        return _Row([(record.context, record.question)], None, ("0", "1", "2"), record.answer)
    pairs = [(record.context, option) for option in record.options]
    return _Row(pairs, LABELS.index(hypothesis_label(record)), record.options, record.answer)
