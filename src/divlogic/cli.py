"""The command line: ``divlogic <phase> <step>``.

Phases are imported only when they are called, so that ``divlogic --help`` starts at once.
"""

from __future__ import annotations

import gc
import inspect
import sys
from pathlib import Path

import click

from divlogic import __version__
from divlogic.config.command import Commands, Suggesting, step_of
from divlogic.errors import DivLogicError
from divlogic.io.files import accept, check_begun
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

WITHIN = {
    "evaluation llmeval-logic": "Put LLMEval-Logic's items to models: answers, formalizations with free or given"
    " symbols.",
    "evaluation logicnli": "Diagnose learners and models on LogicNLI's sets.",
}
"""Groups within a phase."""

STEPS: dict[str, dict[str, str]] = {
    "config": {
        "check": "preflight:check",
        "default": "parameters:write_default",
        "schema": "parameters:write_schema",
    },
    "corpora": {
        "list": "corpora.status:list_corpora",
        "status": "corpora.status:show_status",
        "fetch": "corpora.obtain:fetch_corpora",
        "place": "corpora.obtain:place",
        "normalise": "corpora.normalise:normalise_corpora",
        "tagger": "corpora.tagger:place_tagger",
        "summarise": "corpora.status:summarise",
    },
    "sentences": {
        "partition": "sentences.groups:partition",
        "filter": "sentences.groups:filter_sentences",
        "count": "sentences.acceptability.usage:count_usage",
        "sum": "sentences.acceptability.usage:sum_usage",
        "merge": "sentences.merging:merge_sentences",
        "show": "sentences.groups:show",
        "train-checker": "sentences.checker.training:train_checker",
        "check": "sentences.checker.judging:check_groups",
        "judge": "sentences.checker.judging:judge_pairs",
        "read-pairs": "sentences.checker.judging:show_pairs",
        "record-check": "sentences.checker.judging:record_check",
        "tabulate-check": "sentences.checker.judging:tabulate_check",
    },
    "hardening": {"run": "hardening.run:write_hardened"},
    "diversity": {
        "profile": "diversity.measure:profile",
        "ship": "diversity.shipped:ship_profiles",
        "ship-reference": "diversity.measure:ship_reference",
        "divergence": "diversity.measure:divergence",
        "sensitivity": "diversity.measure:sensitivity",
        "readability": "diversity.measure:readability",
        "tables": "diversity.report:tables",
        "figures": "diversity.plots:figures",
    },
    "prior_knowledge": {
        "probe": "prior_knowledge.steps:probe_file",
        "ask": "prior_knowledge.steps:ask_file",
        "export": "prior_knowledge.steps:export_file",
        "probe-collection": "prior_knowledge.steps:probe_collection",
        "ask-collection": "prior_knowledge.steps:ask_collection",
        "record": "prior_knowledge.steps:record_collection",
        "recorded": "prior_knowledge.steps:recorded_collection",
        "shortcuts-fresh": "prior_knowledge.shortcuts.steps:measure_fresh",
        "shortcuts-benchmarks": "prior_knowledge.shortcuts.steps:measure_benchmarks",
        "shortcuts": "prior_knowledge.shortcuts.table:tabulate",
        "ladder": "prior_knowledge.shortcuts.table:write_with_models",
        "leaks": "prior_knowledge.shortcuts.release:list_leaks",
        "table": "prior_knowledge.independence:write_independence",
        "figures": "prior_knowledge.figures:draw_figures",
    },
    "evaluation": {
        "rotate": "evaluation.rotations:rotate",
        "run": "evaluation.rotated:run",
        "plan": "evaluation.rotated:plan",
        "export": "evaluation.rotated:export",
        "score": "evaluation.steps:score",
        "replay": "evaluation.steps:replay",
        "gather": "evaluation.steps:gather",
        "tables": "evaluation.tables:write_tables",
        "figures": "evaluation.figures:figures",
        "audit-published": "published.audit:audit_published",
        "harness": "evaluation.harness:write_harness",
        "ask": "evaluation.asked:ask_benchmark",
        "record": "evaluation.asked:record_benchmark",
        "recorded": "evaluation.asked:recorded_benchmark",
        "answers": "evaluation.answers:write_answers",
        "overlap": "evaluation.justlogic.groups:overlap",
        "recorded-questions": "evaluation.justlogic.groups:recorded_questions",
        "sheet": "evaluation.sheets:sheet",
        "read-sheets": "evaluation.sheets:read_sheets",
        "label-accuracy": "evaluation.justlogic.accuracy:label_accuracy",
        "error-analysis": "evaluation.justlogic.regression:error_analysis",
        "record-rotations": "evaluation.rotated:record_rotations",
        "recorded-rotations": "evaluation.rotated:recorded_rotations",
    },
    "contamination": {
        "run": "contamination.experiments:run_learner",
        "guess": "contamination.asking:guess_options",
        "record": "contamination.experiments:record",
        "tabulate": "contamination.tables:tabulate",
        "learnability": "contamination.learnability:draw_learnability",
        "learn": "contamination.learnability:learn",
        "transfer": "contamination.transfer:run_transfer",
        "tabulate-transfer": "contamination.transfer:tabulate_transfer",
    },
    "paper": {
        "gather": "paper.gather:gather",
        "items": "paper.browser.write:write_items",
        "figures": "paper.figures:gather_figures",
        "scoreboard": "paper.scoreboard:scoreboard",
        "page": "paper.page.render:write_page",
        "metrics": "paper.findings:write_metrics",
        "findings": "paper.findings:write_findings",
        "pdf": "paper.pdf:write_pdf",
        "provenance": "paper.provenance:write_run_provenance",
        "notebooks": "paper.notebooks:execute_notebooks",
    },
    "seal": {
        "new": "library.seal:new",
        "draw": "library.seal:draw",
        "grade": "library.seal:grade",
        "open": "library.seal:open_seal",
        "verify": "library.seal:verify",
    },
    "evaluation llmeval-logic": {
        "run": "evaluation.llmeval_logic.steps:ask_items",
        "baselines": "evaluation.llmeval_logic.steps:score_baselines",
        "tables": "evaluation.llmeval_logic.steps:tabulate",
    },
    "evaluation logicnli": {
        "diagnose": "evaluation.logicnli.diagnose:write_diagnosis",
        "train": "evaluation.logicnli.networks:train_network",
        "harness": "evaluation.logicnli.questions:write_harness",
    },
}
"""Groups of commands: name of a command -> ``module:function`` below ``divlogic``."""

