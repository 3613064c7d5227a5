"""``python -m tests.integration.sweep RUN LOG``: every rule of a finished run on every kind of damage to its inputs.

RUN is the folder of a finished run, which is copied and not changed; LOG (jsonl) gets a row per case. A sweep that is
stopped goes on after the rows of its log. At the end the table is printed: cases, and what became of them. It ends with
status 1 if a damage led to a traceback, or if a change was accepted without a word.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import orjson

from tests.contract.graph import snakemake_jobs
from tests.integration.corruption import KINDS, cases, outcome_of, problem_with

OUTCOMES = ("refused", "unchanged", "told", "source", "other", "traceback")


def rows_of(log: Path) -> list[dict[str, str]]:
    """Return the rows of a log that are whole."""
    lines = log.read_bytes().splitlines(keepends=True) if log.is_file() else []
    return [orjson.loads(line) for line in lines if line.endswith(b"\n")]


def sweep(run: Path, log: Path) -> None:
    """Try every case that the log does not have: each file with one kind of damage, then with the next."""
    done = {row["case"] for row in rows_of(log)}
    with (
        tempfile.TemporaryDirectory(prefix="divlogic-sweep-") as folder,
        log.open("ab", buffering=0) as stream,
    ):
        root = shutil.copytree(run, Path(folder, "run"), symlinks=True)
        jobs = snakemake_jobs(root)
        every = [case for turn in range(len(KINDS)) for case in cases(root, jobs, turn)]
        waiting = [case for case in every if str(case) not in done]
        for number, case in enumerate(waiting, start=1):
            begun = time.process_time()
            outcome = outcome_of(root, case)
            row = {
                "case": str(case),
                "rule": case.job.rule,
                "damage": case.damage,
                "note": "with" if case.noted else "without",
                "outcome": outcome.kind,
                "said": outcome.said,
                "problem": problem_with(outcome) or "",
                "seconds": f"{time.process_time() - begun:.2f}",
            }
            stream.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            print(f"{number} of {len(waiting)}  {outcome.kind:<10} {case}", file=sys.stderr, flush=True)


def table(rows: list[dict[str, str]]) -> str:
    """Return the number of cases by damage and note, and what became of them."""
    lines = ["| damage | note | cases | " + " | ".join(OUTCOMES) + " |", "| --- " * (3 + len(OUTCOMES)) + "|"]
    kinds = [*dict.fromkeys((row["damage"], row["note"]) for row in rows), ("all", "")]
    for damage, note in sorted(kinds):
        chosen = [row for row in rows if damage == "all" or (row["damage"], row["note"]) == (damage, note)]
        counts = Counter(row["outcome"] for row in chosen)
        cells = [damage, note, str(len(chosen)), *(str(counts[outcome]) for outcome in OUTCOMES)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="folder of a finished run")
    parser.add_argument("log", type=Path, help="rows of the cases (jsonl)")
    given = parser.parse_args()
    sweep(given.run, given.log)
    rows = rows_of(given.log)
    print(table(rows))
    problems = [row["problem"] for row in rows if row["problem"]]
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
