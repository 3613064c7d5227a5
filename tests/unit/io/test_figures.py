"""Figures show the numbers of the tables that they are drawn from, and are the same bytes every time."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd

from divlogic.io.figures import GIVEN, read_frame, save_figure, style, with_ends
from divlogic.io.tables import write_table

ROWS = [
    {"name": "inside", "share": 40.0, "share_low": 30.0, "share_high": 45.0},
    # A bootstrap interval need not hold the value itself.
    {"name": "outside", "share": 70.0, "share_low": 71.0, "share_high": 80.0},
    {"name": "printed", "share": 55.0},
]


def test_a_table_comes_back_as_a_frame_with_its_numbers(tmp_path: Path) -> None:
    write_table(
        tmp_path / "t",
        ["name", "share", "share_low", "n"],
        [*ROWS, {"name": "x", "n": 3}],
        floats=1,
    )
    frame = read_frame(tmp_path / "t")
    assert list(frame["name"]) == ["inside", "outside", "printed", "x"]
    assert frame["share"].tolist()[:3] == [40.0, 70.0, 55.0] and math.isnan(frame["share"][3])
    assert frame["share_low"].isna().tolist() == [False, False, True, True]

    write_table(tmp_path / "empty", ["name", "share"], [])
    assert list(read_frame(tmp_path / "empty").columns) == ["name", "share"]


def test_what_seaborn_draws_are_the_values_and_intervals_of_the_table() -> None:
    with style():
        import seaborn as sns
        from matplotlib import pyplot

        _, axes = pyplot.subplots()
        sns.pointplot(
            with_ends(pd.DataFrame(ROWS), "share"),
            x="share",
            y="name",
            linestyle="none",
            ax=axes,
            **GIVEN,
        )
        points, *bars = axes.get_lines()
        assert list(points.get_xdata()) == [40.0, 70.0, 55.0]
        ends = [[float(x) for x in bar.get_xdata()] for bar in bars]
        assert [30.0, 45.0] in ends and [71.0, 80.0] in ends
        assert sum(not any(map(math.isnan, pair)) for pair in ends) == 2
        pyplot.close("all")


def test_a_figure_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    from matplotlib import pyplot

    for name in ("a", "b"):
        with style():
            fig, axes = pyplot.subplots(figsize=(2, 2))
            axes.plot([1, 2, 3], [3, 1, 2], marker="o", label="x")
            axes.legend()
            save_figure(fig, tmp_path / f"{name}.v1")
    for kind in ("svg", "png"):
        assert (tmp_path / f"a.v1.{kind}").read_bytes() == (tmp_path / f"b.v1.{kind}").read_bytes()
    assert b"<dc:date>" not in (tmp_path / "a.v1.svg").read_bytes()


def test_the_style_does_not_outlive_its_figure() -> None:
    import matplotlib

    before = matplotlib.rcParams["axes.grid"]
    with style():
        assert matplotlib.rcParams["axes.grid"] is True
    assert matplotlib.rcParams["axes.grid"] == before
