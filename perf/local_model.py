"""What it costs to put the test split to the small language model of `make env-model`, by likelihood and generated.

    python -m perf.local_model [--instances 15] [--style likelihood] [--engine transformers --precision bfloat16]

A sample of DivLogicEval's instances is asked in four rotations, as `make model` does it (one slot, the prompts of an
instance in a row, so that the server keeps what they share) and by plain requests (nothing kept). Printed are seconds
per question by the clock and of the server's processor time, and what 900 instances, 3,600 questions, take at that
rate; at last, how many answers, with log-probabilities, are the same in both. The clock tells of an idle machine only;
processor time holds better under load, which is printed too.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.models.gguf import BUNDLED, serving_of
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import ResponseStore, requests_of
from divlogic.models.runner import run_requests
from divlogic.models.serving.provider import LocalServer
from divlogic.records import Record, read_records
from perf.machine import machine

RECORDS = Path("data/benchmarks/divlogiceval/test.jsonl")
SPLIT = 3600
WANTED = {"likelihood": 15, "zero_shot": 45}
"""Minutes that the whole split may take on two idle cores."""


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(
    server: LocalServer, address: str, records: list[Record], style: str, *, keep: bool
) -> tuple[float, dict[str, Any]]:
    """Ask the records in one style and print what it took.

    Returns:
        Processor seconds per question, and each answer with its log-probabilities by its instance and rotation.
    """
    assert server.pid is not None
    rows = list(rotation_rows(records, style_named(style), seed=1))
    model = ModelParameters(
        name=f"compatible/{BUNDLED}", base_url=address, args={"cache_prompt": keep}
    )
    before, clock = processor_seconds(server.pid), time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        ResponseStore(Path(folder, "store.jsonl")) as store,
    ):
        sampling = SamplingParameters(max_tokens=16)
        requests = list(requests_of(rows, model, 1, sampling))
        limits = LimitParameters(concurrency=1)
        done = run_requests(requests, model, store, sampling=sampling, limits=limits, seed=1)
        said = {
            f"{request.question.instance} {request.question.rotation}": (
                response.answer,
                response.logprobs,
            )
            for request in requests
            if (response := request.stored(store.responses))
        }
    wall = (time.monotonic() - clock) / done.answered
    used = (processor_seconds(server.pid) - before) / done.answered
    name = f"{style}, {'prefixes kept' if keep else 'plain requests'}"
    print(
        f"{name:30} {done.answered:4} questions, {done.input_tokens / done.answered:4.0f} tokens each:"
        f" {wall:5.2f} s, {used:5.2f} processor seconds; {SPLIT:,}: {wall * SPLIT / 60:4.0f} min by the clock,"
        f" {used * SPLIT / 60:3.0f} min of one core (wanted: {WANTED[style]})",
        flush=True,
    )
    return used, said


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--style", choices=list(WANTED), action="append")
    parser.add_argument("--engine", choices=["llama.cpp", "transformers"], default="llama.cpp")
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    given = parser.parse_args()
    records = list(itertools.islice(read_records(RECORDS), given.instances))
    args = {name: getattr(given, name) for name in ("threads", "engine", "precision")}
    server = LocalServer(serving_of(BUNDLED, args))
    address = server.start()
    print(machine(), *args.values(), flush=True)
    try:
        for style in given.style or WANTED:
            kept, said = measure(server, address, records, style, keep=True)
            plain, again = measure(server, address, records, style, keep=False)
            same = sum(said[name] == answer for name, answer in again.items())
            print(
                f"plain / kept: {plain / kept:.1f}; the same answer: {same} of {len(again)}",
                flush=True,
            )
    finally:
        server.stop()


if __name__ == "__main__":
    main()
