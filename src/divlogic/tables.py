"""Results tables: the same rows as csv (for programs), md (for reading) and tex (for papers)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.files import write_csv, write_text

_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "Δ": r"$\Delta$",
        "α": r"$\alpha$",
        "∥": r"$\Vert$",
        "‖": r"$\Vert$",
        "¬": r"$\neg$",
        "∧": r"$\wedge$",
        "∨": r"$\vee$",
        "→": r"$\rightarrow$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "–": "--",
        "…": r"\ldots{}",
    }
)


def write_table(
    base: Path,
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    note: str = "",
    floats: int | Mapping[str, int] = 4,
    shown: Sequence[str] | None = None,
) -> list[Path]:
    """Write a table as `base`.csv, `base`.md and `base`.tex; return the three paths.

    Args:
        base: path without suffix.
        columns: names of the columns in order; a row's other keys are left out.
        rows: one mapping per row; a missing key or ``None`` is an empty cell.
        note: how the numbers were obtained; printed below the table in md and tex.
        floats: decimals of floating-point cells, for all columns or by column (4 for those not named).
        shown: the columns of md and tex, where a page has no room for all of them.
    """
    base = Path(base)
    paths = [base.with_name(base.name + suffix) for suffix in (".csv", ".md", ".tex")]
    write_csv(paths[0], columns, _cells(columns, rows, floats))
    page = columns if shown is None else shown
    cells = _cells(page, rows, floats)
    numeric = [_is_numeric([row.get(column) for row in rows]) for column in page]
    write_text(paths[1], _markdown(page, cells, numeric, note))
    write_text(paths[2], _latex(page, cells, numeric, note))
    return paths


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


def _cells(
    columns: Sequence[str], rows: Sequence[Mapping[str, Any]], floats: int | Mapping[str, int]
) -> list[list[str]]:
    return [[format_cell(row.get(column), _decimals(floats, column)) for column in columns] for row in rows]


def _decimals(floats: int | Mapping[str, int], column: str) -> int:
    return floats if isinstance(floats, int) else floats.get(column, 4)


def _is_numeric(values: Sequence[Any]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(isinstance(value, (int, float)) for value in there)


def _markdown(columns: Sequence[str], cells: list[list[str]], numeric: list[bool], note: str) -> str:
    def line(parts: Sequence[str]) -> str:
        return "| " + " | ".join(parts) + " |\n"

    escaped = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in cells]
    text = line(columns) + line(["---:" if right else "---" for right in numeric])
    text += "".join(line(row) for row in escaped)
    return text + (f"\n{note.strip()}\n" if note.strip() else "")


def _latex(columns: Sequence[str], cells: list[list[str]], numeric: list[bool], note: str) -> str:
    def line(parts: Sequence[str]) -> str:
        return " & ".join(part.replace("\n", " ").translate(_TEX) for part in parts) + r" \\" + "\n"

    layout = "".join("r" if right else "l" for right in numeric)
    text = f"\\begin{{tabular}}{{{layout}}}\n\\hline\n" + line(columns) + "\\hline\n"
    text += "".join(line(row) for row in cells) + "\\hline\n\\end{tabular}\n"
    if note.strip():
        text += (
            "\n\\par\\smallskip\\noindent{\\footnotesize " + " ".join(note.split()).translate(_TEX) + "}\n"
        )
    return text
