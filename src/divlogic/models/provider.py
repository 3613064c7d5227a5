"""Our Inspect providers: their common base, baselines, and any OpenAI-compatible server (``compatible/NAME``)."""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar
from urllib.parse import urlsplit

from inspect_ai import model as inspect
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.io.backoff import parse_retry_after
from divlogic.models.baselines import build
from divlogic.models.faults import KEY_VARIABLE, REPEATABLE, ServerError, classify, kind_of_status, redact
from divlogic.models.inspecting import ShownError, shown_errors
from divlogic.models.parameters import CONCURRENCY, LOCAL_CONCURRENCY, URL_VARIABLE, is_local
from divlogic.models.prompts import parse_prompt
from divlogic.models.runs import complete

_CONNECT_SECONDS = 10.0
_READ = 4_000
"""Letters of an error that are looked through for keys before it is cut: half a key would not be found."""

LARGEST = 16 * 2**20
"""Bytes of a reply, unpacked; a larger one is a fault."""

_STOP_REASONS: dict[str, inspect.StopReason] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
}


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
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
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
        """Tell Inspect to repeat what may succeed; a server that cannot be reached is not waited for."""
        fault = classify(ex)
        return fault.kind in REPEATABLE and not fault.unreachable

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        import httpx

        request: dict[str, Any] = {
            "model": self.model_name,
            "messages": [{"role": message.role, "content": message.text} for message in input],
            **self.arguments,
        }
        for name in ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort"):
            value = getattr(config, name)
            if value is not None:
                request[name] = value
        unopened = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL)
        if config.logprobs:
            request |= {"logprobs": True, "top_logprobs": config.top_logprobs or 1}
        try:
            async with self._open_client(config).stream("POST", "chat/completions", json=request) as reply:
                body = await _read(reply)
        except unopened as error:
            detail = f"no connection to {self.base_url} ({str(error) or type(error).__name__})"
            raise ServerError("connection", detail, unreachable=True) from error
        except httpx.TimeoutException as error:
            detail = f"no answer in time from {self.base_url} ({type(error).__name__})"
            raise ServerError("timeout", detail) from error
        except httpx.HTTPError as error:
            raise ServerError("connection", f"{self.base_url}: {error} ({type(error).__name__})") from error
        if reply.status_code != 200:
            raise ServerError(
                kind_of_status(reply.status_code),
                f"status {reply.status_code}: {redact(body[:_READ].decode('utf-8', 'replace'))}",
                parse_retry_after(reply.headers.get("retry-after")),
            )
        return _output(self.model_name, body)

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
        # Unlike faster parsers it takes half of a surrogate pair, which is what is left of an emoji that was cut.
        reply = json.loads(body.decode("utf-8", "replace"))
        choice = reply["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        if isinstance(text, list):
            text = "".join(part["text"] for part in text if part.get("type", "text") == "text")
        if not isinstance(text, str | None):
            raise TypeError("the content is not a string")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        start = redact(repr(body[:_READ]), limit=80)
        raise ServerError("malformed", f"not a chat completion ({type(error).__name__}): {start}") from error
    usage = reply.get("usage") or {}
    reason = "content_filter" if refusal else _STOP_REASONS.get(choice.get("finish_reason") or "", "unknown")
    return ModelOutput(
        model=str(reply.get("model") or model),
        choices=[
            inspect.ChatCompletionChoice(
                message=inspect.ChatMessageAssistant(
                    content=text or refusal or "", model=model, source="generate"
                ),
                stop_reason=reason,
                logprobs=_logprobs(choice.get("logprobs")),
            )
        ],
        usage=inspect.ModelUsage(
            input_tokens=_count(usage, "prompt_tokens"),
            output_tokens=_count(usage, "completion_tokens"),
            total_tokens=_count(usage, "total_tokens"),
        ),
    )


async def _read(reply: Any) -> bytes:
    """Return the body of a reply, which is not held in memory beyond the largest that is taken."""
    body = bytearray()
    async for part in reply.aiter_bytes():
        body += part
        if len(body) > LARGEST:
            raise ServerError("malformed", f"the reply is larger than {LARGEST // 2**20} MiB")
    return bytes(body)


def _count(usage: Any, name: str) -> int:
    """Return a number of tokens; 0 for anything that is none: an odd count must not cost the answer."""
    value = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < 2**53 else 0


def _logprobs(given: Any) -> inspect.Logprobs | None:
    """Return the log-probabilities of a choice; ``None`` for anything that is none."""
    rows = given.get("content") if isinstance(given, dict) else None
    try:
        return inspect.Logprobs.model_validate({"content": rows}) if rows else None
    except ValueError:
        return None
