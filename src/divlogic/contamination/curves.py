"""Learning curves of networks, which take too long for a run: measured once, and kept as a recording."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from divlogic.contamination.learnability import PRESETS, curve, drawn_parts
from divlogic.contamination.learner import Learner
from divlogic.contamination.memory import Memory
from divlogic.contamination.outcomes import Floats, Outcome, outcome_of
from divlogic.contamination.recording import write_recording
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_json
from divlogic.records import Record

if TYPE_CHECKING:
    from divlogic.contamination.parameters import ContaminationRun

Build = Callable[[Path | None], Learner]
"""Makes an untrained learner with a folder of checkpoints."""


def record_curves(
    label: str, build: Build, groups: Path, out: Path, run: ContaminationRun, *, work: Path | None = None
) -> list[Outcome]:
    """Train a learner anew on each number of fresh instances, and write what it answered rightly as a recording.

    Args:
        label: how the learner is called.
        build: makes it.
        groups: shuffled sentence groups of DivLogicEval, which word the instances.
        out: the recording (json).
        run: the parameters; ``contamination.learnability`` has sizes and passes.
        work: folder of checkpoints and of what was measured already; the same command goes on from there.

    Raises:
        DivLogicError: a file is missing or broken, or what the learner needs is not installed.
    """
    settings, sha256 = run.contamination.learnability, file_sha256(groups)
    drawn_with = run.benchmarks.divlogiceval.model_dump_json()
    learner = next((one for one in run.contamination.learners if one.name == label), None)
    trained = learner.model_dump(mode="json") if learner else {"label": label}
    identity = hashlib.sha256(
        f"{trained} {settings.model_dump_json(exclude={'sizes'})} {drawn_with} {run.seed} {sha256}".encode()
    ).hexdigest()
    folder = work / identity[:12] if work else None
    remember = Memory(folder / "measured", identity) if folder else None
    found: list[Outcome] = []
    for preset in PRESETS:
        for kind, train, test in drawn_parts(groups, preset, run):
            right: dict[int, Floats] = {}
            for size in settings.sizes:
                name = f"{preset}-{kind}-{size}"
                point = _Point(build, folder / name if folder else None, train[:size], test, settings.passes)
                right[size] = (remember(name, point) if remember else point())["right"]
            found += curve(label, preset, kind, right, run)
    write_recording(
        out, found, run, settings.model_dump(mode="json"), {"groups_sha256": sha256}, learner=trained
    )
    return found


class _Point:
    """One training, when it is called; its checkpoint goes once it has been asked."""

    def __init__(
        self,
        build: Build,
        work: Path | None,
        train: Sequence[Record],
        test: Sequence[Record],
        passes: int,
    ) -> None:
        self._build, self._work = build, work
        self._train, self._test, self._passes = train, test, passes

    def __call__(self) -> dict[str, Floats]:
        learner = self._build(self._work)
        learner.train(self._train, self._passes)
        answers = np.array([record.answer for record in self._test])
        right = np.equal(learner.choose(self._test), answers).astype(np.float64)
        if self._work:
            shutil.rmtree(self._work, ignore_errors=True)
        return {"right": right}


def builder(label: str, run: ContaminationRun) -> Build:
    """Return what makes a learner of the parameters with the run's seed.

    Raises:
        DivLogicError: there is no such learner.
    """
    from divlogic.contamination.build import build, learner_named

    return partial(build, learner_named(run.contamination.learners, label), run.seed)


def read_curves(path: Path, groups: Path) -> Iterator[Outcome]:
    """Yield the outcomes of a recording; what was trained on other sentences says so.

    Raises:
        DivLogicError: the file is missing or no recording.
    """
    kept = read_json(path)
    try:
        about = kept["about"]
        sizes = about["settings"]
        remark = f"{about['learner']['label']}: recorded on {about['date']}, passes: {sizes['passes']}"
        remark += (
            "" if about["groups_sha256"] == file_sha256(groups) else ", with sentences of another version"
        )
        yield from [outcome_of(row | {"remark": remark}) for row in kept["outcomes"]]
    except (KeyError, TypeError, ValueError) as error:
        raise DivLogicError(
            f"{path}: not a recording of learning curves ({error!r}); restore it with git, or measure again."
        ) from error
