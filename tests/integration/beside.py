"""Programs that somebody else wrote: a browser, and those in environments of their own beside the package's."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not on PATH")


def chromium(address: str, *options: str, wait: int = 5000) -> subprocess.CompletedProcess[str]:
    """Show a page until its scripts have run: its content goes to standard output, the browser's log to the error."""
    assert CHROMIUM
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += ["--enable-logging=stderr", "--log-level=0", f"--virtual-time-budget={wait}", "--dump-dom"]
    command += [*options, address]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)


def beside(environment: str, program: str, variable: str) -> str | None:
    """Return the executable that a variable names, else that of the environment that the Makefile makes, if there."""
    made = ROOT / f".venv-{environment}" / "bin" / program
    return os.environ.get(variable) or (str(made) if made.is_file() else None)
