"""Symbolic items: an argument, a query, and a label that the solver confirms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from divlogic.benchmarks.draws import Draws
from divlogic.benchmarks.justlogic.arguments import Argument, Propositions, draw_argument
from divlogic.benchmarks.justlogic.deciding import Label, decide
from divlogic.benchmarks.justlogic.parameters import PER_DEPTH, JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import Proposition, atoms_of, negated, renamed
from divlogic.errors import DivLogicError

LABELS: tuple[Label, ...] = ("true", "false", "uncertain")
SPLITS = ("train", "validation", "test")

_ATTEMPTS = 1000
_BLOCK = 30
_OPEN_TRIES = 6
_LABEL_STREAM = 2


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item belongs: its depth, its split, its number within both."""

    depth: int
    split: str
    number: int


@dataclass(frozen=True, slots=True)
class SymbolicItem:
    """One item before its atoms become statements.

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
        """Return the item as a JSON object."""
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
    def from_json(cls, row: dict[str, Any]) -> SymbolicItem:
        """Build an item from what :meth:`to_json` gave.

        Raises:
            KeyError, TypeError, IndexError: a field is missing or of the wrong type.
            ValueError: the item is not whole.
        """
        item = cls(
            Place(row["depth"], row["split"], row["number"]),
            row["label"],
            tuple(row["premises"]),
            row["conclusion"],
            row["query"],
            tuple(map(tuple, row["pairs"])),
            tuple((form, tuple(premises), conclusion) for form, premises, conclusion in row["steps"]),
            row["atoms"],
        )
        item._check()
        return item

    def _check(self) -> None:
        """Refuse what no :meth:`to_json` gives."""
        place = self.place
        if self.label not in LABELS or place.split not in SPLITS:
            raise ValueError(f"{self.label!r} is no label, or {place.split!r} no split")
        if not all(type(number) is int and number >= 0 for number in (place.depth, place.number, self.atoms)):
            raise ValueError("'depth', 'number' or 'atoms' is not a number")
        atoms = {atom for pair in self.pairs for atom in pair}
        for proposition in (*self.premises, self.conclusion, self.query):
            atoms.update(atoms_of(proposition))
        for form, premises, conclusion in self.steps:
            if type(form) is not str:
                raise ValueError(f"{form!r} is no argument form")
            for proposition in (*premises, conclusion):
                atoms.update(atoms_of(proposition))
        if any(len(pair) != 2 for pair in self.pairs) or not atoms <= set(range(self.atoms)):
            raise ValueError("it speaks of more atoms than it says")


def per_depth(parameters: JustLogicParameters, corpus_source: str) -> int:
    """Return the number of items per depth."""
    return parameters.per_depth if parameters.per_depth is not None else PER_DEPTH[corpus_source]


def split_sizes(parameters: JustLogicParameters, count: int) -> dict[str, int]:
    """Return the sizes of the splits of ``count`` items of one depth; rounding goes to the training split."""
    shares = parameters.splits
    sizes = {"validation": round(count * shares.validation), "test": round(count * shares.test)}
    return {"train": count - sum(sizes.values()), **sizes}


def place_of(index: int, parameters: JustLogicParameters, count: int) -> Place:
    """Return where the item with the given index belongs: the depths take turns, each fills its splits in order."""
    number, turn = divmod(index, len(parameters.depths))
    for split, size in split_sizes(parameters, count).items():
        if number < size:
            return Place(parameters.depths[turn], split, number)
        number -= size
    raise IndexError(index)


def label_of(place: Place, size: int, seed: int) -> Label:
    """Return the label of an item: balanced within each depth and split, in an order that tells nothing.

    Args:
        place: the item's place.
        size: number of items of its depth and split.
        seed: the run's seed.
    """
    block, within = divmod(place.number, _BLOCK)
    return _labels_of_block(seed, place.depth, place.split, block, min(_BLOCK, size - block * _BLOCK))[within]


@lru_cache(maxsize=256)
def _labels_of_block(seed: int, depth: int, split: str, block: int, length: int) -> list[Label]:
    """Draw the labels of up to 30 items that follow each other in one depth and split."""
    draws = Draws(seed, _LABEL_STREAM, depth, SPLITS.index(split), block)
    # What is left over from whole threes goes to labels drawn at random.
    labels = draws.shuffled(LABELS) * (length // len(LABELS) + 1)
    return draws.shuffled(labels[:length])


def draw_item(seed: int, index: int, parameters: JustLogicParameters, count: int) -> SymbolicItem:
    """Draw the item with the given index.

    Arguments whose premises contradict each other, are not all needed, or do not bear the label out are drawn again;
    the query is not, so that what can be argued for does not change how queries are distributed.

    Args:
        seed: the run's seed.
        index: from 0 to depths · ``count`` - 1.
        parameters: how items are drawn.
        count: items per depth.

    Raises:
        DivLogicError: the parameters allow no such item.
    """
    place = place_of(index, parameters, count)
    label = label_of(place, split_sizes(parameters, count)[place.split], seed)
    draws = Draws(seed, index)
    drawn = _draw_query(label, draws, parameters)
    for _ in range(_ATTEMPTS):
        query, pairs, conclusion, used = drawn
        argument = draw_argument(conclusion, place.depth, used, draws, parameters)
        if parameters.uncertain_query == "open":
            other = _open_query(argument, conclusion, drawn, draws)
            if other is None:
                continue
            pairs = other[1]
            if label == "uncertain":
                query, pairs = other[0], tuple((left_open, own) for own, left_open in pairs)
        if _holds(argument, conclusion, query, label):
            break
    else:
        raise DivLogicError(
            f"params.yaml: no item of depth {place.depth} was found in {_ATTEMPTS} attempts; give more forms a weight"
            " under 'benchmarks.justlogic.forms'."
        )
    premises = argument.premises
    if parameters.shuffle_premises:
        premises = tuple(draws.shuffled(premises))
    steps = tuple((step.form, step.premises, step.conclusion) for step in argument.steps)
    return SymbolicItem(place, label, premises, conclusion, query, pairs, steps, argument.atoms)


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
    same = tuple((atom, atom) for atom in own)
    if label == "uncertain" and parameters.uncertain_query == "open":
        flipped = parameters.polarity == "query" and draws.chance(0.5)
        return drawn, same, negated(drawn) if flipped else drawn, source.used
    if label != "uncertain":
        query = drawn if parameters.polarity == "query" or label == "true" else negated(drawn)
        conclusion = query if label == "true" else negated(query)
        return query, same, conclusion, source.used
    # The conclusion speaks of the same terms by other statements.
    others = {atom: atom + source.used for atom in own}
    conclusion = renamed(drawn, others)
    if parameters.polarity == "query" and draws.chance(0.5):
        conclusion = negated(conclusion)
    return drawn, tuple(others.items()), conclusion, 2 * source.used


def _open_query(
    argument: Argument,
    conclusion: Proposition,
    drawn: tuple[Proposition, tuple[tuple[int, int], ...], Proposition, int],
    draws: Draws,
) -> tuple[Proposition, tuple[tuple[int, int], ...]] | None:
    """Put atoms that the argument leaves open in the place of the query's.

    Returns:
        The other query, which is uncertain, and the pairs (the query's atom, the open atom); ``None`` if none is.
    """
    query, own, _, used = drawn
    candidates = draws.shuffled(range(used, argument.atoms))
    for start in range(min(_OPEN_TRIES, len(candidates) - len(own) + 1)):
        pairs = tuple((atom, candidates[start + at]) for at, (atom, _) in enumerate(own))
        other = renamed(query, dict(pairs))
        if decide(argument.premises, conclusion, other, argument.atoms).label == "uncertain":
            return other, pairs
    return None


def _holds(argument: Argument, conclusion: Proposition, query: Proposition, label: Label) -> bool:
    """Ask the solver whether the item is as it should be."""
    verdict = decide(argument.premises, conclusion, query, argument.atoms)
    return verdict.satisfiable and verdict.concluded and verdict.necessary and verdict.label == label


def shard_items(
    seed: int, shard: int, shards: int, parameters: JustLogicParameters, count: int
) -> Iterator[tuple[int, SymbolicItem]]:
    """Yield (index, item) of one shard of consecutive indices."""
    total = count * len(parameters.depths)
    for index in range(total * shard // shards, total * (shard + 1) // shards):
        yield index, draw_item(seed, index, parameters, count)
