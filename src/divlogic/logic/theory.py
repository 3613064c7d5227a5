"""Theories with glossed symbols: symbols, premises and queries over :mod:`divlogic.logic.syntax`'s sentences.

Semantics: classical; one non-empty sort of things. In an ``open`` domain constants need not be distinct and there may
be further things (how LLMEval-Logic's gold reads); in a ``closed`` one different constants name different things and
nothing else exists. Premises that contradict each other are a theory too: nothing is possible under them and
everything is necessary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from divlogic.errors import DivLogicError
from divlogic.logic.syntax import And, Atom, Binary, Negation, Or, Quantified, Sentence, to_text

Kind = Literal["prop", "pred", "const"]
Role = Literal["fact", "rule", "domain", "distractor"]
QueryType = Literal[
    "possible",
    "necessary",
    "enumerate_models",
    "enumerate_objects",
    "count_models",
    "unique_solution",
    "has_alternative",
]
KINDS: tuple[Kind, ...] = Kind.__args__  # type: ignore[attr-defined]
ROLES: tuple[Role, ...] = Role.__args__  # type: ignore[attr-defined]
QUERY_TYPES: tuple[QueryType, ...] = QueryType.__args__  # type: ignore[attr-defined]

Answer: TypeAlias = str | int | tuple[tuple[str, ...], ...]
"""``possible|impossible``, ``necessary|unnecessary``, ``yes|no`` (unique_solution, has_alternative), a number of
models, or the models: of each the targets that hold, in the order of the targets; of objects one name each."""

EQUALITY = "="


@dataclass(frozen=True, slots=True)
class Gloss:
    """What a symbol or a sentence means in words.

    Glosses of predicates hold ``{0}`` and ``{1}`` where their terms go. ``zh_not`` and ``en_not`` word the negation.
    """

    zh: str = ""
    zh_not: str = ""
    en: str = ""
    en_not: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A proposition, predicate or constant.

    Attributes:
        arity: number of terms; 0 for propositions and constants.
        sort: a word for the kind of thing that a constant names; without logical meaning.
    """

    name: str
    kind: Kind
    arity: int = 0
    sort: str = ""
    gloss: Gloss = Gloss()


@dataclass(frozen=True, slots=True)
class Premise:
    """A premise, with its S-expression as written (sugar such as ``exactly`` included) if there is one."""

    id: str
    formula: Sentence
    text: Gloss = Gloss()
    role: Role = "rule"
    expression: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Query:
    """A query: about a formula, about the models projected to target propositions, or about objects.

    Attributes:
        formula: of possible and necessary; of enumerate_objects, with ``variable`` free.
        targets: propositions, or predicates of constants, of enumerate_models, count_models, unique_solution and
            has_alternative.
        given: of has_alternative: the names of the targets that hold in the model already known.
        expression: the S-expression of ``formula`` as written.
    """

    id: str
    type: QueryType
    formula: Sentence | None = None
    targets: tuple[Atom, ...] = ()
    variable: str = ""
    given: tuple[str, ...] | None = None
    text: Gloss = Gloss()
    expression: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Formalization:
    """Symbols, premises and queries of one item."""

    symbols: tuple[Symbol, ...]
    premises: tuple[Premise, ...]
    queries: tuple[Query, ...]
    domain: Literal["open", "closed"] = "open"
    licence: str = ""
    source: str = ""

    @property
    def constants(self) -> tuple[str, ...]:
        """Names of the constants, in the order of declaration."""
        return tuple(symbol.name for symbol in self.symbols if symbol.kind == "const")

    @property
    def propositional(self) -> bool:
        """Whether neither premises nor queries go beyond propositions."""
        return all(map(is_propositional, self.sentences()))

    def axioms(self) -> tuple[Sentence, ...]:
        """Return the premises' formulas and, for a closed domain, that each thing has exactly one constant."""
        formulas = tuple(premise.formula for premise in self.premises)
        if self.domain == "closed" and self.constants:
            variable = unused("x", self.constants)
            named = [Atom(EQUALITY, (variable, name)) for name in self.constants]
            apart = [Negation(Atom(EQUALITY, pair)) for pair in combinations(self.constants, 2)]
            return (*formulas, Quantified("∀", variable, disjunction(named)), *apart)
        return formulas

    def sentences(self) -> Iterator[Sentence]:
        """Yield the axioms and the queries' formulas and targets."""
        yield from self.axioms()
        for query in self.queries:
            if query.formula is not None:
                yield query.formula
            yield from query.targets

    def with_premises(self, premises: Iterable[Premise]) -> Formalization:
        """Return the same symbols and queries under other premises."""
        return replace(self, premises=tuple(premises))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that sentences use: propositions, predicates with arity, constants, bound variables; each sorted."""

    propositions: tuple[str, ...]
    predicates: tuple[tuple[str, int], ...]
    constants: tuple[str, ...]
    bound: tuple[str, ...] = ()


def vocabulary(sentences: Iterable[Sentence]) -> Vocabulary:
    """Return the names that stand free in the sentences, and the variables; equality is no name."""
    propositions: set[str] = set()
    predicates: set[tuple[str, int]] = set()
    constants: set[str] = set()
    variables: set[str] = set()
    todo: list[tuple[Sentence, frozenset[str]]] = [
        (sentence, frozenset()) for sentence in sentences
    ]
    # Every step of the workflow on theories passes here: plain attribute access is twice as fast as matching.
    while todo:
        part, bound = todo.pop()
        while True:
            if isinstance(part, Atom):
                if not part.terms:
                    propositions.add(part.predicate)
                else:
                    if part.predicate != EQUALITY:
                        predicates.add((part.predicate, len(part.terms)))
                    constants.update(part.terms if not bound else set(part.terms) - bound)
                break
            if isinstance(part, Binary):
                todo.append((part.right, bound))
                part = part.left
            elif isinstance(part, Negation):
                part = part.operand
            else:
                variables.add(part.variable)
                bound |= {part.variable}
                part = part.body
    return Vocabulary(
        propositions=tuple(sorted(propositions)),
        predicates=tuple(sorted(predicates)),
        constants=tuple(sorted(constants)),
        bound=tuple(sorted(variables)),
    )


def is_propositional(sentence: Sentence) -> bool:
    """Return whether a sentence has neither terms nor quantifiers."""
    todo = [sentence]
    while todo:
        part = todo.pop()
        if isinstance(part, Binary):
            todo += (part.left, part.right)
        elif isinstance(part, Negation):
            todo.append(part.operand)
        elif not isinstance(part, Atom) or part.terms:
            return False
    return True


def conjunction(sentences: Sequence[Sentence]) -> Sentence:
    """Join one sentence or more by ``∧``, grouped to the left."""
    return reduce(And, sentences)


def disjunction(sentences: Sequence[Sentence]) -> Sentence:
    """Join one sentence or more by ``∨``, grouped to the left."""
    return reduce(Or, sentences)


def substituted(
    sentence: Sentence,
    terms: Mapping[str, str],
    predicates: Mapping[str, str] = MappingProxyType({}),
) -> Sentence:
    """Replace free terms, and propositions and predicates, by other names.

    The new names must not be bound where they are put; published and own items keep variables and constants apart.
    """
    match sentence:
        case Atom(name, old):
            return Atom(predicates.get(name, name), tuple(terms.get(term, term) for term in old))
        case Negation(operand):
            return Negation(substituted(operand, terms, predicates))
        case Binary(sign, left, right):
            return Binary(
                sign, substituted(left, terms, predicates), substituted(right, terms, predicates)
            )
        case Quantified(sign, variable, body):
            inner = {old: new for old, new in terms.items() if old != variable}
            return Quantified(sign, variable, substituted(body, inner, predicates))


def answer_text(answer: Answer | None) -> str:
    """Return an answer as canonical JSON; ``null`` for none."""
    import orjson

    return orjson.dumps(answer).decode()


def target_name(target: Atom) -> str:
    """Return the name of a target in answers: ``A``, ``P(a)``, ``R(a, b)``."""
    return to_text(target)


def sorted_models(
    models: Iterable[Iterable[str]], targets: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Return models in canonical form: each in the order of the targets, no doubles, sorted by the targets' places.

    A name that is not a target is a ValueError.
    """
    place = {name: index for index, name in enumerate(targets)}
    rows: set[tuple[int, ...]] = set()
    for model in models:
        names = list(model)
        for name in names:
            if name not in place:
                raise ValueError(f"'{name}' is not a target; the targets are {', '.join(targets)}")
        rows.add(tuple(sorted({place[name] for name in names})))
    return tuple(tuple(targets[index] for index in row) for row in sorted(rows))


