"""The printed table of prior knowledge is read row by row, and a row without a number is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.prior_knowledge.independence import published_rows

HEADER = b"benchmark,measure,printed\n"


@pytest.mark.parametrize(
    "row", [b"clutrr,accuracy,many\n", b"clutrr\n", b"clutrr,accuracy\n", b"caf\xe9,accuracy,1.0\n"]
)
def test_a_printed_row_without_its_number_is_named(tmp_path: Path, row: bytes) -> None:
    path = tmp_path / "printed.csv"
    path.write_bytes(HEADER + b"clutrr,accuracy,8.3\n" + row)
    with pytest.raises(DivLogicError, match=r"printed\.csv, row 3"):
        published_rows(path)


def test_other_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "printed.csv"
    path.write_text("name,value\nclutrr,8.3\n")
    with pytest.raises(DivLogicError, match=r"printed\.csv, row 2"):
        published_rows(path)
