"""The three tracks as prompts, in Chinese and English; our own wording, and never an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.reader import PublishedHardItem
from divlogic.benchmarks.llmeval_logic.schema import Item, read_item, without_empty
from divlogic.evaluation.llmeval_logic.replies import UnreadableError, first_object
from divlogic.io.files import read_yaml
from divlogic.logic.theory import QUERY_TYPES, Gloss, answer_text
from divlogic.records import Record

Track = Literal["answer", "formalise_free", "formalise_fixed"]
Language = Literal["zh", "en"]
TEXTS: dict[str, Any] = read_yaml(Path(__file__).with_name("prompts.yaml"))


@dataclass(frozen=True, slots=True)
class TaskQuestion:
    """One question of an item and its answer.

    Attributes:
        answer: canonical JSON where ``exact``; else a text that only a judge can compare.
    """

    id: str
    type: str
    text: Gloss
    answer: str
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """An item as it is asked: texts and questions; for formalization also its reference."""

    benchmark: str
    id: str
    context: Gloss
    questions: tuple[TaskQuestion, ...]
    item: Item | None = None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """One prompt; fits the runner's ``Question``."""

    benchmark: str
    instance: str
    input: str
    likelihood: bool = False
    letters: tuple[str, ...] = ()

    def read(self, answer: str) -> str | None:
        """Return the reply if it holds a JSON object."""
        try:
            return json.dumps(first_object(answer), ensure_ascii=False)
        except UnreadableError:
            return None


def task_of_item(item: Item, benchmark: str) -> Task:
    """Return a Base item or a seed as a task; published items have one text for all their queries."""
    theory = item.formalization
    facts = [premise.text for premise in theory.premises]
    context = Gloss(
        zh=item.background.zh + "".join(text.zh for text in facts),
        en=" ".join(filter(None, [item.background.en, *(text.en for text in facts)])),
    )
    questions = tuple(
        TaskQuestion(
            query.id, query.type, query.text if query.text.zh else item.question, answer_text(answer)
        )
        for query, answer in zip(theory.queries, item.answers, strict=True)
    )
    return Task(benchmark, item.id, context, questions, item)


def task_of_hard(item: PublishedHardItem) -> Task:
    """Return an item of the published Hard set as a task; its answers are free text, which a judge compares."""
    questions = tuple(
        TaskQuestion(f"Q{number}", "free", Gloss(zh=question), answer, exact=False)
        for number, (question, answer) in enumerate(zip(item.questions, item.answers, strict=True), start=1)
    )
    return Task("llmeval_logic_hard", f"hard-{item.id}", Gloss(zh=item.background), questions)


def task_of_record(record: Record) -> Task:
    """Return a generated record, or one of the published Hard set, as a task.

    Raises:
        ValueError: a record's formalization cannot be read.
    """
    context = Gloss(zh=record.context, en=str(record.metadata.get("context_en", "")))
    listed = record.metadata.get("questions")
    if not listed:
        answer = str(record.metadata.get("answer_text", ""))
        question = TaskQuestion("Q1", "free", Gloss(zh=record.question), answer, exact=False)
        return Task(record.benchmark, record.id, context, (question,))
    questions = tuple(
        TaskQuestion(str(q["id"]), q["type"], Gloss(zh=q["zh"], en=q.get("en", "")), q["answer"])
        for q in listed
    )
    item = None
    if record.formulas and "queries" in record.formulas:
        about = {
            "id": record.id,
            "background": context,
            "answers": {question.id: json.loads(question.answer) for question in questions},
            "contradictory": bool(record.metadata.get("contradictory")),
        }
        item = read_item({**record.formulas, **about})
    return Task(f"{record.benchmark}_{record.split}", record.id, context, questions, item)


def prompt(task: Task, track: Track, language: Language) -> OpenQuestion:
    """Word a task.

    Raises:
        ValueError: a formalization is asked of a task without reference, or a text in a language that it lacks.
    """
    context = getattr(task.context, language)
    if not context or not all(getattr(question.text, language) for question in task.questions):
        raise ValueError(f"item {task.id} has no text in '{language}'; choose another language")
    lines = [f"{q.id} ({q.type}): {getattr(q.text, language)}" for q in task.questions]
    values = {"context": context, "questions": "\n".join(lines)}
    form: dict[str, Any]
    if track == "answer":
        form = {"answers": {question.id: "..." for question in task.questions}}
        text = TEXTS["answer"][language].format(**values, form=json.dumps(form))
        return OpenQuestion(task.benchmark, task.id, text)
    if task.item is None:
        raise ValueError(f"item {task.id} has no reference formalization")
    form = {"premises": ["..."], "queries": [{"type": "...", "formula": "..."}]}
    if track == "formalise_free":
        symbols = TEXTS["free"][language]
        form = {"symbols": [{"name": "A", "kind": "prop", "arity": 0, "gloss": {language: "..."}}], **form}
    else:
        declared = list(map(without_empty, task.item.formalization.symbols))
        symbols = TEXTS["fixed"][language] + json.dumps(declared, ensure_ascii=False)
    text = TEXTS["formalise"][language].format(
        **values,
        operators=TEXTS["operators"],
        types=", ".join(QUERY_TYPES),
        symbols=symbols,
        form=json.dumps(form, ensure_ascii=False),
    )
    return OpenQuestion(task.benchmark, task.id, text)


def prompts(tasks: Sequence[Task], track: Track, language: Language) -> list[OpenQuestion]:
    """Word tasks; those that cannot be worded are left out."""
    worded = []
    for task in tasks:
        with suppress(ValueError):
            worded.append(prompt(task, track, language))
    return worded
