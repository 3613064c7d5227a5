"""A user's own data set becomes records that every analysis includes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.benchmarks.readers import import_records
from divlogic.benchmarks.readers.cli import formats_command, import_command
from divlogic.errors import DivLogicError
from divlogic.records import read_records
from tests.unit.benchmarks.readers import samples as s


@pytest.mark.parametrize(
    ("answer", "index"),
    [("0", 0), ("B", 1), ("b", 1), ("no", 1), ("", None)],
    ids=["index", "letter", "small", "text", "none"],
)
def test_a_csv_answer_is_an_index_a_letter_or_an_option(
    answer: str, index: int | None, tmp_path: Path
) -> None:
    source = s.table(tmp_path / "Rain set.csv", {"question": "Wet?", "options": "yes | no", "answer": answer})
    import_records(source, tmp_path / "out.jsonl")
    (record,) = read_records(tmp_path / "out.jsonl")
    assert record.answer == index
    assert record.options == ("yes", "no")
    assert record.benchmark == "rain_set"


def test_further_csv_columns_become_metadata_and_json_columns_are_read(tmp_path: Path) -> None:
    row = {
        "id": "a",
        "question": "Wet?",
        "options": '["yes", "no"]',
        "answer": "0",
        "source": "diary",
        "formulas": '{"p": 1}',
    }
    import_records(s.table(tmp_path / "d.csv", row), tmp_path / "out.jsonl.gz", name="diary", split="train")
    (record,) = read_records(tmp_path / "out.jsonl.gz")
    assert record.metadata == {"source": "diary"}
    assert record.formulas == {"p": 1}
    assert (record.benchmark, record.split) == ("diary", "train")


def test_an_import_reports_what_it_left_out(tmp_path: Path) -> None:
    source = s.lines(tmp_path / "own.jsonl", s.OWN, {**s.OWN, "id": "x2", "answer": 5}, {"id": "x3"})
    report = import_records(source, tmp_path / "out.jsonl")
    assert (report.format, report.records, report.malformed) == ("jsonl", 1, 2)
    assert "own.jsonl row 2: the answer 5 is no index of the 2 options" in report.problems


def test_nothing_usable_repeated_ids_and_bad_names_are_errors(tmp_path: Path) -> None:
    empty = s.lines(tmp_path / "empty.jsonl", {**s.OWN, "answer": 9})
    with pytest.raises(DivLogicError, match="no usable row"):
        import_records(empty, tmp_path / "out.jsonl")
    twice = s.lines(tmp_path / "twice.jsonl", s.OWN, s.OWN)
    with pytest.raises(DivLogicError, match="two records have the id 'x1'"):
        import_records(twice, tmp_path / "out.jsonl")
    with pytest.raises(DivLogicError, match="lower-case letters"):
        import_records(twice, tmp_path / "out.jsonl", name="../up")
    assert not (tmp_path / "out.jsonl").exists()


def test_the_command_line_imports_and_lists_formats(tmp_path: Path) -> None:
    source = s.lines(tmp_path / "own.jsonl", s.OWN, {"id": "x3"})
    out = tmp_path / "own_records.jsonl"
    done = CliRunner().invoke(import_command, [str(source), "--out", str(out)])
    assert done.exit_code == 0
    assert "1 records read as 'jsonl'" in done.output
    assert "1 malformed row left out" in done.output
    assert "logicnli" in CliRunner().invoke(formats_command).output


def test_a_strict_import_stops_at_the_first_malformed_row(tmp_path: Path) -> None:
    source = s.lines(tmp_path / "own.jsonl", s.OWN, {"id": "x3"})
    with pytest.raises(DivLogicError, match="row 2"):
        import_records(source, tmp_path / "out.jsonl", strict=True)
