"""The wording of the prompts: what a model is shown for one rotation of one instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from divlogic.models.answers import Letters
from divlogic.models.letters import LETTERS, OPTIONS, option_at, position_of
from divlogic.models.styles import PromptStyle
from divlogic.records import Record

INSTRUCTION = Letters(OPTIONS).instruction()
"""DivLogicEval, Appendix F."""

LETTER_ALONE = "Reply with the letter of the right option alone: A, B, C or D."
"""What likelihood scoring asks for: the next token is the letter."""

NO_LOGIC = "Please try your best to answer correctly without performing any logical reasoning."
"""The addition of the NoLR prompt: DivLogicEval, Section 3.1."""


@dataclass(frozen=True)
class ParsedPrompt:
    """A prompt taken apart again: what the baselines, which see what any model sees, work on.

    ``lettered``: the options stand under letters, and an answer is a letter; else they are labels to be said.
    """

    context: str
    question: str
    options: tuple[str, ...]
    lettered: bool = True


def render(record: Record, style: PromptStyle, rotation: int, examples: Sequence[Record] = ()) -> str:
    """Word one rotation as the text of one user message.

    Instruction, examples and the instance are set apart by blank lines; within an instance the content, the
    question and each option take one line. An example ends with its answer in the form asked for.
    """
    instruction = LETTER_ALONE if style.likelihood else INSTRUCTION
    if style.no_logic:
        instruction = f"{instruction} {NO_LOGIC}"
    blocks = [instruction]
    for example in examples[: style.shots]:
        assert example.answer is not None
        blocks.append(f"{_instance(example, style, 0)}\nAnswer: {LETTERS[example.answer]}")
    blocks.append(_instance(record, style, rotation))
    return "\n\n".join(blocks)


def gold_letter(record: Record, rotation: int) -> str:
    """Return the letter at which the gold option stands in ``rotation``."""
    assert record.answer is not None
    return LETTERS[position_of(record.answer, rotation)]


def parse_prompt(text: str) -> ParsedPrompt | None:
    """Take the last instance of a rendered prompt apart; ``None`` for a text of another form."""
    lines = text.rpartition("\n\n")[2].split("\n")
    options, before = lines[-len(LETTERS) :], lines[: -len(LETTERS)]
    heads = tuple(f"{letter}. " for letter in LETTERS)
    if len(before) not in (1, 2) or not all(map(str.startswith, options, heads)):
        return None
    bare = tuple(option.removeprefix(head) for option, head in zip(options, heads, strict=True))
    return ParsedPrompt(before[0] if len(before) == 2 else "", before[-1], bare)


def _instance(record: Record, style: PromptStyle, rotation: int) -> str:
    lines = [_one_line(record.context)] if style.context and record.context.strip() else []
    lines.append(_one_line(record.question))
    for position, letter in enumerate(LETTERS):
        lines.append(f"{letter}. {_one_line(record.options[option_at(position, rotation)])}")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    """Fold a text to one line, so that lines and blank lines keep their meaning in a prompt."""
    return " ".join(text.split())
