"""Inspect: logs of a run, and what our tasks share."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import tiktoken
from inspect_ai.log import EvalError, read_eval_log, write_eval_log
from inspect_ai.model import ModelAPI, get_model

from divlogic.models.asking import stored_answers
from divlogic.models.inspect_asking import Asker
from divlogic.models.inspecting import write_inspect_logs
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from divlogic.models.recordings.formats import Recording, predictions_in
from divlogic.models.requests import Response, requests_of
from divlogic.models.runner import open_model
from tests.unit.evaluation.samples import predictions_of, rotations


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tiktoken find no vocabulary, and undo what was done to Inspect's model."""

    def fail(name: str) -> None:
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    mock = type(get_model("mockllm/model").api)
    monkeypatch.setattr(mock, "count_text_tokens", ModelAPI.count_text_tokens)


MODEL, SAMPLING = ModelParameters(name="compatible/fake"), SamplingParameters()


@pytest.mark.parametrize("of_the_workflow", [False, True])
def test_inspects_model_without_a_provider_answers_without_a_network(
    no_network: None, of_the_workflow: bool
) -> None:
    if of_the_workflow:
        asked = open_model(ModelParameters(name="mockllm/model")).generate("Which one?")
    else:
        Asker(SAMPLING)
        asked = get_model("mockllm/model", memoize=False).generate("Which one?")
    output = asyncio.run(asked)
    assert output.usage is not None and output.usage.input_tokens > 0


def write_logs(requests: list[Any], responses: dict[str, Response], folder: Path) -> list[Path]:
    answers = list(stored_answers(requests, responses))
    return write_inspect_logs(answers, folder, model=MODEL, sampling=SAMPLING)


def read(path: Path, note: Any = pytest.fail) -> list[Prediction]:
    with patch("divlogic.models.recordings.formats.say", note):
        return list(predictions_in(Recording(str(path), "inspect"), pytest.fail))


def test_a_log_read_back_gives_the_predictions_of_the_run(tmp_path: Path) -> None:
    rows = [*rotations(), *rotations(3, "question_only")]
    requests = list(requests_of(rows, MODEL, 2, SAMPLING))
    texts = ["Answer: A", "B", "who knows?", ""]
    responses = {
        request.key: Response(
            request.key, "fake", request.run, texts[n % 4], "stop", 5, 2, {"A": -0.5}
        )
        for n, request in enumerate(requests)
    }
    paths = write_logs(requests, responses, tmp_path / "logs")
    assert [path.name for path in paths] == [
        "divlogiceval-zero_shot.eval",
        "divlogiceval-question_only.eval",
    ]
    found = [p for path in paths for p in read(path)]
    given = predictions_of(requests, responses, "compatible/fake")
    wanted = [replace(p, logprobs=None, question="") for p in given]
    assert sorted(found, key=repr) == sorted(wanted, key=repr)


def test_questions_without_an_answer_are_left_out_and_the_log_is_replaced(tmp_path: Path) -> None:
    requests = list(requests_of(rotations(1), MODEL, 1, SAMPLING))
    assert write_inspect_logs([], tmp_path, model=MODEL, sampling=SAMPLING) == []
    responses = {requests[0].key: Response(requests[0].key, "fake", 0, "A", "stop")}
    for _ in range(2):
        (path,) = write_logs(requests, responses, tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    assert len(read(path)) == 1


def test_a_sample_that_failed_without_a_message_is_told_and_passed_over(tmp_path: Path) -> None:
    rows = rotations(1)
    requests = list(requests_of(rows, MODEL, 1, SAMPLING))
    responses = {request.key: Response(request.key, "fake", 0, "A", "stop") for request in requests}
    (path,) = write_logs(requests, responses, tmp_path)
    log = read_eval_log(str(path))
    assert log.samples
    log.samples[0].error = EvalError(message="", traceback="", traceback_ansi="")
    write_eval_log(log, str(path), format="eval")
    notes: list[str] = []
    assert len(read(path, notes.append)) == len(rows) - 1
    assert len(notes) == 1 and notes[0].endswith("has no answer (an error without a message)")
