"""Our Inspect providers: their common base, baselines, and any OpenAI-compatible server (``compatible/NAME``)."""

from __future__ import annotations

import json
import os
import sys
import zlib
from typing import Any, ClassVar
from urllib.parse import urlsplit

from inspect_ai import model as inspect
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.io.foreign import BUDGET, BeyondError, check_json
from divlogic.models.baselines import build
from divlogic.models.inspecting import ShownError, shown_errors
from divlogic.models.outcome import Asked, Failure, outcome
from divlogic.models.parameters import CONCURRENCY, LOCAL_CONCURRENCY, URL_VARIABLE, is_local
from divlogic.models.prompts import parse_prompt
from divlogic.models.redaction import KEY_VARIABLE, redact
from divlogic.models.replies import ServerError, failure_of, failure_of_body, tokens_of
from divlogic.models.runs import complete

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_CONNECT_SECONDS = 10.0
_READ = 65_536
"""Bytes of an error that are read; a key that is cut at their end stands far behind the words that are shown."""

LARGEST = BUDGET.reply
"""Bytes of a reply, packed and unpacked; a larger one is a fault."""

_STOP_REASONS: dict[str, inspect.StopReason] = {
    # A server that says no reason at all is taken at its word: the text is its answer.
    "": "stop",
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "complete": "stop",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "model_length": "model_length",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "refusal": "content_filter",
    "sensitive": "content_filter",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
"""Finish reasons of servers, folded; others are passed on as they stand, and are faults."""

_PASSED_ON = (
    "temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "reasoning_effort",
    "reasoning_tokens",
)  # fmt: skip


class OneAttemptAPI(ModelAPI):
    """A provider each of whose calls is one attempt: the caller decides on the next one.

    The arguments of the parameters' ``args`` are kept in ``arguments``.
    """

    one_attempt = True
    """Nothing of Inspect's retries and limits is needed around a call."""

    key_variables: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own signature
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, list(self.key_variables), config)
        self.arguments = model_args

    def max_connections(self) -> int:
        return 1000


@modelapi(name="baseline")
class BaselineAPI(OneAttemptAPI):
    """Inspect provider of the baselines."""

    def __init__(self, model_name: str, **given: Any) -> None:
        super().__init__(model_name, **given)
        with shown_errors():
            self._answerer = build(model_name, self.arguments)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        text = input[-1].text
        completion = complete(self._answerer, text, parse_prompt(text), config.seed)
        return ModelOutput.from_content(f"baseline/{self.model_name}", completion)


class ChatCompletionsAPI(OneAttemptAPI):
    """Chat completions over HTTP, with no vendor's package needed."""

    def __init__(self, model_name: str, base_url: str | None = None, **given: Any) -> None:
        super().__init__(model_name, base_url, **given)
        self._key: str | None = None
        self._client: Any = None

    def max_connections(self) -> int:
        """Return what Inspect starts with by itself: one request at a time on this machine."""
        return LOCAL_CONCURRENCY if is_local(str(self.base_url)) else CONCURRENCY

    def should_retry(self, ex: BaseException) -> bool:
        """Tell Inspect to repeat what may pass; a server that cannot be reached is not waited for."""
        found = outcome(failure_of(ex), Asked())
        return found.kind == "fault" and found.attempts(2) > 1 and not found.unreachable

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        import httpx

        unopened = (
            httpx.ConnectError,
            httpx.ConnectTimeout,
            httpx.UnsupportedProtocol,
            httpx.InvalidURL,
        )
        try:
            async with self._open_client(config).stream(
                "POST",
                "chat/completions",
                json=self._request(input, config),
                headers=config.extra_headers,
            ) as reply:
                body = await _read(reply)
        except unopened as error:
            words = f"no connection to {self.base_url} ({str(error) or type(error).__name__})"
            raise ServerError(
                Failure(redact(words), nature="connection", unreachable=True)
            ) from error
        except httpx.TimeoutException as error:
            words = f"no answer in time from {self.base_url} ({type(error).__name__})"
            raise ServerError(Failure(redact(words), nature="timeout")) from error
        except httpx.HTTPError as error:
            words = f"{self.base_url}: {error} ({type(error).__name__})"
            raise ServerError(Failure(redact(words), nature="connection")) from error
        if reply.status_code != 200:
            text = body[:_READ].decode("utf-8", "replace")
            raise ServerError(failure_of_body(reply.status_code, text, reply.headers))
        return _output(self.model_name, body)

    def _request(self, input: list[ChatMessage], config: GenerateConfig) -> dict[str, Any]:
        """Return the body of a request: what the parameters and Inspect's configuration name, and nothing else."""
        request: dict[str, Any] = {
            "model": self.model_name,
            "messages": [{"role": message.role, "content": message.text} for message in input],
            **self.arguments,
        }
        for name in _PASSED_ON:
            value = getattr(config, name, None)
            if value is not None:
                request[name] = value
        if config.logprobs:
            request["logprobs"] = True
            if config.top_logprobs:
                request["top_logprobs"] = config.top_logprobs
        return request | (config.extra_body or {})

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _open_client(self, config: GenerateConfig) -> Any:
        import httpx

        if self._client is None:
            # The loop that calls bounds the concurrent requests; the pool must not do so a second time.
            longest = config.attempt_timeout or 600
            key = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            self._client = httpx.AsyncClient(
                base_url=str(self.base_url).rstrip("/") + "/",
                headers={"Accept-Encoding": "identity"} | key,
                timeout=httpx.Timeout(longest, connect=min(_CONNECT_SECONDS, longest)),
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=1000),
            )
        return self._client


