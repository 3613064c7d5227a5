"""Hard items: a theory, several sub-questions about it or about a changed one, and how they were made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from divlogic.benchmarks.llmeval_logic.schema import formalization_row, read_formalization
from divlogic.logic.decision import Decision
from divlogic.logic.theory import (
    Answer,
    Formalization,
    Gloss,
    Premise,
    Query,
    target_name,
)

STATEMENTS = ("statements_all", "statements_some", "statements_none")
"""Set-valued types: which of the statements hold in all, in some, in no model."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One sub-question.

    Attributes:
        type: a query type, or one of :data:`STATEMENTS`.
        strategy: what made it: ``added``, ``set_valued`` or ``counterfactual``.
        text: the question with its supposition.
        query: what is asked; ``None`` with statements.
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
    query: Query | None
    statements: tuple[Premise, ...]
    removed: tuple[str, ...]
    added: tuple[Premise, ...]
    answer: Answer
    baseline: Answer | None = None


@dataclass(frozen=True, slots=True)
class HardItem:
    """A hardened item.

    Attributes:
        id: ``<number>-<source>``.
        sources: ids of the seeds.
        operators: the theory's operators, in order, and the strategies of the sub-questions.
        background: opening sentences; the premises follow as a numbered list.
        theory: symbols and premises, in the order shown; no queries.
        tries: draws that it took.
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

    def context(self, language: str) -> str:
        """Return what a reader sees before the sub-questions."""
        texts = [getattr(premise.text, language) for premise in self.theory.premises]
        if language == "zh":
            lines = [f"（{place}）{text}" for place, text in enumerate(texts, start=1)]
            return "\n".join([self.background.zh + "已知：", *lines, CLOSING.zh])
        lines = [f"({place}) {text}" for place, text in enumerate(texts, start=1)]
        return "\n".join([self.background.en + " Known:", *lines, CLOSING.en])


CLOSING = Gloss(
    zh="除以上条件外不作其他假设；“或者”也包括两者都成立的情形；各小题互不影响。",
    en='Assume nothing beyond these conditions; "or" includes both; the questions do not affect one another.',
)


def changed(theory: Formalization, question: SubQuestion) -> Formalization:
    """Return the theory under a sub-question's supposition, with the queries that answer it."""
    kept = [premise for premise in theory.premises if premise.id not in question.removed]
    if question.query is not None:
        queries: tuple[Query, ...] = (question.query,)
    else:
        kind = "necessary" if question.type == "statements_all" else "possible"
        queries = tuple(Query(each.id, kind, each.formula) for each in question.statements)  # type: ignore[arg-type]
    return replace(theory, premises=(*kept, *question.added), queries=queries)


def decided_answers(
    theory: Formalization, questions: Sequence[SubQuestion], decide: Callable[[Formalization], Decision]
) -> tuple[Answer | None, ...]:
    """Decide sub-questions; ``None`` where they are not settled or the supposition contradicts the premises.

    Args:
        theory: premises and symbols.
        questions: sub-questions; those with the same supposition are decided together.
        decide: one decider's ``decide``, or :func:`divlogic.logic.deciding.decide`.
    """
    groups: dict[Any, list[int]] = {}
    for place, question in enumerate(questions):
        groups.setdefault((question.removed, question.added), []).append(place)
    answers: list[Answer | None] = [None] * len(questions)
    for places in groups.values():
        parts = [changed(theory, questions[place]) for place in places]
        queries = [
            replace(query, id=f"{place}.{number}")
            for place, part in zip(places, parts, strict=True)
            for number, query in enumerate(part.queries)
        ]
        decision = decide(replace(parts[0], queries=tuple(queries)))
        if decision.satisfiable is not True:
            continue
        verdicts = iter(decision.verdicts)
        for place, part in zip(places, parts, strict=True):
            own = [next(verdicts) for _ in part.queries]
            if all(verdict.status == "decided" for verdict in own):
                answers[place] = labelled(
                    questions[place], [verdict.answer for verdict in own], theory.constants
                )
    return tuple(answers)


