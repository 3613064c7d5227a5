"""Results tables: the same rows as csv, md (for reading), tex (for papers) and json, which also describes them."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_yaml, write_csv, write_json, write_text

T = TypeVar("T")

Decimals = int | Mapping[str, int]
"""Decimals of floating-point cells, for all columns or by column."""

DIGITS = 10
"""Significant digits that are kept of numbers that passed through BLAS or SIMD exponentials; machines differ from the
fourteenth on."""
_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_TEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
    }
    | {"<": r"\textless{}", ">": r"\textgreater{}", "–": "--", "…": r"\ldots{}"}
    | {
        "Δ": r"$\Delta$",
        "α": r"$\alpha$",
        "∥": r"$\Vert$",
        "‖": r"$\Vert$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
    }
    | {"¬": r"$\neg$", "∧": r"$\wedge$", "∨": r"$\vee$", "→": r"$\rightarrow$"}
)


def write_table(
    base: Path,
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    note: str = "",
    floats: Decimals = 4,
    shown: Sequence[str] | None = None,
    units: Mapping[str, str | None] | None = None,
) -> list[Path]:
    """Write a table as `base`.csv, `base`.md and `base`.tex, and its description as `base`.json; return the four.

    A later step reads the json (:func:`read_table`, :func:`read_note`): its cells have types, the numbers of the csv.

    Args:
        columns: names of the columns in order; a row's other keys are left out.
        rows: one mapping per row; a missing key or ``None`` is an empty cell.
        note: how the numbers were obtained; printed below the table in md and tex.
        floats: decimals of floating-point cells, for all columns or by column (4 for those not named).
        shown: the columns of md and tex, where a page has no room for all of them.
        units: unit of a column's numbers ("percent", "bits"); columns not named have none.
    """
    base = Path(base)
    paths = [base.with_name(base.name + suffix) for suffix in (".csv", ".md", ".tex", ".json")]
    write_listing(base, columns, rows, note, floats, units)
    page = columns if shown is None else shown
    cells = _cells(page, rows, floats)
    numeric = [_is_numeric([row.get(column) for row in rows]) for column in page]
    write_text(paths[1], _markdown(page, cells, numeric, note))
    write_text(paths[2], _latex(page, cells, numeric, note))
    return paths


@dataclass(frozen=True, kw_only=True)
class DeclaredTable:
    """A table of the results, as the file ``tables.yaml`` of its folder declares it.

    Attributes:
        columns: names in order; ``name±`` stands for ``name``, ``name_low`` and ``name_high``. ``name?`` is left out
            where no row has such a cell; these stand last.
        note: how the numbers were obtained; ``{words}`` are filled in when the table is written.
        shown: the columns that fit on a page; ``None``: all.
        floats: decimals of floating-point cells.
        decimals: those of columns whose names begin so.
        units: unit of the columns whose names begin so; the first that fits counts.
    """

    columns: tuple[str, ...]
    note: str = ""
    shown: tuple[str, ...] | None = None
    floats: int = 4
    decimals: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, each by its own name."""
        ends = {True: ("", "_low", "_high"), False: ("",)}
        return tuple(c.rstrip("±?") + end for c in self.columns for end in ends[c.endswith("±")])

    @property
    def optional(self) -> frozenset[str]:
        """The columns that are left out where no row has such a cell."""
        return frozenset(c.rstrip("?") for c in self.columns if c.endswith("?"))

    def row(self, *cells: Any) -> dict[str, Any]:
        """Return a row of cells that are given in the order of the columns, the optional ones apart."""
        required = [name for name in self.names if name not in self.optional]
        return dict(zip(required, cells, strict=True))

    def write(
        self,
        base: Path,
        rows: Sequence[Mapping[str, Any]],
        more: str = "",
        columns: Sequence[str] = (),
        **words: Any,
    ) -> None:
        """Write the table by :func:`write_table`, with ``more`` in its note and ``words`` filled in.

        The run names the ``columns`` where these follow from what was measured.
        """
        empty = {name for name in self.optional if all(row.get(name) is None for row in rows)}
        names = tuple(name for name in tuple(columns) or self.names if name not in empty)
        page = self.shown and tuple(name for name in self.shown if name not in empty)
        decimals = {name: _by_start(name, self.decimals, self.floats) for name in names}
        note = self.note.format_map(words).strip() + more
        units = {name: _by_start(name, self.units, None) for name in names}
        write_table(base, names, rows, note=note, floats=decimals, shown=page, units=units)


def declared_tables(path: Path) -> dict[str, DeclaredTable]:
    """Return the tables that a file ``tables.yaml`` declares."""
    from pydantic import TypeAdapter

    return TypeAdapter(dict[str, DeclaredTable]).validate_python(read_yaml(path))


