"""The tables of the published folder in full runs: verification, rubric audit, sensitivity, composition."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.llmeval_logic import sensitivity, verify
from divlogic.benchmarks.llmeval_logic.figures import draw_sensitivity
from divlogic.benchmarks.llmeval_logic.published import PublishedSet, read_published_items
from divlogic.benchmarks.llmeval_logic.sensitivity import TABLES
from divlogic.config.command import FOLDER
from divlogic.io.files import write_csv, write_json
from divlogic.io.log import say

PUBLIC = {"items": 196, "hard_items": 154, "hard_questions": 766, "atoms": 1101, "queries": 271}
"""Counts of the public part (data/published/llmeval_logic_composition.csv; queries and atoms: the released files)."""


def measure_published(
    source: Annotated[Path, FOLDER, "--in", "Folder of published layout."],
    *,
    out: Annotated[Path, FOLDER, "Folder of the tables."],
) -> None:
    """Verify the published items, audit their rubrics, measure sensitivity, count what is there.

    A corpus folder that could not be filled gives tables without rows, so that a full run goes on without it.
    """
    if not any((source / "base").glob("*.json")):
        say(f"{source}: LLMEval-Logic is not here; its tables stay empty.")
        for name in ("composition", "sensitivity"):
            TABLES[name].write(out / name, [])
        draw_sensitivity(out / "sensitivity", out / "sensitivity")
        for name, columns in (
            ("rubric_audit", verify.AUDIT_COLUMNS),
            ("verification", verify.COLUMNS),
        ):
            write_csv(out / f"{name}.csv", columns, [])
            write_json(out / f"{name}.json", {})
        return
    found = read_published_items(source)
    TABLES["composition"].write(out / "composition", composition(found))
    verify.audit_rubrics(source, out / "rubric_audit.csv")
    sensitivity.measure_sensitivity(source, out / "sensitivity.csv")
    draw_sensitivity(out / "sensitivity", out / "sensitivity")
    verify.verify(source, out / "verification.csv")


def composition(found: PublishedSet) -> list[dict[str, Any]]:
    """Return what a published folder holds, one row per count."""
    pairs = [zip(item.formalization.queries, item.answers, strict=True) for item in found.items]
    queries = list(chain.from_iterable(pairs))
    atoms = [atom for item in found.items if item.rubric for atom in item.rubric.atoms]
    types = Counter(query.type for query, _ in queries)
    groups = Counter(atom.group for atom in atoms)
    logics = Counter(item.logic for item in found.items)
    verdicts: Counter[tuple[str, str]] = Counter(
        (query.type, answer) for query, answer in queries if isinstance(answer, str)
    )
    majority = {
        kind: max(n for (each, _), n in verdicts.items() if each == kind) for kind, _ in verdicts
    }
    listed = [
        len(answer) for query, answer in queries if isinstance(answer, tuple) and query.targets
    ]
    counts: list[tuple[str, str, int, int | None]] = [
        ("base", "items", len(found.items), PUBLIC["items"]),
        *(("base", f"items, {logic}", n, None) for logic, n in _sorted(logics)),
        ("base", "queries", len(queries), PUBLIC["queries"]),
        *(("base", f"queries, {kind}", n, None) for kind, n in _sorted(types)),
        *(("base", f"answers, {answer}", n, None) for (_, answer), n in _sorted(verdicts)),
        ("base", "enumerations with one model", listed.count(1), None),
        ("base", "enumerations without a model", listed.count(0), None),
        ("trivial", "majority verdict", sum(majority.values()), sum(verdicts.values())),
        ("rubrics", "atoms", len(atoms), PUBLIC["atoms"]),
        *(("rubrics", f"atoms, {group}", n, None) for group, n in _sorted(groups)),
        ("rubrics", "atoms with a check", sum(atom.z3_check is not None for atom in atoms), None),
        ("hard", "items", len(found.hard), PUBLIC["hard_items"]),
        (
            "hard",
            "sub-questions",
            sum(len(item.questions) for item in found.hard),
            PUBLIC["hard_questions"],
        ),
    ]
    return [
        {"part": part, "count": name, "here": here, "of": of} for part, name, here, of in counts
    ]


def _sorted(counts: Counter[Any]) -> list[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda pair: str(pair[0]))
