"""Our wording of the prompts for closed questions, with and without their context."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.models.prompts import ParsedPrompt
from divlogic.records import Record


@dataclass(frozen=True)
class LabelStyle:
    """How a closed question is put to a model.

    Attributes:
        name: what the style is called.
        context: whether the context is shown.
        shots: solved examples per answer (or question type) shown first.
        reasoning: whether the model may think before it answers.
    """

    name: str
    context: bool
    shots: int = 0
    reasoning: bool = False


STYLES = {
    style.name: style
    for style in (
        LabelStyle("question_only", context=False),
        LabelStyle("question_only_few_shot", context=False, shots=1),
        LabelStyle("zero_shot", context=True),
        LabelStyle("few_shot", context=True, shots=1),
        LabelStyle("chain_of_thought", context=True, reasoning=True),
    )
}

_WITHOUT_CONTEXT = (
    "The passage that belongs to the following question is not shown. Choose the answer that you hold to be the most"
    " likely one all the same."
)
_WITH_CONTEXT = (
    "Answer the question by the passage alone: take every sentence of it to be true, however odd it sounds, and use"
    " nothing that you know besides."
)
_LABELS = (
    "Say 'True' if the statement follows from the passage, 'False' if its opposite follows, and 'Uncertain' if neither"
    " does."
)
_SHORT = "Reply with one line: 'Answer:' and the chosen answer, nothing else."
_LONG = "Think step by step first. Then close with one line: 'Answer:' and the chosen answer."
_PASSAGE, _STATEMENT, _QUESTION, _ANSWERS = "Passage: ", "Statement: ", "Question: ", "Possible answers: "
_TRUTH = frozenset(("true", "false", "uncertain", "unknown"))


def render(record: Record, style: LabelStyle, examples: Sequence[Record] = ()) -> str:
    """Word a question as the text of one user message: instruction, examples, question, each set apart."""
    parts = [_WITH_CONTEXT if style.context else _WITHOUT_CONTEXT]
    if style.context and is_truth(record):
        parts.append(_LABELS)
    parts.append(_LONG if style.reasoning else _SHORT)
    blocks = [" ".join(parts)]
    for example in examples:
        assert example.answer is not None
        blocks.append(f"{_question(example, style)}\nAnswer: {_shown(example, example.answer)}")
    blocks.append(_question(record, style))
    return "\n\n".join(blocks)


def parse_closed_prompt(text: str) -> ParsedPrompt | None:
    """Take the last question of a rendered prompt apart; ``None`` for a text of another form."""
    lines = text.rpartition("\n\n")[2].split("\n")
    context = lines.pop(0).removeprefix(_PASSAGE) if lines[0].startswith(_PASSAGE) else ""
    heads = [head for head in (_STATEMENT, _QUESTION) if lines and lines[0].startswith(head)]
    if not heads or len(lines) < 2:
        return None
    question, listed = lines[0].removeprefix(heads[0]), lines[1:]
    if len(listed) == 1 and listed[0].startswith(_ANSWERS):
        labels = tuple(listed[0].removeprefix(_ANSWERS).split(", "))
        return ParsedPrompt(context, question, labels, lettered=False)
    if not all(line.startswith(f"{letter}. ") for line, letter in zip(listed, ascii_uppercase, strict=False)):
        return None
    return ParsedPrompt(context, question, tuple(line[3:] for line in listed))


def is_truth(record: Record) -> bool:
    """Tell whether the options are truth labels."""
    return {option.casefold() for option in record.options} <= _TRUTH


def lettered(record: Record) -> bool:
    """Tell whether the options are texts of their own, which are listed under letters, and not labels."""
    return len(record.options) <= 26 and any(" " in option for option in record.options)


def examples_for(
    records: Sequence[Record], pool: Sequence[Record], style: LabelStyle, seed: int
) -> tuple[Record, ...]:
    """Draw the solved examples of a style from the training part: ``shots`` for each label (or question type).

    Raises:
        DivLogicError: the pool is empty, or the questions that are asked are in it.
    """
    if not style.shots:
        return ()
    asked = {record.id for record in records}
    by_kind: dict[str, list[Record]] = defaultdict(list)
    for record in pool:
        if record.answer is not None and record.id not in asked:
            kind = record.options[record.answer] if not lettered(record) else record.question_type or ""
            by_kind[kind].append(record)
    if not by_kind:
        raise DivLogicError(
            f"the prompt '{style.name}' shows solved examples, but no training record is left to draw them from; name a"
            " file of other records with --pool."
        )
    # Many labels (CLUTRR has 18) would fill the prompt: four kinds are shown at most.
    rng = np.random.default_rng(np.random.SeedSequence([seed, len(by_kind)]))
    kinds = sorted(by_kind)
    kinds = [kinds[i] for i in sorted(rng.permutation(len(kinds))[:4])]
    drawn = []
    for kind in kinds:
        listed = sorted(by_kind[kind], key=lambda record: record.id)
        drawn += [listed[i] for i in rng.permutation(len(listed))[: style.shots]]
    return tuple(drawn[i] for i in rng.permutation(len(drawn)))


def _question(record: Record, style: LabelStyle) -> str:
    lines = []
    if style.context and record.context.strip():
        lines.append(f"{_PASSAGE}{_one_line(record.context)}")
    lines.append(f"{_STATEMENT if is_truth(record) else _QUESTION}{_one_line(record.question)}")
    if lettered(record):
        lines += [f"{chr(65 + i)}. {_one_line(option)}" for i, option in enumerate(record.options)]
    else:
        lines.append(f"{_ANSWERS}{', '.join(record.options)}")
    return "\n".join(lines)


def _shown(record: Record, answer: int) -> str:
    return chr(65 + answer) if lettered(record) else record.options[answer]


def _one_line(text: str) -> str:
    return " ".join(text.split())
