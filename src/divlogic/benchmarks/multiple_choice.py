"""Published questions with options: ReClor, LogiQA 2.0, CLUTRR."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import index, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    DIVERGENCE_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
)
from divlogic.models.answers import Labels, Letters
from divlogic.records import Record


def reclor(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a ReClor item; test items carry no label."""
    options = strings(item["answers"], "answers")
    yield Record(
        id=text(item["id_string"], "id_string"),
        benchmark="reclor",
        split=file.split,
        context=text(item["context"], "context"),
        question=text(item["question"], "question"),
        options=options,
        answer=index(item.get("label"), options, "label"),
        question_type=None if item.get("question_type") is None else str(item["question_type"]),
    )


RECLOR = Benchmark(
    name="reclor",
    title="ReClor",
    paper="Yu et al., 2020",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    parts=(
        Part("reclor", ("test.json",), "test", 1000),
        Part("reclor", ("val.json",), "validation instead of test", 500, exact=False),
        Part("reclor", ("train.json",), "train instead of test", 4638, exact=False),
    ),
    formats=(Format("reclor", "ReClor val.json / test.json", ("answers", "id_string"), reclor),),
    tables=(DIVERGENCE_TABLE,),
)


def logiqa2(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a LogiQA 2.0 item; `type` holds the kinds of reasoning that apply."""
    options = strings(item["options"], "options")
    kinds = sorted(name for name, applies in (item.get("type") or {}).items() if applies)
    yield Record(
        id=str(item["id"]),
        benchmark="logiqa2",
        split=file.split,
        context=text(item["text"], "text"),
        question=text(item["question"], "question"),
        options=options,
        answer=index(item.get("answer"), options, "answer"),
        metadata={"reasoning": kinds} if kinds else {},
    )


LOGIQA2 = Benchmark(
    name="logiqa2",
    title="LogiQA2",
    paper="Liu et al., 2023",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    parts=(
        Part("logiqa2", ("test.jsonl",), "test", 1572),
        Part("logiqa2", ("dev.jsonl",), "dev instead of test", 1569, exact=False),
        Part("logiqa2", ("ood_test.jsonl",), "out-of-domain test instead of test", 575, exact=False),
    ),
    formats=(Format("logiqa2", "LogiQA 2.0 JSON lines", ("text", "options", "type"), logiqa2, unique=False),),
    tables=(DIVERGENCE_TABLE, COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)


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
    parts=(Part("clutrr", ("clutrr_test.csv",), "test (2-10 relations)", 1048),),
    formats=(Format("clutrr", "CLUTRR CSV", ("story", "query", "target_text"), clutrr),),
    tables=(COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)
