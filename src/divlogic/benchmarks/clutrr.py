"""CLUTRR: kinship relations that stories imply (Sinha et al., 2019)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
    Published,
)
from divlogic.models.answers import Labels
from divlogic.records import Record

RELATIONS = (
    "aunt", "son-in-law", "grandfather", "brother", "sister", "father", "mother", "grandmother", "uncle",
    "daughter-in-law", "grandson", "granddaughter", "father-in-law", "mother-in-law", "nephew", "son",
    "daughter", "niece",
)  # fmt: skip
"""Relation names by CLUTRR's `target` number (18 of them occur as targets)."""


def clutrr(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a CLUTRR story; the options are the relations that can be targets."""
    pair = ast.literal_eval(item["query"])
    if not (isinstance(pair, tuple) and len(pair) == 2):
        raise ValueError(f"the field 'query' is not a pair of names: {item['query']!r}")
    relation = item["target_text"]
    if relation not in RELATIONS:
        raise ValueError(f"the field 'target_text' is not a known relation: {relation!r}")
    hops = re.search(r"\.(\d+)$", item.get("task_name", ""))
    yield Record(
        id=item["id"],
        benchmark="clutrr",
        split=item.get("task_split") or file.split,
        context=item["story"],
        question=f"How is {pair[1]} related to {pair[0]}?",
        options=RELATIONS,
        answer=RELATIONS.index(relation),
        question_type=item.get("task_name") or None,
        depth=int(hops[1]) if hops else None,
        metadata={"query": list(pair), "clean_story": item.get("clean_story", "")},
    )


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
