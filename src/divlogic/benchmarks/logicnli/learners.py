"""Learners that read LogicNLI: floors that chain nothing, and readers who chain some rounds or too freely.

Readers of k rounds are a ruler: on quartets of uniform depth their accuracy is 25 + 75 · P(depth <= k) percent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from divlogic.benchmarks.logicnli.premises import ParsedPremises, read_premises
from divlogic.benchmarks.logicnli.theories import label_named
from divlogic.errors import DivLogicError
from divlogic.io.imports import lean
from divlogic.logic.horn import ALL
from divlogic.models.learners import BagOfWords, Learner, Majority, labelled
from divlogic.models.words import most_probable
from divlogic.records import Record

_WORD = re.compile(r"\w+|[^\w\s]")
_ROUNDS = re.compile(r"reasoner_(\d+)")


class Sign:
    """The label that is most frequent in training for a statement with, or without, "not"."""

    def __init__(self) -> None:
        self._labels: dict[bool, str] = {}

    def fit(self, records: Iterable[Record]) -> None:
        counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for record, label in labelled(records):
            counts[_denied(record)][label] += 1
        both = counts[True] + counts[False]
        for sign, found in counts.items():
            known = found or both
            self._labels[sign] = min(known, key=lambda label: (-known[label], label))

    def predict(self, records: Sequence[Record]) -> list[str]:
        return [self._labels[_denied(record)] for record in records]


class PartsOverlap:
    """Logistic regression on how often parts of the statement occur in facts and rules; nothing is chained."""

    def __init__(self) -> None:
        with lean("sklearn"):
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import make_pipeline
            from sklearn.preprocessing import StandardScaler

        self._model: Any = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))

    def fit(self, records: Iterable[Record]) -> None:
        pairs = [(overlaps(read_premises(record)), label) for record, label in labelled(records)]
        self._model.fit([counts for counts, _ in pairs], [label for _, label in pairs])

    def predict(self, records: Sequence[Record]) -> list[str]:
        if not records:
            return []
        found = most_probable(self._model, [overlaps(read_premises(record)) for record in records])
        return [str(label) for label in found]


class ChainReader:
    """Reads the premises and chains; there is nothing to learn.

    Args:
        rounds: after how many rounds it stops, ``None`` for never; 0 looks the statement up in the facts.
        contrapose: whether it also reasons from "not q" to "not p".
    """

    def __init__(self, rounds: int | None = None, *, contrapose: bool = False) -> None:
        self._rounds, self._contrapose = rounds, contrapose

    def fit(self, records: Iterable[Record]) -> None:
        pass

    def predict(self, records: Sequence[Record]) -> list[str]:
        return [self._label(read_premises(record)) for record in records]

    def _label(self, premises: ParsedPremises) -> str:
        first, second = [
            found is not None and (self._rounds is None or found <= self._rounds)
            for found in premises.rounds(contrapose=self._contrapose)
        ]
        return label_named(first, second)


_LEARNERS: dict[str, Callable[[int], Learner]] = {
    "majority": lambda seed: Majority(),
    "sign": lambda seed: Sign(),
    "lookup": lambda seed: ChainReader(0),
    "overlap": lambda seed: PartsOverlap(),
    "bag_of_words": lambda seed: BagOfWords(seed),
    "contraposing_reader": lambda seed: ChainReader(contrapose=True),
    "symbolic_reader": lambda seed: ChainReader(),
}
NAMES = (*_LEARNERS, "reasoner_K")
"""The learners that every run can afford; K is a number of rounds."""


def learner_named(name: str, seed: int) -> Learner:
    """Return a new learner.

    Args:
        name: ``majority``, ``sign``, ``lookup``, ``overlap``, ``bag_of_words``, ``reasoner_K`` for a number K of
            rounds, ``contraposing_reader`` or ``symbolic_reader``.
    """
    found = _ROUNDS.fullmatch(name)
    if found:
        return ChainReader(int(found[1]))
    if name not in _LEARNERS:
        raise DivLogicError(
            f"there is no learner '{name}'; known are {', '.join(NAMES)} for a number K."
        )
    return _LEARNERS[name](seed)


def numbered_tokens(record: Record) -> tuple[list[str], list[str]]:
    """Return the words of context and statement, names and adjectives as numbered tokens in order of appearance.

    A network that sees them cannot learn anything about single names or adjectives, which no split shares anyway.
    """
    premises = read_premises(record)
    kinds = dict.fromkeys(premises.people, "name") | dict.fromkeys(premises.attributes, "property")
    numbers: dict[str, str] = {}
    counts: Counter[str] = Counter()

    def numbered(text: str) -> list[str]:
        found = []
        for word in _WORD.findall(text):
            # The first word of a sentence is always capitalised.
            plain = word if word in kinds else word[0].lower() + word[1:]
            if plain not in kinds:
                found.append(plain)
                continue
            if plain not in numbers:
                counts[kinds[plain]] += 1
                numbers[plain] = f"<{kinds[plain]} {counts[kinds[plain]]}>"
            found.append(numbers[plain])
        return found

    return numbered(record.context), numbered(record.question)


def overlaps(premises: ParsedPremises) -> list[float]:
    """Return how often the statement's person, property and sign occur in facts and in the sides of rules."""
    person, attribute, sign = statement = premises.statement
    facts = premises.facts
    counts: list[float] = [
        sum(fact.subject == person for fact in facts),
        sum(fact.subject == person and fact.sign == sign for fact in facts),
        sum(fact.attribute == attribute for fact in facts),
        sum(fact.attribute == attribute and fact.sign == sign for fact in facts),
        float(statement in facts),
        float(statement.opposite() in facts),
        float(sign == "+"),
    ]
    for side in ("premise", "conclusion"):
        # Of the same sign, and of the other one: literals, and those that speak of the person.
        found = [0.0, 0.0, 0.0, 0.0]
        for rule in premises.rules:
            for literal in (rule.premise if side == "premise" else rule.conclusion).literals:
                if literal.attribute == attribute:
                    place = 0 if literal.sign == sign else 2
                    found[place] += 1
                    found[place + 1] += literal.subject in (person, ALL)
        counts += found
    return counts


def _denied(record: Record) -> bool:
    return " not " in f" {record.question} "
