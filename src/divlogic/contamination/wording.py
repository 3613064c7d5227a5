"""How records stand in plain text: what language models are trained on, and what they are asked."""

from __future__ import annotations

from string import ascii_uppercase

from divlogic.contamination.learner import is_pair
from divlogic.models.letters import option_at, position_of
from divlogic.records import Record


def asked(record: Record, rotation: int = 0) -> str:
    """Return a record up to the answer, which would follow after a space.

    A pair reads ``Premise: ... Hypothesis: ... Answer:`` on three lines; a question shows its passage, itself and its
    options under letters, a line each.
    """
    if is_pair(record):
        return f"Premise: {_line(record.context)}\nHypothesis: {_line(record.question)}\nAnswer:"
    return f"{stem(record)}\n{options(record, rotation)}\nAnswer:"


def answer_of(record: Record, rotation: int = 0) -> str:
    """Return the name of the right answer: a label, or the letter under which it stands."""
    assert record.answer is not None
    if is_pair(record):
        return record.options[record.answer]
    return ascii_uppercase[position_of(record.answer, rotation, len(record.options))]


def stem(record: Record) -> str:
    """Return passage and question, a line each."""
    return "\n".join(_line(text) for text in (record.context, record.question) if text.strip())


def options(record: Record, rotation: int = 0) -> str:
    """Return the options under their letters, a line each."""
    count = len(record.options)
    return "\n".join(
        f"{ascii_uppercase[place]}. {_line(record.options[option_at(place, rotation, count)])}"
        for place in range(count)
    )


def _line(text: str) -> str:
    return " ".join(text.split())
