"""Runs of models: their seeds, their progress, their outcome in numbers, and baselines, which answer at once.

Baselines answer what :class:`divlogic.models.provider.BaselineAPI` answers. To import Inspect and send each question
through it takes longer than all answers of a run.
"""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

import numpy as np

from divlogic.io.log import say
from divlogic.models.baselines import Answerer, Ranker, build
from divlogic.models.parameters import ModelParameters
from divlogic.models.prompts import ParsedPrompt, parse_prompt
from divlogic.models.requests import Request, Response, ResponseStore, label_of

LINE_SECONDS = 10.0
"""Seconds between two lines where standard error is no terminal."""


class Progress:
    """The progress of a run in which so many answers are wanted of a model: answers, time left, tokens."""

    def __init__(self, label: str, wanted: int, clock: Any = time.monotonic) -> None:
        self._label, self._wanted, self._clock = label, wanted, clock
        self._start = self._said = clock()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        if self._wanted and sys.stderr.isatty():
            from rich import progress
            from rich.console import Console

            columns = (*progress.Progress.get_default_columns(), progress.MofNCompleteColumn())
            tokens = progress.TextColumn("{task.fields[tokens]}")
            self._bar = progress.Progress(*columns, tokens, console=Console(stderr=True))
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=self._wanted, tokens="")
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, answered: int, tokens: int) -> None:
        """Show the number of answers and of tokens in and out."""
        if self._bar is not None:
            self._bar.update(self._task, completed=answered, tokens=f"{tokens:,} tokens")
            return
        now = self._clock()
        if now - self._said >= LINE_SECONDS:
            self._said = now
            done = 20 * answered // self._wanted
            say(f"{self._label}: {'━' * done}{'╌' * (20 - done)} {self.sentence(answered, tokens)}")

    def sentence(self, answered: int, tokens: int) -> str:
        """Return the progress in words."""
        rate = answered / max(self._clock() - self._start, 1e-9)
        seconds = (self._wanted - answered) / rate if rate else 0.0
        minutes = round(seconds / 60)
        left = f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
        if minutes < 1:
            left = "a minute" if seconds > 30 else "half a minute"
        return f"{answered:,} of {self._wanted:,} answers, {tokens:,} tokens, about {left} left"


@dataclass
class RunSummary:
    """What a run did.

    Attributes:
        requests: answers wanted.
        reused: of these, already in the store.
        answered, unanswered: of the others, answered now, and left for the next run.
        refusals, empty, unreadable: among all answers, those that refuse, say nothing, or name no option.
        cut: among all answers, those that ended at ``max_tokens``.
        not_answered: questions that the model did not answer, by the reason; the next run asks them again.
        by_likelihood, letter_mass: answers scored by likelihood, and the probability that the letters held in them, in
            sum.
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
    not_answered: Counter[str] = field(default_factory=Counter)
    by_likelihood: int = 0
    letter_mass: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    last_fault: str = ""

    def count(self, request: Request[Any], response: Response | None) -> None:
        """Count what the store holds of a request: a missing, refused, empty or unreadable answer."""
        if response is None:
            self.unanswered += 1
            return
        status = request.status(response)
        self.refusals += status == "refused"
        self.cut += status == "cut"
        if status == "unanswered":
            self.not_answered[response.stop_reason] += 1
        self.empty += not response.answer.strip()
        self.unreadable += request.read(response) is None
        if request.question.likelihood:
            self.by_likelihood += 1
            self.letter_mass += sum(map(math.exp, (response.logprobs or {}).values()))

    def sentence(self) -> str:
        """Return the summary in words, for the log."""
        parts = [
            f"{self.requests:,} answers wanted: {self.reused:,} in the store, {self.answered:,} asked now",
            *(f"{count:,} × {kind}" for kind, count in sorted(self.faults.items())),
        ]
        counts = {
            "still to be asked": self.unanswered,
            "refusals": self.refusals,
            "empty": self.empty,
            "unreadable": self.unreadable,
            "cut at max_tokens": self.cut,
        }
        parts += [f"{count:,} {name}" for name, count in counts.items() if count]
        parts += [
            f"{count:,} not answered ({reason})" for reason, count in self.not_answered.items()
        ]
        if self.by_likelihood:
            share = 100 * self.letter_mass / self.by_likelihood
            parts.append(f"the letters hold {share:.3g} % of the probability")
        return ", ".join(parts)


def seed_of(seed: int, run: int) -> int:
    """Return the sampling seed of a run (31 bits: what every provider takes)."""
    return int(np.random.SeedSequence([seed, run]).generate_state(1)[0]) >> 1


def run_baseline(
    wanted: Sequence[Request[Any]],
    model: ModelParameters,
    store: ResponseStore,
    summary: RunSummary,
    seed: int,
) -> None:
    """Fill the store with a baseline's answers to requests, and count them in the summary."""
    answerer = build(model.name.removeprefix("baseline/"), model.args)
    label = label_of(model)
    seeds = {run: seed_of(seed, run) for run in {request.run for request in wanted}}
    prompts = {request.key: parse_prompt(request.question.input) for request in wanted}
    if isinstance(answerer, Ranker):
        answerer.prepare([prompt for prompt in prompts.values() if prompt])

    def answers() -> Iterator[Response]:
        for request in wanted:
            prompt = prompts[request.key]
            text = complete(answerer, request.question.input, prompt, seeds[request.run])
            yield Response(request.key, label, request.run, text, "stop")
            summary.answered += 1
            progress.show(summary.answered, 0)

    with Progress(label, len(wanted)) as progress:
        store.add_all(answers())


def complete(answerer: Answerer, text: str, prompt: ParsedPrompt | None, seed: int | None) -> str:
    """Return a baseline's answer to a prompt and its parts, in the form in which a model would write it."""
    # Depends on prompt and run alone, not on the order in which prompts come.
    word = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    chosen = answerer.choose(prompt, np.random.default_rng([seed or 0, word])) if prompt else None
    if prompt is None or chosen is None:
        return "I cannot read this question."
    return f"Answer: {ascii_uppercase[chosen] if prompt.lettered else prompt.options[chosen]}"