ALONE = {
    "accept": "cli:accept_files",
    "audit": "audit:audit",
    "bundle": "benchmarks.release.bundle:bundle",
    "create": "library.write:create_files",
    "evaluate": "evaluation.evaluate:evaluate",
    "preflight": "preflight:preflight",
    "recordings": "models.recordings.reading:read",
    "report": "paper.report_cli:cli",
    "benchmarks": "benchmarks.cli:cli",
}
"""Commands that are no group, and groups that their rooms compose."""


class Phases(Suggesting):
    """The commands of every phase; what a command runs is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(PHASES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return group(name) if name in STEPS else step_of(ALONE[name], name) if name in ALONE else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Phases"):
            formatter.write_dl(list(PHASES.items()))


def group(name: str) -> Commands:
    """Return the commands of a phase."""
    groups = {
        key.removeprefix(f"{name} "): Commands(key, text, STEPS[key])
        for key, text in WITHIN.items()
        if key.startswith(f"{name} ")
    }
    return Commands(name, PHASES[name], STEPS[name], groups)


@click.command(cls=Phases, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="divlogic")
def cli() -> None:
    """Build, measure and evaluate logical-reasoning benchmarks."""
    begun()  # of an earlier command of this process


@click.command("accept")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def accept_files(files: tuple[Path, ...]) -> None:
    """Take FILES as they are: note their rows and contents, as the step does that writes them.

    Steps refuse a file whose rows were lost or changed since it was written, and a file without a note where only
    steps write. What is made from an accepted file is as right as the file, and is made again by the next run.
    """
    for path in files:
        count = accept(path)
        path.touch()  # what reads it runs again
        click.echo(f"{path}: accepted, {count.rows:,} rows, {count.bytes:,} bytes")


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
    found: click.Command | None = Phases().get_command(click.Context(cli), first)
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
