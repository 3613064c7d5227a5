"""The loop that asks a model: every answer goes to the response store the moment it arrives.

What a reply means, and what to do about it, says :mod:`divlogic.models.outcome`; here it is done.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.backoff import waiting_time
from divlogic.io.log import say
from divlogic.models import parameters, redaction
from divlogic.models.answers import MOST_ALTERNATIVES, letter_logprobs, likeliest
from divlogic.models.gguf import is_served
from divlogic.models.inspecting import count_mock_tokens_offline
from divlogic.models.outcome import (
    ADVICE,
    TRANSPORT,
    UNANSWERED,
    Asked,
    Outcome,
    outcome,
)
from divlogic.models.replies import failure_of, reply_of
from divlogic.models.requests import (
    RENEWAL_SECONDS,
    Question,
    Request,
    Response,
    ResponseStore,
    instance_places,
    label_of,
)
from divlogic.models.runs import Progress, RunSummary, run_baseline
from divlogic.models.sent import SentParameters, shown

FIRST_CONTACT = 3
"""Questions, or attempts to open a connection, after which a server that has answered nothing yet is given up."""

BLOCK = 16
"""Instances whose questions are asked together."""

CUT = 20
"""Answers cut at ``max_tokens`` after which a run says so; if they are the first ones, and unreadable, it stops."""

PATIENCE = 20.0
"""Seconds after a server's first error (500, 503) in a row at which the last attempt begins."""

_LETTERLESS = 8
"""Answers scored by likelihood, from the first on, none of which gives any letter: no later one would."""

_LOOK_AGAIN = 0.5
"""Seconds between two looks at the store for what another run is asking."""


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

    Failed attempts are noted in the store and repeated within ``limits``; a request that keeps failing is left for the
    next run.
    """
    held = store.responses
    summary = RunSummary(requests=len(requests))
    lacking = []
    for request in requests:
        found = request.stored(held)
        if found is not None and found.is_final:
            summary.reused += 1
            summary.count(request, found)
        else:
            lacking.append(request)
    # Two questions with the same text are one request: the first to be answered serves both.
    wanted = list({request.key: request for request in lacking}.values())
    stopped = None
    by_likelihood = any(request.question.likelihood for request in requests)
    if model.name.startswith("baseline/") and not by_likelihood:
        run_baseline(wanted, model, store, summary, seed)
    elif wanted:
        stopped = _ask(
            wanted,
            model,
            store,
            summary,
            sampling=sampling,
            limits=limits,
            seed=seed,
            shortest=min(len(request.question.input) for request in requests),
        )
    for request in lacking:
        summary.count(request, request.stored(held))
    if stopped is not None:
        raise DivLogicError(
            f"the model '{model.name}' was given up ({stopped.reason}: {shown(stopped.words)});"
            f" {summary.sentence()}. {stopped.advice} and run the same command again: nothing answered is asked twice."
        )
    return summary


def _ask(
    wanted: Sequence[Request[Any]],
    model: parameters.ModelParameters,
    store: ResponseStore,
    summary: RunSummary,
    *,
    sampling: parameters.SamplingParameters,
    limits: parameters.LimitParameters,
    seed: int,
    shortest: int,
) -> Outcome | None:
    """Ask for answers; return the outcome that stopped the run, ``None`` if it went to its end.

    ``shortest`` is the length of the shortest question, answered or not.
    """
    for name in parameters.dropped_by_provider(model):
        say(f"{label_of(model)}: its provider does not send `{name}`, which has no effect")
    with Progress(label_of(model), len(wanted)) as progress:
        loop = _Loop(
            model,
            store,
            summary,
            progress,
            limits=parameters.limits_for(model, limits),
            sent=SentParameters(model, sampling, seed),
            shortest=shortest,
        )
        asyncio.run(loop.work_off(wanted))
    return loop.stopped


def open_model(model: parameters.ModelParameters) -> Any:
    """Return the Inspect model, without Inspect's own retries: the run sees and counts every failed attempt."""
    from inspect_ai.model import get_model

    # Makes our providers known where no entry point does.
    import divlogic.models.provider
    import divlogic.models.serving.provider  # noqa: F401

    if model.name.startswith("mockllm/"):
        count_mock_tokens_offline()
    # These packages repeat requests by themselves, unseen, also those of an account without quota.
    repeating = ("openai/", "openai-api/", "anthropic/")
    repeats = {"max_retries": 0} if model.name.startswith(repeating) else {}
    args = repeats | model.args
    try:
        return get_model(model.name, base_url=model.base_url, memoize=False, **args)
    except DivLogicError:
        raise
    except Exception as error:
        # Inspect's own exception for a missing package or key stands in none of its public modules.
        if (
            not isinstance(error, ValueError | ImportError)
            and type(error).__name__ != "PrerequisiteError"
        ):
            raise
        message = redaction.redact(str(getattr(error, "message", error)))
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
class _Unanswered:
    """A request that met a fault of its own, while the run went on."""

    request: Request[Any]
    found: Outcome


