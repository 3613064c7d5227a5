"""Figures of printed and measured numbers: every printed row is there, and none is shown twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from divlogic.evaluation.figures import draw_figure2
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.tables import write_table
from divlogic.paper.figures import draw_figures, printed_answers, printed_scores, with_printed
from divlogic.published import read_published

PRINTED = read_published(Path(__file__).parents[3] / "data" / "published")


def test_printed_scores_stand_in_our_columns_as_printed() -> None:
    rows = printed_scores(PRINTED)
    cell = {"system": "Gemini", "shots": "0-shot", "metric": "PC", "source": "published"}
    (row,) = [row for row in rows if row.items() >= cell.items()]
    parts = [row[f"test{part}"] for part in ("", "_3e1c", "_3c1e", "_missing")]
    assert parts == [21.6, 19.9, 19.9, 17.9]
    systems = {cell.system for cell in PRINTED.cells("divlogiceval_table8")}
    assert {row["system"] for row in rows} == systems | {"Human"}


def test_printed_answers_without_contexts_are_those_of_the_five_benchmarks() -> None:
    rows = {row["benchmark"]: row for row in printed_answers(PRINTED)}
    assert set(rows) == {"clutrr", "proofwriter", "logiqa2", "folio", "justlogic"}
    assert (rows["folio"]["accuracy"], rows["folio"]["random_probability"]) == (40.0, 33.3)


def test_a_benchmark_that_is_printed_or_measured_alone_has_a_row_of_its_own() -> None:
    measured = pd.DataFrame(
        [{"benchmark": "my diary", "kl_bits": 3.0}, {"benchmark": "FOLIO", "kl_bits": 2.9}]
    )
    printed = {"reclor": {"kl": 1.44}, "folio": {"kl": 2.77}}
    joined = with_printed(measured, printed, {"printed_kl": "kl"})
    found = {
        row["benchmark"]: (row["kl_bits"], row["printed_kl"]) for row in joined.to_dict("records")
    }
    assert found["FOLIO"] == (2.9, 2.77)
    assert pd.isna(found["ReClor"][0]) and found["ReClor"][1] == 1.44
    assert found["my diary"][0] == 3.0 and pd.isna(found["my diary"][1])
    assert list(joined["benchmark"])[-1] == "my diary"


TYPES = ("test", "test_3e1c", "test_3c1e", "test_missing")
ENDS = ("", "_low", "_high")
COLUMNS = {
    "evaluation/table8": [
        "system",
        "benchmark",
        "shots",
        "metric",
        "preset",
        *(f"{name}{end}" for name in TYPES for end in ENDS),
    ],
    "diversity/table4": ["benchmark", "vocabulary_cased", *(f"kl_bits{end}" for end in ENDS)],
    "diversity/kl_by_share": ["mnli_share", "measured", *(f"kl_bits{end}" for end in ENDS)],
    "diversity/complexity": [
        "benchmark",
        "flesch_kincaid_as_published",
        "flesch_kincaid_corrected",
    ],
    "prior_knowledge/independence": [
        "benchmark",
        "source",
        "system",
        "prompt",
        "preset",
        "random_probability",
        *(f"accuracy{end}" for end in ENDS),
    ],
}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The figures of a run that measured nothing."""
    folder = tmp_path_factory.mktemp("figures")
    for name, columns in COLUMNS.items():
        write_table(folder / "results" / name, columns, [])
    out = folder / "out"
    draw_figures(
        results=folder / "results", published=PRINTED.folder, out=out, params=EvaluationRun()
    )
    return out


def test_a_run_that_measured_nothing_shows_what_is_printed(drawn: Path) -> None:
    names = {path.stem for path in drawn.glob("*.svg")}
    assert names == {"figure2", "kl_vocabulary", "kl_by_share", "readability", "independence"}
    assert names == {path.stem for path in drawn.glob("*.png")}
    assert "<!-- ReClor -->" in (drawn / "kl_vocabulary.svg").read_text(encoding="utf-8")
    assert "<!-- FOLIO: published -->" in (drawn / "independence.svg").read_text(encoding="utf-8")


def test_people_are_a_number_and_no_line_without_points(drawn: Path) -> None:
    # They were measured on the whole alone.
    assert "<!-- Human: 86.7 ▸ -->" in (drawn / "figure2.svg").read_text(encoding="utf-8")


def test_a_measured_system_stands_below_the_printed_ones(tmp_path: Path) -> None:
    row: dict[str, Any] = {"source": "measured", "system": "baseline/uniform", "metric": "ACC"}
    row |= {"benchmark": "divlogiceval", "shots": "0-shot", "preset": None}
    row |= {f"{name}{end}": 25.0 for name in TYPES for end in ENDS}
    frame = pd.DataFrame([*printed_scores(PRINTED), row])
    svg, _ = draw_figure2(frame, tmp_path / "figure2", none="fifth")
    text = svg.read_text(encoding="utf-8")
    assert text.index("<!-- Gemini -->") < text.index("<!-- uniform -->")
