"""What a newcomer gets wrong is told in one sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.cli import group
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from tests.integration.fault_server import serving
from tests.support import call, cases
from tests.unit.evaluation.samples import records

cli = group("evaluation")

pytestmark = pytest.mark.integration


@pytest.fixture()
def rotations(tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "test.jsonl", (record.to_json() for record in records(3)))
    out = tmp_path / "rotations.jsonl"
    call(cli, f"rotate --in {tmp_path}/test.jsonl --prompt zero_shot --out {out}", {})
    return out


def told(rotations: Path, words: str) -> str:
    with pytest.raises(DivLogicError) as error:
        call(cli, f"run {rotations} --store {rotations.with_name('store.sqlite')} {words}", {})
    return str(error.value)


@pytest.mark.parametrize(("model", "sentences"), cases(__file__, "models"))
def test_a_model_that_cannot_be_asked_is_told(
    rotations: Path, model: str, sentences: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DIVLOGIC_BASE_URL", raising=False)
    message = told(rotations, f"--model {model}")
    assert [sentence for sentence in sentences if sentence not in message] == []
    assert "[bold]" not in message and "lambda" not in message


def test_a_package_that_is_missing_is_named(rotations: Path) -> None:
    pytest.importorskip("inspect_ai")
    message = told(rotations, "--model mistral/large")
    assert "pip install mistralai" in message and "[bold]" not in message


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "Set the right key in the environment (DIVLOGIC_API_KEY"),
        (404, "Correct the server's address"),
    ],
)
def test_what_helps_is_said_when_a_server_refuses(
    rotations: Path, status: int, advice: str
) -> None:
    with serving(lambda handler, *_: handler.reply(status, b"no")) as (address, _):
        assert advice in told(rotations, f"--model compatible/x --base-url {address}")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda row: {**row, "options": row["options"][:1], "answer": 0}, "d-1.* has 1 option"),
        (lambda row: {**row, "id": "d-0"}, "is duplicated"),
        (lambda row: {**row, "answer": 7}, "the answer 7 is not an index of the 4 options"),
        (lambda row: {**row, "answer": None}, "has no answer"),
    ],
)
def test_a_record_that_cannot_be_rotated_is_told_with_its_file(
    tmp_path: Path, change: object, sentence: str
) -> None:
    rows = [record.to_json() | {"id": f"d-{n}"} for n, record in enumerate(records(3))]
    path = tmp_path / "test.jsonl"
    write_jsonl(path, [rows[0], change(rows[1]), rows[2]])  # type: ignore[operator]
    with pytest.raises(DivLogicError, match=sentence) as error:
        call(cli, f"rotate --in {path} --prompt zero_shot --out {tmp_path}/out.jsonl", {})
    assert str(path) in str(error.value)
    assert not (tmp_path / "out.jsonl").exists()


def test_a_question_that_comes_twice_is_told_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "twice.jsonl"
    write_jsonl(path, [record.to_json() for record in records(2)] * 2)
    files = f"--in {path} --pool {path} --store {tmp_path}/s.sqlite --out {tmp_path}/out.jsonl"
    with pytest.raises(DivLogicError, match=r"twice\.jsonl: the id .* is duplicated"):
        call(cli, f"ask justlogic {files} --model baseline/uniform", {})
