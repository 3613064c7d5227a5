"""The response store: nothing lost, nothing paid for twice."""

from __future__ import annotations

import errno
import hashlib
import logging
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from divlogic.errors import DivLogicError
from divlogic.models import store, store_index
from divlogic.models.store import Response, ResponseStore, read_responses, request_key


def response(number: int, answer: str = "Answer: A") -> Response:
    return Response(f"key-{number}", "m", 0, answer, "stop", 10, 3)


def filled(path: Path, count: int = 3) -> Path:
    with ResponseStore(path) as store:
        for number in range(count):
            store.add(response(number))
    return path


def test_answers_are_there_after_closing(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.jsonl")
    responses, torn = read_responses(path)
    assert responses == {f"key-{number}": response(number) for number in range(3)}
    assert torn == 0


def test_a_torn_last_line_costs_one_answer_and_no_byte(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with ResponseStore(path) as store:
        assert (sorted(store.responses), store.torn) == (["key-0", "key-1"], 1)
        store.add(response(7))
    assert path.read_bytes().startswith(whole[:-20] + b"\n")
    responses, torn = read_responses(path)
    assert (sorted(responses), torn) == (["key-0", "key-1", "key-7"], 1)


def test_faults_are_no_answers(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.jsonl", 1)
    with ResponseStore(path) as store:
        store.add_fault("key-9", "m", "timeout", "no answer in time")
        assert "key-9" not in store.responses
    assert list(read_responses(path)[0]) == ["key-0"]


def test_the_first_of_two_answers_counts(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.jsonl", 1)
    with ResponseStore(path) as store:
        store.add(response(0, "Answer: B"))
    assert read_responses(path)[0]["key-0"].answer == "Answer: A"


def test_two_runs_cannot_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    with (
        ResponseStore(path),
        pytest.raises(DivLogicError, match="another run is writing"),
        ResponseStore(path),
    ):
        pass


def test_a_disk_that_is_full_at_the_end_is_told_and_leaves_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with (
        monkeypatch.context() as patch,
        pytest.raises(DivLogicError, match="the disk is full"),
        ResponseStore(tmp_path / "store.jsonl"),
    ):
        patch.setattr(os, "fsync", full)
    with ResponseStore(tmp_path / "store.jsonl") as again:
        assert not again.responses


def test_a_file_system_without_locks_is_told_and_takes_the_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(store.fcntl, "flock", none)
    monkeypatch.setattr("divlogic.io.log.LOGGER.propagate", True)
    with caplog.at_level(logging.INFO, "divlogic"):
        path = filled(tmp_path / "store.jsonl")
    assert len(read_responses(path)[0]) == 3
    assert "this file system has no locks" in caplog.text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"id": 1}\n', "row 1: not a row of a response store"),
        (b'{"key": "k", "colour": 2}\n', "row 1: not a row of this version"),
        (b"id,answer\n1,A\n", "no row of it is JSON"),
    ],
)
def test_another_file_is_not_mistaken_for_a_store(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(DivLogicError, match=sentence):
        read_responses(path)
    with pytest.raises(DivLogicError, match=sentence), ResponseStore(path):
        pass
    assert path.read_bytes() == content


def test_a_missing_store_is_an_empty_one(tmp_path: Path) -> None:
    assert read_responses(tmp_path / "none.jsonl") == ({}, 0)


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


@pytest.fixture()
def indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store whose first 60 answers are in its index, and 5 more are not."""
    monkeypatch.setattr(store_index, "INDEX_FROM", 50)
    path = tmp_path / "store.jsonl"
    for first, last in ((0, 60), (60, 65)):
        with ResponseStore(path) as store:
            for number in range(first, last):
                store.add(hashed(number))
                store.add_fault(hashed(number).key, "m", "timeout", "no answer in time")
    assert (tmp_path / "store.jsonl.index").is_file()
    return path


def hashed(number: int, answer: str = "Answer: A") -> Response:
    return replace(response(number, answer), key=hashlib.sha256(str(number).encode()).hexdigest())


def test_an_index_gives_the_answers_that_the_store_gives(indexed: Path) -> None:
    wanted = {hashed(number).key: hashed(number) for number in range(65)}
    with_index, _ = read_responses(indexed)
    assert (dict(with_index), len(with_index)) == (wanted, 65)
    assert hashed(70).key not in with_index and with_index.get(hashed(70).key) is None
    indexed.with_name("store.jsonl.index").unlink()
    assert dict(read_responses(indexed)[0]) == wanted


@given(cut=st.integers(0, 3000), junk=st.binary(max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_a_torn_store_gives_the_same_with_its_index_as_without(indexed: Path, cut: int, junk: bytes) -> None:
    content, index = indexed.read_bytes(), indexed.with_name("store.jsonl.index").read_bytes()
    torn = b"{" + junk.replace(b"\n", b"").replace(b"}", b"")
    results = []
    for kept in (index, None):
        folder = indexed.parent / "torn"
        folder.mkdir(exist_ok=True)
        path = folder / "store.jsonl"
        path.write_bytes(content[: len(content) - cut] + torn)
        path.with_name("store.jsonl.index").unlink(missing_ok=True)
        if kept is not None:
            path.with_name("store.jsonl.index").write_bytes(kept)
        with ResponseStore(path) as store:
            store.add(hashed(90))
            results.append((dict(store.responses), store.torn))
        assert dict(read_responses(path)[0]) == results[-1][0]
    assert results[0] == results[1]


@given(place=st.integers(0, 10**6), byte=st.integers(0, 255))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_a_damaged_index_costs_no_answer(indexed: Path, place: int, byte: int) -> None:
    index = indexed.with_name("store.jsonl.index")
    before = index.read_bytes()
    damaged = bytearray(before)
    damaged[place % len(damaged)] = byte
    index.write_bytes(damaged)
    responses, _ = read_responses(indexed)
    for number in range(65):
        assert responses[hashed(number).key] == hashed(number)
    index.write_bytes(before)


def test_a_store_edited_by_hand_is_read_again(indexed: Path) -> None:
    text = indexed.read_text(encoding="utf-8")
    indexed.write_text(text.replace("Answer: A", "Answer:  A", 1), encoding="utf-8")
    responses, _ = read_responses(indexed)
    assert responses[hashed(0).key].answer == "Answer:  A"
    assert responses[hashed(64).key] == hashed(64)
