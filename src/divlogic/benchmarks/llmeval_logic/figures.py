"""The figures of LLMEval-Logic, drawn from its tables: what formal signals let through, and the hardener's panel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE, SOLVERS
from divlogic.config.command import FOLDER
from divlogic.intervals import wilson
from divlogic.io.figures import COLOURS, MARKERS, PAGE_WIDTH, read_frame, save_figure, style

_SIGNALS = {"answer": "answer check", "rubric": "rubric", "both": "both"}
_SETS = {"seeds": "scenarios", "drawn": "hard items, drawn", "kept": "hard items, kept"}
_SEES = {
    "carried": "the unchanged scenario's answers",
    "first_model": "the first model alone",
    "one_step": "each premise applied once",
    "words": "words shared with the text",
    "propagation": "premises until nothing follows",
    "all_open": "nothing: all is open",
}
"""Solver of the panel -> what it goes by."""


def draw_figures(
    *,
    panel: Annotated[Path, "Table of the panel, without its suffix."],
    sensitivity: Annotated[Path, "Table of sensitivity, without its suffix."],
    out: Annotated[Path, FOLDER, "Folder of the figures (svg and png)."],
) -> None:
    """Draw what solvers of the panel answer, and what formal signals let through."""
    draw_panel(panel, out / "panel")
    draw_sensitivity(sensitivity, out / "sensitivity")


def draw_sensitivity(table: Path, out: Path) -> None:
    """Draw the share of mutants that answer check, rubric and both let through, by operator."""
    rows = read_frame(table)
    rows = rows[rows["not_equivalent"] > 0]
    counts = rows["not_equivalent"]
    titles = zip(rows["operator"].str.replace("_", " "), counts, strict=True)
    names = [f"{name} (n = {count:,})" for name, count in titles]
    shares = {}
    for signal, title in _SIGNALS.items():
        shares[title] = list(zip(names, rows[signal] / counts, counts, strict=True))
    _draw(shares, names, "wrong formalizations let through (%)", out)


def draw_panel(table: Path, out: Path) -> None:
    """Draw the share of sub-questions that each solver answers, of seeds and of hard items."""
    rows = read_frame(table)
    rows = rows[rows["items"] > 0]
    names = {solver: _SEES[solver] + ("" if solver in GATE else "*") for solver in SOLVERS}
    shares = {}
    for of, name in _SETS.items():
        own = rows[rows["set"] == of]
        points = zip(own["solver"].map(names), own["question_accuracy"], own["items"], strict=True)
        shares[f"{name} (n = {own['items'].max():,.0f})"] = list(points)
    _draw(shares, list(names.values()), "sub-questions right (%)", out)


def _draw(
    shares: dict[str, list[tuple[str, Any, Any]]], names: list[str], label: str, out: Path
) -> None:
    """Draw for each series (line, share, number) with Wilson's interval, the series of a line below each other."""
    with style():
        import numpy as np
        from matplotlib import pyplot

        fig, axes = pyplot.subplots(figsize=(PAGE_WIDTH * 0.75, 0.9 + 0.27 * len(names)))
        for number, (series, points) in enumerate(shares.items()):
            places = [names.index(line) + 0.24 * (number - 1) for line, *_ in points]
            found = [wilson(float(share), int(count)) for _, share, count in points]
            ends = np.array([(each.value, each.low, each.high) for each in found])
            value, low, high = ends.reshape(-1, 3).T
            axes.errorbar(
                100 * value, places, xerr=[100 * (value - low), 100 * (high - value)], linestyle="none",
                label=series, color=COLOURS[number], marker=MARKERS[number], markersize=4, linewidth=1,
            )  # fmt: skip
        axes.set_yticks(range(len(names)), names)
        axes.set(xlim=(-2, 102), ylim=(len(names) - 0.5, -0.5), xlabel=label, ylabel="")
        axes.grid(axis="y", visible=False)
        # Above the axes the legend hides nothing.
        fig.legend(loc="outside upper center", ncols=3)
        save_figure(fig, out)
