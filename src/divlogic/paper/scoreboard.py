"""The scoreboard: how many printed cells can be compared here and were reproduced, and why the others cannot."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.io.tables import read_table, write_listing
from divlogic.paper.model import COUNTED, REASONS, ReportTable, read_tables_json
from divlogic.paper.parameters import PaperParameters, PaperRun, Tolerance

if TYPE_CHECKING:
    from rich.text import Text

NARROW = 130
"""Columns below which the scoreboard takes its short form."""
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


def show_report(
    source: Annotated[Path, "--in", "The scoreboard that the paper phase wrote."] = Path(
        "results/paper/scoreboard.csv"
    ),
    opened: Annotated[bool, "--open", "Open the report in the browser, too."] = False,
) -> None:
    """Show how many printed numbers were reproduced, per table."""
    show_scoreboard(read_scoreboard(source))
    if opened:
        page = source.with_name("index.html")
        if not page.is_file():
            raise DivLogicError(f"{page}: there is no report yet; make it with `snakemake paper`.")
        # Not click.launch: it starts xdg-open without waiting for it to find that there is no browser.
        if not webbrowser.open(page.resolve().as_uri()):
            raise DivLogicError(f"{page}: no browser could be started here; open the file yourself.")


def show_scoreboard(scores: Sequence[TableScore], width: int | None = None) -> None:
    """Print the scoreboard: in colour on a terminal, as plain columns elsewhere, ``width`` columns wide if given."""
    import sys

    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    # Elsewhere than on a terminal the width is fixed, so that a log has the same lines on every machine.
    console = Console(width=width or (None if terminal else 165), highlight=False)
    board = Table(box=box.SIMPLE_HEAD if terminal else box.SIMPLE, header_style="bold", pad_edge=False)
    # A narrow terminal keeps one line per table: shorter heads, titles cut, tolerances below.
    narrow = console.width < NARROW
    room = console.width - (64 if narrow else 118)
    board.add_column("Table", no_wrap=True, overflow="ellipsis", max_width=room)
    for name, column in COUNTED.items():
        head = column["head"] if narrow else name.replace("_", " ")
        board.add_column(head, justify="right", no_wrap=True)
    if not narrow:
        board.add_column("tolerance", no_wrap=True)
    paper = ""
    for score in scores:
        if score.paper != paper:
            paper = score.paper
            board.add_row(Text(paper, style="bold"))
        tolerance = () if narrow else (score.tolerance,)
        board.add_row(f"  {score.title}", *_counts(score.__dict__), *tolerance)
    total = total_of(scores)
    board.add_section()
    board.add_row(Text("All", style="bold"), *_counts(total))
    console.print(board)
    if narrow:
        kinds = [kind for score in scores for kind in score.tolerance.split("; ") if kind]
        console.print(f"Tolerance: {', '.join(dict.fromkeys(kinds)) or 'none used'}.", soft_wrap=not terminal)
    console.print(
        f"{total['reproduced']} of {total['comparable']} numbers reproduced that can be reproduced here,"
        f" {total['near']} near (off by little, or measured on other data)."
        f" Of the other {total['cells'] - total['comparable']} printed numbers:",
        soft_wrap=not terminal,
    )
    for name, reason in REASONS.items():
        if total[name]:
            console.print(f"{total[name]:>5}  {reason}", soft_wrap=not terminal)


def _counts(counts: Mapping[str, int]) -> list[Text]:
    from rich.text import Text

    return [
        Text(str(counts[name]), style=column["style"]) if counts[name] else Text("·", style="dim")
        for name, column in COUNTED.items()
    ]
