"""The wording of the prompts: what a model is shown for one rotation of one instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from divlogic.models.answers import Letters
from divlogic.models.letters import OPTIONS, option_at, position_of
from divlogic.models.styles import PromptStyle
from divlogic.records import Record

INSTRUCTION = Letters(OPTIONS).instruction()
"""DivLogicEval, Appendix F."""

_ALONE = "Reply with the letter of the right option alone: {} or {}."
LETTER_ALONE = _ALONE.format("A, B, C", "D")
"""What likelihood scoring asks for: the next token is the letter."""

NO_LOGIC = "Please try your best to answer correctly without performing any logical reasoning."
"""The addition of the NoLR prompt: DivLogicEval, Section 3.1."""


@dataclass(frozen=True)
class ParsedPrompt:
    """A prompt taken apart again: what the baselines, which see what any model sees, work on.

    ``lettered``: the options stand under letters, and an answer is a letter; else an answer is an option itself.
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
    instruction = instruction_of(len(record.options), style)
    if style.no_logic:
        instruction = f"{instruction} {NO_LOGIC}"
    blocks = [instruction]
    for example in examples[: style.shots]:
        assert example.answer is not None
        blocks.append(f"{_instance(example, style, 0)}\nAnswer: {ascii_uppercase[example.answer]}")
    blocks.append(_instance(record, style, rotation))
    return "\n\n".join(blocks)


def instruction_of(count: int, style: PromptStyle) -> str:
    """Return how an answer to a question with ``count`` options has to be given."""
    if not style.likelihood:
        return INSTRUCTION if count == OPTIONS else Letters(count).instruction()
    others, last = ascii_uppercase[: count - 1], ascii_uppercase[count - 1]
    return _ALONE.format(", ".join(others), last)


def gold_letter(record: Record, rotation: int) -> str:
    """Return the letter at which the gold option stands in ``rotation``."""
    assert record.answer is not None
    return ascii_uppercase[position_of(record.answer, rotation, len(record.options))]


def parse_prompt(text: str) -> ParsedPrompt | None:
    """Take the last instance of a rendered prompt apart; ``None`` for a text of another form."""
    lines = text.rpartition("\n\n")[2].split("\n")
    first = len(lines)
    # A passage or question may itself open with a letter and a full stop: the options are the last run from A on.
    for place in range(len(lines) - 2, 0, -1):
        if lines[place].startswith("A. "):
            first = place
            break
    options, before = lines[first:], lines[:first]
    heads = tuple(f"{letter}. " for letter in ascii_uppercase[: len(options)])
    if len(options) < 2 or len(before) not in (1, 2) or not all(map(str.startswith, options, heads)):
        return None
    bare = tuple(option.removeprefix(head) for option, head in zip(options, heads, strict=True))
    return ParsedPrompt(before[0] if len(before) == 2 else "", before[-1], bare)


def _instance(record: Record, style: PromptStyle, rotation: int) -> str:
    lines = [_one_line(record.context)] if style.context and record.context.strip() else []
    lines.append(_one_line(record.question))
    count = len(record.options)
    for position, letter in enumerate(ascii_uppercase[:count]):
        lines.append(f"{letter}. {_one_line(record.options[option_at(position, rotation, count)])}")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    """Fold a text to one line, so that lines and blank lines keep their meaning in a prompt."""
    return " ".join(text.split())
