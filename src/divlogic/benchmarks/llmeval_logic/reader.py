"""LLMEval-Logic's Base and Hard files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.fields import strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
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


@dataclass(frozen=True, slots=True)
class PublishedHardItem:
    """An item of the published Hard set: text only, several open questions on one background."""

    id: str
    title: str
    background: str
    questions: tuple[str, ...]
    answers: tuple[str, ...]


def read_hard(path: Path, problems: list[str] | None = None) -> Iterator[PublishedHardItem]:
    """Yield the items of the Hard file; an answer may be an object that holds the text as ``answer``.

    Raises:
        DivLogicError: the file is not a list, or, without ``problems``, an item cannot be used.
    """
    seen: set[str] = set()
    for place, row in enumerate(read_rows(path)):
        name = f"item {row['id']}" if isinstance(row, dict) and "id" in row else f"row {place + 1}"
        try:
            item = hard_item(row)
            if item.id in seen:
                raise ValueError("its id is duplicated; rename or delete one of them")
            seen.add(item.id)
            yield item
        except ValueError as error:
            if problems is None:
                raise DivLogicError(f"{path}, {name}: {error}") from error
            problems.append(f"{path}, {name}: {error}")


def hard_item(row: Any) -> PublishedHardItem:
    """Read one item of the Hard set.

    Raises:
        ValueError: a field is missing or of the wrong kind, or questions and answers differ in number.
    """
    if not isinstance(row, dict):
        raise ValueError("is not an object")
    for name in ("id", "background", "question", "answer"):
        if name not in row:
            raise ValueError(f"has no field '{name}'; add it")
    questions = text_list(row["question"], "question")
    answers = answer_texts(row["answer"])
    if len(questions) != len(answers):
        raise ValueError(
            f"has {len(questions)} questions but {len(answers)} answers; complete the shorter list"
        )
    return PublishedHardItem(
        str(row["id"]), str(row.get("title", "")), str(row["background"]), questions, answers
    )


def answer_texts(value: Any) -> tuple[str, ...]:
    """Return the answers' texts.

    Raises:
        ValueError: one is neither a text nor an object that holds one.
    """
    if not isinstance(value, list):
        raise ValueError("the field 'answer' is not a list")
    answers = []
    for number, answer in enumerate(value, start=1):
        text = answer.get("answer") if isinstance(answer, dict) else answer
        if isinstance(text, (int, float)) and not isinstance(text, bool):
            text = str(text)
        if isinstance(text, list) and text and all(isinstance(part, str) for part in text):
            text = "；".join(text)
        if not isinstance(text, str):
            raise ValueError(f"answer {number} is neither a text nor an object with a text 'answer'")
        answers.append(text)
    return tuple(answers)


def read_rows(path: Path) -> list[Any]:
    """Return the items of a JSON file.

    Raises:
        DivLogicError: the file is missing, not JSON, or no list.
    """
    rows = read_json(path)
    if not isinstance(rows, list):
        raise DivLogicError(f"{path}: not a list of items; give the file as published.")
    return rows


def text_list(value: Any, name: str) -> tuple[str, ...]:
    """Return a field that is a list of texts.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise ValueError(f"the field '{name}' is not a list of texts")
    return tuple(value)
