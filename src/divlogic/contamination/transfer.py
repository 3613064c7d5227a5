"""Transfer: does training on generated instances help to answer questions on texts that people wrote?

Source: ILogicEval, Section 4, Table 1: an encoder is trained on ILogicEval, then on ReClor, and compared with one that
is trained on ReClor alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from divlogic.benchmarks.divlogiceval.realise import symbolic_twin
from divlogic.config.command import ARGUMENT, BASE
from divlogic.contamination import outcomes
from divlogic.contamination.learners import quartets_of, right_answers
from divlogic.contamination.parameters import ContaminationRun, TransferParameters
from divlogic.contamination.tables import write_accuracies
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, file_sha256
from divlogic.networks.training import Schedule
from divlogic.records import Record, read_records, spaced_over_types

ALONE, AFTER = "fine-tuned", "pre-trained, fine-tuned"
"""The arms: what is trained on the reading set alone, and what was trained on generated instances before."""

_NAMES = {ALONE: "alone", AFTER: "after"}

GENERATED = "generated, held out"
_STREAM = 97
_MANY_VARIABLES = 5


def run_transfer(
    *,
    generated: Annotated[
        tuple[Path, ...],
        "Generated instances (jsonl); repeatable. They must not be those of the test split.",
    ],
    reading: Annotated[Path, "Questions on texts, as records (jsonl)."],
    test: Annotated[Path | None, "Questions to test with; by default a part of --reading."] = None,
    unlabelled: Annotated[Path | None, "Questions without keys; needs --answers."] = None,
    answers: Annotated[
        Path | None,
        "Their answers in their order, as ReClor's server takes them (npy): of the first seed, after both.",
    ] = None,
    work: outcomes.Work = None,
    out: Annotated[Path, "The recording (json), in data/recorded/transfer."],
    params: ContaminationRun,
) -> None:
    """Train an encoder on generated instances and then on questions on texts, and on the latter alone (needs torch)."""
    if (unlabelled is None) != (answers is None):
        raise DivLogicError(
            "--unlabelled and --answers go together: what is asked, and where its answers go."
        )
    from divlogic.contamination.networks import OptionEncoder
    from divlogic.networks.library import ENCODER

    settings = params.contamination.transfer
    hashes = {
        "generated": [file_sha256(path) for path in generated],
        "reading": file_sha256(reading),
        "test": file_sha256(test) if test else None,
    }

    def build(seed: int, checkpoints: Path | None) -> OptionEncoder:
        model, schedule = settings.model or ENCODER, schedule_of(settings, seed)
        return OptionEncoder(
            model, schedule, labels=False, longest=settings.longest, work=checkpoints
        )

    def answer(learner: OptionEncoder) -> None:
        if unlabelled and answers:
            with atomic_writer(answers) as stream:
                np.save(stream, np.array(learner.choose(list(read_records(unlabelled)))))

    found = transfer(
        build,
        [record for path in generated for record in read_records(path)],
        list(read_records(reading)),
        settings,
        seed=params.seed,
        resamples=params.contamination.resamples,
        tested=list(read_records(test)) if test else (),
        answer=answer if answers else None,
        work=outcomes.work_folder(work, settings.model_dump_json(), params.seed, hashes),
    )
    outcomes.write_recording(out, found, params, settings.model_dump(mode="json"), sha256=hashes)


def transfer(
    build: Callable[[int, Path | None], Any],
    generated: Sequence[Record],
    reading: Sequence[Record],
    settings: TransferParameters,
    *,
    seed: int,
    resamples: int,
    tested: Sequence[Record] = (),
    answer: Callable[[Any], None] | None = None,
    work: Path | None = None,
) -> list[outcomes.Outcome]:
    """Train both arms with every seed, this one and the next, and ask them the questions that neither was trained on.

    Args:
        build: makes an untrained :class:`OptionEncoder` from a seed and a folder of checkpoints.
        generated: instances to pre-train on; a part of them is held out.
        reading: questions to fine-tune on and, without ``tested``, to test with: each question in one part only.
        answer: is handed the learner of the first seed that was trained on both.
        work: folder of checkpoints and of what was measured already.
    """
    train, test = _parts(reading, tested, settings, seed)
    own, held_out = _generated_parts(formed(generated, settings.form, seed), settings, seed)
    first, second = (held_out, test) if settings.judged else ((), ())

    def measured(arm: str, seed: int, number: int) -> outcomes.Scores:
        def folder(name: str) -> Path | None:
            return work / f"{_NAMES[arm]}-{seed}-{name}" if work else None

        found = {}
        learner = build(seed, folder("first"))
        if arm == AFTER:
            found["before"] = right_answers(learner, held_out)
            learner.train(own, settings.pretrain_passes, first)
            found["generated"] = right_answers(learner, held_out)
        learner.restart(schedule_of(settings, seed), folder("second"))
        learner.train(train, settings.finetune_passes, second)
        if answer and (arm, number) == (AFTER, 0):
            answer(learner)
        return found | {"reading": right_answers(learner, test)}

    def kept(arm: str, number: int) -> outcomes.Scores:
        run = partial(measured, arm, seed + number, number)
        # Answers are no scores: the learner is made again for them, from its last checkpoint.
        if answer and (arm, number) == (AFTER, 0):
            return run()
        return outcomes.remembered(work, f"{number}-{_NAMES[arm]}", run)

    found = {arm: [kept(arm, number) for number in range(settings.seeds)] for arm in (ALONE, AFTER)}
    arms = {arm: [one["reading"] for one in runs] for arm, runs in found.items()}
    names = {"before": "before", "after": "generated"}
    learnt = {stage: [one[name] for one in found[AFTER]] for stage, name in names.items()}
    drawn = {"seed": seed, "resamples": resamples}
    return [
        *outcomes.summarise(settings.label, reading[0].benchmark, "ACC", arms, **drawn),
        *outcomes.summarise(settings.label, GENERATED, "ACC", learnt, **drawn),
    ]


def schedule_of(settings: TransferParameters, seed: int) -> Schedule:
    """Return the schedule of both trainings."""
    given = settings.model_dump(include={"rate", "batch", "steps_kept", "warm_up", "judged"})
    return Schedule(**given, seed=seed)


def formed(generated: Sequence[Record], form: str, seed: int) -> list[Record]:
    """Return the instances in a form of ILogicEval's Table 1; *f-* is as the authors' conversion makes it."""
    if form == "s-ilogiceval":
        return [symbolic_twin(record) for record in generated]
    if form == "ilogiceval":
        return list(generated)
    long = [
        at
        for at, one in enumerate(generated)
        if len((one.sentences or {}).keys()) > _MANY_VARIABLES
    ]
    dropped = set(Draws(seed, _STREAM, 2).shuffled(long)[: int(len(long) / 3.5)])
    return [one for at, one in enumerate(generated) if at not in dropped]


def _parts(
    reading: Sequence[Record], tested: Sequence[Record], settings: TransferParameters, seed: int
) -> tuple[list[Record], list[Record]]:
    """Return the questions to fine-tune on and those to test with; questions on one passage stay together."""
    asked = [record for record in reading if record.answer is not None]
    if tested:
        test = [record for record in tested if record.answer is not None]
        return spaced_over_types(asked, settings.finetune), spaced_over_types(test, settings.tested)
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
    quartets = Draws(seed, _STREAM, 1).shuffled(quartets_of(generated))
    most = min(settings.held_out, sum(map(len, quartets)) // 3)
    held_out: list[Record] = []
    while quartets and len(held_out) < most:
        held_out += quartets.pop()
    train = [record for quartet in quartets for record in quartet][: settings.pretrain]
    if not train or not held_out:
        raise DivLogicError(
            "there are too few generated instances to train on some and hold others out."
        )
    return train, held_out


def tabulate_transfer(
    recordings: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    generated: Annotated[tuple[Path, ...], "Generated instances of this run; repeatable."] = (),
    out: Annotated[Path, BASE, "Table, without suffix."],
) -> None:
    """Write the table of transfer from recordings; of a learner the last one counts."""
    found = {own[0].learner: own for path in recordings for own in [read_transfer(path, generated)]}
    write_transfer([one for own in found.values() for one in own], out)


def read_transfer(path: Path, generated: Sequence[Path]) -> list[outcomes.Outcome]:
    """Read a recording; what was trained on another version of the run's instances says so."""
    own = {file_sha256(one) for one in generated}
    return outcomes.read_recording(
        path,
        "Recorded on {date}: {settings[pretrain]:,} generated instances, passes: {settings[pretrain_passes]};"
        " {settings[finetune]:,} questions, passes: {settings[finetune_passes]}; passages and options of"
        " {settings[longest]} tokens",
        lambda about: own.issuperset(about["sha256"]["generated"]),
        ", with another version of the generated instances",
    )


def write_transfer(found: Sequence[outcomes.Outcome], out: Path) -> None:
    """Write the table: a row per learner, sample and arm."""
    words = {"held_out": GENERATED, "remark": outcomes.remarks_of(found)}
    write_accuracies("transfer", out, found, **words)
