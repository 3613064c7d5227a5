"""The prompt styles by name; apart from their wording, so that reading the parameters costs nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PromptStyle:
    """How an instance is put to a model.

    Attributes:
        name: what the style is called in parameters, predictions and tables.
        shots: solved examples shown first.
        no_logic: ask not to reason logically (Table 3).
        context: show the content; without it only what the model knew before can help.
    """

    name: str
    shots: int = 0
    no_logic: bool = False
    context: bool = True


STYLES = {
    style.name: style
    for style in (
        PromptStyle("zero_shot"),
        PromptStyle("three_shot", shots=3),
        PromptStyle("zero_shot_nolr", no_logic=True),
        PromptStyle("three_shot_nolr", shots=3, no_logic=True),
        PromptStyle("question_only", context=False),
    )
}
