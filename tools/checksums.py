"""``python -m tools.checksums write|check``: the checksum of every file that the embedded run produces.

``data/checksums.txt`` is kept in git, so that a run on another machine names the file in which it differs.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PRODUCTS = ("data/sentences", "data/benchmarks", "data/evaluation", "results")
LIST = Path("data/checksums.txt")


def checksums(root: Path) -> Iterator[tuple[str, str]]:
    """Yield (path, SHA-256) of every product under ``root``, sorted by path."""
    for product in PRODUCTS:
        for path in sorted((root / product).rglob("*")):
            if path.is_file() and not path.name.startswith(
                "."
            ):  # notes on files (divlogic.io.notes), .gitignore
                yield path.relative_to(root).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()


def leftovers(rules: str, untracked: list[str]) -> list[str]:
    """Return the interim files that no job of a default run makes: an earlier version or an opt-in target made them.

    Args:
        rules: The text of the workflow's files, which name folders as ``directory("...")``.
        untracked: The lines of ``snakemake --list-untracked``, which lists the content of such folders, too.
    """
    folders = [re.sub(r"{\w+}", "[^/]+", found) for found in re.findall(r'directory\("([^"]+)"\)', rules)]
    made = re.compile(f"(?:{'|'.join(folders)})/")
    return [path for path in untracked if path.startswith("data/interim/") and not made.match(path)]


def require_no_leftovers(root: Path) -> None:
    """Refuse to record a leftover: DVC records whole folders, and a fresh clone would differ from dvc.lock."""
    command = ["snakemake", "--list-untracked", "all"]
    listed = subprocess.run(command, cwd=root, text=True, capture_output=True, check=True)
    rules = "".join(path.read_text(encoding="utf-8") for path in (root / "workflow").rglob("*.smk"))
    if found := leftovers(rules, (listed.stdout + listed.stderr).splitlines()):
        raise SystemExit(
            f"{', '.join(found)}: made by no job of `snakemake all`; delete or move away, then record again."
        )


def drop_stale_notes(root: Path) -> None:
    """Delete notes whose file is gone: DVC records whole folders, hidden files included."""
    for folder in ("data", "results"):
        for note in (root / folder).rglob(".*.sum"):
            if not note.with_name(note.name[1:].removesuffix(".sum")).exists():
                note.unlink()


def write(root: Path) -> None:
    """Write the list of a finished run."""
    drop_stale_notes(root)
    lines = [f"{digest}  {path}\n" for path, digest in checksums(root)]
    (root / LIST).write_text("".join(lines), encoding="utf-8")


def differences(root: Path) -> list[str]:
    """Return one sentence per file that is missing, new or different from the list."""
    lines = (root / LIST).read_text(encoding="utf-8").splitlines()
    recorded = {path: digest for digest, path in (line.split("  ", 1) for line in lines)}
    found = dict(checksums(root))
    return [
        f"{path}: {_verdict(recorded.get(path), found.get(path))}"
        for path in sorted(recorded.keys() | found.keys())
        if recorded.get(path) != found.get(path)
    ]


def _verdict(recorded: str | None, found: str | None) -> str:
    if found is None:
        return "recorded, but not produced by this run"
    return "produced by this run, but not recorded" if recorded is None else "other bytes than recorded"


def main(arguments: list[str]) -> None:
    """Run the command line; exit with status 1 if ``check`` finds a difference."""
    if arguments == ["write"]:
        require_no_leftovers(Path())
        write(Path())
    elif arguments == ["check"]:
        found = differences(Path())
        if found:
            raise SystemExit(
                "\n".join([*found, f"{len(found)} files differ from {LIST}; see `make record`."])
            )
        print(f"Every file has the checksum recorded in {LIST}.")
    else:
        raise SystemExit("usage: python -m tools.checksums write|check")


if __name__ == "__main__":
    main(sys.argv[1:])
