"""The command line: ``divlogic <phase> <step>``.

Phases are imported only when they are called, so that ``divlogic --help`` starts at once.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import sys

import click

from divlogic import __version__
from divlogic.config.command import Commands, Suggesting, command_of
from divlogic.errors import DivLogicError
from divlogic.io.files import check_begun
from divlogic.io.imports import PACKAGE, code_digest, function_imports
from divlogic.io.log import LOGGER, set_up
from divlogic.io.notes import begun

PHASES = {
    "corpora": "Fetch, compose and list the corpora that sentences come from.",
    "sentences": "Filter, negate and group sentences.",
    "benchmarks": "Generate, verify, show and import benchmarks.",
    "hardening": "Make items harder with models in five roles.",
    "diversity": "Measure vocabulary, distance to Wikipedia, readability and labels.",
    "prior_knowledge": "Test whether questions can be answered without their contexts.",
    "evaluation": "Run models, score them with metrics that resist guessing, replay recorded answers.",
    "evaluate": "Ask a model, score its answers and print the table, in one command.",
    "contamination": "Train learners on sources or test sets, and measure what that does to scores.",
    "recordings": "Read the answers that others recorded.",
    "paper": "Gather every table and figure into one report.",
    "report": "Show how many printed numbers were reproduced.",
    "config": "Check the parameters and write their schema.",
    "audit": "Measure a data set of your own and write one page about it.",
    "create": "Draw a fresh set of one generator into a folder of its own.",
    "seal": "Publish a fresh test set without its answers; grade, open and verify it.",
    "bundle": "Put releases, records and package of a finished run into one archive to cite.",
    "accept": "Take a file that was changed or brought by hand as it is.",
    "preflight": "Say what keeps a run from starting: models that cannot be asked, sentences that are too few.",
}

MODULES = {
    "accept": "divlogic.io.cli",
    "config": "divlogic.parameters",
    "report": "divlogic.paper.report_cli",
    "seal": "divlogic.library.cli",
}
"""Where a command stands that is not in ``divlogic.<name>.cli``."""


STEPS = {
    "bundle": "divlogic.benchmarks.release.bundle:bundle",
    "audit": "divlogic.audit:audit",
    "create": "divlogic.library.write:create_files",
    "evaluate": "divlogic.evaluation.evaluate:evaluate",
    "preflight": "divlogic.preflight:preflight",
    "recordings": "divlogic.models.recordings.reading:read",
}
"""Commands that are no group."""


class LazyGroup(Suggesting):
    """A group whose subcommands live in ``divlogic.<name>.cli`` (or ``divlogic.<name>_cli``)."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(PHASES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in PHASES:
            return None
        if name in STEPS:
            module, _, function = STEPS[name].partition(":")
            return command_of(getattr(importlib.import_module(module), function), name)
        command: click.Command = importlib.import_module(MODULES.get(name, f"divlogic.{name}.cli")).cli
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Phases"):
            formatter.write_dl(list(PHASES.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="divlogic")
def cli() -> None:
    """Build, measure and evaluate logical-reasoning benchmarks."""
    begun()  # of an earlier command of this process


@cli.result_callback()
def _end(_result: object) -> None:
    """Compare what was not read to its end: its last rows may be the ones that are missing."""
    check_begun()


def code_of(*names: str) -> str:
    """Return the modules of the named commands, and the digest of all code that they run.

    A rule has it among its ``params``, so that it runs again when its code changes.

    Args:
        names: commands (``evaluation run``), and modules that a command reaches by the registry only
            (``benchmarks.*.audit``); without the leading ``divlogic``.
    """
    modules = [module for name in names for module in ([name] if "." in name else modules_of(name))]
    return f"{' '.join(modules)} {code_digest(*modules)}"


def modules_of(command: str) -> list[str]:
    """Return the module of a command's function, and the room of a benchmark named (``benchmarks verify logicnli``).

    Raises:
        ValueError: there is no such command.
    """
    first, *words = command.split()
    found: click.Command | None = LazyGroup().get_command(click.Context(cli), first)
    module = ""
    while isinstance(found, click.Group) and words:
        word = words.pop(0)
        module = found.steps.get(word, "").partition(":")[0] if isinstance(found, Commands) else ""
        found = found.get_command(click.Context(found), word)
    if found is None or isinstance(found, click.Group) or found.callback is None:
        raise ValueError(f"there is no command 'divlogic {command}'")
    function = inspect.unwrap(found.callback)
    module = module or function.__module__.removeprefix("divlogic.")
    # A module of commands holds those of a whole phase; a command runs what its function imports.
    modules = function_imports(module, function.__name__) if module.endswith("cli") else [module]
    return [*modules, *(f"benchmarks.{name}" for name in words if (PACKAGE / "benchmarks" / name).is_dir())]


def main() -> None:
    """Run the command line; a :class:`DivLogicError` becomes one line on stderr and exit status 1."""
    set_up()
    # Steps hold many small objects and make hardly a cycle: to look for cycles as often as by default costs a third.
    gc.set_threshold(100_000, 20, 100)
    try:
        _run()
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
    except click.exceptions.Abort:
        LOGGER.error("interrupted; run the same command again to go on.")
        sys.exit(130)
    except KeyboardInterrupt:
        LOGGER.error("interrupted; run the same command again to go on.")
        sys.exit(130)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        sys.stderr.close()
        sys.exit(0)


def _run() -> None:
    try:
        cli(standalone_mode=False)
    except (DivLogicError, click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
        raise
    except Exception:
        # A bug shows its traceback, unless a file was changed since a step wrote it: then that is the reason.
        check_begun()
        raise


if __name__ == "__main__":
    main()
