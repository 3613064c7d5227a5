"""The wording of the prompts: what a model is shown, and how a prompt is taken apart again."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.models import answers as forms
from divlogic.models.letters import option_at, position_of
from divlogic.models.styles import PromptStyle
from divlogic.records import Record, one_line

_LETTER_ALONE = "Reply with the letter of the right option alone: {} or {}."
"""What likelihood scoring asks for: the next token is the letter."""

NO_LOGIC = "Please try your best to answer correctly without performing any logical reasoning."
"""The addition of the NoLR prompt: DivLogicEval, Section 3.1."""

_WITHOUT_CONTEXT = (
    "The passage that belongs to the following question is not shown. Choose the answer that you hold to be the most"
    " likely one all the same."
)
_WITH_CONTEXT = (
    "Answer the question by the passage alone: take every sentence of it to be true, however odd it sounds, and use"
    " nothing that you know besides."
)
_PASSAGE, _STATEMENT, _QUESTION, _ANSWERS = (
    "Passage: ",
    "Statement: ",
    "Question: ",
    "Possible answers: ",
)


@dataclass(frozen=True)
class ParsedPrompt:
    """A prompt taken apart again: what the baselines, which see what any model sees, work on.

    ``lettered``: the options stand under letters, and an answer is a letter; else an answer is an option itself.
    """

    context: str
    question: str
    options: tuple[str, ...]
    lettered: bool = True


def render_rotation(
    record: Record, style: PromptStyle, rotation: int, examples: Sequence[Record] = ()
) -> str:
    """Word one rotation as the text of one user message.

    Instruction, examples and the instance are set apart by blank lines; within an instance the content, the
    question and each option take one line. An example ends with its answer in the form asked for.
    """
    count = len(record.options)
    instruction = forms.Letters(count).instruction()
    if style.likelihood:
        instruction = _LETTER_ALONE.format(
            ", ".join(ascii_uppercase[: count - 1]), ascii_uppercase[count - 1]
        )
    blocks = [f"{instruction} {NO_LOGIC}" if style.no_logic else instruction]
    for example in examples[: style.shots]:
        assert example.answer is not None
        blocks.append(f"{_instance(example, style, 0)}\nAnswer: {ascii_uppercase[example.answer]}")
    blocks.append(_instance(record, style, rotation))
    return "\n\n".join(blocks)


def gold_letter(record: Record, rotation: int) -> str:
    """Return the letter at which the gold option stands in ``rotation``."""
    assert record.answer is not None
    return ascii_uppercase[position_of(record.answer, rotation, len(record.options))]


def render_closed(
    record: Record,
    style: PromptStyle,
    examples: Sequence[Record] = (),
    form_of: forms.FormOf = forms.format_of,
) -> str:
    """Word a question as the text of one user message: instruction, examples, question, each set apart."""
    parts = [_WITH_CONTEXT if style.context else _WITHOUT_CONTEXT]
    form = form_of(record)
    if style.context and isinstance(form, forms.Labels) and form.hint:
        parts.append(form.hint)
    # All closed questions ask for the answer in the same words, those with letters too.
    parts.append(forms.CHOSEN_ANSWER_AFTER_REASONING if style.reasoning else forms.CHOSEN_ANSWER)
    blocks = [" ".join(parts)]
    for example in examples:
        assert example.answer is not None
        shape = form_of(example)
        blocks.append(f"{_question(example, style, shape)}\nAnswer: {shape.shown(example.answer)}")
    blocks.append(_question(record, style, form))
    return "\n\n".join(blocks)


def content_of(record: Record) -> tuple[str, ...]:
    """Return what makes two records the same question under any id: passage, question and the set of its options.

    Case, widths of characters, blanks and the order of options make no difference; other marks do, for in a symbolic
    passage they are all that differs.
    """
    options = sorted(map(_folded, record.options))
    return _folded(record.context), _folded(record.question), *options


def _folded(text: str) -> str:
    return one_line(unicodedata.normalize("NFKC", text)).casefold()


def examples_for(
    records: Sequence[Record],
    pool: Sequence[Record],
    style: PromptStyle,
    seed: int,
    form_of: forms.FormOf = forms.format_of,
) -> tuple[Record, ...]:
    """Draw a style's solved examples from the training part, ``shots_per_answer`` for each label or question type.

    A training record with the content of one of ``records`` is not shown: it would solve the question.
    """
    if not style.shots_per_answer:
        return ()
    asked = set(map(content_of, records))
    by_kind: dict[str, list[Record]] = defaultdict(list)
    for record in pool:
        if record.answer is not None and content_of(record) not in asked:
            labelled = isinstance(form_of(record), forms.Labels)
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


def parse_prompt(text: str) -> ParsedPrompt | None:
    """Take the last question of a rendered prompt apart; ``None`` for a text of another form."""
    lines = text.rpartition("\n\n")[2].split("\n")
    labels = lines[-1].startswith(_ANSWERS)
    # A passage or question may itself open with a letter and a full stop: the options are the last run from A on.
    places = [place for place in range(1, len(lines)) if lines[place].startswith("A. ")]
    first = len(lines) - 1 if labels else max(places, default=len(lines))
    (*context, question), listed = lines[:first] or [""], lines[first:]
    lettered = all(
        line.startswith(f"{letter}. ")
        for line, letter in zip(listed, ascii_uppercase, strict=False)
    )
    if not question or not listed or len(context) > 1 or not (labels or lettered):
        return None
    options = (
        listed[0].removeprefix(_ANSWERS).split(", ") if labels else [line[3:] for line in listed]
    )
    return ParsedPrompt(
        "".join(context).removeprefix(_PASSAGE),
        question.removeprefix(_STATEMENT).removeprefix(_QUESTION),
        tuple(options),
        lettered=not labels,
    )


def _question(record: Record, style: PromptStyle, form: forms.Letters | forms.Labels) -> str:
    lines = []
    if style.context and record.context.strip():
        lines.append(f"{_PASSAGE}{one_line(record.context)}")
    truth = isinstance(form, forms.Labels) and form.hint
    lines.append(f"{_STATEMENT if truth else _QUESTION}{one_line(record.question)}")
    lines += form.listing([one_line(option) for option in record.options])
    return "\n".join(lines)


def _instance(record: Record, style: PromptStyle, rotation: int) -> str:
    lines = [one_line(record.context)] if style.context and record.context.strip() else []
    return "\n".join([*lines, one_line(record.question), *lettered(record, rotation)])


def lettered(record: Record, rotation: int = 0) -> list[str]:
    """Return the options under their letters, a line each."""
    count = len(record.options)
    return [
        f"{letter}. {one_line(record.options[option_at(place, rotation, count)])}"
        for place, letter in enumerate(ascii_uppercase[:count])
    ]
