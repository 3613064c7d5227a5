"""Why a data set can be answered without reasoning: single words, places and counts, and how often each is right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from divlogic.prior_knowledge.groups import named_groups, twins
from divlogic.prior_knowledge.probe import has_labels
from divlogic.prior_knowledge.shortcuts import features, learners
from divlogic.records import Record

_LEAST = 20
"""Rows that a cue must answer: of fewer a share tells nothing."""

_LEVEL = 0.05
"""Share of clean data sets in which a cue is listed all the same, however many cues there are (Bonferroni)."""

_COUNTS = ("words", "negations", "words shared with the passage")


@dataclass(frozen=True, slots=True)
class Cue:
    """A rule that looks at one thing.

    Attributes:
        rule: in words.
        rows: number of rows that it answers.
        right: share of right answers among them; a tie of k options counts 1/k.
        low, high: 95 % interval, in which twins that are right together count for fewer.
        chance: share that guessing would get right there.
        credits: place of a row -> its credit, for each row that the rule answers.
    """

    rule: str
    rows: int
    right: float
    low: float
    high: float
    chance: float
    credits: dict[int, float]


def strongest(records: Sequence[Record], most: int = 10) -> list[Cue]:
    """Return the cues that are right more often than guessing, the surest first.

    A cue is listed where chance would not list one of as many cues in 19 of 20 data sets.
    """
    asked = [one for one in records if one.answer is not None and len(one.options) > 1]
    if len(asked) < 2 * _LEAST:
        return []
    clusters = twins(asked)
    labelled = has_labels(asked)
    rules = _of_labels(asked, clusters) if labelled else _of_options(asked)
    usual = Counter(one.answer for one in asked).most_common(1)[0][1] / len(asked)
    found: list[tuple[float, Cue]] = []
    tried = 0
    for rule, credits in rules:
        if len(credits) < _LEAST:
            continue
        tried += 1
        places = sorted(credits)
        right = np.array([credits[at] for at in places])
        own: list[Hashable] = [clusters[at] for at in places]
        accuracy, low, high = learners.interval(right, own)
        chance = (
            usual if labelled else float(np.mean([1 / len(asked[at].options) for at in places]))
        )
        error = max((high - low) / (2 * 1.96), 1e-9)
        cue = Cue(rule, len(places), accuracy, low, high, chance, credits)
        found.append(((accuracy - chance) / error, cue))
    found.sort(key=lambda one: (-one[0], one[1].rule))
    bound = _bound(tried)
    return [cue for surety, cue in found if surety > bound][:most]


def simplest(records: Sequence[Record], cues: Sequence[Cue], low: float) -> str | None:
    """Return a sentence about the simplest cue that reaches ``low`` over all rows, the lower end of a probe's interval.

    A place is simpler than a count, a count than a word. Rows that a cue does not answer are guessed.
    """
    asked = [one for one in records if one.answer is not None and len(one.options) > 1]
    labelled = has_labels(asked)
    usual = max(Counter(one.answer for one in asked).values(), default=0) / max(len(asked), 1)
    found: list[tuple[int, float, str]] = []
    for cue in cues:
        guessed = [usual if labelled else 1 / len(one.options) for one in asked]
        for at, credit in cue.credits.items():
            guessed[at] = credit
        accuracy = float(np.mean(guessed))
        if accuracy >= low:
            kind = 2 if "“" in cue.rule else int(not cue.rule.startswith("option "))
            found.append((kind, -accuracy, cue.rule))
    if not found:
        return None
    kind, accuracy, rule = min(found)
    where = " in every row" if kind == 0 else ""
    return f"The simplest rule that does as well: {rule}{where}: {-100 * accuracy:.1f} %."


FALLING = ("id", "answer", "cues_right", "cues_wrong", "question")
"""Columns of the list of rows."""

_SHOWN = 120
"""Characters of a question in the list of rows."""


def rows_that_fall(records: Sequence[Record], cues: Sequence[Cue]) -> list[tuple[Any, ...]]:
    """Return the rows that cues answer, those that most of them are right about first, as :data:`FALLING` says.

    An owner who takes away the first of them takes away the cues.
    """
    asked = [one for one in records if one.answer is not None and len(one.options) > 1]
    found = []
    for at, record in enumerate(asked):
        credits = [cue.credits[at] for cue in cues if at in cue.credits]
        right = sum([credit > 0 for credit in credits])
        if credits:
            shown = " ".join((record.question or record.context).split())[:_SHOWN]
            place = record.answer or 0
            found.append((record.id, record.options[place], right, len(credits) - right, shown))
    found.sort(key=lambda row: (-row[2], row[3]))
    return found


def below_guessing(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each measured shortcut whose whole interval lies below guessing."""
    sentence = (
        "{probe}: {accuracy:.1%} ({low:.1%} to {high:.1%}) lies wholly below guessing ({chance:.1%}): an answer can be"
        " told from its twins', rows that are alike and have other answers. If they were drawn together, name their"
        " groups in a column 'group'."
    )
    return [sentence.format_map(row) for row in rows if row["high"] < row["chance"]]


