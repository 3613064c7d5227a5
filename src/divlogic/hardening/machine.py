"""The run of all items, one item's way through the five roles, and their prompts (``prompts.yaml``: Chinese, our own).

All items advance one step per batch, until none needs an answer. :func:`follow` yields the answers that an item needs
next and is sent them. It remembers nothing elsewhere, so that a killed run goes on from the stored answers alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, item_json
from divlogic.benchmarks.llmeval_logic.realise import hard_record
from divlogic.benchmarks.llmeval_logic.schema import item_row
from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_seeds
from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.hardening.parameters import HardeningParameters, HardeningRun
from divlogic.hardening.proposals import read_proposal, repaired, source_questions
from divlogic.io.files import read_yaml, write_csv, write_jsonl
from divlogic.io.log import say
from divlogic.logic.theory import answer_text
from divlogic.models.answers import last_json_object
from divlogic.models.asking import ask_requests
from divlogic.models.parameters import slug_of
from divlogic.models.requests import Question, ResponseStore, label_of, requests_of

Role = Literal["decider", "proposal", "review", "answering", "verification"]
Outcome = Literal["accepted", "exhausted", "hard_enough", "no_blueprint"]

STORES = Path(".divlogic/responses/hardening")

_TEXTS: dict[str, Any] = read_yaml(Path(__file__).with_name("prompts.yaml"))
_MOST_DIGITS = 18
"""Digits of a count that are still read; Python reads no number of thousands of digits."""


@dataclass(frozen=True, slots=True)
class Need:
    """Answers that an item needs before it can go on: so many independent ones to one prompt."""

    role: Role
    prompt: str
    runs: int = 1


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of an item.

    Attributes:
        round: number of the proposal; 0 before the first.
        step: ``probe``, a role, ``solver``, ``repair``.
        passed: whether the item goes on from here.
        reasons: why not, or what was found.
    """

    round: int
    step: str
    passed: bool
    reasons: tuple[str, ...] = ()


@dataclass
class Walk:
    """Where an item stands: what was accepted, and the outcome, ``None`` while answers are missing."""

    source: str
    trace: list[WalkStep] = field(default_factory=list)
    outcome: Outcome | None = None
    item: HardItem | None = None


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
    traced = (
        {"source": each.source, "outcome": each.outcome, "steps": each.trace} for each in walks
    )
    write_jsonl(trace, traced)
    counts = Counter(state.outcome for state in walks)
    write_csv(table, ("outcome", "items"), [(name, counts[name]) for name in get_args(Outcome)])
    say(f"{len(items):,} hard items accepted.")


def harden(
    seeds: Sequence[Seed], stores: Path, parameters: HardeningParameters, seed: int
) -> list[Walk]:
    """Lead all seeds through the roles, asking each model only for what its store in ``stores`` lacks."""
    for role, model in parameters.roles:
        if model is None:
            raise DivLogicError(
                f"hardening: no model plays the role '{role}'; name one under hardening.roles.{role}, or set"
                " hardening.enabled to false."
            )
    walks = [Walk(each.item.id) for each in seeds]
    ways = [follow(each, parameters, state) for each, state in zip(seeds, walks, strict=True)]
    waiting = [(next(way), way) for way in ways]
    ask = partial(ask_requests, sampling=parameters.sampling, limits=parameters.limits, seed=seed)
    with ExitStack() as stack:
        paths = {
            slug_of(model): stores / f"{slug_of(model)}.sqlite" for _, model in parameters.roles
        }
        opened = {
            name: stack.enter_context(ResponseStore(path)) for name, path in sorted(paths.items())
        }
        while waiting:
            following = []
            for role, model in parameters.roles:
                own = [(need, way) for need, way in waiting if need.role == role]
                if not own:
                    continue
                store, name = opened[slug_of(model)], label_of(model)
                questions = [Question("hardening", role, need.prompt) for need, _ in own]
                wanted = list(requests_of(questions, model, own[0][0].runs, parameters.sampling))
                say(f"{name}: {len(own)} × {role}")
                # Answers come run by run.
                texts = [response.answer for _, response in ask(wanted, store, model=model)]
                for place, (_, way) in enumerate(own):
                    with suppress(StopIteration):
                        following.append((way.send(texts[place :: len(own)]), way))
            waiting = following
    return walks


