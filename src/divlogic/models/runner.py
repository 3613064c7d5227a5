"""Running a model over questions: every answer goes to the response store the moment it arrives."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.backoff import waiting_time
from divlogic.io.log import say
from divlogic.models import faults, parameters
from divlogic.models.answers import MOST_ALTERNATIVES, letter_logprobs, likeliest
from divlogic.models.gguf import is_served
from divlogic.models.inspecting import count_mock_tokens_offline
from divlogic.models.requests import Question, Request, Response, ResponseStore, instance_places, label_of
from divlogic.models.runs import Progress, RunSummary, run_baseline, seed_of

_ADVICE: dict[str, str] = {
    "auth": f"Set its key in the environment ({faults.KEY_VARIABLE} for compatible/NAME)",
    "unknown_model": "Correct its name or its address in the parameters",
    "connection": "Start the server, or correct its address in the parameters",
    "no_logprobs": "Ask a server that gives log-probabilities, or use another prompt style",
    "no_letters": "Use a prompt style with generated answers, or another model",
    "cut": "Raise `max_tokens` of its sampling, or set `thinking: true` (`--thinking`: 8,192 tokens) for a model that"
    " thinks first",
}
"""What helps against a fault that ends a run."""

_BROKEN = frozenset({"server", "timeout", "connection", "malformed"})
"""Faults of a server that does not work, while others (too many requests) come of one that does."""


FIRST_CONTACT = 3
"""Attempts to open a connection to a server that has not answered yet."""

BLOCK = 16
"""Instances whose questions are asked together."""

CUT = 20
"""Answers cut at ``max_tokens`` after which a run says so; if they are the first ones, and unreadable, it stops."""

PATIENCE = 20.0
"""Seconds after a server's first error (500, 503) in a row at which the last attempt begins."""

_LETTERLESS = 8
"""Answers scored by likelihood, from the first on, none of which gives any letter: no later one would."""


def run_requests(
    requests: Sequence[Request[Any]],
    model: parameters.ModelParameters,
    store: ResponseStore,
    *,
    sampling: parameters.SamplingParameters,
    limits: parameters.LimitParameters,
    seed: int,
) -> RunSummary:
    """Fill the store with a model's answers, asking only for those that it lacks.

    The seed of a request depends on ``seed`` and the run alone. Failed attempts are noted in the store and repeated
    within ``limits``; a request that keeps failing is left for the next run.
    """
    held = store.responses
    lacking = [each for each in requests if each.key not in held and each.stored(held) is None]
    # Two questions with the same text are one request: the first to be answered serves both.
    wanted = list({request.key: request for request in lacking}.values())
    summary = RunSummary(requests=len(requests), reused=len(requests) - len(lacking))
    stopped = None
    if model.name.startswith("baseline/") and not any(request.question.likelihood for request in requests):
        run_baseline(wanted, model, store, summary, seed)
    else:
        opened, values = open_model(model), model.sampling_within(sampling)
        bounds = parameters.limits_for(model, limits)
        with Progress(label_of(model), len(wanted)) as progress:
            worker = _Worker(opened, model, store, values, bounds, seed, summary, progress)
            asyncio.run(worker.work_off(wanted))
        stopped = worker.stopped
    for request in requests:
        summary.count(request, request.stored(held))
    if stopped is not None:
        raise DivLogicError(
            f"the model '{model.name}' was given up ({stopped.kind}: {stopped.detail}); {summary.sentence()}."
            f" {_ADVICE.get(stopped.kind, 'Remove the cause')} and run the same command again: nothing answered is"
            " asked twice."
        )
    return summary


