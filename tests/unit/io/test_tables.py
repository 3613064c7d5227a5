"""A table is written with a description of itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
from divlogic.io.tables import read_note, read_table, write_table


def test_a_table_is_described_by_its_columns_units_note_and_sources(tmp_path: Path) -> None:
    base, note = tmp_path / "table", "How.\n\nAnd why."
    rows = [{"a": 1, "kl": 0.5}]
    write_table(base, ["a", "kl"], rows, note, units={"kl": "bits"}, sources=["x.csv"])
    assert read_json(tmp_path / "table.json") == {
        "columns": [{"name": "a", "unit": None}, {"name": "kl", "unit": "bits"}],
        "note": note,
        "rows": [[1, 0.5]],
        "sources": ["x.csv"],
    }
    assert (read_note(base), read_note(tmp_path / "absent")) == ("How. And why.", "")


def test_what_is_read_back_has_the_types_of_the_cells_and_the_numbers_of_the_csv(tmp_path: Path) -> None:
    rows = [{"a": "x", "b": 1 / 3, "c": np.int64(3), "d": None}, {"a": "7", "b": float("nan"), "c": True}]
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
