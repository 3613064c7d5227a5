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
# What DVC records as whole folders: the products, and what lies between them.
RECORDED = (*PRODUCTS, "data/interim")
# Hidden files that every run has: git's, and Snakemake's, which .dvcignore leaves out.
HIDDEN = (".gitignore", ".snakemake_timestamp")
LIST = Path("data/checksums.txt")


def checksums(root: Path) -> Iterator[tuple[str, str]]:
    """Yield (path, SHA-256) of every product under ``root``, sorted by path."""
    for product in PRODUCTS:
        for path in sorted((root / product).rglob("*")):
            if path.is_file() and not path.name.startswith(
                "."
            ):  # .gitignore, Snakemake's time stamps
                yield (
                    path.relative_to(root).as_posix(),
                    hashlib.sha256(path.read_bytes()).hexdigest(),
                )


def leftovers(rules: str, untracked: list[str]) -> list[str]:
    """Return the recorded files that no job of a default run makes: an earlier version or an opt-in target made them.

    Args:
        rules: The text of the workflow's files, which name folders as ``directory("...")``.
        untracked: The lines of ``snakemake --list-untracked``, which lists the content of such folders, too.
    """
    folders = [
        re.sub(r"{\w+}", "[^/]+", found) for found in re.findall(r'directory\("([^"]+)"\)', rules)
    ]
    made = re.compile(f"(?:{'|'.join(folders)})/")
    recorded = tuple(f"{folder}/" for folder in RECORDED)
    return [path for path in untracked if path.startswith(recorded) and not made.match(path)]


def hidden(root: Path) -> list[str]:
    """Return the hidden files of the recorded folders: DVC records them, and Snakemake does not list them."""
    found = []
    for folder in RECORDED:
        for path in sorted((root / folder).rglob("*")):
            within = path.relative_to(root)
            is_hidden = any(part.startswith(".") for part in within.parts)
            if is_hidden and path.is_file() and path.name not in HIDDEN:
                found.append(within.as_posix())
    return found


def require_no_leftovers(root: Path) -> None:
    """Refuse to record a leftover: DVC records whole folders, and a fresh clone would differ from dvc.lock."""
    command = ["snakemake", "--list-untracked", "all"]
    listed = subprocess.run(command, cwd=root, text=True, capture_output=True, check=True)
    rules = "".join(path.read_text(encoding="utf-8") for path in (root / "workflow").rglob("*.smk"))
    untracked = (listed.stdout + listed.stderr).splitlines()
    if found := leftovers(rules, untracked) + hidden(root):
        raise SystemExit(
            f"{', '.join(found)}: made by no job of `snakemake all`; delete or move away, then record again."
        )


def require_own_parameters(root: Path) -> None:
    """Refuse to record what `params.yaml` does not make: dvc.lock names the parameters of that file alone."""
    command = ["snakemake", "--dry-run", "--cores", "1", "all"]
    planned = subprocess.run(command, cwd=root, text=True, capture_output=True, check=False)
    said = planned.stdout + planned.stderr
    if planned.returncode or "Nothing to be done" not in said:
        raise SystemExit(
            "These results are not those of params.yaml, and dvc.lock would name them as if they were: lay the"
            " configuration of the run over it (divlogic config lay config/FILE.yaml), run `snakemake all`, then record"
            " again."
        )


def write(root: Path) -> None:
    """Write the list of a finished run."""
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
    return (
        "produced by this run, but not recorded"
        if recorded is None
        else "other bytes than recorded"
    )


def main(arguments: list[str]) -> None:
    """Run the command line; exit with status 1 if ``check`` finds a difference."""
    if arguments == ["write"]:
        require_own_parameters(Path())
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
