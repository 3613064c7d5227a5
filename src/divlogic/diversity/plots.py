"""The figures of the phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import FOLDER
from divlogic.diversity.parameters import DiversityRun
from divlogic.diversity.profile import Profile
from divlogic.diversity.shipped import INDEX, REFERENCE, REFERENCES
from divlogic.io import figures as drawing
from divlogic.io.files import read_json

if TYPE_CHECKING:
    import pandas as pd

_LOOKS = (
    "divlogiceval", "ruletaker", "logicnli", "folio", "clutrr", "logiqa2", "justlogic",
    "justlogic_generated", "ilogiceval", "prontoqa_ood", "robustlr", "reclor", "proofwriter",
)  # fmt: skip
"""Benchmarks in the order in which they get colours; those often shown together get different ones."""

MEASURED, PUBLISHED, CORRECTED = drawing.COLOURS[0], drawing.COLOURS[1], drawing.COLOURS[2]
GRID = ("benchmark", "smoothing", "size", "kl", "kl_low", "kl_high")
"""Columns of the sensitivity grid."""


def figures(
    *,
    profiles: Annotated[Path, FOLDER, "Folder of profiles that `profile` wrote."],
    table: Annotated[Path, "--table4", "Table 4, without its suffix."],
    sensitivity: Annotated[Path, "What `sensitivity` wrote."],
    params: DiversityRun,
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Draw the sensitivity of the divergence, and rank against frequency, as svg and png."""
    import pandas as pd

    table4 = drawing.read_frame(table)
    sizes = table4["sample_tokens"].dropna()
    plot_sensitivity(
        # Without rows where no benchmark has enough words.
        pd.DataFrame(read_json(sensitivity), columns=pd.Index(GRID)),
        params.diversity.as_published.smoothing,
        int(sizes.max()) if len(sizes) else None,
        table4,
        out / "kl_sensitivity",
    )
    others = {INDEX, *(f"{name}.json.gz" for name in REFERENCES)}
    # A second full stop marks the part of a benchmark that only single tables rest on.
    files = sorted(path for path in profiles.glob("*.json.gz") if path.name.count(".") == 2)
    files = [path for path in files if path.name not in others]
    benchmarks = [profile for profile in map(Profile.load, files) if profile.english]
    plot_rank_frequency(
        benchmarks, Profile.load(profiles / f"{REFERENCE}.json.gz"), out / "rank_frequency"
    )


def plot_divergence(table4: pd.DataFrame, out: Path) -> list[Path]:
    """Draw KL and vocabulary of every benchmark, printed beside measured, nearest to Wikipedia first.

    Args:
        table4: the table, with the further columns ``printed_kl`` and ``printed_vocabulary``.
        out: the figure, without suffix.
    """
    table4 = table4.assign(order=table4["kl_bits"].fillna(table4["printed_kl"])).dropna(
        subset="order"
    )
    table4 = table4.sort_values("order", kind="stable")
    with drawing.style() as pyplot:
        fig, (left, right) = pyplot.subplots(
            1, 2, sharey=True, figsize=(drawing.PAGE_WIDTH, 0.9 + 0.24 * max(3, len(table4)))
        )
        _values(left, table4, "kl_bits", MEASURED)
        _values(left, table4, "printed_kl", PUBLISHED)
        _values(right, table4, "vocabulary_cased", MEASURED)
        _values(right, table4, "printed_vocabulary", PUBLISHED)
        left.set(xlabel="KL(benchmark ‖ Wikipedia), bits", ylabel="")
        left.set_xlim(left=0)
        right.set(xscale="log", xlabel="Vocabulary (cased tokens)", ylabel="")
        _key(fig, {"measured, 95 % of subsamples": MEASURED, "published": PUBLISHED})
        return drawing.save_figure(fig, out)


def plot_readability(complexity: pd.DataFrame, out: Path) -> list[Path]:
    """Draw the Flesch–Kincaid grade as printed, as measured that way, and corrected, the lowest first.

    Args:
        complexity: the table, with the further column ``printed_flesch_kincaid``.
        out: the figure, without suffix.
    """
    printed, measured = "printed_flesch_kincaid", "flesch_kincaid"
    published, corrected = f"{measured}_as_published", f"{measured}_corrected"
    shown = complexity.assign(order=complexity[published].fillna(complexity[printed])).dropna(
        subset="order"
    )
    shown = shown.sort_values("order", kind="stable")
    with drawing.style() as pyplot:
        from matplotlib.ticker import MultipleLocator

        fig, axes = pyplot.subplots(figsize=(drawing.COLUMN_WIDTH, 1.1 + 0.22 * max(3, len(shown))))
        _values(axes, shown, published, MEASURED)
        _values(axes, shown, corrected, CORRECTED)
        _values(axes, shown, printed, PUBLISHED)
        axes.hlines(
            shown["benchmark"], shown[published], shown[corrected], color="#aaaaaa", linewidth=1
        )
        axes.set(xlabel="Flesch–Kincaid grade", ylabel="")
        axes.xaxis.set_major_locator(MultipleLocator(5))
        axes.set_xlim(left=0)
        _key(
            fig, {"as published, measured": MEASURED, "corrected": CORRECTED, "printed": PUBLISHED}
        )
        return drawing.save_figure(fig, out)


