"""Labels derived again: what an audit says of one, and the loop in which a solver confirms those of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.log import track
from divlogic.records import Record, read_records


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label derived again from the symbolic form.

    Attributes:
        derived: the label that follows, or ``None`` if none could be derived.
        kind: class of the finding; empty where the labels agree.
    """

    id: str
    published: str
    derived: str | None
    kind: str = ""
    reason: str = ""

    @property
    def agrees(self) -> bool:
        """Return whether the derived label is the published one."""
        return self.derived == self.published


def published_label(record: Record) -> str:
    """Return the text of the labelled option; empty where there is none."""
    return "" if record.answer is None else record.options[record.answer]


def confirmed(
    files: Sequence[Path],
    title: str,
    problems: Callable[[list[Record]], Iterable[str]],
    *,
    group: Callable[[Record], Any] = attrgetter("id"),
    shard: int = 0,
    shards: int = 1,
) -> Iterator[list[Record]]:
    """Yield the groups of records of files after a solver has looked at them; stop in the end if it objects to any.

    Args:
        problems: returns a solver's objections to a group.
        group: tells the group of a record; those of a group are consecutive.
        shard, shards: which share of the groups is looked at, and the number of shares.

    Raises:
        DivLogicError: a label is not confirmed (the message names the first ten objections), a record is not of this
            benchmark, or there is no record.
    """
    found: list[str] = []
    number = 0
    names = ", ".join(map(str, files))
    for path in files:
        for _, members in groupby(track(read_records(path), "labels confirmed by Z3"), key=group):
            number += 1
            if (number - 1) % shards != shard:
                continue
            records = list(members)
            try:
                found += problems(records)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
                raise DivLogicError(
                    f"{path}, record {records[0].id}: its formulas cannot be checked ({error});"
                    f" give records of {title} that this project has generated."
                ) from error
            yield records
    if not number:
        raise DivLogicError(f"{names}: there is no record in it to confirm; regenerate the file.")
    if found:
        raise DivLogicError(
            f"{names}: Z3 does not confirm {len(found)} statements: {'; '.join(found[:10])}."
        )


def judged(record: Record, derived: str | None, kind: str = "", reason: str = "") -> Verdict:
    """Return the verdict on a record's label; one that agrees has no finding."""
    published = published_label(record)
    return Verdict(record.id, published, derived, *(() if derived == published else (kind, reason)))


def of_each(problems: Callable[[Record], Iterable[str]]) -> Callable[[list[Record]], list[str]]:
    """Return the objections to a group of records from those to one record."""
    return lambda records: [
        f"{record.id}: {problem}" for record in records for problem in problems(record)
    ]
