"""Recordings: what learners that take long were found to do, as numbers, with what they came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.contamination.outcomes import Outcome, outcome_of, read_outcomes
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_json, write_json

if TYPE_CHECKING:
    from divlogic.contamination.parameters import ContaminationRun, LearnerParameters

_VERSIONS = ("torch", "transformers", "gguf", "peft")


def record(outcomes: Path, out: Path, learner: LearnerParameters, run: ContaminationRun, test: Path) -> int:
    """Write outcomes as a recording, which later runs show without training: numbers, and what they came from.

    Args:
        outcomes: what ``run`` wrote.
        out: the recording (json).
        learner, run: parameters that they were found with.
        test: the test split, whose hash is kept.
    """
    found = read_outcomes(outcomes)
    write_recording(
        out,
        found,
        run,
        run.contamination.model_dump(mode="json", exclude={"learners"}),
        {"test_sha256": file_sha256(test)},
        learner=learner.model_dump(mode="json"),
    )
    return len(found)


def write_recording(
    out: Path,
    found: Sequence[Outcome],
    run: ContaminationRun,
    settings: Mapping[str, Any],
    hashes: Mapping[str, Any],
    *,
    learner: Mapping[str, Any] | None = None,
) -> None:
    """Write outcomes with what they came from: date, seed, settings, versions of the libraries, hashes of the files.

    Args:
        out: the recording (json).
        found: the outcomes.
        run: the parameters that they were found with.
        settings: those of the parameters on which they depend.
        hashes: name -> SHA-256 of what was trained on or tested with.
        learner: who learned, unless the settings say it.
    """
    about = {
        **({} if learner is None else {"learner": learner}),
        "date": datetime.now(UTC).date().isoformat(),
        "seed": run.seed,
        "settings": settings,
        "versions": _versions(),
        **hashes,
    }
    rows = [asdict(one) | {"source": "recording"} for one in found]
    write_json(out, {"about": about, "outcomes": rows}, note=False)


def _versions() -> dict[str, str]:
    """Return the versions of the libraries that train networks, as far as they are installed."""
    found = {}
    for name in _VERSIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def read_recording(path: Path, test: Path) -> list[Outcome]:
    """Read a recording; what was found with another version of the test split says so.

    Raises:
        DivLogicError: the file is missing or no recording.
    """
    kept = read_json(path)
    try:
        same = kept["about"]["test_sha256"] == file_sha256(test)
        rows = [dict(row) for row in kept["outcomes"]]
        date = kept["about"]["date"]
        remark = f"recorded on {date}" + ("" if same else " with another version of the test set")
        # By sample, what else must be known of it: recordings of before say which question types were asked.
        own = {name: f"{remark}, {text}" for name, text in kept["about"].get("remarks", {}).items()}
        return [outcome_of(row | {"remark": own.get(row["sample"], remark)}) for row in rows]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DivLogicError(
            f"{path}: not a recording of this phase ({error!r}); restore it with git, or record it again."
        ) from error
