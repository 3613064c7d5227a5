"""Programs that somebody else wrote, in environments of their own beside the package's."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def beside(environment: str, program: str, variable: str) -> str | None:
    """Return the executable that a variable names, else that of the environment that the Makefile makes, if there."""
    made = ROOT / f".venv-{environment}" / "bin" / program
    return os.environ.get(variable) or (str(made) if made.is_file() else None)
