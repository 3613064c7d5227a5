"""Answer formats: the form that an answer takes, how a prompt asks for it, and how it is read.

A format is a property of a question: four options under letters, or a fixed set of labels. The
prompts, the scoring and the tables ask the format and never the benchmark.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from divlogic.models.letters import Tags, after_thinking, read_choice, turn_after
from divlogic.records import Record

_MOST_LETTERS = len(ascii_uppercase)

_FAILURES = 200
"""Opening braces that begin no JSON object, after which a text is no longer searched."""

_SEARCHED = 20_000
"""Last characters of a text in which its last JSON object is looked for."""

CHOSEN_ANSWER = "Reply with one line: 'Answer:' and the chosen answer, nothing else."
CHOSEN_ANSWER_AFTER_REASONING = (
    "Think step by step first. Then close with one line: 'Answer:' and the chosen answer."
)

MOST_ALTERNATIVES = 20
"""Alternatives asked for at each token: the most that OpenAI-compatible servers give."""

_AROUND = " \t\n*_`\"'“”‘’()[]<>{}.:,▁Ġ"


@dataclass(frozen=True)
class Letters:
    """Options under letters, 1 to 26; an answer is a letter."""

    count: int = 4

    def __post_init__(self) -> None:
        if not 1 <= self.count <= _MOST_LETTERS:
            raise ValueError(
                f"{self.count} options cannot be listed under letters; 1 to {_MOST_LETTERS} can"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The letters in their order."""
        return tuple(ascii_uppercase[: self.count])

    def instruction(self) -> str:
        """Return the sentence of a prompt that asks for a letter."""
        # DivLogicEval, Appendix F (there with four letters).
        return f"You need to answer in the form of 'Answer: <{'/'.join(self.names)}>' without explanation."

    def listing(self, options: Sequence[str]) -> tuple[str, ...]:
        """Return the prompt lines that list the possible answers."""
        return tuple(
            f"{letter}. {option}" for letter, option in zip(self.names, options, strict=True)
        )

    def shown(self, position: int) -> str:
        """Return the possible answer at ``position`` as a solved example gives it and as :meth:`read` returns it."""
        return self.names[position]

    def read(
        self, text: str | None, options: Sequence[str] = (), thoughts: Tags = ()
    ) -> str | None:
        """Return the answer that a model's text gives; ``None`` if it gives none of the possible ones, or several.

        An answer may name one of the ``options``, as they were listed, by its text. ``thoughts`` are further tags of
        this model.
        """
        return read_choice(text, "".join(self.names), tuple(options), thoughts)


@dataclass(frozen=True)
class Labels:
    """A fixed set of labels; an answer names one of them.

    ``hint`` says what they mean; it is part of the instruction of prompts that show the context.
    """

    names: tuple[str, ...]
    hint: str = ""

    def __post_init__(self) -> None:
        if not self.names or len({name.casefold() for name in self.names}) < len(self.names):
            raise ValueError(
                f"labels must be present and distinct, not {', '.join(self.names) or 'none'}"
            )

    def listing(self, options: Sequence[str] = ()) -> tuple[str, ...]:
        return (f"Possible answers: {', '.join(self.names)}",)

    def shown(self, position: int) -> str:
        return self.names[position]

    def read(
        self, text: str | None, options: Sequence[str] = (), thoughts: Tags = ()
    ) -> str | None:
        index = read_choice(text, "", self.names, thoughts)
        return None if index is None else self.names[int(index)]


def read_verdicts(text: str, count: int) -> list[bool] | None:
    """Return a judge's verdicts on so many points, which its JSON object has by their numbers from 1.

    Lines such as "1: true" are taken where there is no object. ``None`` where the reply lacks a point, has another one,
    or a value that is neither true nor false.
    """
    text = after_thinking(text)
    given = last_json_object(text)
    if given is None:
        given = {
            line["point"]: line["value"].casefold() == "true" for line in _VERDICT.finditer(text)
        }
    numbers = [str(number) for number in range(1, count + 1)]
    if set(given) != set(numbers) or not all(isinstance(value, bool) for value in given.values()):
        return None
    return [given[number] for number in numbers]


