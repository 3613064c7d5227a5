"""What an experiment found: one row per learner, sample, measure and stage of training, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from divlogic.errors import DivLogicError
from divlogic.intervals import estimates
from divlogic.io.files import read_as, write_jsonl
from divlogic.io.tables import write_table

Floats = NDArray[np.float64]
Source = Literal["measured", "recording"]

_DECIMALS = 4
_ACCURACIES = ("accuracy", "low", "high", "delta", "delta_low", "delta_high", "instances", "seeds")
_UNITS = {
    **dict.fromkeys(("accuracy", "low", "high"), "percent"),
    **dict.fromkeys(("delta", "delta_low", "delta_high"), "points"),
}


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
    source: Source = "measured"
    remark: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self.learner, self.sample, self.measure


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

    Args:
        learner, sample, measure: how the rows are named.
        stages: for each stage the scores of every seed, each of shape (instances,), the instances in the same order.
        seed, resamples: of the bootstrap over instances.
        unit: what a score of 1 is shown as.
    """
    origin: Floats | None = None
    for stage, runs in stages.items():
        scores = np.mean(np.stack(list(runs)), axis=0)
        own = _interval(scores, seed, resamples, unit)
        change = None if origin is None else _interval(scores - origin, seed, resamples, unit, shares=False)
        yield Outcome(
            learner, sample, measure, stage, *own, len(scores), len(runs), *(change or (None, None, None))
        )
        origin = scores if origin is None else origin


def _interval(
    scores: Floats, seed: int, resamples: int, unit: float, *, shares: bool = True
) -> tuple[float, float, float]:
    (found,) = estimates(np.round(scores, 9)[:, None], seed=seed, resamples=resamples, shares=shares)
    return (
        round(unit * found.value, _DECIMALS),
        round(unit * found.low, _DECIMALS),
        round(unit * found.high, _DECIMALS),
    )


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> int:
    """Write outcomes as jsonl; return their number."""
    return write_jsonl(path, (asdict(outcome) for outcome in outcomes))


def read_outcomes(path: Path) -> list[Outcome]:
    """Read outcomes back.

    Raises:
        DivLogicError: the file is missing, or a row is no outcome.
    """
    return [outcome for _, outcome in read_as(path, outcome_of, "an outcome of an experiment")]


def outcome_of(row: dict[str, Any]) -> Outcome:
    """Build an outcome from the row of a file.

    Raises:
        ValueError: a field is missing, unknown or of another type.
    """
    known = {field.name for field in fields(Outcome)}
    if "items" in row:
        raise ValueError("the field `items` is called `instances` now; rename it")
    if strange := sorted(set(row) - known):
        raise ValueError(f"the field '{strange[0]}' is unknown")
    for name in ("learner", "sample", "measure", "stage"):
        if not isinstance(row.get(name), str):
            raise ValueError(f"the field '{name}' is missing or not a string")
    for name in ("value", "low", "high", "instances", "seeds"):
        if isinstance(row.get(name), bool) or not isinstance(row.get(name), (int, float)):
            raise ValueError(f"the field '{name}' is missing or not a number")
    return Outcome(**row)


def stages_of(outcomes: Iterable[Outcome]) -> dict[tuple[str, str, str], dict[str, Outcome]]:
    """Return outcomes by learner, sample and measure, and then by stage, in the order in which they come.

    Raises:
        DivLogicError: an outcome appears twice.
    """
    found: dict[tuple[str, str, str], dict[str, Outcome]] = {}
    for outcome in outcomes:
        stages = found.setdefault(outcome.key, {})
        if outcome.stage in stages:
            raise DivLogicError(
                f"{outcome.learner}, {outcome.sample}, {outcome.measure}: the stage '{outcome.stage}' appears twice;"
                " give each file of outcomes once."
            )
        stages[outcome.stage] = outcome
    return found


def write_accuracies(
    out: Path,
    names: tuple[str, str],
    printed: Iterable[Mapping[str, Any]],
    outcomes: Iterable[Outcome],
    note: str,
    published: Path,
) -> list[Path]:
    """Write a table of accuracies: the printed rows, and one row per learner, sample and stage.

    Args:
        out: the table, without suffix.
        names: how it calls the columns of the sample and of the stage.
        printed: rows with a learner, both of these, `accuracy` and `delta`.
        outcomes: accuracies in percent.
        note: how the numbers were obtained.
        published: the file of the printed cells.

    Returns:
        The files that were written.
    """
    sample, stage = names
    rows: list[dict[str, Any]] = [{"source": "printed", **row} for row in printed]
    rows += [
        {
            "source": one.source,
            "learner": one.learner,
            sample: one.sample,
            stage: one.stage,
            "accuracy": one.value,
            "low": one.low,
            "high": one.high,
            "delta": one.change,
            "delta_low": one.change_low,
            "delta_high": one.change_high,
            "instances": one.instances,
            "seeds": one.seeds,
        }
        for stages in stages_of(outcomes).values()
        for one in stages.values()
    ]
    columns = ("source", "learner", sample, stage, *_ACCURACIES)
    return write_table(out, columns, rows, note, floats=1, units=_UNITS, sources=[published.as_posix()])
