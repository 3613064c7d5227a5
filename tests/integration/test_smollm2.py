"""The small language model that `make env-model` installs, asked for real: about twenty short prompts."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.predictions import predictions_of
from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.models.gguf import weights_of
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from divlogic.models.requests import requests_of
from divlogic.models.runner import run_model
from divlogic.models.store import ResponseStore
from tests.integration.beside import beside
from tests.unit.evaluation.samples import records

PYTHON = beside("local-model", "python", "DIVLOGIC_LOCAL_MODEL")

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="needs a served language model (make env-model)"),
]


@pytest.fixture(autouse=True)
def _served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIVLOGIC_LOCAL_MODEL", str(PYTHON))


def run(store: Path, prompt: str, instances: int, name: str = "smollm2-135m") -> list[Prediction]:
    rows = list(rotation_rows(records(instances), style_named(prompt), seed=1))
    model, sampling = ModelParameters(name=f"local/{name}"), SamplingParameters(max_tokens=16)
    with ResponseStore(store) as opened:
        run_model(rows, model, opened, runs=1, sampling=sampling, limits=LimitParameters(), seed=1)
        return list(predictions_of(list(requests_of(rows, model, 1, sampling)), opened.responses, "SmolLM2"))


def test_it_answers_and_says_the_same_again(tmp_path: Path) -> None:
    first = run(tmp_path / "store.jsonl", "zero_shot", 2)
    assert len(first) == 8
    # It says the first letter whatever stands under it, or an option in words, where no letter can be read.
    assert [prediction.predicted for prediction in first[:4]] == ["A"] * 4
    for prediction in first:
        lettered = prediction.answer[:2] in ("A.", "B.", "C.", "D.")
        assert prediction.predicted == (prediction.answer[0] if lettered else None)
        assert bool(prediction.logprobs) is lettered
        if prediction.logprobs:
            assert set(prediction.logprobs) <= set("ABCD")
            assert max(prediction.logprobs.values()) == prediction.logprobs[prediction.answer[0]]
    # Another process, another port, the same letters and the same log-probabilities.
    assert run(tmp_path / "again.jsonl", "zero_shot", 1) == first[:4]


def test_every_likelihood_is_readable(tmp_path: Path) -> None:
    answers = run(tmp_path / "store.jsonl", "likelihood", 2)
    assert len(answers) == 8
    for answer in answers:
        assert answer.logprobs is not None and set(answer.logprobs) == set("ABCD")
        assert answer.predicted == max(answer.logprobs, key=lambda letter: answer.logprobs[letter])


def test_an_answer_does_not_depend_on_what_was_asked_before(tmp_path: Path) -> None:
    """Of a prompt that was just answered the server reads one token anew, of others their end, of the first all."""
    alone = run(tmp_path / "alone.jsonl", "likelihood", 1)
    rows = [
        row
        for name in ("zero_shot", "likelihood")
        for row in rotation_rows(records(1), style_named(name), seed=1)
    ]
    model, sampling = ModelParameters(name="local/smollm2-135m"), SamplingParameters(max_tokens=16)
    with ResponseStore(tmp_path / "together.jsonl") as opened:
        run_model(rows, model, opened, runs=1, sampling=sampling, limits=LimitParameters(), seed=1)
        found = list(predictions_of(list(requests_of(rows, model, 1, sampling)), opened.responses, "SmolLM2"))
    assert [answer.logprobs for answer in found[4:]] == [answer.logprobs for answer in alone]


def test_a_torn_file_is_told(tmp_path: Path) -> None:
    torn = tmp_path / "torn.gguf"
    torn.write_bytes(weights_of("smollm2-135m").read_bytes()[:40_000_000])
    with pytest.raises(DivLogicError, match=r"torn\.gguf: the model could not be loaded .*file bounds"):
        run(tmp_path / "store.jsonl", "zero_shot", 1, str(torn))
