"""The multiple-choice and story benchmarks: ReClor, LogiQA 2.0, CLUTRR, PrOntoQA-OOD, LLMEval-Logic."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.readers.source import SourceFile
from divlogic.records import Record

CLUTRR_RELATIONS = (
    "aunt", "son-in-law", "grandfather", "brother", "sister", "father", "mother", "grandmother", "uncle",
    "daughter-in-law", "grandson", "granddaughter", "father-in-law", "mother-in-law", "nephew", "son",
    "daughter", "niece",
)  # fmt: skip
"""Relation names by CLUTRR's `target` number (18 of them occur as targets)."""


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


def clutrr(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a CLUTRR story; the options are the relations that can be targets."""
    pair = ast.literal_eval(item["query"])
    if not (isinstance(pair, tuple) and len(pair) == 2):
        raise ValueError(f"the field 'query' is no pair of names: {item['query']!r}")
    relation = item["target_text"]
    if relation not in CLUTRR_RELATIONS:
        raise ValueError(f"the field 'target_text' is no known relation: {relation!r}")
    hops = re.search(r"\.(\d+)$", item.get("task_name", ""))
    yield Record(
        id=item["id"],
        benchmark="clutrr",
        split=item.get("task_split") or file.split,
        context=item["story"],
        question=f"How is {pair[1]} related to {pair[0]}?",
        options=CLUTRR_RELATIONS,
        answer=CLUTRR_RELATIONS.index(relation),
        question_type=item.get("task_name") or None,
        depth=int(hops[1]) if hops else None,
        metadata={"query": list(pair), "clean_story": item.get("clean_story", "")},
    )


def prontoqa_ood(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a PrOntoQA-OOD problem, flat or as its author's generator nests it; it asks for a proof."""
    nested = "test_example" in item
    problem = item["test_example"] if nested else item
    part = file.stem if nested else str(item.get("file", file.stem))
    key = row if nested else str(item.get("key", row))
    verdict = problem.get("answer")
    options = () if verdict is None else ("True", "False")
    yield Record(
        id=f"{part}-{key}",
        benchmark="prontoqa_ood",
        split="test",
        context=text(problem["question"], "question"),
        question=text(problem["query"], "query"),
        options=options,
        answer=None if verdict is None else label(verdict, options),
        question_type=part,
        depth=len(problem["chain_of_thought"]),
        metadata={"chain_of_thought": list(strings(problem["chain_of_thought"], "chain_of_thought"))},
    )


def llmeval_base(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read an item of LLMEval-Logic's Base set, with its formalization."""
    original, formal = item["original"], item["formalization"]
    yield Record(
        id=str(item["id"]),
        benchmark="llmeval_logic_base",
        split="test",
        context=text(original["background"], "background"),
        question=text(original["question"], "question"),
        options=(),
        answer=None,
        question_type="+".join(strings(item["label_type"], "label_type")),
        formulas={name: formal[name] for name in ("parameters", "premise", "question", "answer")},
        sentences=formal["translation"],
        metadata={
            "title": item.get("title", ""),
            "logic": item["logictype"],
            "answer_text": original["answer"],
        },
    )


def llmeval_hard(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read an item of LLMEval-Logic's Hard set: several open questions on one background."""
    questions, answers = strings(item["question"], "question"), strings(item["answer"], "answer")
    if len(questions) != len(answers):
        raise ValueError(f"has {len(questions)} questions but {len(answers)} answers")
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True), start=1):
        yield Record(
            id=f"{item['id']}-{number}",
            benchmark="llmeval_logic_hard",
            split="test",
            context=text(item["background"], "background"),
            question=question,
            options=(),
            answer=None,
            metadata={"title": item.get("title", ""), "answer_text": answer},
        )


def text(value: Any, name: str) -> str:
    """Return ``value`` if it is a string.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(value, str):
        raise ValueError(f"the field '{name}' is not a string")
    return value


def strings(value: Any, name: str) -> tuple[str, ...]:
    """Return ``value`` as a tuple if it is a list of strings.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise ValueError(f"the field '{name}' is not a list of strings")
    return tuple(value)


def index(value: Any, options: tuple[str, ...], name: str) -> int | None:
    """Return ``value`` as an index of ``options``; ``None`` stays ``None`` (labels that are not public).

    Raises:
        ValueError: it is no index.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(options):
        raise ValueError(f"the field '{name}' is {value!r}, no index of the {len(options)} options")
    return value


def label(value: Any, options: tuple[str, ...]) -> int:
    """Return the index of a label, whatever its case; ``true`` and ``false`` may be JSON's own.

    Raises:
        ValueError: the label is none of the options.
    """
    folded = str(value).strip().casefold()
    for position, option in enumerate(options):
        if option.casefold() == folded:
            return position
    raise ValueError(f"the label {value!r} is none of {', '.join(options)}")
