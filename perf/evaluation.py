"""Speed of the evaluation phase: scoring a million recorded rotations, and the overhead of a model run.

Run with: python -m perf.evaluation [--rotations 1000000] [--calls 3600] [--out results.json]

The run is compared, on the same machine and in the same minute, with the least that asyncio and httpx can do: the same
requests, at the same concurrency, against the same local server that answers at once, keeping nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from divlogic.evaluation.metrics import read_answers, score_all
from divlogic.models.answers import Letters
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import ClosedQuestion, ResponseStore, requests_of
from divlogic.models.runner import run_requests
from perf.machine import machine

SAID = tuple(
    form.format(letter)
    for letter in "ABCD"
    for form in (
        "Answer: {}",
        "The answer is ({}).",
        "**Answer: {}**",
        "{}. The kettle hums in the hall.",
    )
)
CONCURRENCY = 16
REPEATS = 3
REPLY = orjson.dumps(
    {
        "model": "instant",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Answer: B"},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 3, "total_tokens": 103},
    }
)


def score_rotations(folder: Path, rotations: int) -> dict[str, Any]:
    """Time reading, parsing, scoring and bootstrapping recorded rotations, on one core."""
    path = folder / "predictions.jsonl"
    _write_recorded(path, rotations)
    start, cpu = time.perf_counter(), time.process_time()
    answers = read_answers([path])
    read = time.perf_counter()
    scores = score_all(answers, seed=1)
    end = time.perf_counter()
    return {
        "rotations": rotations,
        "megabytes": path.stat().st_size / 1e6,
        "read_and_parse_seconds": read - start,
        "score_seconds": end - read,
        "total_seconds": end - start,
        "cpu_seconds": time.process_time() - cpu,
        "rotations_per_second": rotations / (end - start),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "scores": len(scores),
    }


def run_overhead(folder: Path, calls: int) -> dict[str, Any]:
    """Time a run against an instant server, and a bare client making the same calls."""
    rows = [
        ClosedQuestion(
            "b",
            "zero_shot",
            str(n // 4),
            f"Call {n}. " + "The kettle hums. " * 40,
            "B",
            Letters(),
            n % 4,
        )
        for n in range(calls)
    ]
    with _instant_server() as address:
        _bare(address, rows[:200])
        _ours(folder / "warm.sqlite", address, rows[:200])
        bare, ours = [], []
        for number in range(REPEATS):
            bare.append(_timed(lambda: _bare(address, rows)))
            store = folder / f"store{number}.sqlite"
            ours.append(_timed(lambda store=store: _ours(store, address, rows)))
        reuse = _timed(lambda: _ours(folder / "store0.sqlite", address, rows))
    return {
        "calls": calls,
        "concurrency": CONCURRENCY,
        "bare_seconds": bare,
        "run_seconds": ours,
        "overhead_factor": statistics.median(ours) / statistics.median(bare),
        "reuse_seconds": reuse,
    }


def _ours(store: Path, address: str, rows: list[ClosedQuestion]) -> None:
    with ResponseStore(store) as opened:
        model, sampling = (
            ModelParameters(name="compatible/instant", base_url=address),
            SamplingParameters(),
        )
        summary = run_requests(
            list(requests_of(rows, model, 1, sampling)),
            model,
            opened,
            sampling=sampling,
            limits=LimitParameters(concurrency=CONCURRENCY),
            seed=1,
        )
    assert summary.unanswered == 0


def _bare(address: str, rows: list[ClosedQuestion]) -> None:
    import httpx

    async def main() -> None:
        queue = iter(rows)
        async with httpx.AsyncClient(timeout=60) as client:

            async def work() -> None:
                for row in queue:
                    body = {
                        "model": "instant",
                        "messages": [{"role": "user", "content": row.input}],
                    }
                    reply = await client.post(f"{address}/chat/completions", json=body)
                    assert reply.json()["choices"][0]["message"]["content"]

            await asyncio.gather(*(work() for _ in range(CONCURRENCY)))

    asyncio.run(main())


def _timed(action: Callable[[], None]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


@contextmanager
def _instant_server() -> Iterator[str]:
    """Serve the same reply at once, from a process of its own."""
    parent, child = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(child,), daemon=True
    )
    process.start()
    try:
        yield f"http://127.0.0.1:{parent.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def _serve(pipe: Any) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(
        REPLY
    )

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                header = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in header.lower().split(b"\r\n")
                    if line.startswith(b"content-length")
                )
                await reader.readexactly(length)
                writer.write(head + REPLY)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def main() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def _write_recorded(path: Path, rotations: int) -> None:
    rng = np.random.default_rng(0)
    letters, said = rng.integers(0, 4, rotations // 4), rng.integers(0, len(SAID), rotations)
    types = ("3c1e", "3e1c", "missing_premise")
    with path.open("wb") as stream:
        for n in range(rotations):
            instance, rotation = divmod(n, 4)
            row = {
                "benchmark": "divlogiceval",
                "model": "recorded",
                "prompt": "zero_shot",
                "run": 0,
                "instance": f"divlogiceval-test-{instance:06d}",
                "rotation": rotation,
                "question_type": types[instance % 3],
                "gold": "ABCD"[(int(letters[instance]) - rotation) % 4],
                "answer": SAID[said[n]],
            }
            stream.write(orjson.dumps(row) + b"\n")


def main() -> None:
    """Measure both and print (or write) the figures as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rotations", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=3600)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        figures = {
            "machine": machine(),
            "score": score_rotations(Path(name), arguments.rotations),
            "run": run_overhead(Path(name), arguments.calls),
        }
    text = json.dumps(figures, indent=2)
    if arguments.out:
        arguments.out.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
