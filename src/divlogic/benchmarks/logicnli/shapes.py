"""What a quartet holds, and the plan of a chain before its literals are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from divlogic.benchmarks.logicnli.forms import FORMS, Form
from divlogic.benchmarks.logicnli.theories import Chooser
from divlogic.draws import Draws

Signs = Choice["fair", "positive", "one_negative"]
"""Signs of inner literals: by fair coins, all positive, or one negative literal in each rule."""

Kind = Choice["fact", "rule"]

Noise = tuple[Kind, int]
"""A noise sentence: its kind and its number among the facts or rules."""


@dataclass(frozen=True, slots=True)
class QuartetShape:
    """What a quartet holds.

    Attributes:
        people: number of persons.
        predicates: number of properties.
        facts: number of facts, noise included.
        rules: number of rules, noise included.
        weights: relative frequency of each class of rules.
        signs: signs of inner literals.
        reading: ``both`` if E, C and N shall also hold in classical logic.
        noise: numbers of noise sentences, ascending, that make variants of each item. If there are any, ``facts`` and
            ``rules`` do not count: half of the noise is facts, half is rules.
        mirrored: whether each rule of a chain has a mirror, and noise is kept only if its mirror could be.
    """

    people: int
    predicates: int
    facts: int
    rules: int
    weights: Mapping[int, float]
    signs: Signs = "fair"
    reading: Choice["both", "signed"] = "signed"
    noise: tuple[int, ...] = ()
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """A chain before its literals are drawn.

    Attributes:
        links: class of each rule, and whether an equivalence is used from its conclusion to its premise.
        people: of whom the leaf and each conclusion speak.
    """

    links: list[tuple[Form, bool]]
    people: list[int]

    @classmethod
    def of_chain(cls, depth: int, person: int, people: int, chooser: Chooser, draws: Draws) -> ChainPlan:
        """Draw classes by weight; rules about all persons keep the person, other rules change it freely."""
        forms = [FORMS[chooser.draw(draws)] for _ in range(depth)]
        persons = [person]
        for form in reversed(forms):
            persons.append(persons[-1] if form.scope == "all" else draws.below(people))
        return cls([(form, form.equivalence and draws.chance(0.5)) for form in forms], persons[::-1])
