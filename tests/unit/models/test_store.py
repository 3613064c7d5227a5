"""The response store: nothing lost, nothing paid for twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
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