def unused(name: str, taken: Iterable[str]) -> str:
    """Return a name that is not taken: ``name``, with as many primes as needed."""
    taken = set(taken)
    while name in taken:
        name += "'"
    return name


MOST_LISTED = 4096
"""Largest number of models that are listed for a query; one with more is undecided. Published and own items have a few
dozen, but what a language model formalises may leave nearly everything open."""

Status = Literal["decided", "bounded", "single", "undecided"]
"""decided: for certain; bounded: models were searched up to a size that does not settle it; single: by one decider
alone; undecided: the resource limit ran out, or there are more than :data:`MOST_LISTED` models."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer to one query; ``None`` where it is undecided."""

    query: str
    answer: Answer | None
    status: Status = "decided"


@dataclass(frozen=True, slots=True)
class Decision:
    """What a theory says: whether its premises have a model (``None``: undecided), a verdict per query, and by whom."""

    satisfiable: bool | None
    verdicts: tuple[Judgement, ...]
    by: tuple[str, ...]

    @property
    def answers(self) -> dict[str, Answer | None]:
        """The answers by query id."""
        return {verdict.query: verdict.answer for verdict in self.verdicts}


class TooManyModelsError(Exception):
    """A query has more models than are listed."""


class DisagreementError(DivLogicError):
    """Two deciders answer one query differently: one of them is wrong, and nothing built on either may be kept."""


def goals_of(query: Query, constants: Sequence[str]) -> list[Sentence]:
    """Return the sentences whose satisfiability under the premises answers a query about a formula."""
    if query.formula is None:
        return []
    if query.type == "enumerate_objects":
        return [substituted(query.formula, {query.variable: name}) for name in constants]
    return [query.formula if query.type == "possible" else Negation(query.formula)]


def answer_of(query: Query, constants: Sequence[str], possible: Sequence[bool]) -> Answer:
    """Return the answer to a query about a formula, by which of its goals are satisfiable."""
    if query.type == "enumerate_objects":
        return tuple((name,) for name, holds in zip(constants, possible, strict=True) if holds)
    if query.type == "possible":
        return "possible" if possible[0] else "impossible"
    return "unnecessary" if possible[0] else "necessary"


def answer_of_models(query: Query, models: tuple[tuple[str, ...], ...]) -> Answer:
    """Return the answer to a query about the models projected to its targets."""
    match query.type:
        case "enumerate_models":
            return models
        case "count_models":
            return len(models)
        case "unique_solution":
            return "yes" if len(models) == 1 else "no"
    return "yes" if any(set(model) != set(query.given or ()) for model in models) else "no"
