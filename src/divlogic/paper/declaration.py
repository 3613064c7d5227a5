"""Declarations of printed tables: rows, columns, and how each cell is measured.

A module per benchmark in :mod:`divlogic.paper.declared` declares its paper's tables and figures; the join of printed
and measured numbers (:mod:`divlogic.paper.gather`) and all reports are views of these declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from divlogic.benchmarks.registry import TITLES
from divlogic.paper.model import Kind, Via

SHOTS = {"zero_shot": "0-shot", "three_shot": "3-shot"}
RECORDED = "(recorded)"
GENERATED = "a benchmark generated here, not the paper's"
GENERATED_PART = "generated here"
"""How the tables of the results note the data of a benchmark that is made here."""
FROM_PROFILE = "from the shipped profile (data/profiles)"
"""How the tables of the results note a shipped profile; it holds the words of the paper's data."""

KINDS: dict[str, Kind] = {
    **dict.fromkeys(("instances", "vocabulary", "options", "size", "training", "validation", "test"), "count"),
    **dict.fromkeys(("fols", "average_length", "maximum_length", "hops", "facts_and_rules"), "count"),
    **dict.fromkeys(("subjects", "predicates", "items"), "count"),
    **dict.fromkeys(("accuracy", "random_probability", "delta"), "percent"),
    **dict.fromkeys(("labels", "source", "domains"), "text"),
    "kl": "bits",
    "reading_difficulty": "grade",
}  # fmt: skip
"""Unit of each measure of a benchmark; systems are always scored in percent."""

CONSTANTS = ("options", "random_probability")
"""Measures that the design of a benchmark fixes: to find them again reproduces nothing."""


def is_generated(other: str) -> bool:
    """Tell from a remark on the data whether these are a benchmark generated here."""
    return other == GENERATED or other.startswith(GENERATED_PART)


Keys = Mapping[str, str]
"""The words that find a printed cell in its table."""
ResultRow = Mapping[str, Any]
Results = Callable[[str], list[dict[str, Any]]]
"""Returns the rows of a table of the results, named without suffix; none if the run has no such table."""


@dataclass(frozen=True)
class Measured:
    """One measured number with its interval, why its data are not the paper's (empty if they are), and its origin."""

    value: float
    low: float | None = None
    high: float | None = None
    other: str = ""
    via: Via = ""


@dataclass(frozen=True)
class MeasuredRow:
    """A row of measured numbers.

    Attributes:
        numbers: by printed column.
        fits: tells whether the numbers belong to a printed cell; the first row that fits is compared with it.
        words: by key, for a row of its own where no printed cell fits; ``None``: there is no such row.
    """

    numbers: Mapping[str, Measured]
    fits: Callable[[Keys], bool] = lambda keys: False
    words: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class TableDeclaration:
    """One printed table.

    Attributes:
        paper, number: as data/published names it (``DivLogicEval``, ``Table 4``).
        title: what it is about.
        rows: keys of its cells that make a row; ``column`` is the key that makes a column.
        reads: tables of the results that its numbers are measured in, without suffix.
        columns: printed column -> column of ``reads``: what the workflow measures in every printed row.
        measured: yields the measured rows; ``None``: the table stands as published.
        noted: whether the notes of ``reads`` say how its numbers were obtained.
        remark: which of several measured numbers is compared, where the paper leaves it open.
        head: head of the first column, where it is not that of its key.
    """

    paper: str
    number: str
    title: str
    rows: tuple[str, ...] = ("system", "version", "setting", "metric")
    column: str = "column"
    reads: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    measured: Callable[[TableDeclaration, Results], Iterable[MeasuredRow]] | None = None
    noted: bool = True
    remark: str = ""
    head: str = ""

    def measured_rows(self, results: Results) -> list[MeasuredRow]:
        """Return the measured rows, in the order of the report."""
        return list(self.measured(self, results)) if self.measured else []


@dataclass(frozen=True)
class Figure:
    """One figure: its file name without suffix, its title, what it shows in words, and the table that it belongs to."""

    name: str
    title: str
    text: str
    table: str = ""


def benchmark_rows(
    table: TableDeclaration, results: Results, *, sizes: bool = False
) -> Iterator[MeasuredRow]:
    """Yield a row per measured benchmark; with ``sizes`` also the size of that split of each that is here."""
    for row in results(table.reads[0]):
        if row.get("source") not in ("measured", "profile"):
            continue
        via = profile_of(row)
        other = other_data(row)
        numbers = numbers_of(row, table.columns, other, via)
        size: dict[str, Measured] = {}
        if sizes and (split := _split_here(other)):
            # A whole split has the paper's size, whichever split the other measures should be of.
            whole = row.get("rows_used") == row.get("rows_expected")
            size = numbers_of(row, {split: "size"}, "" if whole else other, via)
        if "kl" in numbers and not is_generated(other) and (reference := _other_reference(row)):
            said = "; ".join(part for part in (other, reference) if part)
            numbers["kl"] = replace(numbers["kl"], other=said)
        fits = partial(_is_benchmark, row["benchmark"])
        yield MeasuredRow(numbers | size, fits, {"benchmark": row["benchmark"]} if numbers else None)


