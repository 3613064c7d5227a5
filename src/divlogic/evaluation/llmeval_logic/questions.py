"""The three tracks as prompts, in Chinese and English, in our own wording; and the reading of replies.

Of a formalization the first balanced JSON object of a reply is read, checked strictly; what cannot be read has its
reason. Answers are asked for and read by :mod:`divlogic.models.sub_answers`, as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic import schema
from divlogic.benchmarks.llmeval_logic.asked import Asked, asked_by_query, asked_in_record
from divlogic.benchmarks.llmeval_logic.notation import folded
from divlogic.benchmarks.llmeval_logic.reader import PublishedHardItem
from divlogic.io.files import read_yaml
from divlogic.logic.theory import QUERY_TYPES, Formalization, Gloss
from divlogic.models.answers import json_objects
from divlogic.models.letters import after_thinking
from divlogic.models.requests import Question
from divlogic.models.sub_answers import FREE, SubQuestion, prompt as answer_prompt, values_by_number
from divlogic.records import Record

Track = Literal["answer", "formalise_free", "formalise_fixed"]
Language = Literal["zh", "en"]
TEXTS: dict[str, Any] = read_yaml(Path(__file__).with_name("prompts.yaml"))
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "：": ":", "，": ","})


class UnreadableError(ValueError):
    """A reply that is no answer: counted wrong, and not asked again."""


@dataclass(frozen=True, slots=True)
class TaskQuestion:
    """One question of an item and its answer.

    Attributes:
        asked: what is asked for, and the answer; of free text one that only a judge can compare.
        strategy: how a question made it harder; empty where none did.
    """

    id: str
    type: str
    text: Gloss
    asked: Asked
    strategy: str = ""

    @property
    def answer(self) -> str:
        """The answer: canonical JSON where it is ``exact``, else a text."""
        return self.asked.answer

    @property
    def exact(self) -> bool:
        """Whether an answer is compared by its form."""
        return self.asked.question.kind != FREE


@dataclass(frozen=True, slots=True)
class Task:
    """An item as it is asked: texts and questions; for formalization also its reference."""

    benchmark: str
    id: str
    context: Gloss
    questions: tuple[TaskQuestion, ...]
    item: schema.Item | None = None


@dataclass(frozen=True, slots=True)
class OpenQuestion(Question):
    """One prompt, which is answered by a JSON object."""

    def read(self, answer: str) -> str | None:
        """Return the reply if it holds a JSON object."""
        try:
            return json.dumps(first_object(answer), ensure_ascii=False)
        except UnreadableError:
            return None


def task_of_item(item: schema.Item) -> Task:
    """Return a Base item or a seed as a task; published items have one text for all their queries."""
    theory = item.formalization
    facts = [premise.text for premise in theory.premises]
    context = Gloss(
        zh=item.background.zh + "".join(text.zh for text in facts),
        en=" ".join(filter(None, [item.background.en, *(text.en for text in facts)])),
    )
    questions = tuple(
        TaskQuestion(
            id=query.id,
            type=query.type,
            text=query.text if query.text.zh else item.question,
            asked=asked_by_query(query, answer, theory),
        )
        for query, answer in zip(theory.queries, item.answers, strict=True)
    )
    published = theory.licence == schema.EVALUATION_ONLY
    benchmark = "llmeval_logic_base" if published else "llmeval_logic_generated_base"
    return Task(benchmark, item.id, context, questions, item)


def task_of_hard(item: PublishedHardItem) -> Task:
    """Return an item of the published Hard set as a task; its answers are free text, which a judge compares."""
    questions = tuple(
        TaskQuestion(f"Q{number}", FREE, Gloss(zh=question), Asked(SubQuestion(FREE), answer))
        for number, (question, answer) in enumerate(
            zip(item.questions, item.answers, strict=True), start=1
        )
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
        asked = Asked(SubQuestion(FREE), answer)
        question = TaskQuestion("Q1", FREE, Gloss(zh=record.question), asked)
        return Task(record.benchmark, record.id, context, (question,))
    questions = tuple(
        TaskQuestion(
            id=str(row["id"]),
            type=row["type"],
            text=Gloss(zh=row["zh"], en=row.get("en", "")),
            asked=asked,
            strategy=row.get("strategy", ""),
        )
        for row, asked in zip(listed, asked_in_record(record), strict=True)
    )
    item = None
    if record.formulas and "queries" in record.formulas:
        about = {
            "id": record.id,
            "background": context,
            "answers": {str(row["id"]): json.loads(row["answer"]) for row in listed},
            "contradictory": bool(record.metadata.get("contradictory")),
        }
        item = schema.read_item({**record.formulas, **about})
    return Task(f"{record.benchmark}_{record.split}", record.id, context, questions, item)


def prompt(task: Task, track: Track, language: Language) -> OpenQuestion:
    """Word a task.

    Raises:
        ValueError: a formalization is asked of a task without reference, or a text in a language that it lacks.
    """
    context = getattr(task.context, language)
    if not context or not all(getattr(question.text, language) for question in task.questions):
        raise ValueError(f"item {task.id} has no text in '{language}'; choose another language")
    if track == "answer":
        text = answer_prompt(
            context,
            [getattr(question.text, language) for question in task.questions],
            [question.asked.question for question in task.questions],
            [[getattr(one, language) for one in each.asked.options] for each in task.questions],
            language,
        )
        return OpenQuestion(task.benchmark, task.id, text)
    lines = [f"{q.id} ({q.type}): {getattr(q.text, language)}" for q in task.questions]
    values = {"context": context, "questions": "\n".join(lines)}
    if task.item is None:
        raise ValueError(f"item {task.id} has no reference formalization")
    form: dict[str, Any] = {"premises": ["..."], "queries": [{"type": "...", "formula": "..."}]}
    if track == "formalise_free":
        symbols = TEXTS["free"][language]
        form = {
            "symbols": [{"name": "A", "kind": "prop", "arity": 0, "gloss": {language: "..."}}],
            **form,
        }
    else:
        declared = list(map(schema.without_empty, task.item.formalization.symbols))
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


def first_object(text: str) -> dict[str, Any]:
    """Return the first balanced JSON object of a reply; typographic quotes are tried where the plain text fails.

    Raises:
        UnreadableError: there is none.
    """
    text = after_thinking(text)
    for candidate in (text, text.translate(_QUOTES)):
        for value in json_objects(candidate):
            return value
    raise UnreadableError("the reply is empty" if not text.strip() else "no JSON object")


def read_answers(text: str, task: Task) -> dict[str, Any]:
    """Return what a reply gives as the answer to each question, by its id; ``None`` for one without an answer.

    Raises:
        UnreadableError: there is no object of answers, or one that answers more than was asked.
    """
    values = values_by_number(text, len(task.questions))
    if values is None:
        raise UnreadableError(
            "the reply is empty" if not text.strip() else "no JSON object of answers"
        )
    return {
        question.id: values.get(number) for number, question in enumerate(task.questions, start=1)
    }


def read_candidate(text: str, fixed: Formalization | None = None) -> Formalization:
    """Return the formalization of a reply.

    Args:
        text: the reply.
        fixed: the reference whose symbols must be used; without it the reply declares its own.

    Raises:
        UnreadableError: there is no formalization, it has the wrong shape, or it uses a symbol that is not declared.
    """
    row = {"domain": "open", **first_object(text)}
    row = {key: row.get(key) for key in ("symbols", "premises", "queries", "domain")}
    if fixed is not None:
        row |= {"symbols": list(fixed.symbols), "domain": fixed.domain}
    for name in ("symbols", "premises", "queries"):
        if not isinstance(row.get(name), list):
            raise UnreadableError(f"`{name}` is not a list")
    for key, prefix in (("premises", "P"), ("queries", "Q")):
        row[key] = [
            _entry(each, f"{prefix}{number}", key) for number, each in enumerate(row[key], start=1)
        ]
    try:
        return schema.read_formalization(row)
    except ValueError as error:
        raise UnreadableError(str(error)) from error


def stated(theory: Formalization, keys: Sequence[str]) -> str:
    """Return some parts of a formalization as a reply states them."""
    row = schema.formalization_row(theory)
    return json.dumps({key: row[key] for key in keys}, ensure_ascii=False)


def same_text(given: Any, expected: str) -> bool:
    """Return whether a free answer is the reference's own text, but for punctuation, width and case."""
    return isinstance(given, str) and bool(folded(given)) and folded(given) == folded(expected)


def _entry(value: Any, name: str, key: str) -> dict[str, Any]:
    if key == "premises" and not isinstance(value, dict):
        return {"id": name, "formula": value}
    if not isinstance(value, dict):
        raise UnreadableError(f"an entry of `{key}` is not an object")
    known = ("formula", "type", "targets", "variable", "given", "role")
    return {"id": name, **{field: value[field] for field in known if value.get(field) is not None}}
