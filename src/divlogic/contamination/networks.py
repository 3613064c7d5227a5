"""Networks that choose among options: encoders, in any order of the options, and causal language models.

Causal models are trained on plain text and answer by the likeliest first token of an option's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal

import numpy as np

from divlogic.contamination import learners
from divlogic.errors import DivLogicError
from divlogic.networks.library import INSTALL, device_of, load_causal, precision, torch_library
from divlogic.networks.training import Pair, PairNetwork, Schedule, Trainer
from divlogic.records import Record

Row = tuple[list[Pair], int | None, int]
"""The pairs of a record, the label that makes an option right (``None``: its scores are of options), its answer."""


class OptionEncoder(PairNetwork):
    """An encoder that labels pairs, or, as ReClor's baselines (Yu et al. 2020), gives each option a score of its own.

    One that labels pairs answers a question with options of its own by how well each bears the label that is asked for
    (:func:`hypothesis_label`). It is trained on such questions by the likelihood of the right option among all.
    """

    def __init__(
        self, model: str, schedule: Schedule, *, labels: bool = True, **settings: Any
    ) -> None:
        super().__init__(model, schedule, outputs=len(learners.LABELS) if labels else 1, **settings)
        self._labels = labels
        self._chosen: tuple[list[Record], list[int]] | None = None

    def train(
        self, records: Sequence[Record], passes: int, judged_on: Sequence[Record] = ()
    ) -> None:
        def judge() -> float:
            self._chosen = None
            return float(learners.right_answers(self, judged_on).mean())

        rows = [(*self._pairs(record), learners.right_option(record)) for record in records]
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
                best.append(learners.best_option(record, own.reshape(-1).tolist()))
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
            texts = [f"{record.question} {option}".strip() for option in record.options]
            return [(record.context, text) for text in texts], None
        if learners.is_pair(record):
            return [(record.context, record.question)], None
        return [(record.context, option) for option in record.options], learners.hypothesis_label(
            record
        )


_BATCH_TOKENS = 4096
"""Tokens of a batch of prompts that are scored together, padding included."""


class Causal:
    """A causal language model.

    Args:
        model: ``smollm2-135m``, a GGUF file, a folder of `transformers` or a name of the hub.
        adaptation: ``full`` trains all weights but the embeddings; ``lora`` low-rank additions to all linear layers
            (Hu et al. 2022), of rank ``rank``.
        longest: tokens of a text; longer ones are cut at their beginning, which holds the passage.
        work: folder of its checkpoint; ``None``: none is written.
        loaded: a model and its tokenizer, instead of those that ``model`` names.
    """

    def __init__(
        self,
        model: str,
        schedule: Schedule,
        *,
        adaptation: Literal["full", "lora"] = "full",
        rank: int = 16,
        longest: int = 512,
        work: Path | None = None,
        loaded: tuple[Any, Any] | None = None,
    ) -> None:
        self._torch = torch_library()
        self._device = device_of(self._torch)
        self.model, self.longest = model, longest
        self._torch.manual_seed(schedule.seed % 2**63)
        self._module, self._tokenizer = loaded or load_causal(model)
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        self._module.to(self._device)
        if adaptation == "lora":
            try:
                from peft import LoraConfig, get_peft_model
            except ImportError as error:
                raise DivLogicError(
                    f"LoRA needs the package peft; install it with {INSTALL}."
                ) from error
            sizes = {"r": rank, "lora_alpha": 2 * rank, "target_modules": "all-linear"}
            self._module = get_peft_model(self._module, LoraConfig(**sizes, task_type="CAUSAL_LM"))
        else:
            # The largest part of a small model; its words do not change.
            self._module.get_input_embeddings().weight.requires_grad_(False)
        self._module.eval()
        about = {"model": model, "adaptation": adaptation, "rank": rank, "longest": longest}
        self._trainer = Trainer(self._module, self._loss, schedule, work, about)

    def train(self, records: Sequence[Record], passes: int) -> None:
        rows = [self._numbers(learners.solved(record), end=True) for record in records]
        self._trainer.run(rows, passes)

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        chosen = [0] * len(records)
        prompts = [self._numbers(learners.asked(record, rotation)) for record in records]
        firsts = [self._first_tokens(record) for record in records]
        for places in self._batches(prompts):
            for place, row in zip(
                places, self._next([prompts[place] for place in places]), strict=True
            ):
                names = [round(float(row[token]), 4) for token in firsts[place]]
                chosen[place] = learners.place_of(names.index(max(names)), records[place], rotation)
        return chosen

    def text_scores(self, text: str) -> tuple[list[float], list[bool], list[int]]:
        """Return, for all tokens of a text but the first, their log-probability in nats, whether each was the likeliest
        one, and the character after its last one."""
        torch = self._torch
        given = self._tokenizer(text, return_offsets_mapping=True)
        numbers, spans = given["input_ids"], given["offset_mapping"]
        with torch.no_grad(), precision(self._torch):
            logits = self._module(torch.tensor([numbers], device=self._device)).logits[0].float()
        following = torch.tensor(numbers[1:], device=self._device)
        logs = torch.log_softmax(logits[:-1], dim=-1).gather(1, following[:, None])[:, 0]
        hits = logits[:-1].argmax(dim=-1) == following
        return logs.tolist(), hits.tolist(), [end for _, end in spans[1:]]

    def token_scores(self, prefix: str, text: str) -> tuple[list[float], list[bool]]:
        """Return log-probabilities and hits of the tokens of ``text`` where it stands after ``prefix``.

        The whole is cut into tokens at once, as in training; a token counts if it ends in ``text``.
        """
        logs, hits, ends = self.text_scores(prefix + text)
        own = [place for place, end in enumerate(ends) if end > len(prefix)]
        return [logs[place] for place in own], [hits[place] for place in own]

    def generate(self, prompts: Sequence[str], tokens: int) -> list[str]:
        """Return the greedy continuation of each prompt, at most ``tokens`` tokens of it."""
        found = [""] * len(prompts)
        rows = [self._numbers(prompt) for prompt in prompts]
        for places in self._batches(rows):
            numbers, mask = self._padded([rows[place] for place in places], "left")
            with self._torch.no_grad(), precision(self._torch):
                made = self._module.generate(
                    input_ids=numbers,
                    attention_mask=mask,
                    max_new_tokens=tokens,
                    do_sample=False,
                    pad_token_id=self._tokenizer.pad_token_id,
                )
            for place, row in zip(places, made, strict=True):
                found[place] = self._tokenizer.decode(
                    row[numbers.shape[1] :], skip_special_tokens=True
                )
        return found

    def _numbers(self, text: str, *, end: bool = False) -> list[int]:
        numbers: list[int] = self._tokenizer(text)["input_ids"]
        if end and self._tokenizer.eos_token_id is not None:
            numbers.append(self._tokenizer.eos_token_id)
        return numbers[-self.longest :]

    def _first_tokens(self, record: Record) -> list[int]:
        """Return the first token of each answer's name as it stands behind the prompt."""
        names = (
            record.options
            if learners.is_pair(record)
            else tuple(ascii_uppercase[: len(record.options)])
        )
        firsts = [
            self._tokenizer(f" {name}", add_special_tokens=False)["input_ids"][0] for name in names
        ]
        if len(set(firsts)) < len(firsts):
            raise DivLogicError(
                f"{self.model}: its tokenizer begins two of the answers {', '.join(names)} with the same token, so that"
                " their likelihoods cannot be distinguished; take a model with another tokenizer."
            )
        return firsts

    def _loss(self, rows: Sequence[list[int]]) -> Any:
        numbers, mask = self._padded(rows, "right")
        labels = numbers.masked_fill(mask == 0, -100)
        with precision(self._torch):
            return self._module(input_ids=numbers, attention_mask=mask, labels=labels).loss

    def _next(self, rows: Sequence[list[int]]) -> Any:
        """Return the log-probabilities of the token that follows each row; shape (rows, vocabulary)."""
        torch = self._torch
        numbers, mask = self._padded(rows, "left")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        with torch.no_grad(), precision(self._torch):
            made = self._module(
                input_ids=numbers, attention_mask=mask, position_ids=places, logits_to_keep=1
            )
        return torch.log_softmax(made.logits[:, -1].float(), dim=-1)

    def _padded(self, rows: Sequence[list[int]], side: str) -> tuple[Any, Any]:
        """Return the tokens of rows of one length, filled up at a side, and which of them count."""
        given = self._tokenizer.pad({"input_ids": rows}, padding_side=side, return_tensors="pt")
        return given["input_ids"].to(self._device), given["attention_mask"].to(self._device)

    def _batches(self, rows: Sequence[list[int]]) -> list[list[int]]:
        """Return the places of rows of similar lengths, as many together as a batch may hold."""
        batches: list[list[int]] = []
        for place in sorted(range(len(rows)), key=lambda at: (-len(rows[at]), at)):
            if batches and len(rows[batches[-1][0]]) * (len(batches[-1]) + 1) <= _BATCH_TOKENS:
                batches[-1].append(place)
            else:
                batches.append([place])
        return batches
