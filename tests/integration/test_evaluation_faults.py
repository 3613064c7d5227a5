"""Model runs against a server that misbehaves: nothing lost, nothing counted twice, each fault told."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import answers_of, score_all
from divlogic.evaluation.rotations import rotation_json
from divlogic.io.files import write_jsonl
from divlogic.models import requests
from divlogic.models.parameters import ModelParameters
from divlogic.models.requests import ResponseStore, read_responses
from tests.integration import fault_server
from tests.integration.fault_runs import SAMPLING, gold_of, run, run_served, stored
from tests.integration.fault_server import Handler, serving
from tests.unit.evaluation.samples import rotations

pytestmark = pytest.mark.integration


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (fault_server.rate_limited, "rate_limit"),
        (fault_server.broken_inside, "server"),
        (fault_server.cut_stream, "connection"),
        (fault_server.malformed, "malformed"),
        (fault_server.another_shape, "malformed"),
    ],
)
def test_a_fault_on_every_first_attempt_costs_time_and_nothing_else(
    store: Path, behaviour: fault_server.Behaviour, kind: str
) -> None:
    asked = rotations()
    gold = gold_of(asked)
    with serving(behaviour, lambda prompt: f"Answer: {gold[prompt]}") as (address, handler):
        summary = run(store, address, asked)
        assert summary.faults == {kind: len(asked)}
        assert (summary.answered, summary.unanswered) == (len(asked), 0)
        assert set(handler.asked.values()) == {2}
        (answers,) = answers_of(stored(store, address, asked)).values()
        assert answers.correct.all()


@pytest.mark.late
def test_a_server_that_hangs_costs_time_and_nothing_else(store: Path) -> None:
    asked = rotations(1)
    summary, handler = run_served(store, asked, fault_server.hanging, timeout=1.0, attempts=20)
    # Each first attempt hangs; on a busy machine a later one may take too long as well.
    assert set(summary.faults) == {"timeout"}
    assert summary.faults.total() >= len(asked)
    assert (summary.answered, summary.unanswered) == (len(asked), 0)
    assert min(handler.asked.values()) >= 2


def test_answers_in_words_are_read_and_others_counted(store: Path) -> None:
    asked = rotations(1)
    said = ["The answer is (B).", "**Answer: C**", "A or B", ""]
    words = {row.input: text for row, text in zip(asked, said, strict=True)}
    with serving(answer=lambda prompt: words[prompt]) as (address, _):
        summary = run(store, address, asked)
        assert (summary.unreadable, summary.empty, summary.refusals) == (2, 1, 0)
        assert [one.predicted for one in stored(store, address, asked)] == ["B", "C", None, None]


def test_a_refusal_is_an_answer(store: Path) -> None:
    refusal = "I can't help with that."
    summary, handler = run_served(
        store, rotations(), lambda handler, *_: handler.say(None, refusal)
    )
    assert (summary.refusals, summary.unreadable, summary.unanswered) == (12, 12, 0)
    assert handler.asked.total() == 12


def test_what_cannot_be_had_is_left_for_the_next_run(store: Path) -> None:
    asked = rotations()
    ill = asked[5].input

    def mostly_well(handler: Handler, prompt: str, before: int) -> None:
        if prompt == ill and before < 3:
            handler.reply(503, b"overloaded")

    with serving(mostly_well) as (address, handler):
        first = run(store, address, asked, attempts=3)
        assert (first.answered, first.unanswered, dict(first.faults)) == (11, 1, {"server": 3})
        second = run(store, address, asked, attempts=3)
        assert (second.reused, second.answered, second.unanswered) == (11, 1, 0)
        assert sorted(handler.asked.values()) == [1] * 11 + [4]


@pytest.mark.late
def test_a_dead_server_is_given_up_after_a_few_attempts_and_named_while_it_is_tried(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = "no connection to http://127.0.0.1:9/v1"
    with pytest.raises(
        DivLogicError, match=rf"given up \(connection: {there}.*Start.*run the same command again"
    ):
        run(store, "http://127.0.0.1:9/v1", rotations(20), concurrency=16)
    faults = sqlite3.connect(store).execute("SELECT COUNT(*) FROM faults").fetchone()
    # The first request finds nobody, and is tried again twice.
    assert faults == (1 + 2,)
    assert there in capsys.readouterr().err


@pytest.mark.late
def test_a_server_that_starts_again_in_mid_run_costs_no_answer(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = rotations(4)
    with serving() as (address, _):
        run(store, address, asked[:8])
    port = int(address.rpartition(":")[2].removesuffix("/v1"))
    missed, over = threading.Event(), threading.Event()
    add_fault = ResponseStore.add_fault

    def noticed(*arguments: object) -> None:
        add_fault(*arguments)  # type: ignore[arg-type]
        missed.set()

    def start_when_missed() -> None:
        missed.wait(60)
        with serving(port=port):
            over.wait(60)

    monkeypatch.setattr(ResponseStore, "add_fault", noticed)
    thread = threading.Thread(target=start_when_missed)
    thread.start()
    try:
        # The second attempt comes a second after the first, the third two seconds later.
        summary = run(store, address, asked, first_wait=1.0)
    finally:
        missed.set()
        over.set()
        thread.join()
    assert summary.faults["connection"] >= 1
    assert (summary.reused, summary.answered, summary.unanswered) == (8, 8, 0)


def test_the_same_answers_serve_under_another_address(store: Path) -> None:
    asked = rotations()
    with serving() as (address, handler):
        run(store, address, asked)
        again = run(store, address.replace("127.0.0.1", "localhost"), asked)
        assert (again.reused, again.answered) == (len(asked), 0)
        assert handler.asked.total() == len(asked)


@pytest.mark.parametrize(
    "usage",
    [{"prompt_tokens": 10**30}, {"prompt_tokens": "many"}, "none", [1], {"prompt_tokens": -4.5}],
)
def test_odd_token_counts_cost_no_answer(store: Path, usage: object) -> None:
    summary, _ = run_served(
        store, rotations(1), lambda handler, *_: handler.say("Answer: B", usage=usage)
    )
    assert (summary.answered, summary.faults.total(), summary.input_tokens) == (4, 0, 0)


def test_predictions_do_not_depend_on_concurrency_or_order_of_arrival(tmp_path: Path) -> None:
    asked = rotations(6)

    def uneven(handler: Handler, prompt: str, before: int) -> None:
        time.sleep(hash(prompt) % 7 / 200)

    letters = {row.input: "ABCD"[index % 4] for index, row in enumerate(asked)}
    with serving(uneven, lambda prompt: f"Answer: {letters[prompt]}") as (address, _):
        results = []
        for concurrency in (1, 3, 24):
            store = tmp_path / f"{concurrency}.jsonl"
            run(store, address, asked, concurrency=concurrency)
            results.append(stored(store, address, asked))
    assert results[0] == results[1] == results[2]


KILLED = """
import sys
from pathlib import Path
from divlogic.evaluation.rotations import read_rotations
from tests.integration.fault_runs import run
rows, store, address = sys.argv[1:]
run(Path(store), address, read_rotations(Path(rows)), concurrency=2)
"""


@pytest.mark.late
@pytest.mark.parametrize(
    "moment", [1, 20, 59], ids=["first answer", "in the middle", "last answer"]
)
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, store: Path, moment: int) -> None:
    asked = rotations(15)
    gold = gold_of(asked)
    write_jsonl(tmp_path / "rows.jsonl", map(rotation_json, asked))

    killed = threading.Event()

    def held(handler: Handler, prompt: str, before: int) -> None:
        # The run is killed while it waits for the answers from this one on.
        if handler.asked.total() >= moment:
            killed.wait(60)

    with serving(held, lambda prompt: f"Answer: {gold[prompt]}") as (address, handler):
        arguments = [str(tmp_path / "rows.jsonl"), str(store), address]
        process = subprocess.Popen([sys.executable, "-c", KILLED, *arguments])
        while handler.asked.total() < moment and process.poll() is None:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        killed.set()
        kept = len(read_responses(store))
        assert moment - 2 <= kept < len(asked)
        summary = run(store, address, asked)
        assert (summary.reused, summary.answered) == (kept, len(asked) - kept)
        # What was under way when the run died is all that was asked twice.
        assert handler.asked.total() <= len(asked) + 2
        answers = answers_of(stored(store, address, asked))
        assert {score.estimate.value for score in score_all(answers, seed=1, resamples=10)} == {1.0}


def test_two_runs_at_once_on_one_store_ask_each_question_once(store: Path) -> None:
    asked = rotations(12)

    def slow(handler: Handler, prompt: str, before: int) -> None:
        time.sleep(0.02)

    done = []
    with serving(slow) as (address, handler):
        runs = [
            threading.Thread(target=lambda: done.append(run(store, address, asked, concurrency=6)))
            for _ in range(2)
        ]
        for each in runs:
            each.start()
        for each in runs:
            each.join()
        assert set(handler.asked.values()) == {1}
    assert [(each.requests, each.unanswered) for each in done] == [(48, 0)] * 2
    assert sum(each.answered for each in done) == 48


def test_what_a_run_on_another_machine_claimed_is_waited_for_and_asked_if_it_died(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = rotations(1)
    model = ModelParameters(name="compatible/fake")
    monkeypatch.setattr(requests, "_machine", lambda: "elsewhere")
    dead = ResponseStore(store).__enter__()
    monkeypatch.undo()
    monkeypatch.setattr(requests, "CLAIM_SECONDS", 1.0)
    for request in requests.requests_of(asked[:2], model, 1, SAMPLING):
        assert dead.claim(request.key)
    summary, handler = run_served(store, asked)
    assert (summary.answered, handler.asked.total()) == (4, 4)
    assert "another run is asking 2 of these questions" in capsys.readouterr().err


def test_an_address_with_credentials_does_not_silently_replace_the_key(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIVLOGIC_API_KEY", "not-a-real-secret")
    monkeypatch.setenv("DIVLOGIC_BASE_URL", "http://user:word@127.0.0.1:9/v1")
    with pytest.raises(
        DivLogicError, match="holds credentials, and DIVLOGIC_API_KEY is set too"
    ) as told:
        run(store, "", rotations())
    assert "word" not in str(told.value)
