"""An item's way through the roles: accepted, refused with reasons, repaired, exhausted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.llmeval_logic.seeds import read_scenarios
from divlogic.hardening.machine import Need, Walk, differing, follow
from divlogic.hardening.parameters import HardeningParameters
from divlogic.hardening.proposals import read_proposal, source_questions
from tests.unit.hardening.scripted import ANSWERS, LIGHT, SCRIPTS, Script, reply, wiring


def played(answers: Callable[[Need], list[str]], **changes: Any) -> Walk:
    """Return where an item stands in the end, if its needs are answered so."""
    state = Walk(wiring().item.id)
    way = follow(wiring(), HardeningParameters(enabled=True, **changes), state)
    with suppress(StopIteration):
        need = next(way)
        while True:
            need = way.send(answers(need))
    return state


def play(script: Script, **changes: Any) -> tuple[Walk, list[str]]:
    prompts: list[str] = []

    def answers(need: Need) -> list[str]:
        prompts.append(need.prompt)
        return [reply(need.prompt, script)] * need.runs

    return played(answers, **changes), prompts


def only(role: str, act: str, numbers=(1, 2, 3)) -> Script:
    return lambda asked, number, repair: act if asked == role and number in numbers else "good"


def steps(state: Walk) -> list[tuple[int, str, bool]]:
    return [(step.round, step.step, step.passed) for step in state.trace]


def test_a_good_proposal_is_accepted() -> None:
    state, _ = play(only("", ""))
    assert state.outcome == "accepted"
    ways = ["0 probe", "0 decider", "1 solver", "1 review", "1 answering", "1 verification"]
    assert steps(state) == [(int(way[0]), way[2:], True) for way in ways]
    assert state.item is not None
    answers = {question.id: question.answer for question in state.item.questions}
    sets = {"S3": ((), ("1",), ("1", "2"), ("2",)), "S4": (("1",),)}
    assert answers == {"S1": 2, "S2": "impossible", **sets}
    assert state.item.questions[2].baseline == (("1",), ("2",))
    assert state.item.theory.licence == "CC0-1.0"


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("redundant", "necessary to no answer"),
        ("contradictory", "have no model"),
        ("undeclared", "'Third' is not declared"),
        ("idle", "leaves the answer"),
        ("bad", "no JSON object"),
    ],
)
def test_the_solver_refuses_before_the_review_and_tells_the_next_proposal(
    act: str, reason: str
) -> None:
    state, prompts = play(only("proposal", act, numbers=(1,)))
    assert state.outcome == "accepted"
    refused = state.trace[2]
    assert not refused.passed and reason in refused.reasons[0]
    assert (1, "review", True) not in steps(state)
    second = next(prompt for prompt in prompts if "这是第 2 稿" in prompt)
    assert refused.reasons[0] in second


@pytest.mark.parametrize("role", ["review", "verification"])
def test_a_refusal_goes_back_to_the_proposal_with_its_reasons(role: str) -> None:
    state, prompts = play(only(role, "bad", numbers=(1,)))
    assert state.outcome == "accepted" and state.item is not None and state.item.id.endswith("-m2")
    assert f"{role} 不满意" in next(prompt for prompt in prompts if "这是第 2 稿" in prompt)


def test_a_reply_without_a_verdict_refuses() -> None:
    state, _ = play(only("review", "mute", numbers=(1,)))
    assert state.trace[3].reasons == ("the reply holds no verdict",)


def test_if_only_the_answers_are_off_the_words_are_repaired() -> None:
    state, prompts = play(SCRIPTS["repair"])
    assert state.outcome == "accepted" and state.item is not None
    assert (1, "repair", True) in steps(state)
    assert state.item.questions[1].text.zh.startswith("修补1")
    assert state.item.questions[1].answer == "impossible"
    assert any("S2: possible" in prompt for prompt in prompts if "措辞修补" in prompt)


def test_without_repairs_left_the_next_round_begins() -> None:
    state, _ = play(only("answering", "bad", numbers=(1,)), repairs=0)
    assert state.outcome == "accepted" and state.item is not None and state.item.id.endswith("-m2")


@pytest.mark.parametrize("role", ["proposal", "review", "answering", "verification"])
def test_rounds_run_out(role: str) -> None:
    state, prompts = play(only(role, "bad"), rounds=3)
    assert state.outcome == "exhausted" and state.item is None
    assert sum("这是第" in prompt for prompt in prompts) == 3


def test_one_dissenting_solution_of_three_is_tolerated() -> None:
    def answers(need: Need) -> list[str]:
        first = reply(need.prompt, lambda *_: "good" if need.runs == 1 else "bad")
        return [first, *[reply(need.prompt, lambda *_: "good")] * (need.runs - 1)]

    assert played(answers, k=3, agree=2).outcome == "accepted"


def test_an_item_that_probes_fail_stays_as_it_is() -> None:
    state, prompts = play(only("answering", "bad", numbers=(0,)))
    assert state.outcome == "hard_enough" and len(prompts) == 1


def test_no_strategy_no_hardening() -> None:
    assert play(only("decider", "bad", numbers=(0,)))[0].outcome == "no_blueprint"


def test_a_walk_without_answers_says_what_it_needs() -> None:
    state = Walk(wiring().item.id)
    need = next(follow(wiring(), HardeningParameters(enabled=True, k=4), state))
    assert (need.role, need.runs, state.outcome) == ("answering", 4, None)


def test_the_answering_role_sees_no_formula_and_no_answer() -> None:
    _, prompts = play(only("", ""))
    one, other = [prompt for prompt in prompts if prompt.startswith("请解答")]
    assert not re.search('formula|->|"S1": 2', one + other)


def test_order_and_brackets_of_lists_do_not_matter() -> None:
    item = play(only("", ""))[0].item
    assert item is not None
    spelled = {**ANSWERS, "S1": "2", "S2": " Impossible ", "S4": ["（1）"]}
    assert differing(item, json.dumps({"answers": spelled})) == []
    assert (
        differing(item, json.dumps({"answers": {**spelled, "S3": [["1"], ["2"], ["1", "2"]]}}))
        != []
    )
    assert len(differing(item, "没有")) == 4


def test_every_seed_can_be_probed() -> None:
    for seed in read_scenarios(Path("data/embedded/scenarios")):
        probe = source_questions(seed)
        assert len(probe.questions) == len(seed.item.answers)


def test_more_agreement_than_solutions_is_refused() -> None:
    with pytest.raises(ValueError, match="agree is 4"):
        HardeningParameters(k=3, agree=4)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("questions 0 suppose", "C2"),
        ("questions 0 text", {}),
        ("questions 3 statements", ["Lamp", "Second"]),
        ("questions 0 type", ["count_models"]),
        *(("symbols 0 gloss zh", text) for text in ("开关{", "开关{place}", "开关{0}")),
    ],
)
def test_an_odd_field_of_a_proposal_is_a_reason_and_no_crash(field: str, value: Any) -> None:
    *path, last = (int(key) if key.isdigit() else key for key in field.split())
    proposal = deepcopy(LIGHT)
    place: Any = proposal
    for key in path:
        place = place[key]
    place[last] = value
    with pytest.raises(ValueError):
        read_proposal(proposal, wiring(), ("uncertainty",), 1)


@pytest.mark.parametrize(
    "strategies", [None, "uncertainty", 5, [["uncertainty"], {}], {"uncertainty": 1}]
)
def test_a_blueprint_without_a_list_of_strategies_is_none(strategies: Any) -> None:
    def answers(need: Need) -> list[str]:
        plan = json.dumps({"strategies": strategies})
        return [
            plan if need.role == "decider" else reply(need.prompt, lambda *_: "good")
        ] * need.runs

    assert played(answers).outcome == "no_blueprint"


@pytest.mark.parametrize("said", [True, "9" * 5000, {"count": 2}, [{"1": 2}]])
def test_an_odd_answer_differs(said: Any) -> None:
    item = read_proposal(deepcopy(LIGHT), wiring(), ("uncertainty",), 1)
    assert differing(item, json.dumps({"answers": ANSWERS})) == []
    off = differing(item, json.dumps({"answers": {**ANSWERS, "S1": said}}))
    assert [line[:3] for line in off] == ["S1:"]
