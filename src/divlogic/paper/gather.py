"""Put printed and measured numbers into one table each, and write them as csv, md and tex."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.io.files import write_json
from divlogic.io.log import say
from divlogic.io.tables import read_note, read_table, write_table
from divlogic.paper import model
from divlogic.paper.measured import DRAWN_AS_PUBLISHED, MeasuredRow, is_generated, measured_rows
from divlogic.paper.parameters import PaperParameters, ProvenanceRun
from divlogic.paper.provenance import collect_provenance
from divlogic.paper.scoreboard import score_tables, tolerance_text, write_scoreboard
from divlogic.published import Needs, PrintedCell, PrintedTable, read_needs, read_published

_ROW_HEADS = {
    key: key.capitalize() for key in ("benchmark", "system", "version", "setting", "metric")
}
AUDIT = "evaluation/published_audit"
_AUDIT_KEYS = ("system", "version", "setting", "metric", "column")
_NOT_NAMED = ("version", "metric")
"""Keys that are no part of a row's name in a note: the version says nothing more, the metric stands with the column."""


@dataclass(frozen=True, slots=True)
class CellRemark:
    """What is said of a printed cell: a remark, or a rule that it breaks with the number printed and those expected."""

    reason: str
    printed: str = ""
    expected: str = ""

    @property
    def alone(self) -> str:
        """Return it as it stands at the cell."""
        return self.reason + (
            f" (printed {self.printed}, expected {self.expected})" if self.expected else ""
        )


@dataclass(frozen=True, slots=True)
class CellKey:
    """A cell's place: the words of its row by key, and its column."""

    row: Mapping[str, str]
    column: str

    def name(self, versions: bool) -> str:
        """Return how a note names the row."""
        left_out = _NOT_NAMED[1:] if versions else _NOT_NAMED
        return " ".join(word for key, word in self.row.items() if word and key not in left_out)

    @property
    def cell(self) -> str:
        """Return how a note names the cell within its row."""
        return " ".join(word for word in (self.row.get("metric", ""), self.column) if word)


def gather(
    files: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    results: Annotated[Path, FOLDER, "Folder of the results."],
    published: Annotated[Path, FOLDER, "Folder of the printed numbers."],
    corpora: Annotated[Path, "Corpora of the run (corpora.json)."],
    lock: Annotated[Path, "requirements/divlogic.lock."],
    out: Annotated[Path, FOLDER, "Where csv, md and tex go."],
    tables: Annotated[Path, "Where the tables go for page and pdf (json)."],
    scoreboard: Annotated[Path, "Where the counts per table go (csv; and json next to it)."],
    totals: Annotated[Path, "Where the counts of all tables go (json)."],
    provenance: Annotated[Path, "Where the provenance goes (json)."],
    params: ProvenanceRun,
) -> None:
    """Put printed and measured numbers side by side, and count those that were reproduced.

    Of the results only FILES count, which the provenance lists.
    """
    section = params.paper
    logicnli = LogicNLIParameters.model_validate(params.benchmarks.get("logicnli", {}))
    gathered = gather_tables(results, published, section, files, logicnli.preset)
    write_tables(gathered, out)
    write_json(tables, gathered)
    write_scoreboard(score_tables(gathered, section), scoreboard, totals)
    tolerances = {kind: tolerance_text(tolerance) for kind, tolerance in section.tolerances}
    described = collect_provenance(
        params.in_order(), corpora, files, lock, tolerances, results.parent
    )
    write_json(provenance, described)


def gather_tables(
    results: Path,
    published: Path,
    parameters: PaperParameters,
    files: Iterable[Path],
    preset: str = "balanced",
) -> list[model.ReportTable]:
    """Return every table of the papers with our numbers next to the printed ones.

    Of the results only those among ``files`` count: another run may have left a table that this one does not make.
    ``preset`` is that of LogicNLI's sets.
    """
    given = {file.resolve() for file in files}
    printed = sorted(read_published(published).tables(), key=model.order_of)
    needs = read_needs(published)
    needs.check(printed)
    broken = _broken(results / AUDIT)
    tables = [
        _gathered(table, results, given, published, needs, broken, parameters, preset)
        for table in printed
    ]
    _warn_of_unknown(tables, needs)
    return tables