def groups_in_words(records: Sequence[Record]) -> str:
    """Return how the rows were grouped before folds were dealt."""
    groups = Counter(twins(records)).values()
    several = [size for size in groups if size > 1]
    if not several:
        return "No two rows name one group or are alike."
    named = all(one is not None for one in named_groups(records))
    how = (
        "that they name"
        if named
        else "of the same passage or question, or of nearly the same words"
    )
    return (
        f"{sum(several):,} rows are in {len(several):,} groups {how}, of up to {max(several)}; no group is divided"
        " between what a probe learns from and what it is asked."
    )


def _bound(tried: int) -> float:
    """Return the number of standard errors that none of so many guessers exceeds in 19 of 20 runs."""
    from scipy.special import ndtri

    return float(-ndtri(_LEVEL / max(tried, 1)))


def _of_options(records: Sequence[Record]) -> Iterator[tuple[str, dict[int, float]]]:
    """Yield rules that take the options with a word, without it, at a place, or with most or least of something."""
    words: dict[str, dict[int, list[int]]] = defaultdict(dict)
    for at, record in enumerate(records):
        bags = [set(features.tokens(option)) for option in record.options]
        for word in set().union(*bags):
            holders = [place for place, bag in enumerate(bags) if word in bag]
            if len(holders) < len(bags):
                words[word][at] = holders
    for word, rows in sorted(words.items()):
        if len(rows) < _LEAST:
            continue
        yield f"the option with “{word}”", _credits(records, rows)
        others = {
            at: [place for place in range(len(records[at].options)) if place not in holders]
            for at, holders in rows.items()
        }
        yield f"the option without “{word}”", _credits(records, others)
    for place in range(max(len(record.options) for record in records)):
        held = {at: [place] for at, one in enumerate(records) if place < len(one.options)}
        yield f"option {place + 1}", _credits(records, held)
    yield from _of_counts(records)


def _of_counts(records: Sequence[Record]) -> Iterator[tuple[str, dict[int, float]]]:
    numbers = []
    for record in records:
        passage = set(features.passage_tokens(record.context))
        rows = []
        for option in record.options:
            own = features.tokens(option)
            shared = sum([token in passage for token in own])
            rows.append((len(own), features.negations(option), shared))
        numbers.append(rows)
    for column, name in enumerate(_COUNTS):
        for most, said in ((max, "most"), (min, "fewest")):
            held = {}
            for at, rows in enumerate(numbers):
                counts = [row[column] for row in rows]
                if len(set(counts)) > 1:
                    best = most(counts)
                    held[at] = [place for place, count in enumerate(counts) if count == best]
            yield f"the option with {said} {name}", _credits(records, held)


def _credits(records: Sequence[Record], taken: dict[int, list[int]]) -> dict[int, float]:
    """Return for each row 1 over the number of options that a rule takes, if the right one is among them."""
    return {
        at: (records[at].answer in places) / len(places) for at, places in taken.items() if places
    }


def _of_labels(
    records: Sequence[Record], clusters: Sequence[int]
) -> Iterator[tuple[str, dict[int, float]]]:
    """Yield rules that give all rows with a word, or a count, the label that is most frequent among the others."""
    held: dict[str, list[int]] = defaultdict(list)
    for at, record in enumerate(records):
        for word in set(features.tokens(record.question)):
            held[f"“{word}” in the question"].append(at)
        for word in set(features.passage_tokens(record.context)):
            held[f"“{word}” in the passage"].append(at)
        count = min(features.negations(record.question), 3)
        held[f"{count} negations in the question"].append(at)
        length = len(features.tokens(record.question)) // 5 * 5
        held[f"{length} to {length + 4} words in the question"].append(at)
    for rule, places in sorted(held.items()):
        if len(places) >= _LEAST:
            yield rule, _most_frequent(records, clusters, places)


def _most_frequent(
    records: Sequence[Record], clusters: Sequence[int], places: Sequence[int]
) -> dict[int, float]:
    """Return the credit of giving each row the label that is most frequent in other groups with the cue."""
    every = Counter(records[at].answer for at in places)
    own: dict[int, Counter[int | None]] = defaultdict(Counter)
    for at in places:
        own[clusters[at]][records[at].answer] += 1
    found = {}
    for at in places:
        others = every - own[clusters[at]]
        most = max(others.values(), default=0)
        usual = [label for label, count in others.items() if count == most]
        if usual:
            found[at] = (records[at].answer in usual) / len(usual)
    return found
