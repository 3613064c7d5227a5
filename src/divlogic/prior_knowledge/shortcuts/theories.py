"""What a record's formulas say, as clauses over integers: one form for all benchmarks, which the adversary counts in.

A literal is an integer, ``2 * atom + sign``, sign 1 for "not"; ``l ^ 1`` is its opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from divlogic.benchmarks.logicnli.premises import from_formulas
from divlogic.logic import Binary, Formula, Not, Var, parse
from divlogic.logic.horn import Rule as HornRule, Theory as HornTheory
from divlogic.records import Record

Literals = tuple[int, ...]

Rule = tuple[Literals, int]
"""``(body, head)``: if all of the body, then the head."""

Clause = frozenset[tuple[str, bool]]
"""Variables, each with whether it is negated, of which one is so."""

_MOST_CLAUSES = 64
"""A sentence of more clauses is not read: conjunctions inside disjunctions multiply."""


@dataclass(frozen=True, slots=True)
class Theory:
    """The sentences of a passage and what is asked.

    Attributes:
        facts: literals that are stated as such.
        rules: what derives what in one step. Of classical clauses each with all its contrapositives;
            LogicNLI's rules run one way.
        sentences: sentences of two literals or more, as (before the arrow, behind it). A classical clause has nothing
            before the arrow, so that *if A, then B* and *if not B, not A* are the same.
        options: the literals of which an option, or the statement, says that one is so; a statement is the only option.
        goal: those of the conclusion that a missing premise is asked for.
    """

    facts: Literals
    rules: tuple[Rule, ...]
    sentences: tuple[tuple[Literals, Literals], ...]
    options: tuple[Literals, ...]
    goal: Literals = ()


def theory_of(record: Record) -> Theory | None:
    """Read the formulas of a record; ``None`` if it has none that this module reads."""
    stated: dict[str, Any] = record.formulas or {}
    if "statement" in stated:
        return _of_people(record)
    asked = [stated["query"]] if "query" in stated else _texts_of_options(stated)
    if not isinstance(stated.get("premises"), list) or not asked:
        return None
    goal = None if "query" in stated else stated.get("conclusion")
    return _classical(stated["premises"], asked, goal)


def _texts_of_options(stated: dict[str, Any]) -> list[str]:
    options = stated.get("drawn_options") or stated.get("options")
    return options if isinstance(options, list) else []


def _of_people(record: Record) -> Theory | None:
    """Read facts, rules and statement of LogicNLI; each rule for every person that it speaks of."""
    try:
        read = from_formulas(record)
        coded = _coded(read.rules, read.people, read.attributes)
        facts = tuple(coded.code(fact) for fact in read.facts)
        statement = coded.code(read.statement)
    except (KeyError, TypeError, ValueError):
        return None
    rules, sentences = _grounded(coded)
    return Theory(facts=facts, rules=rules, sentences=sentences, options=((statement,),))


# The members of a quartet share their rules and follow each other.
@lru_cache(maxsize=8)
def _coded(
    rules: tuple[HornRule, ...], people: frozenset[str], attributes: frozenset[str]
) -> HornTheory:
    return HornTheory(rules, people, attributes)


@lru_cache(maxsize=8)
def _grounded(coded: HornTheory) -> tuple[tuple[Rule, ...], tuple[tuple[Literals, Literals], ...]]:
    rules, sentences = [], []
    for body, heads, _ in coded.program.clauses:
        sentences.append((body, heads))
        rules += [(body, head) for head in heads]
    return tuple(rules), tuple(sentences)


def _classical(premises: Sequence[str], options: Sequence[str], goal: str | None) -> Theory | None:
    """Read formulas of propositional logic; an option of several clauses is read by its first."""
    numbers: dict[str, int] = {}

    def coded(clause: Clause) -> Literals:
        return tuple(
            2 * numbers.setdefault(name, len(numbers)) + negated for name, negated in sorted(clause)
        )

    read = [clauses_of(text) for text in (*premises, *options, *([goal] if goal else []))]
    if any(one is None for one in read):
        return None
    facts: list[int] = []
    rules: list[Rule] = []
    sentences: list[tuple[Literals, Literals]] = []
    asked = [coded(one[0]) if one else () for one in read[len(premises) :]]
    for one in read[: len(premises)]:
        for clause in map(coded, one or ()):
            if len(clause) == 1:
                facts.append(clause[0])
                continue
            sentences.append(((), clause))
            for head in clause:
                rules.append((tuple(part ^ 1 for part in clause if part != head), head))
    return Theory(
        facts=tuple(facts),
        rules=tuple(rules),
        sentences=tuple(sentences),
        options=tuple(asked[: len(options)]),
        goal=asked[-1] if goal else (),
    )


@lru_cache(maxsize=50_000)
def clauses_of(text: str) -> tuple[Clause, ...] | None:
    """Return the clauses of a formula in the order of its parts; ``None``: it is not read, or there are too many."""
    try:
        found = _clauses(parse(text), True)
    except ValueError:
        return None
    if found is None:
        return None
    # A clause that holds a variable and its denial says nothing.
    kept = [one for one in found if len({name for name, _ in one}) == len(one)]
    return tuple(dict.fromkeys(kept))


def _clauses(formula: Formula, holds: bool) -> list[Clause] | None:
    """Return the clauses of a formula, or of its denial."""
    match formula:
        case Var(name):
            return [frozenset([(name, not holds)])]
        case Not(operand):
            return _clauses(operand, not holds)
        case Binary("→", left, right):
            return _joined(left, not holds, right, holds, every=not holds)
        case Binary("∨", left, right):
            return _joined(left, holds, right, holds, every=not holds)
        case Binary("∧", left, right):
            return _joined(left, holds, right, holds, every=holds)
    return None


def _joined(
    left: Formula, left_holds: bool, right: Formula, right_holds: bool, *, every: bool
) -> list[Clause] | None:
    """Return the clauses of two parts of which every one is so, or one of both."""
    first = _clauses(left, left_holds)
    second = _clauses(right, right_holds)
    if first is None or second is None:
        return None
    found = first + second if every else [one | two for one, two in product(first, second)]
    return found if len(found) <= _MOST_CLAUSES else None
