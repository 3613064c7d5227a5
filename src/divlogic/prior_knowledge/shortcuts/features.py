"""What the listwise probes see of an instance, as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from divlogic.prior_knowledge.shortcuts.patterns import Clause, roles

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


def listwise(lists: Sequence[Rows]) -> Array:
    """Stack the options of all instances, and add how each compares with the others of its list.

    Returns:
        The numbers, their distance to the mean of the list, and the share of the other options that have less; shape
        (options of all instances, 3 * features).
    """
    stacked = np.array([row for rows in lists for row in rows], dtype=np.float64)
    sizes = np.array([len(rows) for rows in lists])
    result = np.empty((len(stacked), 3 * stacked.shape[1]))
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes):
        places = (starts[sizes == size][:, None] + np.arange(size)).ravel()
        own = stacked[places].reshape(-1, size, stacked.shape[1])
        below = (own[:, None] < own[:, :, None]).sum(axis=2) / max(size - 1, 1)
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


def option_roles(passage: Sequence[Clause], conclusion: Clause | None, options: Sequence[Clause]) -> Rows:
    """Return where each option's variables stand in the passage, without any inference."""
    counts = roles(passage, conclusion)
    rows: Rows = []
    for option in options:
        own = [counts[name] for name, _ in option.literals]
        first, last = own[0], own[-1]
        middle = own[1] if len(own) > 2 else [0] * len(first)
        rows.append(
            [
                *first, *last, *middle, option.literals[0][1], option.behind[1],
                # A fact that agrees with the literal, or denies it, wherever the literal stands.
                sum([counts[name][2 + negated] for name, negated in option.literals]),
                sum([counts[name][3 - negated] for name, negated in option.literals]),
                sum([sum(part[:4]) for part in own]),
                len(own),
            ]
        )  # fmt: skip
    return rows


def neighbours(passage: Sequence[Clause], options: Sequence[Clause]) -> Rows:
    """Return how the literals of each option meet in single propositions of the passage, and in which kinds of these.

    This is one step of inference: what follows, or seems to, from one proposition alone.
    """
    rows = []
    for option in options:
        names = {name for name, _ in option.literals}
        together = ahead = behind = 0
        kinds = Counter({"→": 0, "∨": 0, "¬∧": 0, "literal": 0})
        for clause in passage:
            first, last = {name for name, _ in clause.before}, clause.behind[0]
            together += len(names & {*first, last}) > 1
            for name, _ in option.before:
                ahead += name in first and last == option.behind[0]
                behind += option.behind[0] in first and last == name
            if names & first:
                kinds[clause.kind] += 1
        rows.append([float(together), float(ahead), float(behind), *map(float, kinds.values())])
    return rows


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
    sentences = [tokens(sentence) for sentence in re.split(r"(?<=[.!?])\s+", context)]
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


def words_missing(context: str, question: str) -> bool:
    """Return whether some word of the statement does not occur in the passage."""
    return not set(tokens(question)) <= set(tokens(context))
