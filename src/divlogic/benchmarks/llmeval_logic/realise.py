"""Hard items as records: one shard of them, and the records of seeds and of hard items.

A record is one item with its questions numbered and everything formal next to the texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.llmeval_logic.draw import Tally, draw
from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, item_json
from divlogic.benchmarks.llmeval_logic.parameters import HardenerParameters, LLMEvalLogicRun
from divlogic.benchmarks.llmeval_logic.schema import formalization_row, without_empty
from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_seeds
from divlogic.errors import DivLogicError
from divlogic.io.files import write_json, write_jsonl
from divlogic.logic.theory import Answer, Gloss, answer_text
from divlogic.records import Record

BENCHMARK = "llmeval_logic_generated"


def seed_record(seed: Seed) -> Record:
    """Return a seed as a record of the split ``base``."""
    item = seed.item
    theory = formalization_row(item.formalization)
    texts = [item.background, *(premise.text for premise in item.formalization.premises)]
    asked = list(zip(item.formalization.queries, item.answers, strict=True))
    return Record(
        id=item.id,
        benchmark=BENCHMARK,
        split="base",
        context="".join(text.zh for text in texts),
        question=_numbered([query.text for query, _ in asked]),
        options=(),
        answer=None,
        question_type=item.logic,
        forms=(),
        formulas={key: theory[key] for key in ("symbols", "premises", "queries", "domain")},
        metadata={
            "setting": seed.setting,
            "title": without_empty(item.title),
            "context_en": " ".join(text.en for text in texts),
            "questions": [
                {"id": query.id, "type": query.type, **_text_and_answer(query.text, answer)}
                for query, answer in asked
            ],
            "contradictory": item.contradictory,
        },
    )


def hard_record(item: HardItem) -> Record:
    """Return a hard item as a record of the split ``hard``."""
    row = item_json(item)
    questions: list[dict[str, Any]] = []
    for question, formal in zip(item.questions, row["questions"], strict=True):
        shown = {"id": question.id, "type": question.type, "strategy": question.strategy}
        shown |= _text_and_answer(question.text, question.answer)
        if question.baseline is not None:
            shown["baseline"] = answer_text(question.baseline)
        stated = {key: formal[key] for key in ("suppose", "query", "statements") if key in formal}
        questions.append(shown | stated)
    return Record(
        id=item.id,
        benchmark=BENCHMARK,
        split="hard",
        context=item.context("zh"),
        question=_numbered([question.text for question in item.questions]),
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


def _text_and_answer(text: Gloss, answer: Answer) -> dict[str, str]:
    return {"zh": text.zh, "en": text.en, "answer": answer_text(answer)}


def _numbered(texts: Sequence[Gloss]) -> str:
    return "\n".join(f"{place}. {text.zh}" for place, text in enumerate(texts, start=1))


def resources(inputs: Mapping[str, Path]) -> tuple[Seed, ...]:
    """Return the seeds that items are made from."""
    sources = tuple(read_seeds(inputs["seeds"]))
    if all(source.item.contradictory for source in sources):
        raise DivLogicError(
            f"{inputs['seeds']}: there is no seed without a contradiction; run the step that makes it again."
        )
    return sources


def realise(
    index: int, sources: Sequence[Seed], parameters: HardenerParameters, seed: int
) -> list[Record] | None:
    """Return the record of item ``index``; ``None`` where no draw passes every gate."""
    item = draw(parameters, seed, index, sources)
    return None if item is None else [hard_record(item)]


def write_shard(
    source: Annotated[Path, "--in", "Seeds (jsonl)."],
    *,
    shard: Annotated[int, click.IntRange(0), "Number of this shard, from 0."],
    shards: Annotated[int, click.IntRange(1), "Number of shards."],
    out: Annotated[Path, "Hard items of this shard (jsonl)."],
    counts: Annotated[Path, "Draws by operator and gate (json)."],
    params: LLMEvalLogicRun,
) -> None:
    """Draw one shard of hard items by operators on the seeds' theories."""
    parameters = params.benchmarks.llmeval_logic.hardener
    sources, tally = resources({"seeds": source}), Tally()
    drawn = (
        draw(parameters, params.seed, i, sources, tally)
        for i in range(shard, parameters.items, shards)
    )
    write_jsonl(out, (item_json(item) for item in drawn if item is not None))
    write_json(counts, tally.to_json())
