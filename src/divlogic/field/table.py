"""The table of environments: a row for each, of what no reasoning earns, of its labels and of its seeds."""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.field.drawing import Drawn, Item, Job, draw
from divlogic.field.floors import LEAST, Floors, floors
from divlogic.field.labels import Verdict, canonical, decide
from divlogic.intervals import wilson
from divlogic.io.files import read_yaml
from divlogic.records import Record

ENVIRONMENTS = Path(__file__).with_name("environments.yaml")

PROBES = ("surface", "text", "overlap", "words")
"""Probes that labels and options have in common; the columns of a row."""

COLUMNS = (
    *("package", "version", "name", "level", "seed", "items", "answers"),
    *("constant", "constant_right", "constant_low", "constant_high", "guessing"),
    *PROBES,
    *("best", "best_right", "best_low", "best_high", "above"),
    *("cue", "cue_rows", "cue_right"),
    *("form", "checked", "wrong", "wrong_low", "wrong_high", "readings", "first_wrong"),
    *("shared", "again", "cpu_seconds", "note", "fault", "date"),
)
"""Columns of the file: shares in percent; ``above``: whether a probe is surer than chance allows; ``wrong``: labels
that are right in no reading; ``readings``: wrong labels of each; ``shared``: items that the next seed has too;
``again``: items that a second process draws again; blank: not measured."""

_TWICE = 20
"""Items that are drawn a second time: one that differs shows that a seed does not fix the draw."""


@dataclass(frozen=True, slots=True)
class Environment:
    """An entry of the list: what is measured.

    Attributes:
        package, name: of the environment.
        levels: of difficulty; 0 is the default.
        labels: number of items whose labels are checked; ``None``: of those that are measured.
        note: what a reader must know to read the row.
    """

    package: str
    name: str = ""
    levels: tuple[int, ...] = (0,)
    labels: int | None = None
    note: str = ""

    @property
    def title(self) -> str:
        """Return package and name, as an argument of ``divlogic field measure``."""
        return title_of(self.package, self.name)


def title_of(package: str, name: str) -> str:
    """Return package and name as one word; a callable has no name."""
    return "/".join(filter(None, (package, name)))


def listed(path: Path = ENVIRONMENTS) -> list[Environment]:
    """Return the environments of a list.

    Raises:
        DivLogicError: an entry has unknown keys or none of a package; it is named.
    """
    entries = read_yaml(path)
    if not isinstance(entries, list):
        raise DivLogicError(f"{path}: it is no list; write an entry per environment.")
    found = []
    for number, entry in enumerate(entries, start=1):
        known = Environment.__dataclass_fields__
        if not isinstance(entry, dict) or "package" not in entry or not entry.keys() <= {*known}:
            raise DivLogicError(
                f"{path}, entry {number}: {entry!r}; give 'package' and of {', '.join(known)} what is needed."
            )
        found.append(Environment(**{**entry, "levels": tuple(entry.get("levels", (0,)))}))
    return found


def row_of(environment: Environment, job: Job, python: Path | None, date: str) -> dict[str, Any]:
    """Measure one level of an environment; whatever it does, there is a row.

    Args:
        environment: its entry.
        job: what is drawn: package, name, level, seed, size and budget.
        python: the interpreter that has its package.
        date: of the measurement.
    """
    start = time.process_time()
    drawn = draw(job, python)
    row: dict[str, Any] = dict.fromkeys(COLUMNS, "")
    row |= {
        "package": job.package,
        "version": drawn.version,
        "name": job.name,
        "level": job.level,
        "seed": job.seed,
        "items": len(drawn.items),
        "note": environment.note,
        "fault": drawn.fault,
        "date": date,
    }
    seconds = drawn.seconds
    if drawn.items:
        measured = floors(drawn.items, job.name or job.package, job.seed)
        row |= {"note": environment.note or _why_none(measured, drawn.items)}
        row |= _of_floors(measured) if measured else {}
        beside, spent = _labels_and_seeds(environment, job, drawn, python)
        row |= beside
        seconds += spent
    row["cpu_seconds"] = f"{seconds + time.process_time() - start:.1f}"
    return row