def write_tables(tables: Sequence[model.ReportTable], out: Path) -> None:
    """Write each table as csv, md and tex into a folder: per column the printed number, ours and where it stands.

    A column without a number of ours has no room for one; where its numbers stand, and so what they need, the csv says.
    """
    for table in tables:
        names = [*table.heads]
        for place, column in enumerate(table.columns):
            ends: tuple[str, ...] = ("",)
            if table.is_compared(place):
                ends = ("", ", here", ", difference", ", status")
            elif any(row.cells[place].status in model.COUNTED for row in table.rows):
                ends = ("", ", status")
            names += [f"{column.name}{end}" for end in ends]
        rows = [_flat(table, row) for row in table.rows]
        shown = [name for name in names if not name.endswith(", status")]
        write_table(out / table.name, names, rows, " ".join(table.notes), shown=shown)


def compare(
    cell: PrintedCell, measured: model.TableCell, column: model.Column, parameters: PaperParameters
) -> model.TableCell:
    """Return a cell with both numbers.

    It is reproduced if they differ by no more than the tolerance of their kind; near if they do on other data than the
    paper's (a part, another reference), or if they differ by few tolerances.
    """
    difference = (measured.measured or 0) - cell.value
    tolerance = getattr(parameters.tolerances, column.kind).allowed(cell.value) + cell.half_unit
    # A difference of exactly the tolerance is within it for every binary fraction.
    within, near = (
        abs(difference) <= factor * tolerance + 1e-9 for factor in (1, parameters.near_factor)
    )
    status: model.Status = (
        "reproduced" if within and not measured.other else "near" if near else "off"
    )
    found: model.Status = "generated" if is_generated(measured.other) else status
    return replace(measured, status=found, printed=cell.printed, difference=difference)


def compare_several(
    cell: PrintedCell,
    measured: model.TableCell | None,
    column: model.Column,
    parameters: PaperParameters,
) -> model.TableCell:
    """Return a cell that prints several numbers (``104/ 125``) with as many measured ones, or as text without them.

    The pair that is farthest apart, as a share of the printed number, says where the cell stands.
    """
    printed = [replace(cell, printed=part) for part in cell.printed.split("/ ")]
    values = measured.several if measured else ()
    if measured is None or len(values) != len(printed) or not all(one.is_number for one in printed):
        return model.TableCell("text", cell.printed)
    pairs = [
        (compare(one, replace(measured, measured=value), column, parameters), one.value)
        for one, value in zip(printed, values, strict=True)
    ]
    farthest, _ = max(pairs, key=lambda pair: abs(pair[0].difference or 0) / pair[1])
    return replace(farthest, printed=cell.printed)


def _gathered(
    table: PrintedTable,
    results: Path,
    given: Container[Path],
    published: Path,
    needs: Needs,
    broken: dict[tuple[str, ...], list[CellRemark]],
    parameters: PaperParameters,
    preset: str,
) -> model.ReportTable:
    declared = model.declaration_of(table)
    # A run without the phase has no such table.
    there = [
        path for path in declared.reads if (results / path).with_suffix(".json").resolve() in given
    ]
    measured = measured_rows(
        declared, lambda path: read_table(results / path) if path in there else []
    )
    names = list(dict.fromkeys(cell.keys[declared.column] for cell in table.cells))
    columns = {name: _column(name, declared, table) for name in names}
    rows: dict[tuple[str, ...], dict[str, model.TableCell]] = {}
    said: list[tuple[CellKey, list[CellRemark]]] = []
    compared: set[int] = set()
    for cell in table.cells:
        heads = tuple(_word(key, cell.keys[key]) for key in declared.rows)
        name = cell.keys[declared.column]
        doubts = [CellRemark(cell.note)] if cell.note else []
        # The audit puts the cell of a table of measures under its benchmark and measure.
        audited = {"system": cell.benchmark, "column": cell.measure, **cell.keys}
        key = (table.paper, table.number, *(audited.get(name, "") for name in _AUDIT_KEYS))
        doubts += broken.get(key, [])
        said.append(
            (CellKey(dict(zip(declared.rows, heads, strict=True)), columns[name].name), doubts)
        )
        note = "; ".join(doubt.alone for doubt in doubts)
        made = _cell(cell, name, columns[name], declared, measured, compared, parameters)
        made = _with_need(made, name, table, cell, declared, needs)
        rows.setdefault(heads, {})[name] = replace(made, note=note)
    both = [
        model.TableRow(heads, tuple(cells.get(name, model.TableCell()) for name in names))
        for heads, cells in rows.items()
    ]
    for number, row in enumerate(measured):
        if number not in compared and row.words is not None:
            heads = tuple(_word(key, row.words.get(key, "")) for key in declared.rows)
            # The name of a row of its own says that its answers were recorded.
            own = (row.numbers.get(name, model.TableCell()) for name in names)
            shown = (replace(cell, via="profile" if cell.via == "profile" else "") for cell in own)
            both.append(model.TableRow(heads, tuple(shown)))
    noted = there if declared.noted is True else declared.noted or ()
    notes = [read_note(results / path) for path in there if path in noted]
    remark = declared.remark.format(learners=model.LEARNERS[preset])
    used = sorted({f"{published.name}/{cell.file}" for cell in table.cells})
    # A column of row heads that says nothing (all rows empty) only takes room.
    kept = [place for place, _ in enumerate(declared.rows) if any(row.heads[place] for row in both)]
    return model.ReportTable(
        name=model.name_of(table),
        paper=table.paper,
        number=table.number if table.number.startswith("Table") else "",
        title=declared.title,
        heads=tuple(
            (not place and declared.head) or _ROW_HEADS[declared.rows[place]] for place in kept
        ),
        columns=tuple(columns.values()),
        rows=tuple(
            model.TableRow(tuple(row.heads[place] for place in kept), row.cells) for row in both
        ),
        notes=(
            *filter(None, (remark, *notes)),
            *_other_notes(both, kept),
            *_need_notes(both, kept),
            *cell_notes(said),
        ),
        files=(*(f"data/{name}" for name in used), *(f"results/{path}.csv" for path in there)),
    )


