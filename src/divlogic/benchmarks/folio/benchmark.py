"""What FOLIO is."""

from __future__ import annotations

from functools import partial

from divlogic.benchmarks.folio.reader import LABELS, folio
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    DIVERGENCE_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Audit,
    Benchmark,
    Format,
    Part,
    Published,
)
from divlogic.models.answers import TRUTH_HINT, Labels


def _audit(seconds: float) -> Audit:
    from divlogic.benchmarks.folio.audit import audit_folio

    return partial(audit_folio, seconds=seconds)


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
            _audit,
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
