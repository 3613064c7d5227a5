"""LLMEval-Logic's Tables 1 to 3 in the paper's layout, ranks of the models, and a figure of where they fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.evaluation.llmeval_logic.scoring import ReplyOutcome
from divlogic.io import figures as drawing
from divlogic.logic.theory import QUERY_TYPES

Row = dict[str, Any]
GOLD = "baseline/gold"
ANSWERS = {
    "base_item": ("base", "answer", "item_accuracy"),
    "single_item": ("single", "answer", "item_accuracy"),
    "hard_item": ("hard", "answer", "item_accuracy"),
    "hard_sub_question": ("hard", "answer", "sub_question_accuracy"),
}
"""Column of Table 1 -> part, track and metric of the scores."""
FORMALIZATIONS = {
    f"{symbols}_{signal}": ("base", f"formalise_{symbols}", signal)
    for symbols in ("free", "fixed")
    for signal in ("z3", "rubric", "both")
}
"""Column of Table 2 -> the same."""
_PAIRS = (("base_item", "hard_item"), ("hard_item", "hard_sub_question"), ("base_item", "hard_sub_question"))


def part_of(benchmark: str) -> tuple[str, str]:
    """Return which set and which part of it a benchmark is.

    >>> part_of("llmeval_logic_generated_hard"), part_of("llmeval_logic_base")
    (('generated', 'hard'), ('published', 'base'))
    """
    return "generated" if "generated" in benchmark else "published", benchmark.rpartition("_")[2]


def in_columns(
    scores: Iterable[Row], models: Sequence[str], columns: Mapping[str, tuple[str, ...]]
) -> list[Row]:
    """Return a row per set and model, in the order of the models: scores by column, each with its deviation."""
    found: dict[tuple[str, str], Row] = {}
    for row in scores:
        kind, part = part_of(row["benchmark"])
        for column, place in columns.items():
            if place == (part, row["track"], row["metric"]):
                own = found.setdefault((kind, row["model"]), {"set": kind, "model": row["model"]})
                own |= {column: row["score"], f"{column}_sd": row["sd"]}
    return sorted(found.values(), key=lambda row: (row["set"], models.index(row["model"])))


def with_ranks(rows: Sequence[Row]) -> list[Row]:
    """Add the ranks of each set's models by the columns of Table 1; the gold has none, and equal models share one."""
    from scipy.stats import rankdata

    ranked = [dict(row) for row in rows]
    for column in ANSWERS:
        for kind in {row["set"] for row in rows}:
            own = [row for row in ranked if row["set"] == kind and row["model"] != GOLD and column in row]
            for row, rank in zip(own, rankdata([-row[column] for row in own]), strict=True):
                row[f"{column}_rank"] = float(rank)
    return ranked


def correlations(ranked: Sequence[Row]) -> list[Row]:
    """Return Spearman's rank correlation of two columns of Table 1, of each set; undefined below three models."""
    from scipy.stats import spearmanr

    rows = []
    for kind in sorted({row["set"] for row in ranked}):
        for pair in _PAIRS:
            names = [f"{column}_rank" for column in pair]
            both = [
                [row[name] for name in names]
                for row in ranked
                if row["set"] == kind and {*names} <= row.keys()
            ]
            rho = spearmanr(*zip(*both, strict=True)).statistic if len(both) > 2 else np.nan
            value = None if np.isnan(rho) else float(rho)
            rows.append(
                {"set": kind, "first": pair[0], "second": pair[1], "models": len(both), "spearman": value}
            )
    return rows


def composition(outcomes: Iterable[ReplyOutcome]) -> list[Row]:
    """Return what each part holds, which the outcomes of the gold tell: items, questions by type, rubric atoms."""
    found: dict[tuple[str, str], Row] = {}
    sizes: dict[tuple[str, str], list[int]] = {}
    for one in outcomes:
        if one.model == GOLD:
            key = part_of(one.benchmark)
            row = found.setdefault(
                key, {"set": key[0], "part": key[1], "types": Counter(), "atoms": Counter()}
            )
            if one.track == "answer":
                sizes.setdefault(key, []).append(one.asked)
                row["types"].update({kind: asked for kind, (_, asked) in one.types.items()})
            elif one.track == "formalise_fixed":
                row["atoms"].update(one.groups)
    rows = []
    for key, row in sorted(found.items()):
        types, atoms, asked = row.pop("types"), row.pop("atoms"), sizes.get(key, [0])
        counts = {"items": len(asked), "questions": sum(asked), "fewest": min(asked), "most": max(asked)}
        kinds = {kind: types.get(kind) for kind in QUERY_TYPES}
        rows.append(
            {
                **row,
                **counts,
                "average": sum(asked) / len(asked),
                **kinds,
                **atoms,
                "atoms": atoms.total() or None,
            }
        )
    return rows


def draw_failures(answers: Sequence[Row], errors: Sequence[Row], out: Path) -> None:
    """Draw Base against Hard, what sub-questions have before items, and which queries go wrong, by model.

    Args:
        answers: rows of Table 1.
        errors: rows of the table of failures.
        out: the figure, without suffix: svg and png are written.
    """
    own = [row for row in answers if row["model"] != GOLD]
    names = [f"{row['model']}, {row['set']}" for row in own]
    with drawing.style() as pyplot:
        fig, (steps, gaps, kinds) = pyplot.subplots(
            1, 3, figsize=(drawing.PAGE_WIDTH, 2.6), width_ratios=[2, 2, 3]
        )
        types = [kind for kind in QUERY_TYPES if any(row["what"] == kind for row in errors)]
        for number, (row, name) in enumerate(zip(own, names, strict=True)):
            look = {
                "color": drawing.COLOURS[number % len(drawing.COLOURS)],
                "marker": drawing.MARKERS[number % len(drawing.MARKERS)],
                "markersize": 4,
            }
            ends = [row.get("base_item"), row.get("hard_item")]
            steps.plot(
                [0, 1], [np.nan if end is None else end for end in ends], label=name, linewidth=1, **look
            )
            if {"hard_sub_question", "hard_item"} <= row.keys():
                gaps.plot(row["hard_sub_question"] - row["hard_item"], number, linestyle="none", **look)
            wrong, asked = Counter[str](), Counter[str]()
            for each in errors:
                own_row = (each["model"], part_of(each["benchmark"])[0]) == (row["model"], row["set"])
                if own_row and each["kind"] == "sub-question":
                    wrong[each["what"]] += each["count"]
                    asked[each["what"]] += each["of"]
            shares = [100 * wrong[kind] / asked[kind] if asked[kind] else np.nan for kind in types]
            places = np.arange(len(types)) + 0.5 * ((number + 0.5) / len(own) - 0.5)
            kinds.plot(shares, places, linestyle="none", **look)
        steps.set(xticks=[0, 1], xticklabels=["Base", "Hard"], xlim=(-0.3, 1.3), ylabel="items right (%)")
        gaps.set(yticks=[], ylim=(len(names) - 0.5, -0.5))
        gaps.set_xlabel("sub-questions above items\n(points, Hard)")
        kinds.set(yticks=range(len(types)), yticklabels=[kind.replace("_", " ") for kind in types])
        kinds.set(ylim=(len(types) - 0.5, -0.5), xlim=(-2, 102), xlabel="answers wrong (%)")
        fig.legend(loc="outside upper center", ncols=3)
        drawing.save_figure(fig, out)
