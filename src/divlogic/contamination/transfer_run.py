"""The step that measures transfer, and its recordings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.contamination.outcomes import Outcome, outcome_of
from divlogic.contamination.recording import write_recording
from divlogic.contamination.transfer import Choice, schedule_of, transfer
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_json
from divlogic.records import read_records

if TYPE_CHECKING:
    from divlogic.contamination.parameters import ContaminationRun, TransferParameters


def run_transfer(
    generated: Sequence[Path],
    reading: Path,
    test: Path | None,
    out: Path,
    run: ContaminationRun,
    *,
    work: Path | None = None,
    loaded: Any = None,
) -> list[Outcome]:
    """Train and ask both arms, and write what was found as a recording: numbers, settings, versions, hashes.

    Args:
        generated: instances to train on first.
        reading: questions on texts; a part of them is tested with unless ``test`` is given.
        test: questions to test with.
        out: the recording (json).
        run: the parameters.
        work: folder of checkpoints and of what was measured; each experiment has a folder of its own in it.
        loaded: makes an encoder and its tokenizer, instead of those that the parameters name.

    Raises:
        DivLogicError: a file is missing or broken, there are too few questions, or torch is not installed.
    """
    settings = run.contamination.transfer
    hashes = {
        "generated": [file_sha256(path) for path in generated],
        "reading": file_sha256(reading),
        "test": file_sha256(test) if test else None,
    }
    identity = hashlib.sha256(f"{settings.model_dump_json()} {run.seed} {hashes}".encode()).hexdigest()
    found = transfer(
        settings.label,
        partial(_build, settings, loaded),
        [record for path in generated for record in read_records(path)],
        list(read_records(reading)),
        settings,
        seed=run.seed,
        resamples=run.contamination.resamples,
        tested=list(read_records(test)) if test else (),
        work=work / identity[:12] if work else None,
        identity=identity,
    )
    write_recording(out, found, run, settings.model_dump(mode="json"), {"sha256": hashes})
    return found


def read_transfer(path: Path, generated: Sequence[Path]) -> list[Outcome]:
    """Read a recording; what was trained on another version of the run's instances says so.

    Raises:
        DivLogicError: the file is missing or no recording.
    """
    kept = read_json(path)
    try:
        same = set(kept["about"]["sha256"]["generated"]) <= {file_sha256(one) for one in generated}
        sizes = kept["about"]["settings"]
        remark = (
            f"Recorded on {kept['about']['date']}: {sizes['pretrain']:,} generated instances, passes:"
            f" {sizes['pretrain_passes']}; {sizes['finetune']:,} questions, passes: {sizes['finetune_passes']};"
            f" passages and options of {sizes['longest']} tokens"
        )
        remark += "" if same else ", with another version of the generated instances"
        return [outcome_of(row | {"remark": remark}) for row in kept["outcomes"]]
    except (KeyError, TypeError, ValueError) as error:
        raise DivLogicError(
            f"{path}: not a recording of transfer ({error!r}); restore it with git, or measure again."
        ) from error


def _build(settings: TransferParameters, loaded: Any, seed: int, work: Path | None) -> Choice:
    from divlogic.contamination.networks.choice import MultipleChoice
    from divlogic.networks.library import ENCODER

    return MultipleChoice(
        settings.model or ENCODER,
        schedule_of(settings, seed),
        longest=settings.longest,
        work=work,
        loaded=loaded() if loaded else None,
    )
