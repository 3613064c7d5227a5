"""Servers of bug reports and of our own, each followed by a sound one, which must be asked exactly what lacks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.parameters import (
    ModelParameters,
    ModelSamplingParameters,
    SamplingParameters,
)
from divlogic.models.requests import ClosedQuestion
from divlogic.models.runs import RunSummary
from tests.integration.fault_runs import limits
from tests.integration.fault_server import Handler, serving
from tests.integration.reply_cases import CASES, Case, reply, scored, top
from tests.unit.evaluation.samples import answered, rotations

pytestmark = pytest.mark.integration


def run(store: Path, address: str, asked: list[ClosedQuestion], case: Case) -> RunSummary:
    own = ModelSamplingParameters.model_validate(case.sampling) if case.sampling else None
    model = ModelParameters(name="compatible/m", base_url=address, sampling=own)
    bounds = limits(attempts=3, concurrency=4)
    return answered(asked, model, store, sampling=SamplingParameters(), limits=bounds)[0]


def sound(handler: Handler, prompt: str, before: int) -> None:
    if "logprobs" in handler.bodies[-1]:
        reply(200, scored(top(A=-0.1, B=-3.0)))(handler)


@pytest.mark.parametrize("name", CASES)
def test_a_server_gets_the_requests_that_its_replies_deserve_and_a_sound_one_what_lacks(
    store: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    asked = rotations(2, "likelihood" if case.likelihood else "zero_shot")
    said = ""
    with serving(case.behaviour) as (address, handler):
        if case.stops:
            with pytest.raises(DivLogicError) as told:
                run(store, address, asked, case)
            said = str(told.value)
        else:
            done = run(store, address, asked, case)
            assert (done.refusals, done.unreadable) == (case.refused, case.unread)
            assert done.unanswered == case.missing
        assert handler.asked.total() == case.requests
        if not case.stops:
            # What is asked again in vain is no reason to hold back the table of the rest.
            done = run(store, address, asked, case)
            assert (done.answered, done.unreadable) == (0, case.unread)
            assert done.unanswered == case.missing
    said = capsys.readouterr().err + said
    assert re.search(".*".join(case.told), said, re.DOTALL), said
    with serving(sound) as (address, handler):
        done = run(store, address, asked, case)
    assert handler.asked.total() == case.again
    assert (done.answered, done.unanswered, done.unreadable) == (case.again, 0, case.refused)
