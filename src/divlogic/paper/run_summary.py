"""What a run made and found, in a few lines for the terminal."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
from divlogic.paper.findings import read_findings

PAGES = ("index.html", "items.html", "paper.pdf")
_WARNING = re.compile(r"^(?:divlogic: )?warning\b", re.IGNORECASE)
_SHOWN = 3


def run_summary(root: Path, seconds: float, since: float) -> list[str]:
    """Return the lines: what was made of what was wanted, what was found, warnings, time, and where to look.

    Args:
        root: folder of the run.
        seconds: how long it took.
        since: only logs written from this time on (seconds since 1970) count for the warnings.
    """
    findings = root / "data/interim/paper/findings.json"
    plan = root / "data/interim/benchmarks/divlogiceval/plan.json"
    pages = [f"results/paper/{name}" for name in PAGES if (root / "results/paper" / name).is_file()]
    lines: list[str] = []
    # The results of an earlier version may lie here; a run that went well does not fail for a summary of them.
    with contextlib.suppress(DivLogicError, KeyError):
        if plan.is_file() and not _follows(findings, plan):
            lines += _planned(read_json(plan))
        elif findings.is_file():
            lines += _made(read_findings(findings))
    with contextlib.suppress(DivLogicError):
        lines += _reproduced(root)
    lines += list(_warnings(root / "logs", since))
    lines.append(f"time        {int(seconds // 60)} min {int(seconds % 60)} s")
    if pages:
        lines.append(f"look at     {', '.join(pages)} (divlogic report --open)")
    return lines


def _follows(findings: Path, plan: Path) -> bool:
    """Return whether the findings were written after the instances were planned: a run of one phase writes none."""
    return findings.is_file() and findings.stat().st_mtime >= plan.stat().st_mtime


def _planned(plan: dict[str, Any]) -> Iterator[str]:
    for number, (split, wanted) in enumerate(plan["wanted"].items()):
        head = f"{'made' if not number else '':<12}"
        if plan["made"][split] == wanted:
            yield f"{head}{split} of DivLogicEval: {wanted:,}"
        else:
            yield head + _short(split, plan["made"][split], wanted, plan["groups"])


def _short(split: str, made: int, wanted: int, groups: int) -> str:
    return (
        f"{split} of DivLogicEval: {made:,} of {wanted:,} wanted. No sentence serves twice, and there are {groups:,}"
        " groups of them; more captions (corpora.captions.groups) give more in an embedded run, whole corpora in a"
        " full one"
    )


def _made(found: dict[str, Any]) -> Iterator[str]:
    for number, one in enumerate(found["made"]):
        splits = ", ".join(f"{split} {count:,}" for split, count in list(one["splits"].items())[:4])
        more = f", … ({one['total']:,})" if len(one["splits"]) > 4 else ""
        yield f"{'made' if not number else '':<12}{one['title']}: {splits}{more}"
    for one in found["plan"]:
        if one["made"] < one["wanted"]:
            yield f"{'':<12}" + _short(one["split"], one["made"], one["wanted"], found["groups"])
    confirmed = found["confirmed"]
    yield f"{'confirmed':<12}{confirmed['instances']:,} instances with Z3, {confirmed['disagreements']} contradicted"


def _reproduced(root: Path) -> Iterator[str]:
    from divlogic.paper.scoreboard import read_scoreboard, total_of

    board = root / "results/paper/scoreboard.csv"
    if board.is_file():
        total = total_of(read_scoreboard(board))
        numbers = f"{total['reproduced']} of {total['comparable']}"
        yield f"{'reproduced':<12}{numbers} printed numbers that can be reproduced here"


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
