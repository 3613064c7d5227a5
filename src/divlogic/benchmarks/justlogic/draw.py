"""Threes of symbolic instances, one of each label; a three can be had without those before it.

With ``uncertain_query: open`` the three come from *one* argument whose conclusion stands in two premises. The true
instance asks for the conclusion; the false one for the same statement after its sign was turned in every premise; the
uncertain one for a statement that the argument uses on its way, that stands in two premises as well, and stays open.
So forms, premises, statements and their mentions are those of one argument, and
:mod:`~divlogic.benchmarks.justlogic.matching` puts the premises of the three in sentences with the same connectives
and negations. Equal counts are so by construction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from divlogic.benchmarks.justlogic.arguments import Argument, Propositions, draw_argument
from divlogic.benchmarks.justlogic.matching import counted, matched
from divlogic.benchmarks.justlogic.parameters import PER_DEPTH, JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import (
    IF,
    NOT,
    OR,
    Label,
    Proposition,
    atoms_of,
    confirmed,
    is_denied,
    negated,
    nesting,
    substituted,
)
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

LABELS: tuple[Label, ...] = ("true", "false", "uncertain")
SPLITS = ("train", "validation", "test")

_ATTEMPTS = 20_000
_OPPOSITE: dict[Label, Label] = {"true": "false", "false": "true", "uncertain": "uncertain"}
_BLOCK = 10
"""Threes whose instances stand mixed in a split."""
_ORDER_STREAM, _THREES_STREAM = 2, 4


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance before its atoms become statements.

    Attributes:
        split, number: its place; ``number`` is that within depth and split.
        label: what the premises say of the query.
        premises: in text order, those that the argument does not need among them.
        conclusion: what the argument concludes.
        query: what is asked.
        pairs: for each atom of the query, another that gets a statement on a like term (or the same atom: none does).
        steps: form, premises and conclusion of each step, the last inference first.
        atoms: number of atoms.
    """

    split: str
    number: int
    label: Label
    premises: tuple[Proposition, ...]
    conclusion: Proposition
    query: Proposition
    pairs: tuple[tuple[int, int], ...]
    steps: tuple[tuple[str, tuple[Proposition, ...], Proposition], ...]
    atoms: int


