"""Snakemake's log with one line per job: how many are done, the rule and its wildcards, and the seconds that it took.

The profile under profiles/default chooses it (``logger: divlogic``). Of a job that takes long, the last line of its own
log is shown as it changes, such as the bar of a model that is asked; on a terminal it is one line that is rewritten.
"""

from __future__ import annotations

import difflib
import re
import shutil
import sys
import threading
import time
from dataclasses import dataclass, field
from logging import LogRecord
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

_TERMINAL = sys.stderr.isatty()
_LONG = 10.0
"""Seconds after which a running job shows the last line of its log, and between two such looks."""

_BETWEEN = 0.0 if _TERMINAL else 60.0
"""Seconds for which a line of a job stands before its next one, where a line is not rewritten."""

_SILENT = (
    LogEvent.JOB_STARTED,
    LogEvent.SHELLCMD,
    LogEvent.RESOURCES_INFO,
    LogEvent.WORKFLOW_STARTED,
)
_NOISE = (
    "Select jobs to execute",
    "Assuming unrestricted",
    "Using workflow specific profile",
    "Conda env",
    "host:",
)

_HINTS = {
    "exit status 137": "divlogic: the job was killed (signal 9), as the system does where memory runs out; run the same"
    " command again, with fewer --cores if it happens again.",
    "clock skew": "divlogic: the clock of this machine is behind the file's time; correct the clock or the time"
    " (touch FILE), and run the same command again.",
}
"""What is to be done, by what Snakemake says."""


@dataclass
class Job:
    """A job that runs: its name, the time it started, its logs, and the line that was shown last."""

    name: str
    logs: list[str]
    started: float = field(default_factory=time.monotonic)
    shown: str = ""
    looked: float = -_BETWEEN

    def last_line(self) -> str:
        """Return the last line of its logs; empty if there is none yet."""
        for path in map(Path, self.logs):
            if path.is_file():
                text = (
                    path.read_bytes()[-2000:].decode("utf-8", "replace").replace("\r", "\n").strip()
                )
                return text.rpartition("\n")[2][:160]
        return ""


class LogHandler(LogHandlerBase):
    """Writes to standard error; a dry run has Snakemake's own form."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False  # everything but jobs has Snakemake's form
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self._running: dict[int, Job] = {}
        self._finished: Job | None = None
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def emit(self, record: LogRecord) -> None:
        """Write a record: jobs as one line each when they end, the rest as Snakemake writes it."""
        event = getattr(record, "event", None)
        with self._lock:
            if self.common_settings.dryrun or event not in (*LogEvent,):
                if self.common_settings.dryrun or not record.getMessage().startswith(_NOISE):
                    self._write(self.format(record))
            elif event == LogEvent.JOB_INFO:
                values = getattr(record, "wildcards", None) or {}
                name = " ".join([record.__dict__["rule_name"], *map(str, values.values())])
                self._running[record.__dict__["jobid"]] = Job(
                    name, list(getattr(record, "log", None) or ())
                )
            elif event == LogEvent.JOB_FINISHED:
                self._finished = self._running.pop(record.__dict__["job_id"], None)
            elif event == LogEvent.PROGRESS and self._finished:
                done, total = record.__dict__["done"], record.__dict__["total"]
                seconds = time.monotonic() - self._finished.started
                self._write(
                    f"[{done:>{len(str(total))}}/{total}] {self._finished.name}  {seconds:.1f} s"
                )
            elif event not in (*_SILENT, LogEvent.PROGRESS):
                self._write(self.format(record))

    def _watch(self) -> None:
        while True:
            time.sleep(_LONG)
            self.show_running()

    def show_running(self) -> None:
        """Write the last line of the log of each job that runs long, where it has changed."""
        with self._lock:
            for job in self._running.values():
                line, now = job.last_line(), time.monotonic()
                if (
                    line
                    and line != job.shown
                    and now >= max(job.started + _LONG, job.looked + _BETWEEN)
                ):
                    job.shown, job.looked = line, now
                    width = shutil.get_terminal_size().columns - 1 if _TERMINAL else None
                    self._write(
                        f"        {job.name}: {line}"[:width], end="" if _TERMINAL else "\n"
                    )

    def _write(self, text: str, end: str = "\n") -> None:
        """Write a text; on a terminal it stands in the place of a running job's line, which has no end."""
        if unknown := re.search(r"No rule to produce (\S+)", text := text or ""):
            text += nearest_target(unknown[1], Path())
        for sign, hint in _HINTS.items():
            text += f"\n{hint}" if sign in text else ""
        if text and text != "None":
            print("\r\033[K" * _TERMINAL + text, file=sys.stderr, flush=True, end=end)


def nearest_target(target: str, folder: Path) -> str:
    """Return a question that names the rule or file that a target may have meant; empty if none is near."""
    files = [folder / "Snakefile", *sorted((folder / "workflow").rglob("*.smk"))]
    rules = "".join(path.read_text(encoding="utf-8") for path in files if path.is_file())
    known = re.findall(r'^rule (\w+):|"((?:data|results)/[^"{}]+)"', rules, re.MULTILINE)
    near = difflib.get_close_matches(target, [rule or file for rule, file in known], 1, cutoff=0.75)
    return f"\nDid you mean '{near[0]}'?" if near else ""
