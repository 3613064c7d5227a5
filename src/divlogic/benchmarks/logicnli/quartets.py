"""Quartets: four items with the same rules, statement and words, and four different labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from divlogic.benchmarks.logicnli import theories
from divlogic.benchmarks.logicnli.lanes import CHAINS, LANES, Core, Shape, TooSmallError, drawn_core
from divlogic.benchmarks.logicnli.noise import Noise, Sentence
from divlogic.benchmarks.logicnli.theories import STATES
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

_TRIES = 200


@dataclass(frozen=True, slots=True)
class QuartetSet:
    """A set of quartets of given depths.

    Attributes:
        stream: number that sets its draws apart from those of other sets.
        depths: rounds per chain, in turn.
    """

    name: str
    stream: int
    shape: Shape
    depths: tuple[int, ...]
    labels: tuple[int, ...] = (0, 1, 2, 3)

    per_block = 1

    def block(self, index: int, seed: int) -> list[theories.Group]:
        """Draw one quartet."""
        draws, shape = Draws(seed, self.stream, index), self.shape
        depth = self.depths[index % len(self.depths)]
        for _ in range(_TRIES):
            try:
                core = drawn_core(draws, shape, depth)
            except TooSmallError as error:
                raise DivLogicError(f"benchmarks.logicnli, set {self.name}: {error}") from error
            noise = Noise(core)
            if noise.fill():
                return [self._group(index, core, noise)]
        raise DivLogicError(
            f"benchmarks.logicnli, set {self.name}: in {_TRIES:,} tries no quartet of depth {depth} fits into"
            f" {shape.people} people, {shape.predicates} predicates, {shape.facts} facts and {shape.rules} rules;"
            " allow more of them, or smaller depths."
        )

    def _group(self, index: int, core: Core, noise: Noise) -> theories.Group:
        draws, shape = core.draws, self.shape
        facts = draws.shuffled(range(len(noise.facts)))
        order = draws.shuffled(range(len(noise.rules)))
        labels = draws.shuffled(self.labels)
        # The coins are tossed last: all that is drawn, shown or refused is the same however they fall.
        rules, turned = _crossed(core, noise)
        items: list[theories.JudgedStatement] = []
        for place, label in enumerate(labels):
            flips = [
                number
                for chain in CHAINS
                if STATES[label][chain] == turned[chain]
                for number in _starting_facts(chain)
            ]
            flipped = tuple([at for at, number in enumerate(facts) if number in flips])
            item = theories.JudgedStatement(
                core.statement, label, core.depth, flipped, noise=len(noise.sentences)
            )
            if not shape.noise:
                items.append(item)
            for count in shape.noise:
                dropped = set(noise.sentences[count:])
                items.append(
                    item._replace(
                        facts=_kept("fact", facts, dropped),
                        rules=_kept("rule", order, dropped),
                        base=place,
                        noise=count,
                    )
                )
        return theories.Group(
            self.name,
            index,
            shape.people,
            shape.predicates,
            tuple([noise.facts[number] for number in facts]),
            tuple([rules[number] for number in order]),
            tuple(items),
            quartet=True,
            closed=noise.closed,
            reading=shape.reading,
            asked=tuple(core.mirrored_atoms),
        )


def _crossed(core: Core, noise: Noise) -> tuple[list[theories.SymbolicRule], list[bool]]:
    """Toss the coins; return all rules, and of each chain whether lane 0 misses its goal."""
    rules, turned = list(noise.rules), []
    place = 0
    for rounds in core.rounds:
        odd = False
        for one in rounds:
            crossed = core.draws.chance(0.5)
            rules[place : place + len(LANES)] = one.rules(crossed, core.shape.span)
            odd ^= crossed
            place += len(LANES)
        turned.append(odd)
    return rules, turned


def _starting_facts(chain: int) -> tuple[int, int]:
    """Return the numbers of the two facts that say which lane of a chain runs."""
    return 2 * chain, 2 * chain + 1


def _kept(kind: str, numbers: Sequence[int], dropped: set[Sentence]) -> tuple[int, ...]:
    """Return the places of the sentences of a kind that are not dropped."""
    return tuple([place for place, number in enumerate(numbers) if (kind, number) not in dropped])
