"""Checking released records: every question is decided by Z3, from what the record states."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Annotated

import orjson

from divlogic.benchmarks.llmeval_logic.hardener.item import (
    HardItem,
    decided_answers,
    read_hard_item,
)
from divlogic.benchmarks.llmeval_logic.schema import read_item
from divlogic.benchmarks.verdict import confirmed, of_each
from divlogic.config.command import ARGUMENT
from divlogic.io.files import write_json
from divlogic.logic.deciding import Z3Decider
from divlogic.logic.theory import Answer
from divlogic.records import Record


def problems(record: Record) -> list[str]:
    """Return the questions of a record whose answers Z3 does not confirm."""
    return [
        f"question {name}" for name, stated, found in confirmed_pairs(record) if stated != found
    ]


def write_confirmation(
    files: Annotated[tuple[Path, ...], ARGUMENT], *, out: Annotated[Path, "Counts (json)."]
) -> None:
    """Decide every question of FILES (jsonl) by Z3, from what the records state."""
    counts = Counter(instances=0, questions=0, disagreements=0)
    for record in chain.from_iterable(confirmed(files, "LLMEval-Logic", of_each(problems))):
        counts.update(instances=1, questions=len(record.metadata["questions"]))
    write_json(out, counts)


def confirmed_pairs(record: Record) -> list[tuple[str, Answer, Answer | None]]:
    """Return of each question its id, the answer that the record states and the one that Z3 gives."""
    if not record.formulas:
        raise ValueError("it has none")
    if "queries" in record.formulas:
        answers = {
            each["id"]: orjson.loads(each["answer"]) for each in record.metadata["questions"]
        }
        named = {"id": record.id, "logic": record.question_type, "answers": answers}
        item = read_item(record.formulas | named)
        decided = Z3Decider().decide(item.formalization).verdicts
        return [
            (each.query, answer, each.answer)
            for each, answer in zip(decided, item.answers, strict=True)
        ]
    hard = hard_item_of(record)
    given = decided_answers(hard.theory, hard.questions, Z3Decider().decide)
    return [
        (each.id, each.answer, answer) for each, answer in zip(hard.questions, given, strict=True)
    ]


def hard_item_of(record: Record) -> HardItem:
    """Return the hard item that a record states."""
    assert record.formulas is not None
    questions = [
        {
            **{
                key: part
                for key, part in each.items()
                if key not in ("zh", "en", "answer", "baseline")
            },
            "text": {"zh": each["zh"], "en": each["en"]},
            "answer": orjson.loads(each["answer"]),
        }
        for each in record.metadata["questions"]
    ]
    return read_hard_item(
        {
            "id": record.id,
            "sources": record.metadata["sources"],
            "setting": record.metadata["setting"],
            "logic": record.question_type,
            "operators": list(record.forms or ()),
            "title": record.metadata["title"],
            "background": {},
            "theory": {**record.formulas, "queries": []},
            "questions": questions,
        }
    )
