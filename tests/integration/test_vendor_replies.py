"""Vendors whom Inspect's providers ask with their own packages: each fault, followed by a sound server.

``make test-providers`` installs the packages; the vendors are imitated on this machine.
"""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from divlogic.models.runs import RunSummary
from tests.integration.fault_runs import limits
from tests.integration.fault_server import Behaviour, Handler, serving
from tests.integration.vendors import (
    QUOTA_WORDS,
    RETRY,
    VENDORS,
    Reply,
    Vendor,
    candidate,
    completion,
    message,
    refused_by_google,
    reply,
)
from tests.unit.evaluation.samples import answered, rotations

pytestmark = pytest.mark.integration

KEY = "sk-not-a-key-0123456789abcdef"


@pytest.fixture(params=VENDORS)
def vendor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Vendor:
    found = VENDORS[request.param]
    pytest.importorskip(
        found.package, reason="needs the clients of the vendors (make test-providers)"
    )
    monkeypatch.setenv(found.key, KEY)
    return found


class Run:
    """Runs on one store; ``asked`` counts the requests of the last one."""

    def __init__(self, vendor: Vendor, store: Path) -> None:
        self.vendor, self.store = vendor, store
        self.rows = rotations(2)
        self.asked = 0
        self.predictions: list[Prediction] = []

    def __call__(
        self,
        behaviour: Behaviour = lambda *_: False,
        *,
        max_tokens: int = 64,
        bounds: LimitParameters | None = None,
    ) -> RunSummary:
        with serving(behaviour, handler=self.vendor.handler) as (address, handler):
            root = address.removesuffix("/v1") + self.vendor.root
            model = ModelParameters(name=self.vendor.name, base_url=root)
            try:
                done, self.predictions = answered(
                    self.rows,
                    model,
                    self.store,
                    sampling=SamplingParameters(max_tokens=max_tokens),
                    limits=bounds or limits(attempts=3),
                )
            finally:
                self.asked = handler.asked.total()
        return done


@pytest.fixture
def run(vendor: Vendor, store: Path) -> Run:
    return Run(vendor, store)


def always(answer: Reply) -> Behaviour:
    return lambda handler, prompt, before: answer(handler)


def for_two(run: Run, answer: Reply) -> Behaviour:
    """Reply so to two of the questions, however often they come."""
    chosen = {run.rows[number].input.strip() for number in (2, 5)}
    return lambda handler, prompt, before: answer(handler) if prompt.strip() in chosen else None


def at_first(answer: Reply) -> Behaviour:
    return lambda handler, prompt, before: None if before else answer(handler)


def lacks(run: Run, count: int) -> None:
    """Require that a sound server is asked so many questions, and then none."""
    assert run().answered == run.asked == count
    assert run().answered == run.asked == 0


@pytest.mark.parametrize(
    ("fault", "reason", "advice"),
    [
        ("key", "auth", "Set the right key"),
        ("permission", "auth", "Set the right key"),
        ("quota", "quota", "Add credit"),
        ("model", "unknown_model", "Correct the model's name"),
        ("context", "too_long", "longer context"),
    ],
)
def test_what_all_questions_would_meet_stops_the_run_at_the_first_request(
    run: Run, fault: str, reason: str, advice: str
) -> None:
    with pytest.raises(DivLogicError) as told:
        run(always(run.vendor.faults[fault]))
    assert run.asked == 1
    assert f"({reason}: " in str(told.value) and advice in str(told.value)
    assert KEY not in str(told.value)
    lacks(run, 8)


@pytest.mark.parametrize("fault", ["minute", "overload", "broken"])
def test_what_passes_is_waited_for_and_nothing_answered_is_paid_twice(run: Run, fault: str) -> None:
    done = run(at_first(run.vendor.faults[fault]))
    assert (done.answered, done.unanswered, run.asked) == (8, 0, 16)
    lacks(run, 0)


@pytest.mark.parametrize("form", ["filter", "stop"])
def test_a_refusal_is_kept_and_counted(run: Run, form: str) -> None:
    blocked = reply(200, run.vendor.answer(None, run.vendor.stops[2]))
    done = run(for_two(run, run.vendor.faults["filter"] if form == "filter" else blocked))
    assert (done.answered, done.refusals, run.asked) == (8, 2, 8)
    assert sorted(one.status for one in run.predictions) == [""] * 6 + ["refused"] * 2
    lacks(run, 0)


def test_an_empty_reply_is_asked_again_once_and_by_the_next_run(run: Run) -> None:
    done = run(for_two(run, reply(200, run.vendor.answer(None, run.vendor.stops[0]))))
    assert (done.answered, run.asked) == (6, 10)
    assert sorted(one.status for one in run.predictions) == [""] * 6 + ["unanswered"] * 2
    lacks(run, 2)


