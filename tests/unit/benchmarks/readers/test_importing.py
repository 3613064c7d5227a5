"""A user's own data set becomes records that every analysis includes."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from divlogic.benchmarks import source as source_module
from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.collection.collect import collect
from divlogic.benchmarks.readers.importing import benchmark_name, import_records
from divlogic.errors import DivLogicError
from divlogic.records import read_records
from tests.unit.benchmarks.readers import samples as s
from tests.unit.corpora.fetch_server import FileServer

DEEP: list[object] = []
for _ in range(150):
    DEEP = [DEEP]


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
    assert (
        "own.jsonl row 2: the answer '5' is not a letter, number (from 0) or text of one of 2"
        in report.problems
    )


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
    done = CliRunner().invoke(cli, ["import", str(source), "--out", str(out)])
    assert done.exit_code == 0
    assert "1 records read as 'jsonl'" in done.output
    assert "1 malformed row left out" in done.output
    assert "logicnli" in CliRunner().invoke(cli, ["formats"]).output


def test_a_file_is_read_by_its_address_and_fetched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server = FileServer()
    try:
        address = server.put("/own.jsonl", s.lines(tmp_path / "own.jsonl", s.OWN).read_bytes())
        for _ in range(2):
            done = CliRunner().invoke(cli, ["import", address, "--out", "records.jsonl"])
            assert "1 records read as 'jsonl'" in done.output
        assert len(server.requests) == 1
        gone = CliRunner().invoke(cli, ["import", server.url("/none.csv"), "--out", "none.jsonl"])
        assert str(gone.exception).endswith("the server answered 404 Not Found; check the address.")
    finally:
        server.close()


def test_a_named_context_is_never_read_as_the_question(tmp_path: Path) -> None:
    row = {"Frage": "Wer?", "A": "Anna", "B": "Ben", "Antwort": "A", "Kontext": "Anna ist da."}
    source, named = s.table(tmp_path / "quiz.csv", row), {"context": "Kontext"}
    with pytest.raises(DivLogicError, match="no column is a question"):
        import_records(source, tmp_path / "out.jsonl", columns=named)
    named |= {"question": "Frage", "answer": "Antwort"}
    import_records(source, tmp_path / "out.jsonl", columns=named)
    (record,) = read_records(tmp_path / "out.jsonl")
    assert (record.question, record.context, record.answer) == ("Wer?", "Anna ist da.", 0)


def test_a_data_set_of_the_hub_is_read_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    server = FileServer()
    try:
        monkeypatch.setenv("HF_ENDPOINT", server.url(""))
        row = {"question": "Is it so?", "options": ["yes", "no"], "answer": "no"}
        pq.write_table(pa.Table.from_pylist([row]), "q.parquet")
        shard = server.put("/shard.parquet", Path("q.parquet").read_bytes())
        elsewhere = "https://huggingface.co/shard.parquet"  # what the hub lists; a mirror has it too
        listed = {"default": {"train": [shard, shard], "test": [elsewhere]}, "hard": {"dev": [shard]}}
        server.put("/api/datasets/anna/odd-Quiz/parquet", json.dumps(listed).encode())
        for source in ("hf:anna/odd-Quiz", "hf:anna/odd-Quiz/hard", "hf:anna/odd-Quiz/default/test"):
            done = CliRunner().invoke(cli, ["import", source])
            assert "data/imported/odd_quiz.jsonl.gz: 1 records read as a table" in done.output
        (record,) = read_records(Path("data/imported/odd_quiz.jsonl.gz"))
        assert (record.benchmark, record.options, record.answer) == ("odd_quiz", ("yes", "no"), 1)
        for source, sentence in (
            ("hf:anna/odd-Quiz/easy", "name one of default, hard"),
            ("hf:anna/odd-Quiz/default/train", "it lies in 2 files"),
            ("hf:anna/none", "404 Not Found; check the address"),
        ):
            assert sentence in str(CliRunner().invoke(cli, ["import", source]).exception)
    finally:
        server.close()


def test_a_strict_import_stops_at_the_first_malformed_row(tmp_path: Path) -> None:
    source = s.lines(tmp_path / "own.jsonl", s.OWN, {"id": "x3"})
    with pytest.raises(DivLogicError, match="row 2"):
        import_records(source, tmp_path / "out.jsonl", strict=True)


@pytest.mark.parametrize("name", ["a" * 65, "quiz\n", "quiz\0", "q\u0443iz", "../quiz", "", "9quiz", "q-z"])
def test_a_name_is_up_to_64_plain_letters(tmp_path: Path, name: str) -> None:
    source = s.lines(tmp_path / "own.jsonl", s.OWN)
    with pytest.raises(DivLogicError, match="64 of them at most"):
        import_records(source, tmp_path / "out.jsonl", name=name)


@pytest.mark.parametrize("stem", ["x" * 200, "Été 2024!", "测验", "...", "\u202e"])
def test_whatever_a_file_is_called_its_data_set_has_a_name(tmp_path: Path, stem: str) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", benchmark_name(stem))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "a\0b"}, "control characters"),
        ({"id": "x" * 501}, "longer than 500"),
        ({"metadata": {"a": DEEP}}, "nested deeper"),
    ],
)
def test_a_row_that_would_do_harm_later_is_left_out_at_the_door(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    source = s.lines(tmp_path / "own.jsonl", s.OWN | {"id": "first"}, s.OWN | change)
    report = import_records(source, tmp_path / "out.jsonl")
    assert (report.records, report.malformed) == (1, 1) and problem in report.problems


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"benchmark": "other"}, "row 2: of the benchmark 'other'"),
        ({}, "row 2: a second record with the id"),
        ({"id": "a\x1bb"}, "row 2: the id"),
        ({"id": "n", "metadata": {"a": DEEP}}, "row 2: the field 'metadata' is nested"),
    ],
)
def test_a_file_laid_into_the_folder_by_hand_is_looked_at_as_well(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    import_records(s.lines(tmp_path / "own.jsonl", s.OWN), tmp_path / "set.jsonl", name="quiz")
    (row,) = (record.to_json() for record in read_records(tmp_path / "set.jsonl"))
    by_hand = s.lines(tmp_path / "hand.jsonl", row, row | change)
    with pytest.raises(DivLogicError, match=problem):
        collect([], [], [by_hand], tmp_path / "collection")


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.json"])
def test_an_archive_that_unpacks_to_one_endless_line_is_given_up(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "_LINE_LIMIT", 1 << 20)
    monkeypatch.setattr(source_module, "_DOCUMENT_LIMIT", 1 << 20)
    head = {"a.jsonl": b'{"question": "', "a.csv": b'question,options\n"', "a.json": b'[{"question": "'}[name]
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, head + b"x" * (50 << 20))
    tracemalloc.start()
    with pytest.raises(DivLogicError, match=r"without the end of a line|no row of a table"):
        import_records(tmp_path / "bomb.zip", tmp_path / "out.jsonl")
    assert tracemalloc.get_traced_memory()[1] < 30 << 20
    tracemalloc.stop()


def test_an_archive_that_cannot_be_unpacked_is_told(tmp_path: Path) -> None:
    text = "\n".join(
        f'{{"question": "q{number}", "options": ["a", "b"], "answer": 0}}' for number in range(3000)
    )
    with zipfile.ZipFile(tmp_path / "locked.zip", "w") as archive:
        archive.writestr("quiz.jsonl", text)
    locked = bytearray((tmp_path / "locked.zip").read_bytes())
    locked[6] |= 1  # the flag of encryption, at the member and in the directory
    locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(locked)
    with pytest.raises(DivLogicError, match=r"locked\.zip:quiz\.jsonl: cannot be unpacked here .*encrypted"):
        import_records(tmp_path / "locked.zip", tmp_path / "out.jsonl")
    torn = bytearray(gzip.compress(text.encode()))
    torn[30] ^= 0xFF
    (tmp_path / "quiz.jsonl.gz").write_bytes(torn)
    with pytest.raises(DivLogicError, match=r"quiz\.jsonl\.gz: broken archive"):
        import_records(tmp_path / "quiz.jsonl.gz", tmp_path / "out.jsonl")


def test_lines_that_end_in_any_way_are_read_as_before(tmp_path: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        (tmp_path / "quiz.csv").write_bytes(
            f"question,A,B,answer{end}q,yes,no,A{end}r,yes,no,B{end}".encode()
        )
        assert import_records(tmp_path / "quiz.csv", tmp_path / "out.jsonl").records == 2
