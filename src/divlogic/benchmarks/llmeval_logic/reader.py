"""LLMEval-Logic's Base and Hard files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import strings, text
from divlogic.benchmarks.llmeval_logic.hard import answer_texts
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record


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
        question_type="+".join(_strings(item.get("label_type") or [], "label_type")),
        formulas={name: formal.get(name) for name in ("parameters", "premise", "question", "answer")},
        sentences=formal.get("translation") or {},
        metadata={
            "title": item.get("title", ""),
            "logic": str(item.get("logictype", "")).lower(),
            "answer_text": original.get("answer", ""),
        },
    )


def llmeval_hard(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read an item of LLMEval-Logic's Hard set: several open questions on one background."""
    questions, answers = _strings(item["question"], "question"), answer_texts(item["answer"])
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


def _strings(value: Any, name: str) -> tuple[str, ...]:
    """Return a list of texts; a single text counts as a list of one."""
    return strings([value] if isinstance(value, str) else value, name)
