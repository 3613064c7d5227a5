"""A model that plays all five roles by a script, and a way to kill the run in any of them."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from inspect_ai.model import ModelOutput, modelapi

from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_scenarios
from divlogic.hardening.machine import Role
from divlogic.hardening.parameters import HardeningParameters, RoleParameters
from divlogic.models.parameters import ModelParameters
from divlogic.models.provider import OneAttemptAPI

Script = Callable[[str, int, int], str]
"""(role, number of the proposal, number of the repair) -> what the role does: ``good`` by default."""

LIGHT = json.loads(Path(__file__).with_name("light.json").read_text(encoding="utf-8"))
ANSWERS = {"S1": 2, "S2": "impossible", "S3": [["2"], [], ["1", "2"], ["1"]], "S4": [["1"]]}


@cache
def wiring() -> Seed:
    """Return the seed that the scripts harden."""
    return next(
        seed for seed in read_scenarios(Path("data/embedded/scenarios")) if seed.item.id == "wiring-1"
    )


PROBE_ANSWERS = {
    "Q1": "possible",
    "Q2": "unnecessary",
    "Q3": [[], ["1"], ["1", "2"], ["1", "3"]],
    "Q4": "necessary",
}


def role_of(prompt: str) -> Role:
    """Return which role a prompt addresses."""
    marks = {
        "（Decider）": "decider",
        "（Proposal）": "proposal",
        "（Review）": "review",
        "（Verification）": "verification",
    }
    for mark, role in marks.items():
        if mark in prompt[:40]:
            return role  # type: ignore[return-value]
    return "answering"


def reply(prompt: str, script: Script) -> str:
    """Return what the scripted model says."""
    role = role_of(prompt)
    if role == "decider":
        act = script(role, 0, 0)
        plan = {
            "shallow_path": "看开关就行",
            "strategies": ["uncertainty", "set_valued"],
            "plan": "去掉确定的事实",
        }
        return "不知道" if act == "bad" else json.dumps(plan, ensure_ascii=False)
    if role == "proposal":
        number = int(re.search(r"第 (\d+) 稿", prompt)[1])
        repair = re.search(r"第 (\d+) 次措辞修补", prompt)
        act = script(role, number, int(repair[1]) if repair else 0)
        if repair:
            words: dict[str, Any] = {
                "questions": {"S2": f"修补{repair[1]}：灯亮着并且二楼开关合着，这可能吗？"}
            }
            return "……" if act == "bad" else json.dumps(words, ensure_ascii=False)
        value = json.loads(json.dumps(LIGHT))
        value["background"] = f"{LIGHT['background']}（第{number}稿）"
        if act == "redundant":
            value["premises"].append(
                {
                    "id": "C3",
                    "formula": ["not", ["and", "First", "Second", "Lamp"]],
                    "text": {"zh": "三者不会都成立。"},
                }
            )
        if act == "contradictory":
            value["premises"].append(
                {"id": "C3", "formula": ["not", "First"], "text": {"zh": "一楼开关断着。"}}
            )
        if act == "undeclared":
            value["premises"][1]["formula"] = "Third"
        if act == "idle":
            value["questions"][2]["suppose"] = {"removed": [], "added": []}
            value["questions"][1]["suppose"] = {
                "removed": ["C2"],
                "added": [dict(LIGHT["premises"][1], id="C9")],
            }
        return (
            "没有稿子"
            if act == "bad"
            else "改写如下：\n```json\n" + json.dumps(value, ensure_ascii=False) + "\n```"
        )
    if role == "answering":
        number = re.search(r"（第(\d+)稿）", prompt)
        repair = re.search(r"修补(\d+)", prompt)
        act = script(role, int(number[1]) if number else 0, int(repair[1]) if repair else 0)
        right = ANSWERS if number else PROBE_ANSWERS
        wrong = {**right, ("S2" if number else "Q1"): "possible" if number else "impossible"}
        return json.dumps({"answers": wrong if act == "bad" else right}, ensure_ascii=False)
    number = re.search(r"（第(\d+)稿）", prompt)
    act = script(role, int(number[1]), 0)
    refusal = {"ok": False, "reasons": [f"{role} 不满意"]}
    return (
        "嗯"
        if act == "mute"
        else json.dumps(refusal if act == "bad" else {"ok": True, "reasons": []}, ensure_ascii=False)
    )


SCRIPTS: dict[str, Script] = {
    "accept": lambda role, number, repair: "good",
    "repair": lambda role, number, repair: "bad" if role == "answering" and number and not repair else "good",
    "second": lambda role, number, repair: "bad" if role == "review" and number == 1 else "good",
}
CALLS: list[str] = []
KILL_IN = ""
"""Role in which the process kills itself, as soon as it is asked."""


@modelapi(name="scripted")
class ScriptedAPI(OneAttemptAPI):
    """``scripted/NAME`` plays the script of that name."""

    async def generate(self, input, tools, tool_choice, config):
        prompt = input[-1].text
        role = role_of(prompt)
        if role == KILL_IN and (role != "answering" or "稿）" in prompt):
            os.kill(os.getpid(), signal.SIGKILL)
        CALLS.append(prompt)
        return ModelOutput.from_content(self.model_name, reply(prompt, SCRIPTS[self.model_name]))


def parameters(script: str, **changes: Any) -> HardeningParameters:
    """Return parameters under which the scripted model plays every role."""
    model = ModelParameters(name=f"scripted/{script}")
    roles = RoleParameters(decider=model, proposal=model, review=model, answering=model, verification=model)
    return HardeningParameters(enabled=True, roles=roles, **changes)
