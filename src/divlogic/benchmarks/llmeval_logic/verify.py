"""Verification of gold answers, each query decided twice; audit of rubrics: atoms that the gold itself fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.published import read_published_items
from divlogic.benchmarks.llmeval_logic.rubric import query_standing, standings
from divlogic.benchmarks.llmeval_logic.schema import EVALUATION_ONLY, Item, read_items
from divlogic.errors import DivLogicError
from divlogic.io.files import write_csv, write_json
from divlogic.io.log import say
from divlogic.logic.deciding import decide
from divlogic.logic.theory import answer_text

COLUMNS = (
    "item",
    "query",
    "type",
    "logic",
    "gold",
    "answer",
    "agrees",
    "status",
    "satisfiable",
    "by",
)
_STANDINGS = ("entailed", "not_entailed", "unaligned", "unreadable", "undecided")
AUDIT_COLUMNS = ("item", "atom", "group", "mode", "standing", "symbol")


def verify(source: Path, out: Path) -> dict[str, Any]:
    """Decide every query of a set of items twice and write one row per query.

    Args:
        source: a folder of published layout, or a jsonl file of own items.
        out: the table (csv); the counts go into the same name with the suffix ``.json``.

    Returns:
        The counts.

    Raises:
        DivLogicError: an item cannot be read, two deciders disagree, a gold answer is undecided or not what they say,
            or the premises of an own item contradict each other without its saying so. The table is written first.
    """
    return write_verification(source, *read_any(source), out)


def write_verification(
    source: Path, items: list[Item], unread: list[str], out: Path | None
) -> dict[str, Any]:
    """Do as :func:`verify`, of a source's items and what could not be read in it; without ``out`` write nothing."""
    rows, wrong = verified(items)
    counts = _counts(items, rows)
    if out is not None:
        write_csv(out, COLUMNS, [[row[name] for name in COLUMNS] for row in rows])
        write_json(out.with_suffix(".json"), counts)
        say(
            f"{source}: {counts['agree']:,} of {counts['queries']:,} answers of {counts['items']:,} items are"
            f" confirmed, {counts['decided_twice']:,} decided twice, {counts['bounded']:,} of these bounded."
        )
    if unread or wrong:
        named = [*unread, *wrong]
        raise DivLogicError(
            "; ".join(named[:5]) + (f"; and {len(named) - 5} more" if len(named) > 5 else "")
        )
    return counts


def read_any(source: Path) -> tuple[list[Item], list[str]]:
    """Return the items of a folder of published layout or of a jsonl file, and what could not be read."""
    if source.is_dir():
        found = read_published_items(source)
        for note in found.notes:
            say(f"note: {note}")
        return found.items, found.problems
    return list(read_items(source)), []


def verified(items: Iterable[Item]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return one row per query, and a sentence for every item whose gold does not hold."""
    rows: list[dict[str, Any]] = []
    wrong: list[str] = []
    for item in items:
        where, queries = f"{item.source or 'the items'}, item {item.id}", item.formalization.queries
        decision = decide(item.formalization, where=where)
        own = item.formalization.licence != EVALUATION_ONLY
        if own and decision.satisfiable is not None and decision.satisfiable == item.contradictory:
            state = "agree with" if decision.satisfiable else "contradict"
            said = f"its premises {state} each other and it says otherwise"
            wrong.append(f"{where}: {said}; correct them or `contradictory`")
        for query, verdict, gold in zip(queries, decision.verdicts, item.answers, strict=True):
            agrees = verdict.answer == gold
            given, said = answer_text(gold), answer_text(verdict.answer)
            named = (
                item.id,
                query.id,
                query.type,
                item.logic,
                given,
                said,
                "yes" if agrees else "no",
            )
            satisfiable = {True: "yes", False: "no", None: ""}[decision.satisfiable]
            cells = (*named, verdict.status, satisfiable, "+".join(decision.by))
            rows.append(dict(zip(COLUMNS, cells, strict=True)))
            if verdict.answer is None:
                wrong.append(f"{where}, {query.id}: undecided within the resource limit")
            elif not agrees:
                answers = f"the gold answer is {given} and the premises say {said}"
                wrong.append(f"{where}, {query.id}: {answers}; correct it")
    return rows, wrong


def _counts(items: Sequence[Item], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    status = Counter(row["status"] for row in rows)
    return {
        "items": len(items),
        "queries": len(rows),
        "agree": sum(row["agrees"] == "yes" for row in rows),
        "decided_twice": status["decided"] + status["bounded"],
        **{name: status[name] for name in ("bounded", "single", "undecided")},
        "contradictory": len({row["item"] for row in rows if row["satisfiable"] == "no"}),
        "types": dict(sorted(Counter(row["type"] for row in rows).items())),
    }


def audit_rubrics(source: Path, out: Path, processes: int = 1) -> dict[str, Any]:
    """Write what the gold says of every rubric atom, one row per atom, and the counts as JSON.

    Args:
        source: a folder of published layout, or a jsonl file of own items, whose rubrics are their premises.
        out: the table (csv); the counts go into the same name with the suffix ``.json``.
        processes: of no use, as one suffices.
    """
    items, problems = read_any(source)
    for problem in problems:
        say(f"left out: {problem}")
    rows = [row for item in items for row in audit(item)]
    if not rows:
        raise DivLogicError(
            f"{source}: no item has a rubric; give the folder that holds base/rubrics."
        )
    write_csv(out, AUDIT_COLUMNS, [[row[name] for name in AUDIT_COLUMNS] for row in rows])
    counts = audit_counts(rows)
    write_json(out.with_suffix(".json"), counts)
    say(
        f"{source}: {counts['atoms']:,} atoms, {counts['checked']:,} of them on premises with a check:"
        f" {counts['entailed']:,} follow from the gold, {counts['not_entailed']:,} do not,"
        f" {counts['unaligned']:,} name a symbol without counterpart."
    )
    return counts


def audit(item: Item) -> Iterable[dict[str, str]]:
    """Yield what an item's gold says of each atom of its rubric."""
    rubric = item.criteria()
    found = standings(rubric, item.formalization)
    for atom in rubric.atoms:
        standing, problem = found.get(atom.id) or query_standing(atom, item.formalization)
        yield {
            "item": item.id,
            "atom": atom.id,
            "group": atom.group,
            "mode": atom.z3_check.mode if atom.z3_check else "",
            "standing": standing,
            # The key alone: the gloss is the authors' text.
            "symbol": problem.split(":")[0] if standing == "unaligned" else "",
        }


def audit_counts(rows: Sequence[dict[str, str]]) -> dict[str, Any]:
    """Return the counts of an audit: by group, and the standings of the atoms on premises that carry a check."""
    premises = [row for row in rows if row["group"] != "query_alignment"]
    standing = Counter(row["standing"] for row in premises)
    return {
        "items": len({row["item"] for row in rows}),
        "atoms": len(rows),
        "groups": dict(sorted(Counter(row["group"] for row in rows).items())),
        "with_check": sum(row["mode"] != "" for row in rows),
        "checked": len(premises) - standing["no_check"],
        **{name: standing[name] for name in _STANDINGS},
        "query_checks": sum(
            row["group"] == "query_alignment" and row["mode"] != "" for row in rows
        ),
        "query_matches": sum(row["standing"] == "matches" for row in rows),
    }
