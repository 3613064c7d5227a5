"""Answers to closed questions: one row per question, whoever or whatever answered it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from divlogic.files import read_as, write_jsonl

Source = Literal["recorded", "model", "probe", "baseline"]

UNREADABLE = "?"
"""What was said where an answer names none of the options: it was given and is wrong, unlike a missing one."""

_CUE = re.compile(r"\banswer\b\W{0,4}(?:is|:)?\W{0,4}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answered question.

    Attributes:
        benchmark: name of the benchmark.
        source: where the answer comes from.
        system: model, probe or baseline.
        prompt: prompt style, empty where there is none.
        instance: id of the question within its benchmark.
        label: the right answer.
        said: the answer given; ``None`` where there is none.
        choices: number of answers to choose from.
        depth: inference steps, where the benchmark says.
        run: number of the independent run.
    """

    benchmark: str
    source: str
    system: str
    prompt: str
    instance: str
    label: str
    said: str | None
    choices: int
    depth: int | None = None
    run: int = 0

    @property
    def correct(self) -> bool:
        return self.said == self.label

    def to_json(self) -> dict[str, Any]:
        """Return the answer as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


def write_answers(path: Path, answers: Iterable[Answer]) -> int:
    """Write answers (jsonl) in the order given; return their number."""
    return write_jsonl(path, (answer.to_json() for answer in answers))


def read_answers(path: Path) -> Iterator[Answer]:
    """Yield the answers of a file.

    Raises:
        DivLogicError: the file is missing or a row is malformed.
    """
    for _, answer in read_as(path, _answer, "an answer"):
        yield answer


def _answer(row: dict[str, Any]) -> Answer:
    """Build an answer from what :meth:`Answer.to_json` gave."""
    answer = Answer(**row)
    for name in ("benchmark", "source", "system", "prompt", "instance", "label"):
        if not isinstance(getattr(answer, name), str):
            raise ValueError(f"the field '{name}' is not a string")
    if not isinstance(answer.said, (str, type(None))):
        raise ValueError("the field 'said' is neither a string nor null")
    if type(answer.choices) is not int or answer.choices < 1 or type(answer.run) is not int:
        raise ValueError("the field 'choices' or 'run' is no such number")
    if not isinstance(answer.depth, (int, type(None))):
        raise ValueError("the field 'depth' is neither a number nor null")
    return answer


def said_option(text: str | None, options: tuple[str, ...], *, letters: bool) -> str | None:
    """Return the option that a model's answer names, or ``None`` if it names none or several.

    What follows the last "answer:" counts; without one the whole text does, if it names one option only.

    Args:
        text: what the model said.
        options: the options as they were listed.
        letters: whether they were listed under letters.
    """
    if not text:
        return None
    cues = list(_CUE.finditer(text))
    if cues:
        tail = text[cues[-1].end() :]
        named = _first_named(tail, options, letters=letters)
        if named is not None:
            return named
    found = {option for option in options if _names(text, option)}
    # "grandson" also holds "son": a name within another that was found does not count.
    found -= {option for option in found for other in found if option != other and _names(other, option)}
    if letters and not found:
        marked = {m[1] for m in re.finditer(r"(?:^|[\s(*])([A-Z])(?=[.):*]|\s*$)", text)}
        found = {options[ord(m) - 65] for m in marked if ord(m) - 65 < len(options)}
    return found.pop() if len(found) == 1 else None


def _first_named(tail: str, options: tuple[str, ...], *, letters: bool) -> str | None:
    if letters:
        match = re.match(r"[\s*(<\[\"'“]*([A-Za-z])(?![A-Za-z])", tail)
        if match and 0 <= ord(match[1].upper()) - 65 < len(options):
            return options[ord(match[1].upper()) - 65]
    starts = [
        (match.start(), -len(option), option)
        for option in options
        if (match := re.search(rf"(?<!\w){re.escape(option)}(?!\w)", tail, re.IGNORECASE))
    ]
    return min(starts)[2] if starts else None


def _names(text: str, option: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text, re.IGNORECASE))
