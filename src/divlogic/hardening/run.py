"""The run: all items advance one step per batch, until none needs an answer; then what came of them is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, get_args

from divlogic.benchmarks.llmeval_logic.hardener.item import item_json
from divlogic.benchmarks.llmeval_logic.realise import hard_record
from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_seeds
from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.hardening.machine import ROLES, Outcome, Role, Walk, follow
from divlogic.hardening.parameters import HardeningParameters, HardeningRun
from divlogic.io.files import write_csv, write_jsonl
from divlogic.io.log import say
from divlogic.models.asking import stored_answers
from divlogic.models.parameters import ModelParameters, slug_of
from divlogic.models.requests import Question, ResponseStore, label_of, requests_of
from divlogic.models.runner import run_requests

STORES = Path(".divlogic/responses/hardening")


def harden(seeds: Sequence[Seed], stores: Path, parameters: HardeningParameters, seed: int) -> list[Walk]:
    """Lead all seeds through the roles, asking each model only for what its store in ``stores`` lacks."""
    models, sampling = _models(parameters), parameters.sampling
    paths = {label_of(model): stores / f"{slug_of(model)}.sqlite" for model in models.values()}
    walks = [Walk(each.item.id) for each in seeds]
    ways = [follow(each, parameters, state) for each, state in zip(seeds, walks, strict=True)]
    waiting = [(next(way), way) for way in ways]
    ask = partial(run_requests, sampling=sampling, limits=parameters.limits, seed=seed)
    with ExitStack() as stack:
        opened = {name: stack.enter_context(ResponseStore(path)) for name, path in sorted(paths.items())}
        while waiting:
            following = []
            for role in ROLES:
                own = [(need, way) for need, way in waiting if need.role == role]
                if not own:
                    continue
                model, name = models[role], label_of(models[role])
                questions = [Question("hardening", role, need.prompt) for need, _ in own]
                wanted = list(requests_of(questions, model, own[0][0].runs, sampling))
                done = ask(wanted, model, opened[name])
                say(f"{name}: {len(own)} × {role}; {done.sentence()}")
                done.require_all(paths[name], name)
                # Answers come run by run.
                texts = [response.answer for _, response in stored_answers(wanted, opened[name].responses)]
                for place, (_, way) in enumerate(own):
                    with suppress(StopIteration):
                        following.append((way.send(texts[place :: len(own)]), way))
            waiting = following
    return walks


def _models(parameters: HardeningParameters) -> dict[Role, ModelParameters]:
    models: dict[Role, ModelParameters] = {role: getattr(parameters.roles, role) for role in ROLES}
    for role, model in models.items():
        if model is None:
            raise DivLogicError(
                f"hardening: no model plays the role '{role}'; name one under hardening.roles.{role}, or set"
                " hardening.enabled to false."
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
    traced = ({"source": each.source, "outcome": each.outcome, "steps": each.trace} for each in walks)
    write_jsonl(trace, traced)
    counts = Counter(state.outcome for state in walks)
    write_csv(table, ("outcome", "items"), [(name, counts[name]) for name in get_args(Outcome)])
    say(f"{len(items):,} hard items accepted.")
