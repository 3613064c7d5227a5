"""The scoreboard: how many printed cells were reproduced, are off, are published only, are unavailable."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import read_lines, write_csv, write_json
from divlogic.paper.model import Table
from divlogic.paper.parameters import PaperParameters, Tolerance


@dataclass(frozen=True)
class Score:
    """The printed cells of one table.

    Attributes:
        paper, table, title: which table.
        cells: printed numbers; the next four add up to it.
        reproduced, off: measured here, within the tolerance or not; ``near`` of those off are so by little.
        published_only: not measured by this workflow, or by a model that was not run.
        unavailable: measured by this workflow, but on a corpus that this run does not have.
        other_data: of those measured, how many on data that are not the paper's (another split, a benchmark of ours).
        tolerance: what counts as reproduced, per kind of number.
    """

    paper: str
    table: str
    title: str
    cells: int
    reproduced: int
    off: int
    near: int
    published_only: int
    unavailable: int
    other_data: int
    tolerance: str


def score_tables(tables: Sequence[Table], parameters: PaperParameters) -> list[Score]:
    """Return one score per table that prints numbers."""
    scores = [score_table(table, parameters) for table in tables]
    return [score for score in scores if score.cells]


def score_table(table: Table, parameters: PaperParameters) -> Score:
    """Count the cells of one table."""
    cells = list(table.cells())
    counts = {
        status: sum(cell.status == status for cell in cells)
        for status in ("reproduced", "off", "published_only", "unavailable")
    }
    kinds = list(
        dict.fromkeys(
            column.kind
            for place, column in enumerate(table.columns)
            if any(row.cells[place].status in ("reproduced", "off") for row in table.rows)
        )
    )
    return Score(
        paper=table.paper,
        table=table.name,
        title=f"{table.number}: {table.title}" if table.number else table.title,
        cells=sum(counts.values()),
        near=sum(cell.near for cell in cells),
        other_data=sum(cell.status in ("reproduced", "off") and bool(cell.other) for cell in cells),
        tolerance="; ".join(
            f"{kind} {tolerance_text(getattr(parameters.tolerances, kind))}" for kind in kinds
        ),
        **counts,
    )


def total_of(scores: Sequence[Score]) -> dict[str, int]:
    """Add the counts of all tables up."""
    names = [field.name for field in fields(Score) if field.type == "int"]
    return {name: sum(getattr(score, name) for score in scores) for name in names}


def tolerance_text(tolerance: Tolerance) -> str:
    """Return a tolerance as it is printed: ``±1`` or ``±2%``."""
    parts = [f"±{tolerance.absolute:g}"] if tolerance.absolute else []
    parts += [f"±{100 * tolerance.relative:g}%"] if tolerance.relative else []
    return " or ".join(parts) or "±0"


def write_scoreboard(scores: Sequence[Score], table: Path, metrics: Path) -> None:
    """Write the scores as csv, and their totals as the few numbers that ``dvc metrics`` can show in one line."""
    names = [field.name for field in fields(Score)]
    write_csv(table, names, [[getattr(score, name) for name in names] for score in scores])
    write_json(metrics, total_of(scores))


def read_scoreboard(path: Path) -> list[Score]:
    """Read the scores back.

    Raises:
        DivLogicError: there is no scoreboard yet, or the file is not one.
    """
    if not Path(path).is_file():
        raise DivLogicError(f"{path}: there is no scoreboard yet; make it with `snakemake paper`.")
    rows = list(csv.DictReader(line for _, line in read_lines(path)))
    readers: dict[str, Callable[[str], Any]] = {
        f.name: int if f.type == "int" else str for f in fields(Score)
    }
    try:
        return [Score(**{name: read(row[name]) for name, read in readers.items()}) for row in rows]
    except (KeyError, ValueError) as error:
        raise DivLogicError(
            f"{path}: not a scoreboard ({error}); make it again with `snakemake paper`."
        ) from error
