"""What it costs to put the test split to the small language model of `make env-model`, by likelihood and generated.

    python -m perf.local_model [--instances 15] [--threads 1]

A sample of DivLogicEval's instances is asked in four rotations, as `make model` does it (one slot, the prompts of an
instance in a row, so that the server keeps what they share) and by plain requests (nothing kept). Printed are seconds
per question by the clock and of the server's processor time, and what 900 instances, 3,600 questions, take at that
rate. The clock tells of an idle machine only; processor time holds better under load, which is printed too.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import time
from pathlib import Path

from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.models.gguf import BUNDLED, serving_of
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.runner import run_model
from divlogic.models.serving.server import LocalServer
from divlogic.models.store import ResponseStore
from divlogic.records import Record, read_records

RECORDS = Path("data/benchmarks/divlogiceval/test.jsonl")
SPLIT = 3600
WANTED = {"likelihood": 15, "zero_shot": 45}
"""Minutes that the whole split may take on two idle cores."""


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(server: LocalServer, address: str, records: list[Record], style: str, *, keep: bool) -> None:
    """Ask the records in one style and print what it took."""
    assert server.pid is not None
    rows = list(rotation_rows(records, style_named(style), seed=1))
    model = ModelParameters(name=f"compatible/{BUNDLED}", base_url=address, args={"cache_prompt": keep})
    before, clock = processor_seconds(server.pid), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ResponseStore(Path(folder, "store.jsonl")) as store:
        done = run_model(
            rows,
            model,
            store,
            runs=1,
            sampling=SamplingParameters(max_tokens=16),
            limits=LimitParameters(concurrency=1),
            seed=1,
        )
    wall = (time.monotonic() - clock) / done.answered
    used = (processor_seconds(server.pid) - before) / done.answered
    name = f"{style}, {'prefixes kept' if keep else 'plain requests'}"
    print(
        f"{name:30} {done.answered:4} questions, {done.input_tokens / done.answered:4.0f} tokens each:"
        f" {wall:5.2f} s, {used:5.2f} processor seconds; {SPLIT:,}: {wall * SPLIT / 60:4.0f} min by the clock,"
        f" {used * SPLIT / 60:3.0f} min of one core (wanted: {WANTED[style]})",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    records = list(itertools.islice(read_records(RECORDS), given.instances))
    server = LocalServer(serving_of(BUNDLED, {"threads": given.threads}))
    address = server.start()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}, {given.threads} thread(s)", flush=True)
    try:
        for style, keep in itertools.product(WANTED, (True, False)):
            measure(server, address, records, style, keep=keep)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
