"""Scores of label benchmarks: JustLogic's accuracy and its prior-knowledge test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from divlogic.intervals import Estimate, cluster_means, distance, estimates
from divlogic.models.predictions import Prediction

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
    guessing lies within. Source: JustLogic, prior-knowledge independence test.

    Raises:
        ValueError: there is nothing to score.
    """
    scored = in_label_preset(predictions, preset)
    if not scored:
        raise ValueError("no row has an answer")
    hits = [float(prediction.correct) for prediction in scored]
    if random_probability is None:
        random_probability = 1 / scored[0].choices
    shares = cluster_means([p.instance for p in scored], hits)
    (accuracy,) = estimates(shares[:, None], seed=seed, resamples=resamples)
    return LabelScore(
        preset,
        int(sum(hits)),
        len(scored),
        len(predictions),
        accuracy,
        random_probability,
        distance(accuracy, random_probability),
    )


def in_label_preset(predictions: Sequence[Prediction], preset: Preset) -> list[Prediction]:
    """Return the predictions that count in a preset: those answered, or all that were asked."""
    return [p for p in predictions if (p.answered if preset == "as_published" else p.asked)]


def presets_of_labels(predictions: Sequence[Prediction]) -> tuple[Preset, ...]:
    """Return the presets that differ for these predictions; only ``corrected`` where both count the same rows."""
    answered, asked = (len(in_label_preset(predictions, preset)) for preset in PRESETS)
    return PRESETS if 0 < answered < asked else ("corrected",)
