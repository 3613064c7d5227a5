"""The machine that a measurement is from, and what a command takes on it."""

from __future__ import annotations

import os
import platform
import re
import resource
import subprocess
import time
from pathlib import Path
from typing import Any


def machine() -> str:
    """Return the system, the processor's model, cores, memory and load, in a line."""
    model = memory = None
    if Path("/proc/cpuinfo").exists():  # on Linux `platform.processor` is empty
        model = re.search(
            r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE
        )
        memory = re.search(r"\d+", Path("/proc/meminfo").read_text("utf-8"))
    return (
        f"machine: {platform.platform()}, {model[1] if model else platform.processor() or platform.machine()},"
        f" {os.cpu_count()} cores, {f'{int(memory[0]) / 2**20:.0f} GiB' if memory else 'unknown'} memory,"
        f" load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}"
    )


def timed(
    command: list[str], **options: Any
) -> tuple[subprocess.CompletedProcess[str], float, float]:
    """Run a command; return what it left, its seconds by the clock, and CPU seconds of all its processes."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, **options)
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
