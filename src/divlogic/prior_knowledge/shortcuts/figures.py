"""The figures of shortcuts and of the ladder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import FOLDER
from divlogic.io import figures as drawing
from divlogic.prior_knowledge.shortcuts.probes import (
    FIGURE_WORDS,
    KIND_OF,
    KINDS,
    NAMES,
    READING_NAMES,
    STEP,
    STEPS_OF,
)

if TYPE_CHECKING:
    import pandas as pd

_KINDS = {
    KINDS[0]: "sees only the options (or the statement)",
    KINDS[1]: "counts or compares words or symbols of the passage too",
    KINDS[2]: "one step of inference or more",
}
_SAMPLE = ["benchmark", "construction", "form"]


def figures(
    *,
    shortcuts: Annotated[Path, "The table of `shortcuts`, without its suffix."],
    out: Annotated[Path, FOLDER, "Folder of the figure (svg and png)."],
) -> None:
    """Draw how far shortcuts get above guessing."""
    draw_shortcuts(shortcuts, out / "shortcuts")


def draw_shortcuts(table: Path, out: Path) -> list[Path]:
    """Draw for each benchmark how far the best probe of each kind gets above guessing, the worst at the top.

    What is worded and what is left in symbols stand in two panels: their probes see different things. The title says
    what the figure shows.
    """
    rows = drawing.read_frame(table)
    rows = rows.assign(
        construction=rows["construction"].fillna(""), kind=rows["probe"].map(KIND_OF)
    )
    for column in ("", "_low", "_high"):
        rows[f"gain{column}"] = (rows[f"accuracy{column}"] - rows["chance"]).round(1)
    best = rows.loc[rows.groupby([*_SAMPLE, "kind"])["gain"].idxmax()]
    best = best.assign(
        sample=[_name(*key) for key in best[_SAMPLE].itertuples(index=False)],
        symbols=best["form"].str.contains("symbols"),
    )
    panels = {title: part for title, part in _panels(best) if len(part)}
    heights = [part["sample"].nunique() for part in panels.values()]
    with drawing.style() as pyplot:
        figure, grid = pyplot.subplots(
            max(len(panels), 1),
            1,
            figsize=(drawing.PAGE_WIDTH, 1.7 + 0.27 * sum(heights)),
            sharex=True,
            squeeze=False,
            height_ratios=heights or None,
        )
        axes = grid[:, 0]
        for axis, (title, part) in zip(axes, panels.items(), strict=False):
            _draw_kinds(axis, part)
            axis.set_title(title, loc="left", fontsize=7.5)
        text = "percentage points above guessing: highest probe of each kind, 95 % interval"
        axes[-1].set_xlabel(text)
        figure.suptitle(_finding(best), fontsize=8.5, fontweight="bold")
        drawing.explain(figure, _marks(), "lower center", ncols=2)
        return drawing.save_figure(figure, out)


def _panels(best: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [
        ("in symbols", best[best["symbols"]]),
        ("in sentences", best[~best["symbols"]]),
    ]


def _finding(best: pd.DataFrame) -> str:
    """Return in one sentence what the best probe that takes no step earns, as published and as made here."""
    leaders = best[best["kind"] != STEP]
    is_published = leaders["construction"] == "as_published"
    found = []
    for words, part in (
        ("as published", leaders[is_published]),
        ("made here", leaders[~is_published]),
    ):
        if len(part):
            found.append(f"{part['gain'].max():+.0f} {words}".replace("-", "−"))
    if not found:
        return ""
    return f"Best score without a step of inference, above guessing: {', '.join(found)} (points)"


def _order(best: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return of each sample the highest probe that takes no step, and all samples, the worst first."""
    leaders = best[best["kind"] != STEP].sort_values(["gain", "sample"], ascending=[False, True])
    leaders = leaders.drop_duplicates("sample")
    without = sorted(set(best["sample"]) - set(leaders["sample"]))
    return leaders, [*leaders["sample"], *without]


