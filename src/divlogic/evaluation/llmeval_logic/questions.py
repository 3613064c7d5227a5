"""The three tracks as prompts, in Chinese and English; our own wording, and never an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.reader import PublishedHardItem
from divlogic.benchmarks.llmeval_logic.schema import Item, formalization_row, read_item
from divlogic.logic.theory import Gloss, answer_text
from divlogic.records import Record

Track = Literal["answer", "formalise_free", "formalise_fixed"]
Language = Literal["zh", "en"]
TRACKS: tuple[Track, ...] = Track.__args__  # type: ignore[attr-defined]

_ANSWER = {
    "zh": (
        "请根据背景回答下列问题，只依据所给信息推理。\n\n背景：{context}\n\n{questions}\n\n"
        "答案的写法：possible 型填 possible 或 impossible；necessary 型填 necessary 或 unnecessary；"
        "unique_solution 与 has_alternative 型填 yes 或 no；count_models 型填整数；"
        "enumerate_models 与 enumerate_objects 型填列表的列表，每个内层列表列出该情形中成立的项；"
        "其余按题目要求填写。\n只输出一个 JSON 对象：{form}"
    ),
    "en": (
        "Answer the questions on the passage; use only what it says.\n\nPassage: {context}\n\n{questions}\n\n"
        "How to write answers: possible: possible or impossible; necessary: necessary or unnecessary;"
        " unique_solution and has_alternative: yes or no; count_models: a whole number; enumerate_models and"
        " enumerate_objects: a list of lists, each with the items that hold in one case; otherwise as the question"
        " asks.\nReply with one JSON object only: {form}"
    ),
}
_OPERATORS = (
    '"A", ["P","a","x"], ["not",f], ["and",f,...], ["or",f,...], ["->",f,g], ["<->",f,g], ["forall","x",f],'
    ' ["exists","x",f], ["=","a","b"], ["!=","a","b"], ["xor",f,g], ["exactly",k,f,...], ["at_most",k,f,...],'
    ' ["at_least",k,f,...]'
)
_TYPES = (
    "possible, necessary, enumerate_models, enumerate_objects, count_models, unique_solution, has_alternative"
)
_FORMALISE = {
    "zh": (
        "请把背景与问题形式化为逻辑式，不要作答。\n\n背景：{context}\n\n{questions}\n\n公式用 S 表达式：{operators}。\n"
        "查询类型：{types}。possible 与 necessary 给 formula；enumerate_objects 给 variable 和 formula；"
        "其余给 targets。\n"
        "{symbols}\n只输出一个 JSON 对象：{form}"
    ),
    "en": (
        "Formalize the passage and the questions in logic; do not answer them.\n\nPassage: {context}\n\n{questions}\n\n"
        "Formulas are S-expressions: {operators}.\nQuery types: {types}. possible and necessary have a formula;"
        " enumerate_objects a variable and a formula; the others targets.\n{symbols}\n"
        "Reply with one JSON object only: {form}"
    ),
}
_FREE = {
    "zh": "自行声明符号：kind 为 prop、pred 或 const，gloss 为释义，谓词释义用 {0} {1} 标出项。",
    "en": "Declare your own symbols: kind is prop, pred or const; gloss says what it means, with {0} {1} for terms.",
}
_FIXED = {"zh": "只用下列符号：", "en": "Use these symbols only: "}


@dataclass(frozen=True, slots=True)
class SubQuestion:
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
    questions: tuple[SubQuestion, ...]
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
        from divlogic.evaluation.llmeval_logic.replies import UnreadableError, first_object

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
        SubQuestion(query.id, query.type, query.text if query.text.zh else item.question, answer_text(answer))
        for query, answer in zip(theory.queries, item.answers, strict=True)
    )
    return Task(benchmark, item.id, context, questions, item)


def task_of_hard(item: PublishedHardItem) -> Task:
    """Return an item of the published Hard set as a task; its answers are free text, which a judge compares."""
    questions = tuple(
        SubQuestion(f"Q{number}", "free", Gloss(zh=question), answer, exact=False)
        for number, (question, answer) in enumerate(zip(item.questions, item.answers, strict=True), start=1)
    )
    return Task("llmeval_logic_hard", f"hard-{item.id}", Gloss(zh=item.background), questions)


def task_of_record(record: Record) -> Task:
    """Return a generated record, or one of the published Hard set, as a task.

    Raises:
        ValueError: a record's formalization cannot be read.
    """
    listed = record.metadata.get("questions")
    if listed:
        questions = tuple(
            SubQuestion(str(q["id"]), q["type"], Gloss(zh=q["zh"], en=q.get("en", "")), q["answer"])
            for q in listed
        )
    else:
        answer = str(record.metadata.get("answer_text", ""))
        questions = (SubQuestion("Q1", "free", Gloss(zh=record.question), answer, exact=False),)
    context = Gloss(zh=record.context, en=str(record.metadata.get("context_en", "")))
    item = None
    if listed and record.formulas and "queries" in record.formulas:
        answers = {str(q["id"]): json.loads(q["answer"]) for q in listed}
        about: dict[str, Any] = {
            "id": record.id,
            "background": {"zh": context.zh, "en": context.en},
            "answers": answers,
        }
        about["contradictory"] = bool(record.metadata.get("contradictory"))
        item = read_item({**record.formulas, **about})
    name = f"{record.benchmark}_{record.split}" if listed else record.benchmark
    return Task(name, record.id, context, questions, item)


def prompt(task: Task, track: Track, language: Language) -> OpenQuestion:
    """Word a task.

    Raises:
        ValueError: a formalization is asked of a task without reference, or a text in a language that it lacks.
    """
    context = getattr(task.context, language)
    if not context or not all(getattr(question.text, language) for question in task.questions):
        raise ValueError(f"item {task.id} has no text in '{language}'; choose another language")
    lines = [f"{q.id} ({q.type}): {getattr(q.text, language)}" for q in task.questions]
    if track == "answer":
        answers = json.dumps({"answers": {question.id: "..." for question in task.questions}})
        text = _ANSWER[language].format(context=context, questions="\n".join(lines), form=answers)
        return OpenQuestion(task.benchmark, task.id, text)
    if task.item is None:
        raise ValueError(f"item {task.id} has no reference formalization")
    form: dict[str, Any] = {"premises": ["..."], "queries": [{"type": "...", "formula": "..."}]}
    if track == "formalise_free":
        symbols = _FREE[language]
        form = {"symbols": [{"name": "A", "kind": "prop", "arity": 0, "gloss": {language: "..."}}], **form}
    else:
        declared = formalization_row(task.item.formalization)["symbols"]
        symbols = _FIXED[language] + json.dumps(declared, ensure_ascii=False)
    text = _FORMALISE[language].format(
        context=context,
        questions="\n".join(lines),
        operators=_OPERATORS,
        types=_TYPES,
        symbols=symbols,
        form=json.dumps(form, ensure_ascii=False),
    )
    return OpenQuestion(task.benchmark, task.id, text)


def prompts(tasks: Sequence[Task], track: Track, language: Language) -> list[OpenQuestion]:
    """Word tasks; those that cannot be worded are left out."""
    worded = []
    for task in tasks:
        try:
            worded.append(prompt(task, track, language))
        except ValueError:
            continue
    return worded
