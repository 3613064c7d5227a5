"""Where models fail: sub-questions by type, rubric atoms by group and reason, replies that cannot be read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.evaluation.llmeval_logic.scoring import Outcome
from divlogic.io.tables import write_table

COLUMNS = ("benchmark", "track", "language", "model", "kind", "what", "count", "of", "percent")
NOTE = (
    "kind sub-question: wrong answers by query type; atom: rubric atoms that do not pass, by group and reason, of all"
    " atoms of the group; level: how candidates stand to the reference; unreadable: replies without an answer, by"
    " reason, which are in no other row. Counts are over all runs; rows of the gold are left out."
)


def write_errors(outcomes: Sequence[Outcome], out: Path) -> list[dict[str, Any]]:
    """Write one row per kind of failure of each model, benchmark and track."""
    groups: dict[tuple[str, str, str, str], list[Outcome]] = defaultdict(list)
    for each in outcomes:
        if each.model != "baseline/gold":
            groups[each.benchmark, each.track, each.language, each.model].append(each)
    rows = []
    for (benchmark, track, language, model), group in sorted(groups.items()):
        for kind, what, count, total in _failures(group):
            rows.append(
                {
                    "benchmark": benchmark,
                    "track": track,
                    "language": language,
                    "model": model,
                    "kind": kind,
                    "what": what,
                    "count": count,
                    "of": total,
                    "percent": 100 * count / total if total else None,
                }
            )
    write_table(out.with_suffix(""), COLUMNS, rows, note=NOTE, floats=1)
    return rows


def _failures(group: Sequence[Outcome]) -> list[tuple[str, str, int, int]]:
    wrong: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    atoms: Counter[str] = Counter()
    levels: Counter[str] = Counter()
    unreadable: Counter[str] = Counter()
    read = 0
    for each in group:
        if each.problem:
            # A reason names places of its own reply behind the colon; what is before it recurs.
            unreadable[each.problem.split(":")[0]] += 1
            continue
        read += 1
        for kind, (right, total) in each.types.items():
            wrong[kind] += total - right
            questions[kind] += total
        for name, count in each.groups.items():
            atoms[name] += count
        missed.update(each.missed)
        levels.update([each.level] if each.level else [])
    return [
        *(("sub-question", kind, wrong[kind], questions[kind]) for kind in sorted(questions)),
        *(("atom", name, missed[name], atoms[name.split(": ")[0]]) for name in sorted(missed)),
        *(("level", name, levels[name], read) for name in sorted(levels)),
        *(("unreadable", reason, unreadable[reason], len(group)) for reason in sorted(unreadable)),
    ]
