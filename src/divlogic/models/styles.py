"""The prompt styles by name; apart from their wording, so that reading the parameters costs nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PromptStyle:
    """How an instance is put to a model.

    Attributes:
        shots: solved examples shown first, altogether.
        shots_per_answer: solved examples shown first for each possible answer (or question type).
        no_logic: ask not to reason logically (DivLogicEval, Table 3).
        context: show the context; without it only what the model knew before can help.
        likelihood: take the letter that the model holds to be the likeliest next token, instead of a generated answer.
    """

    name: str
    shots: int = 0
    shots_per_answer: int = 0
    no_logic: bool = False
    context: bool = True
    reasoning: bool = False
    likelihood: bool = False

    @property
    def has_examples(self) -> bool:
        return bool(self.shots or self.shots_per_answer)


_ZERO_SHOT = PromptStyle("zero_shot")
_QUESTION_ONLY = PromptStyle("question_only", context=False)

ROTATED = {
    style.name: style
    for style in (
        _ZERO_SHOT,
        PromptStyle("three_shot", shots=3),
        PromptStyle("zero_shot_nolr", no_logic=True),
        PromptStyle("three_shot_nolr", shots=3, no_logic=True),
        _QUESTION_ONLY,
        PromptStyle("likelihood", likelihood=True),
    )
}
"""Styles of rotated multiple-choice instances."""

CLOSED = {
    style.name: style
    for style in (
        _QUESTION_ONLY,
        PromptStyle("question_only_few_shot", context=False, shots_per_answer=1),
        _ZERO_SHOT,
        PromptStyle("few_shot", shots_per_answer=1),
        PromptStyle("chain_of_thought", reasoning=True),
    )
}
"""Styles of questions that are asked once, with the options in their own order."""

WITH_CONTEXT = tuple(name for name, style in CLOSED.items() if style.context)
"""Of these, the styles that show the context."""

STYLES = ROTATED | CLOSED
"""All prompt styles."""
