"""The instances of a quartet differ in nothing but what follows from what."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import (
    IMPLICATION,
    LITERAL,
    Proposition,
    formula,
    proposition_variables,
)
from divlogic.benchmarks.divlogiceval.quartets import premises_needed
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES
from divlogic.benchmarks.divlogiceval.symbolic import draw_instance
from divlogic.errors import DivLogicError
from divlogic.logic import entails, negate, satisfiable

SETTINGS = DivLogicEvalParameters()
ROUNDS = 16


@pytest.fixture(scope="module")
def quartets():
    found = defaultdict(list)
    for index in range(ROUNDS * QUARTET):
        instance = draw_instance(11, index, SETTINGS)
        found[instance.question_type, instance.quartet].append(instance)
    return found


def places(instance):
    """Count how often each variable stands before an arrow, behind one, as a fact and as a denied fact."""
    counts: Counter[tuple[int, str]] = Counter()
    for proposition in instance.premises:
        *before, last = proposition_variables(proposition)
        counts.update((variable, "before") for variable in before)
        if proposition[0] == LITERAL:
            counts[last, "denied" if proposition[1] & 1 else "fact"] += 1
        else:
            counts[last, "behind"] += 1
    return counts


def test_a_quartet_shares_its_options_and_each_is_right_once(quartets):
    assert len(quartets) == ROUNDS * len(QUESTION_TYPES)
    for members in quartets.values():
        assert len({member.options for member in members}) == 1
        assert len({member.conclusion for member in members}) == 1
        assert sorted(member.answer for member in members) == [0, 1, 2, 3]


def test_a_quartet_shares_all_that_can_be_counted_of_its_passages(quartets):
    for members in quartets.values():
        assert all(places(member) == places(members[0]) for member in members)
        assert all(
            Counter(p[0] for p in member.premises) == Counter(p[0] for p in members[0].premises)
            for member in members
        )


def test_nothing_that_follows_is_settled_vacuously(quartets):
    checked = 0
    for (kind, _), members in quartets.items():
        for member in members:
            premises = list(map(formula, member.premises))
            for at, option in enumerate(member.options):
                conclusion: Proposition | None = option
                if kind == "missing_premise":
                    if at != member.answer:
                        continue
                    conclusion, given = member.conclusion, [*premises, formula(option)]
                elif (at == member.answer) == (kind == "3c1e"):
                    given = premises
                else:
                    continue
                assert conclusion is not None
                assert satisfiable(given)
                assert not any(entails([one], formula(conclusion)) for one in given)
                if conclusion[0] == IMPLICATION:
                    checked += 1
                    whole = formula(conclusion)
                    assert not entails(given, whole.right)
                    assert not entails(given, negate(whole.left))
    assert checked > 50


def test_no_wrong_option_of_a_missing_premise_is_already_said(quartets):
    for (kind, _), members in quartets.items():
        for member in members if kind == "missing_premise" else ():
            premises = list(map(formula, member.premises))
            assert not any(entails(premises, formula(option)) for option in member.options)


def test_the_premises_needed_are_a_smallest_set():
    chain = ((IMPLICATION, 0, 2), (IMPLICATION, 2, 4), (IMPLICATION, 4, 6), (IMPLICATION, 0, 4), (LITERAL, 0))
    options = ((IMPLICATION, 0, 6), (LITERAL, 9), (LITERAL, 11), (LITERAL, 13))
    assert premises_needed("3c1e", chain, None, options, 0) == 2  # A→C and C→D: not the three of the long way
    assert premises_needed("missing_premise", chain[:1], (IMPLICATION, 0, 4), (chain[1],), 0) == 2
    several = ((LITERAL, 2), (LITERAL, 4), (LITERAL, 6), (LITERAL, 8))
    assert premises_needed("3e1c", (*chain[:3], chain[4]), None, several, 3) == 4  # A, A→B, B→C, C→D


@pytest.mark.parametrize("kind", range(3))
def test_the_number_of_premises_needed_can_be_asked_for(kind):
    settings = DivLogicEvalParameters(premises_needed={3: 1.0})
    for index in range(kind, 3 * QUARTET, 3):
        assert draw_instance(4, index, settings).depth == 3


def test_it_can_be_asked_for_as_published_too():
    settings = DivLogicEvalParameters(preset="as_published", premises_needed={2: 1.0, 3: 2.0})
    depths = Counter(draw_instance(4, index, settings).depth for index in range(0, 240, 3))
    assert set(depths) == {2, 3} and depths[3] > depths[2]


def test_settings_that_allow_no_quartet_are_refused():
    with pytest.raises(ValueError, match="2 premises or more"):
        DivLogicEvalParameters(premises_needed={1: 1.0})
    with pytest.raises(DivLogicError, match="raise 'variables' or 'max_uses_per_variable'"):
        draw_instance(1, 0, DivLogicEvalParameters(variables=3, max_uses_per_variable=2, cap_probability=0.0))
