"""The benchmarks that are made here: what a folder's ``benchmark.yaml`` declares, and the code that it cannot name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters, ILogicEvalParameters
from divlogic.benchmarks.justlogic.parameters import (
    JustLogicParameters,
    JustLogicQuestionParameters,
)
from divlogic.benchmarks.justlogic.reader import LABELS as TRUTH_VALUES, justlogic
from divlogic.benchmarks.llmeval_logic.parameters import LLMEvalLogicParameters
from divlogic.benchmarks.llmeval_logic.reader import llmeval_base, llmeval_hard
from divlogic.benchmarks.logicnli.parameters import LogicNLIDiagnosisParameters, LogicNLIParameters
from divlogic.benchmarks.logicnli.reader import logicnli, logicnli_rows
from divlogic.benchmarks.logicnli.set_names import COMPRESSED_SETS, SETS, spaced_groups
from divlogic.benchmarks.logicnli.theories import LABELS as RELATIONS
from divlogic.benchmarks.source import OnProblem, SourceFile
from divlogic.benchmarks.spec import Asked, Benchmark, declared_benchmark
from divlogic.io.files import read_yaml
from divlogic.io.imports import load
from divlogic.models.answers import TRUTH_HINT, Labels, Letters
from divlogic.records import Record

_HINT = (
    "Say 'entailment' if the statement follows from the passage, 'contradiction' if its opposite follows, 'neutral' if"
    " neither follows, and 'self_contradiction' if both follow. Apply the rules from premise to conclusion only, and"
    " take nothing to be false that is not said or derived to be."
)


def llmeval_queries(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read the possible and necessary queries of an item; what reads formulas is imported when it is needed."""
    from divlogic.benchmarks.llmeval_logic.formal import llmeval_queries as read

    return read(item)


def published_rows(
    file: SourceFile, on_problem: OnProblem | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the questions of the authors' own files."""
    rows: Iterator[tuple[str, dict[str, Any]]] = load("benchmarks.readers.layout:file_rows")(
        file, on_problem
    )
    return rows


def divlogiceval_published(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read an instance of the authors' own files; what looks through a whole file is imported when it is needed."""
    records: Iterator[Record] = load("benchmarks.readers.divlogiceval:published_row")(
        row, item, file
    )
    return records


def _benchmark(
    folder: str, code: Mapping[str, Mapping[str, Any]] | None = None, **more: Any
) -> Benchmark:
    """Return the benchmark that a folder of this package declares."""
    facts = read_yaml(Path(__file__).with_name(folder) / "benchmark.yaml")
    return declared_benchmark(facts, code or {}, **more)


DIVLOGICEVAL = _benchmark(
    "divlogiceval",
    # Its columns are not known: read where it is named only.
    {
        "divlogiceval_published": {
            "records": divlogiceval_published,
            "rows": published_rows,
            "fits": lambda row, file: False,
        }
    },
    parameters=DivLogicEvalParameters,
    answers=Letters(4),
)

ILOGICEVAL = _benchmark("ilogiceval", parameters=ILogicEvalParameters, answers=Letters(4))

JUSTLOGIC = _benchmark(
    "justlogic",
    {"justlogic": {"records": justlogic}},
    parameters=JustLogicParameters,
    answers=Labels(TRUTH_VALUES, TRUTH_HINT),
    asked=Asked(parameters=JustLogicQuestionParameters),
)

LOGICNLI = _benchmark(
    "logicnli",
    {"logicnli": {"records": logicnli, "rows": logicnli_rows}},
    parameters=LogicNLIParameters,
    answers=Labels(RELATIONS, hint=_HINT),
    splits=SETS,
    compressed=COMPRESSED_SETS,
    asked=Asked(
        parameters=LogicNLIDiagnosisParameters,
        number="quartets",
        choose=spaced_groups,
        if_named=True,
        once=True,
    ),
)

LLMEVAL_LOGIC = _benchmark(
    "llmeval_logic",
    {
        "llmeval_logic_base": {"records": llmeval_base},
        # Read where it is named only.
        "llmeval_logic_queries": {"records": llmeval_queries, "fits": lambda row, file: False},
        "llmeval_logic_hard": {
            "records": llmeval_hard,
            "fits": lambda row, file: isinstance(row["question"], list),
        },
    },
    parameters=LLMEvalLogicParameters,
    answers=None,
)
"""Its answers are free, and rubrics judge them."""