@dataclass(frozen=True, slots=True)
class Three:
    """A group of the benchmark: an instance of each label, or fewer where a split is full.

    Attributes:
        index: number of the three within the run.
        depth: argument steps of each instance.
        instances: at most three.
    """

    index: int
    depth: int
    instances: tuple[Instance, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the three as a JSON object."""
        instances = [{name: getattr(one, name) for name in one.__slots__} for one in self.instances]
        return {"index": self.index, "depth": self.depth, "instances": instances}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Three:
        """Build a three from what :meth:`to_json` gave; propositions are lists then, which do as well."""
        return cls(row["index"], row["depth"], tuple(Instance(**one) for one in row["instances"]))


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


def draw(parameters: JustLogicParameters, seed: int, index: int, corpus_source: str = "full") -> Three:
    """Draw the three with the given index: the depths take turns, and each fills its splits in order.

    Raises:
        DivLogicError: the parameters allow no such three.
        StopIteration: there is none of this index.
    """
    number, turn = divmod(index, len(parameters.depths))
    depth = parameters.depths[turn]
    draws = Draws(_THREES_STREAM, seed, depth, number)
    sizes = iter(split_sizes(parameters, corpus_source).items())
    split, size = next(sizes)
    while number >= _threes(size):
        number -= _threes(size)
        split, size = next(sizes)
    make = _draw_matched if parameters.uncertain_query == "open" else _draw_apart
    found = [
        _placed(one, split, place, draws, parameters)
        for one, place in zip(
            make(depth, draws, parameters), _places(seed, depth, split, number, size), strict=True
        )
        if place < size
    ]
    return Three(index, depth, tuple(found))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What is asked of an argument; ``extra`` premises have no part in it."""

    label: Label
    query: Proposition
    pairs: tuple[tuple[int, int], ...]
    conclusion: Proposition
    argument: Argument
    extra: tuple[Proposition, ...]
    atoms: int


def _threes(size: int) -> int:
    return -(-size // len(LABELS))


def _places(seed: int, depth: int, split: str, number: int, size: int) -> list[int]:
    """Return the numbers within depth and split of a three's instances, in the order of labels.

    Ten threes share thirty numbers, in an order that tells nothing. Of the last ones of a split, numbers are left over.
    """
    block, within = divmod(number, _BLOCK)
    threes = min(_BLOCK, _threes(size) - block * _BLOCK)
    order = Draws(seed, _ORDER_STREAM, depth, SPLITS.index(split), block).shuffled(range(3 * threes))
    return [3 * _BLOCK * block + place for place in order[3 * within : 3 * within + 3]]


def _placed(
    drawn: _Drawn, split: str, number: int, draws: Draws, parameters: JustLogicParameters
) -> Instance:
    premises = (*drawn.argument.premises, *drawn.extra)
    if parameters.shuffle_premises:
        premises = tuple(draws.shuffled(premises))
    steps = tuple((step.form, step.premises, step.conclusion) for step in drawn.argument.steps)
    return Instance(
        split,
        number,
        drawn.label,
        premises,
        drawn.conclusion,
        drawn.query,
        drawn.pairs,
        steps,
        drawn.atoms,
    )


def _draw_matched(depth: int, draws: Draws, parameters: JustLogicParameters) -> list[_Drawn]:
    """Draw one argument and make the three instances of it.

    What is asked is drawn first, so that its shape and polarity depend neither on a label nor on what is found.
    """
    wanted = Propositions(draws, parameters).fresh()
    for _ in range(_ATTEMPTS):
        argument = draw_argument(0, depth, 1, draws, parameters, mentioned_twice=True)
        other = _open_statement(argument, draws)
        if other is None or _too_nested(argument, (0, other), wanted, parameters.max_nesting):
            continue
        argument = _evened(argument, other, draws)
        extra, atoms = _extra(argument.atoms, (0, other), draws, parameters.distractors)
        turned = argument.substituted(0, 1, 0)
        members = (
            (argument, 0, 0),
            (turned, 0, 1),
            (turned, other, 1) if draws.chance(0.5) else (argument, other, 0),
        )
        new = matched([((*own.premises, *extra), atom) for own, atom, _ in members], draws)
        if new is not None:
            return [
                _asked(label, wanted, *member, put, extra, atoms, draws)
                for label, member, put in zip(LABELS, members, new, strict=True)
            ]
    raise _too_narrow(depth)


def _open_statement(argument: Argument, draws: Draws) -> int | None:
    """Return an atom that an argument leaves open and that stands in two premises as its conclusion, atom 0, does."""
    standing = _standings(argument)
    if standing[0] is None:
        return None
    for atom in draws.shuffled(range(1, argument.atoms)):
        if (
            standing[atom] == standing[0]
            and confirmed(argument.premises, 0, 2 * atom, argument.atoms) == "uncertain"
        ):
            return atom
    return None


def _standings(argument: Argument) -> list[object]:
    """Return how each atom stands in the premises: the length of both its sentences, its depth there, what these share,
    and how often the other statements of these are mentioned, and whether by themselves.

    It is ``None`` of an atom that is not mentioned in two sentences of one length, once in each.
    """
    spoken = [atoms_of(premise) for premise in argument.premises]
    holders: list[list[int]] = [[] for _ in range(argument.atoms)]
    for number, atoms in enumerate(spoken):
        for atom in atoms:
            holders[atom].append(number)
    found: list[object] = []
    for atom, held in enumerate(holders):
        if len(held) != 2 or held[0] == held[1]:
            found.append(None)
            continue
        first, second = ((len(spoken[at]), counted(argument.premises[at], atom)[3]) for at in held)
        shared = len(set(spoken[held[0]]) & set(spoken[held[1]]))
        others = sorted(
            (len(holders[one]), any(len(spoken[at]) == 1 for at in holders[one]))
            for one in {*spoken[held[0]], *spoken[held[1]]} - {atom}
        )
        found.append((first, shared, others) if first == second else None)
    return found


def _evened(argument: Argument, other: int, draws: Draws) -> Argument:
    """Turn the signs of statements so that of two sentences on what is asked one is odd.

    Conditionals and negations of a sentence are odd together however it is put. The sign of what is asked turns this
    for both sentences, so that only an odd and an even one can have the same counts for every sign.
    """
    holders = [[p for p in argument.premises if atom in atoms_of(p)] for atom in (0, other)]
    even = [sum(sum(counted(p)[1:3]) for p in held) % 2 == 0 for held in holders]
    if not any(even):
        return argument
    turns = {
        atom: [sum(atoms_of(p).count(atom) for p in held) % 2 == 1 for held in holders]
        for atom in draws.shuffled(range(1, argument.atoms))
    }
    for chosen in (*((atom,) for atom in turns), *combinations(turns, 2)):
        if [sum(turns[atom][at] for atom in chosen) % 2 == 1 for at in (0, 1)] == even:
            for atom in chosen:
                argument = argument.substituted(atom, 2 * atom + 1, 2 * atom)
            break
    return argument


def _too_nested(argument: Argument, asked: Sequence[int], wanted: Proposition, most: int) -> bool:
    if type(wanted) is int:
        return False
    return any(
        nesting(substituted(premise, atom, (IF, 0, 0), (IF, 0, 0))) > most
        for atom in asked
        for premise in argument.premises
    )


def _asked(
    label: Label,
    wanted: Proposition,
    argument: Argument,
    atom: int,
    conclusion: Proposition,
    put: Mapping[Proposition, Proposition],
    extra: Sequence[Proposition],
    atoms: int,
    draws: Draws,
) -> _Drawn:
    """Make the instance that asks for an atom of an argument, or for a conditional or disjunction put in its place.

    The answer to a denied query is the opposite of the answer to the query itself.
    """
    others = [one for one in range(argument.atoms) if one != atom]
    argument = argument.reworded(put)
    query: Proposition = 2 * atom
    if type(wanted) is not int:
        kind, *_ = negated(wanted) if is_denied(wanted) else wanted
        query = (kind, 2 * atom, 2 * atoms)
        # English readers do not take *it is not true that if A, then B* for *A, and not B*.
        opposite = (NOT, (OR, 2 * atom + (kind == IF), 2 * atoms))
        argument = argument.substituted(atom, query, opposite)
        conclusion = substituted(conclusion, atom, query, opposite)
        atoms += 1
    asked = list(dict.fromkeys(atoms_of(query)))
    # An argument of two statements has no third one.
    partners = draws.shuffled(others)[: len(asked)] if len(others) >= len(asked) else asked
    if is_denied(wanted):
        query, label = negated(query), _OPPOSITE[label]
    return _Drawn(
        label,
        query,
        tuple(zip(asked, partners, strict=True)),
        conclusion,
        argument,
        tuple(put[premise] for premise in extra),
        atoms,
    )


def _extra(atoms: int, asked: Sequence[int], draws: Draws, count: int) -> tuple[tuple[Proposition, ...], int]:
    """Draw premises that have no part in an argument, and return them and the number of atoms then.

    Each joins a statement of its own to another that is not asked, so that nothing new follows of the old statements.
    """
    known = [atom for atom in range(atoms) if atom not in asked]
    found = []
    for _ in range(count):
        if not known:
            known, atoms = [atoms], atoms + 1
        found.append((OR, 2 * draws.pick(known) + draws.below(2), 2 * atoms + draws.below(2)))
        known, atoms = [*known, atoms], atoms + 1
    return tuple(found), atoms


def _draw_apart(depth: int, draws: Draws, parameters: JustLogicParameters) -> list[_Drawn]:
    """Draw an instance of each label on its own.

    Arguments whose premises contradict each other, are not all needed, or do not bear the label out are drawn again;
    the query is not, so that what can be argued for does not change how queries are distributed.
    """
    found = []
    for label in LABELS:
        query, pairs, conclusion, used = _draw_query(label, draws, parameters)
        for _ in range(_ATTEMPTS):
            argument = draw_argument(conclusion, depth, used, draws, parameters)
            if confirmed(argument.premises, conclusion, query, argument.atoms) == label:
                break
        else:
            raise _too_narrow(depth)
        spoken = {atom for pair in pairs for atom in pair}
        extra, atoms = _extra(argument.atoms, sorted(spoken), draws, parameters.distractors)
        found.append(_Drawn(label, query, pairs, conclusion, argument, extra, atoms))
    return found


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
    # The conclusion speaks of like terms by other statements.
    conclusion = drawn
    for atom in own:
        other = 2 * (atom + source.used)
        conclusion = substituted(conclusion, atom, other, other + 1)
    if parameters.polarity == "query" and draws.chance(0.5):
        conclusion = negated(conclusion)
    return drawn, tuple((atom, atom + source.used) for atom in own), conclusion, 2 * source.used


def _too_narrow(depth: int) -> DivLogicError:
    return DivLogicError(
        f"params.yaml: no instance of depth {depth} was found in {_ATTEMPTS:,} attempts; give more forms a weight"
        " under 'benchmarks.justlogic.forms'."
    )


def drawn(run: Any, shard: int, shards: int) -> Iterator[dict[str, Any]]:
    """Yield the threes of one shard as rows."""
    parameters = run.benchmarks.justlogic
    for index in range(shard, groups(parameters, run.corpus_source), shards):
        yield draw(parameters, run.seed, index, run.corpus_source).to_json()
