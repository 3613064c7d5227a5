"""What the paper's Tables 1, 2 and 5 print of a set, counted from its records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from divlogic.benchmarks.logicnli.theories import LABELS, SYMBOLS
from divlogic.logic.horn import ALL, EXIST
from divlogic.records import Record

_LISTED = 8
_SUMS = ("instances", "tokens")
_UNIONS = ("depths", "sizes", "subjects", "predicates", "symbols")
_TOKEN = re.compile(r"\w+(?:[-']\w+)*|[^\w\s]")


@dataclass
class SetStatistics:
    """Counts of one set.

    Attributes:
        instances: number of records.
        tokens, longest: words and punctuation marks of context and statement, in all and of the longest record.
        depths: recorded depths.
        sizes: numbers of facts and rules.
        subjects, predicates: names and adjectives.
        labels: records per label.
        symbols: connectives and quantifiers that occur in the formulas.
    """

    instances: int = 0
    tokens: int = 0
    longest: int = 0
    depths: set[int] = field(default_factory=set)
    sizes: set[int] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)
    predicates: set[str] = field(default_factory=set)
    labels: Counter[str] = field(default_factory=Counter)
    symbols: set[str] = field(default_factory=set)
    _seen: Any = None
    _rules: Any = None

    def add(self, record: Record) -> None:
        """Count one record.

        Raises:
            KeyError, TypeError: its formulas are missing or malformed.
        """
        # A full stop is a token of its own, and sentences come again: each is counted once.
        sentences = record.context.split(". ")
        length = sum(map(_tokens, sentences)) + len(sentences) - 1 + _tokens(record.question)
        self.instances += 1
        self.tokens += length
        self.longest = max(self.longest, length)
        if record.depth is not None:
            self.depths.add(record.depth)
        if record.answer is not None:
            self.labels[record.options[record.answer]] += 1
        formulas: Mapping[str, Any] = record.formulas or {}
        self.subjects.update(formulas["people"])
        name, adjective, _ = formulas["statement"]
        self.subjects.add(name)
        self.predicates.add(adjective)
        if formulas["facts"] == self._seen:
            return  # another statement on the same theory
        self._seen = formulas["facts"]
        self.sizes.add(len(formulas["facts"]) + len(formulas["rules"]))
        for fact in formulas["facts"]:
            self.predicates.add(fact[1])
        if formulas["rules"] != self._rules:  # a quartet shares them
            self._rules = formulas["rules"]
            self._add_rules(self._rules)

    def _add_rules(self, rules: Iterable[dict[str, Any]]) -> None:
        # The fields are read where they stand: the half a million rules of a full run are not needed as objects.
        for row in rules:
            self.symbols.add("equivalent" if row["type"] == "equ" else "implies")
            for side in (row["p"], row["q"]):
                if side["conj"] in ("and", "or"):
                    self.symbols.add(side["conj"])
                for subject, attribute, sign in side["fact"]:
                    self.predicates.add(attribute)
                    if subject in (ALL, EXIST):
                        self.symbols.add("all" if subject == ALL else "exists")
                    if sign == "-":
                        self.symbols.add("not")

    def to_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object, for :meth:`merge`."""
        found = {name: getattr(self, name) for name in (*_SUMS, "longest", *_UNIONS)}
        return {name: sorted(value) if isinstance(value, set) else value for name, value in found.items()} | {
            "labels": dict(sorted(self.labels.items()))
        }

    def merge(self, row: Mapping[str, Any]) -> None:
        """Add the counts of another part of the set.

        Raises:
            KeyError, TypeError: one is missing or malformed.
        """
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + row[name])
        self.longest = max(self.longest, row["longest"])
        for name in _UNIONS:
            getattr(self, name).update(row[name])
        self.labels.update(row["labels"])

    def row(self, source: str, name: str) -> dict[str, Any]:
        """Return the row of a set in the table of sets."""
        return {
            "source": source,
            "benchmark": name,
            "instances": self.instances,
            "average_length": self.tokens / self.instances if self.instances else None,
            "maximum_length": self.longest,
            "hops": _span(self.depths),
            "facts_and_rules": _span(self.sizes),
            "subjects": len(self.subjects),
            "predicates": len(self.predicates),
            "labels": _ratio([self.labels[label] for label in LABELS]),
            "fols": len(self.symbols),
        }


@lru_cache(maxsize=1 << 14)
def _tokens(text: str) -> int:
    return len(_TOKEN.findall(text))


def symbols_of(statistics: Sequence[SetStatistics]) -> str:
    """Return the paper's signs of the connectives and quantifiers that occur in some set."""
    found = set().union(*(one.symbols for one in statistics))
    return " ".join(sign for name, sign in SYMBOLS.items() if name in found)


def _span(numbers: set[int]) -> str | int | None:
    """Return numbers as the paper prints them, or their range where they are many."""
    ordered = sorted(numbers)
    if len(ordered) < 2:
        return ordered[0] if ordered else None
    return "/ ".join(map(str, ordered)) if len(ordered) <= _LISTED else f"{ordered[0]} to {ordered[-1]}"


def _ratio(counts: Sequence[int]) -> str:
    """Return counts as the paper prints them: relative to the smallest that is not 0."""
    least = min((count for count in counts if count), default=1)
    parts = [f"{count / least:.2f}".rstrip("0").rstrip(".") for count in counts]
    return ":".join(parts if counts[-1] else parts[:-1])