def plot_sensitivity(
    grid: pd.DataFrame, smoothing: float, size: int | None, table4: pd.DataFrame, out: Path
) -> list[Path]:
    """Draw KL over α at one subsample size, over the size at one α, and by the texts that stand for Wikipedia.

    Args:
        grid: the sensitivity grid (:data:`GRID`).
        smoothing: the α of the right panel.
        size: tokens of the left panel: the largest size of the grid not above it that every benchmark has.
        table4: KL against each reference.
    """
    grid = grid.assign(title=[TITLES.get(name, name) for name in grid["benchmark"]])
    height = grid[grid["smoothing"] == smoothing].groupby("benchmark")["kl"].last()
    names = sorted(grid["benchmark"].unique(), key=lambda name: (-height.get(name, 0.0), name))
    sizes = sorted(grid["size"].unique())
    have_all = grid.groupby("size")["benchmark"].nunique()
    common = [one for one in sizes if have_all[one] == len(names)]
    chosen = ([one for one in common if size is None or one <= size] or common or [None])[-1]
    with drawing.style() as pyplot:
        fig, (left, right, last) = pyplot.subplots(
            1, 3, sharey=True, figsize=(drawing.PAGE_WIDTH, 2.9), width_ratios=(1, 1, 0.6)
        )
        looks = _looks(names) | {"y": "kl", "hue": "title", "style": "title", "legend": False}
        looks |= {"estimator": None, "markeredgewidth": 0}
        for axes, part, over in (
            (left, grid[grid["size"] == chosen], "smoothing"),
            (right, grid[grid["smoothing"] == smoothing], "size"),
        ):
            if len(part):
                drawing.sns.lineplot(part, x=over, ax=axes, **looks)
            for title, own in part.sort_values(over).groupby("title"):
                band = {"color": looks["palette"][title], "alpha": 0.15, "linewidth": 0}
                axes.fill_between(own[over], own["kl_low"], own["kl_high"], **band)
        left.set(
            xscale="log", xlabel=f"smoothing α ({chosen:,} tokens)" if chosen else "smoothing α"
        )
        left.set(ylabel="KL(benchmark ‖ Wikipedia), bits", ylim=(0, None))
        right.set(xscale="log", xlabel=f"tokens in a subsample (α = {smoothing:g})")
        right.set_xticks(sizes, [f"{tick:,}" for tick in sizes])
        right.minorticks_off()
        _by_reference(last, table4, looks)
        _series(fig, looks)
        return drawing.save_figure(fig, out)


def _by_reference(axes: Any, table4: pd.DataFrame, looks: dict[str, Any]) -> None:
    """Draw the KL of each benchmark against each reference that is here, as Table 4 has them."""
    columns = {
        column: text for column, text in _REFERENCE_TICKS.items() if table4[column].notna().any()
    }
    for row in table4.to_dict("records"):
        values = [row[column] for column in columns]
        if row["benchmark"] in looks["palette"]:
            look = {
                "color": looks["palette"][row["benchmark"]],
                "marker": looks["markers"][row["benchmark"]],
            }
            axes.plot(range(len(values)), values, linewidth=0.8, linestyle=":", **look)
    axes.set_xticks(range(len(columns)), list(columns.values()))
    axes.set(xlim=(-0.4, len(columns) - 0.6), xlabel="reference texts")


_REFERENCE_TICKS = {
    "kl_bits": "this\nrun",
    "kl_bits_wikipedia_simple": "more\nSimple",
    "kl_bits_wikipedia_english": "English",
}
"""Columns of Table 4 with the references that they are against."""


def plot_shares(shares: pd.DataFrame, printed: float | None, out: Path) -> list[Path]:
    """Draw DivLogicEval's KL over the share of MultiNLI's sentence groups, and the printed value if there is one."""
    shares = shares.sort_values("mnli_share")
    own = shares[shares["measured"].isin([True, "yes"])]
    with drawing.style() as pyplot:
        fig, axes = pyplot.subplots(figsize=(drawing.COLUMN_WIDTH, 2.6))
        given = {"x": "mnli_share", "y": "kl_bits", "color": MEASURED, "ax": axes}
        mixed = given | {"label": "these sentences, mixed otherwise"}
        drawing.sns.lineplot(shares, **mixed, estimator=None, legend=False)
        edges = (
            shares[name].astype(float) for name in ("mnli_share", "kl_bits_low", "kl_bits_high")
        )
        axes.fill_between(*edges, color=MEASURED, alpha=0.15, linewidth=0)
        drawing.sns.scatterplot(
            own, **given, s=16, edgecolor="none", label="share of this run", legend=False
        )
        if printed is not None:
            label = f"published: {printed:g}"
            axes.axhline(printed, color=PUBLISHED, linestyle="--", label=label)
        text = "share of MultiNLI among the sentence groups\n(embedded: of the genres)"
        axes.set(xlim=(0, 1), xlabel=text, ylabel="KL(DivLogicEval ‖ Wikipedia), bits")
        fig.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=1)
        return drawing.save_figure(fig, out)


