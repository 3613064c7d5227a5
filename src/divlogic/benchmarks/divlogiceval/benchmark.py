"""What DivLogicEval is, with its symbolic twin s-DivLogicEval."""

from __future__ import annotations

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Generator
from divlogic.models.answers import Letters

_ROOM = "benchmarks.divlogiceval"

DIVLOGICEVAL = Benchmark(
    name="divlogiceval",
    title="DivLogicEval",
    paper="Chung et al., 2025",
    answers=Letters(4),
    splits=("test", "unpolished"),
    generator=Generator(
        DivLogicEvalParameters,
        draw=f"{_ROOM}.build:drawn",
        realise=f"{_ROOM}.build:worded",
        verify=f"{_ROOM}.check:write_report",
        inputs=("groups", "plan"),
        audit=f"{_ROOM}.check:audit_choices",
        twins={"s-divlogiceval": "s-DivLogicEval"},
        help="Steps of DivLogicEval: groups of sentences, plan, symbolic twin, polish, verification.",
        commands={
            "fresh": f"{_ROOM}.fresh:write_fresh",
            "fresh-worded": f"{_ROOM}.fresh:write_fresh_worded",
            "shuffle": f"{_ROOM}.groups:shuffle",
            "plan": f"{_ROOM}.build:write_plan",
            "twin": f"{_ROOM}.build:write_twin",
            "polish": f"{_ROOM}.build:polish_split",
            "verification": f"{_ROOM}.build:write_verification",
            "english": f"{_ROOM}.english:write_english",
            "premises": f"{_ROOM}.build:write_premises_needed",
            "yield": f"{_ROOM}.yields:tabulate_yield",
        },
        order=f"{_ROOM}.build:in_order",
    ),
    release=f"{_ROOM}.check:RELEASE",
    tables=(DIVERGENCE_TABLE,),
    baselines={"symbolic_reader": f"{_ROOM}.reader:BASELINE"},
)