@modelapi(name="compatible")
class CompatibleAPI(ChatCompletionsAPI):
    """Any server that speaks the protocol.

    The address comes from ``base_url`` or the environment variable ``DIVLOGIC_BASE_URL``, the key only from
    ``DIVLOGIC_API_KEY`` (a server on this machine usually needs none).
    """

    key_variables = (KEY_VARIABLE,)

    def __init__(self, model_name: str, base_url: str | None = None, **given: Any) -> None:
        super().__init__(model_name, base_url or os.environ.get(URL_VARIABLE), **given)
        if not self.base_url:
            raise ShownError(
                f"the model 'compatible/{model_name}' has no address; set `base_url` in the parameters,"
                f" --model-base-url under Inspect, or {URL_VARIABLE}."
            )
        self._key = self.api_key or os.environ.get(KEY_VARIABLE)
        try:
            parts = urlsplit(str(self.base_url))
            _ = parts.port
        except ValueError as error:
            raise ShownError(
                f"the address of 'compatible/{model_name}' is not valid ({error}); correct `base_url` or"
                f" {URL_VARIABLE}."
            ) from error
        if self._key and parts.username is not None:
            raise ShownError(
                f"the address of 'compatible/{model_name}' holds credentials, and {KEY_VARIABLE} is set too: only"
                " one of them can be sent; remove one."
            )


def _output(model: str, body: bytes) -> ModelOutput:
    """Read a chat completion; a refusal becomes the answer, with its own stop reason."""
    try:
        check_json(body, "the reply")
    except BeyondError as error:
        raise ServerError(Failure(f"the reply: {error.reason}", nature="malformed")) from error
    try:
        # Unlike faster parsers it takes half of a surrogate pair, which is what is left of an emoji that was cut.
        reply = json.loads(body.decode("utf-8", "replace"))
        if fault := _fault_inside(reply):
            raise ServerError(fault)
        choice = reply["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        if isinstance(text, list):
            text = "".join(part["text"] for part in text if part.get("type", "text") == "text")
        if not isinstance(text, str | None):
            raise TypeError("the content is not a string")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        start = redact(repr(body[:_READ]), limit=80)
        words = f"not a chat completion ({type(error).__name__}): {start}"
        raise ServerError(Failure(words, nature="malformed")) from error
    usage = reply.get("usage") or {}
    said = str(choice.get("finish_reason") or "")
    reason = _STOP_REASONS.get(said.casefold(), "unknown")
    if refusal:
        reason = "content_filter"
    elif message.get("tool_calls") and not (text or "").strip():
        reason = "tool_calls"
    thoughts = message.get("reasoning_content") or message.get("reasoning")
    content: Any = text or refusal or ""
    if isinstance(thoughts, str) and thoughts:
        content = [inspect.ContentReasoning(reasoning=thoughts), inspect.ContentText(text=content)]
    rows = tokens_of(choice.get("logprobs"))
    return ModelOutput(
        model=str(reply.get("model") or model),
        choices=[
            inspect.ChatCompletionChoice(
                message=inspect.ChatMessageAssistant(
                    content=content, model=model, source="generate"
                ),
                stop_reason=reason,
                logprobs=inspect.Logprobs.model_validate({"content": rows}) if rows else None,
            )
        ],
        usage=inspect.ModelUsage(
            input_tokens=_count(usage, "prompt_tokens"),
            output_tokens=_count(usage, "completion_tokens"),
            total_tokens=_count(usage, "total_tokens"),
        ),
        # Inspect has no word for it; the run tells the user the server's own.
        metadata={"finish_reason": redact(said, limit=40)} if reason == "unknown" else None,
    )


def _fault_inside(reply: Any) -> Failure | None:
    """Return the fault that a reply with status 200 tells of: an error in its place, or in its choice."""
    if not isinstance(reply, dict):
        return None
    places = [reply]
    choices = reply.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        places.append(choices[0])
    for place in places:
        if place.get("error"):
            return failure_of_body(200, json.dumps({"error": place["error"]}))
    return None


async def _read(reply: Any) -> bytes:
    """Return the body of a reply, unpacked; neither form is held in memory beyond the largest that is taken."""
    packed = bytearray()
    async for part in reply.aiter_raw():
        packed += part
        if len(packed) > LARGEST:
            raise _too_large()
    body = bytes(packed)
    # Packing was declined (Accept-Encoding: identity); some servers pack all the same, and some twice.
    encodings = reply.headers.get("content-encoding", "")
    for encoding in reversed(encodings.split(",")):
        body = _unpack(body, encoding.strip().casefold())
    return body


def _unpack(body: bytes, encoding: str) -> bytes:
    """Return what a packed body holds; no more than the largest that is taken is ever unpacked."""
    try:
        if encoding in ("", "identity"):
            return body
        if encoding in ("gzip", "x-gzip", "deflate"):
            # 47: the header tells whether it is gzip or zlib.
            unpacked = zlib.decompressobj(47).decompress(body, LARGEST + 1)
        elif encoding == "zstd":
            unpacked = zstd.ZstdDecompressor().decompress(body, LARGEST + 1)
        else:
            raise ServerError(
                Failure(
                    f"the reply is packed with {redact(encoding, limit=20)!r}", nature="malformed"
                )
            )
    except (zlib.error, zstd.ZstdError) as error:
        raise ServerError(
            Failure(f"the reply cannot be unpacked ({error})", nature="malformed")
        ) from error
    if len(unpacked) > LARGEST:
        raise _too_large()
    return unpacked


def _too_large() -> ServerError:
    return ServerError(
        Failure(f"the reply is larger than {LARGEST // 2**20} MiB", nature="malformed")
    )


def _count(usage: Any, name: str) -> int:
    """Return a number of tokens; 0 for anything that is none: an odd count must not cost the answer."""
    value = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < 2**53 else 0
