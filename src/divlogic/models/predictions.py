"""Predictions: one row per question that a system answered, whatever the form of the answer and whoever gave it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.models.letters import OPTIONS, parse_answer

Source = Literal["", "recorded", "model", "probe", "baseline"]

_STRINGS = ("benchmark", "model", "prompt", "instance", "gold")
_DEFAULTS = {"source": "", "choices": OPTIONS, "depth": None, "asked": True, "logprobs": None}
"""Fields that a row leaves out where they have these values."""


class Series(NamedTuple):
    """What a set of predictions belongs to: a system, a benchmark, a prompt and a run."""

    benchmark: str
    model: str
    prompt: str
    run: int

    def __str__(self) -> str:
        return f"'{self.model}' ({self.benchmark}, {self.prompt}, run {self.run})"


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system answered to one question.

    Attributes:
        benchmark, model, prompt, run: the series.
        instance: id of the instance within its benchmark.
        gold: the right answer, as the question's answer format shows it: a letter or a label.
        predicted: the answer that was read; ``None`` if the text names none of the possible answers.
        rotation: 0 (the unrotated instance) to the number of options less 1.
        question_type: the benchmark's own type name, empty if it has none.
        answer: the text of the answer; ``None`` if it was not kept.
        source: where the answer comes from; empty where the file does not say.
        choices: number of possible answers.
        depth: inference steps, where the benchmark says.
        asked: whether the question was put to the system at all; a recording may hold rows that never were.
        logprobs: natural log-probabilities of the letters, where they are known.
    """

    benchmark: str
    model: str
    prompt: str
    instance: str
    gold: str
    predicted: str | None
    run: int = 0
    rotation: int = 0
    question_type: str = ""
    answer: str | None = None
    source: Source = ""
    choices: int = OPTIONS
    depth: int | None = None
    asked: bool = True
    logprobs: dict[str, float] | None = None

    @property
    def series(self) -> Series:
        return Series(self.benchmark, self.model, self.prompt, self.run)

    @property
    def correct(self) -> bool:
        return self.predicted == self.gold

    @property
    def answered(self) -> bool:
        """Whether there is an answer at all, readable or not."""
        return self.asked and (self.predicted is not None or bool((self.answer or "").strip()))

    def to_json(self) -> dict[str, Any]:
        """Return the row of a prediction file."""
        row: dict[str, Any] = {
            "benchmark": self.benchmark,
            "model": self.model,
            "prompt": self.prompt,
            "run": self.run,
            "instance": self.instance,
            "rotation": self.rotation,
            "question_type": self.question_type,
            "gold": self.gold,
            "predicted": self.predicted,
        }
        if self.answer is not None:
            row["answer"] = self.answer
        for name, default in _DEFAULTS.items():
            if (value := getattr(self, name)) != default:
                row[name] = value
        return row


def prediction_of(row: dict[str, Any]) -> Prediction:
    """Build a prediction from the row of a prediction file; without ``predicted`` a letter is read from ``answer``.

    Raises:
        ValueError: a field is missing or of another type.
    """
    for name in _STRINGS:
        if not isinstance(row.get(name), str):
            raise ValueError(f"the field '{name}' is {'not a string' if name in row else 'missing'}")
    if "predicted" not in row and "answer" not in row:
        raise ValueError("the field 'predicted' is missing")
    answer, predicted = row.get("answer"), row.get("predicted")
    for name, value in (("predicted", predicted), ("answer", answer)):
        if not isinstance(value, str | None):
            raise ValueError(f"the field '{name}' is neither a string nor null")
    numbers = {
        "run": row.get("run", 0),
        "rotation": row.get("rotation", 0),
        "choices": row.get("choices", OPTIONS),
    }
    for name, value in numbers.items():
        if type(value) is not int or value < (name == "choices"):
            raise ValueError(f"the field '{name}' is not a valid number: {value!r}")
    depth, asked, source = row.get("depth"), row.get("asked", True), row.get("source", "")
    if not (depth is None or type(depth) is int) or type(asked) is not bool or not isinstance(source, str):
        raise ValueError("the field 'depth', 'asked' or 'source' has another type")
    logprobs = row.get("logprobs")
    if logprobs is not None and not (
        isinstance(logprobs, dict) and all(isinstance(value, float | int) for value in logprobs.values())
    ):
        raise ValueError("the field 'logprobs' is not an object of numbers")
    if not isinstance(row.get("question_type"), str | None):
        raise ValueError("the field 'question_type' is not a string")
    return Prediction(
        **{name: row[name] for name in _STRINGS},
        predicted=predicted if "predicted" in row else parse_answer(answer, numbers["choices"]),
        question_type=row.get("question_type") or "",
        answer=answer,
        source=source,  # type: ignore[arg-type]
        depth=depth,
        asked=asked,
        logprobs=logprobs,
        **numbers,
    )


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> int:
    """Write predictions (jsonl) in the order given; return the number of rows."""
    return write_jsonl(path, (prediction.to_json() for prediction in predictions))


def read_predictions(path: Path) -> Iterator[Prediction]:
    """Yield the predictions of a file that a step of this workflow wrote.

    Raises:
        DivLogicError: the file is missing, or a row is no prediction.
    """
    for number, row in read_jsonl(path):
        try:
            yield prediction_of(row)
        except ValueError as error:
            raise DivLogicError(
                f"{path}, row {number}: not a prediction ({error}); fix or delete that row."
            ) from error
