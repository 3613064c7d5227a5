"""Scores of label benchmarks: JustLogic's accuracy and its prior-knowledge test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from divlogic.intervals import Estimate, cluster_means, distance, estimates

Preset = Literal["as_published", "corrected"]
PRESETS: tuple[Preset, ...] = ("as_published", "corrected")

TRUTH_LABELS = ("true", "false", "uncertain")

PUBLISHED_RANDOM = {"clutrr": 1 / 16}
"""Random probabilities that JustLogic prints and that its label sets do not give: CLUTRR's prompt lists 18."""


@dataclass(frozen=True, slots=True)
class LabelPrediction:
    """One answered question of a label benchmark; ``said`` is ``None`` where no answer was recorded."""

    instance: str
    label: str
    said: str | None
    depth: int | None = None


@dataclass(frozen=True)
class LabelScore:
    """Accuracy of recorded label answers, as a fraction, with its distance to guessing.

    ``rows`` counts the rows that the accuracy rests on, ``recorded`` those of the file.
    """

    preset: Preset
    correct: int
    rows: int
    recorded: int
    accuracy: Estimate
    random_probability: float
    delta: Estimate


def fold_label(text: str) -> str | None:
    """Return true, false or uncertain, whichever occurs in ``text`` whatever its case; ``None`` for none or several.

    Source: JustLogic's evaluation, which folds a prediction by substring.
    """
    found = [label for label in TRUTH_LABELS if label in text.casefold()]
    return found[0] if len(found) == 1 else None


def label_score(
    predictions: Sequence[LabelPrediction],
    *,
    preset: Preset,
    random_probability: float | None = None,
    seed: int,
    resamples: int = 2000,
) -> LabelScore:
    """Score recorded label answers.

    ``as_published`` drops rows without an answer, ``corrected`` counts them as wrong. ``delta`` is the absolute
    difference to ``random_probability`` (one over the number of labels that occur, unless given); its interval is
    the image of the accuracy's and reaches down to nought where guessing lies within. Source: JustLogic,
    prior-knowledge independence test.

    Raises:
        ValueError: there is nothing to score.
    """
    scored = [p for p in predictions if p.said is not None or preset == "corrected"]
    if not scored:
        raise ValueError("no row has an answer")
    labels = {p.label for p in predictions}
    truth = labels <= set(TRUTH_LABELS)
    hits = np.array([_agrees(p, truth) for p in scored], dtype=np.float64)
    if random_probability is None:
        random_probability = 1 / (len(TRUTH_LABELS) if truth else max(len(labels), 1))
    shares = cluster_means([p.instance for p in scored], hits)
    (accuracy,) = estimates(shares[:, None], seed=seed, resamples=resamples)
    return LabelScore(
        preset,
        int(hits.sum()),
        len(scored),
        len(predictions),
        accuracy,
        random_probability,
        distance(accuracy, random_probability),
    )


def _agrees(prediction: LabelPrediction, truth: bool) -> bool:
    """Tell whether an answer says the label."""
    if prediction.said is None:
        return False
    if truth:
        return fold_label(prediction.said) == prediction.label
    return prediction.said.strip().casefold() == prediction.label
