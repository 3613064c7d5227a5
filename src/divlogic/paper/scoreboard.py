"""The scoreboard: which printed numbers were reproduced, why others cannot be, and what a run made."""

from __future__ import annotations

import contextlib
import csv
import re
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.benchmarks.spec import Benchmark
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, row_count, write_json
from divlogic.io.tables import read_table, write_listing
from divlogic.paper.model import COMPARED, COUNTED, REASONS, SHORT, ReportTable
from divlogic.paper.parameters import PaperParameters, Tolerance

_REPRODUCED = (
    "{reproduced} of {comparable} printed numbers that can be compared here, {near} near; {counted} more are counts of"
    " rows, counted again"
)
PAGES = ("index.html", "items.html", "paper.pdf")
_WARNING = re.compile(r"^(?:divlogic: )?warning\b", re.IGNORECASE)
_ROW_WIDTH = 110
"""Characters of a row of the user's own data that a summary shows: about a line of a terminal."""
_SHOWN = 3
NARROW = 150
"""Columns below which the scoreboard takes its short form."""


@dataclass(frozen=True)
class TableScore:
    """The printed cells of one table.

    Attributes:
        cells: printed numbers; all the following but ``other_part`` add up to it; ``statuses.yaml`` says what
            each means.
        other_part: of those that are compared (reproduced, counted, near, off), how many rest on other data.
        tolerance: what counts as reproduced, per kind of number.
    """

    paper: str
    table: str
    title: str
    cells: int
    reproduced: int
    counted: int
    near: int
    off: int
    other_part: int
    generated: int
    design: int
    arithmetic: int
    unavailable: int
    needs_key: int
    needs_gpu: int
    withdrawn: int
    people: int
    unknown: int
    tolerance: str


def score_tables(tables: Sequence[ReportTable], parameters: PaperParameters) -> list[TableScore]:
    """Return one score per table that prints numbers."""
    scores = [score_table(table, parameters) for table in tables]
    return [score for score in scores if score.cells]


def score_table(table: ReportTable, parameters: PaperParameters) -> TableScore:
    """Count the cells of one table."""
    cells = list(table.cells())
    counts = {status: sum(cell.status == status for cell in cells) for status in COUNTED}
    compared = [
        (column.kind, row.cells[place])
        for place, column in enumerate(table.columns)
        for row in table.rows
        if row.cells[place].status in COMPARED
    ]
    kinds = dict.fromkeys(kind for kind, _ in compared)
    tolerances = (
        f"{kind} {tolerance_text(getattr(parameters.tolerances, kind))}" for kind in kinds
    )
    return TableScore(
        paper=table.paper,
        table=table.name,
        title=f"{table.number}: {table.title}" if table.number else table.title,
        cells=sum(counts.values()),
        other_part=sum(bool(cell.other) for _, cell in compared),
        tolerance="; ".join(tolerances),
        **counts,
    )


def total_of(scores: Sequence[TableScore]) -> dict[str, int]:
    """Add the counts of all tables up; ``comparable`` is how many have a number of this run on the paper's data."""
    names = [field.name for field in fields(TableScore) if field.type == "int"]
    total = {name: sum(getattr(score, name) for score in scores) for name in names}
    return {**total, "comparable": sum(total[name] for name in COMPARED)}


def tolerance_text(tolerance: Tolerance) -> str:
    """Return a tolerance as it is printed: ``±1`` or ``±2%``."""
    parts = [f"±{tolerance.absolute:g}"] if tolerance.absolute else []
    parts += [f"±{100 * tolerance.relative:g}%"] if tolerance.relative else []
    return " or ".join(parts) or "±0"


def write_scoreboard(scores: Sequence[TableScore], table: Path, totals: Path) -> None:
    """Write the scores as csv and json, and their totals."""
    names = [field.name for field in fields(TableScore)]
    write_listing(table.with_suffix(""), names, list(map(asdict, scores)))
    write_json(totals, total_of(scores))


