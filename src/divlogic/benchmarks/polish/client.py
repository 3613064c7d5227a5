"""A client for OpenAI-compatible chat servers that waits and tries again where that may help."""

from __future__ import annotations

import email.utils
import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from divlogic.errors import DivLogicError
from divlogic.progress import say

if TYPE_CHECKING:
    import httpx

KEY_VARIABLE = "OPENAI_API_KEY"

_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LONGEST_WAIT = 300.0


class ChatClient:
    """Asks one model; may be used from several threads.

    The API key comes from the environment variable ``OPENAI_API_KEY`` (none is sent if it is not set) and is
    neither stored nor shown.

    Args:
        base_url: address of the server, ending in ``/v1``.
        model: model name as the server knows it.
        attempts: how often a question is sent before giving up.
        timeout: seconds to wait for the server's next bytes.
        first_wait: seconds before the second attempt where the server names none; doubled each time.
        sleep: how to wait (given by tests).
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        attempts: int = 6,
        timeout: float = 120.0,
        first_wait: float = 1.0,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        import httpx

        self.base_url = base_url.rstrip("/")
        self.model = model
        self._attempts = attempts
        self._first_wait = first_wait
        self._stopped = threading.Event()
        # Waiting on the event rather than sleeping lets `stop` end every wait at once.
        self._sleep = sleep or self._stopped.wait
        self._key = os.environ.get(KEY_VARIABLE, "").strip()
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._http = httpx.Client(timeout=httpx.Timeout(timeout, connect=min(timeout, 15.0)), headers=headers)

    def ask(self, prompt: str) -> tuple[str | None, dict[str, Any]]:
        """Send one prompt.

        Returns:
            The answer's text, ``None`` if it was cut off or empty; and what the server said of it (finish reason,
            tokens used).

        Raises:
            DivLogicError: the server refuses the request, or does not answer properly in ``attempts`` attempts.
        """
        import httpx

        body = {"model": self.model, "messages": [{"role": "user", "content": prompt}]}
        problem = "no attempt was made"
        for attempt in range(1, self._attempts + 1):
            wait = self._first_wait * 2 ** (attempt - 1)
            try:
                response = self._http.post(f"{self.base_url}/chat/completions", json=body)
            except httpx.InvalidURL as error:
                raise DivLogicError(
                    f"{self.base_url}: not an address ({error}); mend polish.base_url."
                ) from error
            except httpx.UnsupportedProtocol as error:
                raise DivLogicError(
                    f"{self.base_url}: not an http address; mend polish.base_url (http://… or https://…)."
                ) from error
            except httpx.TransportError as error:
                problem = f"{type(error).__name__} {error}".strip()
            else:
                if response.status_code == 200:
                    answer = _answer(response)
                    if answer is not None:
                        return answer
                    problem = "its answer is not a chat completion"
                elif response.status_code in _RETRIED:
                    problem = f"status {response.status_code}"
                    wait = _retry_after(response) or wait
                else:
                    raise DivLogicError(
                        f"{self.base_url} refuses the request with status {response.status_code}"
                        f" ({self._clean(response.text)}); check polish.base_url, polish.model and {KEY_VARIABLE}."
                    )
            if attempt < self._attempts and not self._stopped.is_set():
                wait = min(wait, _LONGEST_WAIT)
                say(f"{self.base_url}: {self._clean(problem)}; attempt {attempt + 1} in {wait:.0f} s.")
                self._sleep(wait)
            if self._stopped.is_set():
                break
        raise DivLogicError(
            f"{self.base_url}: {self._clean(problem)} after {attempt} attempts; run the same command again later,"
            " the answers so far are kept."
        )

    def stop(self) -> None:
        """End all waits: questions under way get no further attempt."""
        self._stopped.set()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _clean(self, text: str) -> str:
        """Shorten a message of the server to one line without the key."""
        if self._key:
            text = text.replace(self._key, "…")
        return " ".join(text.split())[:200]


def _answer(response: httpx.Response) -> tuple[str | None, dict[str, Any]] | None:
    """Take the text out of a chat completion; ``None`` if the body is none."""
    try:
        body = response.json()
        choice = body["choices"][0]
        text = choice["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError):
        return None
    if text is not None and not isinstance(text, str):
        return None
    reason = choice.get("finish_reason")
    details = {"finish_reason": reason, "usage": body.get("usage")}
    text = (text or "").strip()
    return (text if text and reason != "length" else None), details


def _retry_after(response: httpx.Response) -> float | None:
    """Return the seconds that the server asks to wait: a number, or a date."""
    value = response.headers.get("retry-after", "").strip()
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError):
        return None
