"""What comes from outside is shown as text: no formula, HTML, link or typesetting comes of a name."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from divlogic.io.figures import save_figure, style
from divlogic.io.files import write_csv
from divlogic.io.tables import write_table


@pytest.mark.parametrize(
    "label", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "=HYPERLINK(0)"]
)
def test_a_label_is_no_formula_in_a_spreadsheet(tmp_path: Path, label: str) -> None:
    write_csv(tmp_path / "t.csv", ("model",), [(label,)])
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").partition("\n")[2].strip('"\n')[
        0
    ] == "'"


@pytest.mark.parametrize(
    "cell", ["-0.5", "+3", "-1e-9", "-", "+", -0.5, 3, "a=b", "a-b", "−0.5", ""]
)
def test_numbers_and_other_texts_stay_as_they_are(tmp_path: Path, cell: object) -> None:
    write_csv(tmp_path / "t.csv", ("x", "y"), [(cell, 1)])
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream))[1][0] == str(cell)


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"),
        ("</td><!-- x", "&lt;/td>&lt;!-- x"),
        ("[press](javascript:alert(1))", r"[press]\(javascript:alert(1))"),
        ("![x](http://x/y.png)", r"![x]\(http://x/y.png)"),
        ("[x][y]", r"[x]\[y]"),
        ("a|b", r"a\|b"),
        ("p < 0.05", "p < 0.05"),
        ("[0.1, 0.2]", "[0.1, 0.2]"),
    ],
)
def test_a_label_is_no_markup_in_a_page(tmp_path: Path, label: str, shown: str) -> None:
    write_table(tmp_path / "t", ["model"], [{"model": label}])
    assert f"| {shown} |" in (tmp_path / "t.md").read_text(encoding="utf-8")


def test_a_label_with_a_dollar_sign_is_drawn_as_it_stands(tmp_path: Path) -> None:
    from matplotlib import pyplot

    pages = []
    for name in (r"lamp $5 \frac{", "lamp"):
        with style():
            figure, axes = pyplot.subplots()
            axes.set_xscale("log")
            axes.barh([name], [1000])
            axes.set_title(f"{name} $x_1$")
            pages.append(
                save_figure(figure, tmp_path / str(len(pages)))[0].read_text(encoding="utf-8")
            )
    assert r"<!-- lamp $5 \frac{ -->" in pages[0]
    # The powers of the logarithmic axis are typeset: ten, and the exponent above it.
    assert all(r"<!-- $\mathdefault{10^{3}}$ -->" in page for page in pages)
    assert "translate" in pages[1].split(r"<!-- $\mathdefault{10^{3}}$ -->")[1][:900]
