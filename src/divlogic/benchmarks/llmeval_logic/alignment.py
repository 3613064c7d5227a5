"""Aligning the free symbols of a candidate with those of a reference, by their glosses.

A mapping pairs symbols of one kind and arity: equal glosses first, then similar ones, a proposition also with the
negation of another, a binary predicate also with its terms exchanged. At most ``LIMIT`` mappings are tried, best first,
and one counts only where the formalizations are equivalent under it. One that works against the glosses says no more
than that the two have the same shape: it is ``isomorphic`` and never a pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from operator import itemgetter

from divlogic.benchmarks.llmeval_logic.notation import folded, similarity
from divlogic.logic.equivalence import Comparison, compare
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence, negate
from divlogic.logic.theory import Formalization, Gloss, Symbol, unused, vocabulary

LIMIT = 500
SUPPORTED = 0.5
"""Least similarity of two glosses that supports a pairing."""

_DENIAL = re.compile(r"并非|没有|不是|未|不|没|非|无|\bnot\b|\bno\b")


@dataclass(frozen=True, slots=True)
class Pairing:
    """A candidate's symbol read as a reference's.

    Attributes:
        name: the reference's symbol, or a new name where there is no counterpart.
        order: places of the reference's terms in the candidate's.
        support: similarity of the glosses, 0 to 1.
    """

    name: str
    order: tuple[int, ...] = ()
    denied: bool = False
    support: float = 0.0


@dataclass(frozen=True, slots=True)
class Alignment:
    """A candidate in the symbols of its reference; ``isomorphic``: equivalent under them, but against the glosses."""

    theory: Formalization
    comparison: Comparison
    isomorphic: bool = False


def align(candidate: Formalization, reference: Formalization) -> Alignment:
    """Return the best mapping under which the candidate is equivalent to the reference, else the best by gloss."""
    first: Alignment | None = None
    against: Alignment | None = None
    for pairings in _mappings(candidate, reference):
        theory = renamed(candidate, pairings)
        found = Alignment(theory, compare(theory, reference))
        first = first or found
        if found.comparison.equivalent:
            if all(each.support >= SUPPORTED for each in pairings.values()):
                return found
            against = against or replace(found, isomorphic=True)
    assert first is not None
    return against or first


def renamed(theory: Formalization, pairings: Mapping[str, Pairing]) -> Formalization:
    """Return a theory in other symbols; the answers about a denied target are those of its counterpart.

    A variable with the name of one of these symbols gets another name.
    """
    named = {name: pairing.name for name, pairing in pairings.items()}
    names = set(named.values())
    variables = {query.variable for query in theory.queries} | {
        *vocabulary(theory.sentences()).bound
    }
    own = {name: unused(name, names | variables) if name in names else name for name in variables}

    def sentence(part: Sentence, bound: frozenset[str] = frozenset()) -> Sentence:
        match part:
            case Atom(name, terms):
                new = [own[term] if term in bound else named.get(term, term) for term in terms]
                pairing = pairings.get(name, Pairing(name))
                order = pairing.order or range(len(new))
                atom = Atom(pairing.name, tuple(new[place] for place in order))
                return Negation(atom) if pairing.denied else atom
            case Negation(operand):
                return negate(sentence(operand, bound))
            case Binary(sign, left, right):
                return Binary(sign, sentence(left, bound), sentence(right, bound))
            case Quantified(sign, variable, body):
                return Quantified(sign, own[variable], sentence(body, bound | {variable}))

    def target(part: Atom) -> Atom:
        new = sentence(part)
        return new.operand if isinstance(new, Negation) and isinstance(new.operand, Atom) else new  # type: ignore[return-value]

    symbols = tuple(
        replace(symbol, name=named.get(symbol.name, symbol.name)) for symbol in theory.symbols
    )
    premises = tuple(
        replace(p, formula=sentence(p.formula), expression=None) for p in theory.premises
    )
    queries = tuple(
        replace(
            query,
            formula=query.formula and sentence(query.formula, frozenset([query.variable])),
            targets=tuple(map(target, query.targets)),
            variable=own[query.variable],
            expression=None,
        )
        for query in theory.queries
    )
    return replace(theory, symbols=symbols, premises=premises, queries=queries)


def _mappings(candidate: Formalization, reference: Formalization) -> Iterator[dict[str, Pairing]]:
    """Yield mappings by falling sum of support: a beam search over the candidate's symbols, surest first."""
    used = vocabulary(candidate.sentences())
    names = {*used.propositions, *(name for name, _ in used.predicates), *used.constants}
    symbols = [symbol for symbol in candidate.symbols if symbol.name in names]
    taken = {symbol.name for symbol in reference.symbols}
    options = {symbol.name: _options(symbol, reference, taken) for symbol in symbols}
    symbols.sort(key=lambda symbol: (-options[symbol.name][0].support, symbol.name))
    beam: list[tuple[float, tuple[Pairing, ...], frozenset[str]]] = [(0.0, (), frozenset())]
    for symbol in symbols:
        grown = [
            (score + option.support, chosen, given, option)
            for score, chosen, given in beam
            for option in options[symbol.name]
            if option.name not in given
        ]
        grown.sort(key=itemgetter(0), reverse=True)
        beam = [
            (score, (*chosen, option), given | {option.name})
            for score, chosen, given, option in grown[:LIMIT]
        ]
    for _, chosen, _ in beam:
        yield {symbol.name: pairing for symbol, pairing in zip(symbols, chosen, strict=True)}


