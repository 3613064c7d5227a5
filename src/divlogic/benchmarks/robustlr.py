"""RobustLR: statements judged by rules with logical perturbations (Sanyal et al., 2022)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import label, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Format, Part, Published
from divlogic.models.answers import Labels
from divlogic.records import Record

LABELS = ("Yes", "No", "Neutral")
_CHAT = re.compile(r'From the premise: "(.*)"\s*Can we infer the hypothesis: "(.*?)"\s*\?', re.DOTALL)


def robustlr_chat(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RobustLR item as GLoRE words it for chat models: the last user message holds the problem."""
    messages = [message["content"] for message in item["input"] if message["role"] == "user"]
    found = _CHAT.search(messages[-1]) if messages else None
    if not found:
        raise ValueError("the last user message does not hold a premise and a hypothesis")
    yield _robustlr(row, found[1], found[2], item["ideal"], file)


def robustlr_text(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RobustLR item with the fields premise, hypothesis, ideal."""
    premise, hypothesis = text(item["premise"], "premise"), text(item["hypothesis"], "hypothesis")
    yield _robustlr(row, premise, hypothesis, item["ideal"], file)


def _robustlr(row: str, premise: str, hypothesis: str, verdict: Any, file: SourceFile) -> Record:
    return Record(
        id=row,
        benchmark="robustlr",
        split=file.split,
        context=premise.strip(),
        question=hypothesis.strip(),
        options=LABELS,
        answer=label(verdict, LABELS),
    )


ROBUSTLR = Benchmark(
    name="robustlr",
    title="RobustLR",
    paper="Sanyal et al., 2022",
    answers=Labels(LABELS),
    published=(
        Published(
            "robustlr",
            "RobustLR",
            (Part("robustlr", ("robustlr_1k.jsonl",), "GLoRE's selection", exact=False),),
        ),
    ),
    formats=(
        Format("robustlr_chat", "RobustLR, GLoRE chat JSON lines", ("input", "ideal"), robustlr_chat),
        Format(
            "robustlr_text",
            "RobustLR JSON lines with premise, hypothesis, ideal",
            ("premise", "hypothesis", "ideal"),
            robustlr_text,
        ),
    ),
    tables=(DIVERGENCE_TABLE,),
)
