"""Asking within ``inspect eval``: the same policy as in the workflow's runs, around Inspect's own generation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from divlogic.errors import DivLogicError
from divlogic.io.backoff import waiting_time
from divlogic.io.log import say
from divlogic.models.inspecting import ShownError, count_mock_tokens_offline
from divlogic.models.outcome import UNANSWERED, Asked, Outcome, outcome
from divlogic.models.parameters import LimitParameters, SamplingParameters
from divlogic.models.replies import failure_of, reply_of
from divlogic.models.runner import FIRST_CONTACT

LIMITS = LimitParameters()
"""Bounds of the attempts; concurrency and time-outs are Inspect's."""

Send = Callable[[GenerateConfig], Awaitable[ModelOutput]]
"""Sends a request once, with these parameters over those of Inspect's command line."""


class Asker:
    """Asks one model of one task: one question first, the others when it is answered; each fault within its bounds.

    Args:
        sampling: how answers are sampled, where Inspect's command line does not say.
        thinking: whether the model thinks first: then its answers have no limit.
    """

    def __init__(self, sampling: SamplingParameters, *, thinking: bool = False) -> None:
        count_mock_tokens_offline()
        self._values: dict[str, Any] = sampling.model_dump(exclude_none=True)
        if thinking:
            self._values.pop("max_tokens", None)
        self._left_out: set[str] = set()
        self._body: dict[str, Any] = {}
        self._answered = False
        self._failed = 0
        self._stopped: str = ""
        self._probing = anyio.Lock()

    async def ask(self, send: Send, model: Model) -> ModelOutput:
        """Return what a model replies; an output without a choice of its own where it does not answer the question.

        Raises:
            ShownError: no question can be answered, or the server fails beyond the bounds.
        """
        if self._answered:
            return await self._ask(send, model)
        async with self._probing:
            if self._stopped:
                raise ShownError(self._stopped)
            return await self._ask(send, model)

    async def _ask(self, send: Send, model: Model) -> ModelOutput:
        attempt = 0
        while True:
            attempt += 1
            output, found = await self._attempt(send, model)
            if found.kind in ("answer", "refused", "cut"):
                self._answered = True
                self._failed = 0
                return output
            if found.kind == "fatal":
                raise self._stop(found, model)
            if found.unreachable and not self._answered and attempt >= FIRST_CONTACT:
                raise self._stop(found, model)
            if attempt >= found.attempts(LIMITS.attempts):
                break
            wait = waiting_time(
                attempt, first=LIMITS.first_wait, longest=LIMITS.longest_wait, asked=found.wait
            )
            await anyio.sleep(wait)
        self._failed += 1
        # The same question may be asked again by `inspect eval-retry`; a server that answers nothing is given up.
        silent = not self._answered and self._failed >= FIRST_CONTACT
        if silent or found.reason not in UNANSWERED:
            raise self._stop(found, model)
        return ModelOutput.from_content(str(model), "", stop_reason="unknown", error=found.words)

    async def _attempt(self, send: Send, model: Model) -> tuple[ModelOutput, Outcome]:
        """Send a question; a parameter that the server refuses is left out, and the question sent again."""
        while True:
            chosen = model.config.model_dump(exclude_none=True)
            values = {
                name: value
                for name, value in self._values.items()
                if name not in chosen and name not in self._left_out
            }
            asked = Asked(sent={*values, *chosen, *self._body}, fixed=set(chosen))
            config = GenerateConfig(**values, extra_body=self._body or None, max_retries=0)
            try:
                output = await send(config)
                found = outcome(reply_of(output)[0], asked)
            except (DivLogicError, LimitExceededError):
                raise
            except Exception as error:
                found = outcome(failure_of(error), asked)
                output = ModelOutput.from_content(
                    str(model), found.words, stop_reason="content_filter"
                )
            if not found.leave_out:
                return output, found
            self._leave_out(found, values)

    def _leave_out(self, refused: Outcome, values: dict[str, Any]) -> None:
        name = refused.leave_out
        if name == "max_tokens" and "max_completion_tokens" in refused.words and name in values:
            self._body = {"max_completion_tokens": values[name]}
        elif name == "max_completion_tokens":
            self._body = {}
        if name not in self._left_out:
            say(f"the server refuses `{name}` ({refused.words[:200]}); the request goes without it")
        self._left_out.add(name)

    def _stop(self, found: Outcome, model: Model) -> ShownError:
        self._stopped = f"the model '{model}' was given up ({found.reason}: {found.words[:200]}). {found.advice}."
        return ShownError(self._stopped)


def asking(sampling: SamplingParameters, *, thinking: bool = False) -> Solver:
    """Return the solver that asks each sample's question once, by the policy.

    Inspect writes the arguments of solvers and scorers into every sample; this one has none there.
    """
    asker = Asker(sampling, thinking=thinking)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        before = list(state.messages)

        async def send(config: GenerateConfig) -> ModelOutput:
            state.messages = list(before)
            # A model that calls tools is not run in a loop: none are offered.
            given: dict[str, Any] = config.model_dump(exclude_none=True)
            answered = await generate(state, tool_calls="none", **given)
            return answered.output

        state.output = await asker.ask(send, get_model())
        return state

    return solver(name="asking")(lambda: solve)()


async def ask_judge(asker: Asker, judge: Model, text: str) -> str:
    """Return a judge's reply to a prompt; empty where it does not answer."""

    async def send(config: GenerateConfig) -> ModelOutput:
        return await judge.generate(text, config=config)

    output = await asker.ask(send, judge)
    return "" if output.stop_reason == "content_filter" else output.completion
