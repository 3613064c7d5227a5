"""What JustLogic is: the authors' data set and this project's generator of the same construction."""

from __future__ import annotations

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters, JustLogicQuestionParameters
from divlogic.benchmarks.justlogic.reader import LABELS, justlogic
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Asked,
    Benchmark,
    Format,
    Generator,
    Part,
)
from divlogic.models.answers import TRUTH_HINT, Labels

_ROOM = "benchmarks.justlogic"

JUSTLOGIC = Benchmark(
    name="justlogic",
    title="JustLogic",
    paper="Chen et al., 2025",
    answers=Labels(LABELS, TRUTH_HINT),
    splits=("train", "validation", "test"),
    generator=Generator(
        JustLogicParameters,
        draw=f"{_ROOM}.draw:drawn",
        realise=f"{_ROOM}.realise:worded",
        verify=f"{_ROOM}.check:write_report",
        inputs=("statements",),
        records="justlogic_generated",
        title="JustLogic (generated)",
        audit=f"{_ROOM}.check:audit_arguments",
        help="Steps of JustLogic: the table of generic statements.",
        commands={
            "partition": f"{_ROOM}.statements:partition_statements",
            "statements": f"{_ROOM}.statements:filter_statements",
            "fresh": f"{_ROOM}.realise:write_fresh",
            "table": f"{_ROOM}.statements:tabulate_statements",
        },
        order=f"{_ROOM}.realise:in_order",
    ),
    parts=(
        Part("justlogic", ("test_dataset.csv",), "test", 1050),
        Part("justlogic", ("validate_dataset.csv",), "validation instead of test", 1050, exact=False),
    ),
    audit=f"{_ROOM}.reader:audit_justlogic",
    formats=(
        Format(
            "justlogic",
            "JustLogic CSV (ISO-8859-1)",
            ("paragraph", "conclusion", "arg", "statements"),
            justlogic,
            encoding="iso-8859-1",
        ),
    ),
    release=f"{_ROOM}.check:RELEASE",
    tables=(COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
    asked=Asked(parameters=JustLogicQuestionParameters),
)
