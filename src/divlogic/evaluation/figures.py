"""The figures of the phase: Figure 2 of DivLogicEval, accuracy on JustLogic and on LogicNLI."""

from __future__ import annotations

import itertools
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from divlogic.config.command import FOLDER
from divlogic.evaluation.metrics import METRICS, PRESETS, Answers, NoneOutcome, instance_scores
from divlogic.io import figures as drawing
from divlogic.models.letters import OPTIONS

if TYPE_CHECKING:
    import pandas as pd

PANELS = {
    "test": "test (overall)",
    "test_3e1c": "3e1c",
    "test_3c1e": "3c1e",
    "test_missing": "missing premise",
}
BENCHMARK = "divlogiceval"
_SHOTS = ("0-shot", "3-shot")
_ROW_HEIGHT = 0.145
_SOLVED = 99.0
"""Percent from which a system counts as one that solves everything."""


def draw_figure2(rows: pd.DataFrame, out: Path, *, none: NoneOutcome) -> list[Path]:
    """Draw the rows of Table 8: metrics by row, question types by column, a line per system.

    Args:
        rows: the table; ``source`` tells ``published`` rows from ``measured`` ones.
        out: the figure, without suffix: svg and png are written.
        none: the outcome of answers that name no option; of rows that differ in it these are shown.

    Returns:
        The paths.
    """
    preset = next(name for name, outcome in PRESETS.items() if outcome == none)
    shown = (rows["benchmark"] == BENCHMARK) & rows["shots"].isin(_SHOTS)
    rows = rows[shown & (rows["preset"].isna() | (rows["preset"] == preset))]
    columns = list(PANELS)
    # A system has no line in a metric of which it has no number; one that has the overall number alone is a word there.
    people = rows[(rows["source"] == "published") & (rows[columns].notna().sum(axis=1) == 1)]
    rows = rows.drop(people.index)
    parts = {
        metric: rows[rows["metric"] == metric].dropna(subset=columns, how="all")
        for metric in METRICS
    }
    keys = {
        metric: list(zip(own["source"], own["system"], strict=True))
        for metric, own in parts.items()
    }
    lines = {metric: list(dict.fromkeys(own)) for metric, own in keys.items()}
    heights = [max(1, len(lines[metric])) for metric in METRICS]
    with drawing.style() as pyplot:
        size = (drawing.PAGE_WIDTH, _ROW_HEIGHT * sum(heights) + 0.35 * len(METRICS))
        shape = {"sharey": "row", "sharex": "row", "height_ratios": heights}
        figure, axes = pyplot.subplots(len(METRICS), len(PANELS), figsize=size, **shape)
        for row, metric in zip(axes, METRICS, strict=True):
            own, systems = parts[metric], lines[metric]
            own = own.assign(line=[str(systems.index(key)) for key in keys[metric]])
            printed = sum(source == "published" for source, _ in systems)
            # Of what solves everything only the number is shown: its point would press all others together.
            solved = (own[columns] >= _SOLVED).all(axis=1)
            ends = [name for column in columns for name in (column, f"{column}_high")]
            highest = own.loc[~solved, ends].max().max()
            right = min((highest if highest == highest else 100) + 3, 102)
            for axis, (column, title) in zip(row, PANELS.items(), strict=True):
                _panel(axis, own[~solved], column, len(systems))
                for place in own.loc[solved, "line"].astype(int).unique():
                    axis.annotate("100 ▸", (right, place), ha="right", va="center", fontsize=6)
                if 0 < printed < len(systems):
                    axis.axhline(printed - 0.5, color="#999999", linewidth=0.6)
                axis.axvline(chance(metric), color="#999999", linewidth=0.7, linestyle=":")
                axis.set(xlabel="", ylabel="", title=title if metric == METRICS[0] else "")
            row[0].set_xlim(-2, right)
            for number, (_, other) in enumerate(people[people["metric"] == metric].iterrows()):
                named = f"{_name(other['system'])}: {other[columns[0]]:g} ▸"
                row[0].annotate(named, (right, number), ha="right", va="center", fontsize=6)
            row[0].set_ylabel(f"{metric} (%)")
            row[0].set_yticks(range(len(systems)), [_name(system) for _, system in systems])
        _explain(figure)
        return drawing.save_figure(figure, out)


