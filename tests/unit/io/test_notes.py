"""What a step has written is what the next one reads: rows lost or changed in between are told."""

from __future__ import annotations

import errno
import gzip
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import click
import pyarrow
import pytest
from click.testing import CliRunner

from divlogic import cli
from divlogic.config.option import STRICT, read_params
from divlogic.config.section import RunParameters
from divlogic.errors import DivLogicError
from divlogic.io import notes
from divlogic.io.files import (
    accept,
    atomic_writer,
    check_begun,
    copy_file,
    file_sha256,
    filling,
    open_bytes,
    read_json,
    read_jsonl,
    read_lines,
    row_count,
    write_csv,
    write_json,
    write_jsonl,
    write_text,
)
from divlogic.io.notes import note_path

pytestmark = pytest.mark.usefixtures("here")
ROWS = [{"row": number, "text": "a lamp" * (number % 40)} for number in range(900)]
NAMES = ("rows.jsonl", "rows.jsonl.gz", "rows.jsonl.zst")


def content(path: Path) -> bytes:
    if path.suffix == ".zst":
        return bytes(pyarrow.input_stream(path, compression="zstd").read())
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def put(path: Path, data: bytes) -> None:
    """Replace the content as an editor would, without a word to the note."""
    packed = {".gz": gzip.compress, ".zst": lambda data: pyarrow.compress(data, "zstd", asbytes=True)}
    path.write_bytes(packed.get(path.suffix, bytes)(data))


def lines_of(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def halve(path: Path) -> None:
    put(path, b"".join(lines_of(content(path))[:450]))


def in_a_new_process(step: Callable[..., object], *arguments: object) -> None:
    notes.begun()
    step(*arguments)
    notes.begun()


def rows_of(path: Path) -> int:
    notes.begun()
    return len(list(read_jsonl(path)))


@pytest.fixture
def path(here: None) -> Path:
    """A file of rows with its note."""
    write_jsonl(Path("rows.jsonl"), ROWS)
    return Path("rows.jsonl")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: b"".join(lines_of(data)[:450]), "450 rows instead of the 900"),
        (lambda data: b"".join(lines_of(data)[450:]), "450 rows instead of the 900"),
        (lambda data: data + lines_of(data)[0], "901 rows instead of the 900"),
        (lambda data: b"", "0 rows instead of the 900"),
        (lambda data: data.replace(b'"row":7,', b'"row":8,'), "not the content"),
        (lambda data: b"".join(sorted(lines_of(data), reverse=True)), "not the content"),
        (lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), "not"),
    ],
)
def test_rows_lost_added_or_changed_are_told(name: str, change: Callable[[bytes], bytes], told: str) -> None:
    path = Path(name)
    write_jsonl(path, ROWS)
    put(path, change(content(path)))
    with pytest.raises(DivLogicError, match=rf"{name}.*{told}"):
        list(read_jsonl(path))
    with pytest.raises(DivLogicError, match=told):
        copy_file(path, Path("copy.jsonl"))
    assert not Path("copy.jsonl").exists()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rows", [[], ROWS], ids=["none", "many"])
def test_what_was_written_is_read(name: str, rows: list[object]) -> None:
    path, copy = Path(name), Path(f"copy-{name}")
    assert write_jsonl(path, rows) == len(rows)
    assert [row for _, row in read_jsonl(path)] == rows
    assert f'"rows":{len(rows)},'.encode() in note_path(path).read_bytes()
    copy_file(path, copy)
    assert notes.read_note(copy) == notes.read_note(path)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["", "data/embedded/captions", "data/raw/full/snli"])
def test_a_users_file_without_a_note_is_taken_as_it_is(name: str, place: str) -> None:
    path = Path(place, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    put(path, b'{"row":1}\n')
    assert [row for _, row in read_jsonl(path)] == [{"row": 1}]
    assert row_count(path) == 1


@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "data/interim/evaluation/rows.jsonl",
        "data/sentences/groups.jsonl.gz",
        "data/benchmarks/divlogiceval/test.jsonl",
        "data/imported/quiz.jsonl.gz",
        "data/raw/full/snli/MANIFEST.json",
        "results/evaluation/table1.csv",
    ],
)
def test_where_steps_write_a_file_without_a_note_is_refused_until_it_is_accepted(
    name: str, absolute: bool
) -> None:
    path = Path(name).absolute() if absolute else Path(name)
    write_jsonl(path, ROWS)
    halve(path)
    note_path(path).unlink()
    for read in (lambda: list(read_lines(path)), lambda: row_count(path)):
        with pytest.raises(DivLogicError, match=f"{path.name}: nothing says .* divlogic accept "):
            read()
    assert "450 rows" in CliRunner().invoke(cli.cli, ["accept", str(path)]).output
    assert len(list(read_lines(path))) == row_count(path) == 450