def _marks() -> list[dict[str, Any]]:
    marks = []
    for kind, colour, marker in zip(KINDS, drawing.COLOURS, drawing.MARKERS, strict=False):
        mark = {"color": colour, "marker": marker, "linestyle": "none", "label": _KINDS[kind]}
        if kind == STEP:
            mark["markerfacecolor"] = "white"
        marks.append(mark)
    return marks


def _draw_kinds(axis: Any, best: pd.DataFrame) -> None:
    leaders, order = _order(best)
    for kind, mark in zip(KINDS, _marks(), strict=False):
        looks = {
            "color": mark["color"],
            "markers": mark["marker"],
            "markersize": 4,
            "markeredgewidth": 1,
        }
        if "markerfacecolor" in mark:
            looks["markerfacecolor"] = mark["markerfacecolor"]
        own = best[best["kind"] == kind]
        drawing.points(axis, own, "gain", "sample", order, err_kws={"linewidth": 1.2}, **looks)
    for place, row in enumerate(leaders.to_dict("records")):
        # What lies within three points of guessing is noise at these sizes: no probe is worth its name there.
        if row["gain"] > 3:
            # In the right half there is room on the left only.
            is_right = row["gain"] > 40
            axis.annotate(
                f"{FIGURE_WORDS[row['probe']]} (n = {row['instances']:,})",
                (row["gain_low"] if is_right else row["gain_high"], place),
                xytext=(-6 if is_right else 6, -9),
                ha="right" if is_right else "left",
                textcoords="offset points",
                fontsize=6,
                color="#444444",
            )
    axis.axvline(0, color="#555555", linewidth=1)
    axis.set(ylim=(max(len(order), 1) - 0.4, -0.6), ylabel="", xlabel="")


