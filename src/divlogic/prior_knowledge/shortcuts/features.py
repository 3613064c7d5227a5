"""What the listwise probes see of an instance, as numbers."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set as AbstractSet
from functools import lru_cache
from itertools import chain, combinations, count, pairwise, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from divlogic.benchmarks.logicnli.premises import ParsedPremises
from divlogic.logic import Binary, Formula, Not, Var, variables
from divlogic.models.words import rounded
from divlogic.prior_knowledge.shortcuts.patterns import FORMS, SymbolicClause

Array: TypeAlias = NDArray[np.float64]

Rows: TypeAlias = list[list[float]]
"""One row of numbers per option."""

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[¬→∧∨]")
_SENTENCE_END = re.compile(r"[.!?](\s+)")
_NEGATION = re.compile(
    r"¬|n['’]t\b|\b(?:not|no|never|none|unless|false|wrong|untrue|incorrect|without|nobody|nothing|cannot)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=50_000)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, and the signs of formulas."""
    # Interned: the words of 20,000 passages would fill 700 MB.
    return tuple(map(sys.intern, _TOKEN.findall(text.lower())))


@lru_cache(maxsize=50_000)
def sentence_tokens(context: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each sentence of a passage; no word reaches from one into the next."""
    return tuple(map(tokens, sentences_of(context)))


def passage_tokens(context: str) -> tuple[str, ...]:
    """Return the words of a passage."""
    return tuple(chain.from_iterable(sentence_tokens(context)))


def clear_caches() -> None:
    """Forget the texts of the sample that was measured last."""
    for cached in (tokens, sentence_tokens, surface):
        cached.cache_clear()


def negations(text: str) -> int:
    """Count the words and signs that negate."""
    return sum(map(_negations, text.split()))


@lru_cache(maxsize=50_000)
def _negations(word: str) -> int:
    # The same words come again and again, and to search each text takes several times as long.
    return len(_NEGATION.findall(word))


def listwise(rows: Array, sizes: Sequence[int]) -> tuple[Array, Array]:
    """Return how the numbers of each option compare with those of the others of its list.

    Args:
        rows: numbers of the options, instance after instance; shape (options, features).
        sizes: number of options of each instance.

    Returns:
        Their distance to the mean of the list, and the share of the other options that have less; shapes as ``rows``.
    """
    counts = np.array(sizes)
    distance, below = np.empty_like(rows), np.empty_like(rows)
    starts = np.cumsum(counts) - counts
    for size in np.unique(counts):
        places = (starts[counts == size][:, None] + np.arange(size)).ravel()
        own = rows[places].reshape(-1, size, rows.shape[1])
        distance[places] = rounded(own - own.mean(axis=1, keepdims=True)).reshape(len(places), -1)
        for at in range(size):
            below[places[at::size]] = (own < own[:, at : at + 1]).sum(axis=1) / max(size - 1, 1)
    return distance, below


@lru_cache(maxsize=20_000)
def surface(options: tuple[str, ...]) -> Rows:
    """Return lengths, negations, and what each option shares with the other options.

    Remembered, as the members of a quartet have the same options and several probes ask for them.
    """
    words = [tokens(option) for option in options]
    singles = _shared([set(own) for own in words])
    pairs = _shared([set(pairwise(own)) for own in words])
    first = Counter(own[0] for own in words if own)
    last = Counter(own[-1] for own in words if own)
    return [
        [
            *(float(len(own)), float(len(text)), float(negations(text))),
            *single, *pair,
            float(first[own[0]]) if own else 0.0,
            float(last[own[-1]]) if own else 0.0,
        ]
        for own, text, single, pair in zip(words, options, singles, pairs, strict=True)
    ]  # fmt: skip


def _shared(sets: Sequence[AbstractSet[Any]]) -> Rows:
    """Return for each set its mean and greatest Jaccard similarity to the others, and how widely its items are shared.

    The last four numbers count the items that 0, 1, 2 and 3 or more of the others hold.
    """
    held = Counter(chain.from_iterable(sets))
    result = []
    for own, similar in zip(sets, _likeness(sets), strict=True):
        counts = [0.0] * 4
        for item in own:
            counts[min(held[item] - 1, 3)] += 1
        result.append([sum(similar) / max(len(sets) - 1, 1), max(similar), *counts])
    return result


def _likeness(sets: Sequence[AbstractSet[Any]]) -> Rows:
    """Return the Jaccard similarity of each set to each other one; 0 to itself."""
    alike = [[0.0] * len(sets) for _ in sets]
    for (at, one), (place, other) in combinations(enumerate(sets), 2):
        common = len(one & other)
        alike[at][place] = alike[place][at] = common / max(len(one) + len(other) - common, 1)
    return alike


def overlap(context: str, options: Sequence[str]) -> Rows:
    """Return how much of each option's words the passage repeats."""
    words = Counter(passage_tokens(context))
    rows = []
    for option in options:
        counts = [words.get(token, 0) for token in tokens(option)]
        size = max(len(counts), 1)
        shared = float(sum([count > 0 for count in counts]))
        rows.append([shared / size, shared, sum(counts) / size, float(min(counts, default=0))])
    return rows


_PLACES = {("literal", 1): 0} | {
    (form, place): 1 + 2 * number + place
    for number, form in enumerate(FORMS[1:])
    for place in (0, 1)
}


def option_roles(
    passage: Sequence[SymbolicClause],
    conclusion: SymbolicClause | None,
    options: Sequence[SymbolicClause],
) -> Rows:
    """Return in which form of sentence, at which place and with which sign each option's variables stand.

    Of the first, the last and the middle variable of an option: 7 places in the passage and 2 in the conclusion, each
    with the sign that the variable has in the option and with the other.
    """
    width = 2 * len(_PLACES)
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * (width + 4))
    for clause in passage:
        for literals, place in ((clause.before, 0), ((clause.behind,), 1)):
            for name, negated in literals:
                counts[name][2 * _PLACES[clause.kind, place] + negated] += 1
    for literals, place in (
        ((conclusion.before, 0), ((conclusion.behind,), 1)) if conclusion else ()
    ):
        for name, negated in literals:
            counts[name][width + 2 * place + negated] += 1
    rows: Rows = []
    for option in options:
        own = [
            [counts[name][at ^ negated] for at in range(width + 4)]
            for name, negated in option.literals
        ]
        middle = own[1] if len(own) > 2 else [0] * (width + 4)
        rows.append([*own[0], *own[-1], *middle, option.literals[0][1], option.behind[1], len(own)])
    return rows


