"""Threes of symbolic instances, one of each label; a three can be had without those before it.

With ``uncertain_query: open`` the three have one layout of statements
(:mod:`~divlogic.benchmarks.justlogic.ring`); with ``absent`` each is an argument drawn on its own, as published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from divlogic.benchmarks.justlogic import propositions
from divlogic.benchmarks.justlogic.parameters import PER_DEPTH, JustLogicParameters
from divlogic.benchmarks.justlogic.ring import draw_three
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

LABELS: tuple[propositions.Label, ...] = ("true", "false", "uncertain")
SPLITS = ("train", "validation", "test")

_ATTEMPTS = 20_000
_OPPOSITE: dict[propositions.Label, propositions.Label] = {"true": "false", "false": "true"}
_BLOCK = 10
"""Threes whose instances stand mixed in a split."""
_ORDER_STREAM, _THREES_STREAM = 2, 4


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance before its atoms become statements.

    Attributes:
        label: what the premises say of the query.
        pairs: for each atom of the query, another that gets a statement on a like term (or the same atom: none does).
        premises: in text order, those that the argument does not need among them.
        steps: form, premises and conclusion of each step, the last inference first.
        split, number: its place; ``number`` is that within depth and split.
    """

    label: propositions.Label
    query: propositions.Proposition
    pairs: tuple[tuple[int, int], ...]
    conclusion: propositions.Proposition
    premises: tuple[propositions.Proposition, ...]
    steps: tuple[propositions.Step, ...]
    atoms: int
    split: str = ""
    number: int = -1


@dataclass(frozen=True, slots=True)
class Three:
    """A group of the benchmark: an instance of each label, or fewer where a split is full."""

    index: int
    depth: int
    instances: tuple[Instance, ...]

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Three:
        """Build a three from its JSON object; propositions are lists then, which do as well."""
        steps = [
            tuple(propositions.Step(**step) for step in one["steps"]) for one in row["instances"]
        ]
        found = (
            Instance(**one | {"steps": own})
            for one, own in zip(row["instances"], steps, strict=True)
        )
        return cls(row["index"], row["depth"], tuple(found))


def groups(parameters: JustLogicParameters, corpus_source: str) -> int:
    """Return the number of threes of a whole run."""
    sizes = split_sizes(parameters, corpus_source)
    return len(parameters.depths) * sum(_threes(size) for size in sizes.values())


def split_sizes(parameters: JustLogicParameters, corpus_source: str) -> dict[str, int]:
    """Return the instances of each split and depth; rounding goes to the training split."""
    count = PER_DEPTH[corpus_source] if parameters.per_depth is None else parameters.per_depth
    shares = parameters.splits
    sizes = {"validation": round(count * shares.validation), "test": round(count * shares.test)}
    return {"train": count - sum(sizes.values()), **sizes}


def draw(
    parameters: JustLogicParameters, seed: int, index: int, corpus_source: str = "full"
) -> Three:
    """Draw the three with the given index: the depths take turns, and each fills its splits in order."""
    number, turn = divmod(index, len(parameters.depths))
    depth = parameters.depths[turn]
    draws = Draws(_THREES_STREAM, seed, depth, number)
    sizes = iter(split_sizes(parameters, corpus_source).items())
    split, size = next(sizes)
    while number >= _threes(size):
        number -= _threes(size)
        split, size = next(sizes)
    make = _draw_balanced if parameters.uncertain_query == "open" else _draw_apart
    places = _places(seed, depth, split, number, size)
    found = []
    for one, place in zip(make(depth, draws, parameters), places, strict=True):
        if place < size:
            premises = (
                tuple(draws.shuffled(one.premises)) if parameters.shuffle_premises else one.premises
            )
            found.append(replace(one, premises=premises, split=split, number=place))
    return Three(index, depth, tuple(found))