class _Loop:
    """The tasks of one run and what they share."""

    def __init__(
        self,
        model: parameters.ModelParameters,
        store: ResponseStore,
        summary: RunSummary,
        progress: Progress,
        *,
        limits: parameters.Limits,
        sent: SentParameters,
        shortest: int,
    ) -> None:
        self._model = model
        self._store = store
        self._summary = summary
        self._progress = progress
        self._limits = limits
        self._sent = sent
        self._opened = open_model(model)
        self._label = label_of(model)
        api = self._opened.api
        keys = [getattr(api, name, None) for name in ("api_key", "_key")]
        self._secrets = redaction.sent_secrets(getattr(api, "base_url", None), *keys)
        self._is_served = is_served(model.name)
        self._batch: Any = None
        self._shortest = shortest
        self._cut = 0
        self._usable = False
        self._consecutive_failures = 0
        self._broken_since: float | None = None
        # Answers scored by likelihood without a letter, until the first with one: not kept if they all are so.
        self._letterless: list[Response] | None = []
        self._unanswered: list[_Unanswered] = []
        self._elsewhere: list[Request[Any]] = []
        self._contacts = 0
        self._reconnecting = asyncio.Lock()
        self.stopped: Outcome | None = None

    # ---- The order of work -------------------------------------------------------------------------------------------

    async def work_off(self, requests: Sequence[Request[Any]]) -> None:
        """Answer all requests, ``concurrency`` at once, or stop at a fault that they all would meet."""
        wanted = list(requests)
        async with self._opened:
            renewing = asyncio.create_task(self._renew_claims())
            try:
                if self._limits.concurrency > 1 and not self._is_served:
                    wanted = await self._probe(wanted)
                self._batch = self._model.batch
                await self._ask_at_once(wanted)
                await self._ask_what_others_left()
            finally:
                renewing.cancel()
            if self.stopped is None:
                self._keep_letterless()
                self._keep_unanswered()

    async def _probe(self, wanted: list[Request[Any]]) -> list[Request[Any]]:
        """Ask one question at a time until one is answered, the shortest first; return the others.

        A wrong key, name or address, or a context that is too short for all, is found by one request.
        """
        wanted.sort(key=lambda request: len(request.question.input) > self._shortest)
        while wanted and self.stopped is None and not self._summary.answered:
            await self._answer(wanted.pop(0))
        return wanted

    async def _ask_at_once(self, wanted: Sequence[Request[Any]]) -> None:
        queue = iter([[request] for request in wanted])
        # The questions about an instance follow one another, and go to the same one of several servers.
        if self._limits.concurrency == 1 or self._is_served:
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
                for _ in range(min(self._limits.concurrency, len(wanted))):
                    tasks.create_task(work())
        except BaseExceptionGroup as group:
            # A full disk ends all tasks at once; it is reported once.
            for error in group.exceptions:
                if isinstance(error, DivLogicError):
                    raise error from group
            raise

    async def _ask_what_others_left(self) -> None:
        """Wait for what another run on this store is asking; ask it if that run does not come to it."""
        said = False
        while self._elsewhere and self.stopped is None:
            if not said:
                count = len(self._elsewhere)
                say(
                    f"{self._label}: another run is asking {count:,} of these questions; waiting for it"
                )
                said = True
            await asyncio.sleep(_LOOK_AGAIN)
            again, self._elsewhere = self._elsewhere, []
            await self._ask_at_once(again)

    async def _renew_claims(self) -> None:
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            # A store that cannot be written is reported with the next answer.
            with contextlib.suppress(DivLogicError):
                self._store.renew_claims()

    # ---- One request -------------------------------------------------------------------------------------------------

    async def _answer(self, request: Request[Any]) -> None:
        """Ask until there is an answer, the attempts are used up, or the run is stopped."""
        if not self._store.claim(request.key):
            self._elsewhere.append(request)
            return
        if request.is_answered(self._store.responses):
            # By another run, since this one looked.
            self._store.release(request.key)
            self._summary.reused += 1
            return
        found = await self._persist(request)
        # An answer without a letter is kept later, or not at all: until then nobody else need ask.
        if found.reason != "no_letter":
            self._store.release(request.key)
        if found.kind in ("answer", "refused", "cut"):
            return
        if found.kind == "fatal":
            self.stopped = self.stopped or found
        if self.stopped is not None:
            return
        if found.reason in UNANSWERED:
            self._unanswered.append(_Unanswered(request, found))
        self._consecutive_failures += 1
        most = self._limits.give_up_after
        if self._is_silent(found):
            most = min(most, FIRST_CONTACT)
        if self._consecutive_failures >= most:
            self.stopped = found

    async def _persist(self, request: Request[Any]) -> Outcome:
        """Ask again after each fault that may pass, within the bounds of its kind; return the last outcome."""
        met = Counter[str]()
        while True:
            contacts = self._contacts
            found = await self._attempt(request)
            if found.unreachable:
                found = await self._reconnect(request, found, contacts)
            if found.kind != "fault" or self.stopped is not None:
                return found
            broken = found.reason == "server" or (
                found.reason in TRANSPORT and self._is_silent(found)
            )
            if broken and not self._patience_left():
                self.stopped = found
                return found
            met[found.reason] += 1
            attempts = self._limits.attempts
            if met[found.reason] >= found.attempts(attempts) or met.total() >= attempts:
                return found
            await asyncio.sleep(self._waiting_time(found, met.total()))

    def _is_silent(self, found: Outcome) -> bool:
        """Return whether nothing has been answered yet: such a server is not asked as often as one that has answered.

        Of questions that an earlier run asked in vain, nothing more is known if they are not answered again.
        """
        if self._summary.answered or found.reason == "rate_limit":
            return False
        return found.reason not in UNANSWERED or not self._summary.reused

    async def _attempt(self, request: Request[Any]) -> Outcome:
        """Ask once and keep the answer; a parameter that the server refuses is left out, and the request repeated."""
        while True:
            values = self._sent.of(request)
            asked = Asked(
                sent=frozenset(values),
                fixed=self._sent.fixed,
                likelihood=request.question.likelihood,
                shortest=len(request.question.input) <= self._shortest,
            )
            found = await self._ask_once(request, values, asked)
            if not found.unreachable:
                self._contacts += 1
            if not found.leave_out:
                break
            self._sent.leave_out(found, self._label)
        if found.kind in ("fault", "fatal"):
            self._note(request, found)
        return found

    async def _ask_once(
        self, request: Request[Any], values: dict[str, Any], asked: Asked
    ) -> Outcome:
        """Send a request, keep what may be kept of its reply, and return what it means."""
        config = self._sent.config(values, self._limits, batch=self._batch)
        try:
            async with asyncio.timeout(self._limits.timeout):
                output = await self._generate(request.question.input, config)
        except DivLogicError:
            raise
        except Exception as error:
            found = outcome(failure_of(error), asked)
            if found.kind == "refused":
                # An error in place of a reply: the provider's words are all there is.
                self._add(self._response(request, found, shown(found.words), None, None))
            return found
        return self._judge(request, output, asked)

    async def _generate(self, text: str, config: Any) -> Any:
        """Ask once. Our own providers are called without Inspect's layer of copies and events, which costs more
        time than a fast server takes to answer; every other provider is called as Inspect means it."""
        if getattr(self._opened.api, "one_attempt", False):
            from inspect_ai.model import ChatMessageUser

            return await self._opened.api.generate(
                [ChatMessageUser(content=text)], [], "none", config
            )
        return await self._opened.generate(text, config=config)

    def _judge(self, request: Request[Any], output: Any, asked: Asked) -> Outcome:
        """Return what a reply means, and keep it if it is an answer."""
        question = request.question
        reply, logprobs = reply_of(output, letters=question.letters, likelihood=question.likelihood)
        found = outcome(reply, asked)
        if found.kind not in ("answer", "refused", "cut"):
            return found
        # A server may repeat the key that it was sent; answers are kept and given away.
        answer = redaction.without_secrets(reply.text, self._secrets)
        if question.likelihood and found.reason == "answer":
            answer = likeliest(logprobs) or answer
        elif not question.likelihood and question.letters and output.choices[0].logprobs:
            letter = question.read(answer)
            tokens = output.choices[0].logprobs.content
            logprobs = letter_logprobs(tokens, question.letters, letter) if letter else {}
        response = self._response(request, found, answer, output.usage, logprobs or None)
        if question.likelihood and found.kind == "answer":
            return self._keep_by_likelihood(response, found, question.letters)
        self._add(response)
        return self._cut_short(question, response) or found

    def _response(
        self,
        request: Request[Any],
        found: Outcome,
        answer: str,
        usage: Any,
        logprobs: dict[str, float] | None,
    ) -> Response:
        stop = "stop" if found.reason == "answer" else found.reason
        return Response(
            key=request.key_of(found.kind),
            model=self._label,
            run=request.run,
            answer=answer,
            stop_reason=stop,
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            logprobs=logprobs,
        )

    # ---- Keeping answers ---------------------------------------------------------------------------------------------

    def _add(self, response: Response) -> None:
        self._consecutive_failures = 0
        self._broken_since = None
        self._store.add(response)
        self._summary.answered += 1
        self._summary.input_tokens += response.input_tokens or 0
        self._summary.output_tokens += response.output_tokens or 0
        tokens = self._summary.input_tokens + self._summary.output_tokens
        self._progress.show(self._summary.answered, tokens)

    def _cut_short(self, question: Question, response: Response) -> Outcome | None:
        """Count answers that were cut at ``max_tokens``; return a fault if all are, and none can be read."""
        self._usable = self._usable or question.read(response.answer) is not None
        if response.stop_reason != "max_tokens":
            self._usable = True
            return None
        self._cut += 1
        if self._cut != CUT:
            return None
        cut = f"cut at max_tokens ({self._sent.longest})"
        if self._usable:
            say(f"{self._label}: {CUT} answers were {cut}. {ADVICE['all_cut']}.")
            return None
        words = f"the first {CUT} answers were all {cut}, and none names an option"
        return Outcome("fatal", "all_cut", words)

    def _keep_by_likelihood(
        self, response: Response, found: Outcome, letters: Sequence[str]
    ) -> Outcome:
        """Keep an answer by likelihood; return a fault if none of the first ones has a letter."""
        if self._letterless is None or found.reason != "no_letter":
            self._keep_letterless()
            self._add(response)
            return found
        self._letterless.append(response)
        if len(self._letterless) < _LETTERLESS:
            return found
        first = f"the first {_LETTERLESS} questions"
        words = (
            f"none of the letters {', '.join(letters)} was among the {MOST_ALTERNATIVES} likeliest next tokens of"
            f" {first}: the model's tokenizer may not have them as tokens of their own"
        )
        if response.logprobs:
            words = f"{found.words} in {first}: the model thinks first, or says something else before its answer"
        return Outcome("fatal", "no_letters", words)

    def _keep_letterless(self) -> None:
        """Keep the answers without a letter: single ones count as unreadable."""
        letterless, self._letterless = self._letterless, None
        for response in letterless or ():
            self._add(response)

    def _keep_unanswered(self) -> None:
        """Keep the place of questions that the model did not answer, so that they stop no table of the others."""
        reasons = Counter(each.found.reason for each in self._unanswered)
        for reason, count in sorted(reasons.items()):
            words = next(
                each.found.words for each in self._unanswered if each.found.reason == reason
            )
            say(
                f"{self._label}: {count:,} not answered ({reason}: {shown(words)}); they count as wrong, and the next"
                " run asks them again"
            )
        for each in self._unanswered:
            response = self._response(each.request, each.found, "", None, None)
            self._store.add(response)

    # ---- Faults ------------------------------------------------------------------------------------------------------

    def _note(self, request: Request[Any], found: Outcome) -> None:
        """Say the first fault at once, count all, and note each in the store."""
        words = shown(found.words)
        if not self._summary.faults:
            say(f"{self._label}: {found.reason}: {words}")
        self._summary.faults[found.reason] += 1
        self._summary.last_fault = f"{found.reason}: {words}"
        self._store.add_fault(request.key, self._label, found.reason, words)

    async def _reconnect(self, request: Request[Any], found: Outcome, contacts: int) -> Outcome:
        """Repeat a request for which no connection was opened; one at a time, for all would meet the same.

        A server that never answered is given up after a few attempts: it is not there, or its address is wrong. One
        that did answer may be starting again, and has as many attempts as any request.
        """
        attempts = self._limits.attempts
        async with self._reconnecting:
            most = attempts if self._contacts else min(attempts, FIRST_CONTACT)
            for attempt in range(1, most):
                if self.stopped is not None or self._contacts > contacts:
                    return found
                wait = self._waiting_time(found, attempt)
                say(
                    f"{self._label}: {shown(found.words)}; attempt {attempt + 1} of {most} in {wait:.0f} s"
                )
                await asyncio.sleep(wait)
                again = await self._attempt(request)
                if not again.unreachable:
                    return again
                found = again
            if self._contacts == contacts:
                self.stopped = self.stopped or found
            return found

    def _waiting_time(self, found: Outcome, attempt: int) -> float:
        longest = self._limits.longest_wait
        if found.reason == "server":
            longest = min(longest, self._patience_left())
        return waiting_time(
            attempt, first=self._limits.first_wait, longest=longest, asked=found.wait
        )

    def _patience_left(self) -> float:
        """Return the seconds of ``PATIENCE`` that are left since the first such fault."""
        now = asyncio.get_running_loop().time()
        self._broken_since = now if self._broken_since is None else self._broken_since
        return max(self._broken_since + PATIENCE - now, 0.0)
