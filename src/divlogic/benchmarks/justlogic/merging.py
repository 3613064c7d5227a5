"""The union of the shards of generic statements: one file ordered by term, with the counts summed."""

from __future__ import annotations

import csv
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import orjson

from divlogic.benchmarks.justlogic.statements import COUNTED, KEPT
from divlogic.errors import DivLogicError
from divlogic.io.files import read_as, read_lines, write_jsonl
from divlogic.io.merging import merge_sorted
from divlogic.io.tables import write_listing


def merge_statements(
    shards: Iterable[Path], out: Path, structured_share: float = 1.0, total: Counter[str] | None = None
) -> int:
    """Merge shards into one file; return the number of statements.

    Of the statements from knowledge bases, at most ``structured_share`` of the whole stay: those with the smallest ids,
    which are hashes of their texts. What is left out is moved in ``total`` to the outcome ``structured``.

    Terms with several statements come first, then those with one, both sorted. Every row gets ``group``: the row
    number of the first statement on its term, and how many there are. The file is not compressed: items read it
    at random places.

    Raises:
        DivLogicError: there is no statement, a row is malformed, the shards overlap, or their statements are not as
            many as ``total`` says.
    """
    shards = list(shards)
    limit = _structured_limit(shards, structured_share)

    def admitted() -> Iterator[dict[str, Any]]:
        for _, row in merge_sorted(shards, _usable, "a usable statement", itemgetter("term", "id")):
            if row.get("structured") and row["id"] > limit:
                if total is not None:
                    total[KEPT[0] if row["negated"] else KEPT[1]] -= 1
                    total["structured"] += 1
            else:
                yield row

    def rows(singles: IO[bytes]) -> Iterator[dict[str, Any]]:
        first = 0
        for term, items in groupby(admitted(), key=itemgetter("term")):
            group = list(items)
            if len({row["id"] for row in group}) < len(group):
                raise DivLogicError(
                    f"{out}: the shards overlap at the term '{term}'; make all of them again."
                )
            if len(group) == 1:
                singles.write(orjson.dumps(group[0], option=orjson.OPT_APPEND_NEWLINE))
                continue
            for row in group:
                yield row | {"group": [first, len(group)]}
            first += len(group)
        singles.seek(0)
        number = first - 1
        for number, line in enumerate(singles, start=first):
            yield orjson.loads(line) | {"group": [number, 1]}
        if total is not None and number + 1 != (counted := sum(total[outcome] for outcome in KEPT)):
            raise DivLogicError(
                f"{out}: the shards hold {number + 1:,} statements, but their counts say {counted:,}; make all of them"
                " again."
            )

    with tempfile.TemporaryFile() as singles:
        count = write_jsonl(out, rows(singles))
    if not count:
        raise DivLogicError(
            f"{out}: no generic statement passed the filter; relax 'benchmarks.justlogic.statements' in params.yaml."
        )
    return count


def _structured_limit(shards: Sequence[Path], share: float) -> str:
    """Return the greatest id of a structured statement that stays, so that these make up ``share`` of all at most.

    Where every statement is structured there is nothing to mix them with, and all stay.
    """
    structured: list[str] = []
    others = 0
    for path in shards:
        for _, row in read_as(path, _usable, "a usable statement"):
            if row.get("structured"):
                structured.append(row["id"])
            else:
                others += 1
    allowed = int(others * share / (1 - share)) if share < 1 else len(structured)
    if not others or len(structured) <= allowed:
        return "~"
    return sorted(structured)[allowed - 1] if allowed else ""


def read_counts(counts: Iterable[Path]) -> Counter[str]:
    """Add up the outcomes of the shards.

    Raises:
        DivLogicError: a file is missing or holds something else.
    """
    total: Counter[str] = Counter()
    for path in counts:
        rows = csv.reader(line for _, line in read_lines(path))
        if next(rows, None) != [*COUNTED]:
            raise DivLogicError(
                f"{path}, row 1: not the counts of a shard ({','.join(COUNTED)}); make it again."
            )
        for number, cells in enumerate(rows, start=2):
            if len(cells) != 2 or not cells[1].isdecimal():
                raise DivLogicError(f"{path}, row {number}: not an outcome and its count; make it again.")
            total[cells[0]] += int(cells[1])
    return total


def write_counts(total: Counter[str], out: Path) -> None:
    """Write the outcomes as csv and json, the most frequent first."""
    rows = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    write_listing(out.with_suffix(""), COUNTED, [dict(zip(COUNTED, row, strict=True)) for row in rows])


def _usable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row that :func:`~divlogic.benchmarks.justlogic.statements.write_statements` wrote if it is one.

    Raises:
        KeyError: a field is missing.
        ValueError: a field is of the wrong type.
    """
    for name in ("term", "id", "text", "source"):
        if not isinstance(row[name], str):
            raise ValueError(f"the field '{name}' is not a string")
    if not isinstance(row["negated"], (str, type(None))):
        raise ValueError("the field 'negated' is not a string")
    return row
