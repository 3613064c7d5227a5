"""Faults that a generator of this kind may have are found by the checker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from divlogic.benchmarks.logicnli import theories
from divlogic.logic.horn import Clause, contrapositives, ground
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

Ground = Callable[..., list[Clause]]


def contraposition(*args: Any, **options: Any) -> list[Clause]:
    clauses = ground(*args, **options)
    return [*clauses, *contrapositives(clauses)]


def equivalence_one_way(*args: Any, **options: Any) -> list[Clause]:
    return ground(*args, **{**options, "equivalence": False})


def exclusive_or(*args: Any, **options: Any) -> list[Clause]:
    clauses = ground(*args, **options)
    if not options["disjunctive"]:
        return clauses
    pairs = zip(clauses[::2], clauses[1::2], strict=True)
    return [
        (tuple(sorted({*one[0], *(literal ^ 1 for literal in other[0])})), one[1], one[2])
        for first, second in pairs
        for one, other in ((first, second), (second, first))
    ]


def someone_of_two_people(
    scope: str, premise: tuple[int, ...], conclusion: tuple[int, ...], **options: Any
) -> list[Clause]:
    if scope != "exist" or len(premise) == 1 or options["disjunctive"]:
        return ground(scope, premise, conclusion, **options)  # type: ignore[arg-type]
    offsets = range(0, 2 * options["width"] * options["people"], 2 * options["width"])
    return [
        ((one + premise[0], other + premise[1]), conclusion, options["rule"])
        for one in offsets
        for other in offsets
    ]


def lost_side_premise(*args: Any, **options: Any) -> list[Clause]:
    return [(body[:1], heads, rule) for body, heads, rule in ground(*args, **options)]


@pytest.mark.parametrize(
    "mutant",
    [contraposition, equivalence_one_way, exclusive_or, someone_of_two_people, lost_side_premise],
)
def test_a_wrong_reading_of_rules_is_found(mutant: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theories, "ground", mutant)
    rows = made_rows("train", 8, preset="as_published")
    assert any("label" in problem for row in rows for problem in checker.problems(row))
