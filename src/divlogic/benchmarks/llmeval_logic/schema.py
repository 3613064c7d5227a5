"""Items: a formalization with its texts, gold answers and rubric; and the JSON or YAML form of own items.

Pydantic checks names and kinds of fields; what formulas say is checked here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from divlogic.benchmarks.columns import located, read_typed
from divlogic.benchmarks.llmeval_logic.notation import print_formula
from divlogic.benchmarks.llmeval_logic.rubric import (
    PREFIX,
    Check,
    Group,
    Rubric,
    RubricAtom,
    named_symbols,
)
from divlogic.errors import DivLogicError
from divlogic.io.files import read_as
from divlogic.logic import theory
from divlogic.logic.expressions import OPERATORS, read_expression, to_expression
from divlogic.logic.syntax import Atom
from divlogic.logic.theory import Answer, Formalization, Gloss, Premise, Query, Symbol, target_name

EVALUATION_ONLY = "evaluation-only"
"""Licence mark of all that derives from published items: it never enters a release."""

VERDICTS = {
    "possible": ("possible", "impossible"),
    "necessary": ("necessary", "unnecessary"),
    "unique_solution": ("yes", "no"),
    "has_alternative": ("yes", "no"),
}
"""The two answers of each type of query that asks for a verdict."""

_TEXTS = ("title", "background", "question", "answer_text")


@dataclass(frozen=True, slots=True)
class Item:
    """One item.

    Attributes:
        title, background, question, answer_text: the texts; published items have them in Chinese only.
        logic: ``pl`` or ``fol``.
        contradictory: whether the item says that its premises contradict each other.
        rubric: what a formalization of this item must hold.
    """

    id: str
    title: Gloss
    background: Gloss
    question: Gloss
    answer_text: Gloss
    formalization: Formalization
    answers: tuple[Answer, ...]
    logic: str = "pl"
    contradictory: bool = False
    rubric: Rubric | None = None
    source: str = ""

    def criteria(self) -> Rubric:
        """Return the item's rubric; without one, one atom per premise, and one for its queries."""
        if self.rubric is not None:
            return self.rubric
        counts: Counter[str] = Counter()
        atoms = []
        for premise in self.formalization.premises:
            if premise.role == "distractor":
                continue
            group: Group = "logical_relation" if premise.role == "rule" else "stated_constraint"
            counts[group] += 1
            names = named_symbols(self.formalization, [premise.formula])
            check = Check("entails", names, print_formula(premise.formula))
            name = f"{PREFIX[group]}{counts[group]}"
            text = premise.text.zh or premise.text.en or print_formula(premise.formula)
            atoms.append(RubricAtom(name, group, f"应表示：{text}", f"premise {premise.id}", check))
        kinds = list(dict.fromkeys(query.type for query in self.formalization.queries))
        query = self.formalization.queries[0]
        sentences = list(query.targets) if query.formula is None else [query.formula]
        asked: Check | None = None
        if len(self.formalization.queries) == 1:
            targets = tuple(map(target_name, query.targets)) or tuple(map(print_formula, sentences))
            names = named_symbols(self.formalization, sentences)
            asked = Check("query_equiv", names, query_type=query.type, target=targets)
        reason = "" if asked else "z3_check omitted: several queries"
        atoms.append(
            RubricAtom("QA1", "query_alignment", f"查询类型：{'、'.join(kinds)}", reason, asked)
        )
        return Rubric(self.id, tuple(atoms))


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _PremiseRow(_Row):
    id: str
    formula: Any
    text: Gloss = Gloss()
    role: theory.Role = "rule"


class _QueryRow(_Row):
    id: str
    type: theory.QueryType
    formula: Any = None
    targets: list[Any] = []
    variable: str = ""
    given: list[Any] | None = None
    text: Gloss = Gloss()


class _FormalizationRow(_Row):
    symbols: list[Symbol]
    premises: list[_PremiseRow]
    queries: list[_QueryRow]
    domain: Literal["open", "closed"] = "open"
    licence: str = ""
    source: str = ""


class _ItemRow(_FormalizationRow):
    premises: list[_PremiseRow] = Field(min_length=1)
    queries: list[_QueryRow] = Field(min_length=1)
    id: str
    title: Gloss = Gloss()
    logic: Literal["pl", "fol"] = "pl"
    contradictory: bool = False
    background: Gloss = Gloss()
    question: Gloss = Gloss()
    answer_text: Gloss = Gloss()
    answers: dict[str, Any]