def _cell(
    cell: PrintedCell,
    name: str,
    column: model.Column,
    declared: model.TableDeclaration,
    measured: Sequence[MeasuredRow],
    compared: set[int],
    parameters: PaperParameters,
) -> model.TableCell:
    """Return a printed cell with the number of the first measured row that fits and has one; ``compared`` notes it."""
    if column.kind == "text":
        return model.TableCell("text", cell.printed)
    if not cell.is_number:
        several = (
            row.numbers[name] for row in measured if row.fits(cell.keys) and name in row.numbers
        )
        return compare_several(cell, next(several, None), column, parameters)
    fitting = [number for number, row in enumerate(measured) if row.fits(cell.keys)]
    place = next((at for at in fitting if name in measured[at].numbers), next(iter(fitting), None))
    number = None if place is None else measured[place].numbers.get(name)
    if place is not None and (number is not None or name in declared.columns):
        compared.add(place)
    if number is None:
        return model.TableCell("unknown", cell.printed)
    if reason := _other_than_printed(number, name, cell, declared):
        here = model.show_measured(number, column.decimals)
        return model.TableCell("unavailable", cell.printed, need=f"{reason} has {here}")
    made = compare(cell, number, column, parameters)
    # That a benchmark with four options has four options is no finding, whichever part of it is here.
    fixed = model.CONSTANTS.get(name, number.status)
    found = abs(made.difference or 0) <= cell.half_unit
    if fixed in ("design", "arithmetic") and found:
        return replace(made, status=fixed)
    if made.status == "reproduced" and declared.column == "measure" and name in model.COUNTS:
        return replace(made, status="counted")
    return made


def _other_than_printed(
    number: model.TableCell, name: str, cell: PrintedCell, declared: model.TableDeclaration
) -> str:
    """Return why a measured number is no number to compare with the printed one; empty if it is.

    The words of one split are fewer than those of all, and the rows of a part or of another split are other rows: that
    the numbers differ says nothing of the measure. What is made here is compared, and counts as such.
    """
    if is_generated(number.other) or number.other == DRAWN_AS_PUBLISHED:
        return ""
    if declared.prints_all_splits(name, cell.benchmark):
        return "printed of all splits; the split that is here"
    if number.other and declared.column == "measure" and name in model.COUNTS:
        return f"printed of other rows; what is here ({number.other})"
    return ""


def _with_need(
    made: model.TableCell,
    name: str,
    table: PrintedTable,
    cell: PrintedCell,
    declared: model.TableDeclaration,
    needs: Needs,
) -> model.TableCell:
    """Return a cell without a measured number with what it needs; a measure that is not here lacks its corpus."""
    if made.status != "unknown":
        return made
    if found := needs.of(table, cell):
        return replace(made, status=found.need, need=found.reason)
    measured_here = declared.column == "measure" and name in declared.columns
    return replace(made, status="unavailable") if measured_here else made


def _warn_of_unknown(tables: Iterable[model.ReportTable], needs: Needs) -> None:
    """Say which printed numbers nobody has said of what they need."""
    for table in tables:
        count = sum(cell.status == "unknown" for cell in table.cells())
        if count:
            say(
                f"warning: {table.name}: {count} printed numbers have no number here, and {needs.path} does not say"
                " what they need; they count as unknown"
            )


