"""A table is written with a description of itself, for programs, readers and papers."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
from divlogic.io.tables import format_cell, read_note, read_table, rounded, write_table


def test_a_table_is_described_by_its_columns_units_and_note(tmp_path: Path) -> None:
    base, note = tmp_path / "table", "How.\n\nAnd why."
    rows = [{"a": 1, "kl": 0.5}]
    write_table(base, ["a", "kl"], rows, note, units={"kl": "bits"})
    assert read_json(tmp_path / "table.json") == {
        "columns": [{"name": "a", "unit": None}, {"name": "kl", "unit": "bits"}],
        "note": note,
        "rows": [[1, 0.5]],
    }
    assert (read_note(base), read_note(tmp_path / "absent")) == ("How. And why.", "")


def test_what_is_read_back_has_the_types_of_the_cells_and_the_numbers_of_the_csv(
    tmp_path: Path,
) -> None:
    rows = [
        {"a": "x", "b": 1 / 3, "c": np.int64(3), "d": None},
        {"a": "7", "b": float("nan"), "c": True},
    ]
    write_table(tmp_path / "table", ["a", "b", "c", "d"], rows, floats=2)
    assert read_table(tmp_path / "table") == [
        {"a": "x", "b": 0.33, "c": 3, "d": None},
        {"a": "7", "b": None, "c": True, "d": None},
    ]
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()[1] == "x,0.33,3,"


@pytest.mark.parametrize("described", ["[]", '{"columns": [{"name": "a"}], "rows": [[1, 2]]}'])
def test_a_broken_description_is_named(tmp_path: Path, described: str) -> None:
    (tmp_path / "table.json").write_text(described, encoding="utf-8")
    with pytest.raises(DivLogicError, match=r"table\.json: the field 'note' is missing"):
        read_note(tmp_path / "table")
    with pytest.raises(
        DivLogicError, match=r"table\.json: not the description of a table; make the table again"
    ):
        read_table(tmp_path / "table")


CELLS = {None: "", float("nan"): "", 1.5: "1.50", -0.001: "0.00", 3: "3", True: "yes", "a|b": "a|b"}


@pytest.mark.parametrize(("value", "text"), [*CELLS.items(), (np.float64(2), "2.00")])
def test_a_cell_has_fixed_decimals_and_no_minus_zero(value, text):
    assert format_cell(value, 2) == text


def test_a_table_is_written_for_programs_readers_and_papers(tmp_path: Path) -> None:
    rows = [{"name": "A_1", "kl": 1.25, "n": 3}, {"name": "x|y & 5 %", "kl": None}]
    paths = write_table(
        tmp_path / "t.1",
        ["name", "kl", "n"],
        rows,
        "KL in bits, α = 0.1",
        {"kl": 1},
        shown=["name", "kl"],
    )
    assert [path.name for path in paths] == ["t.1.csv", "t.1.md", "t.1.tex", "t.1.json"]
    with paths[0].open(encoding="utf-8") as stream:
        assert list(csv.reader(stream)) == [
            ["name", "kl", "n"],
            ["A_1", "1.2", "3"],
            ["x|y & 5 %", "", ""],
        ]
    markdown = paths[1].read_text(encoding="utf-8")
    assert markdown.splitlines()[:3] == ["| name | kl |", "| --- | ---: |", "| A_1 | 1.2 |"]
    assert "x\\|y" in markdown and markdown.endswith("KL in bits, α = 0.1\n")
    latex = paths[2].read_text(encoding="utf-8")
    assert r"x\textbar{}y \& 5 \% &  \\" in latex
    assert r"A\_1" in latex and r"$\alpha$" in latex


# Digits on which machines differ do not reach a file.


@given(st.floats(1e-200, 1e200) | st.floats(-1e200, -1e-200) | st.just(0.0))
def test_the_last_digit_of_a_number_does_not_matter_twice(value: float) -> None:
    once = rounded(value)
    assert rounded(once) == once
    assert math.isclose(once, value, rel_tol=1e-9)


def test_a_number_of_another_machine_gives_the_same_one() -> None:
    here = math.log2(3) / 7
    there = math.nextafter(math.nextafter(here, 1), 1)
    assert here != there
    assert rounded({"kl": [here]}) == rounded({"kl": (there,)})


def test_what_is_no_floating_point_number_stays() -> None:
    values = {"a": 12345678901234, "b": True, "c": None, "d": "0.12345678901234"}
    assert rounded(values) == values
