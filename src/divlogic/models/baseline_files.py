"""The files that baselines read, and the hash that tells one state of them from another."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.files import file_sha256

NEEDS = {
    "majority": ("train",),
    "ranker": ("train",),
    "hypothesis_only": ("train",),
    "symbolic_reader": ("records", "groups"),
}
"""Files that a baseline reads, by the name of the argument."""


def fingerprint(name: str, args: dict[str, Any]) -> str:
    """Return a hash of a baseline's code, its arguments and every file it reads: other answers are not reused.

    Raises:
        DivLogicError: a file is missing.
    """
    files = {key: several(args.get(key) or ()) for key in NEEDS.get(name, ())}
    plain = sorted((key, value) for key, value in args.items() if key not in files)
    digest = hashlib.sha256(repr((name, plain)).encode())
    code = [
        str(Path(__file__).parent / module) for module in ("baselines.py", "rankers.py", "symbolic_reader.py")
    ]
    for path in [*code, *(path for key in sorted(files) for path in files[key])]:
        if not Path(path).is_file():
            raise DivLogicError(
                f"{path}: there is no such file, but baseline/{name} reads it; make it first."
            )
        digest.update(file_sha256(Path(path)).encode())
    return digest.hexdigest()


def several(paths: Any) -> list[str]:
    """Return one path or several as a list."""
    return [paths] if isinstance(paths, str) else list(paths)
