"""The figures of the phase: what they name, and that nothing of it is cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.io.tables import write_table
from divlogic.prior_knowledge import independence as figures

COLUMNS = ["benchmark", "source", "system", "prompt", "preset", "random_probability", "accuracy"]
COLUMNS += ["accuracy_low", "accuracy_high"]
ROWS = [
    {"benchmark": "clutrr", "source": "published", "system": "GPT-4", "accuracy": 8.3},
    {
        "benchmark": "clutrr",
        "source": "recorded",
        "system": "GPT-4",
        "preset": "as_published",
        "accuracy": 8.33,
    },
    {"benchmark": "clutrr", "source": "recorded", "system": "GPT-4", "preset": "corrected", "accuracy": 8.33},
    {"benchmark": "justlogic_generated", "source": "baseline", "system": "majority answer", "accuracy": 33.5},
    {
        "benchmark": "justlogic_generated",
        "source": "model",
        "system": "A-Language-Model-Instruct (recorded)",
        "prompt": "question_only",
        "accuracy": 27.8,
        "accuracy_low": 11.1,
        "accuracy_high": 50.0,
    },
]


def test_lines_are_named_by_who_answered_and_no_text_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr("divlogic.io.figures.save_figure", lambda figure, out: drawn.append(figure) or [])
    write_table(tmp_path / "t", COLUMNS, [{"random_probability": 30.0, **row} for row in ROWS], floats=2)
    figures.draw_independence(tmp_path / "t", tmp_path / "figure")
    (figure,) = drawn
    figure.draw_without_rendering()
    (axis,) = figure.axes
    assert [label.get_text() for label in axis.get_yticklabels()] == [
        "CLUTRR: published",
        "CLUTRR: GPT-4 (recorded)",
        "JustLogic (generated): A-Language-Model-Instruct (recorded)",
    ]
    width, height = figure.bbox.size
    for text in (axis.xaxis.label, *axis.get_xticklabels(), *axis.get_yticklabels()):
        extent = text.get_window_extent()
        assert extent.x0 >= 0 and extent.x1 <= width and extent.y0 >= 0 and extent.y1 <= height, text
