"""``python -m tools.package_data write|check``: what travels with the package, from what a run made.

`divlogic.create` words its items with the sentences outside a checkout; the card of a release names the
probe that is the highest on its benchmark. ``check`` compares them with the files of a finished embedded run, byte for
byte.
"""

from __future__ import annotations

import gzip
import lzma
import sys
from pathlib import Path

import orjson

TARGET = Path("src/divlogic/library/data")
FILES = {
    "groups.jsonl": Path("data/sentences/groups.jsonl.gz"),
    "statements.jsonl": Path("data/interim/benchmarks/justlogic/statements.jsonl.gz"),
    "seeds.jsonl": Path("data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz"),
}
PROBES = Path("src/divlogic/benchmarks/release/shortcuts.json")
CELLS = {
    "sees": "{sees}",
    "of": "{form}, {type}",
    "n": "{instances:,}",
    "accuracy (95 %)": "{accuracy} ({low} to {high})",
    "guessing": "{chance}",
}
SUMMARY = Path("results/prior_knowledge/shortcuts_summary.json")


def probes(root: Path) -> bytes:
    """Return rows of cells: of each benchmark and construction the highest probe without inference."""
    found = orjson.loads((root / SUMMARY).read_bytes())["benchmarks"]
    rows = [["instances", "construction", "probe", *CELLS]]
    for one in found:
        if one["construction"] != "as_published":
            cells = (text.format_map(one["worst"]) for text in CELLS.values())
            rows.append([one["benchmark"], one["construction"], "worst", *cells])
    return orjson.dumps(rows, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def content(path: Path) -> bytes:
    """Return the unpacked content of a file."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def write(root: Path = Path()) -> None:
    """Write the package's files from those of a finished run."""
    (root / TARGET).mkdir(parents=True, exist_ok=True)
    for name, source in FILES.items():
        packed = lzma.compress(content(root / source), preset=9 | lzma.PRESET_EXTREME)
        (root / TARGET / f"{name}.xz").write_bytes(packed)
    (root / PROBES).write_bytes(probes(root))


def differences(root: Path = Path()) -> list[str]:
    """Return the names of the package's files that differ from those of the run."""
    found = [
        name
        for name, source in FILES.items()
        if not (root / TARGET / f"{name}.xz").is_file()
        or lzma.decompress((root / TARGET / f"{name}.xz").read_bytes()) != content(root / source)
    ]
    same = (root / PROBES).is_file() and (root / PROBES).read_bytes() == probes(root)
    return found if same else [*found, PROBES.name]


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        write()
    elif sys.argv[1:] == ["check"]:
        if found := differences():
            sys.exit(
                f"{', '.join(found)} differ from the run; `python -m tools.package_data write`"
            )
        print("The package's data are those of the run.")
    else:
        sys.exit("usage: python -m tools.package_data write|check")
