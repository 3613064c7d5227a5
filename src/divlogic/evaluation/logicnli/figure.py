"""The figure of LogicNLI's diagnosis: accuracy by noise and by depth (Figures 3 and 4 of the paper)."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from divlogic.io import figures as drawing

_CHANCE = 25.0
_MORE = 15.0
"""Points above guessing up to which a system is drawn in grey, as one that guesses."""
_GREY: dict[str, Any] = {"color": "#777777", "fontsize": 6, "ha": "right", "va": "center"}


def draw_curves(table: Path, out: Path, *, setting: str = "LogicNLI") -> list[Path]:
    """Draw accuracy over noise with its least-squares line, and over depth, a series per system; return the files.

    Args:
        table: the table of curves, without suffix.
        out: the figure, without suffix: svg and png are written.
        setting: the rows that are shown.
    """
    import numpy as np

    rows = drawing.read_frame(table)
    rows = rows[rows["setting"] == setting]
    rows = rows.assign(system=rows["system"].str.replace("_", " "))
    best = rows.groupby("system")["accuracy"].max()
    guessing = [name for name in dict.fromkeys(rows["system"]) if best[name] <= _CHANCE + _MORE]
    systems = [name for name in dict.fromkeys(rows["system"]) if name not in guessing]
    flat, rows = rows[rows["system"].isin(guessing)], rows[rows["system"].isin(systems)]
    noise, depth = rows[rows["set"] == "R"], rows[rows["set"].isin(["A", "G"])]
    with drawing.style():
        from matplotlib import pyplot

        from divlogic.io.figures import sns

        figure, (left, right) = pyplot.subplots(
            1, 2, figsize=(drawing.PAGE_WIDTH, 3.2), sharey=True, width_ratios=(1, 1.15)
        )
        looks = (
            drawing.series(systems)
            | drawing.GIVEN
            | {"x": "at", "y": "accuracy", "hue": "system", "native_scale": True}
        )
        looks |= {"linewidth": 1.2, "markersize": 4, "err_kws": {"linewidth": 0.6}, "legend": False}
        # Equal points lie side by side.
        looks["dodge"] = 0.06 * (len(systems) - 1)
        for name in guessing:
            for axis, sets in ((left, ["R"]), (right, ["A", "G"])):
                own = flat[(flat["system"] == name) & flat["set"].isin(sets)]
                axis.plot(
                    own["at"], own["accuracy"], color="#bbbbbb", marker=".", linewidth=0.6, markersize=3
                )
        sns.pointplot(drawing.with_ends(noise, "accuracy"), ax=left, **looks | {"linestyle": "none"})
        sns.pointplot(drawing.with_ends(depth, "accuracy"), ax=right, **looks)
        for system, colour in zip(systems, looks["palette"], strict=True):
            x, y = noise.loc[noise["system"] == system, ["at", "accuracy"]].to_numpy(float).T
            if len(set(x)) > 1:
                slope, start = np.polyfit(x, y, 1)
                ends = np.array([min(x), max(x)])
                left.plot(ends, start + slope * ends, linestyle="--", color=colour, linewidth=0.8)
        for axis in (left, right):
            axis.axhline(_CHANCE, color="#999999", linestyle=":", linewidth=0.8)
        left.set_xlabel(
            f"noise sentences, or sentences as published (set R)\n{drawing.sizes(noise).removeprefix(', ')}"
        )
        left.set(ylabel="accuracy (%), 95 % interval", ylim=(0, 105))
        within = depth.loc[depth["set"] == "A", "at"].max()
        if within == within:
            right.axvline(within + 0.5, color="#999999", linewidth=0.8)
        right.set_xlabel(
            f"depth: rounds of chaining (set A | set G)\n{drawing.sizes(depth).removeprefix(', ')}"
        )
        right.xaxis.get_major_locator().set_params(integer=True)
        if guessing:
            named = textwrap.fill(f"grey, near guessing: {', '.join(guessing)}", 28)
            right.text(0.98, 0.55 if len(rows) else 0.97, named, **_GREY, transform=right.transAxes)
        drawing.explain_series(figure, systems)
        return drawing.save_figure(figure, out)
