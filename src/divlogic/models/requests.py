"""Questions and requests: what is put to a model, which answers are wanted, and under which keys they are stored.

The response store is an SQLite file of what models answered, so that no answer is paid for twice. An answer is
committed the moment it arrives and never changed: a run that is killed keeps all of its answers. Two runs may share one
store: each claims a request before it sends it, and what the other one claims it waits for.
"""

from __future__ import annotations

import hashlib
import math
import os
import platform
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import unwritable
from divlogic.models.answers import Labels, Letters
from divlogic.models.gguf import PREFIX, identity, is_served
from divlogic.models.letters import Tags
from divlogic.models.outcome import Kind, is_final
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import Status
from divlogic.models.redaction import redact
from divlogic.models.styles import STYLES

_SETTINGS = (
    "PRAGMA busy_timeout = 60000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
)
"""Wait a minute for another run that writes; each answer reaches the kernel, which keeps it if the run is killed."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, model TEXT, run INTEGER, answer TEXT, stop_reason TEXT,"
    " input_tokens INTEGER, output_tokens INTEGER, logprobs TEXT)",
    "CREATE TABLE IF NOT EXISTS faults (key TEXT, model TEXT, fault TEXT, detail TEXT)",
    "CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT, since REAL)",
)

CLAIM_SECONDS = 30.0
"""Age at which the claim of a run on another machine no longer counts: a run that lives renews its claims."""

RENEWAL_SECONDS = 5.0
"""How often a run renews its claims; several renewals may be late before a claim is taken for that of a dead run."""


@dataclass(frozen=True, slots=True)
class Response:
    """One answer as the model gave it.

    Attributes:
        key: what it answers, see :func:`request_key`.
        model: the model's name, for people who read the file.
        answer: the text; empty if the model returned nothing.
        stop_reason: Inspect's word for why it ended (``stop``, ``max_tokens``, ``content_filter``, ...), or the reason
            why there is no answer (``empty``, ``too_long``, ...; see :mod:`divlogic.models.outcome`).
        input_tokens, output_tokens: what it cost, where the server says so.
        logprobs: natural log-probabilities of the letters, where the server gives them.
    """

    key: str
    model: str
    run: int
    answer: str
    stop_reason: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    logprobs: dict[str, float] | None = None

    @property
    def is_final(self) -> bool:
        """Whether the next run need not ask again."""
        return is_final(self.answer, self.stop_reason)


_FIELDS = tuple(field.name for field in fields(Response))
_INSERT = (
    f"INSERT INTO answers VALUES ({', '.join('?' * len(_FIELDS))}) ON CONFLICT (key) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _FIELDS[1:])
    + " WHERE NOT is_final(answers.answer, answers.stop_reason)"
)
"""The first answer to a key counts; a row that only holds the place of one gives way."""

_CLAIM = (
    "INSERT INTO claims VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, since = excluded.since"
    " WHERE claims.owner = excluded.owner OR claims.since < ?"
)


def request_key(
    *, model: str, fingerprint: str, text: str, sampling: dict[str, Any], run: int
) -> str:
    """Return the key of a request: SHA-256 over model, prompt, sampling and run.

    ``fingerprint`` tells apart what goes by one name, such as a baseline trained on other data.
    """
    asked = {
        "model": model,
        "fingerprint": fingerprint,
        "text": text,
        "sampling": sampling,
        "run": run,
    }
    return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Responses(Mapping[str, Response]):
    """The answers of an open store by key, in the order in which they came."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __getitem__(self, key: str) -> Response:
        row = self._connection.execute("SELECT * FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        *values, logprobs = row
        values.append(logprobs and orjson.loads(logprobs))
        return Response(*values)

    def __contains__(self, key: object) -> bool:
        found = self._connection.execute("SELECT 1 FROM answers WHERE key = ?", (key,))
        return found.fetchone() is not None

    def __iter__(self) -> Iterator[str]:
        return (
            key for (key,) in self._connection.execute("SELECT key FROM answers ORDER BY rowid")
        )

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT COUNT(*) FROM answers").fetchone()[0])


def read_responses(path: Path) -> Mapping[str, Response]:
    """Return the answers of a store; they are read from the file when they are asked for. A missing store has none."""
    if not path.is_file():
        return {}
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    try:
        # A run that was killed at its first moment, or is at it, leaves a file without tables.
        if not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
            connection.close()
            return {}
        connection.execute("SELECT 1 FROM answers LIMIT 1")
    except sqlite3.Error as error:
        raise DivLogicError(
            f"{path}: not a response store ({error}); give another file."
        ) from error
    return Responses(connection)


class ResponseStore:
    """A response store open for a run; other runs may have it open, too."""

    responses: Mapping[str, Response]

    def __init__(self, path: Path) -> None:
        self.path = Path(path)

    def __enter__(self) -> ResponseStore:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.open("ab").close()
        except OSError as error:
            raise unwritable(self.path, error) from error
        self._connection = sqlite3.connect(self.path, isolation_level=None)
        self._connection.create_function("is_final", 2, is_final, deterministic=True)
        self._owner = f"{_machine()} {os.getpid()} {uuid4().hex}"
        try:
            with self._writing():
                for statement in (*_SETTINGS, "BEGIN IMMEDIATE", *_TABLES, "COMMIT"):
                    self._connection.execute(statement)
        except DivLogicError:
            self._connection.close()
            raise
        self.responses = Responses(self._connection)
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(sqlite3.Error):
            self._connection.execute("DELETE FROM claims WHERE owner = ?", (self._owner,))
        # A single file lies there afterwards, unless another run still writes to it.
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA busy_timeout = 0")
            self._connection.execute("PRAGMA journal_mode = DELETE")
        # Answers of this run are read after it, too; the connection goes with them.

    def add(self, response: Response) -> None:
        """Keep an answer; the first one to a key counts."""
        with self._writing():
            self._connection.execute(_INSERT, _row(response))

    def add_all(self, responses: Iterable[Response]) -> None:
        """Keep answers that cost nothing, a thousand at a time: a run that is killed loses what it made last."""
        rows = map(_row, responses)
        while many := list(islice(rows, 1000)):
            with self._writing():
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(_INSERT, many)
                self._connection.execute("COMMIT")

    def claim(self, key: str) -> bool:
        """Claim a request, so that no other run sends it too; false if another run that lives has it."""
        now = time.time()
        claimed = (key, self._owner, now, now - CLAIM_SECONDS)
        with self._writing():
            if self._connection.execute(_CLAIM, claimed).rowcount:
                return True
            held = "SELECT owner FROM claims WHERE key = ?"
            for (owner,) in self._connection.execute(held, (key,)).fetchall():
                if not _is_dead(owner):
                    return False
                self._connection.execute("DELETE FROM claims WHERE owner = ?", (owner,))
            return self._connection.execute(_CLAIM, claimed).rowcount > 0

    def renew_claims(self) -> None:
        """Show other runs that this one lives."""
        with self._writing():
            self._connection.execute(
                "UPDATE claims SET since = ? WHERE owner = ?", (time.time(), self._owner)
            )

    def release(self, key: str) -> None:
        """Give a claim back: the request was answered, or this run does not send it again."""
        with self._writing():
            self._connection.execute(
                "DELETE FROM claims WHERE key = ? AND owner = ?", (key, self._owner)
            )

    def add_fault(self, key: str, model: str, fault: str, detail: str) -> None:
        """Keep a note that an attempt failed; it answers nothing and is asked again by the next run."""
        with self._writing():
            self._connection.execute(
                "INSERT INTO faults VALUES (?, ?, ?, ?)", (key, model, fault, detail)
            )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            reason = str(error)
            problem = (
                f"could not be written ({reason}); run the same command again, or name another file"
            )
            if "full" in reason:
                problem = "the disk is full; free some space and run the same command again"
            elif "not a database" in reason or "malformed" in reason:
                problem = f"not a response store ({reason}); give another file"
            raise DivLogicError(f"{self.path}: {problem}.") from error


def _machine() -> str:
    """Return what tells machines, and containers on one, apart: numbers of processes mean something within it only."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return f"{platform.node()}/{space}".replace(" ", "")


def _is_dead(owner: str) -> bool:
    """Return whether a run on this machine has ended without giving its claims back."""
    machine, process, _ = owner.split(" ")
    if machine != _machine():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        # It lives, and belongs to somebody else.
        return False
    return False


def _row(response: Response) -> tuple[Any, ...]:
    *values, logprobs = (getattr(response, name) for name in _FIELDS)
    return (*values, logprobs and orjson.dumps(logprobs).decode())


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it is put to a model; by itself one that any text answers (a role's prompt, say).

    Attributes:
        instance: id of the instance that it shows, within its benchmark.
        input: text of the user message.
    """

    benchmark: str
    instance: str
    input: str

    @property
    def likelihood(self) -> bool:
        """Whether the answer is the likeliest letter instead of a generated text."""
        return False

    @property
    def letters(self) -> tuple[str, ...]:
        """Letters of the options; empty where the answers are labels or texts."""
        return ()

    def read(self, answer: str) -> str | None:
        """Return what an answer says, ``None`` if it names none of the possible answers or several, or is empty."""
        return answer.strip() or None


@dataclass(frozen=True, slots=True)
class ClosedQuestion(Question):
    """A question with a list of possible answers in one prompt style, its options in one order.

    Attributes:
        gold: the right answer, a letter or a label.
        rotation: 0 (the unrotated instance) to the number of options less 1; ``None`` where options are not rotated.
        question_type: the record's type, empty if it has none.
        options: the options as they were listed, where an answer may name one by its text.
        thoughts: tags between which the model that is asked thinks, besides the known ones.
    """

    prompt: str
    gold: str
    form: Letters | Labels
    rotation: int | None = None
    question_type: str = ""
    options: tuple[str, ...] = ()
    depth: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    thoughts: Tags = ()

    @property
    def likelihood(self) -> bool:
        return self.prompt in STYLES and STYLES[self.prompt].likelihood

    @property
    def letters(self) -> tuple[str, ...]:
        return self.form.names if isinstance(self.form, Letters) else ()

    @property
    def choices(self) -> int:
        """Number of possible answers."""
        return len(self.form.names)

    @property
    def digest(self) -> str:
        """First 16 digits of the SHA-256 of what is shown, and of the right answer."""
        return hashlib.sha256(orjson.dumps(self.shown)).hexdigest()[:16]

    @property
    def shown(self) -> tuple[str, str, int, str, str]:
        """Which instance is shown in which rotation, the text, and the right answer."""
        return self.benchmark, self.instance, self.rotation or 0, self.input, self.gold

    def read(self, answer: str) -> str | None:
        """Return the letter or label that an answer names, ``None`` for none or several."""
        return self.form.read(answer, self.options, self.thoughts)


Q = TypeVar("Q", bound=Question)


@dataclass(frozen=True)
class Request(Generic[Q]):
    """One answer wanted: a question in one run.

    Attributes:
        key: under which the answer is stored.
        complete: key of an answer that ended by itself, for any maximum length.
        longest: maximum number of tokens of the answer; ``None``: not limited.
    """

    question: Q
    run: int
    key: str
    complete: str | None = None
    longest: int | None = None

    def stored(self, responses: Mapping[str, Response]) -> Response | None:
        """Return what a store holds in answer, ``None`` if it has nothing; it may be no final answer."""
        found = responses.get(self.key)
        if self.complete is None or (found is not None and found.is_final):
            return found
        whole = responses.get(self.complete)
        longest = math.inf if self.longest is None else self.longest
        if whole is None or not whole.is_final or (whole.output_tokens or 0) > longest:
            return found
        return whole

    def is_answered(self, responses: Mapping[str, Response]) -> bool:
        """Return whether a store holds an answer that need not be asked for again."""
        found = self.stored(responses)
        return found is not None and found.is_final

    def status(self, response: Response) -> Status:
        """Return what keeps a reply from being an answer that ended by itself; empty where nothing does."""
        if response.stop_reason == "content_filter":
            return "refused"
        if not response.is_final:
            return "unanswered"
        # By likelihood one token is asked for, and every reply is cut behind it.
        return (
            "cut" if response.stop_reason == "max_tokens" and not self.question.likelihood else ""
        )

    def read(self, response: Response) -> str | None:
        """Return what a reply says; ``None`` if that is no possible answer, or a refusal."""
        refused = response.stop_reason == "content_filter"
        return None if refused else self.question.read(response.answer)

    def key_of(self, kind: Kind) -> str:
        """Return the key under which an answer is kept: one that ended by itself holds for longer answers, too."""
        ended = kind == "answer" or kind == "refused"
        return self.complete if self.complete and ended else self.key


def requests_of(
    questions: Sequence[Q], model: ModelParameters, runs: int, sampling: SamplingParameters
) -> Iterator[Request[Q]]:
    """Yield the requests that a model's answers to the questions need, in the order of runs and questions.

    A question whose ``likelihood`` is true is scored by the log-probabilities of its letters; the length of a generated
    answer is no part of its key.
    """
    values, fingerprint = model.sampling_within(sampling), fingerprint_of(model)
    longest = values.get("max_tokens")
    unlimited = {
        **{name: value for name, value in values.items() if name != "max_tokens"},
        "complete": True,
    }
    # A file is the same model wherever it lies: its fingerprint names it.
    name = PREFIX if is_served(model.name) else model.name
    scored = {**values, "max_tokens": 1, "likelihood": True}
    baseline = model.name.startswith("baseline/")
    questions = [_asked_of(model, question) for question in limited(questions, model)]
    for run in range(runs):
        for question in questions:
            key_with = partial(
                request_key, model=name, fingerprint=fingerprint, text=question.input, run=run
            )
            key = key_with(sampling=scored if question.likelihood else values)
            if question.likelihood or baseline:
                yield Request(question, run, key)
            else:
                yield Request(question, run, key, key_with(sampling=unlimited), longest)


def _asked_of(model: ModelParameters, question: Q) -> Q:
    """Return a question that reads answers with the model's own tags of thoughts."""
    if not model.thoughts or not isinstance(question, ClosedQuestion):
        return question
    return replace(question, thoughts=tuple(model.thoughts))


def limited(questions: Sequence[Q], model: ModelParameters) -> list[Q]:
    """Return the questions about the first instances of each benchmark, as many as the parameters say for a style."""
    if model.instances is None and not model.prompt_instances:
        return list(questions)
    # Masked options and open tasks have no prompt style of this kind.
    most = [model.most(getattr(question, "prompt", "")) for question in questions]
    placed = zip(questions, instance_places(questions), most, strict=True)
    return [question for question, place, number in placed if number is None or place < number]


def instance_places(questions: Iterable[Question]) -> Iterator[int]:
    """Yield for each question which instance of its benchmark it shows, counted from 0."""
    places: dict[str, dict[str, int]] = defaultdict(dict)
    for question in questions:
        seen = places[question.benchmark]
        yield seen.setdefault(question.instance, len(seen))


def label_of(model: ModelParameters) -> str:
    """Return the name under which a model stands in predictions and tables."""
    return model.label or model.name


def fingerprint_of(model: ModelParameters) -> str:
    """Return what tells models of one name apart: a baseline's code and files, a local model's file, or the arguments.

    The address of a server is no part of it: a model answers alike wherever it is served.
    """
    if model.name.startswith("baseline/"):
        from divlogic.models.baselines import fingerprint

        return fingerprint(model.name.removeprefix("baseline/"), model.args)
    if is_served(model.name):
        return identity(model.name.removeprefix(PREFIX), model.args)
    further = f" {sorted(model.extra_body.items())}" if model.extra_body else ""
    return redact(f" {sorted(model.args.items())}{further}", limit=10_000)
