"""A server on loopback that speaks the chat completion protocol and misbehaves on demand."""

from __future__ import annotations

import json
import math
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler", str, int], object]
"""Called with (handler, prompt, how often this prompt was asked before).

An answer is given unless it replies itself or returns true.
"""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    behaviour: Behaviour
    answer: Callable[[str], str]
    asked: Counter[str]
    lock: threading.Lock
    headers_seen: list[dict[str, str]]
    paths: list[str]
    bodies: list[dict[str, object]]

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = self.prompt_of(request)
        with self.lock:
            before = self.asked[prompt]
            self.asked[prompt] += 1
            self.bodies.append(request)
            self.headers_seen.append(dict(self.headers))
            self.paths.append(self.path)
        self.replied = False
        if not self.is_served(self.path.partition("?")[0]):
            self.reply(404, b"no such path")
        elif not (type(self).behaviour(self, prompt, before) or self.replied):
            self.say(type(self).answer(prompt))

    def prompt_of(self, request: dict[str, Any]) -> str:
        """Return the question of a request."""
        return str(request["messages"][-1]["content"])

    def is_served(self, path: str) -> bool:
        """Return whether there is anything at a path."""
        return path in ("/v1/chat/completions", "/v1")  # "/v1?key/chat/completions"

    def say(
        self,
        text: str | None,
        refusal: str | None = None,
        logprobs: dict[str, float] | None = None,
        usage: object = None,
        finish_reason: str = "stop",
    ) -> None:
        message = {"role": "assistant", "content": text, "refusal": refusal}
        choice: dict[str, object] = {"index": 0, "message": message, "finish_reason": finish_reason}
        if logprobs is not None:
            top = [
                {"token": token, "logprob": math.log(p), "bytes": None}
                for token, p in logprobs.items()
            ]
            choice["logprobs"] = {
                "content": [{"token": text, "logprob": -0.1, "bytes": None, "top_logprobs": top}]
            }
        usage = usage or {"prompt_tokens": 50, "completion_tokens": 3, "total_tokens": 53}
        self.reply(200, json.dumps({"model": "fake", "choices": [choice], "usage": usage}).encode())

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.replied = True
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that gave up waiting or was killed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(
    behaviour: Behaviour = lambda *_: False,
    answer: Callable[[str], str] = lambda p: "Answer: A",
    port: int = 0,
    handler: type[Handler] = Handler,
) -> Iterator[tuple[str, type[Handler]]]:
    """Serve on a port, a free one unless given; yield the address (ending in /v1) and the handler class.

    The class is one of its own, derived from ``handler``.
    """
    members = {
        "behaviour": staticmethod(behaviour),
        "answer": staticmethod(answer),
        "asked": Counter(),
        "lock": threading.Lock(),
        "headers_seen": [],
        "paths": [],
        "bodies": [],
    }
    own = type("OwnHandler", (handler,), members)
    server = _Server(("127.0.0.1", port), own)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", own
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def at_first(status: int, body: bytes, **headers: str) -> Behaviour:
    """Reply so to the first attempt."""
    return lambda handler, prompt, before: (
        None if before else handler.reply(status, body, **headers)
    )


rate_limited = at_first(429, b"slow down", Retry_After="0.05")
broken_inside = at_first(500, b"<html>oops</html>")
malformed = at_first(200, b'{"choices": [{"message": {"content": "Answer: A"')
another_shape = at_first(200, b'{"output": "Answer: A"}')


def hanging(handler: Handler, prompt: str, before: int) -> bool:
    """Say nothing to the first attempt, and keep the connection open."""
    return before == 0


def cut_stream(handler: Handler, prompt: str, before: int) -> bool:
    if before == 0:
        handler.send_response(200)
        handler.send_header("Content-Length", "5000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [{"mess')
        handler.wfile.flush()
        handler.close_connection = True
    return before == 0
