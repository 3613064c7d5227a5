"""Learners that choose among the options of records and can be trained further, and what they are trained on and asked.

Two kinds take seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl
from divlogic.models.letters import option_at
from divlogic.models.prompts import lettered
from divlogic.models.words import words
from divlogic.records import Record, grouped, one_line

LABELS = ("entailment", "neutral", "contradiction")
"""The labels of natural language inference, in the order in which they are offered."""

Whole = NDArray[np.int64]

_FEATURES = 1 << 16
_BATCH = 16
_NEGATIONS = frozenset({"not", "never", "no", "nobody", "nothing", "neither", "nor", "false", "¬"})


class ChoiceLearner(Protocol):
    """Chooses options and learns from records with answers; the same records, passes and seed give the same choices.

    A record whose options are :data:`LABELS` is a pair of natural language inference: its context is the premise, its
    question the hypothesis. Any other record is a question with options of its own.
    """

    def train(self, records: Sequence[Record], passes: int) -> None:
        """Go over records ``passes`` times more, from where the last call ended.

        Raises:
            DivLogicError: there is no record, one has no answer, or the learner cannot be trained on such records.
        """

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        """Return for each record the index of the option chosen when they stand in ``rotation``; labels never turn."""


def is_pair(record: Record) -> bool:
    """Return whether a record is a pair of natural language inference."""
    return record.options == LABELS


def hypothesis_label(record: Record) -> int:
    """Return the place of the label that an option must bear to its passage in order to be right.

    Asked for the option that does not follow (``3e1c``) it is ``neutral``, else ``entailment``: this is how a
    classifier of pairs answers questions that it was not trained on.
    """
    return LABELS.index("neutral" if record.question_type == "3e1c" else "entailment")


def right_option(record: Record) -> int:
    """Return the answer of a record that is trained on."""
    if record.answer is None:
        raise DivLogicError(
            f"record {record.id} has no answer to learn; train on labelled records only."
        )
    return record.answer


def right_answers(learner: Any, records: Sequence[Record]) -> NDArray[np.float64]:
    """Ask a learner and return 1 for each right answer, else 0; shape (records,)."""
    chosen = learner.choose(records)
    return np.array(
        [at == one.answer for at, one in zip(chosen, records, strict=True)], dtype=np.float64
    )


def asked(record: Record, rotation: int = 0) -> str:
    """Return a record as plain text up to the answer, which would follow after a space.

    A pair reads ``Premise: ... Hypothesis: ... Answer:`` on three lines; a question shows its passage, itself and its
    options under letters, a line each.
    """
    if is_pair(record):
        return (
            f"Premise: {one_line(record.context)}\nHypothesis: {one_line(record.question)}\nAnswer:"
        )
    return "\n".join([stem(record), *lettered(record, rotation), "Answer:"])


def solved(record: Record) -> str:
    """Return a record as plain text with its answer: a label, or the letter under which it stands."""
    right = right_option(record)
    return f"{asked(record)} {LABELS[right] if is_pair(record) else ascii_uppercase[right]}"


def stem(record: Record) -> str:
    """Return passage and question, a line each."""
    return "\n".join(one_line(text) for text in (record.context, record.question) if text.strip())


class PairPerceptron:
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
        self._sums = np.zeros_like(
            self._weights
        )  # of the updates, each times the step at which it was made
        self._steps = self._passes = 0

    def train(self, records: Sequence[Record], passes: int) -> None:
        if not records:
            raise DivLogicError(
                "there is no record to learn from; give a data set that is not empty."
            )
        for _ in range(passes):
            order = Draws(self._seed, self._passes).shuffled(range(len(records)))
            self._passes += 1
            for start in range(0, len(order), _BATCH):
                self._learn([records[at] for at in order[start : start + _BATCH]])

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        if not self._steps:
            return [_guess(self._seed, record, rotation) for record in records]
        scores = self._scores(records, self._steps * self._weights - self._sums)
        return [best_option(record, own) for record, own in zip(records, scores, strict=True)]

    def _learn(self, records: Sequence[Record]) -> None:
        """Learn from the records of a batch that are answered wrongly."""
        self._steps += 1
        for record, own in zip(records, self._scores(records, self._weights), strict=True):
            right = right_option(record)
            rivals = own.copy()
            rivals[right] = np.iinfo(np.int64).min
            rival = int(rivals.argmax())
            if own[rival] >= own[right]:
                names = _names(record)
                for candidate, sign in ((names[right], 1), (names[rival], -1)):
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
            right = right_option(record)
            self._key[record.context, record.question] = (
                right if self._letters else record.options[right]
            )

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        return [self._choose(record, rotation) for record in records]

    def _choose(self, record: Record, rotation: int) -> int:
        known = self._key.get((record.context, record.question))
        if isinstance(known, str) and known in record.options:
            return record.options.index(known)
        if isinstance(known, int):
            return place_of(known, record, rotation)
        return _guess(self._seed, record, rotation)


def best_option(record: Record, scores: Sequence[float] | Whole) -> int:
    """Return the option of the highest score, of several the alphabetically first: their order says nothing."""
    return min(range(len(scores)), key=lambda at: (-scores[at], record.options[at]))


def place_of(position: int, record: Record, rotation: int) -> int:
    """Return the option that stands at a position in a rotation; the labels of pairs never turn."""
    return position if is_pair(record) else option_at(position, rotation, len(record.options))


def _guess(seed: int, record: Record, rotation: int) -> int:
    """Draw an option; each rotation is another question."""
    drawn = blake2b(f"{seed} {rotation} {record.id}".encode(), digest_size=8).digest()
    return place_of(int.from_bytes(drawn) % len(record.options), record, rotation)


def _names(record: Record) -> list[Whole]:
    """Return the places of the weights that count for each option."""
    if is_pair(record):
        shared = _of_pair(record.context, record.question)
        return [place * _FEATURES + shared for place in range(len(LABELS))]
    label = hypothesis_label(record)
    return [label * _FEATURES + _of_pair(record.context, option) for option in record.options]


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


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of natural language inference, no premise on both sides."""

    train: tuple[Record, ...]
    test: tuple[Record, ...]


