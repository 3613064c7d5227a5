"""Files that the scripted server serves in place of models."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

SCRIPTED = Path(__file__).with_name("scripted")


def scripted_file(folder: Path, name: str = "model.gguf", **script: Any) -> Path:
    """Write a file that the scripted server serves."""
    path = folder / name
    path.write_bytes(b"GGUF" + json.dumps(script).encode())
    return path


def asked_of(path: Path) -> list[dict[str, Any]]:
    """Return the requests that the server of a file received."""
    notes = path.with_suffix(".asked")
    return (
        list(map(json.loads, notes.read_text(encoding="utf-8").splitlines()))
        if notes.exists()
        else []
    )


def scripted_environment() -> dict[str, str]:
    """Return the variables with which a run finds the scripted server."""
    path = os.pathsep.join(filter(None, [str(SCRIPTED), os.environ.get("PYTHONPATH", "")]))
    return {"PYTHONPATH": path, "DIVLOGIC_LOCAL_MODEL": sys.executable}


def alive(pid: int) -> bool:
    """Tell whether a process runs."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