def read_scoreboard(path: Path) -> list[TableScore]:
    """Read the scores back, from the json next to the csv."""
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
            raise DivLogicError(
                f"{page}: no browser could be started here; open the file yourself."
            )


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
    board = Table(
        box=box.SIMPLE_HEAD if terminal else box.SIMPLE, header_style="bold", pad_edge=False
    )
    # A narrow terminal keeps one line per table: titles cut, tolerances below, one column for what is not compared.
    narrow = console.width < NARROW
    total = total_of(scores)
    # A status that no printed number has would be an empty column.
    shown_names = [name for name in COUNTED if name in COMPARED or (total[name] and not narrow)]
    columns = {name: COUNTED[name] for name in shown_names}
    # What the other columns take: their heads, three for the lines between them, and the tolerances of a table.
    room = console.width - (44 if narrow else 130)
    board.add_column("Table", no_wrap=True, overflow="ellipsis", max_width=room)
    for column in columns.values():
        board.add_column(column["head"], justify="right", no_wrap=True)
    board.add_column(
        "others" if narrow else "tolerance", no_wrap=True, justify="right" if narrow else "left"
    )

    def shown(counts: Mapping[str, int]) -> list[Text]:
        styled = [(counts[name], column["style"]) for name, column in columns.items()]
        if narrow:
            styled.append((sum(counts[name] for name in REASONS), "default"))
        return [
            Text(str(count), style=look) if count else Text("·", style="dim")
            for count, look in styled
        ]

    paper = ""
    for score in scores:
        if score.paper != paper:
            paper = score.paper
            board.add_row(Text(paper, style="bold"))
        tolerance = () if narrow else (score.tolerance,)
        board.add_row(f"  {score.title}", *shown(score.__dict__), *tolerance)
    board.add_section()
    board.add_row(Text("All", style="bold"), *shown(total))
    console.print(board)
    if narrow:
        kinds = [kind for score in scores for kind in score.tolerance.split("; ") if kind]
        console.print(
            f"Tolerance: {', '.join(dict.fromkeys(kinds)) or 'none used'}.", soft_wrap=not terminal
        )
    console.print(
        f"{total['reproduced']} of {total['comparable']} numbers that can be compared here are reproduced,"
        f" {total['counted']} are counts of rows counted again, {total['near']} near (off by little, or measured on"
        f" other data). Of the other {total['cells'] - total['comparable']} printed numbers:",
        soft_wrap=not terminal,
    )
    for name, reason in REASONS.items():
        if total[name]:
            said = f"{total[name]:>5}  {SHORT[name]}: {reason}"
            console.print(said, soft_wrap=not terminal)


def run_summary(root: Path, seconds: float, since: float) -> list[str]:
    """Return the lines: what this run made, proved and reproduced, its warnings, its time, and where to look.

    Nothing is said of a file that an earlier run wrote, nor by a report that is older than what it speaks of.

    Args:
        root: folder of the run.
        seconds: how long it took.
        since: its start; only files written from then on count (seconds since 1970).
    """
    pages = [name for name in PAGES if _written(root / "results/paper" / name, since)]
    made = [
        (folder, title, splits, benchmark)
        for benchmark in BENCHMARKS
        if benchmark.generator
        for folder, title in (
            (benchmark.name, benchmark.generated_title),
            *benchmark.generator.twins.items(),
        )
        if (splits := _splits(root / "data/benchmarks" / folder, benchmark, since))
    ]
    plan = root / "data/interim/benchmarks/divlogiceval/plan.json.gz"
    lines = _headed("made", [_counted(title, splits) for _, title, splits, _ in made])
    lines += _headed("", list(_short(plan, since)))
    checked = [
        _verified(root, title, benchmark)
        for folder, title, _, benchmark in made
        if benchmark.generator and benchmark.generator.verify and folder == benchmark.name
    ]
    lines += _headed("verified", checked)
    # The results of an earlier version may lie here; a run that went well does not fail for a summary of them.
    board = root / "results/paper/scoreboard.csv"
    with contextlib.suppress(DivLogicError):
        total = total_of(read_scoreboard(board)) if _written(board, since) else None
        lines += _headed("reproduced", [_REPRODUCED.format_map(total)] if total else [])
    lines += _headed("your data", list(_imported_rows(root, since)))
    lines += _warnings(root / "logs", since)
    lines.append(f"time        {int(seconds // 60)} min {int(seconds % 60)} s")
    if pages:
        lines.append(f"look at     results/paper: {', '.join(pages)} (divlogic report --open)")
    return lines


