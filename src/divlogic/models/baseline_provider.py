"""The baselines as Inspect models."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.models.baseline_run import complete, read_prompt
from divlogic.models.baselines import build
from divlogic.models.inspecting import shown_errors
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
        completion = complete(self._answerer, text, read_prompt(text), config.seed)
        return ModelOutput.from_content(f"baseline/{self.model_name}", completion)