def sentence_words(context: str, options: Sequence[str]) -> Rows:
    """Return how the three sentences that share most words with an option go with it and with each other.

    Of each: share of the option's words, place, length, negations, closest other sentence; of each two their likeness;
    what they cover together.
    """
    bags, alike, about = _compared_sentences(context)
    rows: Rows = []
    for option in options:
        own = frozenset(tokens(option)) - _LINK
        shares = [len(own & bag) / max(len(own), 1) for bag in bags]
        best = sorted(range(len(bags)), key=lambda at: (-shares[at], at))[:_BEST]
        row: list[float] = []
        for at in best:
            row += [shares[at], *about[at]]
        row += [0.0] * (6 * _BEST - len(row))
        pairs = [alike[one][other] for one, other in combinations(best, 2)]
        covered, size = [own & bags[at] for at in best], max(len(own), 1)
        row += [*pairs, *[0.0] * (_BEST - len(pairs)), len(own.intersection(*covered)) / size]
        rows.append([*row, len(own & frozenset().union(*covered)) / size, float(negations(option))])
    return rows


_BEST = 3
_ALIKE = 0.2


@lru_cache(maxsize=64)
def _compared_sentences(context: str) -> tuple[list[frozenset[str]], Rows, Rows]:
    """Return of each sentence its words, their likeness (Jaccard) to those of each other, and five numbers.

    These are its place, its length, its negations, its closest other sentence, and how many are alike.
    """
    words, texts = sentence_tokens(context), sentences_of(context)
    bags = [frozenset(own) - _LINK for own in words]
    alike = _likeness(bags)
    about = [
        [
            at / len(texts), float(len(words[at])), float(negations(text)), max(alike[at]),
            float(sum([one > _ALIKE for one in alike[at]])),
        ]
        for at, text in enumerate(texts)
    ]  # fmt: skip
    return bags, alike, about


