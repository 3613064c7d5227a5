"""The numbers that this workflow measured, found in its own results for a printed cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from divlogic.io.tables import read_table
from divlogic.paper.model import Via

SHOTS = {"zero_shot": "0-shot", "three_shot": "3-shot"}
INDEPENDENCE = {name: name for name in ("accuracy", "random_probability", "delta")}
RECORDED = "(recorded)"
GENERATED = "a benchmark generated here, not the paper's"
GENERATED_PART = "generated here"
"""How the tables of the results note the data of a benchmark that is made here."""
FROM_PROFILE = "from the shipped profile (data/profiles)"
"""How the tables of the results note a shipped profile; it holds the words of the paper's data."""

Keys = Mapping[str, str]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Measured:
    """One measured number with its interval, why its data are not the paper's (empty if they are), and its origin."""

    value: float
    low: float | None = None
    high: float | None = None
    other: str = ""
    via: Via = ""


class Source(Protocol):
    """Where the measured numbers of one printed table stand."""

    @property
    def files(self) -> tuple[str, ...]:
        """Tables of the results that it reads, relative to their folder."""

    def measures(self, keys: Keys, column: str) -> bool:
        """Return whether the workflow measures what stands in a printed cell at all."""

    def find(self, keys: Keys, column: str) -> Measured | None:
        """Return the number measured for a printed cell."""

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        """Yield (words, numbers by printed column) of the rows that belong to no printed one."""


@dataclass
class Benchmarks:
    """Measures of benchmarks: one row per benchmark.

    Attributes:
        results: folder of the results.
        path: table below it, without suffix; ``columns`` maps printed measures to its columns.
        titles: how that table writes each benchmark.
    """

    results: Path
    path: str
    columns: dict[str, str]
    titles: Mapping[str, str]
    found: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.files = (f"{self.path}.csv",)
        self.rows = {
            row["benchmark"]: row
            for row in read_table(self.results / self.path)
            if row.get("source") in ("measured", "profile")
        }

    def measures(self, keys: Keys, column: str) -> bool:
        return column in self.columns

    def find(self, keys: Keys, column: str) -> Measured | None:
        title = self.titles.get(keys["benchmark"], keys["benchmark"])
        self.found.add(title)
        row = self.rows.get(title)
        return measured(row, self.columns[column], _other_data(row), _profile(row)) if row else None

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        for title, row in self.rows.items():
            if title not in self.found:
                numbers = _numbers(row, self.columns, _other_data(row), _profile(row))
                if numbers:
                    yield {"benchmark": title}, numbers


@dataclass
class Splits(Benchmarks):
    """Measures of benchmarks, and the size of that split of each that is here."""

    def measures(self, keys: Keys, column: str) -> bool:
        return super().measures(keys, column) or self._here(keys) == column

    def find(self, keys: Keys, column: str) -> Measured | None:
        if column in self.columns:
            return super().find(keys, column)
        row = self._row(keys)
        if row is None or self._here(keys) != column:
            return None
        # A whole split has the paper's size, whichever split the other measures should be of.
        whole = row.get("rows_used") == row.get("rows_expected")
        return measured(row, "size", "" if whole else _other_data(row), _profile(row))

    def _row(self, keys: Keys) -> Row | None:
        return self.rows.get(self.titles.get(keys["benchmark"], keys["benchmark"]))

    def _here(self, keys: Keys) -> str:
        """Return the printed measure that is the size of the part that is here; empty if it is of no split."""
        row = self._row(keys)
        if row is None or GENERATED_PART in (note := _other_data(row)):
            return ""
        found = re.search(r"\b(train|dev|validation|test)\b", note)
        return {"train": "training", "dev": "validation"}.get(found[1], found[1]) if found else "test"


@dataclass
class Some(Benchmarks):
    """Measures of the printed rows that ``titles`` names; the others stand as published, and no row is added."""

    def measures(self, keys: Keys, column: str) -> bool:
        return column in self.columns and keys["benchmark"] in self.titles

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        yield from ()


@dataclass
class Systems:
    """Scores of systems: printed and measured systems meet by name or version.

    Attributes:
        results: folder of the results.
        path: table below it, without suffix; ``columns`` maps printed columns to its columns.
        by: columns that must agree beside the system: shots, metric, benchmark.
        benchmark: only rows of this one; ``None`` where the table has several or names none.
        instances: size of the paper's test set, where answers to another number of instances were recorded.
    """

    results: Path
    path: str
    columns: dict[str, str]
    by: tuple[str, ...]
    benchmark: str | None = None
    instances: int | None = None
    found: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.files = (f"{self.path}.csv",)
        self.rows = [
            row
            for row in read_table(self.results / self.path)
            if row["source"] == "measured" and self.benchmark in (None, row.get("benchmark"))
        ]

    def measures(self, keys: Keys, column: str) -> bool:
        return column in self.columns

    def find(self, keys: Keys, column: str) -> Measured | None:
        wanted = {
            "shots": SHOTS.get(keys["setting"], keys["setting"]),
            "metric": keys["metric"],
            "benchmark": keys["setting"].casefold(),
        }
        names = {folded(keys["system"]), folded(keys["version"])}
        for number, row in enumerate(self.rows):
            if folded(row["system"]) in names and all(row[name] == wanted[name] for name in self.by):
                self.found.add(number)
                via: Via = "recording" if RECORDED in row["system"] else ""
                return measured(row, self.columns[column], self._other(row), via)
        return None

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        for number, row in enumerate(self.rows):
            if number not in self.found:
                setting = (
                    row.get("benchmark") if "benchmark" in self.by else row.get("shots", "0-shot")
                ) or ""
                # Where a row has all metrics, two rows of one system differ in how PC counts unreadable answers.
                if row.get("preset") and "metric" not in row:
                    setting += f", {row['preset'].replace('_', ' ')}"
                words = {"system": _with_size(row), "setting": setting, "metric": row.get("metric") or ""}
                numbers = _numbers(row, self.columns, self._other(row))
                if numbers:
                    yield words, numbers

    def _other(self, row: Row) -> str:
        if RECORDED not in row["system"]:
            return GENERATED
        given = row.get("instances")
        if given and self.instances and given != self.instances:
            return f"the authors' recorded answers to {given:,} instances; the paper has {self.instances:,}"
        return ""


