"""The labels of items that share their rules, shown by Z3 from what the records state, in few questions.

What follows is shown by refuting its denial, all denials of a group in one question: a disjunction is unsatisfiable
exactly if each of its members is. What does not follow is shown by a model. Where Z3 does not agree with all that is
claimed, every statement is asked by itself, so that the label can be named that Z3 gives it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from typing import Any, NamedTuple, TypeVar

from divlogic.logic.by_z3 import Z3Session
from divlogic.logic.chaining import ALL, EXIST
from divlogic.logic.fol import Atom, Binary, Negation, Sentence, parse_fol
from divlogic.logic.z3_clauses import Clause, Fact, Z3Clauses, clauses_over, refuted_together
from divlogic.records import Record

LABELS = {
    (True, False): "entailment",
    (False, True): "contradiction",
    (False, False): "neutral",
    (True, True): "self_contradiction",
}
INCONSISTENT = "inconsistent"
_STATES = {label: state for state, label in LABELS.items()}

T = TypeVar("T")
_LITERAL = re.compile(r"(¬?)([A-Za-z]+)\(([A-Za-z]+)\)")
"""Most of what a record notes; the whole grammar of formulas is read some times more slowly."""
_CLAUSES = Z3Clauses()


class _Item(NamedTuple):
    """One item of a group: the facts that not all items have, and the denials of its statement and of the opposite."""

    own: tuple[Any, ...]
    denials: tuple[Any, Any]
    claim: tuple[bool, bool] | None


def claimed_label(record: Record) -> str:
    """Return the label that a record gives itself, empty if none."""
    return "" if record.answer is None else record.options[record.answer]


def signed_labels(records: Sequence[Record]) -> list[str]:
    """Decide the labels of records with the same rules by signed propositions."""
    formulas = records[0].formulas or {}
    number: dict[Any, int] = _numbers()
    clauses = [
        clause for rule in formulas["rules"] for clause in _rule_clauses(rule, formulas["people"], number)
    ]
    rows = []
    for record in records:
        own = record.formulas or {}
        name, attribute, sign = own["statement"]
        denials = tuple(-number[name, attribute, one] for one in (sign, "-" if sign == "+" else "+"))
        rows.append((own["facts"], denials, _STATES.get(claimed_label(record))))
    facts = [([number[tuple(fact)] for fact in given], denials, claim) for given, denials, claim in rows]
    common, items = _shared(facts)
    clauses += [(fact,) for fact in common]
    cases, models = _questions(items)
    free = len(number) + 1
    with _CLAUSES.held([*clauses, *refuted_together(cases, free)], free + len(cases)):
        if models is not None and not _CLAUSES.satisfiable([free]) and all(map(_CLAUSES.satisfiable, models)):
            return [claimed_label(record) for record in records]
        return [
            LABELS[tuple(not _CLAUSES.satisfiable([*item.own, denial]) for denial in item.denials)]  # type: ignore[index]
            for item in items
        ]


def classical_labels(records: Sequence[Record]) -> list[str]:
    """Decide the labels of records with the same rules in first-order logic over an open domain.

    What follows is refuted with quantifiers. A model over the people named is one of an open domain.
    """
    if not records:
        return []
    formulas = records[0].formulas or {}
    count = len(formulas["facts"])
    rules = tuple(formulas["fol"]["premises"][count:])
    rows = []
    for record in records:
        notation = (record.formulas or {})["fol"]
        if tuple(notation["premises"][count:]) != rules:
            raise ValueError(f"the notation of {record.id} has other rules than that of {records[0].id}")
        statement, claim = notation["statement"], record.metadata["classical"]
        state = (True, True) if claim == INCONSISTENT else _STATES.get(claim)
        rows.append((notation["premises"][:count], (_denied(statement), statement), state))
    common, items = _shared(rows)
    premises = [*rules, *common]
    people = tuple(formulas["people"])
    if _models_of(premises, items, people) and _refuted(premises, items):
        return [str(record.metadata["classical"]) for record in records]
    return [
        INCONSISTENT if state == (True, True) else LABELS[state]
        for state in _classical_states(premises, items)
    ]


def _numbers() -> dict[Any, int]:
    """Return a dictionary that gives each new key the next number from 1."""
    found: dict[Any, int] = defaultdict(lambda: len(found) + 1)
    return found


def _shared(rows: Sequence[tuple[list[T], Any, tuple[bool, bool] | None]]) -> tuple[list[T], list[_Item]]:
    """Return the facts that all items have, and the items with the rest."""
    sets = [set(given) for given, _, _ in rows]
    everywhere = set.intersection(*sets)
    items = [
        _Item(tuple([fact for fact in given if fact not in everywhere]), denials, claim)
        for given, denials, claim in rows
    ]
    return [fact for fact in dict.fromkeys(rows[0][0]) if fact in everywhere], items


def _questions(items: Sequence[_Item]) -> tuple[list[list[Any]], list[list[Any]] | None]:
    """Return the cases that are claimed to be refuted, and what is claimed to have models (``None`` without claims).

    Statements that do not follow from the same facts may be false together: one model for them shows it of each.
    """
    cases: list[list[Any]] = []
    models: dict[tuple[Any, ...], dict[Any, None]] = {}
    for item in items:
        if item.claim is None:
            return [], None
        for denial, follows in zip(item.denials, item.claim, strict=True):
            if follows:
                cases.append([*item.own, denial])
            else:
                models.setdefault(item.own, {})[denial] = None
    return cases, [[*own, *denials] for own, denials in models.items()]


def _rule_clauses(rule: dict[str, Any], people: Sequence[str], number: dict[Any, int]) -> Iterator[Clause]:
    """Yield a rule as clauses between signed propositions of the named people.

    Raises:
        ValueError: an equivalence speaks of someone or of everyone.
    """
    premise, conclusion = rule["p"], rule["q"]
    equivalent = rule["type"] == "equ"
    quantified = premise["fact"][0][0]
    if conclusion["fact"][0][0] == ALL:
        for person in people:
            first, second = [
                [number[person, attribute, sign] for _, attribute, sign in side["fact"]]
                for side in (premise, conclusion)
            ]
            yield from _implied(_bodies(first, premise), _heads(second, conclusion))
            if equivalent:
                yield from _implied(_bodies(second, conclusion), _heads(first, premise))
        return
    heads = _heads([number[tuple(literal)] for literal in conclusion["fact"]], conclusion)
    if quantified not in (ALL, EXIST):
        first = [number[tuple(literal)] for literal in premise["fact"]]
        yield from _implied(_bodies(first, premise), heads)
        if equivalent:
            second = [number[tuple(literal)] for literal in conclusion["fact"]]
            yield from _implied(_bodies(second, conclusion), _heads(first, premise))
        return
    if equivalent:
        raise ValueError(f"rule {rule.get('class')} is an equivalence of a form that runs one way only")
    of_each = [
        [number[person, attribute, sign] for _, attribute, sign in premise["fact"]] for person in people
    ]
    if quantified == EXIST:
        bodies = [body for literals in of_each for body in _bodies(literals, premise)]
    elif premise["conj"] == "or":
        bodies = [list(column) for column in zip(*of_each, strict=True)]
    else:
        bodies = [[literal for literals in of_each for literal in literals]]
    yield from _implied(bodies, heads)


def _bodies(literals: list[int], side: dict[str, Any]) -> list[list[int]]:
    """Return the conjunctions of which one must hold."""
    return [[literal] for literal in literals] if side["conj"] == "or" else [literals]


def _heads(literals: list[int], side: dict[str, Any]) -> list[list[int]]:
    """Return the disjunctions that all hold."""
    return [literals] if side["conj"] == "or" else [[literal] for literal in literals]


def _implied(bodies: Iterable[list[int]], heads: Sequence[list[int]]) -> Iterator[Clause]:
    for body in bodies:
        denied = [-literal for literal in body]
        for head in heads:
            yield (*denied, *head)


def _models_of(premises: Sequence[str], items: Sequence[_Item], people: tuple[str, ...]) -> bool:
    """Return whether Z3 finds a model over the people for each side that is claimed not to follow."""
    number: dict[Any, int] = _numbers()

    def coded(texts: Iterable[str]) -> list[Clause]:
        return [
            tuple([number[name, terms] if holds else -number[name, terms] for name, terms, holds in clause])
            for text in texts
            for clause in _over(text, people)
        ]

    clauses = coded(premises)
    asked = []
    for item in items:
        if item.claim is None:
            return False
        for denial, follows in zip(item.denials, item.claim, strict=True):
            if not follows:
                asked.append([literal for (literal,) in coded((*item.own, denial))])
    with _CLAUSES.held(clauses, len(number)):
        return all(map(_CLAUSES.satisfiable, asked))


def _refuted(premises: Sequence[str], items: Sequence[_Item]) -> bool:
    """Return whether the premises, with quantifiers, refute every side that is claimed to follow."""
    cases, _ = _questions(items)
    if not cases:
        return True
    goal = reduce(lambda left, right: Binary("∨", left, right), map(_all, cases))
    with Z3Session(map(_notation, premises), [goal]).held([goal]) as session:
        return not session.satisfiable(0)


def _classical_states(premises: Sequence[str], items: Sequence[_Item]) -> Iterator[tuple[bool, bool]]:
    """Yield for each item whether the premises and its facts refute each of its denials, asked one by one."""
    goals = [_all([*item.own, denial]) for item in items for denial in item.denials]
    with Z3Session(map(_notation, premises), goals).held(goals) as session:
        for place in range(0, len(goals), 2):
            yield not session.satisfiable(place), not session.satisfiable(place + 1)


@lru_cache(maxsize=5_000)
def _notation(text: str) -> Sentence:
    literal = _LITERAL.fullmatch(text)
    if literal is None:
        return parse_fol(text)
    atom = Atom(literal[2], (literal[3],))
    return Negation(atom) if literal[1] else atom


@lru_cache(maxsize=5_000)
def _over(text: str, people: tuple[str, ...]) -> list[tuple[Fact, ...]]:
    return clauses_over(_notation(text), people)


def _denied(text: str) -> str:
    return text[1:] if text.startswith("¬") and _LITERAL.fullmatch(text) else f"¬{text}"


def _all(texts: Iterable[str]) -> Sentence:
    return reduce(lambda left, right: Binary("∧", left, right), map(_notation, texts))
