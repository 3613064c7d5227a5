"""Items: a formalization with its texts, gold answers and rubric; and the JSON or YAML form of own items.

Pydantic checks what comes from files; everything inside works on the dataclasses of :mod:`divlogic.logic.theory`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.rows import FormalizationRow, ItemRow, QueryRow, validated
from divlogic.benchmarks.llmeval_logic.rubric import Rubric
from divlogic.errors import DivLogicError
from divlogic.logic.expressions import OPERATORS, read_expression, to_expression
from divlogic.logic.syntax import Atom
from divlogic.logic.theory import (
    Answer,
    Formalization,
    Gloss,
    Premise,
    Query,
    Symbol,
    sorted_models,
    target_name,
)

EVALUATION_ONLY = "evaluation-only"
"""Licence mark of whatever derives from published items: it never enters a release."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that normalisation changed or that a reader should know."""

    item: str
    layer: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class Item:
    """One item.

    Attributes:
        id: unique within its set.
        title, background, question, answer_text: the texts; published items have them in Chinese only.
        formalization: symbols, premises, queries.
        answers: gold answer of each query, in order.
        label_types: the set's own type names; not always those of the queries.
        logic: ``pl`` or ``fol``.
        contradictory: whether the item says that its premises contradict each other.
        rubric: what a formalization of this item must hold.
        source: file that it was read from.
    """

    id: str
    title: Gloss
    background: Gloss
    question: Gloss
    answer_text: Gloss
    formalization: Formalization
    answers: tuple[Answer, ...]
    label_types: tuple[str, ...] = ()
    logic: str = "pl"
    contradictory: bool = False
    rubric: Rubric | None = None
    source: str = ""


def read_formalization(value: Any) -> Formalization:
    """Read a formalization from its JSON form.

    Raises:
        ValueError: a field is missing, unknown or wrong, or a formula cannot be read; the message says where.
    """
    return _built(validated(FormalizationRow, value))


def read_item(value: Any, where: str = "") -> Item:
    """Read an own item from its JSON form.

    Raises:
        ValueError: as :func:`read_formalization`, or the answers do not fit the queries.
    """
    row = validated(ItemRow, value)
    formalization = _built(row)
    answers = []
    for query in formalization.queries:
        if query.id not in row.answers:
            raise ValueError(f"query {query.id} has no answer; add it to `answers`")
        answers.append(read_answer(row.answers[query.id], query, formalization.constants))
    unknown = sorted(set(row.answers) - {query.id for query in formalization.queries})
    if unknown:
        raise ValueError(f"the answer '{unknown[0]}' belongs to no query; remove it or correct its id")
    return Item(
        row.id,
        row.title.gloss(),
        row.background.gloss(),
        row.question.gloss(),
        row.answer_text.gloss(),
        formalization,
        tuple(answers),
        tuple(query.type for query in formalization.queries),
        row.logic,
        row.contradictory,
        source=where,
    )


def read_items(path: Path) -> Iterator[Item]:
    """Yield the items, or the items of the seeds, of a jsonl file that another step has written.

    Raises:
        DivLogicError: the file is missing, or a row is no item; the message names file and row.
    """
    from divlogic.io.files import read_as

    for _, item in read_as(
        path, lambda row: read_item(row.get("item", row), str(path)), "an item with a formalization"
    ):
        yield item


def item_row(item: Item) -> dict[str, Any]:
    """Return an item's JSON form, which :func:`read_item` reads back."""
    answers = {
        query.id: answer for query, answer in zip(item.formalization.queries, item.answers, strict=True)
    }
    return {
        "id": item.id,
        "title": _text_row(item.title),
        "logic": item.logic,
        "contradictory": item.contradictory,
        "background": _text_row(item.background),
        "question": _text_row(item.question),
        "answer_text": _text_row(item.answer_text),
        **formalization_row(item.formalization),
        "answers": answers,
    }


def formalization_row(theory: Formalization) -> dict[str, Any]:
    """Return a formalization's JSON form; premises and queries keep the sugar that they were written with."""
    queries = []
    for query in theory.queries:
        row: dict[str, Any] = {"id": query.id, "type": query.type}
        if query.formula is not None:
            row["formula"] = (
                query.expression if query.expression is not None else to_expression(query.formula)
            )
        if query.targets:
            row["targets"] = [to_expression(target) for target in query.targets]
        if query.variable:
            row["variable"] = query.variable
        if query.given is not None:
            named = {target_name(target): target for target in query.targets}
            row["given"] = [to_expression(named[name]) for name in query.given]
        row["text"] = _text_row(query.text)
        queries.append(row)
    return {
        "symbols": [
            {
                "name": symbol.name,
                "kind": symbol.kind,
                "arity": symbol.arity,
                **({"sort": symbol.sort} if symbol.sort else {}),
                "gloss": _text_row(symbol.gloss),
            }
            for symbol in theory.symbols
        ],
        "premises": [
            {
                "id": premise.id,
                "formula": premise.expression
                if premise.expression is not None
                else to_expression(premise.formula),
                "text": _text_row(premise.text),
                "role": premise.role,
            }
            for premise in theory.premises
        ],
        "queries": queries,
        "domain": theory.domain,
        "licence": theory.licence,
        "source": theory.source,
    }