def test_a_release_is_given_away_without_notes() -> None:
    path = Path("data/benchmarks/divlogiceval/release/croissant.json")
    write_json(path, {"name": "lamp"}, note=False)
    assert read_json(path) == {"name": "lamp"}


def test_copies_that_snakemake_makes_of_single_files_are_held_to_the_notes_of_the_originals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    volume, pod = tmp_path / "volume", tmp_path / "pod"
    pod.mkdir()
    monkeypatch.chdir(pod)
    name = "data/interim/rows.jsonl"
    copy = Path(f".snakemake/storage/fs{volume}/{name}")
    write_jsonl(copy, ROWS)
    shutil.copyfile(copy, volume / name)  # as Snakemake stores an output
    shutil.rmtree(pod / ".snakemake")  # the pod is gone, and the next one gets a copy of the file alone
    copy.parent.mkdir(parents=True)
    shutil.copyfile(volume / name, copy)
    assert rows_of(copy) == 900
    halve(copy)
    with pytest.raises(DivLogicError, match="450 rows instead of the 900"):
        rows_of(copy)
    note_path(volume / name).unlink()
    with pytest.raises(DivLogicError, match="nothing says"):
        rows_of(copy)


def test_copies_of_objects_of_a_store_are_read_on_machines_that_have_no_note(tmp_path: Path) -> None:
    copy = Path(f".snakemake/storage/s3{tmp_path}/bucket/data/interim/rows.jsonl")
    write_jsonl(copy, ROWS)
    assert not Path("bucket").exists()  # a bucket is no folder of this machine
    note_path(copy).unlink()
    assert rows_of(copy) == 900


def test_the_notes_of_a_folder_that_is_filled_in_a_job_lie_beside_its_files(tmp_path: Path) -> None:
    volume = tmp_path / "volume/data/interim/pairs"
    copies = Path(f".snakemake/storage/fs{volume}").absolute()
    with filling(copies) as folder:
        write_jsonl(folder / "0.jsonl.gz", ROWS)
    assert note_path(volume / "0.jsonl.gz").is_file()
    assert [path.name for path in volume.parent.iterdir()] == ["pairs"]
    assert rows_of(copies / "0.jsonl.gz") == 900


@pytest.mark.parametrize(
    ("name", "told"),
    [("table.md", "no note"), ("rows.json.gz", "broken gzip"), ("absent.json", "no such file")],
)
def test_what_cannot_have_a_note_is_not_accepted(name: str, told: str) -> None:
    if not name.startswith("absent"):
        Path(name).write_text("text", encoding="utf-8")
    with pytest.raises(DivLogicError, match=told):
        accept(Path(name))
    assert not list(Path().glob(".*.sum"))


@pytest.mark.parametrize("note", [b"", b"{", b'{"rows":1}', b"[1]", b'{"rows":1,"bytes":"x","crc32":"0"}'])
def test_a_torn_note_counts_as_none(path: Path, note: bytes) -> None:
    note_path(path).write_bytes(note)
    assert rows_of(path) == 900


def test_tables_and_documents_are_accounted_for_as_well() -> None:
    table, document = Path("t.csv"), Path("d.json")
    write_csv(table, ("model", "score"), [("lamp", "26.78")])
    write_json(document, {"score": 26.78})
    put(table, b"model,score\nlamp,27.11\n")
    put(document, b'{"score": 27.11}\n')
    with pytest.raises(DivLogicError, match=r"t\.csv: not the content"):
        list(read_lines(table))
    with pytest.raises(DivLogicError, match=r"d\.json: not the content"):
        read_json(document)


