"""A model that plays all five roles by a script, and a way to kill the run in any of them."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

from inspect_ai.model import ModelOutput, modelapi

from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_scenarios, seed_row
from divlogic.hardening.machine import Role, write_hardened
from divlogic.hardening.parameters import HardeningParameters, HardeningRun, RoleParameters
from divlogic.io.files import write_jsonl
from divlogic.models.parameters import ModelParameters
from divlogic.models.provider import OneAttemptAPI

Script = Callable[[str, int, int], str]
"""(role, number of the proposal, number of the repair) -> what the role does: ``good`` by default."""

LIGHT = json.loads(Path(__file__).with_name("light.json").read_text(encoding="utf-8"))
ANSWERS = {"S1": 2, "S2": "impossible", "S3": [["2"], [], ["1", "2"], ["1"]], "S4": [["1"]]}


@cache
def wiring() -> Seed:
    """Return the seed that the scripts harden."""
    seeds = read_scenarios(Path("data/embedded/scenarios"))
    return next(seed for seed in seeds if seed.item.id == "wiring-1")


PROBE_ANSWERS = {
    "Q1": "possible",
    "Q2": "unnecessary",
    "Q3": [[], ["1"], ["1", "2"], ["1", "3"]],
    "Q4": "necessary",
}


def role_of(prompt: str) -> Role:
    """Return which role a prompt addresses."""
    roles: tuple[Role, ...] = get_args(Role)
    return next((role for role in roles if f"（{role.capitalize()}）" in prompt[:40]), "answering")


def number_in(pattern: str, text: str) -> int:
    """Return the first number that a pattern finds; 0 for none."""
    found = re.search(pattern, text)
    return int(next(filter(None, found.groups()))) if found else 0


def reply(prompt: str, script: Script) -> str:
    """Return what the scripted model says."""
    role = role_of(prompt)
    number = number_in(r"第 ?(\d+) ?稿", prompt)
    repair = number_in(r"第 (\d+) 次措辞修补|修补(\d+)", prompt)
    act = script(role, number, repair)
    if act == "mute" or (act == "bad" and role in ("decider", "proposal")):
        return "……"
    if role == "decider":
        plan = {
            "shallow_path": "看开关就行",
            "strategies": ["uncertainty", "set_valued"],
            "plan": "去掉事实",
        }
        return json.dumps(plan, ensure_ascii=False)
    if role == "proposal" and repair:
        words = {"S2": f"修补{repair}：灯亮着并且二楼开关合着，这可能吗？"}
        return json.dumps({"questions": words}, ensure_ascii=False)
    if role == "proposal":
        value = proposal(act) | {"background": f"{LIGHT['background']}（第{number}稿）"}
        return f"改写如下：\n```json\n{json.dumps(value, ensure_ascii=False)}\n```"
    if role == "answering":
        right: dict[str, Any] = ANSWERS if number else PROBE_ANSWERS
        wrong = {**right, **({"S2": "possible"} if number else {"Q1": "impossible"})}
        return json.dumps({"answers": wrong if act == "bad" else right}, ensure_ascii=False)
    reasons = [f"{role} 不满意"] if act == "bad" else []
    return json.dumps({"ok": not reasons, "reasons": reasons}, ensure_ascii=False)


def proposal(act: str) -> dict[str, Any]:
    """Return the proposal ``light.json``, with the fault that an act names."""
    value = json.loads(json.dumps(LIGHT))
    further = {
        "redundant": (["not", ["and", "First", "Second", "Lamp"]], "三者不会都成立。"),
        "contradictory": (["not", "First"], "一楼开关断着。"),
    }
    if act in further:
        formula, text = further[act]
        value["premises"].append({"id": "C3", "formula": formula, "text": {"zh": text}})
    if act == "undeclared":
        value["premises"][1]["formula"] = "Third"
    if act == "idle":
        value["questions"][2]["suppose"] = {"removed": [], "added": []}
        added = [dict(LIGHT["premises"][1], id="C9")]
        value["questions"][1]["suppose"] = {"removed": ["C2"], "added": added}
    return value  # type: ignore[no-any-return]


SCRIPTS: dict[str, Script] = {
    "accept": lambda role, number, repair: "good",
    "repair": lambda role, number, repair: (
        "bad" if role == "answering" and number and not repair else "good"
    ),
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
    roles = RoleParameters(
        decider=model, proposal=model, review=model, answering=model, verification=model
    )
    return HardeningParameters(enabled=True, roles=roles, **changes)


def made(
    folder: Path,
    settings: HardeningParameters,
    stores: Path | None = None,
    seeds: Sequence[Seed] = (),
) -> dict[str, bytes]:
    """Harden the seeds, or else the one of the scripts, in a folder; return the files by name."""
    folder.mkdir(exist_ok=True)
    write_jsonl(folder / "seeds.jsonl", map(seed_row, seeds or [wiring()]))
    files = {name: folder / name for name in ("accepted.jsonl", "trace.jsonl", "outcomes.csv")}
    outputs = dict(zip(("out", "trace", "table"), files.values(), strict=True))
    run = HardeningRun(seed=0, hardening=settings)
    write_hardened(
        folder / "seeds.jsonl", stores=stores or folder / "stores", **outputs, params=run
    )
    return {name: path.read_bytes() for name, path in files.items()}