def plot_rank_frequency(profiles: Sequence[Profile], reference: Profile, out: Path) -> list[Path]:
    """Draw relative word frequency over rank, both logarithmic, of every benchmark and of Wikipedia."""
    import pandas as pd

    titles = {TITLES.get(profile.benchmark, profile.benchmark): profile for profile in profiles}
    points = [
        (title, *point) for title, profile in titles.items() for point in _frequencies(profile)
    ]
    frame = pd.DataFrame(points).reindex(columns=range(3))
    with drawing.style() as pyplot:
        fig, axes = pyplot.subplots(figsize=(drawing.PAGE_WIDTH * 0.75, 3.2))
        looks = _looks([profile.benchmark for profile in profiles])
        own = {name: value for name, value in looks.items() if name != "markers"}
        plain = {"estimator": None, "sort": False, "legend": False}
        drawing.sns.lineplot(frame, x=1, y=2, hue=0, style=0, ax=axes, **plain, **own)
        axes.plot(*zip(*_frequencies(reference), strict=True), color="black", linewidth=2)
        axes.set(xscale="log", yscale="log", xlabel="rank of the word", ylabel="share of all words")
        _series(fig, own | {"reference": "Wikipedia"})
        return drawing.save_figure(fig, out)


def _frequencies(profile: Profile) -> Iterator[tuple[int, float]]:
    """Yield ranks and shares of words: a few per decade show the curve, thousands would make the file large."""
    import numpy as np

    words = profile.filtered("distinct_contexts", "alphabetic")
    counts = np.array(sorted(words.values(), reverse=True), dtype=float)
    if len(counts):
        for place in np.unique(np.geomspace(1, len(counts), 120).astype(int)) - 1:
            yield int(place) + 1, counts[place] / counts.sum()


def _looks(names: Sequence[str]) -> dict[str, Any]:
    """Return seaborn's options for a colour, a marker and a line of each benchmark: the same ones in every figure."""
    colours, markers = [one for one in drawing.COLOURS if one != "#000000"], drawing.MARKERS
    order = [*_LOOKS, *sorted(name for name in names if name not in _LOOKS)]
    titles = {TITLES.get(name, name): order.index(name) for name in names}
    dashes: tuple[Any, ...] = ("", (3, 1.5), (1, 1))
    return {
        "hue_order": list(titles),
        "style_order": list(titles),
        "palette": {title: colours[place % len(colours)] for title, place in titles.items()},
        "markers": {title: markers[place % len(markers)] for title, place in titles.items()},
        "dashes": {title: dashes[place // len(colours) % 3] for title, place in titles.items()},
    }


def _values(axes: Any, frame: pd.DataFrame, column: str, colour: str) -> None:
    """Draw a column, a point for each benchmark, and its interval if the frame has one."""
    face = {"markerfacecolor": "none", "markeredgewidth": 1} if colour == PUBLISHED else {}
    face |= {
        "color": colour,
        "markers": _MARKS[colour],
        "markersize": 4,
        "err_kws": {"linewidth": 2.2},
    }
    drawing.points(axes, frame, column, "benchmark", list(frame["benchmark"].unique()), **face)


_MARKS = {MEASURED: "o", PUBLISHED: "D", CORRECTED: "s"}


def _key(figure: Any, entries: dict[str, str]) -> None:
    """Explain the colours of points above a figure."""
    marks = [
        {"label": label, "color": colour, "marker": _MARKS[colour], "linestyle": "none"}
        | ({"fillstyle": "none"} if colour == PUBLISHED else {})
        for label, colour in entries.items()
    ]
    drawing.explain(
        figure, marks, "upper center", ncols=len(marks), columnspacing=1, handletextpad=0.2
    )


def _series(figure: Any, looks: dict[str, Any]) -> None:
    """Add the legend of the lines next to a figure, those without points by lines alone."""
    marks = []
    for title in looks["hue_order"]:
        line = (0, looks["dashes"][title]) if looks["dashes"][title] else "-"
        mark = {"color": looks["palette"][title], "marker": looks.get("markers", {}).get(title)}
        marks.append(mark | {"label": title, "linestyle": line})
    if "reference" in looks:
        marks.append({"color": "black", "linewidth": 2, "label": looks["reference"]})
    if marks:
        drawing.explain(figure, marks, "right upper")