def _need_notes(rows: Iterable[model.TableRow], kept: Sequence[int]) -> list[str]:
    """Return one note of what the printed numbers without a measured one need, and whose they are."""
    whose: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for row in rows:
        words = row.heads[kept[0]] if kept else ""
        for cell in row.cells:
            if cell.need:
                whose[cell.status, cell.need][words] = None
    parts = [
        f"{model.SHORT[status]}: {', '.join(filter(None, names))} ({reason})"
        for (status, reason), names in whose.items()
    ]
    return [f"Not measured in this run: {'; '.join(parts)}."] if parts else []


def _column(name: str, declared: model.TableDeclaration, table: PrintedTable) -> model.Column:
    cells = [cell for cell in table.cells if cell.keys[declared.column] == name]
    decimals = max(cell.decimals if cell.is_number else 0 for cell in cells)
    if declared.column == "measure":
        by_look: model.Kind = "count" if decimals == 0 else "percent"
        words = not any(cell.is_number for cell in cells)
        kind = model.KINDS.get(name, "text" if words else by_look)
        head = model.HEADS.get(name, name[:1].upper() + name[1:].replace("_", " "))
    else:
        kind, head = "percent", model.HEADS.get(name, name)
    # One decimal more than is printed; of percentages, whose intervals are far wider, two at most.
    more = min(decimals + 1, 2) if kind == "percent" else decimals + 1
    return model.Column(head, kind, 0 if kind in ("count", "text") else more)


def _word(key: str, text: str) -> str:
    return model.WORDS.get(text, text) if key in ("benchmark", "setting") else text


def _flat(table: model.ReportTable, row: model.TableRow) -> dict[str, Any]:
    flat: dict[str, Any] = dict(zip(table.heads, row.heads, strict=True))
    for column, cell in zip(table.columns, row.cells, strict=True):
        flat[column.name] = cell.printed or None
        flat[f"{column.name}, here"] = model.show_measured(cell, column.decimals) or None
        # A plain hyphen and zero, since the csv is for programs.
        difference = model.show_difference(cell.difference, column.decimals)
        flat[f"{column.name}, difference"] = difference.replace("−", "-").replace("=", "0") or None
        flat[f"{column.name}, status"] = model.STATUSES[cell.status] or None
    return flat


def _other_notes(rows: list[model.TableRow], kept: list[int]) -> list[str]:
    """Return one sentence that says for each row measured on other data what those are."""
    reasons: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        words = " ".join(row.heads[place] for place in kept[:1])
        for cell in row.cells:
            if cell.other and cell.printed:
                reasons[cell.other][words] = None
    parts = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())
    return [f"{model.OTHER_MARK} Not measured on the paper's data. {parts}."] if parts else []


def _broken(path: Path) -> dict[tuple[str, ...], list[CellRemark]]:
    """Return why a printed cell cannot be right, by paper, table and keys."""
    found: dict[tuple[str, ...], list[CellRemark]] = defaultdict(list)
    for row in read_table(path):
        key = (row["paper"], row["table"], *(row[name] for name in _AUDIT_KEYS))
        found[key].append(CellRemark(row["reason"], str(row["printed"]), str(row["expected"])))
    return found


def cell_notes(cells: Sequence[tuple[CellKey, Sequence[CellRemark]]]) -> list[str]:
    """Return a note for each reason: the rows that it concerns, with those of their cells, unless it is all of them."""
    # Where a table has a system in two versions, they distinguish the rows.
    by_name: dict[tuple[str, str], set[str]] = defaultdict(set)
    for place, _ in cells:
        by_name[place.name(versions=False), place.cell].add(place.row.get("version", ""))
    versions = any(len(found) > 1 for found in by_name.values())
    size = Counter(place.name(versions) for place, _ in cells)
    found: dict[str, dict[str, list[tuple[str, CellRemark]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for place, doubts in cells:
        for doubt in doubts:
            found[doubt.reason][place.name(versions)].append((place.cell, doubt))
    notes = []
    for reason, rows in found.items():
        numbers = any(doubt.expected for own in rows.values() for _, doubt in own)
        head = f"* {reason[:1].upper()}{reason[1:]}" + (". Printed [expected]" if numbers else "")
        notes.append(
            f"{head}: {'; '.join(_row(name, own, size[name]) for name, own in rows.items())}."
        )
    return notes


def _row(name: str, cells: Sequence[tuple[str, CellRemark]], size: int) -> str:
    if len(cells) == size and not any(doubt.expected for _, doubt in cells):
        return name
    broken = " {0.printed} [{0.expected}]".format
    texts = ", ".join(cell + (broken(doubt) if doubt.expected else "") for cell, doubt in cells)
    return f"{name}: {texts}" if name else texts