def read_formalization(value: Any) -> Formalization:
    """Read a formalization from its JSON form.

    Raises:
        ValueError: a field is missing, unknown or wrong, or a formula cannot be read; the message says where.
    """
    return _built(read_typed(_FormalizationRow, value))


def read_item(value: Any, where: str = "") -> Item:
    """Read an own item from its JSON form.

    Raises:
        ValueError: as :func:`read_formalization`, or the answers do not fit the queries.
    """
    row = read_typed(_ItemRow, value)
    formalization = _built(row)
    for query in formalization.queries:
        if query.id not in row.answers:
            raise ValueError(f"query {query.id} has no answer; add it to `answers`")
    for name in sorted(row.answers.keys() - {query.id for query in formalization.queries}):
        raise ValueError(f"the answer '{name}' belongs to no query; remove it or correct its id")
    return Item(
        id=row.id,
        **{name: getattr(row, name) for name in _TEXTS},
        formalization=formalization,
        answers=tuple(
            read_answer(row.answers[query.id], query, formalization.constants)
            for query in formalization.queries
        ),
        logic=row.logic,
        contradictory=row.contradictory,
        source=where,
    )


def read_items(path: Path) -> Iterator[Item]:
    """Yield the items, or the items of the seeds, of a jsonl file that another step has written."""
    rows = read_as(
        path, lambda row: read_item(row.get("item", row), str(path)), "an item with a formalization"
    )
    yield from (item for _, item in rows)


def item_row(item: Item) -> dict[str, Any]:
    """Return an item's JSON form, which :func:`read_item` reads back."""
    queries = item.formalization.queries
    return {
        "id": item.id,
        "title": without_empty(item.title),
        "logic": item.logic,
        "contradictory": item.contradictory,
        **{name: without_empty(getattr(item, name)) for name in _TEXTS[1:]},
        **formalization_row(item.formalization),
        "answers": {query.id: answer for query, answer in zip(queries, item.answers, strict=True)},
    }


def formalization_row(stated: Formalization) -> dict[str, Any]:
    """Return a formalization's JSON form; premises and queries keep the sugar that they were written with."""
    return {
        "symbols": list(map(without_empty, stated.symbols)),
        "premises": list(map(premise_row, stated.premises)),
        "queries": list(map(query_row, stated.queries)),
        "domain": stated.domain,
        "licence": stated.licence,
        "source": stated.source,
    }


def premise_row(premise: Premise) -> dict[str, Any]:
    """Return a premise's JSON form."""
    text = without_empty(premise.text)
    return {"id": premise.id, "formula": _written(premise), "text": text, "role": premise.role}


def query_row(query: Query) -> dict[str, Any]:
    """Return a query's JSON form."""
    row: dict[str, Any] = {"id": query.id, "type": query.type}
    if query.formula is not None:
        row["formula"] = _written(query)
    if query.targets:
        row["targets"] = list(map(to_expression, query.targets))
    if query.variable:
        row["variable"] = query.variable
    if query.given is not None:
        named = {target_name(target): target for target in query.targets}
        row["given"] = [to_expression(named[name]) for name in query.given]
    return row | {"text": without_empty(query.text)}


def without_empty(value: Any) -> dict[str, Any]:
    """Return a dataclass as JSON, without its empty texts."""
    return asdict(
        value, dict_factory=lambda pairs: {name: part for name, part in pairs if part != ""}
    )


def _written(stated: Premise | Query) -> Any:
    if stated.expression is None and stated.formula is not None:
        return to_expression(stated.formula)
    return stated.expression


def read_answer(value: Any, query: Query, constants: Iterable[str]) -> Answer:
    """Bring an answer into canonical form.

    Raises:
        ValueError: it does not fit the query's type.
    """
    which = f"the answer {value!r} of query {query.id}"
    if query.type in VERDICTS:
        if value not in VERDICTS[query.type]:
            raise ValueError(f"{which} is not {' or '.join(VERDICTS[query.type])}")
        return str(value)
    if query.type == "count_models":
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(f"{which} is not a number of models")
        return value
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{which} is not a list")
    objects = query.type == "enumerate_objects"
    names = list(constants) if objects else list(map(target_name, query.targets))
    models = [[model] if objects and isinstance(model, str) else model for model in value]
    if not all(isinstance(model, (list, tuple)) for model in models):
        raise ValueError(f"{which} is not a list of lists")
    with located(f"the answer of query {query.id}"):
        return theory.sorted_models([list(map(_answered, model)) for model in models], names)


