"""A model that cannot be asked is reported before the first job."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from divlogic.models.parameters import ModelParameters
from divlogic.models.ready import unusable_models


@pytest.fixture
def listening() -> Iterator[str]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The address of a server that does not answer, with credentials; nobody else gets its port meanwhile."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        monkeypatch.setenv(
            "DIVLOGIC_BASE_URL", f"http://user:word@127.0.0.1:{server.getsockname()[1]}/v1"
        )
        yield


def test_what_can_be_asked_is_no_problem(listening: str, tmp_path: Path) -> None:
    served = ModelParameters(name="compatible/x", base_url=listening)
    assert unusable_models([ModelParameters(name="baseline/uniform"), served], tmp_path) == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody/gpt", "not recognized"),
        ("compatible/x", "has no address"),
        ("local/missing.gguf", "missing.gguf"),
        ("openai/gpt-4o", "openai"),
    ],
)
def test_a_wrong_name_a_missing_key_file_or_address_is_told(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("DIVLOGIC_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    (problem,) = unusable_models([ModelParameters(name=name, label="mine")], tmp_path)
    assert problem.startswith("mine: ") and sentence in problem


@pytest.mark.parametrize(
    "address", ["http://localhost:99999/v1", "http://localhost:port/v1", "http://[::1/v1"]
)
def test_an_address_that_is_none_is_told_wherever_it_stands(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValidationError, match=r"Port|URL"):
        ModelParameters(name="compatible/x", base_url=address)
    monkeypatch.setenv("DIVLOGIC_BASE_URL", address)
    (problem,) = unusable_models([ModelParameters(name="compatible/x")], tmp_path)
    assert "the address of 'compatible/x' is not valid" in problem


@pytest.mark.usefixtures("closed")
def test_a_server_that_does_not_answer_is_told_unless_the_answers_are_there(tmp_path: Path) -> None:
    model = ModelParameters(name="compatible/x")
    (problem,) = unusable_models([model], tmp_path)
    assert "no connection to its server (127.0.0.1:" in problem and "word" not in problem
    assert unusable_models([model], tmp_path, reach=False) == []
    (tmp_path / "compatible-x.jsonl").write_text("", encoding="utf-8")
    assert unusable_models([model], tmp_path) == []