def test_a_cut_answer_is_asked_again_only_with_more_room(run: Run) -> None:
    done = run(for_two(run, reply(200, run.vendor.answer("Let me see", run.vendor.stops[1]))))
    assert (done.answered, done.cut, run.asked) == (8, 2, 8)
    assert run().answered == run.asked == 0
    assert run(max_tokens=128).answered == run.asked == 2


def test_a_question_that_is_too_long_stops_no_other(run: Run) -> None:
    longest = max(len(row.input) for row in run.rows)
    assert sum(len(row.input) == longest for row in run.rows) == 4

    def behave(handler: Handler, prompt: str, before: int) -> None:
        if len(prompt) == longest:
            run.vendor.faults["context"](handler)

    done = run(behave)
    assert (done.answered, run.asked) == (4, 8)
    lacks(run, 4)


def test_the_wait_that_a_vendor_asks_for_is_heeded(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []

    def note(attempt: int, *, asked: float | None = None, **_: float) -> float:
        waits.append(asked)
        return 0.0

    monkeypatch.setattr("divlogic.models.runner.waiting_time", note)
    run(at_first(run.vendor.faults["minute"]))
    assert waits == [pytest.approx(0.05)] * 8


def test_a_server_that_is_not_there_is_given_up(run: Run) -> None:
    with socket.socket() as closed:
        # Bound and not listening: no other program takes this port meanwhile.
        closed.bind(("127.0.0.1", 0))
        model = ModelParameters(
            name=run.vendor.name, base_url=f"http://127.0.0.1:{closed.getsockname()[1]}"
        )
        with pytest.raises(DivLogicError, match=r"\(connection: .*Start the server"):
            answered(run.rows, model, run.store, limits=limits(attempts=3))
    lacks(run, 8)


def test_a_page_in_place_of_a_reply_is_no_answer(run: Run) -> None:
    def page(handler: Handler) -> None:
        handler.reply(200, b"<html>Sign in to this network</html>", Content_Type="text/html")

    with pytest.raises(DivLogicError, match=r"\(malformed: .*Correct the server's address"):
        run(always(page))
    lacks(run, 8)


def test_a_missing_key_is_named_before_anything_is_asked(
    vendor: Vendor, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(vendor.key)
    run = Run(vendor, store)
    with pytest.raises(DivLogicError, match=vendor.key):
        run()
    assert run.asked == 0


ODD = {
    "google": {
        "no candidate": {"usageMetadata": {"promptTokenCount": 50}},
        "thoughts alone": {
            "candidates": [
                {
                    "content": {"role": "model", "parts": [{"text": "Is it A?", "thought": True}]},
                    "finishReason": "STOP",
                }
            ]
        },
        "an unknown reason": candidate(None, "OTHER"),
    },
    "anthropic": {
        "thoughts alone": message(None)
        | {"content": [{"type": "thinking", "thinking": "Is it A?", "signature": "x"}]},
        "a tool call": message(None, "tool_use")
        | {"content": [{"type": "tool_use", "id": "t", "name": "search", "input": {}}]},
        "an unknown reason": message("Let me", "model_context_window_exceeded"),
    },
    "openai": {
        "nothing": completion(None),
        "no choice": completion(None) | {"choices": []},
    },
}


@pytest.mark.parametrize(
    ("vendor", "odd"),
    [(name, odd) for name, kinds in ODD.items() for odd in kinds],
    indirect=["vendor"],
)
def test_a_reply_without_an_answer_is_not_kept(run: Run, vendor: Vendor, odd: str) -> None:
    done = run(for_two(run, reply(200, ODD[vendor.name.partition("/")[0]][odd])))
    assert done.answered == 6
    assert sorted(one.status for one in run.predictions) == [""] * 6 + ["unanswered"] * 2
    lacks(run, 2)


LIMITS_OF_GOOGLE = {
    "of a day": refused_by_google(
        429,
        "RESOURCE_EXHAUSTED",
        f"{QUOTA_WORDS} Please retry in 7s.",
        {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
        },
        RETRY,
    ),
    "none in this plan": refused_by_google(
        429,
        "RESOURCE_EXHAUSTED",
        f"{QUOTA_WORDS} Quota exceeded for metric: generate_content_free_tier_requests, limit: 0",
        RETRY,
    ),
}


@pytest.mark.parametrize("vendor", ["google"], indirect=True)
@pytest.mark.parametrize("limit", LIMITS_OF_GOOGLE)
def test_a_limit_that_no_wait_renews_stops_the_run(run: Run, limit: str) -> None:
    with pytest.raises(DivLogicError, match=r"\(quota: .*Add credit"):
        run(always(LIMITS_OF_GOOGLE[limit]))
    assert run.asked == 1
    lacks(run, 8)
