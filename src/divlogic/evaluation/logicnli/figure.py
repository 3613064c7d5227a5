"""The figure of LogicNLI's diagnosis: accuracy by noise and by depth (Figures 3 and 4 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.io.figures import COLOURS, MARKERS, PAGE_WIDTH, save_figure, style

_CHANCE = 25.0


def draw_curves(rows: Sequence[Mapping[str, Any]], base: Path, *, setting: str = "LogicNLI") -> list[Path]:
    """Draw accuracy over noise with its least-squares line, and over depth, a series per system; return the files."""
    import numpy as np

    own = [row for row in rows if row["setting"] == setting]
    systems = list(dict.fromkeys(row["system"] for row in own))
    within = max((row["at"] for row in own if row["set"] == "A"), default=0)
    with style():
        from matplotlib import pyplot

        figure, (left, right) = pyplot.subplots(
            1, 2, figsize=(PAGE_WIDTH, 3.2), sharey=True, width_ratios=(1, 1.15)
        )
        for number, system in enumerate(systems):
            look: dict[str, Any] = {
                "color": COLOURS[number % len(COLOURS)],
                "marker": MARKERS[(number + number // len(COLOURS)) % len(MARKERS)],
                "fillstyle": "full" if number < len(COLOURS) else "none",
            }
            shift = number - (len(systems) - 1) / 2  # so that equal points lie side by side
            for axis, sets, step in ((left, "R", 0.2), (right, "AG", 0.05)):
                points = [row for row in own if row["system"] == system and row["set"] in sets]
                if not points:
                    continue
                x = np.array([row["at"] for row in points], float)
                y = [row["accuracy"] for row in points]
                low, high = ([row[f"accuracy_{end}"] for row in points] for end in ("low", "high"))
                axis.vlines(x + step * shift, low, high, color=look["color"], linewidth=0.6)
                line = "none" if sets == "R" else "-"
                axis.plot(x + step * shift, y, **look, linestyle=line, label=system.replace("_", " "))
                if sets == "R" and len(set(x)) > 1:
                    slope, start = np.polyfit(x, y, 1)
                    ends = np.array([min(x), max(x)])
                    axis.plot(ends, start + slope * ends, linestyle="--", color=look["color"], linewidth=0.8)
        for axis in (left, right):
            axis.axhline(_CHANCE, color="#999999", linestyle=":", linewidth=0.8)
        left.set_xlabel("noise sentences, or sentences as published (set R)")
        left.set_ylabel("accuracy (%), 95 % interval")
        left.set_ylim(0, 105)
        right.axvline(within + 0.5, color="#999999", linewidth=0.8)
        right.set_xlabel("depth: rounds of chaining (set A | set G)")
        right.xaxis.get_major_locator().set_params(integer=True)
        figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=4)
        return save_figure(figure, base)
