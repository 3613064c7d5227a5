"""The response store: nothing lost, nothing paid for twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.requests import Response, ResponseStore, read_responses, request_key


def response(number: int, answer: str = "Answer: A") -> Response:
    return Response(f"key-{number}", "m", 0, answer, "stop", 10, 3, {"A": -0.5} if number else None)


def filled(path: Path, count: int = 3) -> Path:
    with ResponseStore(path) as store:
        for number in range(count):
            store.add(response(number))
    return path


def test_answers_are_there_after_closing_in_their_order_and_in_one_file(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.sqlite")
    responses = read_responses(path)
    assert dict(responses) == {f"key-{number}": response(number) for number in range(3)}
    assert list(responses) == ["key-0", "key-1", "key-2"]
    assert "key-3" not in responses and responses.get("key-3") is None
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_that_is_killed_keeps_every_answer(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    script = (
        "import sys, pathlib; from divlogic.models.requests import Response, ResponseStore\n"
        f"with ResponseStore(pathlib.Path({str(path)!r})) as store:\n"
        "    for number in range(100):\n"
        "        store.add(Response(f'key-{number}', 'm', 0, 'A', 'stop'))\n"
        "    print('ready', flush=True)\n"
        "    sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=-1, stdout=-1) as child:
        assert child.stdout is not None and child.stdout.readline() == b"ready\n"
        os.kill(child.pid, signal.SIGKILL)
    assert len(read_responses(path)) == 100
    with ResponseStore(path) as store:
        store.add(response(100))
        assert len(store.responses) == 101


def test_two_runs_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with ResponseStore(path) as one, ResponseStore(path) as other:
        for number in range(10):
            (one if number % 2 else other).add(response(number))
        assert len(one.responses) == len(other.responses) == 10
    assert len(read_responses(path)) == 10


def test_faults_are_no_answers(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.sqlite", 1)
    with ResponseStore(path) as store:
        store.add_fault("key-9", "m", "timeout", "no answer in time")
        assert "key-9" not in store.responses
    assert list(read_responses(path)) == ["key-0"]


def test_the_first_of_two_answers_counts(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.sqlite", 1)
    with ResponseStore(path) as store:
        store.add(response(0, "Answer: B"))
    assert read_responses(path)["key-0"].answer == "Answer: A"


def test_a_disk_that_is_full_is_told_and_the_answers_before_are_kept(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.sqlite", 1)
    with pytest.raises(DivLogicError, match="the disk is full"), ResponseStore(path) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        store.add(response(1, "A" * 100_000))
    assert list(read_responses(path)) == ["key-0"]


def test_another_file_is_not_mistaken_for_a_store(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_bytes(b"id,answer\n1,A\n")
    foreign = tmp_path / "foreign.sqlite"
    sqlite3.connect(foreign).execute("CREATE TABLE t (x)")
    for file in (path, foreign):
        with pytest.raises(DivLogicError, match="not a response store"):
            read_responses(file)
    with pytest.raises(DivLogicError, match="not a response store"), ResponseStore(path):
        pass
    assert path.read_bytes() == b"id,answer\n1,A\n"


def test_a_missing_store_is_an_empty_one(tmp_path: Path) -> None:
    assert read_responses(tmp_path / "none.sqlite") == {}


def test_a_key_depends_on_everything_that_was_asked() -> None:
    asked = {"model": "m", "fingerprint": "", "text": "t", "sampling": {"temperature": 0.0}, "run": 0}
    changes = [
        {"model": "n"},
        {"fingerprint": "f"},
        {"text": "u"},
        {"sampling": {"temperature": 1.0}},
        {"run": 1},
    ]
    keys = {request_key(**asked), *(request_key(**{**asked, **change}) for change in changes)}  # type: ignore[arg-type]
    assert len(keys) == 6


def test_the_order_of_the_sampling_values_does_not_change_the_key() -> None:
    one = request_key(model="m", fingerprint="", text="t", sampling={"a": 1, "b": 2}, run=0)
    assert one == request_key(model="m", fingerprint="", text="t", sampling={"b": 2, "a": 1}, run=0)
