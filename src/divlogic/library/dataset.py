"""A benchmark as a sequence that is drawn item by item.

Item ``i`` is a function of (version, name, configuration, seed, i): not of the size, of the order of access, or of the
process. Two seeds share nothing, and the bytes are the same on every machine.
"""

from __future__ import annotations

import hashlib
import math
import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args, overload

import orjson

from divlogic.config.section import Section, check_section
from divlogic.errors import DivLogicError, nearest
from divlogic.library.sources import LEVELS, SOURCES, ItemSource
from divlogic.records import Record, grouped

Item = dict[str, Any]
"""``question`` and ``answer`` (texts) and ``metadata`` of an instance."""

Allotment = Literal["reuse", "once"]
Credit = Literal["all", "each"]

_ARGUMENTS = ("size", "seed", "level", "depth", "allotment", "split")

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

    A data set can be pickled and copied: what travels is its name and its arguments.

    Args:
        name: one of :func:`names`.
        size: number of items; by default 500, or all of the split.
        seed: two seeds share no item; may be as wide as one likes.
        level: difficulty, from 1 (see :func:`levels`).
        depth: of the proofs, in place of a level; LogicNLI and JustLogic have one.
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
        depth: int | None = None,
        allotment: Allotment = "reuse",
        split: str | None = None,
        **config: Any,
    ) -> None:
        levels(name)  # refuses an unknown name
        self._given: dict[str, Any] = {
            "size": size,
            "seed": seed,
            "level": level,
            "depth": depth,
            "allotment": allotment,
            "split": split,
            **config,
        }
        for argument, value in (("size", size or 0), ("seed", seed)):
            if not _is_whole(value, least=0):
                raise DivLogicError(f"{argument} is {value!r}; give a whole number from 0.")
        if allotment not in get_args(Allotment) or (split and allotment != "once"):
            given = f"allotment is {allotment!r}, split {split!r}"
            raise DivLogicError(f"{given}; give 'reuse' without a split, or 'once'.")
        level, configuration = _configuration(name, level, depth, config)
        self.name, self.seed, self.level, self.allotment = name, seed, level, allotment
        source = SOURCES[name]
        self.parameters: Section = check_section(
            source.parameters_model(),
            source.configured(configuration),
            f"create('{name}')",
            # A parameter of the call may be misspelt, too.
            (*_ARGUMENTS, *source.keys()),
        )
        self._source: ItemSource = source(self.parameters, seed)
        self.version = source.version
        self._draw = self._digest(split)
        self._records = lru_cache(_KEPT)(self._source.group)
        self._listed: list[Record] | None = None
        if allotment == "once":
            self._list(split or "test")
        whole = _SIZE if self._listed is None else len(self._listed)
        if self._listed is not None and (size or 0) > whole:
            raise DivLogicError(f"size is {size}; the file of this seed has {whole:,} items.")
        self.size = whole if size is None else size

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process makes the data set: generators hold modules and caches, which do not travel."""
        return _made, (type(self), self.name, self._given)

    def _list(self, split: str) -> None:
        """Take the records of the workflow's file, and note which of them are a group."""
        from divlogic.library.once import workflow_records  # imports all benchmarks

        records = workflow_records(self.name, self.parameters, self.seed, split)
        keys = []
        for one in records:
            member = one.metadata.get("three", one.metadata.get("quartet", one.id))
            keys.append((one.question_type, member))
        self._listed = records
        self._places = list(grouped(range(len(keys)), keys.__getitem__).values())
        self._numbers: dict[int, int] = {}
        for number, places in enumerate(self._places):
            self._numbers.update(dict.fromkeys(places, number))

    def _digest(self, split: str | None) -> str:
        """Return the digest of what is drawn: generator, version, configuration, seed and file."""
        drawn = {
            "generator": self.name,
            "version": self.version,
            "configuration": self.parameters.model_dump(mode="json"),
            "seed": str(self.seed),  # may be wider than JSON's numbers
            "file": (split or "test") if self.allotment == "once" else None,
        }
        canonical = orjson.dumps(drawn, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
        return hashlib.sha256(canonical).hexdigest()[:16]

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
                "group_id": f"{self.name}-{self._draw}-{group}",
                "group_size": len(self._members(group)),
                "options": list(record.options),
                **self._source.about(record),
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
            raise DivLogicError(
                f"the item is not one of {self.name}; give an item of this data set."
            )
        if self.item(index) != item:
            raise DivLogicError(
                f"the item is not item {index} of this set: another seed, level or version."
            )
        return not self.problems(self.record(index))

    def problems(self, record: Record) -> list[str]:
        """Return what a solver objects to in a record; nothing means that its label is confirmed."""
        return self._source.problems(record)

    def read(self, text: str | None, item: Item) -> str | None:
        """Return the answer that a completion gives to an item, in the form of ``item["answer"]``."""
        return read_answer(text, item)

    def score_answer(
        self, text: str | None, item: Item, *, format: float = 0.0, credit: Credit = "all"
    ) -> float:
        """Return the reward of a completion; see :func:`score_answer`."""
        return score_answer(text, item, format=format, credit=credit)

    def _members(self, number: int) -> Sequence[int]:
        """Return the indices of the items of a group."""
        if self._listed is not None:
            if not 0 <= number < len(self._places):
                raise IndexError(f"group {number} of {len(self._places)}")
            return self._places[number]
        return range(number * self._source.group_size, (number + 1) * self._source.group_size)


def create(
    name: str,
    *unnamed: object,
    size: int | None = None,
    seed: int = 0,
    level: int | None = None,
    depth: int | None = None,
    allotment: Allotment = "reuse",
    split: str | None = None,
    **config: Any,
) -> DataSet:
    """Return a data set of one generator; the arguments are those of :class:`DataSet`.

    Raises:
        DivLogicError: an argument is unknown or cannot be met.
    """
    if unnamed:
        raise DivLogicError(
            f"create('{name}', {', '.join(map(repr, unnamed))}): a number alone could be a size, a seed or a level;"
            f" write size={unnamed[0]!r}, seed={unnamed[0]!r} or level={unnamed[0]!r}."
        )
    return DataSet(
        name,
        size=size,
        seed=seed,
        level=level,
        depth=depth,
        allotment=allotment,
        split=split,
        **config,
    )


def _made(kind: type[DataSet], name: str, given: Mapping[str, Any]) -> DataSet:
    """Return the data set of a pickle."""
    return kind(name, **given)


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _configuration(
    name: str, level: int | None, depth: int | None, config: Mapping[str, Any]
) -> tuple[int | None, dict[str, Any]]:
    """Return the level and the configuration that a call asks for; a depth that a level has is that level."""
    known = levels(name)
    if isinstance(level, Sequence) and not isinstance(level, str):
        raise DivLogicError(
            f"level is {level!r}; a data set has one, and divlogic.mix({{'{name}': 1}}, level={list(level)!r}) draws"
            " from several."
        )
    if level is not None and not (_is_whole(level, least=1) and level <= len(known)):
        raise DivLogicError(f"{name} has no level {level!r}; its levels are 1 to {len(known)}.")
    if depth is None:
        return level, {**(known[level - 1] if level else {}), **config}
    keys = SOURCES[name].keys()
    if "depths" not in keys:
        raise DivLogicError(
            f"{name} has no depth; give a level, 1 to {len(known)}, in place of depth {depth}."
        )
    if level is not None or "depths" in config:
        raise DivLogicError("depth: give it alone, without a level and without depths.")
    if not _is_whole(depth, least=1):
        raise DivLogicError(f"depth is {depth!r}; give a whole number from 1.")
    for number, one in enumerate(known, start=1):
        if one["depths"] == [depth]:
            return number, {**one, **config}
    # Between two levels, or beyond the last: the rules and facts of the next that is as deep.
    deeper = next((one for one in known if max(one["depths"]) > depth), known[-1])
    return None, {**deeper, "depths": [depth], **config}


def names() -> tuple[str, ...]:
    """Return the names of the generators."""
    return tuple(SOURCES)


def levels(name: str) -> tuple[Mapping[str, Any], ...]:
    """Return the levels of a generator from the first: whole configurations of rising difficulty."""
    if name not in SOURCES:
        raise DivLogicError(f"there is no generator '{name}'; {nearest(str(name), SOURCES)}")
    return LEVELS[name]


class Stream(Iterator[Item]):
    """Items of a data set one after the other, without end; it can be pickled, and goes on where it was."""

    def __init__(self, data: DataSet, start: int = 0) -> None:
        self.data, self.index = data, start

    def __next__(self) -> Item:
        item = self.data.item(self.index)
        self.index += 1
        return item


def stream(
    name: str, *, seed: int = 0, start: int = 0, level: int | None = None, **config: Any
) -> Stream:
    """Return the items of a generator from ``start`` on, without end."""
    return Stream(create(name, size=0, seed=seed, level=level, **config), start)


class Mixture(Items):
    """Items of several generators, or levels, in a random order that depends on the seed and the index alone.

    Item i is item i of a generator that is drawn with the given weights, and of one of the levels.

    Args:
        weights: how often each generator is drawn.
        size: number of items; by default 500.
        seed: of the order and of the items.
        level: of difficulty; of several each is drawn as often.
        groups: draw whole groups (quartets, threes), one after the other, as a group reward needs them: every block of
            as many items as all groups fit into is of one generator. ``size`` must be a multiple of that.
        **config: parameters that all generators have.

    Raises:
        DivLogicError: as for :class:`DataSet`, and for weights that are none, or a size that cuts a group.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        *,
        size: int | None = None,
        seed: int = 0,
        level: int | Sequence[int] | None = None,
        groups: bool = False,
        **config: Any,
    ) -> None:
        if not isinstance(weights, Mapping):
            raise DivLogicError(
                f"mix is given {weights!r}; give the weight of each generator, as in"
                " mix({'logicnli': 1, 'justlogic': 2})."
            )
        numbers = [one for one in weights.values() if isinstance(one, int | float) and one >= 0]
        if len(numbers) < len(weights) or not 0 < sum(numbers) < math.inf:
            raise DivLogicError(
                "mix: give numbers from 0 as weights, and a positive one to a generator at least."
            )
        if groups and config.get("allotment", "reuse") != "reuse":
            raise DivLogicError("mix: groups are drawn whole with allotment 'reuse' only.")
        chosen = [level] if level is None or isinstance(level, int) else list(level)
        if not chosen:
            raise DivLogicError("mix: level is empty; give a level, or several.")
        self.parts = {
            name: [DataSet(name, size=size, seed=seed, level=one, **config) for one in chosen]
            for name in weights
        }
        self._block = 1
        if groups:
            self._block = math.lcm(*(SOURCES[name].group_size for name in weights))
        self.size = _SIZE - _SIZE % self._block if size is None else size
        if self.size % self._block:
            raise DivLogicError(
                f"mix: size is {size}, which cuts a group; give a multiple of {self._block}."
            )
        self._weights, self._seed = dict(weights), seed

    def item(self, index: int) -> Item:
        """Return item ``index``, whether or not the mixture is that long."""
        draw = random.Random(f"{self._seed} {index // self._block}")
        (name,) = draw.choices(list(self._weights), list(self._weights.values()))
        parts = self.parts[name]
        return (parts[0] if len(parts) == 1 else draw.choice(parts)).item(index)


mix = Mixture
"""What users call to get a mixture."""


def read_answer(text: str | None, item: Item) -> str | None:
    """Return the answer that a completion gives to an item, in the form of ``item["answer"]``; ``None``: it gives none.

    What stands behind a closed ``</think>`` counts, one ``<answer>`` or the last ``Answer:`` or ``\\boxed``, and that
    part must be an answer, not contain one.
    """
    if text is not None and not isinstance(text, str):
        raise DivLogicError(
            f"the completion is of type {type(text).__name__}; give its text, or None."
        )
    return _source_of(item).read(text, _metadata(item))


def score_answer(
    text: str | None, item: Item, *, format: float = 0.0, credit: Credit = "all"
) -> float:
    """Return the reward of a completion: 1 if its answer is right, else 0.

    Args:
        text: the completion; ``None`` is none.
        item: what was asked.
        format: reward of an answer that can be read and is wrong, 0 to 0.1.
        credit: ``all``: sub-questions (LLMEval-Logic) must all be right; ``each``: their share that is right counts.

    Raises:
        DivLogicError: ``format`` is out of range, ``credit`` is unknown, or the item is of no known generator.
    """
    if not 0 <= format <= 0.1:
        raise DivLogicError(f"format is {format}; give 0 to 0.1, so that no wrong answer pays.")
    if credit not in get_args(Credit):
        raise DivLogicError(f"credit is {credit!r}; give 'all' or 'each'.")
    answer = read_answer(text, item)
    if not isinstance(item.get("answer"), str):
        raise DivLogicError("the item has no answer; give an item as a data set returns it.")
    if answer is None:
        return 0.0
    share = _source_of(item).share_right(answer, item["answer"])
    if share == 1.0:
        return 1.0
    return max(format, share if credit == "each" else 0.0)


def share_of_groups(scored: Iterable[tuple[Any, float]]) -> float:
    """Return the share of groups of which all items are right, from the group and the score of each item."""
    least: dict[Any, float] = {}
    for group, score in scored:
        least[group] = min(score, least.get(group, 1.0))
    return sum(least.values()) / len(least)


def _metadata(item: Item) -> Mapping[str, Any]:
    found = item.get("metadata") if isinstance(item, Mapping) else None
    if not isinstance(found, Mapping) or not {"source_dataset", "options"} <= found.keys():
        raise DivLogicError(
            "this is no item: it lacks such metadata; give an item as a data set returns it."
        )
    return found


def _source_of(item: Item) -> type[ItemSource]:
    """Return the generator of an item, which other libraries register under names with a prefix."""
    name = str(_metadata(item)["source_dataset"]).removeprefix("divlogic_")
    if name not in SOURCES:
        raise DivLogicError(f"the item is of the generator '{name}', which is not known here.")
    return SOURCES[name]
