"""Imitations of vendors' servers, from their public references: what they say of an answer and of each fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.integration.fault_server import Handler

Reply = Callable[[Handler], None]
JSON = "application/json"


def reply(status: int, body: object, **headers: str) -> Reply:
    return lambda handler: handler.reply(
        status, json.dumps(body).encode(), Content_Type=JSON, **headers
    )


@dataclass(frozen=True)
class Vendor:
    """A vendor: how it is asked, and what it replies.

    Attributes:
        name: the model's name, with Inspect's provider.
        package: the client.
        key: the environment variable of its key.
        root: what its address ends in.
        handler: its server.
        answer: a reply with a text and a reason why it ended; the text may be missing.
        stops: its words for an answer that ended by itself, at the limit, and by a filter.
        faults: its replies to a wrong key, and so on.
    """

    name: str
    package: str
    key: str
    root: str
    handler: type[Handler]
    answer: Callable[[str | None, str], dict[str, Any]]
    stops: tuple[str, str, str]
    faults: dict[str, Reply] = field(default_factory=dict)


# ---- Anthropic -------------------------------------------------------------------------------------------------------


def message(text: str | None, stop: str = "end_turn") -> dict[str, Any]:
    content = [] if text is None else [{"type": "text", "text": text}]
    about = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-fake"}
    usage = {"input_tokens": 50, "output_tokens": 3}
    return {**about, "content": content, "stop_reason": stop, "stop_sequence": None, "usage": usage}


def refused_by_anthropic(status: int, kind: str, words: str, **headers: str) -> Reply:
    error = {"type": kind, "message": words}
    return reply(status, {"type": "error", "error": error, "request_id": "req_1"}, **headers)


class AnthropicHandler(Handler):
    def prompt_of(self, request: dict[str, Any]) -> str:
        content = request["messages"][-1]["content"]
        return content if isinstance(content, str) else str(content[-1]["text"])

    def is_served(self, path: str) -> bool:
        return path == "/v1/messages"

    def say(self, text: str | None, *_: Any, **__: Any) -> None:
        reply(200, message(text))(self)


ANTHROPIC = Vendor(
    name="anthropic/claude-fake",
    package="anthropic",
    key="ANTHROPIC_API_KEY",
    root="",
    handler=AnthropicHandler,
    answer=message,
    stops=("end_turn", "max_tokens", "refusal"),
    faults={
        "key": refused_by_anthropic(401, "authentication_error", "invalid x-api-key"),
        "permission": refused_by_anthropic(
            403, "permission_error", "Your API key does not have permission to use this resource."
        ),
        "quota": refused_by_anthropic(
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or"
            " purchase credits.",
        ),
        "model": refused_by_anthropic(404, "not_found_error", "model: claude-fake"),
        "context": refused_by_anthropic(
            400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"
        ),
        "minute": refused_by_anthropic(
            429,
            "rate_limit_error",
            "This request would exceed your organization's rate limit of 50 requests per minute.",
            Retry_After="0.05",
        ),
        "overload": refused_by_anthropic(529, "overloaded_error", "Overloaded"),
        "broken": refused_by_anthropic(500, "api_error", "Internal server error"),
        "filter": refused_by_anthropic(
            400, "invalid_request_error", "Output blocked by content filtering policy"
        ),
    },
)


# ---- Google ----------------------------------------------------------------------------------------------------------


def candidate(text: str | None, stop: str = "STOP") -> dict[str, Any]:
    content: dict[str, Any] = {"role": "model"}
    if text is not None:
        content["parts"] = [{"text": text}]
    usage = {"promptTokenCount": 50, "candidatesTokenCount": 3, "totalTokenCount": 53}
    one = {"content": content, "finishReason": stop, "index": 0}
    return {"candidates": [one], "usageMetadata": usage, "modelVersion": "gemini-fake"}


def refused_by_google(code: int, status: str, words: str, *details: dict[str, Any]) -> Reply:
    error = {"code": code, "message": words, "status": status, "details": list(details)}
    return reply(code, {"error": error})


class GoogleHandler(Handler):
    def prompt_of(self, request: dict[str, Any]) -> str:
        return str(request["contents"][-1]["parts"][-1]["text"])

    def is_served(self, path: str) -> bool:
        return path.endswith("/models/gemini-fake:generateContent")

    def say(self, text: str | None, *_: Any, **__: Any) -> None:
        reply(200, candidate(text))(self)


RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.05s"}
QUOTA_WORDS = "You exceeded your current quota, please check your plan and billing details."

GOOGLE = Vendor(
    name="google/gemini-fake",
    package="google.genai",
    key="GOOGLE_API_KEY",
    root="",
    handler=GoogleHandler,
    answer=candidate,
    stops=("STOP", "MAX_TOKENS", "SAFETY"),
    faults={
        "key": refused_by_google(
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"},
        ),
        "permission": refused_by_google(
            403, "PERMISSION_DENIED", "Your API key was reported as leaked. Use another API key."
        ),
        "quota": refused_by_google(429, "RESOURCE_EXHAUSTED", QUOTA_WORDS),
        "model": refused_by_google(
            404,
            "NOT_FOUND",
            "models/gemini-fake is not found for API version v1beta, or is not supported for generateContent.",
        ),
        "context": refused_by_google(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ),
        "minute": refused_by_google(
            429, "RESOURCE_EXHAUSTED", f"{QUOTA_WORDS} Please retry in 0.05s.", RETRY
        ),
        "overload": refused_by_google(
            503, "UNAVAILABLE", "The model is overloaded. Please try again later."
        ),
        "broken": refused_by_google(500, "INTERNAL", "An internal error has occurred."),
        "filter": reply(
            200,
            {
                "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
                "usageMetadata": {"promptTokenCount": 50, "totalTokenCount": 50},
            },
        ),
    },
)


# ---- OpenAI ----------------------------------------------------------------------------------------------------------


def completion(text: str | None, stop: str = "stop") -> dict[str, Any]:
    said = {"role": "assistant", "content": text, "refusal": None}
    usage = {"prompt_tokens": 50, "completion_tokens": 3, "total_tokens": 53}
    about = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o-fake"}
    one = {"index": 0, "message": said, "finish_reason": stop, "logprobs": None}
    return {**about, "choices": [one], "usage": usage}


def refused_by_openai(status: int, code: str, words: str, **headers: str) -> Reply:
    error = {"message": words, "type": "invalid_request_error", "param": None, "code": code}
    return reply(status, {"error": error}, **headers)


class OpenAIHandler(Handler):
    def say(self, text: str | None, *_: Any, **__: Any) -> None:
        reply(200, completion(text))(self)


OPENAI = Vendor(
    name="openai/gpt-4o-fake",
    package="openai",
    key="OPENAI_API_KEY",
    root="/v1",
    handler=OpenAIHandler,
    answer=completion,
    stops=("stop", "length", "content_filter"),
    faults={
        "key": refused_by_openai(401, "invalid_api_key", "Incorrect API key provided."),
        "permission": refused_by_openai(
            403,
            "unsupported_country_region_territory",
            "Country, region, or territory not supported",
        ),
        "quota": refused_by_openai(
            429,
            "insufficient_quota",
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        "model": refused_by_openai(
            404,
            "model_not_found",
            "The model `gpt-4o-fake` does not exist or you do not have access to it.",
        ),
        "context": refused_by_openai(
            400,
            "context_length_exceeded",
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        ),
        "minute": refused_by_openai(
            429,
            "rate_limit_exceeded",
            "Rate limit reached for requests per minute.",
            Retry_After="0.05",
        ),
        "overload": refused_by_openai(
            503, "server_overloaded", "The engine is currently overloaded, please try again later"
        ),
        "broken": refused_by_openai(500, "server_error", "The server had an error."),
        "filter": refused_by_openai(
            400,
            "invalid_prompt",
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        ),
    },
)

VENDORS = {"anthropic": ANTHROPIC, "google": GOOGLE, "openai": OPENAI}
