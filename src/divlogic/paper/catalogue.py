"""All printed tables and figures of the report, as ``tables.yaml`` declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from divlogic.benchmarks.registry import TITLES
from divlogic.io.files import read_yaml
from divlogic.paper.model import Kind
from divlogic.published import PrintedTable, read_published


@dataclass(frozen=True, kw_only=True)
class TableDeclaration:
    """One printed table; what each field means is said in ``tables.yaml``."""

    paper: str
    number: str
    title: str
    rows: tuple[str, ...] = ("system", "version", "setting", "metric")
    column: str = "column"
    head: str = ""
    reads: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    measured: Mapping[str, Any] = field(default_factory=dict)
    noted: bool = True
    remark: str = ""


@dataclass(frozen=True)
class Figure:
    """One figure: its file name without suffix, its title, what it shows in words, and the table that it belongs to."""

    name: str
    title: str
    text: str
    table: str = ""


_DECLARED: dict[str, Any] = read_yaml(Path(__file__).with_name("tables.yaml"))
PAPERS: list[str] = _DECLARED["papers"]
"""Order of the papers in the report; others follow by name."""

TABLES: dict[tuple[str, str], TableDeclaration] = {
    (table.paper, table.number): table
    for table in TypeAdapter(list[TableDeclaration]).validate_python(_DECLARED["tables"])
}
FIGURES = TypeAdapter(list[Figure]).validate_python(_DECLARED["figures"])
KINDS: dict[str, Kind] = {name: kind for kind, names in _DECLARED["kinds"].items() for name in names}
HEADS: dict[str, str] = _DECLARED["heads"]
WORDS: dict[str, str] = {**TITLES, **_DECLARED["words"]}

LADDER, LEAD, LEAK = "ladder", "shortcuts", "leak"
FIRST = (LADDER, LEAD, LEAK)
"""The figures of the report's first screen."""

CONSTANTS = ("options", "random_probability")
"""Measures that the design of a benchmark fixes: to find them again reproduces nothing."""


def declaration_of(table: PrintedTable) -> TableDeclaration:
    """Return the declaration of a printed table; one that nobody declares is shown as published."""
    known = TABLES.get((table.paper, table.number))
    if known:
        return known
    found = TableDeclaration(paper=table.paper, number=table.number, title=table.place)
    of_benchmarks = "benchmark" in table.cells[0].keys
    return replace(found, rows=("benchmark",), column="measure") if of_benchmarks else found


def name_of(table: PrintedTable) -> str:
    """Return a table's file name: ``divlogiceval_table4``, ``justlogic_natural_language_complexity``."""
    number = re.sub(r"^Table ", "table", table.number)
    return re.sub(r"[^a-z0-9]+", "_", f"{table.paper} {number}".casefold()).strip("_")


def file_names(published: Path) -> list[str]:
    """Return the file names of the report's tables, in its order."""
    return [name_of(table) for table in sorted(read_published(published).tables(), key=order_of)]


def order_of(table: PrintedTable) -> tuple[int, str, int, int]:
    """Return the sorting key of a table: by paper, numbered tables first."""
    paper = PAPERS.index(table.paper) if table.paper in PAPERS else len(PAPERS)
    number = re.fullmatch(r"Table (\d+)", table.number)
    return (paper, table.paper, 0 if number else 1, int(number[1]) if number else 0)
