"""What the Proposal role returns, read into a hard item whose answers the solver gives; and the solver's gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field

from divlogic.benchmarks.columns import read_typed
from divlogic.benchmarks.llmeval_logic.hardener import item as items
from divlogic.benchmarks.llmeval_logic.hardener.item import (
    STATEMENTS,
    HardItem,
    SubQuestion,
    decided_answers,
)
from divlogic.benchmarks.llmeval_logic.hardener.wording import numbered
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.logic.deciding import decide
from divlogic.logic.theory import Gloss, answer_text

MOST_MODELS = 64


class _Proposal(BaseModel):
    """A hardened item as the Proposal role writes it; further fields are ignored."""

    title: str = ""
    background: str
    domain: str = "open"
    symbols: list[dict[str, Any]]
    premises: list[dict[str, Any]]
    questions: list[dict[str, Any]] = Field(min_length=3, max_length=8)


class _Repair(BaseModel):
    """Other words for a proposal."""

    background: str = ""
    premises: dict[str, str] = {}
    questions: dict[str, str] = {}


def read_proposal(
    value: dict[str, Any], seed: Seed, strategies: Sequence[str], number: int
) -> HardItem:
    """Read a proposal; its sub-questions have the solver's answers.

    Raises:
        ValueError: it is none, or a gate of the solver fails; the message is the reason in words.
        DivLogicError: two deciders disagree.
    """
    reply = read_typed(_Proposal, value)
    source = seed.item
    row: dict[str, Any] = {
        "id": f"{source.id}-m{number}",
        "sources": [source.id],
        "setting": seed.setting,
        "logic": source.logic,
        "operators": list(strategies),
        "title": {"zh": reply.title or source.title.zh},
        "background": {"zh": reply.background},
        "theory": {
            **reply.model_dump(include={"symbols", "premises", "domain"}),
            "queries": [],
            "licence": source.formalization.licence,
            "source": "DivLogic hardening",
        },
    }
    try:
        row["questions"] = [
            _question_row(each, place) for place, each in enumerate(reply.questions, start=1)
        ]
        item = items.read_hard_item(row)
        item = replace(
            item, questions=tuple(_listed(question, item) for question in item.questions)
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"a field is missing or has the wrong form: {error}") from error
    if len({question.id for question in item.questions}) < len(item.questions):
        raise ValueError("two sub-questions have one id")
    return solved(item)


def repaired(item: HardItem, value: dict[str, Any]) -> HardItem:
    """Return an item in the words of a repair; formulas and answers stay.

    Raises:
        ValueError: it is no repair, or names what the item has not.
    """
    reply = read_typed(_Repair, value)
    known = {premise.id for premise in item.theory.premises} | {
        question.id for question in item.questions
    }
    for name in (*reply.premises, *reply.questions):
        if name not in known:
            raise ValueError(f"'{name}' is neither a premise nor a sub-question")
    if not (reply.background or reply.premises or reply.questions):
        raise ValueError("nothing was reworded")
    premises = [
        replace(
            premise, text=replace(premise.text, zh=reply.premises.get(premise.id, premise.text.zh))
        )
        for premise in item.theory.premises
    ]
    questions = [
        _listed(replace(question, text=Gloss(zh=reply.questions[question.id])), item)
        if question.id in reply.questions
        else question
        for question in item.questions
    ]
    return replace(
        item,
        background=Gloss(zh=reply.background or item.background.zh),
        theory=item.theory.with_premises(premises),
        questions=tuple(questions),
    )


def solved(item: HardItem) -> HardItem:
    """Return a proposal with the solver's answers.

    Raises:
        ValueError: a gate fails: no model, a question undecided or with too many cases, a supposition without effect, a
            premise that is necessary to no answer, a distractor that is.
    """
    theory = item.theory
    bare = [replace(question, answer=()) for question in item.questions]
    answers = decided_answers(theory, bare, decide)
    baselines = decided_answers(
        theory, [replace(each, removed=(), added=()) for each in bare], decide
    )
    questions = []
    for question, answer, baseline in zip(bare, answers, baselines, strict=True):
        supposed = bool(question.removed or question.added)
        if answer is None or baseline is None:
            premises = f"the premises{' supposed' if supposed else ''}"
            raise ValueError(f"{question.id}: {premises} have no model, or too many for an answer")
        cases = (
            len(answer) if isinstance(answer, tuple) else answer if isinstance(answer, int) else 0
        )
        if cases > MOST_MODELS:
            raise ValueError(f"{question.id}: {cases} cases are more than {MOST_MODELS}")
        if supposed and answer == baseline:
            raise ValueError(
                f"{question.id}: the supposition leaves the answer {answer_text(answer)}"
            )
        questions.append(replace(question, answer=answer, baseline=baseline if supposed else None))
    if not any(
        each.type in STATEMENTS or (each.query and each.query.targets) for each in questions
    ):
        raise ValueError("no sub-question asks about a set of statements or cases")
    for premise in theory.premises:
        kept = theory.with_premises(other for other in theory.premises if other is not premise)
        removed = [tuple(name for name in each.removed if name != premise.id) for each in questions]
        without = [
            replace(each, removed=names) for each, names in zip(questions, removed, strict=True)
        ]
        moved = decided_answers(kept, without, decide) != tuple(each.answer for each in questions)
        if moved != (premise.role != "distractor"):
            fault = (
                "is a distractor and changes an answer" if moved else "is necessary to no answer"
            )
            raise ValueError(f"premise {premise.id} {fault}")
    return replace(item, questions=tuple(questions))


def source_questions(seed: Seed) -> HardItem:
    """Return a seed in the form of a hard item, to probe how easy it is."""
    own, setting = seed.item, seed.setting
    theory = replace(own.formalization, queries=())
    item = HardItem(
        own.id, (own.id,), setting, own.logic, (), own.title, own.background, theory, ()
    )
    questions = []
    for query, gold in zip(own.formalization.queries, own.answers, strict=True):
        bare = SubQuestion(query.id, query.type, "added", query.text, query)
        answer = items.labelled(bare, [gold], theory.constants)
        assert answer is not None
        questions.append(_listed(replace(bare, answer=answer), item))
    return replace(item, questions=tuple(questions))


def _question_row(value: dict[str, Any], place: int) -> dict[str, Any]:
    """Return a proposed sub-question in the form of a hard item's."""
    suppose = value.get("suppose") or {}
    kind, text = value.get("type", ""), value.get("text", "")
    row: dict[str, Any] = {
        "id": str(value.get("id") or f"S{place}"),
        "type": kind,
        "strategy": "counterfactual"
        if suppose
        else "set_valued"
        if kind in STATEMENTS
        else "added",
        "text": {"zh": text["zh"] if isinstance(text, dict) else str(text)},
        "suppose": {"removed": suppose.get("removed", []), "added": suppose.get("added", [])},
        "answer": [],
    }
    if not row["text"]["zh"]:
        raise ValueError(f"sub-question {row['id']} has no text")
    if kind in STATEMENTS:
        statements = value.get("statements") or []
        if len(statements) < 2:
            raise ValueError(f"sub-question {row['id']} has fewer than two statements")
        row["statements"] = [{**each, "id": str(at)} for at, each in enumerate(statements, start=1)]
    else:
        fields = ("type", "formula", "targets", "variable", "given")
        row["query"] = {"id": row["id"], **{key: value[key] for key in fields if key in value}}
    return row


def _listed(question: SubQuestion, item: HardItem) -> SubQuestion:
    """Append the numbered statements, targets or constants to a question's text."""
    symbols = {symbol.name: symbol.gloss.zh for symbol in item.theory.symbols}
    if question.query is None:
        parts = [statement.text.zh for statement in question.statements]
    elif question.query.type == "enumerate_objects":
        parts = [symbols[name] for name in item.theory.constants]
    else:
        targets = [(symbols[each.predicate], each.terms) for each in question.query.targets]
        parts = [gloss.format(*(symbols[term] for term in terms)) for gloss, terms in targets]
    if not parts:
        return question
    text = Gloss(zh=f"{question.text.zh}{numbered((part.rstrip('。') for part in parts), 'zh')}。")
    return replace(question, text=text)