def _why_none(measured: Floors | None, items: Sequence[Item]) -> str:
    """Say why no probe was trained, where none was."""
    if measured is None:
        return "an item has no answer: a program judges what is given"
    if measured.probes:
        return ""
    if len(items) < LEAST:
        return f"fewer than {LEAST} items: no probe was trained"
    return f"open answers: {measured.answers} different ones in {len(items)} items"


def _of_floors(measured: Floors) -> dict[str, Any]:
    best = measured.surest
    accuracies = {probe.probe: percent(probe.accuracy) for probe in measured.probes}
    found = {
        "answers": measured.answers,
        "constant": measured.constant[:60],
        "constant_right": percent(measured.share),
        "constant_low": percent(measured.low),
        "constant_high": percent(measured.high),
        "guessing": percent(measured.guessing),
        **{name: accuracies.get(name, "") for name in PROBES},
    }
    if best is not None:
        found |= {
            "best": best.probe,
            "best_right": percent(best.accuracy),
            "best_low": percent(best.low),
            "best_high": percent(best.high),
            "above": "yes" if measured.found else "no",
        }
    if measured.cues:
        cue = measured.cues[0]
        found |= {"cue": cue.rule, "cue_rows": cue.rows, "cue_right": percent(cue.right)}
    return found


def _labels_and_seeds(
    environment: Environment, job: Job, drawn: Drawn, python: Path | None
) -> tuple[dict[str, Any], float]:
    """Return the columns of labels and seeds, and the seconds of CPU that drawing took."""
    found: dict[str, Any] = {}
    other = draw(replace(job, seed=job.seed + 1), python)
    twice = draw(replace(job, size=min(_TWICE, len(drawn.items))), python)
    seconds = other.seconds + twice.seconds
    if other.items:
        texts = {item.text for item in other.items}
        found["shared"] = percent(
            sum(item.text in texts for item in drawn.items) / len(drawn.items)
        )
    if twice.items:
        same = [one == two for one, two in zip(twice.items, drawn.items, strict=False)]
        found["again"] = percent(sum(same) / len(same))
    items = drawn.items
    if decide(items[0], job) is not None and (environment.labels or 0) > len(items):
        more = draw(replace(job, size=environment.labels or 0), python)
        items, seconds = more.items, seconds + more.seconds
    return found | check_labels(items, job), seconds


def check_labels(items: Sequence[Item], job: Job | None = None) -> dict[str, Any]:
    """Return the columns of labels; empty where no text is decided."""
    decided = list(verdicts(items, job))
    if not decided:
        return {}
    wrong = [item for item, verdict in decided if verdict.wrong(item.answer)]
    by_reading = Counter(
        reading
        for item, verdict in decided
        for reading, right in verdict.answers.items()
        if right != canonical(item.answer)
    )
    share = wilson(len(wrong) / len(decided), len(decided))
    return {
        "form": decided[0][1].form,
        "checked": len(decided),
        "wrong": len(wrong),
        "wrong_low": percent(share.low),
        "wrong_high": percent(share.high),
        "readings": "; ".join(
            f"{reading}: {by_reading[reading]}" for reading in decided[0][1].answers
        ),
        "first_wrong": wrong[0].index if wrong else "",
    }


def items_of(records: Sequence[Record]) -> list[Item]:
    """Return records of a data set as items to check."""
    return [
        Item(
            index=int(one.id) if one.id.isdecimal() else at,
            context=one.context,
            question=one.question,
            options=one.options,
            answer=None if one.answer is None else one.options[one.answer],
            group=None,
        )
        for at, one in enumerate(records)
    ]


def verdicts(items: Sequence[Item], job: Job | None = None) -> Iterator[tuple[Item, Verdict]]:
    """Yield the items that have a label and whose text decides it, with what the check says."""
    for item in items:
        verdict = decide(item, job) if item.answer is not None else None
        if verdict is not None:
            yield item, verdict


def percent(share: float) -> str:
    """Return a share in percent, to one digit."""
    return f"{100 * share:.1f}"


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table that was measured; none if there is no such file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
