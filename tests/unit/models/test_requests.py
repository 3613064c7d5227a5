"""Which answers are wanted of a model, and the response store: nothing lost, nothing paid for twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import (
    ClosedQuestion,
    Response,
    ResponseStore,
    limited,
    read_responses,
    request_key,
    requests_of,
)
from divlogic.models.runner import BLOCK, with_shared_beginnings
from tests.unit.evaluation.samples import rotations

MODEL, SAMPLING = ModelParameters(name="m/n"), SamplingParameters()


def rows(benchmark: str, count: int) -> list[ClosedQuestion]:
    return [replace(row, benchmark=benchmark) for row in rotations(count)]


def keys(asked: list[ClosedQuestion], **changes: Any) -> list[str]:
    given = {"model": MODEL, "runs": 1, "sampling": SAMPLING} | changes
    return [request.key for request in requests_of(asked, **given)]


def test_only_the_first_instances_of_each_benchmark_are_asked_with_all_their_rotations() -> None:
    model = ModelParameters(name="m/n", instances=2)
    kept = limited([*rows("a", 5), *rows("b", 4)], model)
    assert {name: sum(row.benchmark == name for row in kept) for name in "ab"} == {"a": 8, "b": 8}
    # One file at a time, as the export reads them, gives the same.
    assert kept == [*limited(rows("a", 5), model), *limited(rows("b", 4), model)]


def test_a_style_may_have_a_number_of_instances_of_its_own() -> None:
    model = ModelParameters(name="m/n", instances=2, prompt_instances={"likelihood": 3})
    likely = [replace(row, prompt="likelihood") for row in rows("a", 5)]
    assert len(limited([*rows("a", 5), *likely], model)) == 4 * (2 + 3)
    alone = ModelParameters(name="m/n", prompt_instances={"likelihood": 1})
    assert len(limited([*rows("a", 5), *likely], alone)) == 4 * (5 + 1)


def test_what_begins_alike_is_asked_together_block_by_block() -> None:
    asked = [
        replace(row, prompt=style)
        for style in ("zero_shot", "likelihood")
        for row in rows("a", BLOCK + 1)
    ]
    given = list(requests_of(asked, MODEL, 1, SAMPLING))
    ordered = with_shared_beginnings(given)
    assert sorted(map(id, ordered)) == sorted(map(id, given))
    instances = [request.question.instance for request in ordered]
    last = rows("a", BLOCK + 1)[-1].instance
    assert set(instances[-8:]) == {last} and last not in instances[:-8]
    inputs = [request.question.input for request in ordered[:-8]]
    assert inputs == sorted(inputs) and inputs[0] == inputs[1]


def test_a_run_a_model_and_a_sampling_have_keys_of_their_own() -> None:
    asked, warm = rows("a", 1), SamplingParameters(temperature=1.0)
    models = [MODEL, ModelParameters(name="m/o"), ModelParameters(name="m/n", args={"top_k": 1})]
    found = [
        key
        for model in models
        for s in (SAMPLING, warm)
        for key in keys(asked, model=model, sampling=s, runs=2)
    ]
    assert len(set(found)) == len(found) == 3 * 2 * 2 * 4


def test_the_address_of_a_server_is_no_part_of_an_answer_s_key() -> None:
    asked = rows("a", 1)
    for address in ("http://localhost:8080/v1", "http://127.0.0.1:9090/v1"):
        assert keys(asked, model=ModelParameters(name="m/n", base_url=address)) == keys(asked)


def test_likelihood_is_asked_under_a_key_of_its_own_that_no_length_changes() -> None:
    short, long = SamplingParameters(max_tokens=64), SamplingParameters(max_tokens=2048)
    asked = rotations(1, "likelihood")
    assert keys(asked, sampling=short) == keys(asked, sampling=long)


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


def test_faults_are_no_answers_and_the_first_of_two_answers_counts(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.sqlite", 1)
    with ResponseStore(path) as store:
        store.add_fault("key-9", "m", "timeout", "no answer in time")
        store.add(response(0, "Answer: B"))
        assert "key-9" not in store.responses
    assert dict(read_responses(path)) == {"key-0": response(0)}


def test_an_empty_reply_that_an_earlier_version_kept_is_asked_again_and_gives_way(
    tmp_path: Path,
) -> None:
    (request, *_) = requests_of(rotations(1), MODEL, 1, SAMPLING)
    assert request.complete is not None
    with ResponseStore(tmp_path / "store.sqlite") as store:
        store.add(Response(request.complete, "m", 0, " ", "stop"))
        assert not request.is_answered(store.responses)
        for answer in ("Answer: B", "Answer: C"):
            store.add(Response(request.complete, "m", 0, answer, "stop"))
            assert request.is_answered(store.responses)
        assert store.responses[request.complete].answer == "Answer: B"


def test_a_claim_keeps_other_runs_away_until_it_is_released(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with ResponseStore(path) as one, ResponseStore(path) as other:
        assert one.claim("key-1") and one.claim("key-1")
        assert not other.claim("key-1") and other.claim("key-2")
        one.release("key-1")
        assert other.claim("key-1") and not one.claim("key-1")
    with ResponseStore(path) as third:
        # A run gives its claims back when it ends.
        assert third.claim("key-1") and third.claim("key-2")


def test_a_disk_that_is_full_is_told_and_the_answers_before_are_kept(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.sqlite", 1)
    with pytest.raises(DivLogicError, match="the disk is full"), ResponseStore(path) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        store.add(response(1, "A" * 100_000))
    assert list(read_responses(path)) == ["key-0"]


def test_another_file_is_not_mistaken_for_a_store(tmp_path: Path) -> None:
    path, foreign = tmp_path / "other.csv", tmp_path / "foreign.sqlite"
    path.write_bytes(b"id,answer\n1,A\n")
    sqlite3.connect(foreign).execute("CREATE TABLE t (x)")
    for file in (path, foreign):
        with pytest.raises(DivLogicError, match="not a response store"):
            read_responses(file)
    with pytest.raises(DivLogicError, match="not a response store"), ResponseStore(path):
        pass
    assert path.read_bytes() == b"id,answer\n1,A\n"


def test_a_missing_store_is_an_empty_one(tmp_path: Path) -> None:
    assert read_responses(tmp_path / "none.sqlite") == {}


def test_the_order_of_the_sampling_values_does_not_change_the_key() -> None:
    one = request_key(model="m", fingerprint="", text="t", sampling={"a": 1, "b": 2}, run=0)
    assert one == request_key(model="m", fingerprint="", text="t", sampling={"b": 2, "a": 1}, run=0)


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_a_run_that_died_before_it_made_its_tables_leaves_an_empty_store(
    tmp_path: Path, journal: str
) -> None:
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
    assert path.is_file() and len(read_responses(path)) == 0
    with ResponseStore(path) as store:
        store.add(Response("k", "m", 0, "A", "stop"))
    assert len(read_responses(path)) == 1