def open_model(model: parameters.ModelParameters) -> Any:
    """Return the Inspect model, without Inspect's own retries: the run sees and counts every failed attempt."""
    from inspect_ai.model import get_model

    # Makes our providers known where no entry point does.
    import divlogic.models.provider
    import divlogic.models.serving.provider  # noqa: F401

    if model.name.startswith("mockllm/"):
        count_mock_tokens_offline()
    try:
        return get_model(model.name, base_url=model.base_url, memoize=False, **model.args)
    except DivLogicError:
        raise
    except Exception as error:
        # Inspect's own exception for a missing package or key stands in none of its public modules.
        if not isinstance(error, ValueError | ImportError) and type(error).__name__ != "PrerequisiteError":
            raise
        message = faults.redact(str(getattr(error, "message", error)))
        # Without Inspect's colours.
        reason = re.sub(r"\[/?[a-z ]+\]", "", message).strip().removeprefix("ERROR: ").rstrip(".")
        raise DivLogicError(
            f"the model '{model.name}' cannot be used: {reason}. Install its package (make env-providers), set its"
            " key in the environment, or correct its name; names are provider/model as Inspect has them, and"
            " compatible/NAME with a base_url reaches any OpenAI-compatible server."
        ) from error


def with_shared_beginnings(requests: Sequence[Request[Any]]) -> list[Request[Any]]:
    """Return requests in an order in which a server that keeps its last prompt reads a shared beginning once.

    Within each block of instances they are sorted by their text, so that the rotations of an instance stand together,
    and all that begins with the same examples. Blocks follow one another, so that an interrupted run has answered all
    prompt styles of its first instances.
    """
    placed = zip(instance_places(request.question for request in requests), requests, strict=True)
    ordered = sorted(placed, key=lambda row: (row[1].run, row[0] // BLOCK, row[1].question.input))
    return [request for _, request in ordered]


@dataclass
class _Worker:
    """The tasks of one run and what they share."""

    _opened: Any
    _model: parameters.ModelParameters
    _store: ResponseStore
    _sampling: dict[str, Any]
    _limits: parameters.Limits
    _seed: int
    _summary: RunSummary
    _progress: Progress

    def __post_init__(self) -> None:
        self._name = label_of(self._model)
        api = self._opened.api
        keys = [getattr(api, name, None) for name in ("api_key", "_key")]
        self._sent = faults.sent_secrets(getattr(api, "base_url", None), *keys)
        self._cut = 0
        self._usable = False
        self._consecutive_failures = 0
        self._broken_since: float | None = None
        # Servers on this machine cost nothing more for it; of others, `args` may ask for it.
        self._with_logprobs = parameters.is_local(parameters.address_of(self._model))
        # Answers scored by likelihood without a letter, until the first with one: not kept if they all are so.
        self._letterless: list[Response] | None = []
        self._contacts = 0
        self._reconnecting = asyncio.Lock()
        self.stopped: faults.Fault | None = None

    async def work_off(self, requests: Sequence[Request[Any]]) -> None:
        """Answer all requests, ``concurrency`` at once, or stop at a fault that they all would meet."""
        async with self._opened:
            wanted = list(requests)
            if self._limits.concurrency > 1 and wanted and not is_served(self._model.name):
                # A wrong key, name or address is found by one request.
                await self._answer(wanted.pop(0))
            queue = iter([[request] for request in wanted])
            # The questions about an instance follow one another, and go to the same one of several servers.
            if self._limits.concurrency == 1 or is_served(self._model.name):
                ordered = groupby(
                    with_shared_beginnings(wanted), key=lambda request: request.question.instance
                )
                queue = iter([list(row) for _, row in ordered])

            async def work() -> None:
                for row in queue:
                    for request in row:
                        if self.stopped is not None:
                            return
                        await self._answer(request)

            try:
                async with asyncio.TaskGroup() as tasks:
                    for _ in range(min(self._limits.concurrency, len(requests))):
                        tasks.create_task(work())
            except BaseExceptionGroup as group:
                # A full disk ends all tasks at once; it is reported once.
                for error in group.exceptions:
                    if isinstance(error, DivLogicError):
                        raise error from group
                raise
            if self.stopped is None:
                self._keep_letterless()

    async def _answer(self, request: Request[Any]) -> None:
        """Ask until there is an answer, the attempts are used up, or the run is stopped."""
        fault: faults.Fault | None = None
        for attempt in range(1, self._limits.attempts + 1):
            contacts = self._contacts
            fault = await self._attempt(request)
            if fault is not None and fault.unreachable:
                fault = await self._reconnect(request, fault, contacts)
            if fault is None or self.stopped is not None:
                return
            if fault.kind in faults.FATAL:
                self.stopped = self.stopped or fault
                return
            broken = fault.kind == "server" or (fault.kind in _BROKEN and not self._summary.answered)
            if broken and not self._patience_left():
                self.stopped = fault
                return
            if fault.kind not in faults.REPEATABLE or attempt == self._limits.attempts:
                break
            await asyncio.sleep(self._waiting_time(fault, attempt))
        assert fault is not None
        self._consecutive_failures += 1
        # A server that never answered is not asked as often as one that has.
        silent = not self._summary.answered and fault.kind in _BROKEN
        most = min(self._limits.give_up_after, FIRST_CONTACT) if silent else self._limits.give_up_after
        if self._consecutive_failures >= most:
            self.stopped = self.stopped or fault

    async def _attempt(self, request: Request[Any]) -> faults.Fault | None:
        """Ask once and keep the answer; return the fault if there is none."""
        with_logprobs = self._with_logprobs
        try:
            async with asyncio.timeout(self._limits.timeout):
                output = await self._generate(request.question.input, self._config(request))
            fault = self._keep(request, output)
        except DivLogicError:
            raise
        except Exception as error:
            fault = faults.classify(error)
        if fault is None or not fault.unreachable:
            self._contacts += 1
        if fault is None:
            return None
        if fault.kind == "rejected" and with_logprobs and not request.question.likelihood:
            # A server that does not know the option refuses the request; it is asked without.
            self._with_logprobs = False
            return await self._attempt(request)
        if not self._summary.faults:
            say(f"{self._name}: {fault.kind}: {fault.detail}")
        self._summary.faults[fault.kind] += 1
        self._summary.last_fault = f"{fault.kind}: {fault.detail}"
        self._store.add_fault(request.key, self._name, fault.kind, fault.detail)
        return fault

    async def _reconnect(
        self, request: Request[Any], fault: faults.Fault, contacts: int
    ) -> faults.Fault | None:
        """Repeat a request for which no connection was opened; one at a time, for all would meet the same.

        A server that never answered is given up after a few attempts: it is not there, or its address is wrong. One
        that did answer may be starting again, and has as many attempts as any request.
        """
        attempts = self._limits.attempts
        async with self._reconnecting:
            most = attempts if self._contacts else min(attempts, FIRST_CONTACT)
            for attempt in range(1, most):
                if self.stopped is not None or self._contacts > contacts:
                    return fault
                wait = self._waiting_time(fault, attempt)
                say(f"{self._name}: {fault.detail}; attempt {attempt + 1} of {most} in {wait:.0f} s")
                await asyncio.sleep(wait)
                again = await self._attempt(request)
                if again is None or not again.unreachable:
                    return again
                fault = again
            if self._contacts == contacts:
                self.stopped = self.stopped or fault
            return fault

    def _waiting_time(self, fault: faults.Fault, attempt: int) -> float:
        longest = self._limits.longest_wait
        if fault.kind == "server":
            longest = min(longest, self._patience_left())
        return waiting_time(attempt, first=self._limits.first_wait, longest=longest, asked=fault.retry_after)

    def _patience_left(self) -> float:
        """Return the seconds of ``PATIENCE`` that are left since the first such fault."""
        now = asyncio.get_running_loop().time()
        self._broken_since = now if self._broken_since is None else self._broken_since
        return max(self._broken_since + PATIENCE - now, 0.0)

    async def _generate(self, text: str, config: Any) -> Any:
        """Ask once. Our own providers are called without Inspect's layer of copies and events, which costs more
        time than a fast server takes to answer; every other provider is called as Inspect means it."""
        if getattr(self._opened.api, "one_attempt", False):
            from inspect_ai.model import ChatMessageUser

            return await self._opened.api.generate([ChatMessageUser(content=text)], [], "none", config)
        return await self._opened.generate(text, config=config)

    def _keep(self, request: Request[Any], output: Any) -> faults.Fault | None:
        """Store an answer; return a fault if log-probabilities are wanted and there are none."""
        question, usage = request.question, output.usage
        # A server may repeat the key that it was sent; answers are kept and given away.
        # Half of a surrogate pair, left of an emoji that was cut, can be written nowhere.
        said = output.completion.encode("utf-8", "replace").decode("utf-8")
        answer, logprobs = faults.without_secrets(said, self._sent), None
        given = output.choices[0].logprobs if output.choices else None
        if question.likelihood:
            if given is None:
                return faults.Fault("no_logprobs", "the server gives no log-probabilities of its tokens")
            logprobs = letter_logprobs(given.content, question.letters)
            answer = likeliest(logprobs) or answer
        elif given is not None and question.letters:
            letter = question.read(answer)
            logprobs = letter_logprobs(given.content, question.letters, letter) if letter else None
        self._consecutive_failures, self._broken_since = 0, None
        response = Response(
            request.key_of(str(output.stop_reason)),
            self._name,
            request.run,
            answer,
            str(output.stop_reason),
            usage.input_tokens if usage else None,
            usage.output_tokens if usage else None,
            logprobs or None,
        )
        if question.likelihood and self._letterless is not None:
            if not logprobs:
                self._letterless.append(response)
                if len(self._letterless) < _LETTERLESS:
                    return None
                letters, first = ", ".join(question.letters), f"the first {_LETTERLESS} questions"
                return faults.Fault(
                    "no_letters",
                    f"none of the letters {letters} was among the {MOST_ALTERNATIVES} likeliest next tokens of {first}:"
                    " the model's tokenizer may not have them as tokens of their own",
                )
            self._keep_letterless()
        self._add(response)
        return None if question.likelihood else self._cut_short(question, response)

    def _cut_short(self, question: Question, response: Response) -> faults.Fault | None:
        """Count answers that were cut at ``max_tokens``; return a fault if all are, and none can be read."""
        self._usable = self._usable or question.read(response.answer) is not None
        if response.stop_reason != "max_tokens":
            self._usable = True
            return None
        self._cut += 1
        if self._cut != CUT:
            return None
        limit = self._sampling.get("max_tokens", "the provider's limit")
        if self._usable:
            say(f"{self._name}: {CUT} answers were cut at max_tokens ({limit}). {_ADVICE['cut']}.")
            return None
        return faults.Fault(
            "cut", f"the first {CUT} answers were all cut at max_tokens ({limit}), and none names an option"
        )

    def _keep_letterless(self) -> None:
        """Keep the answers without a letter: single ones count as unreadable."""
        for response in self._letterless or ():
            self._add(response)
        self._letterless = None

    def _add(self, response: Response) -> None:
        self._store.add(response)
        self._summary.answered += 1
        self._summary.input_tokens += response.input_tokens or 0
        self._summary.output_tokens += response.output_tokens or 0
        tokens = self._summary.input_tokens + self._summary.output_tokens
        self._progress.show(self._summary.answered, tokens)

    def _config(self, request: Request[Any]) -> Any:
        """Return the sampling of a request; without Inspect's retries and adaptive limits, which would hide faults."""
        from inspect_ai.model import GenerateConfig

        likelihood = request.question.likelihood
        logprobs = likelihood or (self._with_logprobs and bool(request.question.letters))
        sampling = self._sampling | ({"max_tokens": 1} if likelihood else {})
        return GenerateConfig(
            **sampling,
            seed=seed_of(self._seed, request.run),
            logprobs=True if logprobs else None,
            top_logprobs=MOST_ALTERNATIVES if logprobs else None,
            max_retries=0,
            max_connections=self._limits.concurrency,
            adaptive_connections=False,
            attempt_timeout=max(1, int(self._limits.timeout)),
        )
