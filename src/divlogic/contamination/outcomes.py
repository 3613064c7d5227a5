"""Outcomes of experiments: a row per learner, sample, measure and stage of training, kept in files and recordings."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import TypeAdapter

from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import METRICS
from divlogic.intervals import Floats, estimates
from divlogic.io.files import read_as, read_json, write_json, write_jsonl
from divlogic.io.log import say

if TYPE_CHECKING:
    from divlogic.contamination.parameters import ContaminationRun

STAGES = ("before", "after")
"""Stages of training on the instances that are asked."""

ALL_ROTATIONS = "ACC, all rotations"
"""Accuracy over all rotations; ``ACC`` itself is that of the order in which the options stood in training."""

SCORES = (ALL_ROTATIONS, *METRICS)
"""What is measured of every learner; of those that can complete a text also the measures of :mod:`.guessing`."""

NLI, DIVLOGICEVAL = "NLI", "DivLogicEval"
"""The samples of Table 5."""

Scores = dict[str, Floats]
"""By sample, the score of each instance."""

Work = Annotated[Path | None, FOLDER, "Folder of checkpoints; the same command goes on from there."]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One number, in percent unless its measure says otherwise.

    Attributes:
        learner: its label.
        sample: what was asked: ``snli``, ``divlogiceval``, ``leaked``, ``unseen``, ``fresh``.
        measure: ``ACC``, ``CIR``, ``PC``, ...
        stage: how far training was: ``origin``, ``1x``, ``10x``, ``before``, ``after``.
        value, low, high: mean over instances and seeds, and its 95 % interval over instances.
        change, change_low, change_high: difference from the first stage on the same instances; ``None`` at that stage.
        instances, seeds: number of instances, and of trainings that are averaged.
        source: ``recording`` of an earlier run, or ``measured`` now.
        remark: what else must be known of it.
    """

    learner: str
    sample: str
    measure: str
    stage: str
    value: float
    low: float
    high: float
    instances: int
    seeds: int
    change: float | None = None
    change_low: float | None = None
    change_high: float | None = None
    source: Literal["measured", "recording"] = "measured"
    remark: str = ""


_READ = TypeAdapter(Outcome).validate_python


def summarise(
    learner: str,
    sample: str,
    measure: str,
    stages: Mapping[str, Sequence[Floats]],
    *,
    seed: int,
    resamples: int,
    unit: float = 100.0,
) -> Iterator[Outcome]:
    """Yield the outcome of each stage; the first one is what the others are compared with.

    Of each stage there are the scores of every seed, each of shape (instances,), the instances in the same order. A
    score of 1 is shown as ``unit``.
    """

    def interval(scores: Floats, *, shares: bool = True) -> tuple[float, float, float]:
        (found,) = estimates(
            np.round(scores, 9)[:, None], seed=seed, resamples=resamples, shares=shares
        )
        return round(unit * found.value, 4), round(unit * found.low, 4), round(unit * found.high, 4)

    origin: Floats | None = None
    for stage, runs in stages.items():
        scores = np.mean(np.stack(list(runs)), axis=0)
        change = () if origin is None else interval(scores - origin, shares=False)
        yield Outcome(
            learner, sample, measure, stage, *interval(scores), len(scores), len(runs), *change
        )
        origin = scores if origin is None else origin


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Write outcomes as jsonl."""
    write_jsonl(path, map(asdict, outcomes))


def read_outcomes(path: Path) -> list[Outcome]:
    """Read outcomes back."""
    return [outcome for _, outcome in read_as(path, _READ, "an outcome of an experiment")]


def stages_of(outcomes: Iterable[Outcome]) -> dict[tuple[str, str, str], dict[str, Outcome]]:
    """Return outcomes by learner, sample and measure, and then by stage, in the order in which they come."""
    found: dict[tuple[str, str, str], dict[str, Outcome]] = {}
    for one in outcomes:
        stages = found.setdefault((one.learner, one.sample, one.measure), {})
        if one.stage in stages:
            raise DivLogicError(
                f"{one.learner}, {one.sample}, {one.measure}: the stage '{one.stage}' appears twice;"
                " give each file of outcomes once."
            )
        stages[one.stage] = one
    return found


def remarks_of(outcomes: Iterable[Outcome]) -> str:
    """Return the different remarks on outcomes, a sentence each."""
    return " ".join(
        f"{remark}." for remark in sorted({one.remark for one in outcomes if one.remark})
    )


def work_folder(work: Path | None, *parts: object) -> Path | None:
    """Return the folder of one experiment within ``work``, named by all that decides its outcome."""
    return (
        work / hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:12] if work else None
    )


def remembered(folder: Path | None, name: str, measure: Callable[[], Scores]) -> Scores:
    """Return the scores of a stage of an experiment that were kept under a name, else measure them and keep them.

    A file for each stage lies in the experiment's :func:`work_folder`, so that an interrupted one measures none twice;
    without a folder nothing is kept.
    """
    if folder is None:
        return measure()
    path = folder / "measured" / f"{name}.json"
    if path.is_file():
        return {sample: np.array(rows) for sample, rows in read_json(path)["scores"].items()}
    say(f"measuring {name}")
    found = measure()
    write_json(path, {"scores": {sample: rows.tolist() for sample, rows in found.items()}})
    return found


def write_recording(
    out: Path,
    found: Sequence[Outcome],
    run: ContaminationRun,
    settings: Mapping[str, Any],
    **about: Any,
) -> None:
    """Write outcomes with what they came from: date, seed, settings, versions of the libraries, hashes of the files.

    The ``settings`` are those of the parameters on which they depend; ``about``: what else they depend on.
    """
    libraries = filter(util.find_spec, ("torch", "transformers", "gguf", "peft"))
    described = {
        "date": datetime.now(UTC).date().isoformat(),
        "seed": run.seed,
        "settings": settings,
        "versions": {name: metadata.version(name) for name in libraries},
        **about,
    }
    rows = [asdict(one) | {"source": "recording"} for one in found]
    write_json(out, {"about": described, "outcomes": rows})


def read_recording(
    path: Path, remark: str, is_same: Callable[[dict[str, Any]], bool], otherwise: str
) -> list[Outcome]:
    """Read the outcomes of a recording.

    Args:
        path: what :func:`write_recording` wrote.
        remark: what must be known of them; the names in braces are of what they came from.
        is_same: tells from what they came from whether that is what this run has.
        otherwise: what the remark ends with if it is not.
    """
    kept = read_json(path)
    try:
        remark = remark.format_map(kept["about"]) + ("" if is_same(kept["about"]) else otherwise)
        # Some recordings remark on a sample, such as which question types were asked.
        more = {
            name: f"{remark}, {text}" for name, text in kept["about"].get("remarks", {}).items()
        }
        outcomes = map(_READ, kept["outcomes"])
        return [replace(one, remark=more.get(one.sample, remark)) for one in outcomes]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DivLogicError(
            f"{path}: not a recording of this kind ({error!r}); restore it with git, or record it again."
        ) from error
