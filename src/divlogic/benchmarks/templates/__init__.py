"""Wording: the sentence frames that turn a formula into English, and the reader that turns it back."""

from divlogic.benchmarks.templates.grammar import derive, readings
from divlogic.benchmarks.templates.reading import Passage, Reader, read_passage, read_sentence
from divlogic.benchmarks.templates.wording import (
    IMPLICATION,
    LITERAL,
    NOT_AND,
    OR,
    QUESTION_TYPES,
    Frame,
    Templates,
    load_templates,
    parse_templates,
    shape,
)

__all__ = [
    "IMPLICATION",
    "LITERAL",
    "NOT_AND",
    "OR",
    "QUESTION_TYPES",
    "Frame",
    "Passage",
    "Reader",
    "Templates",
    "derive",
    "load_templates",
    "parse_templates",
    "read_passage",
    "read_sentence",
    "readings",
    "shape",
]
