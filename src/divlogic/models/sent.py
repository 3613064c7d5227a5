"""The parameters that the requests of a run have, and those that the server makes it leave out."""

from __future__ import annotations

from typing import Any

from divlogic.io.log import say
from divlogic.models import parameters
from divlogic.models.answers import MOST_ALTERNATIVES
from divlogic.models.gguf import is_served
from divlogic.models.outcome import FEWEST_ALTERNATIVES, Outcome
from divlogic.models.requests import Request
from divlogic.models.runs import seed_of

_SHOWN = 200
"""Characters of a provider's words that are shown."""


def shown(words: str) -> str:
    """Return the first of a provider's words."""
    return words[:_SHOWN]


class SentParameters:
    """The parameters that requests have, and those that the server made the run leave out."""

    def __init__(
        self,
        model: parameters.ModelParameters,
        sampling: parameters.SamplingParameters,
        seed: int,
    ) -> None:
        self._model = model
        self._values = model.sampling_within(sampling)
        self.fixed = model.set_by_user(sampling)
        self._own_seed = self._values.pop("seed", None)
        self._drawn_seed = seed
        self._left_out: set[str] = set()
        self._alternatives = MOST_ALTERNATIVES
        # Log-probabilities of a generated answer cost nothing on this machine; of others, `args` may ask for them.
        self._always_logprobs = parameters.is_local(parameters.address_of(model))

    @property
    def longest(self) -> Any:
        """The limit of an answer's length, in words where there is none."""
        return self._values.get("max_tokens", "the provider's limit")

    def of(self, request: Request[Any]) -> dict[str, Any]:
        """Return the sampling parameters of a request."""
        values = dict(self._values)
        likelihood = request.question.likelihood
        if likelihood:
            values["max_tokens"] = 1
        if (seed := self._seed(request.run)) is not None:
            values["seed"] = seed
        if likelihood or (self._always_logprobs and request.question.letters):
            values["logprobs"] = True
            values["top_logprobs"] = self._alternatives
        if "max_tokens" in self._left_out and "max_tokens" in values:
            values["max_completion_tokens"] = values["max_tokens"]
        return {name: value for name, value in values.items() if name not in self._left_out}

    def leave_out(self, refused: Outcome, label: str) -> None:
        """Change what the server refuses in all requests from now on, and say so once."""
        name = refused.leave_out
        if name in self._left_out:
            return
        if name == "top_logprobs" and 0 < (refused.most or 0) < self._alternatives:
            self._alternatives = refused.most or FEWEST_ALTERNATIVES
            told = f"{self._alternatives} are asked for"
        else:
            self._left_out.add(name)
            told = "the request goes without it"
            if name == "max_tokens" and "max_completion_tokens" in refused.words:
                told = "`max_completion_tokens` stands in its place"
            elif name == "max_tokens":
                # No other name was offered: the limit itself is too large.
                self._left_out.add("max_completion_tokens")
        say(f"{label}: the server refuses `{name}` ({shown(refused.words)}); {told}")

    def config(self, values: dict[str, Any], limits: parameters.Limits, *, batch: Any) -> Any:
        """Return Inspect's configuration; without its retries and adaptive limits, which would hide faults."""
        from inspect_ai.model import GenerateConfig

        sampled = dict(values)
        body = dict(self._model.extra_body)
        if (longest := sampled.pop("max_completion_tokens", None)) is not None:
            body["max_completion_tokens"] = longest
        return GenerateConfig(
            **sampled,
            extra_body=body or None,
            extra_headers=self._model.extra_headers or None,
            batch=batch,
            max_retries=0,
            max_connections=limits.concurrency,
            adaptive_connections=False,
            attempt_timeout=max(1, int(limits.timeout)),
        )

    def _seed(self, run: int) -> int | None:
        """Return the seed of a run: sent to servers where the user names one, to what we run ourselves always."""
        if self._own_seed is not None:
            return int(self._own_seed) + run
        own = is_served(self._model.name) or self._model.name.startswith(("baseline/", "mockllm/"))
        return seed_of(self._drawn_seed, run) if own else None
