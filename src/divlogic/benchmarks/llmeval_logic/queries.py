"""The closed view of Base: every query of the types possible and necessary as a record with two options.

Answers of Base are free text; probes, prompts and the label audit need options. The label is the formal answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import text
from divlogic.benchmarks.llmeval_logic.formal import VERDICTS, Published, formalization_of, published_answer
from divlogic.benchmarks.llmeval_logic.published import published_row
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.verdict import Verdict, published_label
from divlogic.records import Record

NAME = "llmeval_logic_queries"
OPTIONS = ("是", "否")


def llmeval_queries(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read the closed queries of an item of Base."""
    raw, original = published_row(item), item["original"]
    theory = formalization_of(raw)
    asked = text(original["question"], "question")
    for number, query in enumerate(theory.queries, start=1):
        if query.type not in VERDICTS:
            continue
        answer = published_answer(raw.answers[number - 1], query, theory.constants)
        yield Record(
            id=f"{raw.id}-{number}",
            benchmark=NAME,
            split="test",
            context=text(original["background"], "background"),
            question=_part(asked, number, len(theory.queries)),
            options=OPTIONS,
            answer=VERDICTS[query.type].index(str(answer)),
            question_type=query.type,
            formulas={
                "parameters": dict(raw.parameters),
                "premise": list(raw.premises),
                "question": [raw.queries[number - 1]],
                "answer": [raw.answers[number - 1]],
            },
            sentences=dict(raw.translation),
            metadata={"title": item.get("title", ""), "item": raw.id},
        )


def audit_query(record: Record) -> Verdict | None:
    """Derive the label from the formulas; ``None`` for a record without."""
    from divlogic.logic.deciding import decide

    formulas = record.formulas or {}
    if not formulas.get("question"):
        return None
    published = published_label(record)
    raw = Published(
        record.id,
        formulas["parameters"],
        {},
        tuple(formulas["premise"]),
        tuple(formulas["question"]),
        (),
        (),
    )
    try:
        theory = formalization_of(raw)
    except ValueError as error:
        return Verdict(record.id, published, None, "not parsed", str(error))
    answer = decide(theory, where=f"{record.benchmark}, {record.id}").verdicts[0].answer
    if answer is None:
        return Verdict(record.id, published, None, "undecided", "Z3's resource limit was reached")
    derived = OPTIONS[VERDICTS[theory.queries[0].type].index(str(answer))]
    if derived == published:
        return Verdict(record.id, published, derived)
    return Verdict(record.id, published, derived, "label", f"the premises say {answer}")


def _part(asked: str, number: int, count: int) -> str:
    """Return the sentence of a text of several questions that asks one of them; else the text, and which is meant."""
    parts = [part.strip() for part in re.findall(r"[^？?]*[？?]", asked)]
    if count == 1:
        return asked
    return parts[number - 1] if len(parts) == count else f"{asked}（这里只答第{number}问。）"