def _panel(axis: Any, rows: pd.DataFrame, column: str, lines: int) -> None:
    """Draw one metric on one part of the test set, what is printed hollow and above what was measured."""
    looks = drawing.series(_SHOTS) | {"hue": "shots", "dodge": 0.32, "err_kws": {"linewidth": 0.9}}
    looks |= {"markersize": 3.2, "markeredgewidth": 1}
    for source, face in (("published", {"markerfacecolor": "white"}), ("measured", {})):
        own = rows[rows["source"] == source]
        drawing.points(axis, own, column, "line", list(map(str, range(lines))), **looks, **face)
    axis.set_ylim(lines - 0.4, -0.6)
    axis.grid(axis="y", visible=False)
    axis.tick_params(axis="y", length=0)


def chance(metric: str) -> float:
    """Return the expected score of answers drawn uniformly at random, in percent, by counting all answer rows."""
    picks = np.array(list(itertools.product(range(OPTIONS), repeat=OPTIONS)), dtype=np.int8)
    names = ("",) * len(picks)
    scores = instance_scores(Answers(names, names, picks, picks == 0))
    return 100 * float(scores[:, METRICS.index(metric)].mean())


def _name(system: str) -> str:
    return system.removeprefix("baseline/").replace("_", " ")


def _explain(figure: Any) -> None:
    grey, looks = {"marker": "o", "color": "#555555", "linestyle": "none"}, drawing.series(_SHOTS)
    series = zip(_SHOTS, looks["markers"], looks["palette"], strict=True)
    marks = [
        *(
            grey | {"marker": mark, "color": colour, "label": shots}
            for shots, mark, colour in series
        ),
        grey | {"markerfacecolor": "white", "label": "published"},
        grey | {"label": "measured, 95 % interval"},
        {"color": "#999999", "linestyle": ":", "label": "uniform guessing"},
    ]
    drawing.explain(figure, marks, "lower center", ncols=len(marks))


def draw_groups(groups: Path, out: Path) -> list[Path]:
    """Draw JustLogic's accuracy by depth and by argument form, a series per system and prompt; return the paths.

    Args:
        groups: the table of accuracy by group, without suffix.
        out: the figure, without suffix: svg and png are written.
    """
    rows = drawing.read_frame(groups)
    several = rows.groupby("system")["setting"].transform("nunique") > 1
    settings = rows["setting"].fillna("").where(several, "").str.replace("_", "-")
    shown = zip(map(_name, rows["system"]), settings, strict=True)
    rows["series"] = [", ".join(filter(None, name)) for name in shown]
    names = list(dict.fromkeys(rows["series"]))
    depths, forms = (rows[rows["group"] == group].copy() for group in ("depth", "form"))
    depths["value"] = depths["value"].astype(int)
    forms["value"] = forms["value"].astype(str).str.replace("_", "\n", n=1).str.replace("_", " ")
    with drawing.style() as pyplot:
        figure, (left, right) = pyplot.subplots(
            1, 2, figsize=(drawing.PAGE_WIDTH, 2.8), sharey=True, width_ratios=(1, 1.7)
        )
        looks = drawing.series(names) | {
            "y": "accuracy",
            "hue": "series",
            "err_kws": {"linewidth": 0.8},
        }
        looks |= {
            "dodge": 0.12 * (len(names) - 1),
            "linestyle": "none",
            "markersize": 4,
            "legend": False,
        }
        drawing.sns.pointplot(
            drawing.with_ends(depths, "accuracy"), x="value", native_scale=True, ax=left, **looks
        )
        order = sorted(forms["value"].unique())
        drawing.sns.pointplot(
            drawing.with_ends(forms, "accuracy"), x="value", order=order, ax=right, **looks
        )
        for axis in (left, right):
            axis.axhline(100 / 3, color="#999999", linestyle=":", linewidth=0.8)
        left.set(xlabel=f"depth (argument steps){drawing.sizes(depths)}", ylim=(0, 100))
        left.set_ylabel("accuracy (%), 95 % interval")
        left.xaxis.get_major_locator().set_params(integer=True)
        right.set_xticks(range(len(order)), order, fontsize=6)
        right.set_xlabel(f"argument form{drawing.sizes(forms)}")
        drawing.explain_series(figure, names)
        return drawing.save_figure(figure, out)


def figures(
    out: Annotated[Path, FOLDER, "Folder of the figures (svg and png)."],
    groups: Annotated[
        Path | None, "JustLogic's accuracy by group, without its suffix, for justlogic_groups."
    ] = None,
    curves: Annotated[
        Path | None, "LogicNLI's curves, without their suffix, for logicnli_curves."
    ] = None,
) -> None:
    """Draw the figures of the tables given."""
    if groups:
        draw_groups(groups, out / "justlogic_groups")
    if curves:
        draw_curves(curves, out / "logicnli" / "logicnli_curves")