def follow(
    seed: Seed, parameters: HardeningParameters, state: Walk
) -> Generator[Need, list[str], None]:
    """Lead an item through the roles; its steps, its outcome and the accepted item are noted in ``state``."""
    probe = source_questions(seed)
    replies = yield Need("answering", answering_prompt(probe), parameters.k)
    right = sum(not differing(probe, reply) for reply in replies)
    easy = right >= parameters.easy * parameters.k
    state.trace.append(WalkStep(0, "probe", easy, (f"{right} of {parameters.k} probes right",)))
    if not easy:
        state.outcome = "hard_enough"
        return
    # The shallow path is asked for, and a blueprint.
    strategies = _lines(f"{name}：{meaning}" for name, meaning in _TEXTS["strategies"].items())
    (reply,) = yield Need(
        "decider", _filled("decider", strategies=strategies, source=_source(seed))
    )
    blueprint = last_json_object(reply)
    named = (blueprint or {}).get("strategies")
    known = list(_TEXTS["strategies"])
    chosen = [name for name in named if name in known] if isinstance(named, list) else []
    if blueprint is None or not chosen:
        state.trace.append(WalkStep(0, "decider", False, ("the reply names no known strategy",)))
        state.outcome = "no_blueprint"
        return
    state.trace.append(WalkStep(0, "decider", True, tuple(chosen)))
    reasons: Sequence[str] = ()
    for number in range(1, parameters.rounds + 1):
        (reply,) = yield Need("proposal", proposal_prompt(seed, blueprint, number, reasons))
        reasons = yield from _one_round(reply, seed, chosen, number, parameters, state)
        if state.item is not None:
            state.outcome = "accepted"
            return
    state.outcome = "exhausted"


def _one_round(
    reply: str,
    seed: Seed,
    strategies: list[str],
    number: int,
    parameters: HardeningParameters,
    state: Walk,
) -> Generator[Need, list[str], Sequence[str]]:
    """Follow one proposal; note the accepted item, or return the reasons for the next proposal."""

    def note(step: str, reasons: Sequence[str]) -> Sequence[str]:
        state.trace.append(WalkStep(number, step, not reasons, tuple(reasons)))
        return reasons

    value = last_json_object(reply)
    if value is None:
        return note("proposal", ["the reply holds no JSON object"])
    try:
        item = read_proposal(value, seed, strategies, number)
    except (ValueError, DivLogicError) as error:
        return note("solver", [str(error)])
    note("solver", [])
    for repair in range(parameters.repairs + 1):
        review = yield Need("review", _filled("review", item=_shown(item)))
        if reasons := note("review", _objections(review)):
            return reasons
        solutions = yield Need("answering", answering_prompt(item), parameters.k)
        off = [differing(item, solution) for solution in solutions]
        agreeing = sum(not each for each in off)
        enough = agreeing >= parameters.agree
        wrong = sorted({line for each in off for line in each})
        found = (f"{agreeing} of {parameters.k} solutions agree", *wrong)
        state.trace.append(WalkStep(number, "answering", enough, found))
        verification = yield Need("verification", verification_prompt(item, solutions))
        if reasons := note("verification", _objections(verification)):
            return reasons
        if enough:
            state.item = item
            return ()
        if repair == parameters.repairs:
            return wrong
        # Only the answers were off: other words are asked for, formulas must stay.
        values = {
            "number": number,
            "repair": repair + 1,
            "differing": _lines(wrong),
            "item": _shown(item),
        }
        (reply,) = yield Need("proposal", _filled("repair", **values))
        value = last_json_object(reply)
        if value is None:
            return note("repair", ["the reply holds no JSON object"])
        try:
            item = repaired(item, value)
        except ValueError as error:
            return note("repair", [str(error)])
        note("repair", [])
    raise AssertionError("the loop returns")


