"""The run: all items advance one step per batch, until none needs an answer; then what came of them is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.llmeval_logic.hardener.item import item_json
from divlogic.benchmarks.llmeval_logic.realise import hard_record
from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_seeds
from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.hardening.machine import Outcome, Walk, walk
from divlogic.hardening.parameters import HardeningParameters, HardeningRun
from divlogic.hardening.prompts import ROLES, Role
from divlogic.io.files import write_csv, write_jsonl
from divlogic.io.log import say
from divlogic.models.parameters import ModelParameters, slug_of
from divlogic.models.requests import Request, label_of, requests_of
from divlogic.models.runner import run_requests
from divlogic.models.store import ResponseStore

STORES = Path(".divlogic/responses/hardening")
OUTCOMES: tuple[Outcome, ...] = ("accepted", "exhausted", "hard_enough", "no_blueprint")


@dataclass(frozen=True, slots=True)
class RolePrompt:
    """A prompt as the runner puts it to a model."""

    input: str
    instance: str
    benchmark: str = "hardening"
    likelihood: bool = False
    letters: tuple[str, ...] = ()

    def read(self, answer: str) -> str | None:
        """Return the answer as it is; an empty one says nothing."""
        return answer if answer.strip() else None


def harden(seeds: Sequence[Seed], stores: Path, parameters: HardeningParameters, seed: int) -> list[Walk]:
    """Lead all seeds through the roles, asking each model only for what its store lacks.

    Args:
        seeds: what is hardened.
        stores: folder of the response stores, one per model.
        seed: of the models' sampling.

    Raises:
        DivLogicError: a role has no model, or answers are lacking at the end; everything answered is stored.
    """
    models = _models(parameters)
    paths = {label_of(model): stores / f"{slug_of(model)}.sqlite" for model in models.values()}
    with ExitStack() as stack:
        opened = {name: stack.enter_context(ResponseStore(path)) for name, path in sorted(paths.items())}

        @cache  # every walk goes over its earlier requests again
        def requests(role: Role, prompt: str, runs: int) -> tuple[Request[RolePrompt], ...]:
            question = RolePrompt(prompt, role)
            return tuple(requests_of([question], models[role], runs, parameters.sampling))

        def stored(role: Role, prompt: str, runs: int) -> list[str] | None:
            responses = opened[label_of(models[role])].responses
            found = [request.stored(responses) for request in requests(role, prompt, runs)]
            return None if None in found else [response.answer for response in found if response]

        while True:
            walks = [walk(each, parameters, stored) for each in seeds]
            needs = [state.need for state in walks if state.need is not None]
            if not needs:
                return walks
            for name, store in opened.items():
                own = [need for need in needs if label_of(models[need.role]) == name]
                if not own:
                    continue
                wanted = [each for need in own for each in requests(need.role, need.prompt, need.runs)]
                done = run_requests(
                    wanted,
                    models[own[0].role],
                    store,
                    sampling=parameters.sampling,
                    limits=parameters.limits,
                    seed=seed,
                )
                roles = Counter(need.role for need in own)
                counts = ", ".join(f"{roles[role]} × {role}" for role in ROLES if roles[role])
                say(f"{name}: {counts}; {done.sentence()}")
                done.require_all(paths[name], name)


def _models(parameters: HardeningParameters) -> dict[Role, ModelParameters]:
    """Return the model of each role.

    Raises:
        DivLogicError: a role has none, or two different models have one label.
    """
    models = {role: getattr(parameters.roles, role) for role in ROLES}
    for role, model in models.items():
        if model is None:
            raise DivLogicError(
                f"hardening: no model plays the role '{role}'; name one under hardening.roles.{role}, or set"
                " hardening.enabled to false."
            )
    labels = {label_of(model): model for model in models.values()}
    for model in models.values():
        if labels[label_of(model)] != model:
            raise DivLogicError(
                f"hardening.roles: two different models are called '{label_of(model)}'; give them labels."
            )
    return models


def write_hardened(
    source: Annotated[Path, "--in", "Seeds (jsonl)."],
    *,
    stores: Annotated[Path, FOLDER, "Response stores, one per model (appended to)."] = STORES,
    out: Annotated[Path, "Accepted items (jsonl)."],
    trace: Annotated[Path, "Every step of every item (jsonl)."],
    table: Annotated[Path, "Items by outcome (csv)."],
    params: HardeningRun,
) -> None:
    """Lead the seeds through Decider, Proposal, solver, Review, Answering and Verification.

    Every answer is stored the moment it arrives: a run that was stopped goes on where it was and asks nothing twice.
    """
    parameters = params.hardening
    seeds = [each for each in read_seeds(source) if not each.item.contradictory][: parameters.items]
    if not parameters.enabled:
        say("hardening.enabled is false: no model is asked.")
    walks = harden(seeds, stores, parameters, params.seed) if parameters.enabled else []
    items = [state.item for state in walks if state.item is not None]
    write_jsonl(out, ({**hard_record(item).to_json(), "formal": item_json(item)} for item in items))
    write_jsonl(
        trace, ({"source": each.source, "outcome": each.outcome, "steps": each.trace} for each in walks)
    )
    counts = Counter(state.outcome for state in walks)
    write_csv(table, ("outcome", "items"), [(name, counts[name]) for name in OUTCOMES])
    say(f"{len(items):,} hard items accepted.")