_VERDICT = re.compile(
    r"^[ \t*#-]*+(?P<point>\d{1,4})[*\"']{0,3}[ \t]?[:.)][ \t*\"']*+(?P<value>true|false)[*\"'.,;]{0,4}[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A point and its verdict on a line of their own: "1: true", "2. **False**"."""


TRUTH = frozenset(("true", "false", "uncertain", "unknown"))
"""Labels that say whether a statement follows from a passage."""

TRUTH_HINT = (
    "Say 'True' if the statement follows from the passage, 'False' if its opposite follows, and 'Uncertain' if neither"
    " does."
)


AnswerFormat = Letters | Labels
FormOf = Callable[[Record], AnswerFormat]
"""Returns the form of a record's answer. Who asks about a benchmark of the registry passes what its spec states."""


def format_of(record: Record) -> Letters | Labels:
    """Return the form of an answer by its options alone: texts stand under letters, single words are labels.

    Equal labels cannot be distinguished by their names; they get letters too. No options are a ValueError.
    """
    options, folded = record.options, {option.casefold() for option in record.options}
    lettered = len(folded) < len(options) or any(" " in option for option in options)
    if lettered and len(options) <= _MOST_LETTERS:
        return Letters(len(options))
    return Labels(tuple(options), hint=TRUTH_HINT if folded <= TRUTH else "")


def last_json_object(text: str) -> dict[str, Any] | None:
    """Return the last whole JSON object of a text (bare, in a code fence, or after reasoning), ``None`` without one.

    Where another question or turn begins behind an object, what follows is not read.
    """
    text = text[-_SEARCHED:]
    last: dict[str, Any] | None = None
    limit = len(text)
    for value, start, end in _objects_with_places(text):
        if last is None:
            limit = turn_after(text, end)
        elif start >= limit:
            break
        last = value
    return last


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a text that are not part of one before, in linear time."""
    for value, _, _ in _objects_with_places(text):
        yield value


def _objects_with_places(text: str) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Yield each JSON object of a text, where it begins, and where it ends."""
    decoder = json.JSONDecoder()
    failed = 0
    start = text.find("{")
    while start >= 0 and failed < _FAILURES:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            # Each failure may have read the whole text.
            failed += 1
            start = text.find("{", start + 1)
            continue
        yield value, start, end
        start = text.find("{", end)


def letter_logprobs(
    tokens: Sequence[Any], letters: Sequence[str], letter: str | None = None
) -> dict[str, float]:
    """Return the natural log-probability of each letter at the token that gives the answer; empty if there is none.

    Spellings of one letter (``B``, `` B``, ``(B``) are added up. A letter that is not among the alternatives of that
    token is left out.

    The tokens, each with ``token``, ``logprob`` and ``top_logprobs``, are of Inspect's type. The one that spells the
    ``letter`` which the answer names is taken; without it the first.
    """
    spelling = [token for token in tokens if token.token.strip(_AROUND) == letter]
    # A model may name the letter while it reasons; the answer is where it says it last.
    chosen = tokens[:1] if letter is None else spelling[-1:]
    seen: dict[str, float] = {}
    for token in chosen:
        for option in token.top_logprobs or [token]:
            # Some servers list the chosen token twice; it is one possibility.
            seen.setdefault(option.token, option.logprob)
    sums: dict[str, float] = {}
    for spelt, logprob in seen.items():
        name = spelt.strip(_AROUND)
        if name in letters and math.isfinite(logprob):
            sums[name] = sums.get(name, 0.0) + math.exp(logprob)
    return {name: round(math.log(sums[name]), 6) for name in letters if sums.get(name, 0.0) > 0}


def likeliest(logprobs: dict[str, float]) -> str | None:
    """Return the letter with the greatest log-probability, the first of several; ``None`` without any."""
    return min(logprobs, key=lambda name: (-logprobs[name], name)) if logprobs else None
