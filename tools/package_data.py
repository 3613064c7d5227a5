"""``python -m tools.package_data write|check``: the sentences that travel with the package, from what a run made.

`divlogic.create` words its items with them outside a checkout. ``check`` compares them with the files of a finished
embedded run, byte for byte.
"""

from __future__ import annotations

import gzip
import lzma
import sys
from pathlib import Path

TARGET = Path("src/divlogic/library/data")
FILES = {
    "groups.jsonl": Path("data/sentences/groups.jsonl.gz"),
    "statements.jsonl": Path("data/interim/benchmarks/justlogic/statements.jsonl"),
    "seeds.jsonl": Path("data/interim/benchmarks/llmeval_logic/seeds.jsonl"),
}


def content(path: Path) -> bytes:
    """Return the unpacked content of a file."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def write(root: Path = Path()) -> None:
    """Write the package's files from those of a finished run."""
    (root / TARGET).mkdir(parents=True, exist_ok=True)
    for name, source in FILES.items():
        packed = lzma.compress(content(root / source), preset=9 | lzma.PRESET_EXTREME)
        (root / TARGET / f"{name}.xz").write_bytes(packed)


def differences(root: Path = Path()) -> list[str]:
    """Return the names of the package's files that differ from those of the run."""
    return [
        name
        for name, source in FILES.items()
        if not (root / TARGET / f"{name}.xz").is_file()
        or lzma.decompress((root / TARGET / f"{name}.xz").read_bytes()) != content(root / source)
    ]


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        write()
    elif sys.argv[1:] == ["check"]:
        if found := differences():
            sys.exit(
                f"{TARGET}: {', '.join(found)} differ from the run; `python -m tools.package_data write`"
            )
        print("The package's sentences are those of the run.")
    else:
        sys.exit("usage: python -m tools.package_data write|check")
