"""Our wording of the prompts for closed questions, with and without their context."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from string import ascii_uppercase

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.models.answers import (
    CHOSEN_ANSWER,
    CHOSEN_ANSWER_AFTER_REASONING,
    FormOf,
    Labels,
    Letters,
    format_of,
)
from divlogic.models.prompts import ParsedPrompt
from divlogic.models.styles import PromptStyle
from divlogic.records import Record

_WITHOUT_CONTEXT = (
    "The passage that belongs to the following question is not shown. Choose the answer that you hold to be the most"
    " likely one all the same."
)
_WITH_CONTEXT = (
    "Answer the question by the passage alone: take every sentence of it to be true, however odd it sounds, and use"
    " nothing that you know besides."
)
_PASSAGE, _STATEMENT, _QUESTION, _ANSWERS = "Passage: ", "Statement: ", "Question: ", "Possible answers: "


def render(
    record: Record, style: PromptStyle, examples: Sequence[Record] = (), form_of: FormOf = format_of
) -> str:
    """Word a question as the text of one user message: instruction, examples, question, each set apart."""
    parts = [_WITH_CONTEXT if style.context else _WITHOUT_CONTEXT]
    form = form_of(record)
    if style.context and isinstance(form, Labels) and form.hint:
        parts.append(form.hint)
    # All closed questions ask for the answer in the same words, those with letters too.
    parts.append(CHOSEN_ANSWER_AFTER_REASONING if style.reasoning else CHOSEN_ANSWER)
    blocks = [" ".join(parts)]
    for example in examples:
        assert example.answer is not None
        shape = form_of(example)
        blocks.append(f"{_question(example, style, shape)}\nAnswer: {shape.shown(example.answer)}")
    blocks.append(_question(record, style, form))
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


def examples_for(
    records: Sequence[Record],
    pool: Sequence[Record],
    style: PromptStyle,
    seed: int,
    form_of: FormOf = format_of,
) -> tuple[Record, ...]:
    """Draw the solved examples of a style from the training part, ``shots_per_answer`` for each label or question type.

    Raises:
        DivLogicError: the pool is empty, or the questions that are asked are in it.
    """
    if not style.shots_per_answer:
        return ()
    asked = {record.id for record in records}
    by_kind: dict[str, list[Record]] = defaultdict(list)
    for record in pool:
        if record.answer is not None and record.id not in asked:
            labelled = isinstance(form_of(record), Labels)
            kind = record.options[record.answer] if labelled else record.question_type or ""
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
        drawn += [listed[i] for i in rng.permutation(len(listed))[: style.shots_per_answer]]
    return tuple(drawn[i] for i in rng.permutation(len(drawn)))


def _question(record: Record, style: PromptStyle, form: Letters | Labels) -> str:
    lines = []
    if style.context and record.context.strip():
        lines.append(f"{_PASSAGE}{_one_line(record.context)}")
    truth = isinstance(form, Labels) and form.hint
    lines.append(f"{_STATEMENT if truth else _QUESTION}{_one_line(record.question)}")
    lines += form.listing([_one_line(option) for option in record.options])
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())