def labelled(
    question: SubQuestion, answers: Sequence[Answer | None], constants: Sequence[str]
) -> Answer | None:
    """Return formal answers as the answer of a sub-question: names become labels."""
    if question.query is None:
        wanted = {
            "statements_all": "necessary",
            "statements_some": "possible",
            "statements_none": "impossible",
        }
        chosen = zip(question.statements, answers, strict=True)
        return tuple((each.id,) for each, answer in chosen if answer == wanted[question.type])
    answer = answers[0]
    if not isinstance(answer, tuple):
        return answer
    query = question.query
    names = list(constants) if query.type == "enumerate_objects" else [target_name(t) for t in query.targets]
    place = {name: str(number) for number, name in enumerate(names, start=1)}
    return tuple(tuple(place[name] for name in model) for model in answer)


def item_json(item: HardItem) -> dict[str, Any]:
    """Return a hard item as JSON, which :func:`read_hard_item` reads back."""
    return {
        "id": item.id,
        "sources": list(item.sources),
        "setting": item.setting,
        "logic": item.logic,
        "operators": list(item.operators),
        "title": _text(item.title),
        "background": _text(item.background),
        "theory": formalization_row(item.theory),
        "questions": [question_json(item.theory, question) for question in item.questions],
        "tries": item.tries,
        "panel": item.panel,
    }


def question_json(theory: Formalization, question: SubQuestion) -> dict[str, Any]:
    """Return a sub-question as JSON."""
    part = replace(
        theory, symbols=(), premises=question.added, queries=(question.query,) if question.query else ()
    )
    formal = formalization_row(part)
    stated = formalization_row(replace(theory, symbols=(), premises=question.statements, queries=()))
    row: dict[str, Any] = {
        "id": question.id,
        "type": question.type,
        "strategy": question.strategy,
        "text": _text(question.text),
    }
    if question.removed or question.added:
        row["suppose"] = {"removed": list(question.removed), "added": formal["premises"]}
    if question.query is not None:
        row["query"] = formal["queries"][0]
    else:
        row["statements"] = stated["premises"]
    row["answer"] = question.answer
    if question.baseline is not None:
        row["baseline"] = question.baseline
    return row


def read_hard_item(row: dict[str, Any]) -> HardItem:
    """Read a hard item from its JSON form.

    Raises:
        ValueError, KeyError: it is none.
    """
    theory = read_formalization(row["theory"])
    return HardItem(
        row["id"],
        tuple(row["sources"]),
        row["setting"],
        row["logic"],
        tuple(row["operators"]),
        Gloss(**row["title"]),
        Gloss(**row["background"]),
        theory,
        tuple(_question(theory, row["theory"], each) for each in row["questions"]),
        row.get("tries", 1),
        row.get("panel", {}),
    )


def _question(theory: Formalization, theory_row: dict[str, Any], row: dict[str, Any]) -> SubQuestion:
    suppose = row.get("suppose", {"removed": [], "added": []})
    read = read_formalization(
        {
            **theory_row,
            "premises": suppose["added"] + row.get("statements", []),
            "queries": [row["query"]] if "query" in row else [],
        }
    )
    added = read.premises[: len(suppose["added"])]
    known = {premise.id for premise in theory.premises}
    for name in suppose["removed"]:
        if name not in known:
            raise ValueError(f"sub-question {row['id']} takes out the premise {name}, which the item has not")
    return SubQuestion(
        row["id"],
        row["type"],
        row["strategy"],
        Gloss(**row["text"]),
        read.queries[0] if read.queries else None,
        read.premises[len(added) :],
        tuple(suppose["removed"]),
        added,
        _frozen(row["answer"]),
        _frozen(row.get("baseline")),
    )


def _frozen(answer: Any) -> Any:
    if isinstance(answer, list):
        return tuple(tuple(str(part) for part in model) for model in answer)
    return answer


def _text(text: Gloss) -> dict[str, str]:
    return {name: getattr(text, name) for name in ("zh", "en") if getattr(text, name)}
