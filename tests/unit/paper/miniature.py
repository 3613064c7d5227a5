"""A small set of results and printed tables, in the layout of the real ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.io.files import write_csv
from divlogic.io.tables import write_table
from divlogic.paper.gather import gather_tables
from divlogic.paper.model import ReportTable
from divlogic.paper.parameters import PaperParameters

_SCORES = ("system", "version", "benchmark", "source", "shots", "metric")
_MEASURES = ("paper", "table", "place", "benchmark", "measure", "printed", "value", "note")
_SYSTEMS = (
    "paper", "table", "place", "system", "version", "setting", "metric", "column", "printed", "note",
)  # fmt: skip

FINDINGS = json.loads(Path(__file__).with_name("findings.json").read_text(encoding="utf-8"))
"""What the report leads with, as `divlogic paper findings` writes it."""

FILES = (
    "diversity/table4.csv", "diversity/table7.csv", "diversity/complexity.csv", "diversity/statistics.csv",
    "evaluation/table1.csv", "evaluation/table2.csv", "evaluation/table3.csv", "evaluation/table6.csv",
    "evaluation/table8.csv",
)  # fmt: skip


def write_printed(folder: Path) -> Path:
    """Write two tables of benchmarks and one of systems."""
    rows = [
        ("DivLogicEval", "Table 4", "Section 3.2", "folio", "vocabulary", "1140", "1140", "all letters"),
        ("DivLogicEval", "Table 4", "Section 3.2", "folio", "kl", "2.77", "2.77", ""),
        ("DivLogicEval", "Table 4", "Section 3.2", "reclor", "vocabulary", "7785", "7785", ""),
        ("DivLogicEval", "Table 4", "Section 3.2", "reclor", "kl", "1.44", "1.44", ""),
    ]
    write_csv(folder / "first.csv", _MEASURES, rows)
    test = [("ILogicEval", "Table 5", "Appendix A", "ilogiceval", "test", "900", "900", "")]
    source = [("ILogicEval", "Table 5", "Appendix A", "ilogiceval", "source", "exam", "", "")]
    write_csv(folder / "second.csv", _MEASURES, test + source)
    blog = ("JustLogic", "blog post", "LLM Performance on JustLogic")
    head = ("ILogicEval", "Table 3", "Section 5.2", "ChatGPT", "gpt-3.5-turbo")
    write_csv(
        folder / "third.csv",
        _SYSTEMS,
        [
            (*head, "zero_shot", "ACC", "Test", "29.6", ""),
            (*head, "three_shot", "ACC", "Test", "30.1", ""),
            (*blog, "GPT-4o", "", "chain_of_thought", "accuracy", "Accuracy (%)", "65.6", ""),
            ("LogicNLI", "Table 9", "Section 4", "BERT", "base", "tuned", "accuracy", "test", "50.0", ""),
        ],
    )
    return folder


def gathered(results: Path, printed: Path) -> list[ReportTable]:
    """Return the tables of the papers next to all results of a folder."""
    return gather_tables(results, printed, PaperParameters(), results.rglob("*.json"))


def write_results(folder: Path) -> Path:
    """Write the results that the catalogue looks into; FOLIO and recorded answers are there, ReClor is not."""
    for name in FILES:
        _write(folder / name, _SCORES, [])
    _write(
        folder / "diversity/table4.csv",
        ("benchmark", "instances", "vocabulary_lower", "kl_bits", "kl_bits_low", "kl_bits_high", "source", "note",
         "reference"),
        [
            ("FOLIO", 204, 1130, 2.9, 2.8, 3.0, "measured", "validation instead of test", "275 excerpts"),
            ("ReClor", None, None, None, None, None, "published", "not here", None),
            ("CLUTRR", 1048, 1429, 4.27, 4.1, 4.4, "measured", "", "275 excerpts"),
        ],
    )  # fmt: skip
    _write(
        folder / "diversity/statistics.csv",
        ("benchmark", "instances", "tokens_instances", "source", "note"),
        [
            ("LogicNLI", 2000, 489_349, "measured", "dev instead of test"),
            ("FOLIO", 204, 20_400, "measured", ""),
        ],
    )
    for name in ("diversity/table7.csv", "diversity/complexity.csv"):
        _write(folder / name, ("benchmark", "source", "note"), [])
    _write(
        folder / "evaluation/table8.csv",
        (*_SCORES, "test", "test_low", "test_high", "instances"),
        [
            ("chatgpt (recorded)", "", "ilogiceval", "measured", "0-shot", "ACC", 32.93, 30.6, 35.4, 1500),
            ("baseline/uniform", "", "ilogiceval", "measured", "0-shot", "ACC", 25.0, 24.0, 26.0, 900),
        ],
    )
    _write(
        folder / "evaluation/label_accuracy.csv",
        ("system", "setting", "source", "preset", "accuracy", "accuracy_low", "accuracy_high"),
        [
            ("GPT-4o", "chain_of_thought", "published", "", 65.6, None, None),
            ("gpt-4o", "chain_of_thought", "recorded", "corrected", 60.0, 58.0, 62.0),
            ("gpt-4o", "chain_of_thought", "recorded", "as_published", 65.58, 63.0, 68.0),
        ],
    )
    audit = (
        "paper",
        "table",
        "system",
        "version",
        "setting",
        "metric",
        "column",
        "printed",
        "expected",
        "reason",
    )
    _write(
        folder / "evaluation/published_audit.csv",
        audit,
        [("ILogicEval", "Table 3", "ChatGPT", "gpt-3.5-turbo", "three_shot", "ACC", "Test", "30.1", "30.0", "so")],
    )  # fmt: skip
    return folder


def _write(path: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write a table as the phases do."""
    cells = [dict(zip(columns, row, strict=True)) for row in rows]
    write_table(path.with_suffix(""), columns, cells, "How it was done.")


def luminance(parts: Sequence[float]) -> float:
    """Return the relative luminance (WCAG 2) of the red, green and blue of a colour."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