def _headed(head: str, lines: list[str]) -> list[str]:
    return [f"{'' if number else head:<12}{line}" for number, line in enumerate(lines)]


def _splits(folder: Path, benchmark: Benchmark, since: float) -> dict[str, int]:
    """Return the rows of each split that this run wrote."""
    files = {name: folder / benchmark.file_of(name) for name in benchmark.splits}
    return {name: row_count(path) for name, path in files.items() if _written(path, since)}


def _written(path: Path, since: float) -> bool:
    return path.is_file() and path.stat().st_mtime >= since


def _counted(title: str, splits: dict[str, int]) -> str:
    shown = ", ".join(f"{split} {count:,}" for split, count in list(splits.items())[:4])
    return f"{title}: {shown}" + (f", … ({sum(splits.values()):,})" if len(splits) > 4 else "")


def _short(plan: Path, since: float) -> Iterator[str]:
    if not _written(plan, since):
        return
    found = read_json(plan)
    for split, wanted in found["wanted"].items():
        if found["made"][split] < wanted:
            yield (
                f"{split} of DivLogicEval: {found['made'][split]:,} of {wanted:,} wanted. No sentence serves twice, and"
                f" there are {found['groups']:,} groups of them; more captions (`make captions GROUPS=...`) give more"
                " in an embedded run, whole corpora in a full one"
            )


def _verified(root: Path, title: str, benchmark: Benchmark) -> str:
    """Return what the solver's report says of the instances that are there, if it is newer than these."""
    path = Path("results/benchmarks") / benchmark.name / "z3.json"
    tests = [name for name in benchmark.splits if name.startswith("test")] or list(benchmark.splits)
    files = [root / "data/benchmarks" / benchmark.name / benchmark.file_of(name) for name in tests]
    newest = max((file.stat().st_mtime for file in files if file.is_file()), default=0.0)
    if not _written(root / path, newest):
        return f"{title}: not verified; run: snakemake {path}"
    report = read_json(root / path)
    return f"{title}: {report['instances']:,} instances with Z3, {report['disagreements']} contradicted"


def _imported_rows(root: Path, since: float) -> Iterator[str]:
    """Yield where the user's own data sets got a row in a table of this run, with the row."""
    names = [path.name.split(".")[0] for path in sorted((root / "data/imported").glob("*.jsonl*"))]
    if not names:
        return
    tables = [path for path in sorted((root / "results").rglob("*.csv")) if _written(path, since)]
    for name in names:
        for path in tables:
            with path.open(encoding="utf-8", newline="") as stream:
                rows = [row for row in csv.DictReader(stream) if row.get("benchmark") == name]
            if rows:
                cells = ", ".join(f"{head} {cell}" for head, cell in rows[0].items() if cell)
                more = f" (and {len(rows) - 1:,} more rows)" if len(rows) > 1 else ""
                yield f"{path.relative_to(root).as_posix()}: {_cut(cells)}{more}"


def _cut(text: str) -> str:
    """Return a text that fits into a line of the summary."""
    return text if len(text) <= _ROW_WIDTH else f"{text[: _ROW_WIDTH - 1]}…"


def _warnings(logs: Path, since: float) -> list[str]:
    found = [
        (path, line.strip())
        for path in sorted(logs.rglob("*.log"))
        if path.stat().st_mtime >= since
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if _WARNING.match(line)
    ]
    shown = [f"{path.relative_to(logs.parent)}: {line[:150]}" for path, line in found[:_SHOWN]]
    return _headed(f"warnings {len(found)}", shown)
