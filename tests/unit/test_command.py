"""A command is made of a typed function: its options are the parameters, its help the annotations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click
from click.testing import CliRunner

from divlogic.config.command import ARGUMENT, FOLDER, Commands, command_of
from divlogic.evaluation.parameters import EvaluationRun


@dataclass
class Limits:
    concurrency: Annotated[int | None, click.IntRange(1, 9), "Maximum number of requests."] = None


def step(
    source: Annotated[Path, "--in", "Records (jsonl)."],
    files: Annotated[tuple[Path, ...], ARGUMENT, "FILE..."],
    *,
    limits: Limits,
    form: Annotated[Literal["table", "json"], "Form."] = "table",
    logs: Annotated[Path | None, FOLDER, "Folder of logs."] = None,
    only: Annotated[tuple[str, ...], "--only", "Repeatable."] = (),
    whole: Annotated[bool, "All of it."] = False,
    params: EvaluationRun,
) -> None:
    """Write the rows.

    Raises:
        ValueError: never shown.
    """
    click.echo(
        f"{source} {[*map(str, files)]} {limits.concurrency} {form} {logs} {only} {whole} {params.seed}"
    )


def run(*arguments: str) -> str:
    return (
        CliRunner().invoke(command_of(step, "step"), [*arguments, "--params", '{"seed": 7}']).output
    )


def test_parameters_become_options_and_arguments() -> None:
    options = "--concurrency 3 --form json --only x --only y --whole"
    given = run("--in", "a", "b", "c", *options.split())
    assert given == "a ['b', 'c'] 3 json None ('x', 'y') True 7\n"
    assert run("--in", "a", "b") == "a ['b'] None table None () False 7\n"


def test_what_is_missing_or_out_of_range_is_refused() -> None:
    assert "Missing option '--in'" in run("b")
    assert "Missing argument 'FILE...'" in run("--in", "a")
    assert "10 is not in the range" in run("--in", "a", "b", "--concurrency", "10")


def test_the_help_is_the_docstring_without_its_sections() -> None:
    text = run("--help")
    assert "Write the rows." in text and "never shown" not in text
    assert (
        "--in FILE" in text and "Maximum number of requests." in text and "[default: table]" in text
    )


def test_a_group_names_its_commands_without_importing_them() -> None:
    group = Commands("evaluation", "Evaluate.", {"rotate": "nowhere:rotate"})
    assert group.list_commands(click.Context(group)) == ["rotate"]
    assert group.get_command(click.Context(group), "other") is None