def _answered(value: Any) -> str:
    """Return the name of a target in an answer, which is a name or an S-expression of a predicate and its terms."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, str) for part in value):
        return target_name(Atom(value[0], tuple(value[1:])))
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a target")
    return value


def _built(row: _FormalizationRow) -> Formalization:
    symbols: dict[str, Symbol] = {}
    for symbol in row.symbols:
        if symbol.name in OPERATORS:
            raise ValueError(f"the symbol '{symbol.name}' has the name of an operator; rename it")
        if symbol.name in symbols or not symbol.name:
            raise ValueError(
                f"the symbol '{symbol.name}' is declared twice or empty; remove one declaration"
            )
        if symbol.arity not in (range(1, 10) if symbol.kind == "pred" else (0,)):
            raise ValueError(
                f"the symbol '{symbol.name}' is a {symbol.kind} of arity {symbol.arity}; only predicates have terms"
            )
        symbols[symbol.name] = symbol
    premises = []
    for each in row.premises:
        with located(f"premise {each.id}"):
            formula = read_expression(each.formula, symbols)
        premises.append(Premise(each.id, formula, each.text, each.role, each.formula))
    queries = [_query(each, symbols) for each in row.queries]
    for kind, ids in (("premise", [p.id for p in premises]), ("query", [q.id for q in queries])):
        if twice := next((name for name in ids if ids.count(name) > 1), None):
            raise ValueError(f"two {kind} rows have the id '{twice}'; give each its own")
    if row.domain == "closed" and all(symbol.kind != "const" for symbol in row.symbols):
        raise ValueError("a closed domain needs a constant; declare one or leave the domain open")
    parts = tuple(row.symbols), tuple(premises), tuple(queries)
    return Formalization(*parts, row.domain, row.licence, row.source)


def _query(row: _QueryRow, symbols: Mapping[str, Symbol]) -> Query:
    with located(f"query {row.id}"):
        if row.type in ("possible", "necessary", "enumerate_objects"):
            if row.formula is None or row.targets or row.given is not None:
                raise ValueError(
                    f"{row.type} needs a formula and neither targets nor a given model"
                )
            known, variable = dict(symbols), ""
            if row.type == "enumerate_objects":
                variable = row.variable
                if not variable or variable in symbols:
                    raise ValueError("enumerate_objects needs a variable that is not a symbol")
                # The variable stands for a constant, so that the formula is checked as one with such a constant.
                known[variable] = Symbol(variable, "const")
            formula = read_expression(row.formula, known)
            return Query(
                row.id, row.type, formula, variable=variable, text=row.text, expression=row.formula
            )
        if not row.targets or row.formula is not None:
            raise ValueError(f"{row.type} needs targets and no formula")
        targets = tuple(_target(each, symbols) for each in row.targets)
        given = None
        if row.given is not None:
            if row.type != "has_alternative":
                raise ValueError(f"{row.type} takes no given model")
            given = tuple(target_name(_target(each, symbols)) for each in row.given)
            theory.sorted_models([given], list(map(target_name, targets)))
        elif row.type == "has_alternative":
            raise ValueError("has_alternative needs the model that is given")
        return Query(row.id, row.type, None, targets, given=given, text=row.text)


def _target(value: Any, symbols: Mapping[str, Symbol]) -> Atom:
    target = read_expression(value, symbols)
    if not isinstance(target, Atom) or target.predicate == "=":
        raise ValueError(
            f"the target {value!r} is not a proposition; name a proposition or a predicate of constants"
        )
    return target


def require_releasable(items: Iterable[Item]) -> None:
    """Check that no item derives from a published one."""
    for item in items:
        if item.formalization.licence == EVALUATION_ONLY:
            raise DivLogicError(
                f"{item.source or 'the items'}, item {item.id}: derives from published items, which are for evaluation"
                " only; leave it out of the release."
            )
