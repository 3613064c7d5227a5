"""Where a report comes from.

What follows from inputs and parameters (corpora, files, pinned packages) is printed on the page and in the PDF. What
differs between two runs with the same inputs (commit, time, machine, installed packages, hashes of dvc.lock) would
change their bytes, so it goes into a file of its own that neither Snakemake nor DVC tracks.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter

from divlogic.config.keys import EXECUTION_KEYS
from divlogic.io.files import open_bytes, read_json, read_lines, read_yaml, write_json
from divlogic.io.tables import format_cell, read_table


@dataclass(frozen=True)
class Provenance:
    """What a report was made from.

    Attributes:
        parameters: (dotted name, value) of every parameter that is set and may change a byte.
        corpora: the rows of corpora.json, as text.
        inputs: (path, bytes, md5) of every file read; md5 is the hash by which DVC knows a file.
        packages: (name, version) as pinned in requirements/divlogic.lock.
        tolerances: (kind, tolerance as text).
    """

    parameters: tuple[tuple[str, str], ...]
    corpora: tuple[dict[str, str], ...]
    inputs: tuple[tuple[str, int, str], ...]
    packages: tuple[tuple[str, str], ...]
    tolerances: tuple[tuple[str, str], ...]

    @property
    def corpus_source(self) -> str:
        return dict(self.parameters).get("corpus_source", "").strip('"')


def collect_provenance(
    params: dict[str, Any],
    corpora: Path,
    inputs: Sequence[Path],
    lock: Path,
    tolerances: dict[str, str],
    root: Path,
) -> Provenance:
    """Return the provenance of a report, which names its inputs from the folder ``root``."""
    rows = read_table(corpora.with_suffix(""))
    texts = tuple({name: format_cell(cell) for name, cell in row.items()} for row in rows)
    files = tuple(
        (path.relative_to(root).as_posix(), *_size_and_md5(path)) for path in sorted(inputs)
    )
    lines = (
        re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", line)
        for _, line in read_lines(lock)
    )
    pinned = tuple((match[1], match[2]) for match in lines if match)
    return Provenance(tuple(_flat(params)), texts, files, pinned, tuple(tolerances.items()))


def read_provenance(path: Path) -> Provenance:
    """Read the provenance that `gather` wrote."""
    return TypeAdapter(Provenance).validate_python(read_json(path))


def run_provenance(root: Path) -> dict[str, Any]:
    """Return what differs from run to run: commit, time, machine, installed packages, and the outs of dvc.lock."""
    import datetime
    import platform
    from importlib import metadata

    installed = {
        (one.metadata["Name"] or "").casefold(): one.version for one in metadata.distributions()
    }
    return {
        "commit": _git(root, "rev-parse", "HEAD"),
        "uncommitted_changes": bool(_git(root, "status", "--porcelain")),
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "dvc": _dvc_outs(root / "dvc.lock"),
        "packages": {name: installed[name] for name in sorted(installed) if name},
    }


def write_run_provenance(
    *,
    out: Annotated[Path, "Where it goes; tracked neither by Snakemake nor by DVC."] = Path(
        "results/provenance.json"
    ),
) -> None:
    """Record what differs from run to run: commit, time, machine, installed packages, hashes of dvc.lock."""
    write_json(out, run_provenance(Path()))


def _dvc_outs(path: Path) -> dict[str, dict[str, str]]:
    """Return stage → path of an out → hash."""
    stages = (read_yaml(path) or {}).get("stages", {}) if path.is_file() else {}
    outs = {stage: entry.get("outs", []) for stage, entry in stages.items()}
    return {stage: {out["path"]: out.get("md5", "") for out in own} for stage, own in outs.items()}


def _git(root: Path, *arguments: str) -> str | None:
    import subprocess

    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _flat(value: Any, name: str = "") -> list[tuple[str, str]]:
    import orjson

    if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        value = {str(place): entry for place, entry in enumerate(value, start=1)}
    if isinstance(value, dict):
        start = f"{name}." if name else ""
        wanted = [
            (f"{start}{key}", inner) for key, inner in value.items() if key not in EXECUTION_KEYS
        ]
        return [pair for key, inner in wanted for pair in _flat(inner, key)]
    if value in (None, []):
        return []
    return [
        (
            name,
            ", ".join(map(str, value)) if isinstance(value, list) else orjson.dumps(value).decode(),
        )
    ]


def _size_and_md5(path: Path) -> tuple[int, str]:
    with open_bytes(path) as stream:
        data = stream.read()
    return len(data), hashlib.md5(data, usedforsecurity=False).hexdigest()