def _with_size(row: Row) -> str:
    """Return the name of a system, and behind that of a recorded one how many instances it was asked.

    Where a table has two benchmarks side by side, both numbers are given if they differ.
    """
    sizes = [row[column] for column in row if column.endswith("instances") and isinstance(row[column], int)]
    if RECORDED not in row["system"] or not sizes:
        return str(row["system"])
    return f"{row['system']}, {' and '.join(f'{size:,}' for size in dict.fromkeys(sizes))} instances"


@dataclass
class Independence:
    """Accuracy without context: the authors' recorded answers beside the printed ones; probes as rows of their own."""

    results: Path
    path: str
    titles: Mapping[str, str]
    found: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        # A run without this phase has no such table: what it would hold is unavailable.
        there = (self.results / self.path).with_suffix(".json").is_file()
        self.files = (f"{self.path}.csv",) if there else ()
        rows = read_table(self.results / self.path) if there else []
        self.rows = [row for row in rows if row["source"] != "published"]

    def measures(self, keys: Keys, column: str) -> bool:
        return column in INDEPENDENCE

    def find(self, keys: Keys, column: str) -> Measured | None:
        for number, row in enumerate(self.rows):
            if (
                row["benchmark"] == keys["benchmark"]
                and row["source"] == "recorded"
                and row["preset"] != "corrected"
            ):
                self.found.add(number)
                return measured(row, INDEPENDENCE[column], "", "recording")
        return None

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        for number, row in enumerate(self.rows):
            if number not in self.found:
                title = self.titles.get(row["benchmark"], row["benchmark"])
                preset = f", {row['preset']}" if row["preset"] else ""
                numbers = _numbers(row, INDEPENDENCE, "")
                yield {"benchmark": f"{title}, {row['system']}{preset}"}, numbers


@dataclass
class Labels:
    """Accuracy on true / false / uncertain: systems by name and setting, scored as the paper scores them."""

    results: Path
    path: str
    columns: dict[str, str]
    found: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.files = (f"{self.path}.csv",)
        self.rows = [row for row in read_table(self.results / self.path) if row["source"] != "published"]

    def measures(self, keys: Keys, column: str) -> bool:
        return column in self.columns

    def find(self, keys: Keys, column: str) -> Measured | None:
        for number, row in enumerate(self.rows):
            same = folded(row["system"]) == folded(keys["system"]) and row["setting"] == keys["setting"]
            if same and row["preset"] != "corrected":
                self.found.add(number)
                via: Via = "recording" if row["source"] == "recorded" else ""
                return measured(row, self.columns[column], self._other(row), via)
        return None

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        for number, row in enumerate(self.rows):
            if number not in self.found:
                preset = f" ({row['preset']})" if row["preset"] else ""
                words = {"system": row["system"] + preset, "setting": row["setting"]}
                yield words, _numbers(row, self.columns, self._other(row))

    def _other(self, row: Row) -> str:
        return "" if row["source"] == "recorded" else GENERATED


def measured(row: Row, column: str, other: str, via: Via = "") -> Measured | None:
    """Return a row's number with its interval, if it has one; ``a/b`` stands for the ratio of two columns."""
    over, _, under = column.partition("/")
    value = row.get(over)
    if under and value is not None:
        below = row.get(under)
        value = value / below if below else None
    if value is None:
        return None
    return Measured(value, row.get(f"{column}_low"), row.get(f"{column}_high"), other, via)


def folded(system: str) -> str:
    """Return a system's name without provider, remark in brackets, case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", system.partition("(")[0].rpartition("/")[2].casefold())


def _profile(row: Row) -> Via:
    return "profile" if row.get("source") == "profile" else ""


def _other_data(row: Row) -> str:
    """Return what a note says of the data; that their words come from a profile does not make them others."""
    return "; ".join(part for part in (row.get("note") or "").split("; ") if part and part != FROM_PROFILE)


def _numbers(row: Row, columns: Mapping[str, str], other: str, via: Via = "") -> dict[str, Measured]:
    found = {printed: measured(row, column, other, via) for printed, column in columns.items()}
    return {printed: number for printed, number in found.items() if number is not None}
