"""The small language model that `make env-model` installs, asked for real: twenty short prompts."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.gguf import weights_of
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from divlogic.models.requests import read_responses
from divlogic.models.runs import RunSummary
from tests.integration.beside import ROOT, beside
from tests.unit.evaluation.samples import answered, rotations

PYTHON = beside("local-model", "python", "DIVLOGIC_LOCAL_MODEL")
LEARNER = beside("learner", "python", "DIVLOGIC_LEARNER")

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="needs a served language model (make env-model)"),
]


@pytest.fixture(autouse=True, scope="module")
def _served() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIVLOGIC_LOCAL_MODEL", str(PYTHON))
        yield


def run(
    store: Path, asked: dict[str, int], name: str = "smollm2-135m", **args: str
) -> dict[str, list[Prediction]]:
    """Ask the model some instances in each prompt style, as one run; return the answers by style."""
    rows = [row for prompt, instances in asked.items() for row in rotations(instances, prompt)]
    model, sampling = (
        ModelParameters(name=f"local/{name}", args=args),
        SamplingParameters(max_tokens=16),
    )
    _, found = answered(rows, model, store, sampling=sampling)
    return {prompt: [answer for answer in found if answer.prompt == prompt] for prompt in asked}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> list[Prediction]:
    return run(tmp_path_factory.mktemp("generated") / "store.sqlite", {"zero_shot": 2})["zero_shot"]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Prediction]]:
    """Each likelihood after the generated answer to the same text, by another process at another port."""
    return run(tmp_path_factory.mktemp("both") / "store.sqlite", {"zero_shot": 1, "likelihood": 1})


def test_it_answers_and_says_the_same_again(
    generated: list[Prediction], both: dict[str, list[Prediction]]
) -> None:
    assert len(generated) == 8
    # It says the first letter whatever stands under it, or an option in words, where no letter can be read.
    assert {prediction.predicted for prediction in generated} == {"A", None}
    for prediction in generated:
        assert prediction.answer is not None
        lettered = prediction.answer[:2] in ("A.", "B.", "C.", "D.")
        # Of an answer that the bound of tokens cut, nothing is read: it may have gone on to another letter.
        is_read = lettered and prediction.status != "cut"
        assert prediction.predicted == (prediction.answer[0] if is_read else None)
        assert bool(prediction.logprobs) is is_read
        if prediction.logprobs:
            assert set(prediction.logprobs) <= set("ABCD")
            assert max(prediction.logprobs.values()) == prediction.logprobs[prediction.answer[0]]
    assert both["zero_shot"] == generated[:4]


def test_an_answer_does_not_depend_on_what_was_asked_before(
    both: dict[str, list[Prediction]], tmp_path: Path
) -> None:
    """Of a prompt that was just answered the server reads one token anew, of others their end, of the first all."""
    alone = run(tmp_path / "store.sqlite", {"likelihood": 1})["likelihood"]
    assert alone == both["likelihood"]


def test_every_likelihood_is_readable(both: dict[str, list[Prediction]]) -> None:
    assert len(both["likelihood"]) == 4
    for answer in both["likelihood"]:
        assert answer.logprobs is not None and set(answer.logprobs) == set("ABCD")
        assert answer.predicted == max(answer.logprobs, key=lambda letter: answer.logprobs[letter])


needs_torch = pytest.mark.skipif(
    not LEARNER, reason="needs torch, transformers and gguf (make env-learner)"
)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({}, "file bounds"),
        pytest.param({"engine": "transformers"}, "fetch it again", marks=needs_torch),
    ],
)
def test_a_torn_file_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: dict[str, str], told: str
) -> None:
    monkeypatch.setenv("DIVLOGIC_LEARNER", str(LEARNER))
    torn = tmp_path / "torn.gguf"
    torn.write_bytes(weights_of("smollm2-135m").read_bytes()[:40_000_000])
    with pytest.raises(DivLogicError, match=rf"torn\.gguf: the model could not be loaded .*{told}"):
        run(tmp_path / "store.sqlite", {"zero_shot": 1}, str(torn), **args)


FIFTY = (
    "import sys, pathlib; from tests.integration.test_smollm2 import ask_fifty;"
    " ask_fifty(pathlib.Path(sys.argv[1]))"
)
"""A run of its own, which can be killed."""


def ask_fifty(store: Path) -> tuple[RunSummary, list[Prediction]]:
    model, sampling = ModelParameters(name="local/smollm2-135m"), SamplingParameters(max_tokens=4)
    return answered(rotations(13)[:50], model, store, sampling=sampling)


def answers_in(store: Path) -> int:
    return len(read_responses(store))


def test_a_run_of_fifty_questions_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    killed = tmp_path / "store.sqlite"
    reached = 0
    for some in (5, 20, 35):
        process = subprocess.Popen([sys.executable, "-c", FIFTY, str(killed)], cwd=ROOT)
        try:
            while answers_in(killed) < some:
                assert process.poll() is None, "the run ended before it could be killed"
                time.sleep(0.05)
        finally:
            process.kill()
            process.wait()
        # What was answered before the kill is there, and grows.
        assert reached < some <= (reached := answers_in(killed)) < 50
    done, found = ask_fifty(killed)
    assert (done.reused, done.answered, done.unanswered) == (reached, 50 - reached, 0)
    assert len(found) == 50
    done, _ = ask_fifty(killed)
    assert (done.reused, done.answered) == (50, 0)
