"""The measured numbers in README and docs: recorded from a run's results, set into the pages' templates."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_lines, write_csv
from divlogic.paper.model import COUNTED, MEANINGS, SHORT

HEADER = ("run", "table", "row", "column", "value")


MEASURED = ("measured", "profile", "recorded", "model", "baseline", "probe", "learner", "recording")
"""The sources of rows that a run measured, of texts or of the word counts that are shipped."""


@dataclass(frozen=True)
class Kept:
    """What of one table of the results is recorded: the columns that name a row, and those of numbers."""

    table: str
    names: tuple[str, ...]
    numbers: tuple[str, ...]


KEPT = (
    Kept(
        "diversity/table4",
        ("benchmark",),
        (
            *("instances", "vocabulary_lower", "kl_bits", "kl_bits_literal"),
            *("kl_bits_wikipedia_simple", "kl_bits_wikipedia_english"),
        ),
    ),
    Kept("diversity/table7", ("benchmark",), ("options",)),
    Kept(
        "diversity/complexity",
        ("benchmark",),
        ("flesch_kincaid_as_published", "flesch_kincaid_corrected", "vocabulary_justlogic"),
    ),
    Kept("diversity/statistics", ("benchmark",), ("instances", "tokens_instances")),
    Kept(
        "diversity/label_audit",
        ("benchmark",),
        ("labels", "derived", "agreeing", "agreement", "underived"),
    ),
    Kept(
        "benchmarks/divlogiceval/verification",
        ("question_type",),
        ("instances", "free_wording_fails_nli", "share"),
    ),
    Kept(
        "evaluation/table1",
        ("benchmark", "system", "preset"),
        ("ACC", "ACC_low", "ACC_high", "CIR", "PC", "instances"),
    ),
    Kept(
        "paper/scoreboard",
        ("table",),
        ("cells", *COUNTED),
    ),
    Kept("prior_knowledge/independence", ("benchmark", "system"), ("accuracy",)),
    Kept(
        "prior_knowledge/shortcuts",
        ("benchmark", "construction", "form", "type", "probe"),
        ("accuracy", "chance"),
    ),
    Kept("evaluation/logicnli/diagnosis", ("system", "setting"), ("test", "quartet_em")),
    Kept(
        "benchmarks/llmeval_logic/sensitivity",
        ("operator",),
        (
            "not_equivalent",
            "answer_percent",
            "rubric_percent",
            "both_percent",
            "equivalence_percent",
        ),
    ),
    Kept(
        "evaluation/llmeval_logic/table3",
        ("set", "part"),
        ("items", "questions", "fewest", "most", "atoms"),
    ),
    Kept("benchmarks/llmeval_logic/panel", ("solver", "set"), ("items", "question_accuracy")),
    Kept("contamination/leak", ("learner", "sample", "measure"), ("before", "after", "instances")),
    Kept("contamination/guessing", ("learner", "sample", "measure"), ("before", "after")),
)
AUDIT = "evaluation/published_audit"
SHORTCUTS = "prior_knowledge/shortcuts_summary"
RECORDED = ("recorded", "", "date")
"""Where the day stands on which the numbers of a run were recorded, as YYYYMMDD."""

Runs = dict[tuple[str, str, str, str], float]
"""(run, table, row, column) → number; run is ``full`` or ``embedded``."""


def record_run(results: Path, out: Path) -> None:
    """Take the numbers of a run's results over into ``out``, in place of those of the same kind of run.

    Raises:
        DivLogicError: the folder holds no results of a complete run.
    """
    run = _read(results, "corpora/corpora")[0]["source"]
    rows = [key for key in _rows(out) if key["run"] != run] if out.is_file() else []
    for kept in KEPT:
        for row in _read(results, kept.table):
            if row.get("source", "measured") in MEASURED:
                name = " ".join(row[column] for column in kept.names if row.get(column))
                rows += [
                    dict(zip(HEADER, (run, kept.table, name, column, row[column]), strict=True))
                    for column in kept.numbers
                    if row.get(column)
                ]
    cells: dict[str, set[tuple[str, ...]]] = {}
    for row in _read(results, AUDIT):
        cell = tuple(row[name] for name in row if name not in ("rule", "expected", "reason"))
        for name in (f"{row['paper']} {row['rule']}", row["paper"]):  # a cell may break two rules
            cells.setdefault(name, set()).add(cell)
    rows += [
        dict(zip(HEADER, (run, AUDIT, name, "cells", str(len(found))), strict=True))
        for name, found in cells.items()
    ]
    for one in read_json(results / f"{SHORTCUTS}.json")["benchmarks"]:
        name = f"{one['benchmark']} {one['construction']}".strip()
        worst = one["worst"]
        # What stands beside each other in a text must be of one row set: its gain, its size, its number of probes.
        found = {
            "worst": round(worst["accuracy"] - worst["chance"], 1),
            "instances": worst["instances"],
            "probes": one["probes"],
            "by_chance": one["by_chance"],
        }
        rows += [
            dict(zip(HEADER, (run, SHORTCUTS, name, column, str(value)), strict=True))
            for column, value in found.items()
        ]
    rows.append(dict(zip(HEADER, (run, *RECORDED, f"{datetime.now(UTC):%Y%m%d}"), strict=True)))
    unique = {tuple(row[name] for name in HEADER[:4]): row for row in rows}
    write_csv(out, HEADER, [[unique[key][name] for name in HEADER] for key in sorted(unique)])


def read_runs(path: Path) -> Runs:
    """Read the recorded numbers.

    Raises:
        DivLogicError: the file is missing.
    """
    return {
        (row["run"], row["table"], row["row"], row["column"]): float(row["value"])
        for row in _rows(path)
    }


def fill(template: Path, runs: Runs) -> str:
    """Return a template's text with its numbers set.

    ``{{ full("diversity/table4", "LogiQA2", "kl_bits", 2) }}`` stands for a number of the full run with two decimals,
    ``embedded`` for one of the embedded run; ``percent`` gives a share in percent, ``recorded("full")`` the day on
    which the numbers of that run were recorded.

    Raises:
        DivLogicError: a number was not recorded.
    """
    from jinja2 import Environment, StrictUndefined

    def number(run: str, table: str, row: str, column: str) -> float:
        found = runs.get((run, table, row, column))
        if found is None:
            raise DivLogicError(
                f"{template}: no {run} run has {column} of {row!r} in {table}; make that run and record it:"
                " python -m tools.docs record results"
            )
        return found

    def full(table: str, row: str, column: str, decimals: int = 0) -> str:
        return f"{number('full', table, row, column):,.{decimals}f}"

    def embedded(table: str, row: str, column: str, decimals: int = 0) -> str:
        return f"{number('embedded', table, row, column):,.{decimals}f}"

    def recorded(run: str) -> str:
        return datetime.strptime(f"{number(run, *RECORDED):.0f}", "%Y%m%d").date().isoformat()

    def percent(run: str, table: str, row: str, column: str, decimals: int = 0) -> str:
        return f"{100 * number(run, table, row, column):.{decimals}f}"

    def shortcut(preset: str, question_type: str) -> str:
        row = f"s-divlogiceval {preset} fresh symbols {question_type} roles"
        return embedded("prior_knowledge/shortcuts", row, "accuracy", 1)

    def above_chance(name: str, column: str) -> str:
        """Return points above guessing: of the highest probe without a step of inference, or of as many guessers."""
        return f"{number('embedded', SHORTCUTS, name, column):+.1f}".replace("-", "−")

    def probes(name: str) -> str:
        """Return how many combinations of probe and question type were tried."""
        return f"{number('embedded', SHORTCUTS, name, 'probes'):.0f}"

    def scoreboard(column: str) -> str:
        """Return how many printed numbers have a status in the embedded run, over all tables."""
        table = "paper/scoreboard"
        counts = {key: runs[key] for key in runs if key[:2] == ("embedded", table)}
        # Numbers recorded before there were these statuses meant something else by those that they share.
        if not {"cells", *COUNTED} <= {key[3] for key in counts} and column != "cells":
            return "–"
        return f"{sum(counts[key] for key in counts if key[3] == column):,.0f}"

    def leak(sample: str, measure: str, column: str, decimals: int) -> str:
        return embedded("contamination/leak", f"SmolLM2-135M {sample} {measure}", column, decimals)

    def guessing(measure: str) -> str:
        return embedded("contamination/guessing", f"SmolLM2-135M leaked {measure}", "after", 1)

    def tokens_per_instance(benchmark: str, decimals: int = 0) -> str:
        tokens, instances = (
            number("full", "diversity/statistics", benchmark, name)
            for name in ("tokens_instances", "instances")
        )
        return f"{tokens / instances:.{decimals}f}"

    def statuses() -> list[dict[str, str]]:
        """Return what the scoreboard counts: the name of each status, its words and its meaning."""
        return [
            {"name": name, "words": SHORT[name], "meaning": meaning}
            for name, meaning in MEANINGS.items()
            if name != "unknown"
        ]

    functions = {
        "statuses": statuses,
        "full": full,
        "embedded": embedded,
        "recorded": recorded,
        "percent": percent,
        "shortcut": shortcut,
        "worst": partial(above_chance, column="worst"),
        "probes": probes,
        "scoreboard": scoreboard,
        "by_chance": partial(above_chance, column="by_chance"),
        "leak": leak,
        "guessing": guessing,
        "tokens_per_instance": tokens_per_instance,
    }
    environment = Environment(
        keep_trailing_newline=True, undefined=StrictUndefined, autoescape=False
    )
    text = template.read_text(encoding="utf-8")
    return environment.from_string(text).render(functions)


def _read(results: Path, table: str) -> list[dict[str, str]]:
    path = results / f"{table}.csv"
    if not path.is_file():
        raise DivLogicError(
            f"{path}: there is no such table; run the whole workflow first (snakemake all)."
        )
    return _rows(path)


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(line for _, line in read_lines(path)))
