"""The sets of LogicNLI: A (accuracy), R (robustness), G (generalisation), T (traceability), d and the connectives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from divlogic.benchmarks.logicnli import theories
from divlogic.benchmarks.logicnli.lanes import Shape
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.quartets import QuartetSet
from divlogic.benchmarks.logicnli.random_theories import HopSet, StatementSet, TheoryShape
from divlogic.benchmarks.logicnli.set_names import CONNECTIVE_SETS, DRAWN_SETS, kind_of, pool_of

_FOUR = (theories.ENTAILMENT, theories.CONTRADICTION, theories.NEUTRAL, theories.PARADOX)
_THREE = (theories.ENTAILMENT, theories.CONTRADICTION, theories.NEUTRAL)

_PUBLISHED: dict[str, int] = {**theories.PRINTED["sizes"], **dict.fromkeys(CONNECTIVE_SETS, 1_500)}


@dataclass(frozen=True, slots=True)
class SetPlan:
    """One set, how much of it is drawn, and its rough time per block, by which work is cut into even shards."""

    name: str
    source: StatementSet | HopSet | QuartetSet
    groups: int
    cost: float = 1.0

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return -(-self.groups // self.source.per_block)

    def block(self, number: int, seed: int) -> list[theories.Group]:
        """Draw one block of groups, as far as the set has them."""
        return [group for group in self.source.block(number, seed) if group.index < self.groups]


def plans(parameters: LogicNLIParameters, corpus_source: str) -> list[SetPlan]:
    """Return the sets of the chosen preset, in the order of the release."""
    if parameters.preset == "as_published":
        return _published(parameters)
    return _balanced(parameters, corpus_source == "full")


def draw(
    parameters: LogicNLIParameters, seed: int, index: int, name: str = "test"
) -> theories.Group:
    """Draw one group of a set; no other group is drawn for it, but the block of :class:`HopSet` that holds it."""
    plan = next(plan for plan in plans(parameters, "full") if plan.name == name)
    block, place = divmod(index, plan.source.per_block)
    return plan.source.block(block, seed)[place]


def draw_shard(sets: list[SetPlan], shard: int, shards: int, seed: int) -> Iterator[theories.Group]:
    """Yield the groups of one shard; the shards in their order are the sets in their order, however many there are."""
    bounds = list(accumulate((plan.blocks * plan.cost for plan in sets), initial=0.0))
    total = bounds[-1]
    for plan, before in zip(sets, bounds, strict=False):
        for number in range(plan.blocks):
            # The same sum decides for every shard, so that each block lands in exactly one.
            if (
                min(int((before + (number + 0.5) * plan.cost) * shards / total), shards - 1)
                == shard
            ):
                yield from plan.block(number, seed)


_SIZES = ("people", "predicates", "facts", "rules")
"""What parameters and shapes of theories call by the same names."""


def _published(parameters: LogicNLIParameters) -> list[SetPlan]:
    settings = parameters.as_published
    given = {size: getattr(settings, size) for size in _SIZES}
    base = TheoryShape(**given, weights=parameters.forms, max_rounds=settings.max_rounds)
    degraded = replace(
        base, facts=settings.degraded_facts, rules=settings.degraded_rules, paradox=False
    )
    # A theory of 24 sentences that is 6 hops deep almost always holds some paradox, so that the deep sets of d only
    # leave paradoxical statements out.
    deep = replace(base, facts=settings.deep_facts, rules=settings.deep_rules, max_rounds=None)
    found: list[SetPlan] = []
    for stream, name in enumerate(DRAWN_SETS):
        three = name.startswith(("d_", "fol_"))
        labels = _THREE if three else _FOUR
        source: StatementSet | HopSet
        items, cost = 1, 1.0
        if name.endswith("test_g"):
            source = HopSet(name, stream, deep, labels, tuple(settings.hops))
            cost = 20.0
        elif name.endswith("test_t"):
            traced = tuple(label for label in labels if label != theories.NEUTRAL)
            source = HopSet(name, stream, deep, traced, (settings.traced_hops,))
            cost = 3.0
        else:
            shape = degraded if three else base
            sizes: list[int] = []
            if name.startswith("fol_"):
                connective = name.removeprefix("fol_")
                rules = theories.PRINTED["connectives"][connective][2] - settings.deep_facts
                shape = replace(
                    deep, rules=rules, weights=_weights(connective), signs=connective == "not"
                )
            elif name.endswith("_r"):
                sizes = settings.degraded_sizes if three else settings.sizes
                cost = 5.0
            source = StatementSet(name, stream, shape, labels, settings.statements, tuple(sizes))
            items = settings.statements * len(labels) * max(1, len(sizes))
        # In whole millionths, so that no rounding of floats makes one more.
        size = max(1, -(-int(_PUBLISHED[name] * settings.share * 1_000_000) // 1_000_000))
        found.append(SetPlan(name, source, -(-size // items), cost))
    return found


def _balanced(parameters: LogicNLIParameters, full: bool) -> list[SetPlan]:
    settings = parameters.balanced
    found: list[SetPlan] = []
    for stream, name in enumerate(DRAWN_SETS, start=len(DRAWN_SETS)):
        kind = kind_of(name).removeprefix("d-")
        degraded, pool = name.startswith("d_"), pool_of(name)
        given = {size: getattr(settings, size) for size in _SIZES}
        shape = Shape(**given, weights=parameters.forms, reading=settings.reading)
        labels: tuple[int, ...] = _THREE if degraded else _FOUR
        depths, cost = tuple(settings.depths), 2.0
        if kind in ("G", "T"):
            shape = replace(
                shape, **{size: getattr(settings, f"deep_{size}") for size in _SIZES[1:]}
            )
            depths, cost = tuple(settings.deep_depths), 6.0
            if kind == "T":
                shape = replace(shape, rules=settings.traced_rules, mirrored=True)
                depths = (settings.traced_depth,)
                labels = tuple(label for label in labels if label != theories.NEUTRAL)
        elif kind == "R":
            shape, cost = replace(shape, noise=tuple(settings.noise)), 10.0
        elif kind in theories.CONNECTIVES:
            shape = replace(
                shape,
                predicates=settings.deep_predicates,
                weights=_weights(kind),
                signs="one_negative" if kind == "not" else "positive",
                # A broken leaf of an equivalence is, by contraposition, the opposite of what the chain concludes.
                reading="signed" if kind == "equivalent" else settings.reading,
            )
        per_depth = _per_depth(parameters, kind, degraded, pool, full)
        source = QuartetSet(name, stream, shape, depths, labels)
        found.append(SetPlan(name, source, per_depth * len(depths), cost))
    return found


def _per_depth(
    parameters: LogicNLIParameters, kind: str, degraded: bool, pool: str, full: bool
) -> int:
    settings = parameters.balanced
    if degraded and settings.degraded_quartets is not None:
        return settings.degraded_quartets
    if degraded and not full:
        return 2
    train = pool == "train"
    given, in_full, embedded = {
        "A": (settings.quartets, 800 if train else 100, 50),
        "R": (settings.robust_quartets, 600 if train else 100, 2),
        "G": (settings.deep_quartets, 206, 10),
        "T": (settings.traced_quartets, 2_013, 50),
    }.get(kind, (settings.connective_quartets, 75, 2))
    return given or (in_full if full else embedded)


def _weights(connective: str) -> dict[int, float]:
    return {code: theories.FORMS[code].weight for code in theories.CONNECTIVES[connective]}


def drawn(run: Any, shard: int, shards: int) -> Iterator[dict[str, Any]]:
    """Yield the symbolic groups of one shard as rows."""
    sets = plans(run.benchmarks.logicnli, run.corpus_source)
    return (group.to_json() for group in draw_shard(sets, shard, shards, run.seed))