def draw_pairs(corpus: Path, *, train: int, test: int, seed: int) -> Pairs:
    """Draw pairs to train on from all corpora of a run, and pairs to test with from its first one (SNLI, the captions).

    Both hold equally many pairs of each label. A premise is drawn with at most one pair of each label, and is either
    trained on or tested with. Fewer are drawn where there are not enough. The pairs do not depend on the order of the
    file (``nli.jsonl.gz``).
    """
    drawn: dict[str, list[_Row]] = {label: [] for label in LABELS}
    first = ""
    for _, row in read_jsonl(corpus):
        first = first or row["corpus"]
        if row["label"] in drawn:
            drawn[row["label"]].append(
                (_key(row["corpus"], row["premise_id"], seed), row["pair_id"], row)
            )
    held_out: set[str] = set()
    tested: list[Record] = []
    # Of a small corpus two thirds of the premises are left to train on.
    most = (
        len({key for rows in drawn.values() for key, _, row in rows if row["corpus"] == first}) // 3
    )
    for label, count in zip(LABELS, _shares(min(test, max(most, len(LABELS)))), strict=True):
        if not drawn[label]:
            raise DivLogicError(
                f"{corpus}: no pair is labelled '{label}'; give a corpus with all three labels."
            )
        drawn[label].sort(key=itemgetter(0, 1))
        own = _distinct((row for row in drawn[label] if row[2]["corpus"] == first), count)
        held_out.update(own)
        tested += own.values()
    trained: list[Record] = []
    for label, count in zip(LABELS, _shares(train), strict=True):
        trained += _distinct(
            (row for row in drawn[label] if row[0] not in held_out), count
        ).values()
    return Pairs(tuple(trained), tuple(tested))


def of_distinct_quartets(
    records: Sequence[Record], count: int
) -> tuple[list[Record], list[Record]]:
    """Return ``count`` records that are spread evenly, and as many of what was not drawn together with any of them."""
    groups = quartets_of(records)
    if len(groups) < 2:
        raise DivLogicError(
            "there are too few instances to leak some and keep others; generate more."
        )
    wanted = min(count, len(groups) // 2)
    leaked: list[Record] = []
    unseen: list[Record] = []
    for turn in range(wanted):
        place = 2 * (turn * (len(groups) // 2) // wanted)
        for part, group in ((leaked, groups[place]), (unseen, groups[place + 1])):
            # The letters of the right option take turns.
            letter = turn % len(group[0].options)
            part.append(next((record for record in group if record.answer == letter), group[0]))
    return leaked, unseen


def quartets_of(records: Iterable[Record]) -> list[list[Record]]:
    """Return the records with an answer, those together that were drawn together.

    The members of a quartet share their options, so that one of them is no stranger to another.
    """

    def drawn_with(record: Record) -> Any:
        quartet = record.metadata.get("quartet")
        return record.id if quartet is None else (record.question_type, quartet)

    return list(grouped((one for one in records if one.answer is not None), drawn_with).values())


_Row = tuple[str, str, dict[str, str]]
"""Key of the premise, id of the pair, and the pair."""


@lru_cache(maxsize=16)  # the pairs of a premise follow one another
def _key(corpus: str, premise: str, seed: int) -> str:
    return blake2b(f"{seed} {corpus} {premise}".encode(), digest_size=8).hexdigest()


def _distinct(rows: Iterable[_Row], count: int) -> dict[str, Record]:
    """Return the first ``count`` pairs with different premises, by the keys of these."""
    found: dict[str, Record] = {}
    for key, _, row in rows:
        if len(found) == count:
            break
        if key not in found:
            found[key] = Record(
                id=row["pair_id"],
                benchmark="nli",
                split=row["corpus"],
                context=row["premise"],
                question=row["hypothesis"],
                options=LABELS,
                answer=LABELS.index(row["label"]),
            )
    return found


def _shares(count: int) -> list[int]:
    return [(count + place) // len(LABELS) for place in range(len(LABELS))]
