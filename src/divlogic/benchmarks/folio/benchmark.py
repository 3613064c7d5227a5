"""FOLIO: statements judged by premises that annotators wrote in English and in first-order logic (Han et al., 2024)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import label, lines, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    DIVERGENCE_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
    Published,
)
from divlogic.models.answers import TRUTH_HINT, Labels
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")


def folio(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a FOLIO item: v0.0 lists its premises, v2 joins them with line breaks; Unknown is Uncertain."""
    premises = lines(item["premises"], "premises")
    formulas = {
        "premises": list(lines(item.get("premises-FOL", []), "premises-FOL")),
        "conclusion": item.get("conclusion-FOL"),
    }
    verdict = "Uncertain" if str(item["label"]).strip() == "Unknown" else item["label"]
    example = item.get("example_id")
    story = item.get("story_id")
    yield Record(
        id=f"{file.split}-{row}" if example is None else str(example),
        benchmark="folio",
        split=file.split,
        context=" ".join(premise.strip() for premise in premises),
        question=text(item["conclusion"], "conclusion"),
        options=LABELS,
        answer=label(verdict, LABELS),
        formulas=formulas,
        metadata={"premises": list(premises), **({} if story is None else {"story": story})},
    )


FOLIO = Benchmark(
    name="folio",
    title="FOLIO",
    paper="Han et al., 2024",
    answers=Labels(LABELS, TRUTH_HINT),
    splits=("train", "validation"),
    published=(
        Published(
            "folio",
            "FOLIO",
            (
                # The test split of 227 rows that papers report on is not public.
                Part(
                    "folio",
                    ("v0.0_folio-validation.jsonl",),
                    "v0.0 validation instead of test",
                    204,
                    exact=False,
                    tables=(DIVERGENCE_TABLE,),
                ),
                Part(
                    "folio",
                    ("folio_v2_validation.jsonl",),
                    "v2 validation instead of test",
                    203,
                    exact=False,
                    tables=(COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
                ),
                Part("folio", ("v0.0_folio-train.jsonl",), "v0.0 train instead of test", 1004, exact=False),
            ),
            "benchmarks.folio.audit:audit_folio",
        ),
    ),
    formats=(
        Format(
            "folio",
            "FOLIO v0.0 and v2 JSON lines",
            ("premises", "conclusion", "label"),
            folio,
            fits=lambda row, file: not file.name.endswith(".csv"),  # JustLogic's csv has these columns, too
        ),
    ),
    tables=(DIVERGENCE_TABLE, COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)
