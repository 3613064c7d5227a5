"""Running a model over questions: every answer goes to the response store the moment it arrives."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.models.faults import FATAL, KEY_VARIABLE, REPEATABLE, Fault, classify, redact, waiting_time
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import Question, Request, label_of, requests_of
from divlogic.models.store import Response, ResponseStore

_ADVICE: dict[str, str] = {
    "auth": f"Set its key in the environment ({KEY_VARIABLE} for compatible/NAME)",
    "unknown_model": "Correct its name or its address in the parameters",
}
"""What helps against a fault that ends a run."""


@dataclass
class RunSummary:
    """What a run did.

    Attributes:
        requests: answers wanted.
        reused: of these, already in the store.
        answered: asked and answered now.
        unanswered: left for the next run.
        faults: failed attempts by kind.
        refusals, empty, unreadable: among all answers, those that refuse, say nothing, or name no option.
        input_tokens, output_tokens: paid for now.
        torn: rows of the store that an earlier, killed run had left incomplete.
        last_fault: what the last failed attempt met, in words.
    """

    requests: int = 0
    reused: int = 0
    answered: int = 0
    unanswered: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    refusals: int = 0
    empty: int = 0
    unreadable: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    torn: int = 0
    last_fault: str = ""

    def sentence(self) -> str:
        """Return the summary in words, for the log."""
        parts = [
            f"{self.requests:,} answers wanted: {self.reused:,} in the store, {self.answered:,} asked now"
        ]
        parts.append(f"{self.unanswered:,} without an answer")
        parts += [f"{count:,} × {kind}" for kind, count in sorted(self.faults.items())]
        for name in ("refusals", "empty", "unreadable", "torn"):
            if getattr(self, name):
                parts.append(f"{getattr(self, name):,} {name}")
        return ", ".join(parts)

    def require_all(self, store: Path, label: str) -> None:
        """Raise if answers are still lacking.

        Raises:
            DivLogicError: some are.
        """
        if self.unanswered:
            raise DivLogicError(
                f"{store}: {self.unanswered:,} answers of '{label}' are still lacking (last fault: {self.last_fault});"
                " run the same command again, nothing answered is asked twice."
            )


def run_model(
    questions: Sequence[Question],
    model: ModelParameters,
    store: ResponseStore,
    *,
    runs: int,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
) -> RunSummary:
    """Fill the store with a model's answers to all questions, asking only for those that it lacks.

    The seed of a request depends on ``seed`` and the run alone. Failed attempts are noted in the store and repeated
    within ``limits``; an answer that cannot be had is left for the next run.

    Raises:
        DivLogicError: the model is unknown, its key or package is missing, or it failed ``give_up_after`` times in a
            row; everything answered until then is in the store.
    """
    return asyncio.run(_run(questions, model, store, runs, sampling, limits, seed))


def open_model(model: ModelParameters) -> Any:
    """Return the Inspect model, without Inspect's own retries: the run sees and counts every failed attempt.

    Raises:
        DivLogicError: the model is unknown, or its key or package is missing.
    """
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import get_model

    # Makes our providers known where no entry point does.
    import divlogic.models.baselines
    import divlogic.models.provider  # noqa: F401

    try:
        return get_model(model.name, base_url=model.base_url, memoize=False, **model.args)
    except DivLogicError:
        raise
    except (PrerequisiteError, ValueError, ImportError) as error:
        reason = _plain(redact(str(getattr(error, "message", error))))
        raise DivLogicError(
            f"the model '{model.name}' cannot be used: {reason}. Install its package, set its key in the environment,"
            " or correct its name; names are provider/model as Inspect has them, and compatible/NAME with a base_url"
            " reaches any OpenAI-compatible server."
        ) from error


def seed_of(seed: int, run: int) -> int:
    """Return the sampling seed of a run (31 bits: what every provider takes)."""
    return int(np.random.SeedSequence([seed, run]).generate_state(1)[0]) >> 1


async def _run(
    questions: Sequence[Question],
    model: ModelParameters,
    store: ResponseStore,
    runs: int,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
) -> RunSummary:
    opened = open_model(model)
    requests = list(requests_of(questions, model, runs, sampling))
    wanted = [request for request in requests if request.key not in store.responses]
    summary = RunSummary(requests=len(requests), reused=len(requests) - len(wanted), torn=store.torn)
    async with opened:
        worker = _Worker(opened, model, store, sampling, limits, seed, summary)
        await worker.work_off(wanted)
    for request in requests:
        response = store.responses.get(request.key)
        if response is None:
            summary.unanswered += 1
            continue
        summary.refusals += response.stop_reason == "content_filter"
        summary.empty += not response.answer.strip()
        summary.unreadable += request.question.read(response.answer) is None
    if worker.stopped is not None:
        raise DivLogicError(
            f"the model '{model.name}' was given up ({worker.stopped.kind}: {worker.stopped.detail});"
            f" {summary.sentence()}. {_ADVICE.get(worker.stopped.kind, 'Mend the cause')} and run the same command"
            " again: nothing answered is asked twice."
        )
    return summary


class _Worker:
    """The tasks of one run and what they share."""

    def __init__(
        self,
        opened: Any,
        model: ModelParameters,
        store: ResponseStore,
        sampling: SamplingParameters,
        limits: LimitParameters,
        seed: int,
        summary: RunSummary,
    ) -> None:
        self._opened = opened
        self._name = label_of(model)
        self._store = store
        self._sampling = sampling.model_dump(exclude_none=True)
        self._limits = limits
        self._seed = seed
        self._summary = summary
        self._failed_in_a_row = 0
        self._configs: dict[int, Any] = {}
        self.stopped: Fault | None = None

    async def work_off(self, requests: Sequence[Request[Any]]) -> None:
        """Answer all requests, ``concurrency`` at once, or stop at a fault that they all would meet."""
        # Two questions with the same text are one request: the first to be answered serves both.
        queue = iter({request.key: request for request in requests}.values())

        async def work() -> None:
            for request in queue:
                if self.stopped is not None:
                    return
                await self._answer(request)

        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(min(self._limits.concurrency, len(requests))):
                    tasks.create_task(work())
        except BaseExceptionGroup as group:
            # A full disk ends all tasks at once; the user is told of it once.
            told, _ = group.split(DivLogicError)
            if told is None:
                raise
            raise _first(told) from group

    async def _answer(self, request: Request[Any]) -> None:
        for attempt in range(1, self._limits.attempts + 1):
            try:
                async with asyncio.timeout(self._limits.timeout):
                    output = await self._generate(request.question.input, self._config(request.run))
            except DivLogicError:
                raise
            except Exception as error:
                fault = classify(error)
            else:
                self._keep(request, output)
                return
            self._summary.faults[fault.kind] += 1
            self._summary.last_fault = f"{fault.kind}: {fault.detail}"
            self._store.add_fault(request.key, self._name, fault.kind, fault.detail)
            if fault.kind in FATAL:
                self.stopped = self.stopped or fault
                return
            if fault.kind not in REPEATABLE or attempt == self._limits.attempts:
                break
            await asyncio.sleep(
                waiting_time(fault, attempt, first=self._limits.first_wait, longest=self._limits.longest_wait)
            )
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= self._limits.give_up_after:
            self.stopped = self.stopped or fault

    async def _generate(self, text: str, config: Any) -> Any:
        """Ask once. Our own providers are called without Inspect's layer of copies and events, which costs more
        time than a fast server takes to answer; every other provider is called as Inspect means it."""
        if getattr(self._opened.api, "one_attempt", False):
            from inspect_ai.model import ChatMessageUser

            return await self._opened.api.generate([ChatMessageUser(content=text)], [], "none", config)
        return await self._opened.generate(text, config=config)

    def _keep(self, request: Request[Any], output: Any) -> None:
        self._failed_in_a_row = 0
        usage = output.usage
        response = Response(
            request.key,
            self._name,
            request.run,
            output.completion,
            str(output.stop_reason),
            usage.input_tokens if usage else None,
            usage.output_tokens if usage else None,
        )
        self._store.add(response)
        self._summary.answered += 1
        self._summary.input_tokens += response.input_tokens or 0
        self._summary.output_tokens += response.output_tokens or 0

    def _config(self, run: int) -> Any:
        """Return the sampling of a run; without Inspect's retries and adaptive limits, which would hide faults."""
        if run not in self._configs:
            from inspect_ai.model import GenerateConfig

            self._configs[run] = GenerateConfig(
                **self._sampling,
                seed=seed_of(self._seed, run),
                max_retries=0,
                max_connections=self._limits.concurrency,
                adaptive_connections=False,
                attempt_timeout=max(1, int(self._limits.timeout)),
            )
        return self._configs[run]


def _plain(text: str) -> str:
    """Return a message of Inspect without its colours."""
    return re.sub(r"\[/?[a-z ]+\]", "", text).strip().removeprefix("ERROR: ").rstrip(".")


def _first(group: BaseExceptionGroup[Any]) -> BaseException:
    """Return the first single exception in a group."""
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
