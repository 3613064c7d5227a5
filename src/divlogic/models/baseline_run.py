"""Baselines asked directly: they answer at once, so that nothing is to be waited for, repeated or given up.

They answer what :class:`divlogic.models.baseline_provider.BaselineAPI` answers. To import Inspect and send each
question through it takes longer than all answers of a run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any, Protocol, runtime_checkable

import numpy as np

from divlogic.models.baselines import Answerer, build
from divlogic.models.parameters import ModelParameters
from divlogic.models.progress import Progress
from divlogic.models.prompts import ParsedPrompt, parse_prompt
from divlogic.models.requests import Request, label_of
from divlogic.models.run_summary import RunSummary, count_answers, seed_of
from divlogic.models.store import Response, ResponseStore

_KIND = "baseline/"


@runtime_checkable
class Preparing(Protocol):
    """A baseline that decides many prompts at once."""

    def prepare(self, prompts: Sequence[ParsedPrompt]) -> None:
        """Decide the prompts, so that `choose` only looks its decisions up."""


def is_baseline(model: ModelParameters) -> bool:
    """Return whether a model is one of the baselines."""
    return model.name.startswith(_KIND)


def run_baseline(
    requests: Sequence[Request[Any]], model: ModelParameters, store: ResponseStore, *, seed: int
) -> RunSummary:
    """Fill the store with a baseline's answers, asking only for those that it lacks.

    Raises:
        DivLogicError: there is no such baseline, or an argument that it needs is missing or unknown.
    """
    answerer = build(model.name.removeprefix(_KIND), model.args)
    label = label_of(model)
    wanted = [request for request in requests if not request.is_stored(store.responses)]
    summary = RunSummary(requests=len(requests), reused=len(requests) - len(wanted))
    unique = {request.key: request for request in wanted}
    seeds = {run: seed_of(seed, run) for run in {request.run for request in wanted}}
    prompts = {key: parse_prompt(request.question.input) for key, request in unique.items()}
    if isinstance(answerer, Preparing):
        answerer.prepare([prompt for prompt in prompts.values() if prompt])
    with Progress(label, len(unique)) as progress:
        for request in unique.values():
            prompt = prompts[request.key]
            text = complete(answerer, request.question.input, prompt, seeds[request.run])
            store.add(Response(request.key, label, request.run, text, "stop", None, None, None))
            summary.answered += 1
            progress.show(summary.answered, 0)
    count_answers(summary, requests, store)
    return summary


def complete(answerer: Answerer, text: str, prompt: ParsedPrompt | None, seed: int | None) -> str:
    """Return a baseline's answer to a prompt and its parts, in the form in which a model would write it."""
    chosen = answerer.choose(prompt, _generator(text, seed)) if prompt else None
    if prompt is None or chosen is None:
        return "I cannot read this question."
    return f"Answer: {ascii_uppercase[chosen] if prompt.lettered else prompt.options[chosen]}"


def _generator(text: str, seed: int | None) -> np.random.Generator:
    """Return a generator that depends on prompt and run alone, not on the order in which prompts come."""
    word = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng([seed or 0, word])
