"""The step that trains and asks a learner."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from divlogic.benchmarks.divlogiceval.fresh import worded_records
from divlogic.contamination.build import build
from divlogic.contamination.leak import leak
from divlogic.contamination.light import AnswerKey
from divlogic.contamination.memory import Memory
from divlogic.contamination.outcomes import Outcome, write_outcomes
from divlogic.contamination.parameters import ContaminationRun, LearnerParameters
from divlogic.contamination.sample import draw_pairs, of_distinct_quartets
from divlogic.contamination.table5 import nli_training
from divlogic.io.files import file_sha256
from divlogic.records import Record, read_records, spaced_over_types

_WITHOUT_EFFECT = {
    *("learners", "resamples", "models", "guessed", "sampling", "limits", "learnability", "transfer"),
}
"""Parameters of the phase that decide nothing of what a learner is found to do."""

EXPERIMENTS = ("pairs", "leak")
LETTERS, TEXTS = "learns letters by heart", "learns options by heart"
"""The learners that nothing can be more contaminated than; what they remember of a leaked instance."""


def run_learner(
    learner: LearnerParameters,
    out: Path,
    run: ContaminationRun,
    *,
    pairs: Path,
    test: Path,
    groups: Path,
    work: Path | None = None,
    experiments: Sequence[str] = EXPERIMENTS,
) -> int:
    """Train a learner on pairs and on leaked instances, ask it before and after, and write the outcomes.

    Args:
        learner: which one.
        out: the outcomes (jsonl).
        run: the parameters.
        pairs: ``nli.jsonl.gz`` of the corpora phase.
        test: the test split of DivLogicEval.
        groups: its shuffled sentence groups, which word fresh instances.
        work: folder of checkpoints and of what was measured already; the same command goes on from there. Each
            experiment has a folder of its own in it, named by its data and settings.
        experiments: ``pairs`` (Table 5), ``leak`` or both.

    Returns:
        The number of outcomes.

    Raises:
        DivLogicError: a file is missing or broken, or the folder belongs to another experiment.
    """
    identity = _identity(learner, run, (pairs, test, groups))
    # What takes a second is not kept; what belongs to other data or settings lies in another folder.
    work = work / identity[:12] if work and learner.kind != "bag_of_words" else None
    records = list(read_records(test))
    found: list[Outcome] = []
    if "pairs" in experiments:
        found += _pairs(learner, run, pairs, records, work, identity)
    if "leak" in experiments:
        found += _leak(learner, run, records, groups, work, identity)
    return write_outcomes(out, found)


def _pairs(
    learner: LearnerParameters,
    run: ContaminationRun,
    corpus: Path,
    records: Sequence[Record],
    work: Path | None,
    identity: str,
) -> Iterator[Outcome]:
    settings = run.contamination
    drawn = draw_pairs(corpus, train=settings.train_pairs, test=settings.test_pairs, seed=run.seed)
    return nli_training(
        learner.name,
        partial(_built, learner, work, "pairs"),
        drawn,
        spaced_over_types(records, settings.instances),
        passes=settings.passes,
        seeds=_seeds(learner, run),
        resamples=settings.resamples,
        remember=Memory(work / "measured", identity) if work else None,
    )


def _leak(
    learner: LearnerParameters,
    run: ContaminationRun,
    records: Sequence[Record],
    groups: Path,
    work: Path | None,
    identity: str,
) -> Iterator[Outcome]:
    settings = run.contamination
    samples = _samples(run, records, groups)
    yield from leak(
        learner.name,
        partial(_built, learner, work, "leak"),
        samples,
        seeds=_seeds(learner, run),
        passes=settings.leak_passes,
        resamples=settings.resamples,
        remember=Memory(work / "measured", identity) if work else None,
    )
    if learner.kind == "bag_of_words":
        yield from _references(run, samples)


def _references(run: ContaminationRun, samples: dict[str, list[Record]]) -> Iterator[Outcome]:
    for label, letters in ((LETTERS, True), (TEXTS, False)):
        seeds = [run.seed + at for at in range(run.contamination.seeds)]
        yield from leak(
            label,
            partial(AnswerKey, letters=letters),
            samples,
            seeds=seeds,
            passes=1,
            resamples=run.contamination.resamples,
        )


def _samples(run: ContaminationRun, records: Sequence[Record], groups: Path) -> dict[str, list[Record]]:
    leaked, unseen = of_distinct_quartets(records, run.contamination.leaked)
    settings = run.benchmarks.divlogiceval
    # Another seed: nobody can have been trained on what comes of it.
    fresh = worded_records(groups, settings.preset, settings, run.seed + 1, len(leaked), apart=True)
    return {"leaked": leaked, "unseen": unseen, "fresh": list(fresh)}


def _built(learner: LearnerParameters, work: Path | None, experiment: str, seed: int) -> Any:
    return build(learner, seed, work / f"{experiment}-{seed}" if work else None)


def _seeds(learner: LearnerParameters, run: ContaminationRun) -> list[int]:
    return [run.seed + at for at in range(learner.seeds or run.contamination.seeds)]


def _identity(learner: LearnerParameters, run: ContaminationRun, files: Sequence[Path]) -> str:
    digest = hashlib.sha256(learner.model_dump_json().encode())
    digest.update(run.contamination.model_dump_json(exclude=_WITHOUT_EFFECT).encode())
    digest.update(str(run.seed).encode())
    for path in files:
        digest.update(file_sha256(path).encode())
    return digest.hexdigest()
