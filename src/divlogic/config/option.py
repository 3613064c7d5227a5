"""What the commands of all phases share: types of paths, and ``--params`` with the section of the step's own phase."""

from __future__ import annotations

import json
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
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
BASE = click.Path(path_type=Path)
"""A file without its suffix (``results/evaluation/table1``), or what may be a file or a folder."""
STRICT = "DIVLOGIC_STRICT_PARAMS"
"""Set by the workflow: a step may then read only the keys that its rule has handed over, not the defaults of others."""


_DEEPEST = 20
"""Levels of sections and lists in a parameter file; the deepest parameter stands at the sixth."""


def configfiles(arguments: Sequence[str]) -> list[Path]:
    """Return the files that ``--configfile`` of a command line names.

    >>> configfiles(["snakemake", "--configfile", "a.yaml", "b.yaml", "--cores", "2", "all"])
    [PosixPath('a.yaml'), PosixPath('b.yaml')]
    """
    found: list[Path] = []
    taking = False
    for argument in arguments:
        if argument.startswith("-"):
            name, _, value = argument.partition("=")
            taking = name in ("--configfile", "--configfiles")
            found += [Path(value)] if taking and value else []
        elif taking:
            found.append(Path(argument))
    return found


def read_values(given: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Return what the command line gives, each a file or a JSON object that adds to those before it; its place."""
    values: dict[str, Any] = {}
    for text in given:
        if text.lstrip().startswith("{"):
            try:
                found = json.loads(text, object_pairs_hook=_unique)
            except RecursionError as error:
                raise DivLogicError(
                    "--params: nested deeper than any parameter; flatten it."
                ) from error
            except ValueError as error:
                raise DivLogicError(f"--params: not valid JSON ({error}).") from error
        else:
            found = read_mapping(Path(text))
        values = _merged(values, found)
    return values, ", ".join(
        text for text in given if not text.lstrip().startswith("{")
    ) or "--params"


def read_params(model: type[R], given: Sequence[str]) -> R:
    """Return the parameters of :func:`read_values`."""
    values, where = read_values(given)
    params = check(model, values, where)
    if os.environ.get(STRICT) and where == "--params":
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


def read_mapping(
    path: Path, missing: str = "there is no such file; run from the folder that holds params.yaml."
) -> dict[str, Any]:
    """Read a parameter file, or another mapping, without checking what it says."""
    import yaml

    if not path.is_file():
        raise DivLogicError(f"{path}: {missing}")
    try:
        text = path.read_text(encoding="utf-8")
        problem = _problem(text)
        if problem:
            raise DivLogicError(f"{path}: {problem}")
        values = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}
    except UnicodeDecodeError as error:
        raise DivLogicError(
            f"{path}: not valid UTF-8 ({error.reason}); save it as UTF-8."
        ) from error
    except (yaml.YAMLError, ValueError) as error:
        # A value that only looks like a date or a number (2026-13-45, 0x_) is a ValueError of its constructor.
        raise DivLogicError(f"{path}: not valid YAML ({' '.join(str(error).split())}).") from error
    if not isinstance(values, dict):
        raise DivLogicError(
            f"{path}: expected a mapping of parameters, found a {type(values).__name__}."
        )
    return values


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key appears twice: {', '.join(name for name, _ in pairs)}")
    return found


def _problem(text: str) -> str | None:
    """Say what of a YAML text a loader would pass over (a key that appears twice), or what would be too much for it."""
    import yaml

    open_: list[
        tuple[set[str], bool] | None
    ] = []  # of each open mapping its keys, and whether a key comes next
    anchored: list[bool] = []  # of each open mapping or list whether an alias may repeat it
    for event in yaml.parse(text, Loader=getattr(yaml, "CLoader", yaml.Loader)):
        if isinstance(event, yaml.CollectionEndEvent):
            open_.pop()
            anchored.pop()
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        if isinstance(event, yaml.AliasEvent) and any(anchored):
            return (
                f"line {event.start_mark.line + 1}: '*{event.anchor}' stands in a section that has an anchor itself;"
                " such sections can grow without end, write it out."
            )
        if open_ and open_[-1] is not None:
            keys, is_key = open_[-1]
            if is_key and isinstance(event, yaml.ScalarEvent):
                if event.value in keys:
                    return (
                        f"line {event.start_mark.line + 1}: the key '{event.value}' appears twice in its section;"
                        " delete one."
                    )
                keys.add(event.value)
            open_[-1] = (keys, not is_key)
        if isinstance(event, yaml.CollectionStartEvent):
            anchored.append(event.anchor is not None)
            open_.append((set(), True) if isinstance(event, yaml.MappingStartEvent) else None)
        if len(open_) > _DEEPEST:
            return (
                f"line {event.start_mark.line + 1}: nested deeper than any parameter; flatten it."
            )
    return None


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
