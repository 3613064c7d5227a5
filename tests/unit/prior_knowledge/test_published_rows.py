"""The printed table of prior knowledge is read row by row, and a row without a number is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.prior_knowledge.independence import published_rows

HEADER = b"paper,table,place,benchmark,measure,printed,value,note\n"
CELL = b"JustLogic,post,here,clutrr,accuracy,"


@pytest.mark.parametrize(
    "row", [CELL + b"many,many,\n", b"clutrr\n", CELL + b"\n", b"caf\xe9" + CELL + b"1.0,1.0,\n"]
)
def test_a_printed_row_without_its_number_is_named(tmp_path: Path, row: bytes) -> None:
    path = tmp_path / "printed.csv"
    path.write_bytes(HEADER + CELL + b"8.3,8.3,\n" + row)
    with pytest.raises(DivLogicError, match=r"printed\.csv, row 3"):
        published_rows(path)


def test_other_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "printed.csv"
    path.write_text("name,value\nclutrr,8.3\n")
    with pytest.raises(DivLogicError, match=r"printed\.csv: expected the columns"):
        published_rows(path)
