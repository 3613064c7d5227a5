"""A small set of results and printed tables, in the layout of the real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from divlogic.io.files import write_csv
from divlogic.io.tables import write_table
from divlogic.paper.gather import gather_tables
from divlogic.paper.model import ReportTable, TableCell
from divlogic.paper.parameters import PaperParameters
from tests.support import cases

FINDINGS = json.loads(Path(__file__).with_name("findings.json").read_text(encoding="utf-8"))
"""What the report leads with, as `divlogic paper findings` writes it."""

FILES = (
    "diversity/table4.csv", "diversity/table7.csv", "diversity/complexity.csv", "diversity/statistics.csv",
    "evaluation/table1.csv", "evaluation/table2.csv", "evaluation/table3.csv", "evaluation/table6.csv",
    "evaluation/table8.csv",
)  # fmt: skip


def write_printed(folder: Path) -> Path:
    """Write two tables of benchmarks and one of systems."""
    for name, columns, *rows in cases(__file__, "printed"):
        write_csv(folder / f"{name}.csv", columns, rows)
    return folder


def write_results(
    folder: Path, more: Mapping[str, Sequence[Mapping[str, Any]]] | None = None
) -> Path:
    """Write the results that the catalogue looks into, and more; FOLIO is there, ReClor is not."""
    for name, columns, *rows in cases(__file__, "results"):
        cells = [dict(zip(columns, row, strict=True)) for row in rows]
        write_table(folder / name, columns, cells, "How it was done.")
    for name, rows in (more or {}).items():
        write_table(folder / name, list(dict.fromkeys(key for row in rows for key in row)), rows)
    return folder


def gathered(results: Path, printed: Path, preset: str = "balanced") -> list[ReportTable]:
    """Return the tables of the papers next to all results of a folder."""
    return gather_tables(results, printed, PaperParameters(), results.rglob("*.json"), preset)


def unlike(cell: TableCell, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a cell that say otherwise; texts are patterns."""

    def says(found: Any, value: Any) -> bool:
        return (
            bool(re.fullmatch(value, found))
            if isinstance(value, str)
            else found == pytest.approx(value)
        )

    return {
        name: getattr(cell, name)
        for name, value in said.items()
        if not says(getattr(cell, name), value)
    }


def luminance(parts: Sequence[float]) -> float:
    """Return the relative luminance (WCAG 2) of the red, green and blue of a colour."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
