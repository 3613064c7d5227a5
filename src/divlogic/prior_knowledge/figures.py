"""The figures of the phase, drawn from its tables: accuracy without the context, and shortcuts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from divlogic.benchmarks.registry import TITLES
from divlogic.io.figures import (
    COLOURS,
    GIVEN,
    MARKERS,
    PAGE_WIDTH,
    read_frame,
    save_figure,
    style,
    with_ends,
)
from divlogic.prior_knowledge.shortcuts.measure import OPTIONS_ONLY


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
    order = {name: place for place, name in enumerate(dict.fromkeys(rows["benchmark"]))}
    rows = rows.sort_values("benchmark", key=lambda names: names.map(order), kind="stable")
    rows = rows.reset_index(drop=True)
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


_ALONE, _PASSAGE, _STEP = "options or statement alone", "with the passage", "one step of inference"
_KINDS = (_ALONE, _PASSAGE, _STEP)
_SAMPLE = ["benchmark", "preset", "form"]


def draw_shortcuts(table: Path, out: Path) -> list[Path]:
    """Draw for each benchmark how far the best probe of each kind gets above guessing, the worst at the top.

    Args:
        table: the table of shortcuts, without suffix.
        out: the figure, without suffix: svg and png are written.

    Returns:
        The svg and the png.
    """
    rows = read_frame(table)
    rows = rows[~rows["type"].str.startswith("depth ")]
    rows = rows.assign(preset=rows["preset"].fillna(""), kind=rows["probe"].map(_kind))
    for column in ("", "_low", "_high"):
        rows[f"gain{column}"] = (rows[f"accuracy{column}"] - rows["chance"]).round(1)
    best = rows.loc[rows.groupby([*_SAMPLE, "kind"])["gain"].idxmax()]
    best = best.assign(sample=[_name(*key) for key in best[_SAMPLE].itertuples(index=False)])
    # One step of inference is no shortcut and does not count.
    leaders = best[best["kind"] != _STEP].sort_values(["gain", "sample"], ascending=[False, True])
    leaders = leaders.drop_duplicates("sample")
    others = sorted(set(best["sample"]) - set(leaders["sample"]))
    order = [*leaders["sample"], *others]
    with style():
        from matplotlib import pyplot

        from divlogic.io.figures import sns

        figure, axis = pyplot.subplots(figsize=(PAGE_WIDTH, 1.2 + 0.27 * max(len(order), 1)))
        looks: dict[str, Any] = {
            "order": order,
            "hue": "kind",
            "hue_order": _KINDS,
            "palette": COLOURS[: len(_KINDS)],
            "markers": list(MARKERS[: len(_KINDS)]),
            "dodge": 0.4,  # one above the other, so that none hides another
            "linestyle": "none",
            "markersize": 4,
            "markeredgewidth": 1,
            "err_kws": {"linewidth": 1.2},
            "legend": False,
        }
        for shown, face in (
            (best["kind"] != _STEP, {}),
            (best["kind"] == _STEP, {"markerfacecolor": "white"}),
        ):
            sns.pointplot(
                with_ends(best[shown], "gain"), x="gain", y="sample", ax=axis, **looks, **face, **GIVEN
            )
        for place, row in enumerate(leaders.to_dict("records")):
            if row["gain"] > 5:
                axis.annotate(
                    row["probe"],
                    (row["gain_high"], place),
                    xytext=(6, -2),
                    textcoords="offset points",
                    fontsize=6,
                )
        axis.axvline(0, color="#555555", linewidth=1)
        axis.set_ylim(max(len(order), 1) - 0.4, -0.6)
        axis.set(xlabel="percentage points above guessing, best probe and question type", ylabel="")
        _explain(figure)
        return save_figure(figure, out)


def _kind(probe: str) -> str:
    return _STEP if probe == "neighbours" else _ALONE if probe in OPTIONS_ONLY else _PASSAGE


def _name(benchmark: str, preset: str, form: str) -> str:
    more = ", ".join(part for part in (preset.replace("_", " "), form if form != "text" else "") if part)
    title = TITLES.get(benchmark, benchmark).removesuffix(")")
    opened = title != TITLES.get(benchmark, benchmark)
    return title + (f"{', ' if opened else ' ('}{more})" if more else ")" if opened else "")


def _explain(figure: Any) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            color=COLOURS[number],
            marker=MARKERS[number],
            markerfacecolor="white" if kind == _STEP else COLOURS[number],
            label=kind,
        )
        for number, kind in enumerate(_KINDS)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(_KINDS))
