"""Draws items of one environment, in an interpreter of its own: JSON lines on standard output.

This file is run by path with the Python that has the environment's package, which need not have this one: it imports
nothing but the standard library and the package that it adapts. Standard input holds one JSON object, the job (see
:class:`divlogic.field.drawing.Job`). Each line of output has one key: ``version`` of the package, an ``item``,
``done``, or ``fault``, the reason why no more items come.

What an environment may do is bounded: seconds of CPU, memory, the size of files, and no network.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import json
import os
import random
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

Item = dict[str, Any]

STATEMENTS = ("hypothesis", "conclusion")
"""Keys of an item's metadata that hold the statement to judge; what stands before it in the question is the passage."""

_GRACE = 5
"""Seconds of CPU between the signal, which Python code sees, and the end, which code in C sees too."""

_LARGEST_FILE = 64 * 1024**2
"""Bytes of a file that an environment may write: caches of compiled code need some."""

_asked: list[str] = []
"""Hosts that the environment asked for."""


class OverBudget(BaseException):
    """The seconds are spent; no `except Exception` of an environment holds it."""


class NotInstalledError(Exception):
    """The interpreter has no such package."""


def main() -> None:
    """Read the job, draw, and say how it ended."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What an environment prints is not an item.
    os.dup2(2, 1)

    def say(key: str, value: Any) -> None:
        out.write(json.dumps({key: value}, ensure_ascii=True, default=str) + "\n")
        out.flush()

    job = json.load(sys.stdin)
    bound(job["cpu"], job["memory"])
    refuse_network()
    try:
        for item in drawn(job, say):
            say("item", item)
    except OverBudget:
        say("fault", f"over its budget of {job['cpu']} CPU seconds")
    except MemoryError:
        say("fault", f"over its budget of {job['memory'] / 1024**3:.1f} GiB of memory")
    except BaseException as error:  # whatever an environment raises is a reason, not an end of ours
        say("fault", reason(error))
    else:
        say("done", True)
    # Threads and handlers at exit of the environment's are not waited for.
    os._exit(0)


def bound(cpu: int, memory: int) -> None:
    """Limit seconds of CPU, bytes of memory and of files."""

    def stop(*_: object) -> None:
        raise OverBudget

    signal.signal(signal.SIGXCPU, stop)
    limits = {
        resource.RLIMIT_CPU: (cpu, cpu + _GRACE),
        resource.RLIMIT_AS: (memory, memory),
        resource.RLIMIT_FSIZE: (_LARGEST_FILE, _LARGEST_FILE),
    }
    for kind, (soft, hard) in limits.items():
        # Who runs under a lower limit may not raise it.
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))


def refuse_network() -> None:
    """Make each attempt to reach another machine raise, and note whom it asked for."""

    def refuse(*given: Any, **_: Any) -> Any:
        address = next((one for one in given if isinstance(one, (str, tuple, bytes))), "?")
        _asked.append(str(address[0] if isinstance(address, tuple) else address))
        raise OSError("an environment is drawn without a network")

    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        setattr(socket, name, refuse)
    for name in ("connect", "connect_ex", "sendto"):
        setattr(socket.socket, name, refuse)


def reason(error: BaseException) -> str:
    """Return why an environment gave no item, on one line."""
    text = " ".join(str(error).split())[:200]
    if _asked:
        return f"asks for the network ({_asked[0]})"
    if isinstance(error, NotInstalledError):
        return text
    if isinstance(error, ModuleNotFoundError):
        return f"needs a package that its own requirements leave out: {error.name or text}"
    return f"raises {type(error).__name__}{': ' * bool(text)}{text}"


def drawn(job: dict[str, Any], say: Callable[[str, Any], None]) -> Iterator[Item]:
    """Yield the items of a job, numbered from its first."""
    package = job["package"]
    adapter = _ADAPTERS.get(package)
    if adapter is None:
        say("version", "")
        sys.path[:0] = job["path"]
        yield from of_callable(job)
        return
    try:
        version = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise NotInstalledError(f"finds no {package} in {sys.executable}") from None
    say("version", version)
    yield from adapter(job)


def of_callable(job: dict[str, Any]) -> Iterator[Item]:
    """Yield what a function ``(seed, index)`` returns: question, options, answer, group, and perhaps context."""
    module, _, name = job["package"].partition(":")
    function = getattr(importlib.import_module(module), name)
    for index in _indices(job):
        found = dict(function(job["seed"], index))
        yield {"index": index, **{key: found.get(key) for key in _KEYS}}


_KEYS = ("context", "question", "options", "answer", "group")


def of_reasoning_gym(job: dict[str, Any]) -> Iterator[Item]:
    """Yield items of reasoning-gym; level 0 is its default configuration, a higher one that of its curriculum."""
    import reasoning_gym  # type: ignore[import-not-found, unused-ignore]

    name, size = job["name"], job["first"] + job["size"]
    if job["level"]:
        from reasoning_gym.factory import create_curriculum

        curriculum = create_curriculum(name)
        curriculum.set_global_level(job["level"])
        configuration = curriculum.generate_configuration({"seed": job["seed"], "size": size})
        data = reasoning_gym.create_dataset(name, **vars(configuration))
    else:
        data = reasoning_gym.create_dataset(name, seed=job["seed"], size=size)
    for index in _indices(job):
        item = data[index]
        yield _item(index, item["question"], item["answer"], item["metadata"])


def of_reasoning_core(job: dict[str, Any]) -> Iterator[Item]:
    """Yield items of reasoning-core, which draws from Python's own random numbers, one after the other."""
    import reasoning_core  # type: ignore[import-not-found, unused-ignore]

    task = reasoning_core.get_task(job["name"])
    random.seed(job["seed"])
    with contextlib.suppress(ImportError):
        import numpy

        numpy.random.seed(job["seed"] % 2**32)
    wanted = range(job["first"], job["first"] + job["size"])
    for index in range(wanted.stop):
        entry = task.generate_example(level=job["level"])
        if index in wanted:
            yield _item(index, entry.prompt, entry.answer, entry.metadata)


def of_divlogic(job: dict[str, Any]) -> Iterator[Item]:
    """Yield items of our own generators; level 0 is the default configuration."""
    import divlogic

    size = job["first"] + job["size"]
    data = divlogic.create(job["name"], size=size, seed=job["seed"], level=job["level"] or None)
    for index in _indices(job):
        record, item = data.record(index), data.item(index)
        yield {
            "index": index,
            "context": record.context,
            "question": record.question,
            "options": list(record.options),
            "answer": None if record.answer is None else record.options[record.answer],
            "group": item["metadata"]["group_id"],
        }


_ADAPTERS: dict[str, Callable[[dict[str, Any]], Iterator[Item]]] = {
    "reasoning-gym": of_reasoning_gym,
    "reasoning-core": of_reasoning_core,
    "divlogic": of_divlogic,
}


def _indices(job: dict[str, Any]) -> range:
    return range(job["first"], job["first"] + job["size"])


def _item(index: int, text: str, answer: Any, metadata: Any) -> Item:
    """Return an item whose question is the statement that its metadata names, if one stands in the text."""
    text = str(text)
    context, question = "", text
    for key in STATEMENTS:
        statement = metadata.get(key)
        at = text.rfind(statement) if isinstance(statement, str) and statement else -1
        if at > 0:
            context, question = text[:at].strip(), text[at:].strip()
            break
    return {
        "index": index,
        "context": context,
        "question": question,
        "options": None,
        "answer": None if answer is None else str(answer),
        "group": None,
    }


if __name__ == "__main__":
    main()
