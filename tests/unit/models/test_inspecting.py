"""What our Inspect tasks share."""

from __future__ import annotations

import asyncio

import pytest
import tiktoken
from inspect_ai.model import ModelAPI

from divlogic.models.inspecting import generate_config
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.runner import open_model


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tiktoken find no vocabulary, and undo what was done to Inspect's model."""
    from inspect_ai.model import get_model

    def fail(name: str) -> None:
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    mock = type(get_model("mockllm/model").api)
    monkeypatch.setattr(mock, "count_text_tokens", ModelAPI.count_text_tokens)


def test_inspects_model_without_a_provider_answers_a_task_without_a_network(no_network: None) -> None:
    from inspect_ai.model import get_model

    config = generate_config(SamplingParameters())
    output = asyncio.run(get_model("mockllm/model", memoize=False).generate("Which one?", config=config))
    assert output.usage is not None and output.usage.input_tokens > 0


def test_it_answers_the_workflow_without_a_network_too(no_network: None) -> None:
    output = asyncio.run(open_model(ModelParameters(name="mockllm/model")).generate("Which one?"))
    assert output.usage is not None and output.usage.input_tokens > 0
