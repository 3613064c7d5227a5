"""Our Inspect providers' common base, and the one for any OpenAI-compatible server (``compatible/NAME``)."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.errors import DivLogicError
from divlogic.models.faults import KEY_VARIABLE, ServerError, kind_of_status, parse_retry_after

URL_VARIABLE = "DIVLOGIC_BASE_URL"

_STOP_REASONS: dict[str, StopReason] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
}


class OneAttemptAPI(ModelAPI):
    """A provider each of whose calls is one attempt: whoever calls decides on the next one.

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


@modelapi(name="compatible")
class CompatibleAPI(OneAttemptAPI):
    """Chat completions over HTTP, with no vendor's package needed.

    The address comes from ``base_url`` or the environment variable ``DIVLOGIC_BASE_URL``, the key only from
    ``DIVLOGIC_API_KEY`` (a server on this machine usually needs none).
    """

    key_variables = (KEY_VARIABLE,)

    def __init__(self, model_name: str, base_url: str | None = None, **given: Any) -> None:
        super().__init__(model_name, base_url or os.environ.get(URL_VARIABLE), **given)
        if not self.base_url:
            raise DivLogicError(
                f"the model 'compatible/{model_name}' has no address; set `base_url` in the parameters or"
                f" {URL_VARIABLE}."
            )
        self._key = self.api_key or os.environ.get(KEY_VARIABLE)
        self._client: Any = None

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        import httpx

        request: dict[str, Any] = {
            "model": self.model_name,
            "messages": [{"role": message.role, "content": message.text} for message in input],
            **self.arguments,
        }
        for name in ("temperature", "top_p", "max_tokens", "seed"):
            value = getattr(config, name)
            if value is not None:
                request[name] = value
        try:
            reply = await self._open_client(config).post("chat/completions", json=request)
        except httpx.TimeoutException as error:
            raise ServerError(
                "timeout", f"no answer in time from {self.base_url} ({type(error).__name__})"
            ) from error
        except httpx.HTTPError as error:
            raise ServerError("connection", f"{self.base_url}: {error} ({type(error).__name__})") from error
        if reply.status_code != 200:
            raise ServerError(
                kind_of_status(reply.status_code),
                f"status {reply.status_code}: {reply.text[:200]}",
                parse_retry_after(reply.headers.get("retry-after")),
            )
        return _output(self.model_name, reply.content)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _open_client(self, config: GenerateConfig) -> Any:
        import httpx

        if self._client is None:
            # The loop that calls bounds the requests under way; the pool must not do so a second time.
            self._client = httpx.AsyncClient(
                base_url=str(self.base_url).rstrip("/") + "/",
                headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
                timeout=httpx.Timeout(config.attempt_timeout or 600),
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=1000),
            )
        return self._client


def _output(model: str, body: bytes) -> ModelOutput:
    """Read a chat completion; a refusal becomes the answer, with its own stop reason.

    Raises:
        ServerError: the body is not JSON or not a chat completion.
    """
    import orjson

    try:
        reply = orjson.loads(body)
        choice = reply["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        if not isinstance(text, str | None):
            raise TypeError("the content is not a string")
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError) as error:
        raise ServerError(
            "malformed", f"not a chat completion ({type(error).__name__}): {body[:80]!r}"
        ) from error
    usage = reply.get("usage") or {}
    reason = "content_filter" if refusal else _STOP_REASONS.get(choice.get("finish_reason") or "", "unknown")
    return ModelOutput(
        model=str(reply.get("model") or model),
        choices=[
            ChatCompletionChoice(
                message=ChatMessageAssistant(content=text or refusal or "", model=model, source="generate"),
                stop_reason=reason,
            )
        ],
        usage=ModelUsage(
            input_tokens=int(usage.get("prompt_tokens") or 0),
            output_tokens=int(usage.get("completion_tokens") or 0),
            total_tokens=int(usage.get("total_tokens") or 0),
        ),
    )
