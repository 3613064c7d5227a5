"""The figure of accuracy without the context."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import FOLDER
from divlogic.io.figures import COLOURS, GIVEN, MARKERS, PAGE_WIDTH, read_frame, save_figure, style, with_ends
from divlogic.prior_knowledge.shortcuts.figures import draw_shortcuts


def draw_figures(
    *,
    independence: Annotated[Path | None, "The table of `table`, without its suffix."] = None,
    shortcuts: Annotated[Path | None, "The table of `shortcuts`, without its suffix."] = None,
    out: Annotated[Path, FOLDER, "Folder of the figures (svg and png)."],
) -> None:
    """Draw the figures of the tables given."""
    if independence:
        draw_independence(independence, out / "independence")
    if shortcuts:
        draw_shortcuts(shortcuts, out / "shortcuts")


def draw_independence(table: Path, out: Path) -> list[Path]:
    """Draw accuracy against random probability: a line per benchmark and system, with interval bars.

    Args:
        table: the independence table, without suffix.
        out: the figure, without suffix: svg and png are written.

    Returns:
        The svg and the png.
    """
    rows = read_frame(table)
    rows = rows[(rows["source"] != "baseline") & (rows["preset"].fillna("") != "corrected")]
    order = list(dict.fromkeys(rows["benchmark"]))
    rows = rows.sort_values(
        "benchmark", key=lambda names: names.map(order.index), ignore_index=True, kind="stable"
    )
    rows["line"] = rows.index.astype(str)
    sources = list(dict.fromkeys(rows["source"]))
    with style():
        from matplotlib import pyplot

        from divlogic.io.figures import sns

        figure, axis = pyplot.subplots(figsize=(PAGE_WIDTH * 0.75, 0.7 + 0.19 * len(rows)))
        for number, source in enumerate(sources):
            sns.pointplot(
                with_ends(rows[rows["source"] == source], "accuracy"),
                x="accuracy",
                y="line",
                order=list(rows["line"]),
                color=COLOURS[number % len(COLOURS)],
                markers=MARKERS[number % len(MARKERS)],
                linestyle="none",
                markersize=4,
                markeredgewidth=1,
                err_kws={"linewidth": 1},
                ax=axis,
                **({"markerfacecolor": "white"} if source == "published" else {}),
                **GIVEN,
            )
        guess = rows["random_probability"]
        axis.vlines(guess, rows.index - 0.4, rows.index + 0.4, color="#555555", linewidth=1)
        for first in rows.index[rows["benchmark"] != rows["benchmark"].shift()][1:]:
            axis.axhline(first - 0.5, color="#bbbbbb", linewidth=0.6)
        axis.set_yticks(rows.index, [_label(row) for row in rows.to_dict("records")])
        axis.set_ylim(len(rows) - 0.4, -0.6)
        right = rows["accuracy_high"].fillna(rows["accuracy"]).max()
        axis.set_xlim(0, max(60.0, float(right) + 4) if len(rows) else 60.0)
        axis.set(xlabel="accuracy without the context (%)\nbar: guessing", ylabel="")
        axis.grid(axis="y", visible=False)
        return save_figure(figure, out)


def _label(row: Mapping[Any, Any]) -> str:
    title = TITLES.get(row["benchmark"], row["benchmark"])
    if row["source"] in ("published", "probe"):
        return f"{title}: {row['source']}"
    recorded = row["source"] == "recorded" and "recorded" not in row["system"]
    return f"{title}: {row['system']}{' (recorded)' if recorded else ''}"