def system_rows(
    table: TableDeclaration,
    results: Results,
    *,
    by: tuple[str, ...] = (),
    benchmark: str | None = None,
    instances: int | None = None,
) -> Iterator[MeasuredRow]:
    """Yield a row per measured system: printed and measured systems meet by name or version.

    Args:
        table: the declaration.
        results: tables of the results.
        by: columns that must agree in addition to the system: shots, metric, benchmark.
        benchmark: only rows of this one; ``None`` where the table has several or names none.
        instances: size of the paper's test set, where answers to another number of instances were recorded.
    """
    for row in results(table.reads[0]):
        if row["source"] != "measured" or benchmark not in (None, row.get("benchmark")):
            continue
        recorded = RECORDED in row["system"]
        numbers = numbers_of(
            row, table.columns, _other_answers(row, instances), "recording" if recorded else ""
        )
        setting = ", ".join(
            filter(
                None,
                (
                    row.get("benchmark") if "benchmark" in by else "",
                    row.get("shots", "0-shot"),
                    # Two rows of one system differ in how PC counts answers that name no option.
                    "PC as published" if row.get("preset") == "as_published" else "",
                ),
            )
        )
        # A table without settings shows them behind the name.
        name = _with_size(row) if "setting" in table.rows else f"{_with_size(row)}, {setting}"
        words = {"system": name, "setting": setting, "metric": row.get("metric") or ""}
        yield MeasuredRow(numbers, partial(_is_system, row, by), words if numbers else None)


def numbers_of(row: ResultRow, columns: Mapping[str, str], other: str, via: Via = "") -> dict[str, Measured]:
    """Return the numbers of a row with their intervals by printed column; what is no number is left out."""
    return {
        printed: Measured(row[name], row.get(f"{name}_low"), row.get(f"{name}_high"), other, via)
        for printed, name in columns.items()
        # Sets of several sizes or depths list them in words.
        if isinstance(row.get(name), int | float)
    }


def folded(system: str) -> str:
    """Return a system's name without provider, remark in brackets, case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", system.partition("(")[0].rpartition("/")[2].casefold())


def profile_of(row: ResultRow) -> Via:
    """Return whether a row's numbers come from shipped word counts."""
    return "profile" if row["source"] == "profile" else ""


def _is_benchmark(title: str, keys: Keys) -> bool:
    return TITLES.get(keys["benchmark"], keys["benchmark"]) == title


def _is_system(row: ResultRow, by: tuple[str, ...], keys: Keys) -> bool:
    wanted = {
        "shots": SHOTS.get(keys["setting"], keys["setting"]),
        "metric": keys["metric"],
        "benchmark": keys["setting"].casefold(),
    }
    same = folded(row["system"]) in (folded(keys["system"]), folded(keys["version"]))
    return same and all(row[name] == wanted[name] for name in by)


def other_data(row: ResultRow) -> str:
    """Return what a note says of the data; that their words come from a profile does not make them others."""
    return "; ".join(part for part in (row.get("note") or "").split("; ") if part and part != FROM_PROFILE)


def _other_reference(row: ResultRow) -> str:
    """Return what stands for Wikipedia; empty if it is the dump that the paper names."""
    reference = str(row.get("reference") or "")
    return "" if not reference or reference.startswith("simple_wikipedia whole") else f"against {reference}"


def _split_here(other: str) -> str:
    """Return the printed measure that is the size of the part that is here; empty if it is of no split."""
    if GENERATED_PART in other:
        return ""
    found = re.search(r"\b(train|dev|validation|test)\b", other)
    return {"train": "training", "dev": "validation"}.get(found[1], found[1]) if found else "test"


def _other_answers(row: ResultRow, instances: int | None) -> str:
    if RECORDED not in row["system"]:
        return GENERATED
    given = row.get("instances")
    if given and instances and given != instances:
        return f"the authors' recorded answers to {given:,} instances; the paper has {instances:,}"
    return ""


def _with_size(row: ResultRow) -> str:
    """Return the name of a system, and behind that of a recorded one how many instances it was asked.

    Where a table has two benchmarks side by side, both numbers are given if they differ.
    """
    sizes = [row[column] for column in row if column.endswith("instances") and isinstance(row[column], int)]
    if RECORDED not in row["system"] or not sizes:
        return str(row["system"])
    return f"{row['system']}, {' and '.join(f'{size:,}' for size in dict.fromkeys(sizes))} instances"
