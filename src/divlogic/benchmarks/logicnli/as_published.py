"""The construction as published, beside the release: how deep random theories are, and what needs no reasoning in them.

Drawn symbolically in every run, whatever the preset, so that the printed scores can be read against their floors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from divlogic.benchmarks.logicnli.forms import ground_rules
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.premises import read_premises
from divlogic.benchmarks.logicnli.set_names import FLOOR_COLUMNS
from divlogic.benchmarks.logicnli.sets import SetPlan, plans
from divlogic.benchmarks.logicnli.theories import (
    CONTRADICTION,
    ENTAILMENT,
    LABEL_OF_STATE,
    LABELS,
    PARADOX,
    Group,
)
from divlogic.logic.horn import Program
from divlogic.records import Record

DEEPEST = 4
"""Highest round that the table of depths lists; the release has no deeper theory."""


@dataclass
class Depths:
    """How many statements of each label need how many rounds, and how large the theories' least models are."""

    counts: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    literals: int = 0
    theories: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        return {
            "theories": self.theories,
            "literals": self.literals,
            "counts": {
                label: {str(depth): self.counts[label][depth] for depth in sorted(self.counts[label])}
                for label in LABELS
                if self.counts[label]
            },
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Depths:
        """Build the counts from a JSON object.

        Raises:
            KeyError, TypeError, ValueError: a field is missing or malformed.
        """
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for label, found in row["counts"].items():
            counts[label].update({int(depth): int(count) for depth, count in found.items()})
        return cls(counts, int(row["literals"]), int(row["theories"]))

    def share(self, label: str, depth: int) -> float | None:
        """Return the share of a label's statements that need each number of rounds, in percent."""
        total = self.counts[label].total()
        return 100 * self.counts[label][depth] / total if total else None


def depths_of_release(records: Iterable[Record]) -> Depths:
    """Return the depths of released statements, by their published labels."""
    found = Depths()
    theory = None
    for record in records:
        premises = read_premises(record)
        if record.metadata.get("theory") != theory:
            theory = record.metadata.get("theory")
            found.theories += 1
            found.literals += premises.derivable()
        reached = [side for side in premises.rounds() if side is not None]
        if reached and record.answer is not None:
            found.counts[record.options[record.answer]][max(reached)] += 1
    return found


def depths_of_random(parameters: LogicNLIParameters, theories: int, seed: int) -> Depths:
    """Return the depths of random theories with the published parameters."""
    found = Depths()
    for group in _drawn(_plans(parameters)["train"], theories, seed):
        size = 2 * group.people * group.width
        closure = Program(ground_rules(group.rules, group.people, group.width), size).close(group.facts)
        found.theories += 1
        found.literals += len(closure.reached())
        for item in group.items:
            sides = [
                closure.rounds[one] for one in (item.statement, item.statement ^ 1) if closure.holds(one)
            ]
            if sides:
                found.counts[LABELS[item.label]][max(sides)] += 1
    return found


def depth_rows(measured: Mapping[str, Depths]) -> list[dict[str, Any]]:
    """Return the table of depths: a row per label and depth, a column per source."""
    rows: list[dict[str, Any]] = []
    for label in (LABELS[ENTAILMENT], LABELS[CONTRADICTION], LABELS[PARADOX]):
        for depth in range(DEEPEST + 1):
            shares = {name: found.share(label, depth) for name, found in measured.items()}
            rows.append({"label": label, "depth": depth, **shares})
    mean = {name: found.literals / found.theories for name, found in measured.items() if found.theories}
    return [*rows, {"label": "literals of the least model", "depth": None, **mean}]


def floor_rows(
    parameters: LogicNLIParameters, groups: int, seed: int, rounds: Sequence[int]
) -> list[dict[str, Any]]:
    """Return what needs no reasoning, and what some rounds of it give, on the sets as published, in percent.

    ``sign of the statement``: the most frequent label of positive and of denied statements, counted on the set itself.
    """
    found = _plans(parameters)
    right: dict[str, dict[str, float]] = defaultdict(dict)
    for name in FLOOR_COLUMNS:
        asked = list(_asked(_drawn(found[name], groups, seed)))
        labels = {
            sign: Counter(label for denied, label, _ in asked if denied == sign) for sign in (False, True)
        }
        shares = {"sign of the statement": sum(max(one.values(), default=0) for one in labels.values())}
        for k in rounds:
            title = "statement looked up in the facts" if not k else f"{k} round{'s' * (k > 1)} of chaining"
            shares[title] = sum(
                LABEL_OF_STATE[sides[0] <= k, sides[1] <= k] == label for _, label, sides in asked
            )
        for system, count in shares.items():
            right[system][name] = 100 * count / len(asked)
    return [{"system": system, **values} for system, values in right.items()]


def _plans(parameters: LogicNLIParameters) -> dict[str, SetPlan]:
    chosen = parameters.model_copy(update={"preset": "as_published"})
    return {plan.name: plan for plan in plans(chosen, "full")}


def _drawn(plan: SetPlan, groups: int, seed: int) -> Iterator[Group]:
    for number in range(-(-min(groups, plan.groups) // plan.per_block)):
        yield from plan.block(number, seed)


def _asked(groups: Iterable[Group]) -> Iterator[tuple[bool, int, tuple[int, int]]]:
    """Yield for each item whether its statement is denied, its label, and the rounds of statement and opposite."""
    for group in groups:
        size = 2 * group.people * group.width
        rounds = Program(ground_rules(group.rules, group.people, group.width), size).close(group.facts).rounds
        for item in group.items:
            yield bool(item.statement & 1), item.label, (rounds[item.statement], rounds[item.statement ^ 1])
