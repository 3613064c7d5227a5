"""What the sub-questions of an item ask for, and their answers in the form in which they are asked.

Where a list is asked for, its items stand under numbers, and the answer names these: the sub-questions of hardened
items list theirs in their texts, those of Base items name symbols of the theory, which are listed behind the text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from divlogic.benchmarks.llmeval_logic import schema
from divlogic.logic.syntax import Atom
from divlogic.logic.theory import Answer, Formalization, Gloss, Query, answer_text, target_name
from divlogic.models import sub_answers
from divlogic.models.sub_answers import SubQuestion
from divlogic.records import Record


@dataclass(frozen=True, slots=True)
class Asked:
    """A sub-question as it is asked.

    Attributes:
        answer: canonical JSON; the items of a list are numbers.
        options: the items of a list, where the text of the sub-question does not list them.
    """

    question: SubQuestion
    answer: str
    options: tuple[Gloss, ...] = ()

    def right(self, given: Any) -> bool:
        """Return whether a value of a reply is the answer."""
        answer = self.question.read(given)
        return answer is not None and answer == self.key()

    def key(self) -> sub_answers.Answer:
        """Return the answer as it is read.

        Raises:
            ValueError: it is none that the sub-question can have.
        """
        key = self.question.read(json.loads(self.answer))
        if key is None:
            raise ValueError(f"{self.answer} is no answer to the question {self.question}")
        return key


def asked_in_record(record: Record) -> tuple[Asked, ...]:
    """Return the sub-questions of a record, hardened or of Base."""
    formulas = record.formulas or {}
    constants = sum(symbol["kind"] == "const" for symbol in formulas.get("symbols", ()))
    theory = schema.read_formalization(formulas) if "queries" in formulas else None
    queries = {query.id: query for query in theory.queries} if theory else {}
    found = []
    for row in record.metadata["questions"]:
        query = queries.get(str(row["id"]))
        if theory and query:
            found.append(asked_by_query(query, _frozen(json.loads(row["answer"])), theory))
        else:
            found.append(Asked(SubQuestion(row["type"], _listed(row, constants)), row["answer"]))
    return tuple(found)


def asked_by_query(query: Query, answer: Answer, theory: Formalization) -> Asked:
    """Return a query of a theory as a sub-question; the items of a list are its constants or the query's targets."""
    options: dict[str, Gloss] = {}
    if query.type == "enumerate_objects":
        options = {one.name: one.gloss for one in theory.symbols if one.kind == "const"}
    elif query.type == "enumerate_models":
        options = {target_name(target): _worded(target, theory) for target in query.targets}
    if isinstance(answer, tuple):
        number = {name: str(place) for place, name in enumerate(options, start=1)}
        answer = tuple(tuple(number[name] for name in case) for case in answer)
    return Asked(
        question=SubQuestion(query.type, len(options)),
        answer=answer_text(answer),
        options=tuple(options.values()),
    )


def _listed(row: dict[str, Any], constants: int) -> int:
    """Return the number of the items that the text of a hardened sub-question lists."""
    if "statements" in row:
        return len(row["statements"])
    if row["type"] == "enumerate_objects":
        return constants
    return len(row["query"].get("targets", ())) if row["type"] == "enumerate_models" else 0


def _frozen(answer: Any) -> Answer:
    """Return an answer of a JSON file as that of a theory."""
    if isinstance(answer, list):
        return tuple(tuple(case) for case in answer)
    return answer  # type: ignore[no-any-return]


def _worded(target: Atom, theory: Formalization) -> Gloss:
    """Return an atom in words, by the glosses of its symbols; without one by its name."""
    glosses = {symbol.name: symbol.gloss for symbol in theory.symbols}
    own = glosses.get(target.predicate, Gloss())
    worded = {}
    for language in ("zh", "en"):
        terms = [
            getattr(glosses.get(str(term), Gloss()), language) or str(term) for term in target.terms
        ]
        text = getattr(own, language)
        worded[language] = text.format(*terms) if text else target_name(target)
    return Gloss(**worded)
