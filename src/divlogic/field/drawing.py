"""Items of an environment, drawn by :mod:`divlogic.field.worker` in the environment's own Python."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError

WORKER = Path(__file__).with_name("worker.py")

PACKAGES = ("divlogic", "reasoning-gym", "reasoning-core")
"""Packages that the worker adapts; any other is ``module:function``."""

_CPU = 60
"""Seconds of CPU: the slowest of the environments that were tried needs 25 for 400 items."""

_MEMORY = 4 * 1024**3
"""Bytes of address space; importing numpy, scipy and sympy takes 1.5 GiB of them."""

_WAIT = 4
"""Seconds of the clock for each second of CPU, on a machine that others use too, before a sleeper is ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """What the worker is asked for.

    Attributes:
        package: one of :data:`PACKAGES`, or ``module:function``, a callable ``(seed, index)``.
        name: of the environment; of a callable empty.
        level: of difficulty; 0 is the environment's default.
        seed: of the draw.
        size: number of items.
        first: index of the first of them.
        cpu, memory: seconds of CPU and bytes of memory that it may use.
        path: folders in which the module of a callable is looked for.
    """

    package: str
    name: str = ""
    level: int = 0
    seed: int = 0
    size: int = 400
    first: int = 0
    cpu: int = _CPU
    memory: int = _MEMORY
    path: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.package not in PACKAGES and not all(self.package.partition(":")):
            raise DivLogicError(
                f"there is no package '{self.package}'; give one of {', '.join(PACKAGES)}, or a callable as"
                " module:function."
            )
        if self.package in PACKAGES and not self.name:
            raise DivLogicError(f"'{self.package}' has many environments; name one of them.")


@dataclass(frozen=True, slots=True)
class Item:
    """One question as an environment gives it.

    Attributes:
        index: its number.
        context: the passage, where the environment tells it from the statement; else empty.
        question: the question, or the statement with what follows it.
        options: answers to choose from; ``None`` where they are not given.
        answer: the label.
        group: what it was drawn with, if the environment says so.
    """

    index: int
    context: str
    question: str
    options: tuple[str, ...] | None
    answer: str | None
    group: str | None

    @property
    def text(self) -> str:
        """Return all that a reader sees."""
        return "\n".join(filter(None, (self.context, self.question)))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Items of an environment, and why there are no more.

    Attributes:
        items: in their order.
        version: of the package; of a callable empty.
        fault: why the environment stopped early; empty if it did not.
        seconds: of CPU.
    """

    items: tuple[Item, ...]
    version: str
    fault: str
    seconds: float


def draw(job: Job, python: Path | None = None) -> Drawn:
    """Draw items in another process, which no environment outlives; whatever it does, this returns.

    Args:
        job: what is drawn.
        python: the interpreter that has the package; by default the one that runs this.

    Raises:
        DivLogicError: there is no such interpreter.
    """
    found = shutil.which(str(python or sys.executable))
    if found is None:
        raise DivLogicError(f"there is no Python at {python}; name one that has {job.package}.")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(prefix="divlogic-field-") as home:
        fault = _run(found, job, Path(home))
        said = (Path(home) / "items").read_text(encoding="utf-8", errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    items: list[Item] = []
    version, ended = "", False
    for line in said.splitlines():
        try:
            ((key, value),) = json.loads(line).items()
        except ValueError:  # the process was ended while it wrote
            continue
        if key == "version":
            version = value
        elif key == "fault":
            fault, ended = value, True
        elif key == "done":
            ended = True
        else:
            problem = _problem(value)
            if problem:
                fault, ended = f"item {value.get('index')}: {problem}", True
                break
            items.append(_item(value))
    if not ended and not fault:
        fault = "ended without a word"
    return Drawn(tuple(items), version, fault, seconds)


def _run(python: str, job: Job, home: Path) -> str:
    """Run the worker; return why it was ended, if it was."""
    environment = {
        # Nothing of the user's: no keys, no settings. One thread, and the same order of sets in every process.
        **{
            key: os.environ[key] for key in ("PATH", "LANG", "LD_LIBRARY_PATH") if key in os.environ
        },
        **dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), str(home)),
        **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with (home / "items").open("wb") as out:
        process = subprocess.Popen(
            [python, "-W", "ignore", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.DEVNULL,
            cwd=home,
            env=environment,
            start_new_session=True,
        )
        try:
            process.communicate(json.dumps(asdict(job)).encode(), timeout=_WAIT * job.cpu)
        except subprocess.TimeoutExpired:
            return f"over {_WAIT * job.cpu} seconds of the clock"
        finally:
            # Its children, too.
            _end(process)
    if process.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
        return f"over its budget of {job.cpu} CPU seconds"
    return "" if process.returncode == 0 else f"its process ended with {process.returncode}"


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _problem(row: dict[str, Any]) -> str:
    """Return what is wrong with an item, or nothing."""
    if not isinstance(row.get("question"), str) or not row["question"].strip():
        return "the question is empty or no text"
    options = row.get("options")
    if options is None:
        return ""
    if not isinstance(options, list) or not all(isinstance(one, str) for one in options):
        return "the options are no list of texts"
    if row.get("answer") is not None and row["answer"] not in options:
        return f"the answer {str(row['answer'])[:60]!r} is not one of the options"
    return ""


def _item(row: dict[str, Any]) -> Item:
    options, answer, group = row.get("options"), row.get("answer"), row.get("group")
    return Item(
        index=int(row["index"]),
        context=str(row.get("context") or ""),
        question=row["question"],
        options=None if options is None else tuple(options),
        answer=None if answer is None else str(answer),
        group=None if group is None else str(group),
    )
