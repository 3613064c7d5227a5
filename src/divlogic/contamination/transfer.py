"""Transfer: does training on generated instances help to answer questions on texts that people wrote?

Source: ILogicEval, Section 4, Table 1: an encoder is trained on ILogicEval, then on ReClor, and compared with one that
is trained on ReClor alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from divlogic.contamination.memory import Memory
from divlogic.contamination.outcomes import Floats, Outcome, summarise, write_accuracies
from divlogic.contamination.parameters import TransferParameters
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.networks.training import Schedule
from divlogic.published import read_published
from divlogic.records import Record, spaced_over_types

ALONE, AFTER = "fine-tuned", "pre-trained, fine-tuned"
"""The arms: what is trained on the reading set alone, and what was trained on generated instances before."""

GENERATED = "generated, held out"
PRINTED = "ilogiceval_table1"
"""The file of the printed cells in data/published."""

_NOTHING = "none"  # how that file says that no further data were trained on first
_OWN = "ILogicEval"
_STREAM = 97
_NOTE = """\
Accuracy in percent of multiple choice on questions about texts that people wrote, after training on such questions
alone (fine-tuned), and after training on generated instances first (pre-trained, fine-tuned); delta: difference of the
two in points on the same questions. Intervals: 95 %, bootstrap over questions, of the mean over seeds. Guessing: 25.
`{held_out}`: generated instances that were not trained on, before and after the first training. `printed`: ILogicEval,
Table 1, on ReClor, without intervals; the pre-training data of MERIt are texts of Wikipedia. {remark}"""


class Choice(Protocol):
    """Multiple choice that can be trained twice."""

    def train(self, records: Sequence[Record], passes: int) -> None:
        """Train on generated instances."""

    def train_further(
        self, records: Sequence[Record], passes: int, schedule: Schedule, work: Path | None
    ) -> None:
        """Train on the reading set."""

    def choose(self, records: Sequence[Record]) -> list[int]:
        """Return the option chosen for each record."""


Build = Callable[[int, Path | None], Choice]
"""Makes an untrained one from a seed and a folder of checkpoints."""


def transfer(
    label: str,
    build: Build,
    generated: Sequence[Record],
    reading: Sequence[Record],
    settings: TransferParameters,
    *,
    seed: int,
    resamples: int,
    tested: Sequence[Record] = (),
    work: Path | None = None,
    identity: str = "",
) -> list[Outcome]:
    """Train both arms with every seed and ask them the questions that neither was trained on.

    Args:
        label: how the learner is called.
        build: makes it.
        generated: instances to pre-train on; a part of them is held out.
        reading: questions to fine-tune on and, without ``tested``, to test with: each question in one part only.
        settings: sizes and schedule.
        seed: of the draws; the trainings have this seed and the next ones.
        resamples: of the bootstrap.
        tested: questions to test with.
        work: folder of checkpoints and of what was measured already.
        identity: what all of it depends on.

    Raises:
        DivLogicError: there are too few questions.
    """
    train, test = _parts(reading, tested, settings, seed)
    own, held_out = _generated_parts(generated, settings, seed)
    remember = Memory(work / "measured", identity) if work else None
    arms: dict[str, list[Floats]] = {ALONE: [], AFTER: []}
    learnt: dict[str, list[Floats]] = {"before": [], "after": []}
    for number in range(settings.seeds):
        for arm, scores in arms.items():
            found = _measured(
                remember,
                f"{number}-{'after' if arm == AFTER else 'alone'}",
                _Arm(build, own, held_out, train, test, settings, seed + number, arm, work),
            )
            scores.append(found["reading"])
            if arm == AFTER:
                learnt["before"].append(found["before"])
                learnt["after"].append(found["generated"])
    name = reading[0].benchmark
    outcomes = list(summarise(label, name, "ACC", arms, seed=seed, resamples=resamples))
    return outcomes + list(summarise(label, GENERATED, "ACC", learnt, seed=seed, resamples=resamples))


@dataclass(frozen=True)
class _Arm:
    """One training of one arm, when it is called."""

    build: Build
    generated: Sequence[Record]
    held_out: Sequence[Record]
    train: Sequence[Record]
    test: Sequence[Record]
    settings: TransferParameters
    seed: int
    arm: str
    work: Path | None

    def __call__(self) -> dict[str, Floats]:
        found = {}
        learner = self.build(self.seed, self._folder("first"))
        if self.arm == AFTER:
            found["before"] = _right(learner, self.held_out)
            learner.train(self.generated, self.settings.pretrain_passes)
            found["generated"] = _right(learner, self.held_out)
        schedule = schedule_of(self.settings, self.seed)
        learner.train_further(self.train, self.settings.finetune_passes, schedule, self._folder("second"))
        return found | {"reading": _right(learner, self.test)}

    def _folder(self, name: str) -> Path | None:
        part = "after" if self.arm == AFTER else "alone"
        return self.work / f"{part}-{self.seed}-{name}" if self.work else None


def schedule_of(settings: TransferParameters, seed: int) -> Schedule:
    """Return the schedule of both trainings."""
    return Schedule(settings.rate, settings.batch, steps_kept=settings.steps_kept, seed=seed)


def _measured(remember: Memory | None, name: str, arm: _Arm) -> dict[str, Floats]:
    return remember(name, arm) if remember else arm()


def _right(learner: Choice, records: Sequence[Record]) -> Floats:
    answers = np.array([record.answer for record in records])
    right: Floats = np.equal(learner.choose(records), answers).astype(np.float64)
    return right


def _parts(
    reading: Sequence[Record], tested: Sequence[Record], settings: TransferParameters, seed: int
) -> tuple[list[Record], list[Record]]:
    """Return the questions to fine-tune on and those to test with; questions on one passage stay together."""
    asked = [record for record in reading if record.answer is not None]
    if tested:
        return spaced_over_types(asked, settings.finetune), spaced_over_types(
            [record for record in tested if record.answer is not None], settings.tested
        )
    contexts = Draws(seed, _STREAM).shuffled(sorted({record.context for record in asked}))
    place = {context: at for at, context in enumerate(contexts)}
    ordered = sorted(asked, key=lambda record: (place[record.context], record.id))
    test = ordered[: settings.tested]
    passages = {record.context for record in test}
    train = [record for record in ordered if record.context not in passages][: settings.finetune]
    if len(test) < settings.tested or not train:
        raise DivLogicError(
            f"{len(asked):,} questions are too few to test with {settings.tested:,} and to train on others; lower"
            " `contamination.transfer.tested`, or give a file of its own with --test."
        )
    return train, test


def _generated_parts(
    generated: Sequence[Record], settings: TransferParameters, seed: int
) -> tuple[list[Record], list[Record]]:
    """Return instances to pre-train on and others, no quartet in both."""
    quartets: dict[Any, list[Record]] = {}
    for record in generated:
        if record.answer is not None:
            quartet = record.metadata.get("quartet")
            quartets.setdefault(record.id if quartet is None else (record.question_type, quartet), []).append(
                record
            )
    clusters = Draws(seed, _STREAM, 1).shuffled(list(quartets.values()))
    flat = [record for cluster in clusters for record in cluster]
    held_out: list[Record] = []
    while clusters and len(held_out) < min(settings.held_out, len(flat) // 3):
        held_out += clusters.pop()
    train = [record for cluster in clusters for record in cluster][: settings.pretrain]
    if not train or not held_out:
        raise DivLogicError("there are too few generated instances to train on some and hold others out.")
    return train, held_out


def write_transfer(outcomes: Sequence[Outcome], published: Path, out: Path) -> None:
    """Write the table: a row per learner, sample and arm, the printed cells among them.

    Args:
        outcomes: what :func:`transfer` found.
        published: folder of the printed numbers.
        out: the table, without suffix.
    """
    remarks = sorted({one.remark for one in outcomes if one.remark})
    note = _NOTE.format(held_out=GENERATED, remark=" ".join(f"{remark}." for remark in remarks)).strip()
    path = published / f"{PRINTED}.csv"
    write_accuracies(out, ("sample", "arm"), _printed(path), outcomes, note, path)


def _printed(published: Path) -> Iterator[dict[str, Any]]:
    """Yield the printed cells as rows, first those of the encoder that is fine-tuned alone.

    Raises:
        DivLogicError: the file is missing, lacks the first arm, or has a cell that is no number.
    """
    cells = read_published(published.parent, published.stem).cells(published.stem)
    alone = {cell.column: cell.value for cell in cells if cell.setting == _NOTHING}
    if not cells or {cell.column for cell in cells} != set(alone):
        raise DivLogicError(f"{published}: not the printed Table 1; restore the file with git.")
    for cell in sorted(cells, key=lambda cell: cell.setting != _NOTHING):
        first = cell.setting == _NOTHING
        yield {
            "learner": cell.system + ("" if first or cell.setting == _OWN else f", {cell.setting}"),
            "sample": f"ReClor, {cell.column}",
            "arm": ALONE if first else AFTER,
            "accuracy": cell.value,
            "delta": None if first else round(cell.value - alone[cell.column], 1),
        }
