"""Predictions: one row per question that a system answered, of every form and source, and scores of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, StrictBool, StrictInt, TypeAdapter, ValidationError

from divlogic.intervals import Estimate, cluster_means, distance, estimates
from divlogic.io.files import read_as, write_jsonl
from divlogic.models.letters import OPTIONS, parse_answer

Source = Literal["", "recorded", "model", "probe", "baseline"]
Status = Literal["", "refused", "cut", "unanswered"]
"""Refused by a content filter, cut at ``max_tokens``, or not answered though asked; empty: answered."""

LOST: tuple[Status, ...] = ("refused", "cut", "unanswered")
"""What a reply may be that is no whole answer."""
Natural = Annotated[StrictInt, Field(ge=0)]

_WRITTEN = (
    "benchmark", "model", "prompt", "run", "instance", "rotation", "question_type", "gold", "predicted",
)  # fmt: skip
"""Fields that every row has."""

_DEFAULTS = {
    "answer": None, "source": "", "question": "", "choices": OPTIONS, "depth": None, "asked": True, "logprobs": None,
    "status": "",
}  # fmt: skip
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
        question: digest of the question that was answered; empty where the file does not say.
        status: ``refused`` by a content filter, ``cut`` at the longest answer, or ``unanswered`` though asked; empty
            for an answer that ended by itself, and where the file does not say.
    """

    benchmark: str
    model: str
    prompt: str
    instance: str
    gold: str
    predicted: str | None
    run: Natural = 0
    rotation: Natural = 0
    question_type: str = ""
    answer: str | None = None
    source: Source = ""
    choices: Annotated[StrictInt, Field(ge=1)] = OPTIONS
    depth: StrictInt | None = None
    asked: StrictBool = True
    logprobs: dict[str, float] | None = None
    question: str = ""
    status: Status = ""

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
        row: dict[str, Any] = {name: getattr(self, name) for name in _WRITTEN}
        for name, default in _DEFAULTS.items():
            if (value := getattr(self, name)) != default:
                row[name] = value
        return row


_PREDICTION = TypeAdapter(Prediction)


def prediction_from(row: dict[str, Any]) -> Prediction:
    """Build a prediction from the row of a prediction file; without ``predicted`` a letter is read from ``answer``.

    A field that is missing or of another type is a ValueError.
    """
    if row.get("question_type", "") is None:
        row = {**row, "question_type": ""}
    if "predicted" not in row and isinstance(row.get("answer"), str):
        row = {**row, "predicted": parse_answer(row["answer"], row.get("choices", OPTIONS))}
    try:
        return _PREDICTION.validate_python(row)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        problem = (
            "is missing" if first["type"] == "missing" else f"is not valid: {first['msg'].lower()}"
        )
        raise ValueError(f"the field '{place}' {problem}") from error


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> int:
    """Write predictions (jsonl) in the order given; return the number of rows."""
    return write_jsonl(path, (prediction.to_json() for prediction in predictions))


def read_predictions(path: Path) -> Iterator[Prediction]:
    """Return the predictions of a file, one by one."""
    return (prediction for _, prediction in read_as(path, prediction_from, "a prediction"))


def lost_cells(statuses: Mapping[str, int], answers: int) -> dict[str, float]:
    """Return the cells of a table that say how many of so many replies are no whole answers, in percent.

    A status that no reply has gets no cell: tables have these columns only where there are such replies.
    """
    return {name: 100 * statuses[name] / answers for name in LOST if statuses.get(name)}


_LOST_NOTE = (
    " refused, cut, unanswered: percent of the replies that a content filter refused, that ended at the longest answer,"
    " and that had no text; the first and the last count as wrong."
)


def lost_note(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return what the note of a table says of these columns; nothing where it has none of them."""
    return _LOST_NOTE if any(name in row for row in rows for name in LOST) else ""


def lost_of(predictions: Iterable[Prediction]) -> dict[str, float]:
    """Return these cells of some predictions."""
    statuses = Counter[str](one.status for one in predictions)
    return lost_cells(statuses, statuses.total())


Preset = Literal["as_published", "corrected"]
PRESETS: tuple[Preset, ...] = ("as_published", "corrected")

TRUTH_LABELS = ("true", "false", "uncertain")

PUBLISHED_RANDOM = {"clutrr": 1 / 16}
"""Random probabilities that JustLogic prints and that its label sets do not give: CLUTRR's prompt lists 18."""


@dataclass(frozen=True)
class LabelScore:
    """Accuracy of recorded label answers, as a fraction, with its distance to guessing.

    ``rows`` counts the rows that the accuracy rests on, ``recorded`` those of the file, asked or not.
    """

    preset: Preset
    correct: int
    rows: int
    recorded: int
    accuracy: Estimate
    random_probability: float
    delta: Estimate


def fold_label(text: str) -> str | None:
    """Return true, false or uncertain, whichever occurs in ``text`` in any case; ``None`` for none or several.

    Source: JustLogic's evaluation, which folds a prediction by substring.
    """
    found = [label for label in TRUTH_LABELS if label in text.casefold()]
    return found[0] if len(found) == 1 else None


def label_score(
    predictions: Sequence[Prediction],
    *,
    preset: Preset,
    random_probability: float | None = None,
    seed: int,
    resamples: int = 2000,
) -> LabelScore:
    """Score label answers.

    Questions that were never asked count in neither preset. ``as_published`` leaves out rows without an answer,
    ``corrected`` counts them as wrong. ``delta`` is the absolute difference to ``random_probability`` (by default 1
    over the number of possible answers); its interval is the image of the accuracy's and reaches down to 0 where
    guessing lies within. Nothing to score is a ValueError. Source: JustLogic, prior-knowledge independence test.
    """
    scored = in_label_preset(predictions, preset)
    if not scored:
        raise ValueError("no row has an answer")
    hits = [float(prediction.correct) for prediction in scored]
    if random_probability is None:
        random_probability = 1 / scored[0].choices
    shares = cluster_means([p.instance for p in scored], hits)
    (accuracy,) = estimates(shares[:, None], seed=seed, resamples=resamples)
    rows = (int(sum(hits)), len(scored), len(predictions))
    return LabelScore(
        preset, *rows, accuracy, random_probability, distance(accuracy, random_probability)
    )


def in_label_preset(predictions: Sequence[Prediction], preset: Preset) -> list[Prediction]:
    """Return the predictions that count in a preset: those answered, or all that were asked."""
    return [p for p in predictions if (p.answered if preset == "as_published" else p.asked)]


def presets_of_labels(predictions: Sequence[Prediction]) -> tuple[Preset, ...]:
    """Return the presets that differ for these predictions; only ``corrected`` where both count the same rows."""
    answered, asked = (len(in_label_preset(predictions, preset)) for preset in PRESETS)
    return PRESETS if 0 < answered < asked else ("corrected",)
