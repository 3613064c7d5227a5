"""What servers answer that is no fault, what is too much, and answers that were cut."""

from __future__ import annotations

import gzip
import resource
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.parameters import (
    ModelParameters,
    ModelSamplingParameters,
    SamplingParameters,
    dropped_by_provider,
)
from divlogic.models.requests import read_responses, requests_of
from divlogic.models.runner import CUT
from tests.integration.fault_runs import limits, run, run_served
from tests.integration.fault_server import Handler, serving
from tests.unit.evaluation.samples import answered, rotations

pytestmark = pytest.mark.integration


def body(content: str, finish_reason: str = "stop") -> bytes:
    text = f'{{"choices": [{{"message": {{"content": {content}}}, "finish_reason": "{finish_reason}"}}]}}'
    return text.encode()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (body('"Answer: B \\ud83d"'), "Answer: B \ufffd"),
        (body('"Answer: B"').replace(b"B", b"B \xff"), "Answer: B \ufffd"),
        (
            body(
                '[{"type": "thinking", "text": "A"}, {"type": "text", "text": "Answer: "}, {"text": "B"}]'
            ),
            "Answer: B",
        ),
    ],
)
def test_half_a_character_and_a_list_of_parts_are_answers(
    store: Path, reply: bytes, said: str
) -> None:
    summary, handler = run_served(
        store, rotations(1), lambda handler, *_: handler.reply(200, reply)
    )
    assert (summary.answered, summary.unreadable, dict(summary.faults)) == (4, 0, {})
    assert {one.answer for one in read_responses(store).values()} == {said}
    assert {seen["Accept-Encoding"] for seen in handler.headers_seen} == {"identity"}


def test_a_reply_that_unpacks_to_a_gigabyte_costs_no_memory(store: Path) -> None:
    packed = gzip.compress(b" " * 300_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(DivLogicError, match="the reply is larger than 16 MiB"):
        run_served(
            store,
            rotations(1),
            lambda handler, *_: handler.reply(200, packed, Content_Encoding="gzip"),
            attempts=1,
            concurrency=1,
        )
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB


def test_a_server_that_only_fails_is_given_up_after_three_requests_and_says_so_at_once(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = serving(lambda handler, *_: handler.reply(500, b"out of memory"))
    with failing as (address, handler), pytest.raises(DivLogicError, match="was given up"):
        run(store, address, rotations(8), attempts=2, concurrency=1)
    assert (len(handler.asked), handler.asked.total()) == (3, 6)
    assert capsys.readouterr().err.count("compatible/fake: server: status 500: out of memory") == 1


def ask(store: Path, address: str, count: int, longest: int = 64, **own: object) -> str:
    """Return what is said of a run of a model with sampling parameters of its own."""
    model = ModelParameters(name="compatible/fake", base_url=address, **own)  # type: ignore[arg-type]
    sampling = SamplingParameters(max_tokens=longest)
    return answered(
        rotations(count), model, store, sampling=sampling, limits=limits(concurrency=1)
    )[0].sentence()


def cut_at(tokens: int, handler: Handler) -> None:
    """Answer as a model does that thinks for 200 tokens."""
    if handler.bodies[-1].get("max_tokens", tokens) < tokens:  # type: ignore[operator]
        handler.say("<think>Let me see. The answer is A or", finish_reason="length")
    else:
        handler.say("<think>Let me see.</think>Answer: B", usage={"completion_tokens": tokens})


def test_a_thinking_model_whose_answers_are_all_cut_is_stopped_with_advice(store: Path) -> None:
    with serving(lambda handler, *_: cut_at(200, handler)) as (address, handler):
        with pytest.raises(
            DivLogicError, match=rf"first {CUT} answers were all cut at max_tokens \(64\)"
        ):
            ask(store, address, 8)
        assert handler.asked.total() == CUT
        done = ask(store, address, 8, thinking=True)
        assert "32 asked now" in done and "cut" not in done and "unreadable" not in done
        # It thinks as long as it likes, unless its sampling says otherwise.
        assert "max_tokens" not in handler.bodies[-1]


def test_answers_that_were_complete_are_not_paid_again_where_longer_ones_are_asked_for(
    store: Path,
) -> None:
    def sometimes(handler: Handler, prompt: str, before: int) -> None:
        cut_at(200 if list(handler.asked).index(prompt) % 2 else 10, handler)

    with serving(sometimes) as (address, _):
        assert "8 cut at max_tokens" in ask(store, address, 4)
        assert "8 in the store, 8 asked now" in ask(store, address, 4, 300)
        # What was complete at 200 tokens would have been cut at 100.
        assert "8 in the store, 8 asked now" in ask(store, address, 4, 100)


def test_a_model_has_its_own_sampling(store: Path) -> None:
    own = ModelSamplingParameters(temperature=0.6, reasoning_effort="low")
    with serving() as (address, handler):
        ask(store, address, 1, sampling=own)
    asked = {
        (body["temperature"], body["max_tokens"], body["reasoning_effort"])
        for body in handler.bodies
    }
    assert asked == {(0.6, 64, "low")}


def test_what_the_parameters_name_reaches_the_server_and_else_nothing(store: Path) -> None:
    own = ModelSamplingParameters(reasoning_effort="xhigh", reasoning_tokens=900, seed=7)
    further = {"extra_body": {"top_k": 5}, "extra_headers": {"X-Project": "logic"}}
    with serving() as (address, handler):
        model = ModelParameters(
            name="compatible/fake", base_url=address, sampling=own, thinking=True, **further
        )
        answered(rotations(1), model, store, limits=limits(concurrency=1))
        (body, *_), (headers, *_) = handler.bodies, handler.headers_seen
    # Log-probabilities of generated answers are asked for on this machine.
    asked = {"model", "messages", "temperature", "logprobs", "top_logprobs"}
    assert set(body) == asked | {"reasoning_effort", "reasoning_tokens", "seed", "top_k"}
    assert (body["reasoning_effort"], body["seed"], body["top_k"]) == ("xhigh", 7, 5)
    assert headers["X-Project"] == "logic"


def test_further_fields_of_the_body_are_answers_of_their_own_and_headers_are_not() -> None:
    plain = ModelParameters(name="compatible/fake")
    body = ModelParameters(name="compatible/fake", extra_body={"top_k": 5})
    headers = ModelParameters(name="compatible/fake", extra_headers={"X-Project": "logic"})
    first, second, third = [
        [request.key for request in requests_of(rotations(1), model, 1, SamplingParameters())]
        for model in (plain, body, headers)
    ]
    assert not set(first) & set(second) and first == third


def test_what_a_provider_drops_is_said() -> None:
    own = ModelSamplingParameters(reasoning_tokens=900, seed=1)
    named = {"batch": True, "sampling": own}
    dropped = {
        name: dropped_by_provider(ModelParameters(name=name, **named))  # type: ignore[arg-type]
        for name in ("openai/o3", "anthropic/c", "compatible/m", "mistral/m")
    }
    assert dropped == {
        "openai/o3": ["reasoning_tokens"],
        "anthropic/c": ["seed"],
        "compatible/m": ["batch"],
        "mistral/m": ["batch", "reasoning_tokens"],
    }


@pytest.mark.parametrize(
    "further",
    [{"extra_headers": {"Authorization": "Bearer x"}}, {"extra_body": {"api_key": "x"}}],
)
def test_a_key_has_no_place_among_the_parameters(further: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="would be printed and kept with the parameters"):
        ModelParameters(name="compatible/fake", **further)  # type: ignore[arg-type]
