"""A stand-in for the package that serves GGUF files: its file holds, after the letters GGUF, what it is to do (JSON).

``answer``: what it says. ``crash_at``: numbers of the questions, from 1 over all its starts, at which the process dies.
``too_long``: numbers of questions that it refuses as longer than its context, while that is shorter than 8,192 tokens.
``refuse``: the error with which the file cannot be loaded. Each question is noted in the file's folder, with
the server's process.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

llama_flash_attn_type = SimpleNamespace(LLAMA_FLASH_ATTN_TYPE_DISABLED="no flash attention")
ggml_type = SimpleNamespace(GGML_TYPE_F32="single precision")


class CommonParams:
    """Takes whatever is set."""

    def __init__(self) -> None:
        self.model = SimpleNamespace(path="")
        self.cpuparams, self.cpuparams_batch = (
            SimpleNamespace(n_threads=0),
            SimpleNamespace(n_threads=0),
        )
        self.port = 0
        self.n_parallel = 0
        self.hostnames: list[str] = []


class Server:
    """Serves the script of the file."""

    def __init__(self, given: Any) -> None:
        path = Path(given.model.path)
        script = json.loads(path.read_bytes()[4:] or b"{}")
        notes = path.with_suffix(".asked")
        threads = (given.n_parallel, given.cpuparams.n_threads, given.cpuparams_batch.n_threads)
        if threads != (1, 1, 1):
            script["refuse"] = f"slots and threads are {threads}"
        if (given.flash_attn_type, given.cache_type_k) != (
            "no flash attention",
            "single precision",
        ):
            script["refuse"] = "answers would depend on what was asked before"
        if "refuse" in script:
            print(f"0.00.1 E llama_model_load: {script['refuse']}", file=sys.stderr, flush=True)
            raise RuntimeError("Failed to init server, please check the input params.")

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                # Unbuffered, so that two servers that note a question at once still count to different numbers.
                with notes.open("ab", buffering=0) as stream:
                    stream.write((json.dumps(request | {"server": os.getpid()}) + "\n").encode())
                    end = stream.tell()
                number = notes.read_bytes()[:end].count(b"\n")
                if number in script.get("crash_at", ()):
                    os.kill(os.getpid(), signal.SIGKILL)
                refused = number in script.get("too_long", ()) and given.n_ctx < 8192
                reply = (
                    {"error": {"code": 400, "type": "exceed_context_size_error"}}
                    if refused
                    else _completion(script.get("answer", "Answer: A"), request)
                )
                body = json.dumps(reply).encode()
                self.send_response(400 if refused else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        try:
            self._server = HTTPServer((given.hostnames[0], given.port), Handler)
        except OSError as error:
            print(
                f"0.00.1 E srv start: couldn't bind HTTP server socket, port: {given.port}",
                file=sys.stderr,
                flush=True,
            )
            raise RuntimeError("Failed to init server, please check the input params.") from error
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.listening_address = f"http://{given.hostnames[0]}:{self._server.server_port}"


def _completion(answer: str, request: dict[str, Any]) -> dict[str, Any]:
    letter = answer.strip()[-1]
    said = letter if request.get("max_tokens") == 1 else answer
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": said},
        "finish_reason": "stop",
    }
    if request.get("logprobs"):
        top = [
            {"token": name, "logprob": math.log(0.7 if name == letter else 0.1), "bytes": None}
            for name in "ABCD"
        ]
        choice["logprobs"] = {
            "content": [{"token": letter, "logprob": -0.4, "bytes": None, "top_logprobs": top}]
        }
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
    return {"model": "scripted", "choices": [choice], "usage": usage}
