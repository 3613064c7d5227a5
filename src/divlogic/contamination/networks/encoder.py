"""Encoders that classify pairs of passage and statement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.contamination.learner import LABELS, hypothesis_label, is_pair
from divlogic.contamination.networks.library import load_encoder, torch_library
from divlogic.contamination.networks.training import Schedule, Trainer
from divlogic.records import Record

_BATCH = 32


class PairEncoder:
    """An encoder with a linear layer on the mean of its last states, which labels pairs.

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
        torch = self._torch = torch_library()
        torch.manual_seed(schedule.seed % 2**63)
        body, self._tokenizer = loaded or load_encoder(model)
        limit = getattr(body.config, "max_position_embeddings", longest)
        self._longest = min(longest, limit)
        head = torch.nn.Linear(body.config.hidden_size, len(LABELS))
        self._module = torch.nn.ModuleDict({"body": body, "head": head}).to(self._device)
        self._module.eval()
        about = {"model": model, "longest": self._longest}
        self._trainer = Trainer(self._module, self._loss, schedule, work, about)
        self._passes = 0

    def train(self, records: Sequence[Record], passes: int) -> None:
        self._passes += passes
        self._trainer.run([_row(record) for record in records], self._passes)

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
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

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return the probabilities of :data:`LABELS` for pairs of premise and hypothesis; shape (pairs, 3)."""
        found: list[list[float]] = []
        with self._torch.no_grad():
            for start in range(0, len(pairs), _BATCH):
                scores = self._labels(pairs[start : start + _BATCH])
                found += self._torch.softmax(scores, dim=-1).tolist()
        return found

    @property
    def _device(self) -> str:
        return "cuda" if self._torch.cuda.is_available() else "cpu"

    def _loss(self, rows: Sequence[_Row]) -> Any:
        torch = self._torch
        losses = [
            torch.nn.functional.cross_entropy(own[None], torch.tensor([row.answer], device=self._device))
            for row, own in zip(rows, self._scores(rows), strict=True)
        ]
        return torch.stack(losses).mean()

    def _scores(self, rows: Sequence[_Row]) -> list[Any]:
        """Return the score of each option of each row."""
        labels = self._labels([pair for row in rows for pair in row.pairs])
        scores, start = [], 0
        for row in rows:
            own = labels[start : start + len(row.pairs)]
            start += len(row.pairs)
            scores.append(own[0] if row.label is None else self._torch.log_softmax(own, dim=-1)[:, row.label])
        return scores

    def _labels(self, pairs: Sequence[tuple[str, str]]) -> Any:
        given = self._tokenizer(
            [premise for premise, _ in pairs],
            [hypothesis for _, hypothesis in pairs],
            truncation="only_first",
            max_length=self._longest,
            padding=True,
            return_tensors="pt",
        ).to(self._device)
        states = self._module["body"](**given).last_hidden_state
        mask = given["attention_mask"][:, :, None]
        return self._module["head"]((states * mask).sum(dim=1) / mask.sum(dim=1))


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
