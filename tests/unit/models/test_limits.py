"""The bounds that a run has by itself, by where its server is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.cli import cli
from divlogic.models.asking import AskingOptions
from divlogic.models.limits import is_local, limits_for
from divlogic.models.parameters import LimitParameters, ModelParameters


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:8080/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://127.8.9.1:1/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://0.0.0.0:8000/v1", True),
        ("localhost:8080/v1", True),
        ("http://user:word@localhost/v1", True),
        ("https://api.example.org/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://10.0.0.1/v1", False),
        ("http://[broken/v1", False),
        ("", False),
    ],
)
def test_an_address_of_this_machine_is_known(address: str, local: bool) -> None:
    assert is_local(address) is local


def test_a_server_on_this_machine_gets_one_request_at_a_time_and_ten_minutes() -> None:
    near = limits_for(
        ModelParameters(name="compatible/n", base_url="http://localhost:1/v1"), LimitParameters()
    )
    far = limits_for(ModelParameters(name="openai/gpt-4o"), LimitParameters())
    assert (near.concurrency, near.timeout) == (1, 600)
    assert (far.concurrency, far.timeout) == (16, 120)


def test_the_address_of_the_environment_counts_for_compatible_models_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIVLOGIC_BASE_URL", "http://127.0.0.1:8080/v1")
    assert limits_for(ModelParameters(name="compatible/n"), LimitParameters()).concurrency == 1
    assert limits_for(ModelParameters(name="openai/gpt-4o"), LimitParameters()).concurrency == 16


def test_what_is_given_overrides_what_fits_by_itself() -> None:
    model = ModelParameters(name="compatible/n", base_url="http://localhost:1/v1")
    given = limits_for(
        model, AskingOptions("n", Path("s.sqlite"), concurrency=4).limits(LimitParameters(timeout=5))
    )
    assert (given.concurrency, given.timeout) == (4, 5)


@pytest.mark.parametrize(
    "command",
    [
        "run rotations.jsonl.gz --store store.sqlite",
        "ask justlogic --in a.jsonl --pool b.jsonl --store s.sqlite --out o.jsonl",
    ],
)
def test_the_command_line_overrides_the_limits_of_the_parameters(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def keep(*_: object, limits: LimitParameters, **__: object) -> list[object]:
        seen.append((limits.concurrency, limits.timeout, limits.attempts))
        return []

    monkeypatch.setattr("divlogic.evaluation.rotated.ask", keep)
    monkeypatch.setattr("divlogic.evaluation.asked.ask", keep)
    monkeypatch.setattr("divlogic.evaluation.asked.write_predictions", lambda *_: None)
    monkeypatch.setattr("divlogic.evaluation.asked.read_questions", lambda *_, **__: [])
    given = [
        *command.split(),
        "--model",
        "compatible/x",
        "--params",
        '{"evaluation": {"limits": {"attempts": 2}}}',
    ]
    for flags in ([], ["--concurrency", "3", "--timeout", "7.5"]):
        result = CliRunner().invoke(cli, ["evaluation", *given, *flags])
        assert result.exit_code == 0, result.output
    assert seen == [(None, None, 2), (3, 7.5, 2)]
