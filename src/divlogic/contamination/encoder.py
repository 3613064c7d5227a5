"""Encoders that choose the option with the highest score in any order of the options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlogic.contamination.learners import LABELS, best_option, hypothesis_label, is_pair, right_option
from divlogic.networks.pairs import Pair, PairNetwork
from divlogic.networks.training import Schedule
from divlogic.records import Record

Row = tuple[list[Pair], int | None, int]
"""The pairs of a record, the label that makes an option right (``None``: its scores are of options), its answer."""


class OptionEncoder(PairNetwork):
    """An encoder that labels pairs, or, as ReClor's baselines (Yu et al. 2020), gives each option a score of its own.

    One that labels pairs answers a question with options of its own by how well each bears the label that is asked for
    (:func:`hypothesis_label`). It is trained on such questions by the likelihood of the right option among all.

    Args:
        model: ``minilm-l6-v2``, a folder of `transformers` or a name of the hub.
        schedule: how it is trained.
        labels: whether it labels pairs.
        settings: of :class:`PairNetwork`.
    """

    def __init__(self, model: str, schedule: Schedule, *, labels: bool = True, **settings: Any) -> None:
        super().__init__(model, schedule, outputs=len(LABELS) if labels else 1, **settings)
        self._labels = labels
        self._chosen: tuple[list[Record], list[int]] | None = None

    def train(self, records: Sequence[Record], passes: int, judged_on: Sequence[Record] = ()) -> None:
        def judge() -> float:
            self._chosen = None
            return float(
                np.mean([at == one.answer for at, one in zip(self.choose(judged_on), judged_on, strict=True)])
            )

        rows = [(*self._pairs(record), right_option(record)) for record in records]
        self.fit(rows, passes, judge if judged_on else None)
        self._chosen = None

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        # The order of the options makes no difference: their rotations are asked one after another.
        if self._chosen is None or self._chosen[0] != list(records):
            rows = [self._pairs(record) for record in records]
            scores = iter(self.fixed_scores([pair for pairs, _ in rows for pair in pairs]))
            best = []
            for record, (pairs, label) in zip(records, rows, strict=True):
                own = np.array([next(scores) for _ in pairs])
                if label is not None:
                    own = np.round(own[:, label] - np.log(np.exp(own).sum(axis=1)), 4)
                best.append(best_option(record, own.reshape(-1).tolist()))
            self._chosen = list(records), best
        return list(self._chosen[1])

    def loss(self, rows: Sequence[Row]) -> Any:
        torch = self._torch
        scores = self.scores([pair for pairs, _, _ in rows for pair in pairs])
        losses, start = [], 0
        for pairs, label, answer in rows:
            own = scores[start : start + len(pairs)]
            start += len(pairs)
            own = own.reshape(-1) if label is None else torch.log_softmax(own, dim=-1)[:, label]
            target = torch.tensor([answer], device=self.device)
            losses.append(torch.nn.functional.cross_entropy(own[None], target))
        return torch.stack(losses).mean()

    def _pairs(self, record: Record) -> tuple[list[Pair], int | None]:
        if not self._labels:
            return [
                (record.context, f"{record.question} {option}".strip()) for option in record.options
            ], None
        if is_pair(record):
            return [(record.context, record.question)], None
        return [(record.context, option) for option in record.options], hypothesis_label(record)
