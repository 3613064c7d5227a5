"""The printed cells are read once, as one type."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.published import PrintedCell, read_published
from divlogic.published.cells import COLUMNS, MEASURES, SCORES

PUBLISHED = Path(__file__).parents[3] / "data" / "published"
SCORE_HEADER, MEASURE_HEADER = (",".join(COLUMNS[form]) for form in (SCORES, MEASURES))


def written(folder: Path, name: str, *lines: str) -> Path:
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_every_cell_of_the_papers_is_read_and_stands_in_one_table() -> None:
    printed = read_published(PUBLISHED)
    cells = [cell for name in printed.files for cell in printed.cells(name)]
    assert len(cells) > 600
    of_tables = [cell for table in printed.tables() for cell in table.cells]
    assert sorted(map(repr, cells)) == sorted(map(repr, of_tables))


def test_measures_are_read_by_benchmark_and_measure() -> None:
    printed = read_published(PUBLISHED)
    table4 = printed.numbers("divlogiceval_table4")
    assert table4["ruletaker"] == {"instances": 100_000, "vocabulary": 67, "kl": 4.29}
    assert printed.numbers("ilogiceval_table5")["ilogiceval"]["vocabulary"] == 27466


def test_a_text_that_looks_like_a_number_is_none() -> None:
    printed = read_published(PUBLISHED)
    numbers = printed.numbers("justlogic_complexity")["clutrr"]
    assert numbers == {"reading_difficulty": 6.67, "vocabulary": 1396}
    cells = printed.cells("justlogic_complexity")
    assert {(one.benchmark, one.measure): one.printed for one in cells}["clutrr", "domains"] == "1"


def test_a_printed_k_means_thousands() -> None:
    cell = PrintedCell("P", "T", "S", printed="100k", benchmark="b", measure="m")
    assert (cell.value, cell.half_unit, cell.keys) == (
        100_000,
        500,
        {"benchmark": "b", "measure": "m"},
    )


def test_a_score_that_is_no_number_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path, "human", SCORE_HEADER, "P,T,S,m,v,s,ACC,Test,about 40,")
    printed = read_published(folder)
    assert not printed.cells("human")[0].is_number
    with pytest.raises(
        DivLogicError, match=r"human\.csv, row 2: 'about 40' is not a printed number"
    ):
        printed.scores(["human"])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [MEASURE_HEADER, "P,T,S,reclor,kl,2.5,2.6,"],
            r"t.csv, row 2: the value '2\.6' is not the printed '2\.5'",
        ),
        (["a,b,c"], "fix the header"),
        ([f"{SCORE_HEADER},more"], "fix the header"),
        ([SCORE_HEADER, "P,T"], "row 2: not as many cells"),
    ],
)
def test_a_table_of_another_form_is_refused(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(DivLogicError, match=message):
        read_published(written(tmp_path, "t", *lines))


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="no printed tables there"):
        read_published(tmp_path)


def test_a_missing_table_is_named() -> None:
    with pytest.raises(DivLogicError, match=r"nothing\.csv: there is no such file"):
        read_published(PUBLISHED).cells("nothing")
