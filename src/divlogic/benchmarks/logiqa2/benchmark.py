"""What LogiQA 2.0 is."""

from __future__ import annotations

from divlogic.benchmarks.logiqa2.reader import logiqa2
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    DIVERGENCE_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
    Published,
)
from divlogic.models.answers import Letters

LOGIQA2 = Benchmark(
    name="logiqa2",
    title="LogiQA2",
    paper="Liu et al., 2023",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    published=(
        Published(
            "logiqa2",
            "LogiQA2",
            (
                Part("logiqa2", ("test.jsonl",), "test", 1572),
                Part("logiqa2", ("dev.jsonl",), "dev instead of test", 1569, exact=False),
                Part("logiqa2", ("ood_test.jsonl",), "out-of-domain test instead of test", 575, exact=False),
            ),
        ),
    ),
    formats=(Format("logiqa2", "LogiQA 2.0 JSON lines", ("text", "options", "type"), logiqa2, unique=False),),
    tables=(DIVERGENCE_TABLE, COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)
