"""Programs that somebody else wrote: a browser, and those in environments of their own beside the package's."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
_is_there = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not on PATH")


def needs_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that shows a page: on a busy machine the browser may not come up in time."""
    return pytest.mark.late(_is_there(test))


def chromium(address: str, *options: str, wait: int = 5000) -> subprocess.CompletedProcess[str]:
    """Show a page until its scripts have run: its content goes to standard output, the browser's log to the error."""
    assert CHROMIUM
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        # Where /dev/shm is small, as in containers, the browser would crash on larger pages.
        "--disable-dev-shm-usage",
        "--disable-background-networking",
    ]
    command += [
        "--enable-logging=stderr",
        "--log-level=0",
        f"--virtual-time-budget={wait}",
        "--dump-dom",
    ]
    command += [*options, address]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)


def title_of(address: str, *options: str, wait: int = 5000) -> Any:
    """Show a page until its scripts have run, and return what they have written into its title (JSON)."""
    shown = chromium(address, *options, wait=wait).stdout.partition("<iframe")[0]
    title = re.search(r"<title>(.*?)</title>", shown, re.DOTALL)
    assert title, shown[:500]
    return json.loads(html.unescape(title[1]))


def beside(environment: str, program: str, variable: str) -> str | None:
    """Return the executable that a variable names, else that of the environment that the Makefile makes, if there."""
    made = ROOT / f".venv-{environment}" / "bin" / program
    return os.environ.get(variable) or (str(made) if made.is_file() else None)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def started(
    command: Sequence[object], folder: Path, port: int, **environment: str
) -> Iterator[None]:
    """Run a server until it is no longer needed, from when its port takes connections; its log is kept in a folder."""
    log = folder / "server.log"
    with log.open("wb") as out:
        given = {"cwd": folder, "env": os.environ | environment}
        process = subprocess.Popen([*map(str, command)], stdout=out, stderr=out, **given)  # type: ignore[call-overload]
    deadline = time.monotonic() + 120
    while not _answers(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError(
                f"the server did not come up:\n{log.read_text(encoding='utf-8')[-2000:]}"
            )
        time.sleep(0.1)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=120)


def _answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
