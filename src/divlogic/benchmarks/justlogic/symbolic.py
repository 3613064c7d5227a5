"""Symbolic instances: an argument, a query, and a label that the solver confirms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from divlogic.benchmarks.justlogic.arguments import Propositions, draw_argument
from divlogic.benchmarks.justlogic.deciding import Label
from divlogic.benchmarks.justlogic.parameters import PER_DEPTH, JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import Proposition, atoms_of, negated, renamed
from divlogic.benchmarks.justlogic.threes import LABELS, Drawn, Three, confirmed, draw_threes, too_narrow
from divlogic.draws import Draws

SPLITS = ("train", "validation", "test")

_ATTEMPTS = 1000
_BLOCK = 30
_POOL = 50
"""Threes that are drawn together: the larger a pool of arguments, the more of them find their like."""
_LABEL_STREAM = 2
_THREES_STREAM = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where an instance belongs: its depth, its split, its number within both."""

    depth: int
    split: str
    number: int


@dataclass(frozen=True, slots=True)
class SymbolicInstance:
    """One instance before its atoms become statements.

    Attributes:
        place: depth, split, number.
        label: what the premises say of the query.
        premises: in text order.
        conclusion: what the argument concludes.
        query: what is asked; its atoms come first, from 0.
        pairs: for each atom of the query, the atom that has another statement on the same term: that of the
            conclusion if the label is uncertain, else one that the argument leaves open, or the same atom.
        steps: form, premises and conclusion of each step, the last inference first.
        atoms: number of atoms.
    """

    place: Place
    label: Label
    premises: tuple[Proposition, ...]
    conclusion: Proposition
    query: Proposition
    pairs: tuple[tuple[int, int], ...]
    steps: tuple[tuple[str, tuple[Proposition, ...], Proposition], ...]
    atoms: int

    def to_json(self) -> dict[str, Any]:
        """Return the instance as a JSON object."""
        return {
            "depth": self.place.depth,
            "split": self.place.split,
            "number": self.place.number,
            "label": self.label,
            "premises": self.premises,
            "conclusion": self.conclusion,
            "query": self.query,
            "pairs": self.pairs,
            "steps": self.steps,
            "atoms": self.atoms,
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> SymbolicInstance:
        """Build an instance from what :meth:`to_json` gave.

        Raises:
            KeyError, TypeError, IndexError: a field is missing or of the wrong type.
            ValueError: the instance is not whole.
        """
        instance = cls(
            Place(row["depth"], row["split"], row["number"]),
            row["label"],
            tuple(row["premises"]),
            row["conclusion"],
            row["query"],
            tuple(map(tuple, row["pairs"])),
            tuple((form, tuple(premises), conclusion) for form, premises, conclusion in row["steps"]),
            row["atoms"],
        )
        instance._check()
        return instance

    def _check(self) -> None:
        """Refuse what no :meth:`to_json` gives."""
        place = self.place
        if self.label not in LABELS or place.split not in SPLITS:
            raise ValueError(f"{self.label!r} is not a label, or {place.split!r} not a split")
        if not all(type(number) is int and number >= 0 for number in (place.depth, place.number, self.atoms)):
            raise ValueError("'depth', 'number' or 'atoms' is not a number")
        atoms = {atom for pair in self.pairs for atom in pair}
        for proposition in (*self.premises, self.conclusion, self.query):
            atoms.update(atoms_of(proposition))
        for form, premises, conclusion in self.steps:
            if type(form) is not str:
                raise ValueError(f"{form!r} is not an argument form")
            for proposition in (*premises, conclusion):
                atoms.update(atoms_of(proposition))
        if any(len(pair) != 2 for pair in self.pairs) or not atoms <= set(range(self.atoms)):
            raise ValueError("it uses more atoms than it declares")


def per_depth(parameters: JustLogicParameters, corpus_source: str) -> int:
    """Return the number of instances per depth."""
    return parameters.per_depth if parameters.per_depth is not None else PER_DEPTH[corpus_source]


def split_sizes(parameters: JustLogicParameters, count: int) -> dict[str, int]:
    """Return the sizes of the splits of ``count`` instances of one depth; rounding goes to the training split."""
    shares = parameters.splits
    sizes = {"validation": round(count * shares.validation), "test": round(count * shares.test)}
    return {"train": count - sum(sizes.values()), **sizes}


def place_of(index: int, parameters: JustLogicParameters, count: int) -> Place:
    """Return where the instance with the given index belongs: the depths take turns, each fills its splits in order."""
    number, turn = divmod(index, len(parameters.depths))
    for split, size in split_sizes(parameters, count).items():
        if number < size:
            return Place(parameters.depths[turn], split, number)
        number -= size
    raise IndexError(index)


def label_of(place: Place, size: int, seed: int) -> Label:
    """Return the label of an instance: balanced within each depth and split, in an order that tells nothing.

    Args:
        place: the instance's place.
        size: number of instances of its depth and split.
        seed: the run's seed.
    """
    block, within = divmod(place.number, _BLOCK)
    return _labels_of_block(seed, place.depth, place.split, block, min(_BLOCK, size - block * _BLOCK))[within]


@lru_cache(maxsize=256)
def _labels_of_block(seed: int, depth: int, split: str, block: int, length: int) -> list[Label]:
    """Draw the labels of up to 30 instances that follow each other in one depth and split."""
    draws = Draws(seed, _LABEL_STREAM, depth, SPLITS.index(split), block)
    # What is left over from whole threes goes to labels drawn at random.
    labels = draws.shuffled(LABELS) * (length // len(LABELS) + 1)
    return draws.shuffled(labels[:length])


def draw_instance(seed: int, index: int, parameters: JustLogicParameters, count: int) -> SymbolicInstance:
    """Draw the instance with the given index.

    With ``uncertain_query: open`` instances are drawn in threes, one of each label, whose query has the same shape and
    whose premises mention it as often and as often negated: what can be counted goes with each label equally often.

    Args:
        seed: the run's seed.
        index: from 0 to depths · ``count`` - 1.
        parameters: how instances are drawn.
        count: instances per depth.

    Raises:
        DivLogicError: the parameters allow no such instance.
    """
    place = place_of(index, parameters, count)
    sizes = split_sizes(parameters, count)
    label = label_of(place, sizes[place.split], seed)
    draws = Draws(seed, index)
    if parameters.uncertain_query == "open":
        drawn = _draw_of_three(label, place, sizes, seed, parameters)
    else:
        drawn = _draw_alone(label, place.depth, draws, parameters)
    argument = drawn.argument
    premises = argument.premises
    if parameters.shuffle_premises:
        premises = tuple(draws.shuffled(premises))
    steps = tuple((step.form, step.premises, step.conclusion) for step in argument.steps)
    return SymbolicInstance(
        place, label, premises, drawn.conclusion, drawn.query, drawn.pairs, steps, argument.atoms
    )


def _draw_alone(label: Label, depth: int, draws: Draws, parameters: JustLogicParameters) -> Drawn:
    """Draw an instance on its own.

    Arguments whose premises contradict each other, are not all needed, or do not bear the label out are drawn again;
    the query is not, so that what can be argued for does not change how queries are distributed.
    """
    query, pairs, conclusion, used = _draw_query(label, draws, parameters)
    for _ in range(_ATTEMPTS):
        argument = draw_argument(conclusion, depth, used, draws, parameters)
        if confirmed(argument, conclusion, query) == label:
            return Drawn(query, pairs, conclusion, argument)
    raise too_narrow(depth, _ATTEMPTS)


def _draw_of_three(
    label: Label, place: Place, sizes: dict[str, int], seed: int, parameters: JustLogicParameters
) -> Drawn:
    """Draw the three that an instance belongs to, and return its member with this label."""
    pool, in_pool = _pool_of(label, place, sizes, seed)
    count = min(_POOL, sum(_threes(sizes).values()) - pool * _POOL)
    settings = parameters.model_dump_json(exclude={"statements", "shards", "splits"})
    return _draw_pool(seed, place.depth, pool, count, settings)[in_pool][label]


def _pool_of(label: Label, place: Place, sizes: dict[str, int], seed: int) -> tuple[int, int]:
    """Return the number of the pool that an instance's three belongs to within its depth, and its place there."""
    block, within = divmod(place.number, _BLOCK)
    length = min(_BLOCK, sizes[place.split] - block * _BLOCK)
    labels = _labels_of_block(seed, place.depth, place.split, block, length)
    numbers = _threes(sizes)
    before = sum([numbers[split] for split in SPLITS[: SPLITS.index(place.split)]])
    return divmod(before + block * _BLOCK // len(LABELS) + labels[:within].count(label), _POOL)


def _threes(sizes: dict[str, int]) -> dict[str, int]:
    """Return the number of threes of each split.

    The threes of a depth are numbered through its splits, and each belongs to one split only. Labels that are left over
    from whole threes take members of one more.
    """
    return {split: -(-size // len(LABELS)) for split, size in sizes.items()}


@lru_cache(maxsize=64)
def _draw_pool(seed: int, depth: int, pool: int, count: int, parameters: str) -> list[Three]:
    """Draw ``count`` threes of one depth; ``parameters`` are JSON."""
    settings = JustLogicParameters.model_validate_json(parameters)
    return draw_threes((_THREES_STREAM, seed, depth, pool), depth, count, settings)


def _draw_query(
    label: Label, draws: Draws, parameters: JustLogicParameters
) -> tuple[Proposition, tuple[tuple[int, int], ...], Proposition, int]:
    """Draw query and conclusion; return query, pairs of atoms, conclusion, number of atoms.

    With ``polarity: query`` the query is drawn before the label plays any part: shape, negation and statements of
    queries then have one distribution for all labels.
    """
    source = Propositions(draws, parameters)
    drawn = source.fresh()
    own = tuple(atoms_of(drawn))
    if label != "uncertain":
        query = drawn if parameters.polarity == "query" or label == "true" else negated(drawn)
        conclusion = query if label == "true" else negated(query)
        return query, tuple((atom, atom) for atom in own), conclusion, source.used
    # The conclusion speaks of the same terms by other statements.
    others = {atom: atom + source.used for atom in own}
    conclusion = renamed(drawn, others)
    if parameters.polarity == "query" and draws.chance(0.5):
        conclusion = negated(conclusion)
    return drawn, tuple(others.items()), conclusion, 2 * source.used


def shard_instances(
    seed: int, shard: int, shards: int, parameters: JustLogicParameters, count: int
) -> Iterator[tuple[int, SymbolicInstance]]:
    """Yield (index, instance) of one shard, by index; instances of one pool are in one shard, so it is drawn once."""
    sizes = split_sizes(parameters, count)
    for index in range(count * len(parameters.depths)):
        place = place_of(index, parameters, count)
        pool, _ = _pool_of(label_of(place, sizes[place.split], seed), place, sizes, seed)
        if (pool * len(parameters.depths) + index % len(parameters.depths)) % shards == shard:
            yield index, draw_instance(seed, index, parameters, count)
