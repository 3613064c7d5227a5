"""Figures that notebooks show."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib import pyplot as plt

from divlogic.io.figures import style
from divlogic.paper.notebooks import show_figure


def test_the_powers_of_a_logarithmic_axis_are_drawn_as_powers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    with style():
        figure, axis = plt.subplots()
        axis.plot([10, 1000], [1, 2])
        axis.set(xscale="log")
        axis.set_title("$5")
    show_figure(figure, "a line")
    assert [data["text/plain"] for data in shown] == ["a line"]
    assert all(tick.label1.get_parse_math() for tick in axis.xaxis.get_major_ticks())
    assert not axis.title.get_parse_math()
