"""Seeds and hard items as records: one per item, its questions numbered, everything formal beside the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, item_json
from divlogic.benchmarks.llmeval_logic.schema import formalization_row
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.logic.theory import Gloss, answer_text
from divlogic.records import Record

BENCHMARK = "llmeval_logic_generated"


def seed_record(seed: Seed) -> Record:
    """Return a seed as a record of the split ``base``."""
    item = seed.item
    theory = formalization_row(item.formalization)
    texts = [premise.text for premise in item.formalization.premises]
    questions = [
        {
            "id": query.id,
            "type": query.type,
            "zh": query.text.zh,
            "en": query.text.en,
            "answer": answer_text(answer),
        }
        for query, answer in zip(item.formalization.queries, item.answers, strict=True)
    ]
    return Record(
        id=item.id,
        benchmark=BENCHMARK,
        split="base",
        context=item.background.zh + "".join(text.zh for text in texts),
        question=_numbered([query.text for query in item.formalization.queries], "zh"),
        options=(),
        answer=None,
        question_type=item.logic,
        forms=(),
        formulas={key: theory[key] for key in ("symbols", "premises", "queries", "domain")},
        metadata={
            "setting": seed.setting,
            "title": {"zh": item.title.zh, "en": item.title.en},
            "context_en": " ".join([item.background.en, *(text.en for text in texts)]),
            "questions": questions,
            "contradictory": item.contradictory,
        },
    )


def hard_record(item: HardItem) -> Record:
    """Return a hard item as a record of the split ``hard``."""
    row = item_json(item)
    questions: list[dict[str, Any]] = []
    for question, formal in zip(item.questions, row["questions"], strict=True):
        shown = {
            "id": question.id,
            "type": question.type,
            "strategy": question.strategy,
            "zh": question.text.zh,
            "en": question.text.en,
            "answer": answer_text(question.answer),
        }
        if question.baseline is not None:
            shown["baseline"] = answer_text(question.baseline)
        questions.append(
            shown | {key: formal[key] for key in ("suppose", "query", "statements") if key in formal}
        )
    return Record(
        id=item.id,
        benchmark=BENCHMARK,
        split="hard",
        context=item.context("zh"),
        question=_numbered([question.text for question in item.questions], "zh"),
        options=(),
        answer=None,
        question_type=item.logic,
        forms=item.operators,
        formulas={key: row["theory"][key] for key in ("symbols", "premises", "domain")},
        metadata={
            "setting": item.setting,
            "title": row["title"],
            "context_en": item.context("en"),
            "questions": questions,
            "sources": list(item.sources),
        },
    )


def _numbered(texts: Sequence[Gloss], language: str) -> str:
    return "\n".join(f"{place}. {getattr(text, language)}" for place, text in enumerate(texts, start=1))
