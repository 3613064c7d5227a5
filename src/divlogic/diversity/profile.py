"""One pass over a benchmark: its instances, tokens, vocabularies, type–token statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import islice, product
from pathlib import Path
from typing import Any

from divlogic.diversity.parameters import TypeTokenParameters
from divlogic.diversity.words import Tokenizer, countable
from divlogic.io.files import read_json, write_json
from divlogic.io.shards import HashSet, hash_of
from divlogic.records import Record

LATIN_SHARE = 0.4
"""Least share of alphabetic tokens in a text that is taken for English, of Han characters in one taken for Chinese."""

SCOPES = ("contexts", "distinct_contexts", "instances")
_IN_SUMMARY = (
    "benchmark",
    "instances",
    "distinct_contexts",
    "options",
    "answers",
    "english",
    "chinese",
)


@dataclass(slots=True)
class Profile:
    """Counts of a benchmark's tokens as they are written.

    Attributes:
        benchmark: its name.
        instances: number of records.
        distinct_contexts: number of different contexts.
        counts: token counts by scope: `contexts` (each as often as instances have it), `distinct_contexts`, and
            `instances` (context, question and, where they differ from instance to instance, options).
        statistics: TTR, MSTTR and MTLD of the alphabetic tokens (of Chinese: the characters) of the distinct contexts.
        options: most options that an instance has.
        answers: number of instances whose label is public.
    """

    benchmark: str
    instances: int = 0
    distinct_contexts: int = 0
    counts: dict[str, Counter[str]] = field(
        default_factory=lambda: {scope: Counter() for scope in SCOPES}
    )
    statistics: dict[str, float | None] = field(default_factory=dict)
    options: int = 0
    answers: int = 0

    @property
    def english(self) -> bool:
        """Return whether the text is in Latin letters; word measures mean nothing for other scripts."""
        total = self.counts["instances"].total()
        return not total or self.filtered("instances", "alphabetic").total() >= LATIN_SHARE * total

    @property
    def chinese(self) -> bool:
        """Return whether the text is Chinese: its tokens are characters, and no words are counted."""
        counts = self.counts["instances"]
        characters = (token for token in counts if not token.isascii() and countable([token]))
        total = counts.total()
        return bool(total) and sum(counts[token] for token in characters) >= LATIN_SHARE * total

    def filtered(self, scope: str, tokens: str) -> Counter[str]:
        """Return the counts of a scope: of `cased` tokens, of all in `lower` case, or of `alphabetic` ones (a-z)."""
        counts = self.counts[scope]
        if tokens == "cased":
            return counts
        folded: Counter[str] = Counter()
        for token, count in counts.items():
            word = token.lower()
            if tokens != "alphabetic" or (word.isascii() and word.isalpha()):
                folded[word] = folded.get(word, 0) + count
        return folded

    def summary(self) -> dict[str, Any]:
        """Return every number of the profile as a flat row."""
        row = {name: getattr(self, name) for name in _IN_SUMMARY}
        row |= {f"tokens_{scope}": self.counts[scope].total() for scope in SCOPES}
        for scope, tokens in product(("contexts", "instances"), ("cased", "lower", "alphabetic")):
            row[f"vocabulary_{tokens}_{scope}"] = len(self.filtered(scope, tokens))
        return {**row, **self.statistics}

    def to_json(self) -> dict[str, Any]:
        """Return the profile as JSON, tokens in sorted order: no order of the text is left."""
        rows = [
            [token, *(self.counts[scope][token] for scope in SCOPES)]
            for token in sorted(self.counts["instances"].keys() | self.counts["contexts"].keys())
        ]
        return {
            **{name: getattr(self, name) for name in _FIELDS if name != "counts"},
            "counts": rows,
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Profile:
        """Build the profile that :meth:`to_json` describes."""
        profile = cls(**{name: value for name, value in row.items() if name != "counts"})
        for position, scope in enumerate(SCOPES, start=1):
            profile.counts[scope].update(
                {line[0]: line[position] for line in row["counts"] if line[position]}
            )
        return profile

    def save(self, path: Path) -> None:
        """Write the profile as (compressed) JSON."""
        write_json(path, self.to_json())

    @classmethod
    def load(cls, path: Path) -> Profile:
        """Read a profile that :meth:`save` wrote."""
        return cls.from_json(read_json(path))


_FIELDS = tuple(one.name for one in fields(Profile))


def profile_records(
    benchmark: str, records: Iterable[Record], tokenize: Tokenizer, parameters: TypeTokenParameters
) -> Profile:
    """Count a benchmark's tokens, one record in memory at a time.

    Memory grows with the vocabulary and by eight bytes per distinct context. Options that are the same for
    all records are names of labels, not text, and are left out.
    """
    profile = Profile(benchmark)
    options: Counter[str] = Counter()
    labels: tuple[str, ...] | None = None
    several = False
    tokenize_option = lru_cache(maxsize=1000)(tokenize)
    stretch: list[str] = []
    # Tokens of contexts met before; a run of instances on one is counted at once.
    again: Counter[str] = Counter()
    seen = HashSet()
    context, tokens, repeated = "", list[str](), 0
    for record in records:
        profile.instances += 1
        profile.options = max(profile.options, len(record.options))
        profile.answers += record.answer is not None
        if record.context != context:
            _add(again, tokens, repeated)
            context, tokens, repeated = record.context, tokenize(record.context), 0
        new = bool(context) and seen.add(hash_of(context))
        repeated += not new
        if new:
            profile.distinct_contexts += 1
            profile.counts["distinct_contexts"].update(tokens)
            if len(stretch) < parameters.tokens:
                stretch += countable(tokens)
        profile.counts["instances"].update(tokenize(record.question))
        several = several or (labels is not None and record.options != labels)
        labels = record.options
        for option in record.options:
            options.update(tokenize_option(option))
    _add(again, tokens, repeated)
    profile.counts["contexts"] = profile.counts["distinct_contexts"] + again
    profile.counts["instances"].update(profile.counts["contexts"])
    if several:
        profile.counts["instances"].update(options)
    types: Counter[str] = Counter()
    for token, count in profile.counts["distinct_contexts"].items():
        types.update(dict.fromkeys(countable([token]), count))
    del stretch[parameters.tokens :]
    profile.statistics = {
        "ttr": len(types) / types.total() if types else None,
        "msttr": msttr(stretch, parameters.segment),
        "mtld": mtld(stretch, parameters.threshold),
    }
    return profile


def distinct_texts(records: Iterable[Record]) -> Iterator[str]:
    """Yield each different context once, in order of first occurrence."""
    seen = HashSet()
    return (record.context for record in records if seen.add(hash_of(record.context)))


def _add(counts: Counter[str], tokens: list[str], times: int) -> None:
    for token, count in Counter(tokens).items() if times else ():
        counts[token] += count * times


# Type–token statistics --------------------------------------------------------------------------------------


def msttr(tokens: Iterable[str], segment: int = 100) -> float | None:
    """Return the mean type–token ratio of consecutive segments (Johnson 1944); ``None`` if none is full.

    A last, shorter segment is left out, so that texts of any length compare.
    """
    stream = iter(tokens)
    total = count = 0
    while len(part := list(islice(stream, segment))) == segment:
        total += len(set(part))
        count += 1
    return total / (count * segment) if count else None


def mtld(tokens: Sequence[str], threshold: float = 0.72) -> float | None:
    """Return the measure of textual lexical diversity (McCarthy & Jarvis 2010): forward and backward mean.

    ``None`` where the text never falls to the threshold far enough to make part of a factor.
    """
    forward, backward = _factors(tokens, threshold), _factors(reversed(tokens), threshold)
    if not forward or not backward:
        return None
    return (len(tokens) / forward + len(tokens) / backward) / 2


def _factors(tokens: Iterable[str], threshold: float) -> float:
    """Count stretches whose type–token ratio falls to the threshold; a last one counts in part."""
    factors, types, length, ratio = 0.0, set[str](), 0, 1.0
    for token in tokens:
        types.add(token)
        length += 1
        ratio = len(types) / length
        if ratio <= threshold:
            factors += 1
            types, length, ratio = set(), 0, 1.0
    return factors + (1 - ratio) / (1 - threshold)
