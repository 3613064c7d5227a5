"""The command line explains itself, and its errors are sentences."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import click
import pytest

from divlogic.cli import PEOPLE, PHASES, WORKFLOW, cli, main


@pytest.fixture
def divlogic(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["divlogic", *arguments])
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = stop.code
        return SimpleNamespace(returncode=status, **capsys.readouterr()._asdict())

    return run


def test_help_shows_what_people_call_before_the_steps_of_the_workflow(divlogic):
    lines = divlogic("--help").out.splitlines()
    heading = next(at for at, line in enumerate(lines) if line.startswith("Steps of the workflow"))
    for command in (
        "create",
        "evaluate",
        "audit",
        "benchmarks import",
        "benchmarks show",
        "report",
    ):
        assert any(line.startswith(f"  {command}  ") for line in lines[:heading]), command
    for phase in ("sentences", "prior_knowledge", "paper"):
        assert any(line.startswith(f"  {phase}  ") for line in lines[heading:]), phase


def test_help_has_one_line_of_less_than_80_columns_for_each_command(divlogic, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = divlogic("--help").out.splitlines()
    assert max(map(len, lines)) < 80
    for name, text in (PEOPLE | WORKFLOW).items():
        assert [line.split() for line in lines].count([*name.split(), *text.split()]) == 1, name


def test_every_command_that_the_help_names_exists():
    context = click.Context(cli)
    for words in map(str.split, PEOPLE | WORKFLOW):
        found = cli
        for word in words:
            found = found.get_command(context, word)
            assert found is not None, words


def test_every_step_explains_itself():
    context = click.Context(cli)
    for phase in PHASES:
        group = cli.get_command(context, phase)
        # `divlogic report` is one step by itself.
        steps = {name: group.get_command(context, name) for name in getattr(group, "commands", ())}
        for name, command in (steps or {phase: group}).items():
            assert command.help, f"{phase} {name}"
            options = [option for option in command.params if isinstance(option, click.Option)]
            assert [option.name for option in options if not option.help] == [], f"{phase} {name}"


def test_a_problem_is_one_sentence_and_exit_status_1(divlogic, tmp_path):
    done = divlogic("benchmarks", "show", "--in", str(tmp_path / "absent.jsonl"))
    assert done.returncode == 1
    assert done.err.startswith("divlogic: ") and "absent.jsonl" in done.err
    assert done.err.count("\n") == 1


def test_a_wrong_parameter_is_one_sentence(divlogic, monkeypatch, tmp_path):
    (tmp_path / "params.yaml").write_text("sede: 3\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = divlogic("config", "check")
    said = "divlogic: params.yaml: unknown parameter 'sede'; did you mean 'seed'?\n"
    assert (done.returncode, done.err) == (1, said)


@pytest.mark.parametrize(
    ("given", "meant"), [("benchmrk", "benchmarks"), ("evaluation scor", "score")]
)
def test_the_nearest_command_is_named(divlogic, given, meant):
    done = divlogic(*given.split())
    assert done.returncode == 2
    assert f"No such command '{given.split()[-1]}'." in done.err
    assert "Did you mean" in done.err and f"'{meant}'" in done.err


def test_an_unknown_key_of_a_models_entry_is_named_with_what_is_known_there(divlogic):
    given = '{"evaluation": {"models": [{"name": "baseline/uniform", "samplin": 1, "zzz": 2}]}}'
    said = divlogic("config", "check", "--params", given).err
    assert "'evaluation.models.0.samplin'; did you mean 'sampling'?" in said
    assert "'evaluation.models.0.zzz'; known are name, label" in said


def test_every_unknown_name_is_said_at_once_with_the_nearest(divlogic):
    given = """{"sed": 3, "evaluation": {"models": [{"name": "baseline/unifrom"}, {"name": "baseline/majorty"}],
      "benchmarks": ["logicnil"], "prompts": ["zero_shto"]}}"""
    said = divlogic("config", "check", "--params", given).err
    near = ("baseline/uniform", "baseline/majority", "logicnli", "zero_shot", "seed")
    assert not [name for name in near if f"did you mean '{name}'?" not in said]


def test_the_check_names_a_model_that_cannot_be_asked(divlogic):
    done = divlogic(
        "config", "check", "--params", '{"evaluation": {"models": [{"name": "nobody/has-it"}]}}'
    )
    assert done.returncode == 1
    assert "the model 'nobody/has-it' cannot be used" in done.err


def test_a_model_that_cannot_be_asked_is_named_beside_what_is_not_allowed(divlogic):
    given = """{"sede": 3, "evaluation": {"prompt": [], "models": [{"label": "nameless"}, {"name": "nobody/has-it"},
      {"name": "nobody/withdrew", "withdrawn": true}]}}"""
    said = divlogic("config", "check", "--params", given).err
    named = (
        "'sede'",
        "'evaluation.prompt'",
        "'evaluation.models.0.name'",
        "the model 'nobody/has-it' cannot",
    )
    assert [part for part in named if part not in said] == []
    assert "withdrew" not in said


def test_parameters_may_come_as_json(divlogic):
    assert "seed: 5\n" in divlogic("config", "check", "--full", "--params", '{"seed": 5}').out


def test_a_reader_that_has_seen_enough_is_no_error():
    code = f"{sys.executable} -m divlogic.cli corpora list | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {code}"], capture_output=True, text=True
    )
    assert done.stderr == ""
