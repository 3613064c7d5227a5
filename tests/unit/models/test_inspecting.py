"""What our Inspect tasks share."""

from __future__ import annotations

import asyncio

import pytest
import tiktoken

from divlogic.models.inspecting import generate_config
from divlogic.models.parameters import SamplingParameters


def test_inspects_model_without_a_provider_answers_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    from inspect_ai.model import get_model

    def no_network(name: str) -> None:
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", no_network)
    config = generate_config(SamplingParameters())
    output = asyncio.run(get_model("mockllm/model", memoize=False).generate("Which one?", config=config))
    assert output.usage is not None and output.usage.input_tokens > 0
