"""Square quartets: labels, the theorem by enumeration, what must be equal, and mutants that make it unequal."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest

from divlogic.benchmarks.divlogiceval.invariants import told_by_a_quartet
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import IMPLICATION, OR, formula
from divlogic.benchmarks.divlogiceval.quartets import draw_quartet
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.benchmarks.divlogiceval.square import (
    CORNERS,
    draw_plan,
    draw_signs,
    draw_square,
    passage,
)
from divlogic.draws import Draws
from divlogic.logic import entails

NUMBERS = range(25)


def quartets(rounds=2, kinds=QUESTION_TYPES):
    """Yield (question type, quartet)."""
    settings = DivLogicEvalParameters(rounds={rounds: 1.0})
    for kind, number in product(kinds, NUMBERS):
        yield kind, draw_quartet(kind, 17, number, settings)


@pytest.mark.parametrize(
    ("kind", "variables"), [("3c1e", 12), ("3e1c", 12), ("missing_premise", 14)]
)
def test_a_quartet_of_two_rounds_has_twelve_one_way_sentences(kind, variables):
    for _, quartet in quartets(kinds=[kind]):
        used = set()
        for premises in quartet.passages:
            assert len(premises) == 12 and {rule for rule, *_ in premises} == {IMPLICATION}
            # No rule has its converse beside it, which would make it hold both ways.
            clauses = {frozenset((before ^ 1, behind)) for _, before, behind in premises}
            assert not clauses & {frozenset(one ^ 1 for one in own) for own in clauses}
            used |= {literal >> 1 for _, *literals in premises for literal in literals}
        assert len(used) == variables


def implications(premises, reader):
    """Return what a reader takes each rule to say, as literal -> literals."""
    edges = {}

    def add(before, behind):
        edges.setdefault(before, set()).add(behind)

    for _, before, behind in premises:
        if reader in ("correct", "iff", "forward only"):
            add(before, behind)
        if reader in ("correct", "iff"):
            add(behind ^ 1, before ^ 1)
        if reader in ("iff", "converse"):
            add(behind, before)
        if reader == "iff":
            add(before ^ 1, behind ^ 1)
    return edges


def derives(premises, option, reader):
    edges = implications(premises, reader)

    def reached(start):
        found, left = {start}, [start]
        while left:
            new = edges.get(left.pop(), set()) - found
            found |= new
            left += new
        return found

    _, before, behind = option
    return behind in reached(before) or before ^ 1 in reached(behind ^ 1)


def seen_by(quartet, premises, reader):
    """Return for each option whether it follows, or makes the conclusion follow, to a reader."""
    if quartet.conclusion is None:
        return [derives(premises, option, reader) for option in quartet.options]
    contrapositive = [(rule, behind ^ 1, before ^ 1) for rule, before, behind in quartet.options]
    return [
        derives([*premises, *both], quartet.conclusion, reader)
        for both in zip(quartet.options, contrapositive, strict=True)
    ]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_who_reads_rules_backwards_or_both_ways_or_as_said_only_cannot_tell_the_options_apart(
    rounds,
):
    for kind, quartet in quartets(rounds):
        for answer, premises in enumerate(quartet.passages):
            for reader in ("iff", "converse", "forward only"):
                assert len(set(seen_by(quartet, premises, reader))) == 1
            expected = [(at == answer) != (kind == "3e1c") for at in range(4)]
            assert seen_by(quartet, premises, "correct") == expected


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_single_sentences_and_pairs_are_equal_in_all_options_of_every_quartet(rounds):
    for _, quartet in quartets(rounds):
        assert list(told_by_a_quartet(quartet)) == []


@pytest.mark.parametrize("kind", QUESTION_TYPES)
@pytest.mark.parametrize("rounds", [1, 2])
def test_any_t_sentences_are_independent_of_the_answer(kind, rounds):
    """Enumerate all drawings of the members: on any t places the sentences have one histogram for every answer."""
    plan = draw_plan(kind, rounds, Draws(rounds, QUESTION_TYPES.index(kind)))
    drawings = {corner: [] for corner in CORNERS}
    for crossed in product((False, True), repeat=2 * rounds):
        for odd_corner in CORNERS:
            upper = (sum(crossed[:rounds]) + odd_corner[0]) % 2
            lower = (sum(crossed[rounds:]) + odd_corner[1]) % 2
            drawings[upper, lower].append(passage(plan, crossed, odd_corner))
    assert len({len(own) for own in drawings.values()}) == 1
    for places in combinations(range(4 * rounds + 4), rounds):
        histograms = [
            Counter(tuple(one[place] for place in places) for one in own)
            for own in drawings.values()
        ]
        assert all(histogram == histograms[0] for histogram in histograms)
    together = [Counter(own) for own in drawings.values()]
    assert not (together[0] & together[1])


@pytest.mark.parametrize("corner", CORNERS)
def test_the_signs_of_a_member_are_uniform_among_those_that_make_its_option_the_odd_one(corner):
    draws = Draws(3)
    count = 8000
    found = Counter(draw_signs(corner, 2, draws) for _ in range(count))
    fitting = [
        (crossed, odd_corner)
        for crossed in product((False, True), repeat=4)
        for odd_corner in CORNERS
        if (sum(crossed[:2]) % 2, sum(crossed[2:]) % 2)
        == (corner[0] ^ odd_corner[0], corner[1] ^ odd_corner[1])
    ]
    assert set(found) == set(fitting)
    # Five standard deviations of a count with probability 1/16.
    expected = count / len(fitting)
    assert all(abs(number - expected) < 5 * expected**0.5 for number in found.values())


@pytest.mark.parametrize("kind", QUESTION_TYPES)
def test_the_options_of_a_quartet_are_worded_alike(kind):
    for _, quartet in quartets(kinds=[kind]):
        signs = {(before & 1, behind & 1) for _, before, behind in quartet.options}
        assert len(signs) == 1


# Three leaks that were met when the construction was sought. Each must be found by the check of equality.


def planned(kind):
    """Yield (plan, quartet)."""
    for number in NUMBERS:
        seed = (QUESTION_TYPES.index(kind), number)
        # The plan is what a quartet draws first.
        yield draw_plan(kind, 2, Draws(*seed)), draw_square(kind, 2, Draws(*seed))


def with_free_signs(plan, quartet):
    """Give the two lanes of one level different signs, so that a sign names the lane."""
    variable = plan.upper[1][0] >> 1

    def turned(one):
        rule, *literals = one
        return (rule, *[literal ^ (literal >> 1 == variable) for literal in literals])

    passages = [tuple(map(turned, premises)) for premises in quartet.passages]
    return replace(quartet, passages=tuple(passages))


def joint_literals(plan):
    """Return the literals of the stops and of the conclusion, as the rules of the joint have them."""
    return {*plan.upper[-1], *plan.lower[-1], *(plan.conclusion or ())}


def joint_of(plan, premises):
    """Return the places of the sentences of the joint."""
    variables = {literal >> 1 for literal in joint_literals(plan)}
    return [
        place
        for place, (_, *literals) in enumerate(premises)
        if {literal >> 1 for literal in literals} <= variables
    ]


def with_one_coin_for_the_joint(plan, quartet):
    """Word all rules of a joint as they run: the order of the words tells the odd one, without any sign."""
    passages = []
    for premises in quartet.passages:
        own = list(premises)
        for place in joint_of(plan, premises):
            rule, before, behind = own[place]
            if before not in joint_literals(plan):
                own[place] = (rule, behind ^ 1, before ^ 1)
        passages.append(tuple(own))
    return replace(quartet, passages=tuple(passages))


def with_compound_rules_at_the_joint(plan, quartet):
    """Say two rules of a joint with one head in one sentence, which names the stop."""
    passages = []
    for premises in quartet.passages:
        own = list(premises)
        for one, other in combinations(joint_of(plan, premises), 2):
            if compound := in_one_sentence(own[one], own[other]):
                own[one] = compound
                del own[other]
                break
        passages.append(tuple(own))
    return replace(quartet, passages=tuple(passages))


def in_one_sentence(one, other):
    """Return two rules with one head as one; ``None`` if they have none, contraposed or not."""
    for (_, before, behind), (_, last_before, last_behind) in product(
        (one, contraposed(one)), (other, contraposed(other))
    ):
        if behind == last_behind:
            return (OR, before, last_before, behind)
    return None


def contraposed(one):
    rule, before, behind = one
    return (rule, behind ^ 1, before ^ 1)


FIND = {
    with_free_signs: QUESTION_TYPES,
    with_one_coin_for_the_joint: QUESTION_TYPES,
    # No two rules of the joint of a missing premise have one head.
    with_compound_rules_at_the_joint: ("3c1e", "3e1c"),
}


@pytest.mark.parametrize(
    ("mutant", "kind"), [(mutant, kind) for mutant, kinds in FIND.items() for kind in kinds]
)
def test_each_leak_is_found(mutant, kind):
    found = [list(told_by_a_quartet(mutant(*drawn))) for drawn in planned(kind)]
    # Of 64 quartets one has the same odd rule in all members; a word order alone tells nothing there.
    assert sum(map(bool, found)) >= len(found) - 3


@pytest.mark.parametrize("mutant", FIND)
def test_a_mutant_is_no_other_passage_but_for_free_signs(mutant):
    for plan, quartet in list(planned("3c1e"))[:3]:
        mutated = mutant(plan, quartet).passages
        for premises, changed in zip(quartet.passages, mutated, strict=True):
            before, after = (list(map(formula, own)) for own in (premises, changed))
            assert premises != changed
            if mutant is not with_free_signs:
                assert all(entails(before, one) for one in after)
                assert all(entails(after, one) for one in before)
