"""What training on the test set does to its scores, and to those of instances that nobody has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np

from divlogic.contamination import guessing
from divlogic.contamination.learner import Learner
from divlogic.contamination.outcomes import Floats, Outcome, summarise
from divlogic.evaluation.metrics import METRICS, Answers, instance_scores
from divlogic.records import Record

ALL_ROTATIONS = "ACC, all rotations"
"""Accuracy over all rotations; ``ACC`` itself is that of the order in which the options stood in training."""

MEASURES = (ALL_ROTATIONS, *METRICS)
"""What is measured of every learner; of those that can complete a text also the measures of :mod:`.guessing`."""

STAGES = ("before", "after")
GUESSED = ("leaked", "unseen")
"""Samples whose texts are to be completed: those of the test set."""

Build = Callable[[int], Learner]
"""Makes an untrained learner from a seed."""

Samples = Mapping[str, Sequence[Record]]
Remember = Callable[[str, Callable[[], dict[str, Floats]]], dict[str, Floats]]
"""Returns what was found under a name before, else finds it."""


def leak(
    label: str,
    build: Build,
    samples: Samples,
    *,
    seeds: Sequence[int],
    passes: int,
    resamples: int,
    remember: Remember | None = None,
) -> Iterator[Outcome]:
    """Train on the sample ``leaked`` and ask every sample before and after; yield what it measures.

    Args:
        label: how the learner is called.
        build: makes it.
        samples: ``leaked`` and others.
        seeds: one training for each.
        passes: over the leaked instances.
        resamples: of the bootstrap.
        remember: keeps what each stage of a seed found, for runs that are interrupted.
    """
    found: dict[str, list[dict[str, Floats]]] = {stage: [] for stage in STAGES}
    for seed in seeds:
        learner = build(seed)
        for stage in STAGES:
            if stage == "after":
                learner.train(samples["leaked"], passes)
            scores = _asker(learner, samples, seeds[0])
            found[stage].append(remember(f"leak-{seed}-{stage}", scores) if remember else scores())
    for sample in samples:
        names = (*MEASURES, *guessing.MEASURES)[: found[STAGES[0]][0][sample].shape[1]]
        for column, measure in enumerate(names):
            yield from summarise(
                label,
                sample,
                measure,
                {stage: [one[sample][:, column] for one in runs] for stage, runs in found.items()},
                seed=seeds[0],
                resamples=resamples,
                unit=1.0 if measure == guessing.MIN_K else 100.0,
            )


def _asker(learner: Learner, samples: Samples, seed: int) -> Callable[[], dict[str, Floats]]:
    def ask(name: str, records: Sequence[Record]) -> Floats:
        scores = scores_of(learner, records)
        if name not in GUESSED or not hasattr(learner, "token_scores"):
            return scores
        return np.hstack([scores, guessing.guess_scores(cast(guessing.Completer, learner), records, seed)])

    return lambda: {name: ask(name, records) for name, records in samples.items()}


def scores_of(learner: Learner, records: Sequence[Record]) -> Floats:
    """Return accuracy over all rotations, ACC, CIR and PC of each record as fractions; shape (records, 4).

    The records have equally many options.
    """
    picks = np.array(
        [learner.choose(records, rotation) for rotation in range(len(records[0].options))], dtype=np.int8
    ).T
    correct = picks == np.array([record.answer for record in records])[:, None]
    answers = Answers(
        tuple(record.id for record in records),
        tuple(record.question_type or "" for record in records),
        picks,
        correct,
    )
    return np.column_stack([correct.mean(axis=1), instance_scores(answers)])
