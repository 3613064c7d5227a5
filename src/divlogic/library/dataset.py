"""A benchmark as a sequence that is drawn item by item.

Item ``i`` is a function of (version, name, configuration, seed, i): not of the size, of the order of access, or of the
process. Two seeds share nothing, and the bytes are the same on every machine.
"""

from __future__ import annotations

import itertools
import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args, overload

from divlogic.config.section import Section, check_section
from divlogic.errors import DivLogicError, nearest
from divlogic.library.sources import LEVELS, SOURCES, ItemSource
from divlogic.records import Record, grouped

Item = dict[str, Any]
"""``question`` and ``answer`` (texts) and ``metadata`` of an instance."""

Allotment = Literal["reuse", "once"]

_SIZE = 500
_KEPT = 64
"""Groups that a data set holds in memory: neighbouring items are of one group."""


class Items(Sequence[Item]):
    """A sequence of ``size`` items, each made when it is asked for."""

    size: int

    @abstractmethod
    def item(self, index: int) -> Item:
        """Return item ``index``, whether or not the sequence is that long."""

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...

    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self.size))]
        place = index + self.size if index < 0 else index
        if not 0 <= place < self.size:
            raise IndexError(f"item {index} of {self.size}")
        return self.item(place)


class DataSet(Items):
    """Items of one generator.

    Args:
        name: one of :func:`names`.
        size: number of items; by default 500, or all of the split.
        seed: two seeds share no item; may be as wide as one likes.
        level: difficulty, from 1 (see :func:`levels`).
        allotment: ``once``: the items are those of the workflow's file of this seed, where each sentence group serves
            one instance; ``reuse``: each item draws its sentences itself, without end.
        split: of the workflow's file; by default ``test``.
        **config: parameters of the generator, as in its section of params.yaml; they win over those of the level.

    Attributes:
        level: of difficulty, ``None`` if a configuration of one's own is given.
        parameters: the generator's configuration.
        version: of the generator; a change of what it draws raises it.

    Raises:
        DivLogicError: the name, the level or a parameter is unknown (the nearest is named), or cannot be met.
    """

    def __init__(
        self,
        name: str,
        *,
        size: int | None = None,
        seed: int = 0,
        level: int | None = None,
        allotment: Allotment = "reuse",
        split: str | None = None,
        **config: Any,
    ) -> None:
        known = levels(name)
        for argument, value in (("size", size or 0), ("seed", seed)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise DivLogicError(f"{argument} is {value!r}; give a whole number from 0.")
        if allotment not in get_args(Allotment) or (split and allotment != "once"):
            given = f"allotment is {allotment!r}, split {split!r}"
            raise DivLogicError(f"{given}; give 'reuse' without a split, or 'once'.")
        if level is not None:
            if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= len(known):
                raise DivLogicError(f"{name} has no level {level!r}; its levels are 1 to {len(known)}.")
            config = {**known[level - 1], **config}
        self.name, self.seed, self.level, self.allotment = name, seed, level, allotment
        source = SOURCES[name]
        self.parameters: Section = check_section(
            source.parameters_model(), source.configured(config), f"create('{name}')", source.keys()
        )
        self._source: ItemSource = source(self.parameters, seed)
        self.version = source.version
        self._records = lru_cache(_KEPT)(self._source.group)
        self._listed: list[Record] | None = None
        if allotment == "once":
            from divlogic.library.once import workflow_records  # imports all benchmarks

            self._listed = workflow_records(name, self.parameters, seed, split or "test")
            found = [(one.question_type, one.metadata, one.id) for one in self._listed]
            keys = [(kind, more.get("three", more.get("quartet", name))) for kind, more, name in found]
            self._places = list(grouped(range(len(keys)), keys.__getitem__).values())
            self._numbers = {index: number for number, own in enumerate(self._places) for index in own}
        whole = _SIZE if self._listed is None else len(self._listed)
        if self._listed is not None and (size or 0) > whole:
            raise DivLogicError(f"size is {size}; the file of this seed has {whole:,} items.")
        self.size = whole if size is None else size

    def item(self, index: int) -> Item:
        """Return item ``index``, whether or not the data set is that long."""
        record = self.record(index)
        question, answer = self._source.question(record)
        group = index // self._source.group_size if self._listed is None else self._numbers[index]
        return {
            "question": question,
            "answer": answer,
            "metadata": {
                "source_dataset": self.name,
                "source_index": index,
                "id": record.id,
                "group": group,
                "group_size": len(self._members(group)),
                "options": list(record.options),
                "difficulty": {"level": self.level, **self._source.difficulty(record)},
                "version": self.version,
            },
        }

    def record(self, index: int) -> Record:
        """Return the whole record of an item, with formulas and sentences."""
        if index < 0:
            raise DivLogicError(f"the index is {index}; give a whole number from 0.")
        if self._listed is not None:
            return self._listed[index]
        group, place = divmod(index, self._source.group_size)
        return self._records(group)[place]

    def records(self) -> Iterator[Record]:
        """Yield the records of all items."""
        return map(self.record, range(self.size))

    def group(self, number: int) -> list[Item]:
        """Return the items of one group (a quartet, a three), whether or not the data set is that long."""
        return [self.item(index) for index in self._members(number)]

    def verify(self, item: Item) -> bool:
        """Return whether a solver confirms the label of an item of this data set, from its formulas."""
        metadata = _metadata(item)
        index = metadata.get("source_index")
        if metadata["source_dataset"] != self.name or not isinstance(index, int):
            raise DivLogicError(f"the item is not one of {self.name}; give an item of this data set.")
        if self.item(index) != item:
            raise DivLogicError(f"the item is not item {index} of this set: another seed, level or version.")
        return not self.problems(self.record(index))

    def problems(self, record: Record) -> list[str]:
        """Return what a solver objects to in a record; nothing means that its label is confirmed."""
        return self._source.problems(record)

    def read(self, text: str | None, item: Item) -> str | None:
        """Return the answer that a completion gives to an item, in the form of ``item["answer"]``."""
        return read_answer(text, item)

    def score_answer(self, text: str | None, item: Item, *, format: float = 0.0) -> float:
        """Return the reward of a completion; see :func:`score_answer`."""
        return score_answer(text, item, format=format)

    def _members(self, number: int) -> Sequence[int]:
        """Return the indices of the items of a group."""
        if self._listed is not None:
            if not 0 <= number < len(self._places):
                raise IndexError(f"group {number} of {len(self._places)}")
            return self._places[number]
        return range(number * self._source.group_size, (number + 1) * self._source.group_size)


create = DataSet
"""What users call to get a data set."""


def names() -> tuple[str, ...]:
    """Return the names of the generators."""
    return tuple(SOURCES)


def levels(name: str) -> tuple[Mapping[str, Any], ...]:
    """Return the levels of a generator from the first: whole configurations of rising difficulty."""
    if name not in SOURCES:
        raise DivLogicError(f"there is no generator '{name}'; {nearest(str(name), SOURCES)}")
    return LEVELS[name]


def stream(
    name: str, *, seed: int = 0, start: int = 0, level: int | None = None, **config: Any
) -> Iterator[Item]:
    """Yield the items of a generator from ``start`` on, without end."""
    return map(create(name, size=0, seed=seed, level=level, **config).item, itertools.count(start))


class Mixture(Items):
    """Items of several generators in a random order that depends on the seed and the index alone.

    Item i is item i of a generator that is drawn with the given weights.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        *,
        size: int = 500,
        seed: int = 0,
        level: int | None = None,
        **config: Any,
    ) -> None:
        numbers = [one for one in weights.values() if isinstance(one, int | float) and one >= 0]
        if len(numbers) < len(weights) or not sum(numbers):
            raise DivLogicError(
                "mix: give numbers from 0 as weights, and a positive one to a generator at least."
            )
        self.parts = {name: DataSet(name, size=size, seed=seed, level=level, **config) for name in weights}
        self.size, self._weights, self._seed = size, dict(weights), seed

    def item(self, index: int) -> Item:
        """Return item ``index``, whether or not the mixture is that long."""
        draw = random.Random(f"{self._seed} {index}")
        (name,) = draw.choices(list(self._weights), list(self._weights.values()))
        return self.parts[name].item(index)


mix = Mixture
"""What users call to get a mixture."""


def read_answer(text: str | None, item: Item) -> str | None:
    """Return the answer that a completion gives to an item, in the form of ``item["answer"]``; ``None``: it gives none.

    What stands behind a closed ``</think>`` counts, one ``<answer>`` or the last ``Answer:`` or ``\\boxed``, and that
    part must be an answer, not contain one.
    """
    if text is not None and not isinstance(text, str):
        raise DivLogicError(f"the completion is of type {type(text).__name__}; give its text, or None.")
    return _source_of(item).read(text, _metadata(item)["options"])


def score_answer(text: str | None, item: Item, *, format: float = 0.0) -> float:
    """Return the reward of a completion: 1 if its answer is right, else 0.

    Args:
        text: the completion; ``None`` is none.
        item: what was asked.
        format: reward of an answer that can be read and is wrong, 0 to 0.1.

    Raises:
        DivLogicError: ``format`` is out of range, or the item is of no known generator.
    """
    if not 0 <= format <= 0.1:
        raise DivLogicError(f"format is {format}; give 0 to 0.1, so that no wrong answer pays.")
    answer = read_answer(text, item)
    if not isinstance(item.get("answer"), str):
        raise DivLogicError("the item has no answer; give an item as a data set returns it.")
    right = _source_of(item).right(answer, item["answer"])
    return 1.0 if right else format if answer is not None else 0.0


def share_of_groups(scored: Iterable[tuple[Any, float]]) -> float:
    """Return the share of groups of which all items are right, from the group and the score of each item."""
    least: dict[Any, float] = {}
    for group, score in scored:
        least[group] = min(score, least.get(group, 1.0))
    return sum(least.values()) / len(least)


def _metadata(item: Item) -> Mapping[str, Any]:
    found = item.get("metadata") if isinstance(item, Mapping) else None
    if not isinstance(found, Mapping) or not {"source_dataset", "options"} <= found.keys():
        raise DivLogicError("this is no item: it lacks such metadata; give an item as a data set returns it.")
    return found


def _source_of(item: Item) -> type[ItemSource]:
    """Return the generator of an item, which other libraries register under names with a prefix."""
    name = str(_metadata(item)["source_dataset"]).removeprefix("divlogic_")
    if name not in SOURCES:
        raise DivLogicError(f"the item is of the generator '{name}', which is not known here.")
    return SOURCES[name]
