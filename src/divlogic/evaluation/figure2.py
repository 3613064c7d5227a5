"""Figure 2 of DivLogicEval: models by shots, one panel per metric and question type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.evaluation.metrics import METRICS, PRESETS
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.predictions import read_answers
from divlogic.evaluation.scoring import in_preset, score_all
from divlogic.evaluation.tables import in_table_order, table8
from divlogic.io.figures import COLOURS, PAGE_WIDTH, save_figure, style
from divlogic.models.letters import OPTIONS
from divlogic.published import read_published
from divlogic.published.audit import TABLES

PANELS = {
    "test": "test (overall)",
    "test_3e1c": "3e1c",
    "test_3c1e": "3c1e",
    "test_missing": "missing premise",
}
BENCHMARK = "divlogiceval"
_MARKS = {"0-shot": ("o", COLOURS[0], 0.16), "3-shot": ("s", COLOURS[1], -0.16)}
_ROW_HEIGHT = 0.145


def write_figure2(
    predictions: Sequence[Path], published: Path, out: Path, *, parameters: EvaluationParameters, seed: int
) -> list[Path]:
    """Draw Figure 2 from the printed cells and the predictions; write it as svg and png and return the paths.

    Raises:
        DivLogicError: a prediction file or a published one is missing or malformed.
    """
    answers = read_answers(predictions) if predictions else {}
    scores = in_table_order(score_all(answers, seed=seed, resamples=parameters.resamples))
    preset = next(name for name, none in PRESETS.items() if none == parameters.none_outcome)
    return draw(table8(read_published(published).scores(TABLES), in_preset(scores, preset)), out)


def draw(rows: Sequence[Mapping[str, Any]], out: Path) -> list[Path]:
    """Draw the rows of Table 8: metrics by row, question types by column, a line per system."""
    rows = [row for row in rows if row["benchmark"] == BENCHMARK]
    systems = list(dict.fromkeys((row["source"], row["system"]) for row in rows))
    places = {system: -number for number, system in enumerate(systems)}
    with style():
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(
            len(METRICS),
            len(PANELS),
            figsize=(PAGE_WIDTH, len(METRICS) * (_ROW_HEIGHT * len(systems) + 0.35)),
            sharey=True,
            sharex="row",
        )
        for line, metric in zip(axes, METRICS, strict=True):
            for axis, column in zip(line, PANELS, strict=True):
                _panel(axis, [row for row in rows if row["metric"] == metric], column, places)
            line[0].set_xlim(-2, _rightmost(rows, metric) + 3)
            line[0].set_ylabel(f"{metric} (%)")
            line[0].set_yticks(list(places.values()), [_name(*system) for system in systems])
        for axis, title in zip(axes[0], PANELS.values(), strict=True):
            axis.set_title(title)
        _legend(figure)
        return save_figure(figure, out)


def _panel(axis: Any, rows: Sequence[Mapping[str, Any]], column: str, places: Mapping[Any, int]) -> None:
    """Draw one metric on one part of the test set."""
    for row in rows:
        value = row.get(column)
        if value is None or row["shots"] not in _MARKS:
            continue
        marker, colour, shift = _MARKS[row["shots"]]
        y = places[row["source"], row["system"]] + shift
        low, high = row.get(f"{column}_low"), row.get(f"{column}_high")
        if low is not None and high is not None:
            axis.plot([low, high], [y, y], color=colour, linewidth=0.9, zorder=2)
        face = colour if row["source"] == "measured" else "white"
        axis.plot(value, y, marker, color=colour, markerfacecolor=face, markersize=3.2, zorder=3)
    printed = [place for (source, _), place in places.items() if source == "published"]
    if printed and len(printed) < len(places):
        axis.axhline(min(printed) - 0.5, color="#999999", linewidth=0.6)
    axis.axvline(chance(rows[0]["metric"]) if rows else 0, color="#999999", linewidth=0.7, linestyle=":")
    axis.set_ylim(-len(places) + 0.4, 0.6)
    axis.grid(axis="y", visible=False)
    axis.tick_params(axis="y", length=0)


def _rightmost(rows: Sequence[Mapping[str, Any]], metric: str) -> float:
    """Return the largest value or interval end of a metric, so that no panel cuts one off."""
    names = [name for column in PANELS for name in (column, f"{column}_high")]
    return max(
        (float(row[n]) for row in rows if row["metric"] == metric for n in names if row.get(n)), default=100
    )


def chance(metric: str) -> float:
    """Return the expected score of answers drawn uniformly at random, in percent, by counting all answer rows."""
    import itertools

    import numpy as np

    from divlogic.evaluation.metrics import Answers, instance_scores

    picks = np.array(list(itertools.product(range(OPTIONS), repeat=OPTIONS)), dtype=np.int8)
    names = ("",) * len(picks)
    return 100 * float(
        instance_scores(Answers(names, names, picks, picks == 0))[:, METRICS.index(metric)].mean()
    )


def _name(source: str, system: str) -> str:
    return system.removeprefix("baseline/").replace("_", " ")


def _legend(figure: Any) -> None:
    from matplotlib.lines import Line2D

    def mark(marker: str, colour: str, filled: bool, label: str) -> Line2D:
        face = colour if filled else "white"
        return Line2D(
            [], [], marker=marker, color=colour, markerfacecolor=face, linestyle="none", label=label
        )

    handles = [mark(marker, colour, True, shots) for shots, (marker, colour, _) in _MARKS.items()]
    handles.append(mark("o", "#555555", False, "published"))
    handles.append(mark("o", "#555555", True, "measured, 95 % interval"))
    handles.append(Line2D([], [], color="#999999", linestyle=":", label="uniform guessing"))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
