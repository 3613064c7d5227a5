"""Files that strangers bring: `divlogic benchmarks import FILE` on each, compared with what is known of it.

Each truth was written down by somebody who knows the data set, before the command was run: the text of the right option
of each row, or what a refusal must say, or which option of the command it must ask for. No truth comes from running
the package.
"""

from __future__ import annotations

import contextlib
import datetime
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
import yaml

from divlogic.cli import main
from divlogic.records import Record, read_records

HERE = Path(__file__).parent
FORMS = sorted((HERE / "forms").glob("*.truth.yaml"))
KINDS = sorted((HERE / "inputs").glob("*.yaml"))


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run the command line as a user does, and return its exit status and all that it says."""
    said = io.StringIO()
    status = 0
    with (
        patch.object(sys, "argv", ["divlogic", *map(str, arguments)]),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        try:
            main()
        except SystemExit as stop:
            status = int(stop.code or 0)
    return status, said.getvalue()


def imported(source: Path, folder: Path, options: Sequence[str]) -> tuple[int, str, list[Record]]:
    """Import a file, and return the exit status, what was said, and the records."""
    out = folder / "out.jsonl"
    out.unlink(missing_ok=True)
    status, said = run("benchmarks", "import", source, "--name", "x", "--out", out, *options)
    records = list(read_records(out)) if out.exists() else []
    return status, said, records


def check(source: Path, folder: Path, truth: dict[str, Any]) -> None:
    """Compare what becomes of a file with its truth."""
    status, said, records = imported(source, folder, truth.get("options", []))
    if status and "or asked" in truth:
        assert truth["or asked"][0] in said, said
        status, said, records = imported(source, folder, truth["or asked"])
    if "answers" in truth:
        check_records(truth, status, said, records)
        return
    wanted = truth.get("refused") or truth["asked"]
    assert status == 1, said
    assert not records, "something was written"
    assert wanted in " ".join(said.split()), said
    assert source.name in said, said
    assert len(said.strip().splitlines()) == 1, said
    for then in truth.get("then", []):
        check(source, folder, then)


def check_records(truth: dict[str, Any], status: int, said: str, records: list[Record]) -> None:
    """Compare records with the texts of the right options; a row may be left out with a reason."""
    assert status == 0, said
    left_out = [one["left out"] for one in truth["answers"] if isinstance(one, dict)]
    wanted = [one for one in truth["answers"] if not isinstance(one, dict)]
    found = [None if record.answer is None else record.options[record.answer] for record in records]
    assert found == wanted, said
    for reason in left_out:
        assert reason in said
    assert ("left out" in said) == bool(left_out), said
    with_key = sum(one is not None for one in wanted)
    assert f"keys: {with_key} of {len(wanted)}" in said
    if "first" in truth:
        # Some readers join the lines of a context by blanks.
        assert records[0].context.split() == truth["first"]["context"].split()
        assert records[0].question == truth["first"]["question"]
    if "first_question_ends" in truth:
        assert records[0].question.endswith(truth["first_question_ends"])
    if truth.get("no_depth"):
        assert all(record.depth is None for record in records)


def case_of(value: Any, truth: dict[str, Any], name: str) -> Any:
    """Return a case; where the truth says what the package does wrong today, it must fail."""
    wrong = truth.get("wrong")
    marks = [pytest.mark.xfail(strict=True, reason=wrong)] if wrong else []
    return pytest.param(value, id=name, marks=marks)


def forms() -> Iterator[Any]:
    for path in FORMS:
        truth = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield case_of(path, truth, path.name.removesuffix(".truth.yaml"))


@pytest.mark.parametrize("path", list(forms()))
def test_a_published_form_gives_the_keys_that_its_data_set_has(path: Path, tmp_path: Path) -> None:
    truth = yaml.safe_load(path.read_text(encoding="utf-8"))
    check(path.with_name(path.name.removesuffix(".truth.yaml")), tmp_path, truth)


def cases() -> Iterator[Any]:
    for path in KINDS:
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield case_of(case, case["truth"], f"{path.stem}-{case['what']}")


def written(case: dict[str, Any], folder: Path) -> Path:
    """Write the file of a case: a text in an encoding, or the sheets of a workbook."""
    path = folder / case["file"]
    if "sheets" in case:
        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in case["sheets"].items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(path)
    else:
        path.write_bytes(case["text"].encode(case.get("encoding", "utf-8")))
    return path


@pytest.mark.parametrize("case", list(cases()))
def test_an_input_of_a_known_kind_of_trouble_is_read_right_or_refused(
    case: dict[str, Any], tmp_path: Path
) -> None:
    check(written(case, tmp_path), tmp_path, case["truth"])


def test_a_time_that_has_a_zone_keeps_it(tmp_path: Path) -> None:
    # docs/your_data.md: dates are written as in ISO 8601. Midnight in UTC is another moment than a day.
    zone = datetime.UTC
    times = [datetime.datetime(2024, 3, day, tzinfo=zone) for day in (1, 2, 3)]
    days = [datetime.datetime(2024, 5, day) for day in (1, 2, 3)]
    columns = {
        "question": ["When is noon of the other side?", "And a day later?", "And then?"],
        "A": pyarrow.array(times, pyarrow.timestamp("us", tz="UTC")),
        "B": pyarrow.array(days, pyarrow.timestamp("us")),
        "answer": ["A", "B", "A"],
    }
    path = tmp_path / "times.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    status, said, records = imported(path, tmp_path, [])
    assert status == 0, said
    read = [datetime.datetime.fromisoformat(record.options[0]) for record in records]
    assert read == times
    assert [record.options[1] for record in records] == ["2024-05-01", "2024-05-02", "2024-05-03"]
    assert [record.answer for record in records] == [0, 1, 0]
