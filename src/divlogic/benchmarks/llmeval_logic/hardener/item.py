"""Hard items: a theory, several sub-questions about it or about a changed one, and how they were made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain, islice
from typing import Any

from divlogic.benchmarks.llmeval_logic import schema
from divlogic.benchmarks.llmeval_logic.hardener.wording import Language, said
from divlogic.logic.theory import (
    Answer,
    Decision,
    Formalization,
    Gloss,
    Premise,
    Query,
    target_name,
)

STATEMENTS = {
    "statements_all": "necessary",
    "statements_some": "possible",
    "statements_none": "impossible",
}
"""Set-valued types: which of the statements hold in all, in some, in no model; and the answer about one of those."""


def form_of_supposition(removed: Sequence[str], added: Sequence[Premise]) -> str:
    """Return ``plain``, ``removed``, ``turned`` (a fact) or ``added``."""
    if not removed:
        return "added" if added else "plain"
    return "turned" if added else "removed"


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One sub-question.

    Attributes:
        type: a query type, or one of :data:`STATEMENTS`.
        strategy: what made it: ``added``, ``set_valued`` or ``counterfactual``.
        statements: the statements of a set-valued question; their ids are the labels.
        removed: ids of the premises that the supposition takes out.
        added: premises that it puts in.
        answer: a verdict, a number, or a list of lists of labels (``"1"``, ``"2"`` ... as the text numbers them).
        baseline: the answer without the supposition.
    """

    id: str
    type: str
    strategy: str
    text: Gloss
    query: Query | None = None
    statements: tuple[Premise, ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[Premise, ...] = ()
    answer: Answer = ()
    baseline: Answer | None = None

    @property
    def form(self) -> str:
        """What its supposition does, as :func:`form_of_supposition` names it."""
        return form_of_supposition(self.removed, self.added)

    @property
    def cell(self) -> tuple[str, str, str | int]:
        """Kind, form and shape: the joining word of the statement, or how many statements are listed."""
        if self.query is None:
            return self.type, self.form, len(self.statements)
        if self.query.formula is None:
            return self.type, self.form, len(self.query.targets)
        head = self.query.expression[0] if isinstance(self.query.expression, list) else ""
        return self.type, self.form, head if head in ("and", "or", "->") else "literal"


@dataclass(frozen=True, slots=True)
class HardItem:
    """A hardened item.

    Attributes:
        id: ``<number>-<source>-<hash of seed and texts>``.
        operators: the theory's operators, in order, and the strategies of the sub-questions.
        background: opening sentences; the premises follow as a numbered list.
        theory: symbols and premises, in the order shown; no queries.
    """

    id: str
    sources: tuple[str, ...]
    setting: str
    logic: str
    operators: tuple[str, ...]
    title: Gloss
    background: Gloss
    theory: Formalization
    questions: tuple[SubQuestion, ...]
    tries: int = 1
    panel: dict[str, list[bool]] = field(default_factory=dict)

    def context(self, language: Language) -> str:
        """Return what a reader sees before the sub-questions."""
        opening = getattr(self.background, language) + said("known", language)
        texts = (getattr(premise.text, language) for premise in self.theory.premises)
        entries = (
            said("entry", language, place, text) for place, text in enumerate(texts, start=1)
        )
        return "\n".join([opening, *entries, said("closing", language)])


def supposed(premises: Iterable[Premise], question: SubQuestion) -> tuple[Premise, ...]:
    """Return premises under a sub-question's supposition."""
    return (
        *(premise for premise in premises if premise.id not in question.removed),
        *question.added,
    )


def queries_of(question: SubQuestion) -> tuple[Query, ...]:
    """Return what is asked: the query, or one about each statement."""
    if question.query is not None:
        return (question.query,)
    whole = question.type == "statements_all"
    stated = ((each.id, each.formula) for each in question.statements)
    return tuple(
        Query(name, "necessary" if whole else "possible", formula) for name, formula in stated
    )


def decided_answers(
    theory: Formalization,
    questions: Sequence[SubQuestion],
    decide: Callable[[Formalization], Decision],
) -> tuple[Answer | None, ...]:
    """Decide sub-questions; ``None`` where they are not settled or the supposition contradicts the premises.

    Args:
        questions: sub-questions; those with the same supposition are decided together.
        decide: one decider's ``decide``, or :func:`divlogic.logic.deciding.decide`.
    """
    groups: defaultdict[Any, list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        groups[question.removed, question.added].append(place)
    answers: list[Answer | None] = [None] * len(questions)
    for places in groups.values():
        asked = {place: queries_of(questions[place]) for place in places}
        premises = supposed(theory.premises, questions[places[0]])
        decision = decide(replace(theory, premises=premises, queries=tuple(chain(*asked.values()))))
        if decision.satisfiable is not True:
            continue
        verdicts = iter(decision.verdicts)
        for place, queries in asked.items():
            own = list(islice(verdicts, len(queries)))
            if all(verdict.status == "decided" for verdict in own):
                found = [verdict.answer for verdict in own]
                answers[place] = labelled(questions[place], found, theory.constants)
    return tuple(answers)


def labelled(
    question: SubQuestion, answers: Sequence[Answer | None], constants: Sequence[str]
) -> Answer | None:
    """Return formal answers as the answer of a sub-question: names become labels."""
    if question.query is None:
        chosen = zip(question.statements, answers, strict=True)
        return tuple((each.id,) for each, answer in chosen if answer == STATEMENTS[question.type])
    (answer,) = answers
    if not isinstance(answer, tuple):
        return answer
    query = question.query
    names = (
        constants if query.type == "enumerate_objects" else list(map(target_name, query.targets))
    )
    place = {name: str(number) for number, name in enumerate(names, start=1)}
    return tuple(tuple(place[name] for name in model) for model in answer)


def item_json(item: HardItem) -> dict[str, Any]:
    """Return a hard item as JSON, which :func:`read_hard_item` reads back."""
    return {each.name: getattr(item, each.name) for each in fields(item)} | {
        "title": schema.without_empty(item.title),
        "background": schema.without_empty(item.background),
        "theory": schema.formalization_row(item.theory),
        "questions": list(map(_question_json, item.questions)),
    }


def _question_json(question: SubQuestion) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(question, name) for name in ("id", "type", "strategy")}
    row["text"] = schema.without_empty(question.text)
    if question.removed or question.added:
        row["suppose"] = {
            "removed": question.removed,
            "added": list(map(schema.premise_row, question.added)),
        }
    if question.query is not None:
        row["query"] = schema.query_row(question.query)
    else:
        row["statements"] = list(map(schema.premise_row, question.statements))
    row["answer"] = question.answer
    return row if question.baseline is None else row | {"baseline": question.baseline}


def read_hard_item(row: dict[str, Any]) -> HardItem:
    """Read a hard item from its JSON form."""
    theory = schema.read_formalization(row["theory"])
    parts = {
        "sources": tuple(row["sources"]),
        "operators": tuple(row["operators"]),
        "title": Gloss(**row["title"]),
        "background": Gloss(**row["background"]),
        "theory": theory,
        "questions": tuple(_question(theory, row["theory"], each) for each in row["questions"]),
    }
    return HardItem(**row | parts)


def _question(
    theory: Formalization, theory_row: dict[str, Any], row: dict[str, Any]
) -> SubQuestion:
    suppose = row.get("suppose", {"removed": [], "added": []})
    premises, queries = (
        suppose["added"] + row.get("statements", []),
        [row["query"]] if "query" in row else [],
    )
    read = schema.read_formalization({**theory_row, "premises": premises, "queries": queries})
    known = {premise.id for premise in theory.premises}
    for name in suppose["removed"]:
        if name not in known:
            raise ValueError(
                f"sub-question {row['id']} takes out the premise {name}, which the item has not"
            )
    added = len(suppose["added"])
    return SubQuestion(
        row["id"],
        row["type"],
        row["strategy"],
        Gloss(**row["text"]),
        read.queries[0] if read.queries else None,
        statements=read.premises[added:],
        removed=tuple(suppose["removed"]),
        added=read.premises[:added],
        answer=_frozen(row["answer"]),
        baseline=_frozen(row.get("baseline")),
    )


def _frozen(answer: Any) -> Any:
    return tuple(tuple(map(str, model)) for model in answer) if isinstance(answer, list) else answer