def test_the_last_rows_of_a_file_count_though_a_command_reads_the_first_ones(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = click.Command("first", callback=lambda: next(read_jsonl(path)))
    monkeypatch.setattr(cli.Phases, "get_command", lambda *_: command)
    assert CliRunner().invoke(cli.cli, ["first"]).exit_code == 0
    put(path, content(path)[:-40])
    failed = CliRunner().invoke(cli.cli, ["first"]).exception
    assert isinstance(failed, DivLogicError) and "899 rows instead of the 900" in str(failed)
    check_begun()


@pytest.mark.parametrize("size", [None, 0])
def test_a_part_is_read_of_a_file_that_is_whole_unless_it_is_huge(
    path: Path, monkeypatch: pytest.MonkeyPatch, size: int | None
) -> None:
    if size is not None:
        monkeypatch.setattr(notes, "WHOLE", size)
    for damage in (b"", b'{"row":901}\n'):
        put(path, content(path) + damage)
        last = len(content(path)) - 12
        if damage and size is None:
            with pytest.raises(DivLogicError, match="901 rows instead of the 900"), open_bytes(path, last):
                pass
        else:
            with open_bytes(path, last) as stream:
                assert list(stream) == [content(path)[last:]]
        check_begun()


@pytest.mark.parametrize("name", NAMES)
def test_a_checksum_is_taken_of_what_was_written(name: str) -> None:
    path = Path("data/interim") / name
    write_jsonl(path, ROWS)
    before = file_sha256(path)
    put(path, content(path) + b"\n")
    with pytest.raises(DivLogicError, match="901 rows instead of the 900"):
        file_sha256(path)
    accept(path)
    assert file_sha256(path) != before


def test_a_written_file_replaces_the_note_on_the_one_before(path: Path) -> None:
    write_jsonl(path, ROWS[:3])
    assert rows_of(path) == 3
    with atomic_writer(path, note=False) as stream:
        stream.write(b'{"row":1}\n')
    assert list(Path().iterdir()) == [path]


def test_a_file_that_failed_leaves_the_one_before_with_its_note(path: Path) -> None:
    with pytest.raises(RuntimeError), atomic_writer(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert rows_of(path) == 900
    assert len(list(Path().iterdir())) == 2


def test_only_what_steps_hand_on_has_a_note() -> None:
    for name in ("page.html", "table.md", "params.yaml"):
        write_text(Path(name), "text\n")
    assert len(list(Path().iterdir())) == 3


@pytest.mark.parametrize("name", NAMES)
def test_a_note_does_not_change_the_bytes(name: str) -> None:
    files = {note: Path(str(note), name) for note in (True, False)}
    for note, path in files.items():
        with atomic_writer(path, note=note) as stream:
            stream.writelines(str(row).encode() + b"\n" for row in ROWS)
    assert files[True].read_bytes() == files[False].read_bytes()


def test_a_changed_file_is_named_where_it_would_have_ended_in_a_traceback(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(path, content(path).replace(b'"text"', b'"test"'))
    monkeypatch.setattr(cli, "cli", lambda **_: [row["text"] for _, row in read_jsonl(path)])
    with pytest.raises(SystemExit):
        cli.main()
    assert "rows.jsonl: not the content that was written" in capsys.readouterr().err


def test_a_bug_still_shows_its_traceback(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "cli", lambda **_: [row["score"] for _, row in read_jsonl(path)])
    with pytest.raises(KeyError):
        cli.main()
    check_begun()


def test_a_full_disk_at_the_note_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        notes, "write_note", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    )
    with pytest.raises(DivLogicError, match="the disk is full"):
        write_jsonl(Path("rows.jsonl"), ROWS)


def test_a_limit_on_the_size_of_files_is_a_sentence() -> None:
    code = (
        "from pathlib import Path\nfrom divlogic.io.files import write_jsonl\n"
        "write_jsonl(Path('rows.jsonl'), ({'row': n} for n in range(9999)))"
    )
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4096, 4096))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, preexec_fn=limit)
    assert "rows.jsonl: larger than a file may be here; raise the limit (ulimit -f)" in done.stderr
    assert list(Path().iterdir()) == []


def test_a_file_of_another_seed_is_refused_by_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, derived, plain = (Path(f"{name}.jsonl") for name in ("drawn", "derived", "plain"))
    notes.draws_with(1)
    write_jsonl(drawn, ROWS)
    in_a_new_process(copy_file, drawn, derived)  # which is told of no seed
    for path in (drawn, derived):
        monkeypatch.setenv(notes.RUN_SEED, "1")
        assert len(list(read_jsonl(path))) == len(ROWS)
        monkeypatch.setenv(notes.RUN_SEED, "0")
        with pytest.raises(DivLogicError, match=rf"{path.name}: made with seed 1, and this run has seed 0"):
            list(read_jsonl(path))
    in_a_new_process(write_jsonl, plain, ROWS)
    assert list(read_jsonl(plain))


def test_a_file_that_took_the_place_of_another_with_its_note_has_none(path: Path) -> None:
    test = path.rename("test.jsonl")
    note_path(path).rename(note_path(test))
    assert notes.read_note(test) is None


PAIRS, SENTENCES = Path("data/interim/pairs.jsonl"), Path("data/sentences/sentences.jsonl")
TEST = Path("data/test.jsonl")


@pytest.fixture
def run(here: None) -> Path:
    """A run with pairs, and sentences that were made from them."""
    write_jsonl(PAIRS, ROWS)
    in_a_new_process(copy_file, PAIRS, SENTENCES)
    return SENTENCES