def draw_ladder(table: Path, out: Path) -> list[Path]:
    """Draw accuracy by the number of steps that instances need: of readers, of the highest probe, of models.

    A panel for each benchmark and construction; question types are pooled. Of readers that take up to r steps the one
    that is right most often is drawn: the rule, or a learner. Readers who take each rule in one way are drawn by name.
    """
    rows = drawing.read_frame(table)
    rows = rows[rows["construction"] != "as_published"]
    # Models take no number of steps that is known.
    steps = {probe: float(taken or 0) for probe, taken in STEPS_OF.items()}
    for probe in READING_NAMES:
        del steps[probe]
    rows = rows.assign(
        benchmark=rows["benchmark"].str.removeprefix("s-"), reader=rows["probe"].map(steps)
    )
    panels = [
        ((str(key[0]), str(key[1])), own)
        for key, own in rows.groupby(["benchmark", "construction"], sort=False)
        if own["probe"].str.startswith("reader").any()
        and key[0] in TITLES
        and own["depth"].nunique() > 1
        and key[0] != "ilogiceval"
    ]
    with drawing.style() as pyplot:
        from matplotlib import colormaps

        width = min(max(len(panels), 1), 4)
        figure, grid = pyplot.subplots(
            1, width, figsize=(drawing.PAGE_WIDTH, 2.7), sharey=True, squeeze=False,
            width_ratios=[1 + own["depth"].nunique() / 4 for _, own in panels[:width]] or None,
        )  # fmt: skip
        shades = colormaps["viridis"]
        handles: dict[str, Any] = {}
        for axis, ((benchmark, construction), own) in zip(grid[0], panels, strict=False):
            for reader in sorted(own["reader"].dropna().unique()):
                part = _main(own)
                points = _pooled(part[part["reader"].between(min(reader, 1), reader)])
                label = f"reader, {reader:.0f} step{'s' if reader > 1 else ''}"
                shade = shades(0.95 - 0.23 * reader)
                look: dict[str, Any] = {"marker": drawing.MARKERS[int(reader)], "color": shade}
                if reader == 0:
                    label = "highest probe, no step"
                    look = {"marker": "", "color": drawing.COLOURS[1], "linestyle": "--"}
                (handles[label],) = axis.plot(
                    points["depth"], points["accuracy"], **look, label=label
                )
                if reader == 0:
                    band = {"color": drawing.COLOURS[1], "alpha": 0.15, "linewidth": 0}
                    axis.fill_between(points["depth"], points["low"], points["high"], **band)
            for name, colour in zip(READING_NAMES, drawing.COLOURS[2:], strict=False):
                part = _main(own)
                points = _pooled(part[part["probe"] == name])
                if len(points):
                    (handles[name],) = axis.plot(
                        points["depth"],
                        points["accuracy"],
                        marker="|",
                        markersize=9,
                        color=colour,
                        linestyle="-." if name == "reader, correct" else ":",
                        label=name,
                    )
            models = own[~own["probe"].isin(NAMES) & ~own["probe"].str.startswith("baseline/")]
            for model, part in list(models.groupby("probe"))[:1]:
                points = part.sort_values("depth")
                accuracy = points["accuracy"]
                ends = (accuracy - points["accuracy_low"], points["accuracy_high"] - accuracy)
                name = str(model) if len(str(model)) <= 24 else str(model).partition(" (")[0]
                handles[name] = axis.errorbar(
                    points["depth"], accuracy, yerr=ends, color="black", marker="x", linestyle="none", linewidth=0.8
                )  # fmt: skip
            guess = own["chance"].min()
            handles["guessing"] = axis.axhline(guess, color="#666666", linewidth=0.8, linestyle=":")
            axis.set_title(_name(benchmark, construction, "text"))
            axis.set_xticks(sorted(_main(own)["depth"].unique()))
            axis.set(ylim=(0, 104), xlabel=_UNIT.get(benchmark, "steps needed"))
        grid[0][0].set_ylabel("accuracy (%)")
        order = sorted(
            handles, key=lambda label: (not label.startswith(("reader", "highest")), label)
        )
        figure.legend(
            [handles[label] for label in order], order, loc="outside lower center", ncols=4
        )
        return drawing.save_figure(figure, out)


_UNIT = {
    "divlogiceval": "sentences needed",
    "justlogic_generated": "arguments chained",
    "logicnli_generated": "rounds of rules",
}


def _main(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the largest sample, fresh or released, without sets less than half as large as its main."""
    sizes = rows[rows["reader"] > 0].groupby(["form", "type", "probe"])["instances"].sum()
    largest = sizes.groupby(["form", "type"]).max().rename("size").reset_index()
    form = largest.groupby("form")["size"].sum().idxmax()
    types = largest[(largest["form"] == form) & (largest["size"] > largest["size"].max() / 2)][
        "type"
    ]
    return rows[(rows["form"] == form) & rows["type"].isin(types)]


def _pooled(rows: pd.DataFrame) -> pd.DataFrame:
    """Return by depth the accuracy of the probe that is right most often, over all question types."""
    sizes = rows["instances"]
    weighed = rows.assign(
        size=sizes, **{name: rows[column] * sizes for name, column in _ENDS.items()}
    )
    sums = weighed.groupby(["depth", "form", "probe"])[[*_ENDS, "size"]].sum().reset_index()
    for name in _ENDS:
        sums[name] = sums[name] / sums["size"]
    return sums.loc[sums.groupby("depth")["accuracy_"].idxmax()].rename(
        columns={"accuracy_": "accuracy"}
    )


_ENDS = {"accuracy_": "accuracy", "low": "accuracy_low", "high": "accuracy_high"}


def _name(benchmark: str, construction: str, form: str) -> str:
    title = TITLES.get(benchmark, benchmark)
    more = ", ".join(filter(None, (construction.replace("_", " "), form if form != "text" else "")))
    if not more:
        return title
    return f"{title[:-1]}, {more})" if title.endswith(")") else f"{title} ({more})"
