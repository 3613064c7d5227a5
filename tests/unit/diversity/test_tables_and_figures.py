"""Tables and figures are readable and the same bytes every time."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from divlogic.diversity.report import number_of_domains
from divlogic.io.figures import save_figure, style
from divlogic.io.tables import format_cell, write_table
from divlogic.records import Record

CELLS = {None: "", float("nan"): "", 1.5: "1.50", -0.001: "0.00", 3: "3", True: "yes", "a|b": "a|b"}


@pytest.mark.parametrize(("value", "text"), [*CELLS.items(), (np.float64(2), "2.00")])
def test_a_cell_has_fixed_decimals_and_no_minus_zero(value, text):
    assert format_cell(value, 2) == text


def test_a_table_is_written_for_programs_readers_and_papers(tmp_path: Path) -> None:
    rows = [{"name": "A_1", "kl": 1.25, "n": 3}, {"name": "x|y & 5 %", "kl": None}]
    paths = write_table(
        tmp_path / "t.1", ["name", "kl", "n"], rows, "KL in bits, α = 0.1", {"kl": 1}, shown=["name", "kl"]
    )
    assert [path.name for path in paths] == ["t.1.csv", "t.1.md", "t.1.tex", "t.1.json"]
    with paths[0].open(encoding="utf-8") as stream:
        assert list(csv.reader(stream)) == [["name", "kl", "n"], ["A_1", "1.2", "3"], ["x|y & 5 %", "", ""]]
    markdown = paths[1].read_text(encoding="utf-8")
    assert markdown.splitlines()[:3] == ["| name | kl |", "| --- | ---: |", "| A_1 | 1.2 |"]
    assert "x\\|y" in markdown and markdown.endswith("KL in bits, α = 0.1\n")
    latex = paths[2].read_text(encoding="utf-8")
    assert r"x\textbar{}y \& 5 \% &  \\" in latex
    assert r"A\_1" in latex and r"$\alpha$" in latex


def test_a_figure_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    from matplotlib import pyplot as plt

    for name in ("a", "b"):
        with style():
            fig, axes = plt.subplots(figsize=(2, 2))
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


def test_the_domains_of_the_terms_are_counted_once():
    texts = [{"A": {"term": "otter"}, "B": {"term": "owl"}}, {"A": {"term": "bat"}, "B": "no term"}]
    records = [Record("i", "justlogic", "test", "", "", (), None, sentences=own) for own in texts]
    domains = {"otter": "mammals", "bat": "mammals", "owl": "birds", "fir": "trees"}
    assert number_of_domains(records, domains) == 2