_CHANCE = 25.0
_MORE = 15.0
"""Points above guessing up to which a system is drawn in grey, as one that guesses."""
_GREY: dict[str, Any] = {"color": "#777777", "fontsize": 6, "ha": "right", "va": "center"}


def draw_curves(table: Path, out: Path, *, setting: str = "LogicNLI") -> list[Path]:
    """Draw accuracy over noise with its least-squares line, and over depth, a series per system; return the files.

    Where noise changes nobody's accuracy, as by construction that of the readers here, depth alone is drawn.

    Args:
        table: the table of curves, without suffix.
        out: the figure, without suffix: svg and png are written.
        setting: the rows that are shown.
    """
    rows = drawing.read_frame(table)
    rows = rows[rows["setting"] == setting]
    rows = rows.assign(system=rows["system"].str.replace("_", " "))
    best = rows.groupby("system")["accuracy"].max()
    guessing = [name for name in dict.fromkeys(rows["system"]) if best[name] <= _CHANCE + _MORE]
    systems = [name for name in dict.fromkeys(rows["system"]) if name not in guessing]
    flat, rows = rows[rows["system"].isin(guessing)], rows[rows["system"].isin(systems)]
    noise, depth = rows[rows["set"] == "R"], rows[rows["set"].isin(["A", "G"])]
    noises = noise.groupby("system")["accuracy"].nunique()
    is_noise_drawn = bool((noises > 1).any()) or depth.empty
    with drawing.style() as pyplot:
        figure, axes = pyplot.subplots(
            1,
            1 + is_noise_drawn,
            figsize=(drawing.PAGE_WIDTH, 3.2),
            sharey=True,
            squeeze=False,
            width_ratios=(1, 1.15) if is_noise_drawn else None,
        )
        left, right = axes[0][0], axes[0][-1]
        looks = drawing.series(systems) | {
            "x": "at",
            "y": "accuracy",
            "hue": "system",
            "native_scale": True,
        }
        looks |= {"linewidth": 1.2, "markersize": 4, "err_kws": {"linewidth": 0.6}, "legend": False}
        # Equal points lie side by side.
        looks["dodge"] = 0.06 * (len(systems) - 1)
        if is_noise_drawn:
            _draw_noise(left, noise, flat[flat["set"] == "R"], looks)
        _draw_flat(right, flat[flat["set"].isin(["A", "G"])])
        drawing.sns.pointplot(drawing.with_ends(depth, "accuracy"), ax=right, **looks)
        for axis in axes[0]:
            axis.axhline(_CHANCE, color="#999999", linestyle=":", linewidth=0.8)
        left.set(ylabel="accuracy (%), 95 % interval", ylim=(0, 105))
        within = depth.loc[depth["set"] == "A", "at"].max()
        if within == within:
            right.axvline(within + 0.5, color="#999999", linewidth=0.8)
        around = drawing.sizes(depth).removeprefix(", ")
        right.set_xlabel(f"depth: rounds of chaining (set A | set G)\n{around}")
        right.xaxis.get_major_locator().set_params(integer=True)
        if guessing:
            named = textwrap.fill(f"grey, near guessing: {', '.join(guessing)}", 28)
            right.text(0.98, 0.55 if len(rows) else 0.97, named, **_GREY, transform=right.transAxes)
        drawing.explain_series(figure, systems)
        return drawing.save_figure(figure, out)


def _draw_noise(axis: Any, noise: pd.DataFrame, flat: pd.DataFrame, looks: dict[str, Any]) -> None:
    """Draw accuracy over the sentences added, with the least-squares line of each system."""
    _draw_flat(axis, flat)
    drawing.sns.pointplot(
        drawing.with_ends(noise, "accuracy"), ax=axis, **looks | {"linestyle": "none"}
    )
    for system, colour in zip(looks["hue_order"], looks["palette"], strict=True):
        x, y = noise.loc[noise["system"] == system, ["at", "accuracy"]].to_numpy(float).T
        if len(set(x)) > 1:
            slope, start = np.polyfit(x, y, 1)
            ends = np.array([min(x), max(x)])
            axis.plot(ends, start + slope * ends, linestyle="--", color=colour, linewidth=0.8)
    around = drawing.sizes(noise).removeprefix(", ")
    axis.set_xlabel(f"noise sentences, or sentences as published (set R)\n{around}")


def _draw_flat(axis: Any, rows: pd.DataFrame) -> None:
    """Draw the systems near guessing, all in grey."""
    faint = {"color": "#bbbbbb", "marker": ".", "linewidth": 0.6, "markersize": 3}
    for _, own in rows.groupby("system", sort=False):
        axis.plot(own["at"], own["accuracy"], **faint)
