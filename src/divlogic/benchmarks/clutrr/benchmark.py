"""What CLUTRR is."""

from __future__ import annotations

from divlogic.benchmarks.clutrr.reader import RELATIONS, clutrr
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
    Published,
)
from divlogic.models.answers import Labels

CLUTRR = Benchmark(
    name="clutrr",
    title="CLUTRR",
    paper="Sinha et al., 2019",
    answers=Labels(RELATIONS),
    published=(
        Published("clutrr", "CLUTRR", (Part("clutrr", ("clutrr_test.csv",), "test (2-10 relations)", 1048),)),
    ),
    formats=(Format("clutrr", "CLUTRR CSV", ("story", "query", "target_text"), clutrr),),
    tables=(COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)