@lru_cache(maxsize=64)
def sentences_of(context: str) -> list[str]:
    """Return the sentences of a passage."""
    cuts = [match.span(1) for match in _SENTENCE_END.finditer(context)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(context)]
    return [context[start:end] for start, end in zip(starts, ends, strict=True)] if context else []


def frequent_words(texts: Sequence[Sequence[str]], most: int = 150) -> Array:
    """Return the TF-IDF weights of the most frequent words of texts, which are given as words; shape (texts, words).

    Rounded, because the last bit of a logarithm depends on the processor, and trees split on it.
    """
    from scipy.sparse import csr_array

    codes: defaultdict[str, int] = defaultdict(count().__next__)
    words = np.fromiter(map(codes.__getitem__, chain.from_iterable(texts)), dtype=np.int64)
    ends = np.cumsum([0, *map(len, texts)])
    counts = csr_array((np.ones(len(words)), words, ends), shape=(len(texts), len(codes)))
    counts.sum_duplicates()
    held = dict(zip(codes, np.bincount(counts.indices, minlength=len(codes)).tolist(), strict=True))
    names = sorted(held, key=lambda word: (-held[word], word))[:most]
    rarity = np.log(len(texts) / np.array([held[word] for word in names])) + 1
    columns = np.array([codes[word] for word in names], dtype=np.int64)
    return rounded(np.log1p(counts[:, columns].toarray()) * rarity)


def parts_of(
    formula: Formula, place: str = "fact", favours: bool = True, level: int = 0
) -> Iterator[tuple[Formula, str, bool, int]]:
    """Yield a formula and its parts, each with where it stands, whether it speaks for what it says, and its depth.

    Places: ``fact``, ``before`` an arrow, ``behind`` one, or ``joined`` by a disjunction or conjunction.
    """
    yield formula, place, favours, level
    match formula:
        case Not(operand):
            yield from parts_of(operand, place, not favours, level + 1)
        case Binary("→", left, right):
            yield from parts_of(left, "before", not favours, level + 1)
            yield from parts_of(right, "behind", favours, level + 1)
        case Binary("∧" | "∨", left, right):
            yield from parts_of(left, "joined", favours, level + 1)
            yield from parts_of(right, "joined", favours, level + 1)


def connectives(premises: Sequence[Formula]) -> list[float]:
    """Count the forms of premises, and the connectives and negations inside them."""
    counts = Counter(chain.from_iterable(map(_forms, premises)))
    kinds: tuple[type | str, ...] = (Var, Not, "∧", "∨", "→")
    return [float(counts[key]) for key in product(kinds, range(3))]


@lru_cache(maxsize=50_000)
def _forms(formula: Formula) -> tuple[tuple[type | str, int], ...]:
    return tuple(
        (part.sign if isinstance(part, Binary) else type(part), min(level, 2))
        for part, _, _, level in parts_of(formula)
    )


def mentions(premises: Sequence[Formula], query: Formula) -> list[float]:
    """Count where the premises, one by one, mention the first two variables of a query.

    As a premise, before an arrow, behind one or in a disjunction or conjunction, each for and against.
    """
    counts = Counter(chain.from_iterable(map(_placed_literals, premises)))
    keys = product(
        [*variables(query), ""][:2], ("fact", "before", "behind", "joined"), (False, True)
    )
    return [*(float(counts[key]) for key in keys), *connectives([query])]


