"""The scoreboard: how many printed cells can be compared here and were reproduced, and why the others cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated

from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.io.tables import read_table, write_listing
from divlogic.paper.model import COUNTED, ReportTable, read_tables_json
from divlogic.paper.parameters import PaperParameters, PaperRun, Tolerance

_COMPARED = ("reproduced", "near", "off")


@dataclass(frozen=True)
class TableScore:
    """The printed cells of one table.

    Attributes:
        paper, table, title: which table.
        cells: printed numbers; all the following but ``other_part`` add up to it.
        reproduced: measured here on the paper's data, within the tolerance.
        near: off by few tolerances, or within one on other data (another split, another reference).
        off: measured here, and neither; ``other_part`` of these three rest on other data.
        generated: measured, but on a benchmark generated here.
        unavailable: measured by this workflow, but on a corpus that this run does not have.
        not_asked: scores of models that this run did not ask.
        not_measured: this workflow has no measure for them.
        design: constants of the design, found again.
        tolerance: what counts as reproduced, per kind of number.
    """

    paper: str
    table: str
    title: str
    cells: int
    reproduced: int
    near: int
    off: int
    other_part: int
    generated: int
    unavailable: int
    not_asked: int
    not_measured: int
    design: int
    tolerance: str

    @property
    def comparable(self) -> int:
        """Printed numbers that can be reproduced here."""
        return self.reproduced + self.near + self.off


def scoreboard(
    *,
    tables: Annotated[Path, "Tables that `gather` wrote (json)."],
    out: Annotated[Path, "Where the scoreboard goes (csv; and json next to it)."],
    metrics: Annotated[Path, "Where the counts go (json)."],
    params: PaperRun,
) -> None:
    """Count the cells that were reproduced, are off, published only, unavailable."""
    write_scoreboard(score_tables(read_tables_json(tables), params.paper), out, metrics)


def score_tables(tables: Sequence[ReportTable], parameters: PaperParameters) -> list[TableScore]:
    """Return one score per table that prints numbers."""
    scores = [score_table(table, parameters) for table in tables]
    return [score for score in scores if score.cells]


def score_table(table: ReportTable, parameters: PaperParameters) -> TableScore:
    """Count the cells of one table."""
    cells = list(table.cells())
    counts = {status: sum(cell.status == status for cell in cells) for status in COUNTED}
    kinds = list(
        dict.fromkeys(
            column.kind
            for place, column in enumerate(table.columns)
            if any(row.cells[place].status in _COMPARED for row in table.rows)
        )
    )
    return TableScore(
        paper=table.paper,
        table=table.name,
        title=f"{table.number}: {table.title}" if table.number else table.title,
        cells=sum(counts.values()),
        other_part=sum(bool(cell.other) for cell in cells if cell.status in _COMPARED),
        tolerance="; ".join(
            f"{kind} {tolerance_text(getattr(parameters.tolerances, kind))}" for kind in kinds
        ),
        **counts,
    )


def total_of(scores: Sequence[TableScore]) -> dict[str, int]:
    """Add the counts of all tables up; ``comparable`` is the denominator of what was reproduced."""
    names = [field.name for field in fields(TableScore) if field.type == "int"]
    total = {name: sum(getattr(score, name) for score in scores) for name in names}
    return {**total, "comparable": total["reproduced"] + total["near"] + total["off"]}


def tolerance_text(tolerance: Tolerance) -> str:
    """Return a tolerance as it is printed: ``±1`` or ``±2%``."""
    parts = [f"±{tolerance.absolute:g}"] if tolerance.absolute else []
    parts += [f"±{100 * tolerance.relative:g}%"] if tolerance.relative else []
    return " or ".join(parts) or "±0"


def write_scoreboard(scores: Sequence[TableScore], table: Path, metrics: Path) -> None:
    """Write the scores as csv and json, and their totals."""
    write_listing(
        table.with_suffix(""), [field.name for field in fields(TableScore)], list(map(asdict, scores))
    )
    write_json(metrics, total_of(scores))


def read_scoreboard(path: Path) -> list[TableScore]:
    """Read the scores back, from the json next to the csv.

    Raises:
        DivLogicError: there is no scoreboard yet, or the file is not one.
    """
    if not path.with_suffix(".json").is_file():
        raise DivLogicError(f"{path}: there is no scoreboard yet; make it with `snakemake paper`.")
    try:
        return [TableScore(**row) for row in read_table(path.with_suffix(""))]
    except TypeError as error:
        raise DivLogicError(
            f"{path}: not a scoreboard ({error}); make it again with `snakemake paper`."
        ) from error
