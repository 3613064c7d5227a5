"""Learners that take seconds: words in a bag, and two that learn the test set by heart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from divlogic.contamination.learner import LABELS, hypothesis_label, is_pair
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.models.letters import option_at
from divlogic.models.words import words
from divlogic.records import Record

Whole = NDArray[np.int64]

_FEATURES = 1 << 16
_BATCH = 16
_NEGATIONS = frozenset({"not", "never", "no", "nobody", "nothing", "neither", "nor", "false", "¬"})


class BagOfWords:
    """An averaged perceptron (Freund & Schapire 1999) on the words of pairs of passage and statement.

    A pair is scored for a label by the words and adjacent words of its statement, those that its passage lacks, and how
    many these are, each together with the label. A question with options of its own is answered as a classifier of
    pairs answers it: by how well each option bears the label that is asked for (:func:`hypothesis_label`). Before it is
    trained it guesses. Weights are whole numbers, so that they are the same on every machine.

    Args:
        seed: of the order of training and of guessing.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._weights = np.zeros(len(LABELS) * _FEATURES, dtype=np.int64)
        self._sums = np.zeros_like(self._weights)  # of the updates, each times the step at which it was made
        self._steps = self._passes = 0
        self._chosen: tuple[int, Sequence[Record], list[int]] | None = None

    def train(self, records: Sequence[Record], passes: int) -> None:
        if not records:
            raise DivLogicError("there is no record to learn from; give a data set that is not empty.")
        for _ in range(passes):
            order = Draws(self._seed, self._passes).shuffled(range(len(records)))
            self._passes += 1
            for start in range(0, len(order), _BATCH):
                self._learn([records[at] for at in order[start : start + _BATCH]])

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        if not self._steps:
            return [_guess(self._seed, record, rotation) for record in records]
        # The order of the options makes no difference: their rotations are asked one after another.
        if self._chosen is None or self._chosen[0] != self._steps or self._chosen[1] is not records:
            scores = self._scores(records, self._steps * self._weights - self._sums)
            best = [_best(record, own) for record, own in zip(records, scores, strict=True)]
            self._chosen = self._steps, records, best
        return list(self._chosen[2])

    def _learn(self, records: Sequence[Record]) -> None:
        """Learn from the records of a batch that are answered wrongly."""
        self._steps += 1
        for record, own in zip(records, self._scores(records, self._weights), strict=True):
            if record.answer is None:
                raise DivLogicError(
                    f"record {record.id} has no answer to learn; train on labelled records only."
                )
            rivals = own.copy()
            rivals[record.answer] = np.iinfo(np.int64).min
            rival = int(rivals.argmax())
            if own[rival] >= own[record.answer]:
                names = _names(record)
                for candidate, sign in ((names[record.answer], 1), (names[rival], -1)):
                    np.add.at(self._weights, candidate, sign)
                    np.add.at(self._sums, candidate, sign * self._steps)

    def _scores(self, records: Sequence[Record], weights: Whole) -> list[Whole]:
        """Return the sum of the weights of each option of each record."""
        names = [_names(record) for record in records]
        flat = [candidate for own in names for candidate in own]
        ends = np.cumsum([len(candidate) for candidate in flat])
        sums = np.add.reduceat(weights[np.concatenate(flat)], np.concatenate([[0], ends[:-1]]))
        return np.split(sums, np.cumsum([len(own) for own in names])[:-1])


class AnswerKey:
    """Learns the answers of the questions it is trained on by heart, and guesses at all others.

    It is what no model can be better contaminated than. ``letters`` remembers under which letter the right option
    stood; ``texts`` what it says.
    """

    def __init__(self, seed: int, *, letters: bool) -> None:
        self._seed, self._letters = seed, letters
        self._key: dict[tuple[str, str], str | int] = {}

    def train(self, records: Sequence[Record], passes: int) -> None:
        for record in records:
            if record.answer is None:
                raise DivLogicError(
                    f"record {record.id} has no answer to learn; train on labelled records only."
                )
            right: str | int = record.answer if self._letters else record.options[record.answer]
            self._key[record.context, record.question] = right

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        return [self._choose(record, rotation) for record in records]

    def _choose(self, record: Record, rotation: int) -> int:
        known = self._key.get((record.context, record.question))
        if isinstance(known, str) and known in record.options:
            return record.options.index(known)
        if isinstance(known, int):
            return known if is_pair(record) else option_at(known, rotation, len(record.options))
        return _guess(self._seed, record, rotation)


def _guess(seed: int, record: Record, rotation: int) -> int:
    """Draw an option; each rotation is another question."""
    drawn = blake2b(f"{seed} {rotation} {record.id}".encode(), digest_size=8).digest()
    place = int.from_bytes(drawn) % len(record.options)
    return place if is_pair(record) else option_at(place, rotation, len(record.options))


def _names(record: Record) -> list[Whole]:
    """Return the places of the weights that count for each option."""
    if is_pair(record):
        shared = _of_pair(record.context, record.question)
        return [place * _FEATURES + shared for place in range(len(LABELS))]
    label = LABELS.index(hypothesis_label(record))
    return [label * _FEATURES + _of_pair(record.context, option) for option in record.options]


def _best(record: Record, scores: Whole) -> int:
    """Return the option of the highest score, of several the alphabetically first: their order says nothing."""
    best = np.flatnonzero(scores == scores.max()).tolist()
    return int(min(best, key=lambda at: record.options[at]))


@lru_cache(maxsize=20_000)
def _of_pair(passage: str, statement: str) -> Whole:
    """Return the numbers of what is seen of a pair; shape (features,)."""
    own, there = words(statement), frozenset(words(passage))
    lacking = [word for word in own if word not in there]
    share = 4 * len(lacking) // max(len(own), 1)
    negations = sum([word in _NEGATIONS or word.endswith("n't") for word in own])
    names = [
        *own,
        *(f"{one} {other}" for one, other in pairwise(own)),
        *(f"+{word}" for word in lacking),
        f"#{share}",
        f"#{share} {negations}",
    ]
    return np.array([crc32(name.encode()) % _FEATURES for name in names], dtype=np.int64)