def test_a_file_made_from_another_input_than_lies_here_is_refused_until_it_is_made_again_or_accepted(
    run: Path,
) -> None:
    write_jsonl(PAIRS, ROWS)
    assert rows_of(run) == 900  # the same bytes again
    write_jsonl(PAIRS, ROWS[1:])
    assert rows_of(PAIRS) == 899
    with pytest.raises(DivLogicError, match=f"{run}: made from another {PAIRS} than the one that lies here"):
        rows_of(run)
    in_a_new_process(copy_file, PAIRS, run)
    assert rows_of(run) == 899
    write_jsonl(PAIRS, ROWS)
    in_a_new_process(accept, run)
    assert rows_of(run) == 899


def test_an_input_that_is_gone_or_has_no_note_says_nothing_of_what_was_made_from_it(run: Path) -> None:
    write_jsonl(PAIRS, ROWS[1:])
    note_path(PAIRS).unlink()
    assert rows_of(run) == 900
    PAIRS.unlink()
    assert rows_of(run) == 900


def test_a_step_that_goes_on_from_its_own_former_output_is_not_made_from_it(run: Path) -> None:
    def extend() -> None:
        former = [row for _, row in read_jsonl(run)]
        write_jsonl(run, [*former, *(row for _, row in read_jsonl(PAIRS))])

    in_a_new_process(extend)
    assert rows_of(run) == 1800


def test_a_job_on_copies_of_single_files_holds_them_to_the_inputs_of_the_originals(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pod").mkdir()
    monkeypatch.chdir(tmp_path / "pod")
    copy = Path(f".snakemake/storage/fs{tmp_path}/{run}")
    copy.parent.mkdir(parents=True)
    shutil.copyfile(tmp_path / run, copy)
    assert rows_of(copy) == 900
    write_jsonl(tmp_path / "data/interim/pairs.jsonl", ROWS[1:])
    with pytest.raises(DivLogicError, match=r"made from another data/interim/pairs\.jsonl"):
        rows_of(copy)


def test_a_plan_of_shards_is_no_input_as_it_depends_on_their_number(run: Path) -> None:
    plan = Path("data/interim/plan.json")
    in_a_new_process(copy_file, run, plan)
    in_a_new_process(copy_file, plan, TEST)
    noted = notes.read_note(TEST)
    assert noted is not None and list(noted.inputs) == [run.as_posix()]


@pytest.mark.parametrize("shards", [1, 3])
def test_a_file_put_together_from_shards_is_noted_with_what_they_were_made_with_however_many(
    run: Path, shards: int
) -> None:
    parts = [Path(f"data/interim/drawn/{shard}.jsonl.gz") for shard in range(shards)]

    def draw(part: Path) -> None:
        notes.made_with('{"depth":5}')
        rows = [row for _, row in read_jsonl(run)]
        write_jsonl(part, rows[parts.index(part) :: shards])

    def assemble() -> None:
        write_jsonl(TEST, (row for part in parts for _, row in read_jsonl(part)))

    for part in parts:
        in_a_new_process(draw, part)
    in_a_new_process(assemble)
    noted, sentences = notes.read_note(TEST), notes.read_note(run)
    assert noted is not None and sentences is not None
    assert noted.params == notes.digest_of('{"depth":5}') != notes.digest_of('{"depth":6}')
    assert noted.inputs == {run.as_posix(): f"{sentences.crc:08x}"}
    assert notes.params_of_files(parts[0].parent) == notes.params_of_files(TEST) == {noted.params}


def test_parameters_are_noted_as_a_rule_hands_them_over(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule, execution = '{"seed":3}', '{"mirror":"corpora"}'
    monkeypatch.setenv(STRICT, "1")
    read_params(RunParameters, (rule, execution))
    write_jsonl(run, ROWS)
    assert notes.params_of_files(run) == {notes.digest_of(rule)}
    notes.begun()
    monkeypatch.delenv(STRICT)
    read_params(RunParameters, (rule,))  # by hand: the user's own choice, which no rule is compared with
    write_jsonl(run, ROWS)
    assert notes.params_of_files(run) == set()


@pytest.mark.parametrize("place", ["data/benchmarks/nli/dev.jsonl", "data/benchmarks/s-nli/test.jsonl"])
def test_a_file_in_the_place_of_another_is_not_accepted(place: str) -> None:
    test, other = Path("data/benchmarks/nli/test.jsonl"), Path(place)
    write_jsonl(test, ROWS)
    write_jsonl(other, ROWS[1:])
    shutil.copyfile(test, other)
    with pytest.raises(DivLogicError, match=f"{other}: this is the content of {test}"):
        accept(other)
    with pytest.raises(DivLogicError, match="900 rows instead of the 899"):
        rows_of(other)
    put(other, content(test)[:-1] + b" \n")
    assert accept(other).rows == 900
    assert accept(test).rows == 900