def _options(symbol: Symbol, reference: Formalization, taken: set[str]) -> list[Pairing]:
    """Return what a symbol may be read as, best first; last, a symbol of its own."""
    found = []
    alike = [
        one for one in reference.symbols if (one.kind, one.arity) == (symbol.kind, symbol.arity)
    ]
    gloss, orders = symbol.gloss, list(permutations(range(symbol.arity)))
    for other in alike:
        found += [
            Pairing(other.name, order, False, _support(gloss, other.gloss, order))
            for order in orders
        ]
        if symbol.kind == "prop":
            found.append(Pairing(other.name, (), True, _denied_support(gloss, other.gloss)))
    found.sort(
        key=lambda each: (-each.support, each.denied, each.order != tuple(sorted(each.order)))
    )
    return [*found, Pairing(unused(f"{symbol.name}'", taken), tuple(range(symbol.arity)))]


def _support(left: Gloss, right: Gloss, order: Sequence[int]) -> float:
    """Return how well two glosses fit, the better of Chinese and English."""
    return max(
        _fit(left.zh, _exchanged(right.zh, order)), _fit(left.en, _exchanged(right.en, order))
    )


def _denied_support(left: Gloss, right: Gloss) -> float:
    """Return how well a gloss fits the negation of another."""
    best = max(
        _fit(left.zh, right.zh_not), _fit(left.en, right.en_not), _fit(left.zh_not, right.zh)
    )
    for one, two in ((left.zh, right.zh), (left.en, right.en)):
        if one and two and bool(_DENIAL.search(one)) != bool(_DENIAL.search(two)):
            best = max(
                best, 0.95 * _fit(_DENIAL.sub("", one, count=1), _DENIAL.sub("", two, count=1))
            )
    return best


def _fit(left: str, right: str) -> float:
    if not folded(left) or not folded(right):
        return 0.0
    if folded(left) == folded(right):
        return 1.0
    # A gloss and its negation are similar texts and opposite in meaning; so are those with exchanged terms.
    alike = bool(_DENIAL.search(left)) == bool(_DENIAL.search(right)) and _places(left) == _places(
        right
    )
    return (0.99 if alike else 0.4) * similarity(left, right)


def _places(gloss: str) -> list[str]:
    return re.findall(r"\{\d\}", gloss)


def _exchanged(gloss: str, order: Sequence[int]) -> str:
    """Return a reference's gloss with its places numbered as the candidate's terms."""
    places = {str(new): str(old) for new, old in enumerate(order)}
    return re.sub(r"\{(\d)\}", lambda match: "{" + places.get(match[1], match[1]) + "}", gloss)
