"""The command line: ``divlogic <phase> <step>``.

Phases are imported only when they are called, so that ``divlogic --help`` starts at once.
"""

from __future__ import annotations

import gc
import inspect
import sys
from pathlib import Path
from typing import Any

import click

from divlogic import __version__
from divlogic.config.command import Commands, step_of
from divlogic.errors import DivLogicError
from divlogic.io.files import read_yaml
from divlogic.io.imports import PACKAGE, code_digest, function_imports
from divlogic.io.log import LOGGER, set_up

_COMMANDS: dict[str, Any] = read_yaml(Path(__file__).with_name("commands.yaml"))
PEOPLE: dict[str, str] = _COMMANDS["people"]
"""Help of what people call, by the words of the command (``create``, ``benchmarks show``)."""
WORKFLOW: dict[str, str] = _COMMANDS["workflow"]
"""Help of what the rules call."""
PHASES: dict[str, str] = {name: text for name, text in PEOPLE.items() if " " not in name} | WORKFLOW
"""Help of every command and group."""
WITHIN: dict[str, str] = _COMMANDS["within"]
"""Help of the groups within a phase."""
STEPS: dict[str, dict[str, str]] = _COMMANDS["steps"]
"""Groups of commands: name of a command -> ``module:function`` below ``divlogic``."""
ALONE: dict[str, str] = _COMMANDS["alone"]
"""Commands that are no group, and groups that their rooms compose."""


class Phases(click.Group):
    """The commands of every phase; what a command runs is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(PHASES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return (
            group(name) if name in STEPS else step_of(ALONE[name], name) if name in ALONE else None
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(PEOPLE.items()))
        with formatter.section("Steps of the workflow (snakemake calls them)"):
            formatter.write_dl(list(WORKFLOW.items()))


def group(name: str) -> Commands:
    """Return the commands of a phase."""
    groups = {
        key.removeprefix(f"{name} "): Commands(key, text, STEPS[key])
        for key, text in WITHIN.items()
        if key.startswith(f"{name} ")
    }
    return Commands(name, PHASES[name], STEPS[name], groups)


@click.command(
    cls=Phases,
    commands={name: click.Command(name) for name in PHASES},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="divlogic")
def cli() -> None:
    """Build, measure and evaluate logical-reasoning benchmarks."""


def code_of(*names: str) -> str:
    """Return the modules of the named commands, and the digest of all code that they run.

    A rule has it among its ``params``, so that it runs again when its code changes.

    Args:
        names: commands (``evaluation run``), and modules that a command reaches by the registry only
            (``benchmarks.*.check``); without the leading ``divlogic``.
    """
    modules = [module for name in names for module in ([name] if "." in name else modules_of(name))]
    return f"{' '.join(modules)} {code_digest(*modules)}"


def modules_of(command: str) -> list[str]:
    """Return the module of a command's function, and the room of a benchmark named (``benchmarks verify logicnli``).

    Raises:
        ValueError: there is no such command.
    """
    first, *words = command.split()
    found: click.Command | None = Phases().get_command(click.Context(cli), first)
    entry = ""
    while isinstance(found, click.Group) and words and not entry:
        word = words.pop(0)
        # A step is not imported, which would take longer than all else here.
        entry = found.steps.get(word, "") if isinstance(found, Commands) else ""
        found = None if entry else found.get_command(click.Context(found), word)
    if not entry:
        if found is None or isinstance(found, click.Group) or found.callback is None:
            raise ValueError(f"there is no command 'divlogic {command}'")
        step = inspect.unwrap(found.callback)
        entry = f"{step.__module__.removeprefix('divlogic.')}:{step.__name__}"
    module, _, function = entry.partition(":")
    # A module of commands holds those of a whole phase; a command runs what its function imports.
    modules = function_imports(module, function) if module.endswith("cli") else [module]
    return [
        *modules,
        *(f"benchmarks.{name}" for name in words if (PACKAGE / "benchmarks" / name).is_dir()),
    ]


def main() -> None:
    """Run the command line; a :class:`DivLogicError` becomes one line on stderr and exit status 1."""
    set_up()
    # Steps hold many small objects and make hardly a cycle: to look for cycles as often as by default costs a third.
    gc.set_threshold(100_000, 20, 100)
    try:
        cli(standalone_mode=False)
    except DivLogicError as error:
        LOGGER.error("%s", error)
        sys.exit(1)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "divlogic":
            raise
        LOGGER.error(
            "this command needs the package '%s'; `pip install 'divlogic[workflow]'` has those of the workflow.",
            error.name.partition(".")[0],
        )
        sys.exit(1)
    except (click.exceptions.Abort, KeyboardInterrupt):
        LOGGER.error("interrupted; run the same command again to go on.")
        sys.exit(130)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except MemoryError:
        LOGGER.error(
            "memory ran out; give this process more, or run fewer at a time, and run the same command again."
        )
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        sys.stderr.close()
        sys.exit(0)


if __name__ == "__main__":
    main()
