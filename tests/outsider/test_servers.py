"""Replies with log-probabilities of a server on this machine, and which letter's they are by the text."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.outsider.test_files import run
from tests.outsider.test_rotations import ROOT, asked

Token = tuple[str, float, list[tuple[str, float]]]
# What the model writes, token by token, with alternatives. The answer is the B of the end, not that of the beginning.
WRITTEN: list[Token] = [
    ("B", -0.5, [("B", -0.5), ("A", -1.5)]),
    (" fails", -0.1, [(" fails", -0.1)]),
    ("?", -0.1, [("?", -0.1)]),
    (" No", -0.1, [(" No", -0.1)]),
    (".\n\n", -0.1, [(".\n\n", -0.1)]),
    ("Answer", -0.1, [("Answer", -0.1)]),
    (":", -0.1, [(":", -0.1)]),
    # The same token is listed twice, as some servers do: the first, likelier one holds.
    (" B", -0.25, [(" B", -0.25), (" D", -2.0), (" A", -3.0), (" C", -4.0), (" B", -9.0)]),
]


def reply() -> bytes:
    """Return a chat completion as OpenAI's reference describes it."""
    content = [
        {
            "token": token,
            "logprob": value,
            "bytes": None,
            "top_logprobs": [
                {"token": other, "logprob": number, "bytes": None} for other, number in others
            ],
        }
        for token, value, others in WRITTEN
    ]
    message = {"role": "assistant", "content": "".join(token for token, *_ in WRITTEN)}
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": "stop",
        "logprobs": {"content": content},
    }
    usage = {"prompt_tokens": 9, "completion_tokens": len(WRITTEN), "total_tokens": 17}
    return json.dumps(
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
    ).encode()


@contextmanager
def serving(requests: list[dict[str, Any]]) -> Iterator[str]:
    """Serve the reply to every question, note the requests, and give the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            requests.append(json.loads(self.rfile.read(size)))
            body = reply()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_log_probabilities_are_those_of_the_letter_that_is_the_answer(tmp_path: Path) -> None:
    rows = asked(tmp_path)
    requests: list[dict[str, Any]] = []
    out = tmp_path / "predictions.jsonl"
    with serving(requests) as address:
        status, said = run(
            *["evaluation", "run", tmp_path / "rotations.jsonl", "--model", "compatible/m"],
            *["--base-url", address, "--store", tmp_path / "answers.sqlite", "--out", out],
            *["--params", ROOT / "params.yaml"],
        )
    assert status == 0, said
    assert len(requests) == len(rows)
    predictions = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(predictions) == len(rows)
    for row in predictions:
        assert row["predicted"] == "B"
        if "logprobs" in row:
            assert row["logprobs"] == {"A": -3.0, "B": -0.25, "C": -4.0, "D": -2.0}
    assert all("logprobs" in row for row in predictions), predictions[0]
