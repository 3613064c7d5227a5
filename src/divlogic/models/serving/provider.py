"""The Inspect provider of models that the run serves itself (``local/FILE.gguf``, ``local/smollm2-135m``).

A server is started when it is needed, and ended with the run, even if that is killed.
"""

from __future__ import annotations

import asyncio
import re
import select
import signal
import subprocess
import tempfile
import time
import weakref
from os.path import commonprefix
from pathlib import Path
from typing import IO, Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.models.gguf import (
    LLAMA,
    Serving,
    interpreter,
    serving_arguments,
    serving_of,
    weight_bytes,
)
from divlogic.models.inspecting import ShownError, shown_errors
from divlogic.models.outcome import Failure
from divlogic.models.provider import ChatCompletionsAPI
from divlogic.models.replies import ServerError

PROGRAM = Path(__file__).with_name("program.py")
TRANSFORMERS_PROGRAM = Path(__file__).with_name("transformers_program.py")
START_SECONDS = 600.0
"""Longest wait for a server to load its weights."""

_END_SECONDS = 5.0
_TAIL = 4000
_MARGIN = 1.15
"""Memory that a server needs over the size of its file: the file is mapped, the cache and the buffers come on top."""

_SINGLE_MARGIN = 2.3
"""The same under `transformers`: weights of 16 bits take twice their size in single precision, quantised ones more."""


class LocalServer:
    """A server on 127.0.0.1, a process of its own."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._end: Any = None

    @property
    def pid(self) -> int | None:
        """The process id, ``None`` before the first start."""
        return self._process.pid if self._process else None

    def ended(self) -> str:
        """Return how the server ended, in words; empty while it runs or has not been started."""
        if self._process is None or (code := self._process.poll()) is None:
            return ""
        if code < 0:
            name = signal.Signals(-code).name
            memory = ", perhaps for lack of memory" if -code == signal.SIGKILL else ""
            return f"killed by {name}{memory}"
        return f"exit status {code}"

    def complaint(self) -> str:
        """Return the first error in what the server logged, else its last line."""
        if self._log is None:
            return ""
        size = self._log.seek(0, 2)
        self._log.seek(max(0, size - _TAIL))
        text = self._log.read().decode(errors="replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        errors = [line.partition(" E ")[2].strip() for line in lines if " E " in line]
        return errors[0] if errors else (lines[-1] if lines else "it said nothing")

    def start(self) -> str:
        """Start the server and wait until it answers; return its address, which ends in ``/v1``."""
        self.stop()
        serving = self.serving
        margin = _MARGIN if serving.engine is LLAMA else _SINGLE_MARGIN
        free, needed = available_memory(), int(weight_bytes(serving.weights) * margin)
        if free is not None and free < needed:
            raise DivLogicError(
                f"{serving.weights}: the model needs about {needed / 2**20:,.0f} MiB of memory, and"
                f" {free / 2**20:,.0f} MiB are free; end other programs, or take a smaller model."
            )
        python = interpreter(serving.engine)
        program = PROGRAM if serving.engine is LLAMA else TRANSFORMERS_PROGRAM
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the server is stopped
        numbers = (serving.port, serving.threads, serving.context)
        command = [str(python), str(program), str(serving.weights), *map(str, numbers)]
        command += [serving.precision] if serving.engine is not LLAMA else []
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            # What a buffer had read ahead, `select` would wait for in vain.
            bufsize=0,
            # An interrupt of the terminal ends the run, and the run the server.
            start_new_session=True,
        )
        self._end = weakref.finalize(self, _end, self._process)
        if address := self._ready(self._process):
            return f"{address}/v1"
        raise DivLogicError(self._why_not())

    def stop(self) -> None:
        """End the server, if it runs."""
        if self._end is not None:
            self._end()
            self._end = None
        if self._log is not None:
            self._log.close()
            self._log = None
        self._process = None

    def _ready(self, process: subprocess.Popen[bytes]) -> str:
        """Return the address that the server says, empty if it ends or says none in time."""
        assert process.stdout is not None
        deadline = time.monotonic() + START_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([process.stdout], [], [], left)[0]:
                break
            line = process.stdout.readline()
            if not line:
                process.wait(_END_SECONDS)
                return ""
            if line.startswith(b"http://"):
                return line.decode().strip()
        process.kill()
        process.wait()
        return ""

    def _why_not(self) -> str:
        path, complaint = self.serving.weights, self.complaint()
        if "bind" in complaint:
            return f"the port {self.serving.port} of 127.0.0.1 is in use; name another one, or none for a free one."
        engine = self.serving.engine
        lacking = [name for name in engine.packages if f"No module named '{name}'" in complaint]
        if lacking:
            return (
                f"{interpreter(engine)}: this interpreter has no package {lacking[0]}, which serves this model; install"
                f" it with {engine.install}."
            )
        if "alloc" in complaint or "SIGKILL" in self.ended():
            return (
                f"{path}: the model could not be loaded for lack of memory ({complaint}); free some, or take a smaller"
                " model or `context`."
            )
        return (
            f"{path}: the model could not be loaded ({complaint}; {self.ended() or 'not ready in time'}); if the file"
            " is torn, fetch it again."
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process: its standard input first, which it heeds, then by force."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def available_memory() -> int | None:
    """Return the bytes of memory that a new program may take, ``None`` where the system does not say."""
    try:
        table = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    found = re.search(r"^MemAvailable:\s+(\d+)", table, re.MULTILINE)
    return int(found[1]) * 1024 if found else None


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

    def max_connections(self) -> int:
        """Return what Inspect starts with by itself: one request at a time for each server."""
        return len(self._members)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        text = "\n".join(message.text for message in input)
        async with self._turns:
            chosen = max(self._free, key=lambda member: len(commonprefix((member._last, text))))  # noqa: RUF071 - texts
            self._free.remove(chosen)
            chosen._last = text
            try:
                return await chosen._ask(input, tools, tool_choice, config)
            finally:
                self._free.append(chosen)

    async def _ask(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Put a question to this server."""
        await self._require_server()
        try:
            output = await super().generate(input, tools, tool_choice, config)
        except ServerError as error:
            if "exceed_context_size" in error.failure.words:
                raise DivLogicError(
                    f"a question to 'local/{self.model_name}' is longer than its context"
                    f" ({self._server.serving.context:,} tokens, with the answer); give the model's `args` a longer"
                    " `context` and run the same command again: nothing answered is asked twice."
                ) from error
            if error.failure.nature != "connection":
                raise
            raise ServerError(Failure(await self._crash(error), nature="connection")) from error
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
            if ended := self._server.ended():
                if self._server.pid != self._crashed:
                    self._crashed = self._server.pid
                    self._crashes += 1
                    say(
                        f"local/{self.model_name}: its server crashed ({ended}); it is started again"
                    )
                return f"the server crashed ({ended})"
            await asyncio.sleep(0.05)
        return error.failure.words
