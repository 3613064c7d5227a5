"""Symbolic instances: an argument, a query, and a label that the solver confirms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from divlogic.benchmarks.justlogic.arguments import Argument, Propositions, draw_argument
from divlogic.benchmarks.justlogic.deciding import Label, decide
from divlogic.benchmarks.justlogic.parameters import PER_DEPTH, JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Proposition, atoms_of, negated, renamed
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

LABELS: tuple[Label, ...] = ("true", "false", "uncertain")
SPLITS = ("train", "validation", "test")

_ATTEMPTS = 1000
_BLOCK = 30
_OPEN_TRIES = 6
_LABEL_STREAM = 2
_THREES_STREAM = 4
_ATTEMPTS_AT_THREE = 20_000


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
    size = split_sizes(parameters, count)[place.split]
    label = label_of(place, size, seed)
    draws = Draws(seed, index)
    if parameters.uncertain_query == "open":
        three = (seed, place.depth, SPLITS.index(place.split), *_three_of(place, size, seed))
        drawn = _draw_three(three, parameters.model_dump_json(exclude={"statements", "shards", "splits"}))[
            label
        ]
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


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An argument and what is asked of it."""

    query: Proposition
    pairs: tuple[tuple[int, int], ...]
    conclusion: Proposition
    argument: Argument


def _draw_alone(label: Label, depth: int, draws: Draws, parameters: JustLogicParameters) -> _Drawn:
    """Draw an instance on its own.

    Arguments whose premises contradict each other, are not all needed, or do not bear the label out are drawn again;
    the query is not, so that what can be argued for does not change how queries are distributed.
    """
    query, pairs, conclusion, used = _draw_query(label, draws, parameters)
    for _ in range(_ATTEMPTS):
        argument = draw_argument(conclusion, depth, used, draws, parameters)
        if _holds(argument, conclusion, query, label):
            return _Drawn(query, pairs, conclusion, argument)
    raise _too_narrow(depth, _ATTEMPTS)


def _three_of(place: Place, size: int, seed: int) -> tuple[int, int]:
    """Return which three an instance belongs to: its block, and how many of its label come before it there."""
    block, within = divmod(place.number, _BLOCK)
    labels = _labels_of_block(seed, place.depth, place.split, block, min(_BLOCK, size - block * _BLOCK))
    return block, labels[:within].count(labels[within])


@lru_cache(maxsize=256)
def _draw_three(three: tuple[int, ...], parameters: str) -> dict[Label, _Drawn]:
    """Draw an instance of each label that nothing countable tells apart; ``parameters`` are JSON.

    The query's shape is drawn first and is the same for all. Then arguments are drawn for each label in turn, until
    those of all three labels mention the query alike.
    """
    settings = JustLogicParameters.model_validate_json(parameters)
    depth = three[1]
    draws = Draws(_THREES_STREAM, *three)
    source = Propositions(draws, settings)
    asked, used = (draws.below(2), 1) if depth == 1 else (source.fresh(), source.used)
    found: dict[tuple[Any, ...], dict[Label, _Drawn]] = {}
    for attempt in range(_ATTEMPTS_AT_THREE):
        label = LABELS[attempt % len(LABELS)]
        drawn = _draw_mentioned(label, asked, used, depth, draws, settings)
        if drawn is None:
            continue
        alike = found.setdefault(countable(drawn.query, drawn.argument.premises, depth), {})
        alike.setdefault(label, drawn)
        if len(alike) == len(LABELS):
            return alike
    raise _too_narrow(depth, _ATTEMPTS_AT_THREE)


def _draw_mentioned(
    label: Label, asked: Proposition, used: int, depth: int, draws: Draws, parameters: JustLogicParameters
) -> _Drawn | None:
    """Draw an argument that also speaks of other statements, which it leaves open; ``None`` if this one does not."""
    own = tuple((atom, atom) for atom in atoms_of(asked))
    flipped = draws.chance(0.5) if label == "uncertain" else label == "false"
    conclusion = negated(asked) if flipped else asked
    argument = draw_argument(conclusion, depth, used, draws, parameters)
    other = _open_query(argument, conclusion, (asked, own, conclusion, used), draws)
    if other is None:
        return None
    query, pairs = asked, other[1]
    if label == "uncertain":
        query, pairs = other[0], tuple((left_open, atom) for atom, left_open in pairs)
    return _Drawn(query, pairs, conclusion, argument) if _holds(argument, conclusion, query, label) else None


def countable(query: Proposition, premises: Sequence[Proposition], depth: int) -> tuple[Any, ...]:
    """Return what can be counted of an instance: mentions of the query, premises, negations.

    Of one step all labels get a passage of one form, in which the query is mentioned twice whatever the label: they
    ask for what it concludes, denies or leaves open. Of the seven forms only disjunction elimination allows that. A
    statement is asked, and denied, with probability 1/2, so that whether the passage denies it tells nothing by itself.

    Returns:
        For each atom of the query how often the premises mention it, how often negated and, from three steps on, how
        often in a disjunction; the number of premises and, in pairs, of negations in them. Of one step: how often they
        mention it; the number of premises, of conditionals, of disjunctions and of negations.
    """
    counts = {atom: [0, 0, 0] for atom in atoms_of(query)}
    connectives = {IF: 0, OR: 0, NOT: 0}
    denied = 0

    def visit(part: Proposition, either: bool) -> None:
        nonlocal denied
        if type(part) is not int:
            connectives[part[0]] += 1
            for inner in part[1:]:
                visit(inner, either or part[0] == OR)
            return
        denied += part & 1
        if part >> 1 in counts:
            counts[part >> 1][0] += 1
            counts[part >> 1][1] += part & 1
            counts[part >> 1][2] += either and depth > 2

    for premise in premises:
        visit(premise, False)
    negations = denied + connectives[NOT]
    if depth == 1:
        mentions = tuple([count[0] for count in counts.values()])
        return (mentions, len(premises), connectives[IF], connectives[OR], negations)
    return (tuple(map(tuple, counts.values())), len(premises), negations // 2)


def _too_narrow(depth: int, attempts: int) -> DivLogicError:
    return DivLogicError(
        f"params.yaml: no instance of depth {depth} was found in {attempts:,} attempts; give more forms a weight"
        " under 'benchmarks.justlogic.forms'."
    )


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
    """Ask the solver whether the instance is as it should be."""
    verdict = decide(argument.premises, conclusion, query, argument.atoms)
    return verdict.satisfiable and verdict.concluded and verdict.necessary and verdict.label == label


def shard_instances(
    seed: int, shard: int, shards: int, parameters: JustLogicParameters, count: int
) -> Iterator[tuple[int, SymbolicInstance]]:
    """Yield (index, instance) of one shard of consecutive indices."""
    total = count * len(parameters.depths)
    for index in range(total * shard // shards, total * (shard + 1) // shards):
        yield index, draw_instance(seed, index, parameters, count)
