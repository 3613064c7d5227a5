"""One item's way through the five roles, as a fold over what the models have answered so far.

:func:`walk` starts from the beginning each time and asks for answers by role and prompt. Where one is not stored yet it
stops and says what it needs; when the store has it, the walk goes one step further. Nothing is remembered elsewhere, so
that a killed run goes on from the store alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.hardening.parameters import HardeningParameters
from divlogic.hardening.prompts import (
    STRATEGIES,
    Role,
    answering_prompt,
    decider_prompt,
    proposal_prompt,
    repair_prompt,
    review_prompt,
    verification_prompt,
)
from divlogic.hardening.proposals import read_proposal, repaired, source_questions
from divlogic.models.answers import last_json_object

Outcome = Literal["accepted", "exhausted", "hard_enough", "no_blueprint"]

_MOST_DIGITS = 18
"""Digits of a count that are still read; Python reads no number of thousands of digits."""

Answers = Callable[[Role, str, int], "list[str] | None"]
"""(role, prompt, number of independent answers) -> the stored answers, ``None`` while one is missing."""


@dataclass(frozen=True, slots=True)
class Need:
    """Answers that an item needs before it can go on."""

    role: Role
    prompt: str
    runs: int


class PendingError(Exception):
    """An answer is not stored yet."""

    def __init__(self, need: Need) -> None:
        super().__init__(need.role)
        self.need = need


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
    """Where an item stands.

    Attributes:
        outcome: ``None`` while answers are missing.
        item: what was accepted.
        need: the answers that are missing.
    """

    source: str
    trace: list[WalkStep] = field(default_factory=list)
    outcome: Outcome | None = None
    item: HardItem | None = None
    need: Need | None = None


def walk(seed: Seed, parameters: HardeningParameters, stored: Answers) -> Walk:
    """Follow an item as far as the stored answers lead."""
    state = Walk(seed.item.id)

    def ask(role: Role, prompt: str, runs: int = 1) -> list[str]:
        answers = stored(role, prompt, runs)
        if answers is None:
            raise PendingError(Need(role, prompt, runs))
        return answers

    try:
        state.outcome, state.item = _follow(seed, parameters, ask, state.trace)
    except PendingError as pending:
        state.need = pending.need
    return state


Ask = Callable[..., "list[str]"]


def _follow(
    seed: Seed, parameters: HardeningParameters, ask: Ask, trace: list[WalkStep]
) -> tuple[Outcome, HardItem | None]:
    probe = source_questions(seed)
    replies = ask("answering", answering_prompt(probe), parameters.k)
    right = sum(not differing(probe, reply) for reply in replies)
    easy = right >= parameters.easy * parameters.k
    trace.append(WalkStep(0, "probe", easy, (f"{right} of {parameters.k} probes right",)))
    if not easy:
        return "hard_enough", None
    (reply,) = ask("decider", decider_prompt(seed))
    blueprint = last_json_object(reply)
    named = (blueprint or {}).get("strategies")
    chosen = [name for name in named if name in list(STRATEGIES)] if isinstance(named, list) else []
    if blueprint is None or not chosen:
        trace.append(WalkStep(0, "decider", False, ("the reply names no known strategy",)))
        return "no_blueprint", None
    trace.append(WalkStep(0, "decider", True, tuple(chosen)))
    reasons: Sequence[str] = ()
    for number in range(1, parameters.rounds + 1):
        (reply,) = ask("proposal", proposal_prompt(seed, blueprint, number, reasons))
        item, reasons = _one_round(reply, seed, chosen, number, parameters, ask, trace)
        if item is not None:
            return "accepted", item
    return "exhausted", None


def _one_round(
    reply: str,
    seed: Seed,
    strategies: Sequence[str],
    number: int,
    parameters: HardeningParameters,
    ask: Ask,
    trace: list[WalkStep],
) -> tuple[HardItem | None, Sequence[str]]:
    """Follow one proposal; return the accepted item, or the reasons for the next proposal."""

    def note(step: str, reasons: Sequence[str]) -> Sequence[str]:
        trace.append(WalkStep(number, step, not reasons, tuple(reasons)))
        return reasons

    item = _proposed(reply, seed, tuple(strategies), number)
    if item is None:
        return None, note("proposal", ["the reply holds no JSON object"])
    if isinstance(item, str):
        return None, note("solver", [item])
    note("solver", [])
    for repair in range(parameters.repairs + 1):
        if reasons := note("review", _verdict(ask("review", review_prompt(item))[0])):
            return None, reasons
        solutions = ask("answering", answering_prompt(item), parameters.k)
        off = [differing(item, solution) for solution in solutions]
        agreeing = sum(not each for each in off)
        enough = agreeing >= parameters.agree
        objections = sorted({line for each in off for line in each})
        trace.append(
            WalkStep(
                number, "answering", enough, (f"{agreeing} of {parameters.k} solutions agree", *objections)
            )
        )
        if reasons := note(
            "verification", _verdict(ask("verification", verification_prompt(item, solutions))[0])
        ):
            return None, reasons
        if enough:
            return item, ()
        if repair == parameters.repairs:
            return None, objections
        value = last_json_object(ask("proposal", repair_prompt(item, number, repair + 1, objections))[0])
        if value is None:
            return None, note("repair", ["the reply holds no JSON object"])
        try:
            item = repaired(item, value)
        except ValueError as error:
            return None, note("repair", [str(error)])
        note("repair", [])
    raise AssertionError("the loop returns")


@lru_cache(maxsize=4096)
def _proposed(reply: str, seed: Seed, strategies: tuple[str, ...], number: int) -> HardItem | str | None:
    """Return a proposal that passed the solver's gates, the reason why it did not, or ``None`` where there is none.

    A walk starts from the beginning each time; the solver need not.
    """
    value = last_json_object(reply)
    if value is None:
        return None
    try:
        return read_proposal(value, seed, strategies, number)
    except ValueError as error:
        return str(error)


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


def _verdict(reply: str) -> list[str]:
    """Return the reasons of a refusal, none where the role agrees."""
    value = last_json_object(reply)
    if value is None or not isinstance(value.get("ok"), bool):
        return ["the reply holds no verdict"]
    if value["ok"]:
        return []
    reasons = value.get("reasons")
    named = [str(reason) for reason in reasons if str(reason).strip()] if isinstance(reasons, list) else []
    return named or ["refused without a reason"]
