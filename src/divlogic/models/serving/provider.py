"""The Inspect provider of models that the run serves itself (``local/FILE.gguf``, ``local/smollm2-135m``)."""

from __future__ import annotations

import asyncio
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.models.faults import ServerError
from divlogic.models.gguf import serving_arguments, serving_of
from divlogic.models.inspecting import ShownError, shown_errors
from divlogic.models.provider import ChatCompletionsAPI
from divlogic.models.serving.server import LocalServer

MOST_CRASHES = 3
"""Crashes without an answer in between after which the model is given up."""


@modelapi(name="local")
class LocalAPI(ChatCompletionsAPI):
    """Chat completions of a server on 127.0.0.1 that is started with the first question and ended with the run.

    With the argument ``servers`` several answer side by side. Each question goes to a free one, by preference to the
    one whose last question shares the longest beginning with it: that beginning is not read again.
    """

    def __init__(self, model_name: str, base_url: str | None = None, **given: Any) -> None:
        if base_url:
            raise ShownError(
                f"the model 'local/{model_name}' has an address, but it is served by the run itself; remove the"
                " address, or name a model of that server compatible/NAME."
            )
        # Any address will do: that of the server is known when it has started.
        super().__init__(model_name, "http://127.0.0.1/v1", **given)
        with shown_errors():
            self._server = LocalServer(serving_of(model_name, self.arguments))
        count = self._server.serving.servers
        alone = given | {"servers": 1}
        self._free = [self, *(LocalAPI(model_name, **alone) for _ in range(count - 1))]
        self._members = tuple(self._free)
        self._turns = asyncio.Semaphore(count)
        self._last = ""
        _, self.arguments = serving_arguments(self.arguments)
        self._starting = asyncio.Lock()
        self._started = False
        self._crashes = 0
        self._crashed: int | None = None

    @property
    def server(self) -> LocalServer:
        """The server."""
        return self._server

    def max_connections(self) -> int:
        """Return what Inspect starts with by itself: one request at a time for each server."""
        return len(self._members)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        text = "\n".join(message.text for message in input)
        async with self._turns:
            chosen = max(self._free, key=lambda member: _shared(member._last, text))
            self._free.remove(chosen)
            chosen._last = text
            try:
                return await chosen._ask(input, tools, tool_choice, config)
            finally:
                self._free.append(chosen)

    async def _ask(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Put a question to this server."""
        await self._require_server()
        try:
            output = await super().generate(input, tools, tool_choice, config)
        except ServerError as error:
            if "exceed_context_size" in error.fault.detail:
                raise DivLogicError(
                    f"a question to 'local/{self.model_name}' is longer than its context"
                    f" ({self._server.serving.context:,} tokens, with the answer); give the model's `args` a longer"
                    " `context` and run the same command again: nothing answered is asked twice."
                ) from error
            if error.fault.kind != "connection":
                raise
            raise ServerError("connection", await self._crash(error)) from error
        self._crashes = 0
        return output

    async def aclose(self) -> None:
        for member in self._members:
            await ChatCompletionsAPI.aclose(member)
            await asyncio.to_thread(member._server.stop)
            member._started = False

    async def _require_server(self) -> None:
        """Start the server unless it runs."""
        async with self._starting:
            if self._started and not self._server.ended():
                return
            if self._started and self._crashes >= MOST_CRASHES:
                raise DivLogicError(
                    f"the server of 'local/{self.model_name}' crashed {self._crashes} times in a row"
                    f" ({self._server.ended()}: {self._server.complaint()}); what was answered is kept. Free memory,"
                    " lower `context`, or take another file, and run the same command again."
                )
            await super().aclose()
            self._started = False
            self.base_url = await asyncio.to_thread(self._server.start)
            self._started = True

    async def _crash(self, error: ServerError) -> str:
        """Return what a lost connection means; a server that crashed is started again by the next question."""
        for _ in range(20):
            ended = self._server.ended()
            if ended:
                if self._server.pid != self._crashed:
                    self._crashed = self._server.pid
                    self._crashes += 1
                    say(f"local/{self.model_name}: its server crashed ({ended}); it is started again")
                return f"the server crashed ({ended})"
            await asyncio.sleep(0.05)
        return error.fault.detail


def _shared(one: str, other: str) -> int:
    """Return the number of letters that two texts begin with in common."""
    differing = (at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second)
    return next(differing, min(len(one), len(other)))
