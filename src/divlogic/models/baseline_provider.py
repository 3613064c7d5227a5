"""The baselines as Inspect models."""

from __future__ import annotations

import hashlib
from string import ascii_uppercase
from typing import Any

import numpy as np
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.models.baselines import build
from divlogic.models.closed_prompts import parse_closed_prompt
from divlogic.models.inspecting import shown_errors
from divlogic.models.prompts import parse_prompt
from divlogic.models.provider import OneAttemptAPI


@modelapi(name="baseline")
class BaselineAPI(OneAttemptAPI):
    """Inspect provider of the baselines."""

    def __init__(self, model_name: str, **given: Any) -> None:
        super().__init__(model_name, **given)
        with shown_errors():
            self._answerer = build(model_name, self.arguments)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        text = input[-1].text
        prompt = parse_closed_prompt(text) or parse_prompt(text)
        chosen = self._answerer.choose(prompt, _generator(text, config.seed)) if prompt else None
        if prompt is None or chosen is None:
            said = "I cannot read this question."
        else:
            said = f"Answer: {ascii_uppercase[chosen] if prompt.lettered else prompt.options[chosen]}"
        return ModelOutput.from_content(f"baseline/{self.model_name}", said)


def _generator(text: str, seed: int | None) -> np.random.Generator:
    """Return a generator that depends on prompt and run alone, not on the order in which prompts come."""
    word = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng([seed or 0, word])
