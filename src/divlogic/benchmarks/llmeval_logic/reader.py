"""LLMEval-Logic's Base and Hard files: their rows, and the records that are imported from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from divlogic.benchmarks.columns import strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record


@dataclass(frozen=True, slots=True)
class PublishedBaseItem:
    """An item of the published Base set with its formalization as the file has it: all strings.

    Attributes:
        parameters: symbol -> ``Bool``, ``Function(n)`` or a sort.
        translation: symbol, or predicate with its variables, -> gloss.
    """

    id: str
    parameters: Mapping[str, str]
    translation: Mapping[str, str]
    premises: tuple[str, ...]
    queries: tuple[str, ...]
    answers: tuple[str, ...]
    answer_text: str = ""


@dataclass(frozen=True, slots=True)
class PublishedHardItem:
    """An item of the published Hard set: text only, several open questions on one background."""

    id: str
    title: str
    background: str
    questions: tuple[str, ...]
    answers: tuple[str, ...]


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
        question_type="+".join(_texts(item.get("label_type") or [], "label_type")),
        formulas={
            name: formal.get(name) for name in ("parameters", "premise", "question", "answer")
        },
        sentences=formal.get("translation") or {},
        metadata={
            "title": item.get("title", ""),
            "logic": str(item.get("logictype", "")).lower(),
            "answer_text": original.get("answer", ""),
        },
    )


def llmeval_hard(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read an item of LLMEval-Logic's Hard set: several open questions on one background."""
    hard = hard_item(item)
    for number, (question, answer) in enumerate(
        zip(hard.questions, hard.answers, strict=True), start=1
    ):
        yield Record(
            id=f"{hard.id}-{number}",
            benchmark="llmeval_logic_hard",
            split="test",
            context=text(item["background"], "background"),
            question=question,
            options=(),
            answer=None,
            metadata={"title": item.get("title", ""), "answer_text": answer},
        )


def base_item(row: Any) -> PublishedBaseItem:
    """Read the strings of one item of the Base set; a ValueError names a field that is missing or wrong."""
    if not isinstance(row, dict):
        raise ValueError("is not an object")
    if row.get("id") in (None, ""):
        raise ValueError("has no id; add it")
    formal, original = row.get("formalization"), row.get("original")
    if not isinstance(formal, dict) or not isinstance(original, dict):
        raise ValueError("has no 'formalization' or no 'original'")
    return PublishedBaseItem(
        str(row["id"]),
        _table(formal.get("parameters"), "formalization.parameters"),
        _table(formal.get("translation"), "formalization.translation"),
        _texts(formal.get("premise"), "formalization.premise"),
        *_paired(formal.get("question"), formal.get("answer"), "formal questions"),
        joined(original.get("answer")),
    )


def hard_item(row: Any) -> PublishedHardItem:
    """Read one item of the Hard set; a ValueError names a field that is missing or wrong.

    An answer may be an object that holds the text as ``answer``.
    """
    if not isinstance(row, dict):
        raise ValueError("is not an object")
    for name in ("id", "background", "question", "answer"):
        if name not in row:
            raise ValueError(f"has no field '{name}'; add it")
    return PublishedHardItem(
        str(row["id"]),
        str(row.get("title", "")),
        str(row["background"]),
        *_paired(row["question"], row["answer"], "questions"),
    )


def joined(value: Any) -> str:
    """Return a text that may be given as a list of texts; nothing is an empty text."""
    if isinstance(value, list):
        return "".join(map(str, value))
    return "" if value is None else str(value)


def _paired(questions: Any, answers: Any, what: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return questions and as many answers."""
    asked = _texts(questions, "question")
    if isinstance(answers, str):
        answers = [answers]
    if not isinstance(answers, list):
        raise ValueError("the field 'answer' is not a list")
    if len(asked) != len(answers):
        raise ValueError(
            f"has {len(asked)} {what} but {len(answers)} answers; complete the shorter list"
        )
    return asked, tuple(_answer(answer, number) for number, answer in enumerate(answers, start=1))


def _answer(value: Any, number: int) -> str:
    answer = value.get("answer") if isinstance(value, dict) else value
    if isinstance(answer, list) and answer and all(isinstance(part, str) for part in answer):
        return "；".join(answer)
    if isinstance(answer, bool) or not isinstance(answer, (str, int, float)):
        raise ValueError(f"answer {number} is neither a text nor an object with a text 'answer'")
    return str(answer)


def _table(value: Any, name: str) -> dict[str, str]:
    if not isinstance(value or {}, dict):
        raise ValueError(f"the field '{name}' is not an object")
    return {str(key): str(part) for key, part in (value or {}).items()}


def _texts(value: Any, name: str) -> tuple[str, ...]:
    """Return a list of texts; a single text counts as a list of one."""
    return strings([value] if isinstance(value, str) else value, name)
