"""Quartets: four items with the same rules, statement and bag of words, and four different labels.

Each of the four states of a skeleton has two whole and two broken leaves, so that a reader of words only is right once
in four; and a reader who chains fewer rounds than the depth reaches neither the statement nor its opposite.
"""

from __future__ import annotations

from dataclasses import dataclass

from divlogic.benchmarks.logicnli.skeletons import STATES, Noise, QuartetShape, Skeleton
from divlogic.benchmarks.logicnli.theories import Chooser, Group, JudgedStatement
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

_TRIES = 20_000


@dataclass(frozen=True, slots=True)
class QuartetSet:
    """A set of quartets of given depths.

    Attributes:
        name: name of the set.
        stream: number that sets its draws apart from those of other sets.
        shape: what a quartet holds.
        depths: rules per chain, in turn.
        labels: labels whose items are kept.
    """

    name: str
    stream: int
    shape: QuartetShape
    depths: tuple[int, ...]
    labels: tuple[int, ...] = (0, 1, 2, 3)

    per_block = 1

    def block(self, index: int, seed: int) -> list[Group]:
        """Draw one quartet.

        Raises:
            DivLogicError: the shape leaves no room for a chain of this depth.
        """
        draws = Draws(seed, self.stream, index)
        depth = self.depths[index % len(self.depths)]
        chooser = Chooser(self.shape.weights)
        for _ in range(_TRIES):
            skeleton = Skeleton(draws, self.shape, chooser)
            noise = skeleton.draw(depth)
            if noise is not None:
                return [self._group(index, depth, skeleton, noise)]
        shape = self.shape
        raise DivLogicError(
            f"benchmarks.logicnli, set {self.name}: in {_TRIES:,} tries no quartet of depth {depth} fits into"
            f" {shape.people} people, {shape.predicates} predicates, {shape.facts} facts and {shape.rules} rules;"
            " allow more of them, or smaller depths."
        )

    def _group(self, index: int, depth: int, skeleton: Skeleton, noise: list[Noise]) -> Group:
        draws, shape = skeleton.draws, self.shape
        facts = draws.shuffled(range(len(skeleton.facts)))
        rules = draws.shuffled(range(len(skeleton.rules)))
        items: list[JudgedStatement] = []
        for place, label in enumerate(draws.shuffled(self.labels)):
            flips = skeleton.flips(STATES[label])
            flipped = tuple([at for at, number in enumerate(facts) if number in flips])
            item = JudgedStatement(skeleton.statement, label, depth, flipped, noise=len(noise))
            if not shape.noise:
                items.append(item)
            for count in shape.noise:
                dropped = set(noise[count:])
                items.append(
                    item._replace(
                        facts=_kept("fact", facts, dropped),
                        rules=_kept("rule", rules, dropped),
                        base=place,
                        noise=count,
                    )
                )
        return Group(
            self.name,
            index,
            shape.people,
            shape.predicates,
            tuple([skeleton.facts[number] for number in facts]),
            tuple([skeleton.rules[number] for number in rules]),
            tuple(items),
            quartet=True,
            closed=skeleton.closed,
            reading=shape.reading,
        )


def _kept(kind: str, numbers: list[int], dropped: set[Noise]) -> tuple[int, ...]:
    """Return the places of the sentences of a kind that are not dropped."""
    return tuple([place for place, number in enumerate(numbers) if (kind, number) not in dropped])
