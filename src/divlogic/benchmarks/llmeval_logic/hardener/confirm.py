"""Reading released records back and deciding every question of them by Z3, from what the records state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, decided_answers, read_hard_item
from divlogic.benchmarks.llmeval_logic.schema import read_item
from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.logic.by_z3 import Z3Decider
from divlogic.logic.theory import Answer
from divlogic.records import Record, read_records


def write_confirmation(files: Iterable[Path], out: Path) -> dict[str, Any]:
    """Decide every question of the records and write how many answers are confirmed.

    Raises:
        DivLogicError: a file is missing or a row is no record of this benchmark; or an answer is not confirmed, after
            the report is written.
    """
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for path in files:
        for record in read_records(path):
            try:
                pairs = confirmed_pairs(record)
            except (KeyError, TypeError, ValueError) as error:
                raise DivLogicError(
                    f"{path}, item {record.id}: not an item of this benchmark ({error}); make the file again."
                ) from error
            counts["instances"] += 1
            counts["questions"] += len(pairs)
            bad = [name for name, stated, found in pairs if stated != found]
            counts["disagreements"] += len(bad)
            wrong += [f"{path}, item {record.id}, question {name}" for name in bad]
    names = ("instances", "questions", "disagreements")
    report = {name: counts[name] for name in names}
    write_json(out, report)
    if wrong:
        raise DivLogicError(
            f"{wrong[0]}: Z3 does not confirm the answer ({len(wrong)} in all); make the file again."
        )
    return report


def confirmed_pairs(record: Record) -> list[tuple[str, Answer, Answer | None]]:
    """Return of each question its id, the answer that the record states and the one that Z3 gives.

    Raises:
        ValueError, KeyError, TypeError: the record is not of this benchmark.
    """
    if record.formulas is None:
        raise ValueError("it has no formulas")
    if "queries" in record.formulas:
        answers = {each["id"]: orjson.loads(each["answer"]) for each in record.metadata["questions"]}
        item = read_item(
            {**record.formulas, "id": record.id, "logic": record.question_type, "answers": answers}
        )
        found = Z3Decider().decide(item.formalization).answers
        return [
            (query.id, answer, found[query.id])
            for query, answer in zip(item.formalization.queries, item.answers, strict=True)
        ]
    hard = hard_item_of(record)
    given = decided_answers(hard.theory, hard.questions, Z3Decider().decide)
    return [(each.id, each.answer, answer) for each, answer in zip(hard.questions, given, strict=True)]


def hard_item_of(record: Record) -> HardItem:
    """Return the hard item that a record states."""
    assert record.formulas is not None
    questions = [
        {
            **{key: part for key, part in each.items() if key not in ("zh", "en", "answer", "baseline")},
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
