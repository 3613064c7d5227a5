"""The figures of the phase."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from divlogic.benchmarks.registry import TITLES
from divlogic.diversity.profile import Profile
from divlogic.io.figures import COLOURS, COLUMN_WIDTH, MARKERS, PAGE_WIDTH, save_figure, style

_LOOKS = (
    "divlogiceval", "ruletaker", "logicnli", "folio", "clutrr", "logiqa2", "justlogic",
    "justlogic_generated", "ilogiceval", "prontoqa_ood", "robustlr", "reclor", "proofwriter",
)  # fmt: skip
"""Benchmarks in the order in which they get colours; those often shown together get different ones."""

MEASURED, PUBLISHED, CORRECTED = COLOURS[0], COLOURS[1], COLOURS[2]


def plot_divergence(rows: Sequence[dict[str, Any]], out: Path) -> list[Path]:
    """Draw KL and vocabulary of every benchmark, published beside measured (rows of table4)."""
    from matplotlib import pyplot as plt

    shown = [row for row in rows if row.get("kl_bits") is not None or row.get("published_kl") is not None]
    shown.sort(key=lambda row: -(row["kl_bits"] if row.get("kl_bits") is not None else row["published_kl"]))
    places = range(len(shown))
    with style():
        fig, (left, right) = plt.subplots(
            1, 2, sharey=True, figsize=(PAGE_WIDTH, 0.9 + 0.24 * max(3, len(shown)))
        )
        for place, row in zip(places, shown, strict=True):
            if row.get("kl_bits") is not None:
                left.plot(
                    [row["kl_bits_low"], row["kl_bits_high"]], [place, place], color=MEASURED, linewidth=2.2
                )
            _pair(left, place, row.get("kl_bits"), row.get("published_kl"))
            _pair(right, place, row.get("vocabulary_cased"), row.get("published_vocabulary"))
        left.set_yticks(list(places), [row["benchmark"] for row in shown])
        left.set_xlabel("KL(benchmark ‖ Wikipedia), bits")
        left.set_xlim(left=0)
        right.set_xscale("log")
        right.set_xlabel("Vocabulary (cased tokens)")
        _key(left, [("measured, 95 % of subsamples", MEASURED, "o"), ("published", PUBLISHED, "D")])
        return save_figure(fig, out)


def plot_readability(rows: Sequence[dict[str, Any]], out: Path) -> list[Path]:
    """Draw the Flesch–Kincaid grade as published, as measured that way, and corrected (rows of complexity)."""
    from matplotlib import pyplot as plt
    from matplotlib.ticker import MultipleLocator

    shown = [
        row
        for row in rows
        if row.get("flesch_kincaid_as_published") is not None
        or row.get("published_flesch_kincaid") is not None
    ]
    shown.sort(
        key=lambda row: row.get("flesch_kincaid_as_published") or row.get("published_flesch_kincaid") or 0
    )
    with style():
        fig, axes = plt.subplots(figsize=(COLUMN_WIDTH, 1.1 + 0.22 * max(3, len(shown))))
        for place, row in enumerate(shown):
            published, corrected = (
                row.get("flesch_kincaid_as_published"),
                row.get("flesch_kincaid_corrected"),
            )
            if published is not None and corrected is not None:
                axes.plot([published, corrected], [place, place], color="#aaaaaa", linewidth=1, zorder=1)
            _pair(axes, place, published, row.get("published_flesch_kincaid"))
            if corrected is not None:
                axes.plot(corrected, place, marker="s", color=CORRECTED, linestyle="none", zorder=3)
        axes.set_yticks(range(len(shown)), [row["benchmark"] for row in shown])
        axes.set_xlabel("Flesch–Kincaid grade")
        axes.xaxis.set_major_locator(MultipleLocator(5))
        axes.set_xlim(left=0)
        entries = [
            ("as published, measured", MEASURED, "o"),
            ("corrected", CORRECTED, "s"),
            ("printed", PUBLISHED, "D"),
        ]
        _key(axes, entries)
        return save_figure(fig, out)


def plot_sensitivity(
    rows: Sequence[dict[str, Any]], smoothing: float, size: int | None, out: Path
) -> list[Path]:
    """Draw KL over α at one subsample size, and over the size at one α.

    Args:
        rows: the sensitivity grid.
        smoothing: the α of the right panel.
        size: tokens of the left panel: the largest size of the grid not above it that every benchmark has.
        out: path without suffix.
    """
    from matplotlib import pyplot as plt

    height = {row["benchmark"]: -row["kl"] for row in rows if row["smoothing"] == smoothing}
    names = sorted({row["benchmark"] for row in rows}, key=lambda name: (height.get(name, 0.0), name))
    common = sorted(
        {
            row["size"]
            for row in rows
            if all(
                any(one["benchmark"] == name and one["size"] == row["size"] for one in rows) for name in names
            )
        }
    )
    below = [one for one in common if size is None or one <= size]
    chosen = (below or common or [None])[-1]
    with style():
        fig, (left, right) = plt.subplots(1, 2, sharey=True, figsize=(PAGE_WIDTH, 2.9))
        for name, colour, marker, dash in _looks(names):
            own = [row for row in rows if row["benchmark"] == name]
            look = {"color": colour, "marker": marker, "linestyle": dash, "label": TITLES.get(name, name)}
            _curve(left, [row for row in own if row["size"] == chosen], "smoothing", look)
            _curve(right, [row for row in own if row["smoothing"] == smoothing], "size", look)
        left.set_xscale("log")
        left.set_xlabel(f"smoothing α ({chosen:,} tokens)" if chosen else "smoothing α")
        left.set_ylabel("KL(benchmark ‖ Wikipedia), bits")
        left.set_ylim(bottom=0)
        right.set_xscale("log")
        right.set_xlabel(f"tokens in a subsample (α = {smoothing:g})")
        ticks = sorted({row["size"] for row in rows})
        right.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        right.minorticks_off()
        handles, labels = right.get_legend_handles_labels()
        if handles:
            fig.legend(handles, labels, loc="outside right upper")
        return save_figure(fig, out)


def plot_rank_frequency(profiles: Sequence[Profile], reference: Profile, out: Path) -> list[Path]:
    """Draw relative word frequency over rank, both logarithmic, of every benchmark and of Wikipedia."""
    from matplotlib import pyplot as plt

    with style():
        fig, axes = plt.subplots(figsize=(PAGE_WIDTH * 0.75, 3.2))
        names = [profile.benchmark for profile in profiles]
        for profile, (name, colour, _, dash) in zip(profiles, _looks(names), strict=True):
            _frequencies(axes, profile, color=colour, linestyle=dash, label=TITLES.get(name, name))
        _frequencies(axes, reference, color="black", linestyle="-", linewidth=2, label="Wikipedia")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("rank of the word")
        axes.set_ylabel("share of all words")
        fig.legend(*axes.get_legend_handles_labels(), loc="outside right upper")
        return save_figure(fig, out)


def _frequencies(axes: Any, profile: Profile, **look: Any) -> None:
    import numpy as np

    counts = np.sort(
        np.array(list(profile.filtered("distinct_contexts", "alphabetic").values()), dtype=float)
    )[::-1]
    if not len(counts):
        return
    ranks = np.arange(1, len(counts) + 1)
    # A few points per decade show the curve; thousands would only make the file large.
    at = np.unique(np.geomspace(1, len(counts), 120).astype(int)) - 1
    axes.plot(ranks[at], counts[at] / counts.sum(), **look)


def _looks(names: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """Give every series a colour, a marker and a line: a benchmark has the same ones in every figure."""
    colours = [colour for colour in COLOURS if colour != "#000000"]
    order = [*_LOOKS, *sorted(name for name in names if name not in _LOOKS)]
    looks = []
    for name in names:
        place = order.index(name)
        dash = ("-", "--", ":")[place // len(colours) % 3]
        looks.append((name, colours[place % len(colours)], MARKERS[place % len(MARKERS)], dash))
    return looks


def _curve(axes: Any, rows: list[dict[str, Any]], over: str, look: dict[str, Any]) -> None:
    rows = sorted(rows, key=lambda row: row[over])
    x = [row[over] for row in rows]
    axes.plot(x, [row["kl"] for row in rows], **look)
    if any(a != b for a, b in pairwise(x)):
        low, high = [row["kl_low"] for row in rows], [row["kl_high"] for row in rows]
        axes.fill_between(x, low, high, color=look["color"], alpha=0.15, linewidth=0)


def _pair(axes: Any, place: int, measured: float | None, published: float | None) -> None:
    if published is not None:
        axes.plot(published, place, marker="D", color=PUBLISHED, fillstyle="none", linestyle="none", zorder=4)
    if measured is not None:
        axes.plot(measured, place, marker="o", color=MEASURED, linestyle="none", zorder=3)


def _key(axes: Any, entries: Sequence[tuple[str, str, str]]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            color=colour,
            marker=mark,
            linestyle="none",
            label=label,
            fillstyle="none" if mark == "D" else "full",
        )
        for label, colour, mark in entries
    ]
    axes.figure.legend(
        handles=handles, loc="outside upper center", ncols=len(handles), columnspacing=1, handletextpad=0.2
    )