def write_listing(
    base: Path,
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    note: str = "",
    floats: Decimals = 4,
    units: Mapping[str, str | None] | None = None,
) -> None:
    """Write a table that no page shows: `base`.csv, and `base`.json; the arguments are as for :func:`write_table`."""
    write_csv(base.with_name(f"{base.name}.csv"), columns, _cells(columns, rows, floats))
    described = [{"name": column, "unit": (units or {}).get(column)} for column in columns]
    values = [
        [_value(row.get(column), _decimals(floats, column)) for column in columns] for row in rows
    ]
    content = {"columns": described, "note": note.strip(), "rows": values}
    write_json(base.with_name(f"{base.name}.json"), content)


def read_table(base: Path) -> list[dict[str, Any]]:
    """Read the rows of a table (a path without suffix) from its json; an empty cell is ``None``."""
    columns, rows = read_cells(base)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def read_cells(base: Path) -> tuple[list[str], list[list[Any]]]:
    """Read the names of a table's columns and its rows, as long as these, from its json; an empty cell is ``None``."""
    path = base.with_name(base.name + ".json")
    described = read_json(path)
    try:
        columns = [column["name"] for column in described["columns"]]
        if any(len(row) != len(columns) for row in described["rows"]):
            raise ValueError("a row has more or fewer cells than there are columns")
        return columns, described["rows"]
    except (KeyError, TypeError, ValueError) as error:
        raise DivLogicError(
            f"{path}: not the description of a table; make the table again."
        ) from error


def _by_start(name: str, starts: Mapping[str, T], default: T) -> T:
    """Return the value of the first key that a name begins with."""
    return next((value for start, value in starts.items() if name.startswith(start)), default)


def read_note(base: Path) -> str:
    """Return how the numbers of a table were obtained, on one line; nothing if the table is not there."""
    path = base.with_name(base.name + ".json")
    if not path.is_file():
        return ""
    return " ".join(line for line in read_json(path, "note")["note"].splitlines() if line)


def format_cell(value: Any, decimals: int = 4) -> str:
    """Return a cell's text: numbers with a full stop and fixed decimals, nothing for ``None`` and not-a-number."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        text = f"{value:.{decimals}f}"
        return text.removeprefix("-") if not text.strip("-0.") else text  # no minus zero
    return str(value)


def _value(value: Any, decimals: int) -> Any:
    """Return a cell as JSON: floating-point numbers as rounded in the csv, others with their type, else its text."""
    text = format_cell(value, decimals)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(text) if text else None
    return text


def _cells(
    columns: Sequence[str], rows: Sequence[Mapping[str, Any]], floats: Decimals
) -> list[list[str]]:
    return [
        [format_cell(row.get(column), _decimals(floats, column)) for column in columns]
        for row in rows
    ]


def _decimals(floats: Decimals, column: str) -> int:
    return floats if isinstance(floats, int) else floats.get(column, 4)


def _is_numeric(values: Sequence[Any]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(isinstance(value, (int, float)) for value in there)


def _markdown(
    columns: Sequence[str], cells: list[list[str]], numeric: list[bool], note: str
) -> str:
    def line(parts: Sequence[str]) -> str:
        return "| " + " | ".join(parts) + " |\n"

    escaped = [[_plain(cell) for cell in row] for row in cells]
    text = line(columns) + line(["---:" if right else "---" for right in numeric])
    text += "".join(line(row) for row in escaped)
    return text + (f"\n{note.strip()}\n" if note.strip() else "")


def _plain(cell: str) -> str:
    """Return a cell's text as Markdown that shows it: no column, HTML, link or picture comes of it."""
    text = cell.replace("|", "\\|").replace("\n", " ")
    return _HTML.sub("&lt;", text).replace("](", "]\\(").replace("][", "]\\[")


def _latex(columns: Sequence[str], cells: list[list[str]], numeric: list[bool], note: str) -> str:
    def line(parts: Sequence[str]) -> str:
        return " & ".join(part.replace("\n", " ").translate(_TEX) for part in parts) + r" \\" + "\n"

    layout = "".join("r" if right else "l" for right in numeric)
    text = f"\\begin{{tabular}}{{{layout}}}\n\\hline\n" + line(columns) + "\\hline\n"
    text += "".join(line(row) for row in cells) + "\\hline\n\\end{tabular}\n"
    small = " ".join(note.split()).translate(_TEX)
    return text + (f"\n\\par\\smallskip\\noindent{{\\footnotesize {small}}}\n" if small else "")


def rounded(value: Any) -> Any:
    """Return a value of JSON with every floating-point number in it rounded to ``DIGITS`` significant digits.

    >>> rounded({"kl_bits": 1.2936426400344274, "of": [2 / 3, 7]})
    {'kl_bits': 1.29364264, 'of': [0.6666666667, 7]}
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return value
