"""What the report leads with: what was made, and what was found, each as a few numbers from the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.registry import TITLES, generated_names
from divlogic.config.command import ARGUMENT
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json
from divlogic.io.tables import read_table

_GUESSING = {"ACC": 25.0, "CIR": 0.4, "PC": 8.3}
"""What guessing earns on average, in percent, where a run has no row of it."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Files of the results that the findings are taken from."""

    instances: Annotated[Path, "Instances per benchmark, of `items` (json)."]
    plan: Annotated[Path, "What was wanted and made of DivLogicEval (json)."]
    verification: Annotated[Path, "Shares of labels that would not hold (json)."]
    shortcuts: Annotated[Path, "Summary of the probes (json)."]
    leak: Annotated[Path, "Scores before and after a leak (json)."]
    audit: Annotated[Path, "Labels derived again (json)."]
    contradictions: Annotated[Path, "Printed cells that break a rule (json)."]
    words: Annotated[Path, "Words per benchmark (table4.json)."]
    independence: Annotated[Path, "Answers without context (independence.json)."]
    scores: Annotated[Path, "Scores of the zero-shot prompt (table1.json)."]
    divergence: Annotated[Path, "KL per benchmark (json)."]
    totals: Annotated[Path, "Counts of printed numbers (json)."]


def write_findings(
    confirmed: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    sources: Sources,
    out: Annotated[Path, "Where the findings go (json)."],
    metrics: Annotated[Path, "Where the six numbers of `dvc metrics show` go (json)."],
) -> None:
    """Take what the report leads with from the results; CONFIRMED are the solver's reports on labels."""
    try:
        reports = [read_json(path) for path in confirmed]
        total = {
            name: sum(report[name] for report in reports) for name in ("instances", "disagreements")
        }
        verified = read_table(sources.verification.with_suffix(""))
        freely = next(row for row in verified if row["question_type"] == "all")
        found = {
            **_made(sources),
            "confirmed": {**total, "benchmarks": len(reports)},
            "worded_freely": {"instances": freely["instances"], "share": freely["share"]},
            "shortcuts": _shortcuts(sources.shortcuts),
            "leak": _leak(sources.leak),
            "asked": _asked(sources.scores.with_suffix("")),
            "audited": _audited(sources.audit),
            "contradictions": _contradictions(sources.contradictions),
        }
    except (KeyError, ValueError, TypeError, StopIteration) as error:
        raise DivLogicError(
            f"{sources.instances.parent}: the results are not complete ({error!r}); run the workflow again"
            " (snakemake all)."
        ) from error
    write_json(out, found)
    write_json(
        metrics, metrics_of(found, read_json(sources.divergence)["kl"], read_json(sources.totals))
    )


def metrics_of(
    found: dict[str, Any], kl: dict[str, float], totals: dict[str, int]
) -> dict[str, Any]:
    """Return the run in seven numbers, which `dvc metrics show` has room for in one line."""
    freely, made = found["worded_freely"]["share"], (found["shortcuts"] or {}).get("made", [])
    above = [one["worst"]["accuracy"] - one["worst"]["chance"] for one in made]
    return {
        "instances": found["instances"],
        "contradicted": found["confirmed"]["disagreements"],
        "worded_freely": None if freely is None else round(freely, 4),
        "worst_probe": round(max(above), 1) if above else None,
        "kl": kl.get("DivLogicEval"),
        "reproduced": totals["reproduced"],
        "counted": totals["counted"],
    }


def _made(sources: Sources) -> dict[str, Any]:
    found, plan = read_json(sources.instances), read_json(sources.plan)
    own = set(generated_names())
    made = [one for one in found["benchmarks"] if one["name"] in own]
    counts = plan["wanted"].items()
    return {
        "made": made,
        "instances": sum(one["total"] for one in made),
        "imported": _imported(
            [one for one in found["benchmarks"] if one["name"] not in own], sources
        ),
        "plan": [
            {"split": name, "wanted": count, "made": plan["made"][name]} for name, count in counts
        ],
        "groups": plan["groups"],
        "example": found["example"],
    }


