"""What a run made and found, in a few lines for the terminal."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.benchmarks.spec import Benchmark
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json

PAGES = ("index.html", "items.html", "paper.pdf")
_WARNING = re.compile(r"^(?:divlogic: )?warning\b", re.IGNORECASE)
_SHOWN = 3


def run_summary(root: Path, seconds: float, since: float) -> list[str]:
    """Return the lines: what this run made, proved and reproduced, its warnings, its time, and where to look.

    Nothing is said of a file that an earlier run wrote, nor by a report that is older than what it speaks of.

    Args:
        root: folder of the run.
        seconds: how long it took.
        since: its start; only files written from then on count (seconds since 1970).
    """
    pages = [f"results/paper/{name}" for name in PAGES if (root / "results/paper" / name).is_file()]
    made = [
        (folder, title, splits, benchmark)
        for benchmark in BENCHMARKS
        for folder, title in _folders(benchmark)
        if (splits := _splits(root / "data/benchmarks" / folder, benchmark.splits, since))
    ]
    lines = _headed("made", [_counted(title, splits) for _, title, splits, _ in made])
    lines += [
        f"{'':<12}{line}" for line in _short(root / "data/interim/benchmarks/divlogiceval/plan.json", since)
    ]
    lines += _headed(
        "verified",
        [
            _verified(root, folder, title, benchmark)
            for folder, title, _, benchmark in made
            if benchmark.generator and benchmark.generator.verify and folder == benchmark.name
        ],
    )
    # The results of an earlier version may lie here; a run that went well does not fail for a summary of them.
    with contextlib.suppress(DivLogicError):
        lines += _reproduced(root, since)
    lines += list(_warnings(root / "logs", since))
    lines.append(f"time        {int(seconds // 60)} min {int(seconds % 60)} s")
    if pages:
        lines.append(f"look at     {', '.join(pages)} (divlogic report --open)")
    return lines


def _headed(head: str, lines: list[str]) -> list[str]:
    return [f"{'' if number else head:<12}{line}" for number, line in enumerate(lines)]


def _folders(benchmark: Benchmark) -> Iterator[tuple[str, str]]:
    """Yield (folder, title) of a generated benchmark and of its twins."""
    if benchmark.generator:
        yield benchmark.name, benchmark.generated_title
        yield from benchmark.generator.twins.items()


def _splits(folder: Path, names: Sequence[str], since: float) -> dict[str, int]:
    """Return the rows of each split that this run wrote."""
    files = {name: folder / f"{name}.jsonl" for name in names}
    return {name: _rows(path) for name, path in files.items() if _written(path, since)}


def _rows(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b""))


def _written(path: Path, since: float) -> bool:
    return path.is_file() and path.stat().st_mtime >= since


def _counted(title: str, splits: dict[str, int]) -> str:
    shown = ", ".join(f"{split} {count:,}" for split, count in list(splits.items())[:4])
    return f"{title}: {shown}" + (f", … ({sum(splits.values()):,})" if len(splits) > 4 else "")


def _short(plan: Path, since: float) -> Iterator[str]:
    if not _written(plan, since):
        return
    found = read_json(plan)
    for split, wanted in found["wanted"].items():
        if found["made"][split] < wanted:
            yield (
                f"{split} of DivLogicEval: {found['made'][split]:,} of {wanted:,} wanted. No sentence serves twice, and"
                f" there are {found['groups']:,} groups of them; more captions (`make captions GROUPS=...`) give more"
                " in an embedded run, whole corpora in a full one"
            )


def _verified(root: Path, folder: str, title: str, benchmark: Benchmark) -> str:
    """Return what the solver's report says of the instances that are there, if it is newer than these."""
    path = Path("results/benchmarks") / folder / "z3.json"
    tests = [name for name in benchmark.splits if name.startswith("test")] or list(benchmark.splits)
    files = [root / "data/benchmarks" / folder / f"{name}.jsonl" for name in tests]
    newest = max((file.stat().st_mtime for file in files if file.is_file()), default=0.0)
    if not _written(root / path, newest):
        return f"{title}: not verified; run: snakemake {path}"
    report = read_json(root / path)
    return f"{title}: {report['instances']:,} instances with Z3, {report['disagreements']} contradicted"


def _reproduced(root: Path, since: float) -> Iterator[str]:
    from divlogic.paper.scoreboard import read_scoreboard, total_of

    board = root / "results/paper/scoreboard.csv"
    if _written(board, since):
        total = total_of(read_scoreboard(board))
        yield (
            f"{'reproduced':<12}{total['reproduced']} of {total['comparable']} printed numbers that can be reproduced"
            f" here, {total['near']} near"
        )


def _warnings(logs: Path, since: float) -> Iterator[str]:
    found = [
        (path, line.strip())
        for path in sorted(logs.rglob("*.log"))
        if path.stat().st_mtime >= since
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if _WARNING.match(line)
    ]
    for number, (path, line) in enumerate(found[:_SHOWN]):
        yield f"{f'warnings {len(found)}' if not number else '':<12}{path.relative_to(logs.parent)}: {line[:150]}"
