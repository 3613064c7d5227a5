"""``--params``: the option by which a step receives the seed and the section of its own phase."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from pydantic import BaseModel

from divlogic.config.section import RunParameters, check
from divlogic.errors import DivLogicError

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R", bound=RunParameters)
STRICT = "DIVLOGIC_STRICT_PARAMS"
"""Set by the workflow: a step may then read only the keys that its rule has handed over, not the defaults of others."""


def read_params(model: type[R], given: Sequence[str]) -> R:
    """Return the parameters given on the command line, each a file or a JSON object that adds to those before it.

    Raises:
        DivLogicError: a file is missing or broken, or a parameter is not allowed.
    """
    import orjson

    values: dict[str, Any] = {}
    for text in given:
        if text.lstrip().startswith("{"):
            try:
                found = orjson.loads(text)
            except orjson.JSONDecodeError as error:
                raise DivLogicError(f"--params: not valid JSON ({error}).") from error
        else:
            found = read_mapping(Path(text))
        values = _merged(values, found)
    files = [text for text in given if not text.lstrip().startswith("{")]
    params = check(model, values, ", ".join(files) or "--params")
    if os.environ.get(STRICT) and not files:
        forget_defaults(params)
    return params


def params_option(model: type[RunParameters]) -> Callable[[F], F]:
    """Add ``--params``, from which a step receives ``model``: the run's parameters and its phase's section."""
    return click.option(
        "--params",
        "params",
        metavar="FILE|JSON",
        multiple=True,
        default=("params.yaml",),
        show_default=True,
        callback=lambda ctx, param, given: read_params(model, given),
        help="Parameter file, or the parameters themselves as a JSON object; repeatable.",
    )


def read_mapping(path: Path) -> dict[str, Any]:
    """Read a parameter file without checking what it says.

    Raises:
        DivLogicError: the file is missing, is not YAML, or is not a mapping.
    """
    import yaml

    if not path.is_file():
        raise DivLogicError(f"{path}: there is no such file; run from the folder that holds params.yaml.")
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except UnicodeDecodeError as error:
        raise DivLogicError(f"{path}: not valid UTF-8 ({error.reason}); save it as UTF-8.") from error
    except yaml.YAMLError as error:
        raise DivLogicError(f"{path}: not valid YAML ({' '.join(str(error).split())}).") from error
    if not isinstance(values, dict):
        raise DivLogicError(f"{path}: expected a mapping of parameters, found a {type(values).__name__}.")
    return values


def forget_defaults(section: BaseModel) -> None:
    """Remove every field that was not set, so that a step which reads it fails instead of taking the default.

    A rule hands over the keys that it names. Were the default of any other key readable, a step could depend on a
    parameter that its rule does not know, and a change of that parameter would leave the old result in place.
    """
    for name in type(section).model_fields:
        value = section.__dict__.get(name)
        if name not in section.model_fields_set:
            section.__dict__.pop(name, None)
        elif isinstance(value, BaseModel):
            forget_defaults(value)


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the second mapping laid over the first, section by section."""
    result = dict(first)
    for key, value in second.items():
        inner = result.get(key)
        nested = isinstance(inner, Mapping) and isinstance(value, Mapping)
        result[key] = _merged(inner, value) if nested else value  # type: ignore[arg-type]
    return result
