"""A user's own data set becomes records that every analysis includes."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.collection.collect import collect
from divlogic.benchmarks.readers.importing import benchmark_name, import_records
from divlogic.errors import DivLogicError
from divlogic.io import foreign
from divlogic.records import read_records
from tests.unit.benchmarks.readers import samples as s
from tests.unit.corpora.fetch_server import FileServer

DEEP: list[object] = []
for _ in range(150):
    DEEP = [DEEP]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    monkeypatch.chdir(tmp_path)
    with closing(FileServer()) as running:
        yield running


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["import", *words])


def test_further_csv_columns_become_metadata_and_json_columns_are_read(tmp_path: Path) -> None:
    rows = "id,question,options,answer,source,formulas", 'a,Wet?,yes|no,0,diary,"{""p"": 1}"'
    (record,) = s.quiz(tmp_path, *rows, name="diary", split="train")
    assert record.metadata == {"source": "diary"}
    assert record.formulas == {"p": 1}
    assert (record.benchmark, record.split) == ("diary", "train")


@pytest.mark.parametrize(
    ("rows", "strict", "told"),
    [
        ([s.OWN | {"answer": 9}], False, "no usable row"),
        ([s.OWN, s.OWN], False, "two records have the id 'x1'"),
        ([s.OWN, {"id": "x3"}], True, "row 2"),
    ],
)
def test_nothing_usable_repeated_ids_and_what_is_malformed_to_the_strict_are_errors(
    tmp_path: Path, rows: list[object], strict: bool, told: str
) -> None:
    source = s.lines(tmp_path / "own.jsonl", *rows)
    with pytest.raises(DivLogicError, match=told):
        import_records(source, tmp_path / "out.jsonl", strict=strict)
    assert not (tmp_path / "out.jsonl").exists()


def test_the_command_line_imports_and_lists_formats(tmp_path: Path) -> None:
    done = run(
        str(s.lines(tmp_path / "own.jsonl", s.OWN, {"id": "x3"})),
        "--out",
        str(tmp_path / "o.jsonl"),
    )
    assert done.exit_code == 0
    assert "1 records read as 'jsonl'" in done.output
    assert "1 malformed row left out" in done.output
    assert "logicnli" in CliRunner().invoke(cli, ["formats"]).output


def test_a_file_is_read_by_its_address_and_fetched_once(server: FileServer) -> None:
    address = server.put("/own.jsonl", s.lines(Path("own.jsonl"), s.OWN).read_bytes())
    for _ in range(2):
        assert "1 records read as 'jsonl'" in run(address, "--out", "records.jsonl").output
    assert len(server.requests) == 1
    gone = run(server.url("/none.csv"), "--out", "none.jsonl")
    assert str(gone.exception).endswith("the server answered 404 Not Found; check the address.")


def test_a_named_context_is_never_read_as_the_question(tmp_path: Path) -> None:
    rows, named = (
        ("Frage,A,B,Antwort,Kontext", "Wer?,Anna,Ben,A,Anna ist da."),
        ("context=Kontext",),
    )
    with pytest.raises(DivLogicError, match=r"Needed are a question .*--columns question=COLUMN"):
        s.quiz(tmp_path, *rows, columns=named)
    (record,) = s.quiz(tmp_path, *rows, columns=(*named, "question=Frage", "answer=Antwort"))
    assert (record.question, record.context, record.answer) == ("Wer?", "Anna ist da.", 0)


def test_a_data_set_of_the_hub_is_read_by_its_name(
    server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", server.url(""))
    row = {"question": "Is it so?", "options": ["yes", "no"], "answer": "no"}
    shard = server.put("/shard.parquet", s.parquet(Path("q.parquet"), row).read_bytes())
    elsewhere = "https://huggingface.co/shard.parquet"  # what the hub lists; a mirror has it too
    listed = {"default": {"train": [shard, shard], "test": [elsewhere]}, "hard": {"dev": [shard]}}
    server.put("/api/datasets/anna/odd-Quiz/parquet", json.dumps(listed).encode())
    for source in ("hf:anna/odd-Quiz", "hf:anna/odd-Quiz/hard", "hf:anna/odd-Quiz/default/test"):
        assert "data/imported/odd_quiz.jsonl.gz: 1 records read as a table" in run(source).output
    (record,) = read_records(Path("data/imported/odd_quiz.jsonl.gz"))
    assert (record.benchmark, record.options, record.answer) == ("odd_quiz", ("yes", "no"), 1)
    for source, sentence in (
        ("hf:anna/odd-Quiz/easy", "name one of default, hard"),
        ("hf:anna/odd-Quiz/default/train", "it lies in 2 files"),
        ("hf:anna/none", "404 Not Found; check the address"),
    ):
        assert sentence in str(run(source).exception)


@pytest.mark.parametrize(
    "name", ["a" * 65, "quiz\n", "quiz\0", "q\u0443iz", "../quiz", "", "9quiz", "q-z"]
)
def test_a_name_is_up_to_64_plain_letters(tmp_path: Path, name: str) -> None:
    with pytest.raises(DivLogicError, match=r"lower-case letters.*64 of them at most"):
        s.quiz(tmp_path, s.OWN, name=name)


@pytest.mark.parametrize("stem", ["x" * 200, "Été 2024!", "测验", "...", "\u202e"])
def test_whatever_a_file_is_called_its_data_set_has_a_name(tmp_path: Path, stem: str) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", benchmark_name(stem))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"answer": 5},
            "own.jsonl row 2: the answer '5' is not a letter, number (from 0) or text of one of 2",
        ),
        ({"id": "a\0b"}, "control characters"),
        ({"id": "x" * 501}, "longer than 500"),
        ({"metadata": {"a": DEEP}}, "nested deeper"),
    ],
)
def test_a_row_that_is_wrong_or_would_do_harm_later_is_left_out_and_reported(
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


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.jsonl", b'{"question": "'),
        ("a.csv", b'question,options\n"'),
        ("a.json", b'[{"question": "'),
    ],
)
def test_an_archive_that_unpacks_to_one_endless_line_is_given_up(
    tmp_path: Path, name: str, head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(foreign.BUDGET, line=1 << 20, document=1 << 20)
    monkeypatch.setattr(foreign, "BUDGET", small)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, head + b"x" * (50 << 20))
    tracemalloc.start()
    with pytest.raises(DivLogicError, match=r"without the end of a line|no row of a table"):
        import_records(tmp_path / "bomb.zip", tmp_path / "out.jsonl")
    assert tracemalloc.get_traced_memory()[1] < 30 << 20
    tracemalloc.stop()


def test_an_archive_that_cannot_be_unpacked_is_told(tmp_path: Path) -> None:
    quiz = s.lines(
        tmp_path / "quiz.jsonl", *(s.OWN | {"id": f"q{number}"} for number in range(3000))
    )
    with zipfile.ZipFile(tmp_path / "locked.zip", "w") as archive:
        archive.write(quiz, quiz.name)
    locked = bytearray((tmp_path / "locked.zip").read_bytes())
    locked[6] |= 1  # the flag of encryption, at the member and in the directory
    locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(locked)
    torn = bytearray(gzip.compress(quiz.read_bytes()))
    torn[30] ^= 0xFF
    (tmp_path / "quiz.jsonl.gz").write_bytes(torn)
    for name, told in (
        ("locked.zip", r"locked\.zip:quiz\.jsonl: cannot be unpacked here .*encrypted"),
        ("quiz.jsonl.gz", r"quiz\.jsonl\.gz: broken archive"),
    ):
        with pytest.raises(DivLogicError, match=told):
            import_records(tmp_path / name, tmp_path / "out.jsonl")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_that_end_in_any_way_are_read(tmp_path: Path, end: str) -> None:
    text = end.join(("question,A,B,answer", "q,yes,no,A", "r,yes,no,B", ""))
    (tmp_path / "quiz.csv").write_bytes(text.encode())
    assert len(s.imported(tmp_path / "quiz.csv")) == 2