def _imported(sets: Sequence[dict[str, Any]], sources: Sources) -> list[dict[str, Any]]:
    """Return of each data set of the user's what was measured, and why something was not."""
    words = {row["benchmark"]: row for row in read_table(sources.words.with_suffix(""))}
    tested = reversed(
        read_table(sources.independence.with_suffix(""))
    )  # the first of several counts
    probes = {row["benchmark"]: row for row in tested if row["source"] == "probe"}
    rows = []
    for one in sets:
        about, probe = words.get(one["title"], {}), probes.get(one["name"], {})
        row = {"name": one["name"], "instances": one["total"]}
        row |= {"vocabulary": about.get("vocabulary_lower"), "kl": about.get("kl_bits")}
        row |= {"accuracy": probe.get("accuracy"), "chance": probe.get("random_probability")}
        notes = [note for note in (about.get("note"), probe.get("note")) if note]
        rows.append(row | {"independent": probe.get("independent"), "notes": notes})
    return rows


def _shortcuts(path: Path) -> dict[str, Any] | None:
    """Return the worst probe of the options alone as published, and of what is made here the highest probe."""
    own = {*generated_names(), *(f"s-{name}" for name in generated_names())}
    found = [one for one in read_json(path)["benchmarks"] if one["benchmark"] in own]
    published = [
        one["alone"] for one in found if one["construction"] == "as_published" and one["alone"]
    ]
    made: dict[str, dict[str, Any]] = {}
    for one in found:
        if one["construction"] not in ("as_published", ""):
            title = TITLES.get(one["benchmark"], one["benchmark"])
            # ILogicEval's test split is DivLogicEval's.
            key = repr((one["construction"], one["worst"]))
            made[key] = {
                **one,
                "title": f"{made[key]['title']} and {title}" if key in made else title,
            }
    if not published or not made:
        return None
    return {"as_published": max(published, key=itemgetter("accuracy")), "made": [*made.values()]}


def _leak(path: Path) -> dict[str, Any] | None:
    """Return of the first learner the accuracy before and after, on leaked and on fresh instances."""
    for learner, own in read_json(path).items():
        return {"learner": learner, **{name: own[name]["ACC"] for name in ("leaked", "fresh")}}
    return None


def _asked(base: Path) -> dict[str, Any] | None:
    """Return what language models scored on DivLogicEval with the zero-shot prompt, and guessing.

    First comes who was asked most instances, of these the best: thirty instances tell little.

    Of two presets the corrected one is taken, in which an answer that names no option is a wrong answer.
    """
    rows = [
        row
        for row in read_table(base)
        if row["benchmark"] == "divlogiceval" and row["preset"] in (None, "", "corrected")
    ]
    names = ("instances", "ACC", "ACC_low", "ACC_high", "CIR", "PC")
    asked = (row for row in rows if not row["system"].startswith("baseline/"))
    models = [{"model": row["system"]} | {name: row[name] for name in names} for row in asked]
    if not models:
        return None
    guessing = next((row for row in rows if row["system"] == "baseline/uniform"), {})
    return {
        "models": sorted(models, key=lambda row: (-row["instances"], -row["ACC"], row["model"])),
        "guessing": {name: guessing.get(name, by_chance) for name, by_chance in _GUESSING.items()},
    }


def _audited(path: Path) -> dict[str, Any]:
    """Return how many labels of others were derived again, and how many of them do not follow."""
    own = set(generated_names())
    rows = []
    for row in read_json(path):
        if row["benchmark"] not in own and row["derived"]:
            title, wrong = (
                TITLES.get(row["benchmark"], row["benchmark"]),
                row["derived"] - row["agreeing"],
            )
            rows.append({"title": title, "labels": row["derived"], "wrong": wrong})
    return {name: sum(row[name] for row in rows) for name in ("labels", "wrong")} | {
        "benchmarks": rows
    }


def _contradictions(path: Path) -> dict[str, Any]:
    rows = read_table(path.with_suffix(""))
    reasons = Counter(row["reason"] for row in rows)
    cells = {
        tuple(row[name] for name in row if name not in ("rule", "expected", "reason"))
        for row in rows
    }
    return {
        "cells": len(cells),
        "reasons": [{"reason": reason, "cells": count} for reason, count in reasons.most_common()],
    }