def differing(item: HardItem, reply: str) -> list[str]:
    """Return which sub-questions a solution answers otherwise than the solver, one line each."""
    value = last_json_object(reply) or {}
    answers = value.get("answers", value)
    answers = answers if isinstance(answers, dict) else {}
    lines = []
    for question in item.questions:
        given = answers.get(question.id)
        if _plain(given) != _plain(question.answer):
            said = "no answer" if given is None else f"{given}"
            lines.append(f"{question.id}: {said[:80]}")
    return lines


def _plain(answer: Any) -> Any:
    """Return an answer so that order and spelling of lists do not matter."""
    if isinstance(answer, list | tuple):
        rows = [row if isinstance(row, list | tuple) else [row] for row in answer]
        return sorted(sorted(str(part).strip("()（） ") for part in row) for row in rows)
    if isinstance(answer, str):
        text = answer.strip().casefold()
        return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else text
    return str(answer) if isinstance(answer, bool) else answer


def _objections(replies: Sequence[str]) -> list[str]:
    """Return the reasons of a refusal, none where the role agrees."""
    value = last_json_object(replies[0])
    if value is None or not isinstance(value.get("ok"), bool):
        return ["the reply holds no verdict"]
    if value["ok"]:
        return []
    reasons = value.get("reasons")
    named = (
        [str(reason) for reason in reasons if str(reason).strip()]
        if isinstance(reasons, list)
        else []
    )
    return named or ["refused without a reason"]


def proposal_prompt(
    seed: Seed, blueprint: dict[str, Any], number: int, reasons: Sequence[str]
) -> str:
    """Return the prompt that asks for a hardened item; later ones name why the one before was refused."""
    return _filled(
        "proposal",
        number=number,
        form=_TEXTS["form"],
        source=_source(seed),
        formal=_json(item_row(seed.item)),
        blueprint=_json(blueprint),
        refused=_filled("refused", reasons=_lines(reasons)) if reasons else "",
    )


def answering_prompt(item: HardItem) -> str:
    """Return the prompt that asks for a solution; it shows texts only."""
    return _filled("answering", context=item.context("zh"), questions=_questions(item))


def verification_prompt(item: HardItem, solutions: Sequence[str]) -> str:
    """Return the prompt that asks for unsupported conclusions and missing recomputation."""
    written = [
        _filled("solution", place=place, text=text) for place, text in enumerate(solutions, start=1)
    ]
    return _filled(
        "verification",
        context=item.context("zh"),
        questions=_questions(item),
        answers="\n".join(
            f"{question.id}：{answer_text(question.answer)}" for question in item.questions
        ),
        solutions="\n\n".join(written),
    )


def _filled(name: str, **values: object) -> str:
    """Return a template with each <name> replaced."""
    return re.sub(r"<(\w+)>", lambda match: str(values[match[1]]), _TEXTS[name])


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _questions(item: HardItem) -> str:
    return "\n".join(f"{question.id}. {question.text.zh}" for question in item.questions)


def _source(seed: Seed) -> str:
    item = seed.item
    premises = "".join(premise.text.zh for premise in item.formalization.premises)
    return f"{item.title.zh}\n{item.background.zh}{premises}\n{item.question.zh}"


def _shown(item: HardItem) -> str:
    row = item_json(item)
    theory = {key: row["theory"][key] for key in ("symbols", "domain", "premises")}
    questions = [
        {key: part for key, part in each.items() if key != "strategy"} for each in row["questions"]
    ]
    return _json({"background": row["background"], **theory, "questions": questions})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