def _threes(size: int) -> int:
    return -(-size // len(LABELS))


def _places(seed: int, depth: int, split: str, number: int, size: int) -> list[int]:
    """Return the numbers within depth and split of a three's instances, in the order of labels.

    Ten threes share thirty numbers, in an order that tells nothing. Of the last ones of a split, numbers are left over.
    """
    block, within = divmod(number, _BLOCK)
    threes = min(_BLOCK, _threes(size) - block * _BLOCK)
    order = Draws(seed, _ORDER_STREAM, depth, SPLITS.index(split), block).shuffled(
        range(3 * threes)
    )
    return [3 * _BLOCK * block + place for place in order[3 * within : 3 * within + 3]]


def _draw_balanced(depth: int, draws: Draws, parameters: JustLogicParameters) -> list[Instance]:
    """Draw a layout of statements and make the three instances of it.

    What is asked is drawn first, so that its shape and polarity depend neither on a label nor on what is found.
    """
    wanted = propositions.Propositions(draws, parameters).fresh()
    denied = propositions.is_denied(wanted)
    plain = propositions.negated(wanted) if denied else wanted
    connective = None if type(plain) is int else plain[0]
    three = draw_three(depth, connective, draws, parameters)
    asked = propositions.atoms_of(three.query)
    others = [atom for atom in range(1, three.atoms) if atom not in asked]
    extra, atoms = _extra(three.atoms, range(three.atoms), draws, parameters.distractors)
    found = []
    for held in LABELS:
        passage = three.passages[held]
        instance = Instance(
            label=_OPPOSITE.get(held, held) if denied else held,
            query=propositions.negated(three.query) if denied else three.query,
            pairs=tuple(zip(asked, draws.shuffled(others)[: len(asked)], strict=True)),
            conclusion=passage.conclusion,
            premises=(*passage.premises, *extra),
            steps=passage.steps,
            atoms=atoms,
        )
        found.append(instance)
    return found


def _extra(
    atoms: int, asked: Sequence[int], draws: Draws, count: int
) -> tuple[Sequence[propositions.Proposition], int]:
    """Draw premises that have no part in an argument, and return them and the number of atoms then.

    Each joins a statement of its own to another that is not asked, so that nothing new follows of the old statements.
    """
    known = [atom for atom in range(atoms) if atom not in asked]
    found = []
    for _ in range(count):
        if not known:
            known, atoms = [atoms], atoms + 1
        found.append(
            (propositions.OR, 2 * draws.pick(known) + draws.below(2), 2 * atoms + draws.below(2))
        )
        known, atoms = [*known, atoms], atoms + 1
    return found, atoms


def _draw_apart(depth: int, draws: Draws, parameters: JustLogicParameters) -> list[Instance]:
    """Draw an instance of each label on its own.

    Arguments whose premises contradict each other, are not all needed, or do not bear the label out are drawn again;
    the query is not, so that what can be argued for does not change how queries are distributed.
    """
    found = []
    for label in LABELS:
        query, pairs, conclusion, used = _draw_query(label, draws, parameters)
        for _ in range(_ATTEMPTS):
            argument = propositions.draw_argument(conclusion, depth, used, draws, parameters)
            if propositions.decide(argument.premises, conclusion, query, argument.atoms) == label:
                break
        else:
            raise DivLogicError(
                f"params.yaml: no instance of depth {depth} was found in {_ATTEMPTS:,} attempts; give more forms a"
                " weight under 'benchmarks.justlogic.forms'."
            )
        spoken = {atom for pair in pairs for atom in pair}
        extra, atoms = _extra(argument.atoms, sorted(spoken), draws, parameters.distractors)
        premises = (*argument.premises, *extra)
        found.append(Instance(label, query, pairs, conclusion, premises, argument.steps, atoms))
    return found


def _draw_query(
    label: propositions.Label, draws: Draws, parameters: JustLogicParameters
) -> tuple[propositions.Proposition, tuple[tuple[int, int], ...], propositions.Proposition, int]:
    """Draw query and conclusion; return query, pairs of atoms, conclusion, number of atoms.

    With ``polarity: query`` the query is drawn before the label plays any part: shape, negation and statements of
    queries then have one distribution for all labels.
    """
    source = propositions.Propositions(draws, parameters)
    drawn = source.fresh()
    own = tuple(propositions.atoms_of(drawn))
    if label != "uncertain":
        query = (
            drawn
            if parameters.polarity == "query" or label == "true"
            else propositions.negated(drawn)
        )
        conclusion = query if label == "true" else propositions.negated(query)
        return query, tuple((atom, atom) for atom in own), conclusion, source.used
    # The conclusion speaks of like terms by other statements.
    conclusion = drawn
    for atom in own:
        other = 2 * (atom + source.used)
        conclusion = propositions.substituted(conclusion, atom, other, other + 1)
    if parameters.polarity == "query" and draws.chance(0.5):
        conclusion = propositions.negated(conclusion)
    return drawn, tuple((atom, atom + source.used) for atom in own), conclusion, 2 * source.used


def drawn(run: Any, shard: int, shards: int) -> Iterator[Three]:
    """Yield the threes of one shard."""
    parameters = run.benchmarks.justlogic
    for index in range(shard, groups(parameters, run.corpus_source), shards):
        yield draw(parameters, run.seed, index, run.corpus_source)
