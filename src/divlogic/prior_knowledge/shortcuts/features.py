"""What the listwise probes see of an instance, as numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set as AbstractSet
from functools import lru_cache
from itertools import chain, combinations, pairwise, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from divlogic.benchmarks.logicnli.premises import ParsedPremises
from divlogic.logic import And, Formula, Implies, Not, Or, Var, variables
from divlogic.prior_knowledge.shortcuts.patterns import FORMS, SymbolicClause

Array: TypeAlias = NDArray[np.float64]

Rows: TypeAlias = list[list[float]]
"""One row of numbers per option."""

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[¬→∧∨]")
_NEGATION = re.compile(
    r"¬|n['’]t\b|\b(?:not|no|never|none|unless|false|wrong|untrue|incorrect|without|nobody|nothing|cannot)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=50_000)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, and the signs of formulas."""
    return tuple(_TOKEN.findall(text.lower()))


def negations(text: str) -> int:
    """Count the words and signs that negate."""
    return sum(map(_negations, text.split()))


@lru_cache(maxsize=50_000)
def _negations(word: str) -> int:
    # The same words come again and again, and to search each text takes several times as long.
    return len(_NEGATION.findall(word))


def listwise(rows: Array, sizes: Sequence[int]) -> Array:
    """Add to the numbers of all options how each compares with the others of its list.

    Args:
        rows: numbers of the options, instance after instance; shape (options, features).
        sizes: number of options of each instance.

    Returns:
        The numbers, their distance to the mean of the list, and the share of the other options that have less; shape
        (options, 3 * features).
    """
    counts = np.array(sizes)
    result = np.empty((len(rows), 3 * rows.shape[1]))
    starts = np.cumsum(counts) - counts
    for size in np.unique(counts):
        places = (starts[counts == size][:, None] + np.arange(size)).ravel()
        own = rows[places].reshape(-1, size, rows.shape[1])
        below = np.stack([(own < own[:, at : at + 1]).sum(axis=1) for at in range(size)], axis=1) / max(
            size - 1, 1
        )
        together = np.concatenate([own, own - own.mean(axis=1, keepdims=True), below], axis=2)
        result[places] = together.reshape(len(places), -1)
    return result


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
    alike: list[list[float]] = [[] for _ in sets]
    for at, own in enumerate(sets):
        for place in range(at):
            other = sets[place]
            common = len(own & other)
            similarity = common / max(len(own) + len(other) - common, 1)
            alike[at].append(similarity)
            alike[place].append(similarity)
    result = []
    for own, similar in zip(sets, alike, strict=True):
        counts = [0.0] * 4
        for item in own:
            counts[min(held[item] - 1, 3)] += 1
        result.append([sum(similar) / max(len(similar), 1), max(similar, default=0.0), *counts])
    return result


def overlap(context: str, options: Sequence[str]) -> Rows:
    """Return how much of each option's words the passage repeats."""
    words = Counter(tokens(context))
    rows = []
    for option in options:
        counts = [words[token] for token in tokens(option)]
        size = max(len(counts), 1)
        shared = float(sum([count > 0 for count in counts]))
        rows.append([shared / size, shared, sum(counts) / size, float(min(counts, default=0))])
    return rows


_PLACES = {("literal", 1): 0} | {
    (form, place): 1 + 2 * number + place for number, form in enumerate(FORMS[1:]) for place in (0, 1)
}