@lru_cache(maxsize=50_000)
def _placed_literals(formula: Formula) -> tuple[tuple[str, str, bool], ...]:
    return tuple(
        (part.predicate, place, favours)
        for part, place, favours, _ in parts_of(formula)
        if isinstance(part, Var)
    )


@lru_cache(maxsize=50_000)
def literals(formula: Formula) -> frozenset[tuple[str, bool]]:
    """Return the variables that a formula mentions, each with whether it is for or against them."""
    return frozenset((name, favours) for name, _, favours in _placed_literals(formula))


@lru_cache(maxsize=50_000)
def needed_denials(formula: Formula) -> frozenset[tuple[str, bool]]:
    """Return literals without which a formula is not needed in a proof: of a disjunction the denials of all its own.

    A disjunction of which one literal is denied nowhere contradicts nothing: that literal can be true.
    """
    parts = parts_of(formula)
    joined = [(part.sign, favours) for part, _, favours, _ in parts if isinstance(part, Binary)]
    if any(sign in ("∧" if favours else "∨→") for sign, favours in joined):
        return frozenset()
    return literals(Not(formula))


def literal_counts(premises: ParsedPremises) -> list[float]:
    """Count the literals of facts and rules that share person or property with the statement, by place and sign."""
    counts: Counter[tuple[int, bool, bool, bool]] = Counter()
    goal = premises.statement
    sides = [
        premises.facts,
        [one for rule in premises.rules for one in rule.premise.literals],
        [one for rule in premises.rules for one in rule.conclusion.literals],
    ]
    for place, literals in enumerate(sides):
        for one in literals:
            key = (
                one.subject == goal.subject,
                one.attribute == goal.attribute,
                one.sign == goal.sign,
            )
            counts[place, *key] += 1
    flags = (False, True)
    return [float(counts[key]) for key in product(range(3), flags, flags, flags)]


def round_counts(theories: Sequence[ParsedPremises], rounds: int) -> Rows:
    """Return what can be counted in so many rounds of rules, forward and backward, of each theory and its statement."""
    found = []
    for theory in theories:
        coded = theory.coded()
        found.append(coded.book.both_ways(coded.facts, rounds, coded.statement))
    keys = dict.fromkeys(chain.from_iterable(found))
    return [[float(one.get(key, 0)) for key in keys] for one in found]


def statement_shape(context: str, question: str) -> list[float]:
    """Return lengths and negations of a statement and its passage."""
    return [
        float(len(tokens(question))), float(len(question)), float(negations(question)),
        float(len(passage_tokens(context))), float(negations(context)), float(context.count(".")),
    ]  # fmt: skip


_LINK = frozenset(
    ["if", "then", "or", "either", "whenever", "unless", "and", "that", "not", "suppose"]
)


def statement_overlap(context: str, question: str) -> list[float]:
    """Return how the passage repeats the words of a statement, as a whole and in its sentences."""
    sentences, own = sentence_tokens(context), tokens(question)
    words = Counter(chain.from_iterable(sentences))
    counts = [words.get(token, 0) for token in own]
    size = max(len(own), 1)
    content = set(own) - _LINK
    covered = [len(content.intersection(sentence)) / max(len(content), 1) for sentence in sentences]
    best = max(covered, default=0.0)
    holders = [sentence for sentence, share in zip(sentences, covered, strict=True) if share > 0.99]
    places = [at for at, share in enumerate(covered) if share == best]
    return [
        sum([count > 0 for count in counts]) / size, float(min(counts, default=0)), sum(counts) / size, best,
        float(len(holders)), float(sum([share > 0.6 for share in covered])),
        float(sum([negations(" ".join(sentence)) for sentence in holders])),
        float(sum([bool(_LINK.intersection(sentence)) for sentence in holders])),
        float(min([len(sentence) for sentence in holders], default=0)),
        places[0] / max(len(sentences), 1) if places else 0.0,
        float(negations(question)),
    ]  # fmt: skip
