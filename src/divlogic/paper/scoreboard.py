"""The scoreboard: how many printed cells can be compared here and were reproduced, and why the others cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.io.tables import read_table, write_listing
from divlogic.paper.measured import GENERATED, GENERATED_PART
from divlogic.paper.model import Table
from divlogic.paper.parameters import PaperParameters, Tolerance

REASONS = {
    "generated": "measured on a benchmark generated here, not the paper's",
    "unavailable": "the corpus is not in this run",
    "not_asked": "the model was not asked in this run",
    "not_measured": "no measure of this workflow: people, trained models, splits that are not public",
    "design": "a constant of the design, such as the number of options",
}
"""Why a printed number cannot be reproduced here, by the field of :class:`Score`."""


@dataclass(frozen=True)
class Score:
    """The printed cells of one table.

    Attributes:
        paper, table, title: which table.
        cells: printed numbers; all the following but ``near`` and ``other_part`` add up to it.
        reproduced, off: measured here on the paper's benchmark, within the tolerance or not; ``near`` of those off are
            so by little, and ``other_part`` of both rest on another part of it (another split, other instances).
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
    off: int
    near: int
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
        return self.reproduced + self.off


def score_tables(tables: Sequence[Table], parameters: PaperParameters) -> list[Score]:
    """Return one score per table that prints numbers."""
    scores = [score_table(table, parameters) for table in tables]
    return [score for score in scores if score.cells]


def score_table(table: Table, parameters: PaperParameters) -> Score:
    """Count the cells of one table."""
    cells = list(table.cells())
    both = [cell for cell in cells if cell.status in ("reproduced", "off")]
    own = [cell for cell in both if not is_generated(cell.other)]
    counts = {status: sum(cell.status == status for cell in own) for status in ("reproduced", "off")}
    counts["generated"] = len(both) - len(own)
    for status in ("unavailable", "not_asked", "not_measured", "design"):
        counts[status] = sum(cell.status == status for cell in cells)
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
        near=sum(cell.near for cell in own),
        other_part=sum(bool(cell.other) for cell in own),
        tolerance="; ".join(
            f"{kind} {tolerance_text(getattr(parameters.tolerances, kind))}" for kind in kinds
        ),
        **counts,
    )


def is_generated(other: str) -> bool:
    """Tell from a cell's remark on its data whether these are a benchmark generated here."""
    return other == GENERATED or other.startswith(GENERATED_PART)


def total_of(scores: Sequence[Score]) -> dict[str, int]:
    """Add the counts of all tables up; ``comparable`` is the denominator of what was reproduced."""
    names = [field.name for field in fields(Score) if field.type == "int"]
    total = {name: sum(getattr(score, name) for score in scores) for name in names}
    return {**total, "comparable": total["reproduced"] + total["off"]}


def tolerance_text(tolerance: Tolerance) -> str:
    """Return a tolerance as it is printed: ``±1`` or ``±2%``."""
    parts = [f"±{tolerance.absolute:g}"] if tolerance.absolute else []
    parts += [f"±{100 * tolerance.relative:g}%"] if tolerance.relative else []
    return " or ".join(parts) or "±0"


def write_scoreboard(scores: Sequence[Score], table: Path, metrics: Path) -> None:
    """Write the scores as csv and json, and their totals, the few numbers that ``dvc metrics`` can show in one line."""
    write_listing(table.with_suffix(""), [field.name for field in fields(Score)], list(map(asdict, scores)))
    write_json(metrics, total_of(scores))


def read_scoreboard(path: Path) -> list[Score]:
    """Read the scores back, from the json next to the csv.

    Raises:
        DivLogicError: there is no scoreboard yet, or the file is not one.
    """
    if not path.with_suffix(".json").is_file():
        raise DivLogicError(f"{path}: there is no scoreboard yet; make it with `snakemake paper`.")
    try:
        return [Score(**row) for row in read_table(path.with_suffix(""))]
    except TypeError as error:
        raise DivLogicError(
            f"{path}: not a scoreboard ({error}); make it again with `snakemake paper`."
        ) from error