def read_answer(value: Any, query: Query, constants: Iterable[str]) -> Answer:
    """Bring an answer into canonical form.

    Raises:
        ValueError: it does not fit the query's type.
    """
    kinds = {
        "possible": ("possible", "impossible"),
        "necessary": ("necessary", "unnecessary"),
        "unique_solution": ("yes", "no"),
        "has_alternative": ("yes", "no"),
    }
    if query.type in kinds:
        if value not in kinds[query.type]:
            raise ValueError(
                f"the answer {value!r} of query {query.id} is not {' or '.join(kinds[query.type])}"
            )
        return str(value)
    if query.type == "count_models":
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(f"the answer {value!r} of query {query.id} is not a number of models")
        return value
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"the answer {value!r} of query {query.id} is not a list")
    objects = query.type == "enumerate_objects"
    names = list(constants) if objects else [target_name(target) for target in query.targets]
    models = []
    for model in value:
        model = [model] if objects and isinstance(model, str) else model
        if not isinstance(model, (list, tuple)):
            raise ValueError(f"the answer {value!r} of query {query.id} is not a list of lists")
        models.append([_target_name(part, query.id) for part in model])
    try:
        return sorted_models(models, names)
    except ValueError as error:
        raise ValueError(f"the answer of query {query.id}: {error}") from error


def _target_name(value: Any, query: str) -> str:
    """Return the name of a target in an answer, which is a name or an S-expression of a predicate and its terms."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, str) for part in value):
        return target_name(Atom(value[0], tuple(value[1:])))
    if not isinstance(value, str):
        raise ValueError(f"{value!r} in the answer of query {query} is not a target")
    return value


def _built(row: Any) -> Formalization:
    symbols: dict[str, Symbol] = {}
    for each in row.symbols:
        if each.name in OPERATORS:
            raise ValueError(f"the symbol '{each.name}' has the name of an operator; rename it")
        if each.name in symbols:
            raise ValueError(f"the symbol '{each.name}' is declared twice; remove one declaration")
        if (each.kind == "pred") != (each.arity > 0):
            raise ValueError(
                f"the symbol '{each.name}' is a {each.kind} of arity {each.arity}; only predicates have terms"
            )
        symbols[each.name] = Symbol(each.name, each.kind, each.arity, each.sort, each.gloss.gloss())
    premises = []
    for each in row.premises:
        with _Located(f"premise {each.id}"):
            formula = read_expression(each.formula, symbols)
        premises.append(Premise(each.id, formula, each.text.gloss(), each.role, each.formula))
    queries = [_query(each, symbols) for each in row.queries]
    for kind, ids in (("premise", [p.id for p in premises]), ("query", [q.id for q in queries])):
        doubled = next((name for name in ids if ids.count(name) > 1), None)
        if doubled is not None:
            raise ValueError(f"two {kind} rows have the id '{doubled}'; give each its own")
    if row.domain == "closed" and not any(symbol.kind == "const" for symbol in symbols.values()):
        raise ValueError("a closed domain needs a constant; declare one or leave the domain open")
    return Formalization(
        tuple(symbols.values()), tuple(premises), tuple(queries), row.domain, row.licence, row.source
    )


def _query(row: QueryRow, symbols: Mapping[str, Symbol]) -> Query:
    with _Located(f"query {row.id}"):
        if row.type in ("possible", "necessary", "enumerate_objects"):
            if row.formula is None or row.targets or row.given is not None:
                raise ValueError(f"{row.type} needs a formula and neither targets nor a given model")
            if row.type != "enumerate_objects":
                formula = read_expression(row.formula, symbols)
                return Query(row.id, row.type, formula, text=row.text.gloss(), expression=row.formula)
            if not row.variable or row.variable in symbols:
                raise ValueError("enumerate_objects needs a variable that is not a symbol")
            # The variable stands for a constant, so that the formula is checked as one with such a constant.
            known = {**symbols, row.variable: Symbol(row.variable, "const")}
            formula = read_expression(row.formula, known)
            return Query(
                row.id,
                row.type,
                formula,
                variable=row.variable,
                text=row.text.gloss(),
                expression=row.formula,
            )
        if not row.targets or row.formula is not None:
            raise ValueError(f"{row.type} needs targets and no formula")
        targets = tuple(_target(each, symbols) for each in row.targets)
        given = None
        if row.type == "has_alternative":
            if row.given is None:
                raise ValueError("has_alternative needs the model that is given")
            given = tuple(target_name(_target(each, symbols)) for each in row.given)
            sorted_models([given], [target_name(target) for target in targets])
        elif row.given is not None:
            raise ValueError(f"{row.type} takes no given model")
        return Query(row.id, row.type, None, targets, given=given, text=row.text.gloss())


def _target(value: Any, symbols: Mapping[str, Symbol]) -> Atom:
    target = read_expression(value, symbols)
    if not isinstance(target, Atom) or target.predicate == "=":
        raise ValueError(
            f"the target {value!r} is not a proposition; name a proposition or a predicate of constants"
        )
    return target


class _Located:
    """Add a place to the ValueErrors of a block."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, ValueError):
            raise ValueError(f"{self.place}: {error}") from error


def _text_row(text: Gloss) -> dict[str, str]:
    return {name: getattr(text, name) for name in ("zh", "zh_not", "en", "en_not") if getattr(text, name)}


def require_releasable(items: Iterable[Item]) -> None:
    """Check that no item derives from a published one.

    Raises:
        DivLogicError: one does.
    """
    for item in items:
        if item.formalization.licence == EVALUATION_ONLY:
            raise DivLogicError(
                f"{item.source or 'the items'}, item {item.id}: derives from published items, which are for evaluation"
                " only; leave it out of the release."
            )
