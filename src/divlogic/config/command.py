"""Commands of typed functions: an option for each parameter, its help and type from the annotation.

    def rotate(
        source: Annotated[Path, "--in", "Records (jsonl)."],
        files: Annotated[tuple[Path, ...], ARGUMENT],
        *,
        prompt: Annotated[str, "Prompt style, such as zero_shot."],
        folder: Annotated[Path | None, FOLDER, "Folder of logs."] = None,
        limits: Limits,              # a dataclass: an option for each of its fields
        params: EvaluationRun,       # --params: the run's parameters and its phase's section
    ) -> None:
        '''Write the four rotations of every instance as prompts.'''

In an annotation, a text that starts with ``-`` is the name of the option, any other text its help, a
:class:`click.ParamType` its type, a function its callback (``ctx, param, value``), and ``ARGUMENT``
makes it positional.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import click

from divlogic.config.option import BASE, FILE, FOLDER, params_option
from divlogic.config.section import RunParameters
from divlogic.io.imports import load

__all__ = ["ARGUMENT", "BASE", "FILE", "FOLDER", "Commands", "command_of", "step_of"]

Groups = Mapping[str, click.Command]
ARGUMENT = object()
"""Makes a parameter positional."""

_SECTION = re.compile(r"\n\s*(?:Args|Raises|Returns|Yields|Attributes|Example|>>>).*", re.DOTALL)


class Commands(click.Group):
    """A group whose commands are functions, imported when they are called.

    Args:
        name: name of the group.
        help: its help.
        steps: name of a command -> ``module:function`` below ``divlogic``, where the function is a typed step, a
            :class:`click.Command`, or a group.
        groups: groups within the group, by name.
    """

    def __init__(
        self, name: str, help: str, steps: Mapping[str, str], groups: Groups | None = None
    ) -> None:
        # Click looks for the name that was meant among these; what a step is, only `get_command` knows.
        named = {step: click.Command(step) for step in steps}
        super().__init__(name, help=help, commands={**named, **(groups or {})})
        self.steps = dict(steps)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by the first lines of their docstrings, without importing what they run."""
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names))
        rows = []
        for name in names:
            text = _first_line(self.steps.get(name, ""))
            command = click.Command(name, help=text) if text else self.get_command(ctx, name)
            rows.append((name, command.get_short_help_str(limit) if command else ""))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.steps.get(cmd_name)
        return step_of(entry, cmd_name) if entry else self.commands.get(cmd_name)


def step_of(entry: str, name: str) -> click.Command:
    """Return the command that ``module:function`` below ``divlogic`` stands for."""
    found = load(entry)
    return found if isinstance(found, click.Command) else command_of(found, name)


def _first_line(step: str) -> str:
    """Return the first paragraph of a function's docstring, read from its source; empty if it is no function."""
    module, _, name = step.partition(":")
    path = Path(__file__).parents[1].joinpath(*module.split(".")).with_suffix(".py")
    if not path.is_file():
        return ""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return (ast.get_docstring(node) or "").partition("\n\n")[0]
    return ""


def command_of(step: Callable[..., Any], name: str) -> click.Command:
    """Return the command of a typed function; its help is the docstring without its sections."""
    hints = typing.get_type_hints(step, include_extras=True)
    composed: dict[str, Any] = {}
    parameters: list[click.Parameter] = []
    run_parameters = None
    for parameter in inspect.signature(step).parameters.values():
        hint = hints[parameter.name]
        kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        if isinstance(kind, type) and issubclass(kind, RunParameters):
            run_parameters = (parameter.name, kind)
        elif dataclasses.is_dataclass(kind):
            composed[parameter.name] = kind
            parameters += _fields(kind)
        else:
            parameters.append(_parameter(parameter.name, hint, parameter.default))

    @functools.wraps(step)
    def run(**values: Any) -> None:
        for key, kind in composed.items():
            values[key] = kind(
                **{field.name: values.pop(field.name) for field in dataclasses.fields(kind)}
            )
        if run_parameters and run_parameters[0] != "params":
            values[run_parameters[0]] = values.pop("params")
        step(**values)

    text = _SECTION.sub("", inspect.getdoc(step) or "")
    command = click.Command(name, params=parameters, callback=run, help=text)
    return params_option(run_parameters[1])(command) if run_parameters else command


def _fields(kind: Any) -> Iterator[click.Parameter]:
    hints = typing.get_type_hints(kind, include_extras=True)
    for parameter in inspect.signature(kind).parameters.values():
        yield _parameter(parameter.name, hints[parameter.name], parameter.default)


def _parameter(name: str, hint: Any, default: Any) -> click.Parameter:
    """Return the option or argument of one parameter."""
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if get_origin(kind) in (typing.Union, types.UnionType):
        kind = next(one for one in get_args(kind) if one is not types.NoneType)
    many = get_origin(kind) is tuple
    kind = get_args(kind)[0] if many else kind
    texts = [note for note in notes if isinstance(note, str)]
    names = [text for text in texts if text.startswith("-")] or [f"--{name.replace('_', '-')}"]
    required = default is inspect.Parameter.empty
    settings: dict[str, Any] = {
        "type": next((note for note in notes if isinstance(note, click.ParamType)), None)
        or _type(kind),
        "callback": next((note for note in notes if inspect.isroutine(note)), None),
        "required": required,
    }
    if any(note is ARGUMENT for note in notes):
        metavar = next((text for text in texts if not text.startswith("-")), None)
        if not required:
            settings["default"] = default
        return click.Argument([name], nargs=-1 if many else 1, metavar=metavar, **settings)
    settings["help"] = next((text for text in texts if not text.startswith("-")), None)
    if not required and default not in (None, ()):
        settings |= {"default": default, "show_default": kind is not bool}
    if kind is bool and not any("/" in one for one in names):
        settings |= {"is_flag": True, "type": None}
    return click.Option([*names, name], multiple=many, **settings)


def _type(kind: Any) -> Any:
    if kind is Path:
        return FILE
    return click.Choice(get_args(kind)) if get_origin(kind) is Literal else kind