def option_roles(
    passage: Sequence[SymbolicClause], conclusion: SymbolicClause | None, options: Sequence[SymbolicClause]
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
    for literals, place in ((conclusion.before, 0), ((conclusion.behind,), 1)) if conclusion else ():
        for name, negated in literals:
            counts[name][width + 2 * place + negated] += 1
    rows: Rows = []
    for option in options:
        own = [[counts[name][at ^ negated] for at in range(width + 4)] for name, negated in option.literals]
        middle = own[1] if len(own) > 2 else [0] * (width + 4)
        rows.append([*own[0], *own[-1], *middle, option.literals[0][1], option.behind[1], len(own)])
    return rows


def sentence_words(context: str, options: Sequence[str]) -> Rows:
    """Return how the three sentences that share most words with an option go with it and with each other.

    Of each: share of the option's words, place, length, negations, closest other sentence; of each two their likeness;
    what they cover together.
    """
    sentences = sentences_of(context)
    bags = [frozenset(tokens(sentence)) - _LINK for sentence in sentences]
    alike = _likeness(tuple(bags))
    size = max(len(sentences), 1)
    rows: Rows = []
    for option in options:
        own = frozenset(tokens(option)) - _LINK
        shares = [len(own & bag) / max(len(own), 1) for bag in bags]
        best = sorted(range(len(bags)), key=lambda at: (-shares[at], at))[:_BEST]
        row: list[float] = []
        for at in best:
            others = [alike[at][other] for other in range(len(bags)) if other != at]
            row += [
                shares[at], at / size, float(len(tokens(sentences[at]))), float(negations(sentences[at])),
                max(others, default=0.0), float(sum([one > _ALIKE for one in others])),
            ]  # fmt: skip
        row += [0.0] * (6 * _BEST - len(row))
        pairs = [alike[one][other] for one, other in combinations(best, 2)]
        covered = [own & bags[at] for at in best]
        row += [*pairs, *[0.0] * (_BEST - len(pairs)), len(own.intersection(*covered)) / max(len(own), 1)]
        rows.append(
            [*row, len(own & frozenset().union(*covered)) / max(len(own), 1), float(negations(option))]
        )
    return rows


_BEST = 3
_ALIKE = 0.2


@lru_cache(maxsize=64)
def _likeness(bags: tuple[frozenset[str], ...]) -> list[list[float]]:
    """Return the share of words (Jaccard) that each sentence has in common with each other."""
    return [[len(one & other) / max(len(one | other), 1) for other in bags] for one in bags]


@lru_cache(maxsize=64)
def sentences_of(context: str) -> list[str]:
    """Return the sentences of a passage."""
    return re.split(r"(?<=[.!?])\s+", context) if context else []


def frequent_words(texts: Sequence[str], most: int = 150) -> Array:
    """Return the TF-IDF weights of the most frequent words; shape (texts, words)."""
    counted = [Counter(tokens(text)) for text in texts]
    held = Counter(chain.from_iterable(counted))
    names = sorted(held, key=lambda word: (-held[word], word))[:most]
    rarity = np.log(len(texts) / np.array([held[word] for word in names])) + 1
    weights: Array = np.log1p([[counts[word] for word in names] for counts in counted]) * rarity
    return weights


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
        case Implies(left, right):
            yield from parts_of(left, "before", not favours, level + 1)
            yield from parts_of(right, "behind", favours, level + 1)
        case And(left, right) | Or(left, right):
            yield from parts_of(left, "joined", favours, level + 1)
            yield from parts_of(right, "joined", favours, level + 1)


def connectives(premises: Sequence[Formula]) -> list[float]:
    """Count the forms of premises, and the connectives and negations inside them."""
    parts = chain.from_iterable(map(parts_of, premises))
    counts = Counter((type(part), min(level, 2)) for part, _, _, level in parts)
    return [float(counts[key]) for key in product((Var, Not, And, Or, Implies), range(3))]


def mentions(premises: Sequence[Formula], query: Formula) -> list[float]:
    """Count where the premises, one by one, mention the first two variables of a query.

    As a premise, before an arrow, behind one or in a disjunction or conjunction, each for and against.
    """
    parts = chain.from_iterable(map(parts_of, premises))
    counts = Counter(
        (part.predicate, place, favours) for part, place, favours, _ in parts if isinstance(part, Var)
    )
    keys = product([*variables(query), ""][:2], ("fact", "before", "behind", "joined"), (False, True))
    return [*(float(counts[key]) for key in keys), *connectives([query])]


def literals(formula: Formula) -> set[tuple[str, bool]]:
    """Return the variables that a formula mentions, each with whether it is for or against them."""
    return {(part.predicate, favours) for part, _, favours, _ in parts_of(formula) if isinstance(part, Var)}


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
            key = (one.subject == goal.subject, one.attribute == goal.attribute, one.sign == goal.sign)
            counts[place, *key] += 1
    flags = (False, True)
    return [float(counts[key]) for key in product(range(3), flags, flags, flags)]


def statement_shape(context: str, question: str) -> list[float]:
    """Return lengths and negations of a statement and its passage."""
    return [
        float(len(tokens(question))), float(len(question)), float(negations(question)),
        float(len(tokens(context))), float(negations(context)), float(context.count(".")),
    ]  # fmt: skip


_LINK = frozenset(["if", "then", "or", "either", "whenever", "unless", "and", "that", "not", "suppose"])


def statement_overlap(context: str, question: str) -> list[float]:
    """Return how the passage repeats the words of a statement, as a whole and in its sentences."""
    passage, own = tokens(context), tokens(question)
    words = Counter(passage)
    counts = [words[token] for token in own]
    size = max(len(own), 1)
    sentences = [tokens(sentence) for sentence in sentences_of(context)]
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
