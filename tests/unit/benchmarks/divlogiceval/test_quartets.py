"""The instances of a quartet differ in nothing but what follows from what; the theorem's invariants, by equality."""

from __future__ import annotations

import functools
from collections import Counter
from itertools import combinations, product

import pytest

from divlogic.benchmarks.divlogiceval import parity
from divlogic.benchmarks.divlogiceval.draw import draw_instance, premises_needed
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import IMPLICATION, LITERAL, NEGATED, formula
from divlogic.benchmarks.divlogiceval.quartets import draw_quartet, parity_setting
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.logic import Binary, Not, entails, negate, satisfiable

SETTINGS = DivLogicEvalParameters()
PARITY = DivLogicEvalParameters(construction="parity")
NUMBERS = range(24)


def drawn(seed, settings, numbers=NUMBERS):
    """Return (question type, quartet) of each type and number."""
    return [
        (kind, draw_quartet(kind, seed, at, settings)) for kind in QUESTION_TYPES for at in numbers
    ]


@pytest.fixture(scope="module", params=["square", "parity"])
def quartets(request):
    """Quartets of one construction."""
    return drawn(11, DivLogicEvalParameters(construction=request.param))


def members(quartets):
    """Yield (question type, quartet, right option, passage, premises as formulas) of each member."""
    for kind, quartet in quartets:
        for answer, passage in enumerate(quartet.passages):
            yield kind, quartet, answer, passage, list(map(formula, passage))


def unsigned(passage):
    return [(kind, *[literal >> 1 for literal in literals]) for kind, *literals in passage]


def signed_counts(passage):
    """Count the literals by the rule and the side of the arrow that they stand on."""
    return Counter(
        (kind, at == len(literals) - 1, literal)
        for kind, *literals in passage
        for at, literal in enumerate(literals)
    )


def test_the_members_of_a_parity_quartet_are_one_passage_without_signs_and_have_the_same_signed_counts():
    for _, quartet, _, passage, _ in members(parity_quartets()):
        assert unsigned(passage) == unsigned(quartet.passages[0])
        assert signed_counts(passage) == signed_counts(quartet.passages[0])


def test_the_stages_of_a_quartet_are_its_variables(quartets):
    for kind, quartet in quartets:
        stated = [*quartet.options, *filter(None, [quartet.conclusion]), *quartet.passages[0]]
        variables = {literal >> 1 for _, *literals in stated for literal in literals}
        assert sorted(v for stage in quartet.stages for v in stage) == sorted(variables), kind


def test_each_option_is_right_in_its_own_passage_only_and_nothing_is_vacuous(quartets):
    for kind, quartet, answer, _, premises in members(quartets):
        assert satisfiable(premises)
        for at, option in enumerate(map(formula, quartet.options)):
            given, goal = premises, option
            if quartet.conclusion is not None:
                given, goal = [*premises, option], formula(quartet.conclusion)
                assert not entails(premises, option) and not entails(premises, goal)
            assert entails(given, goal) == ((at == answer) != (kind == "3e1c"))
            assert isinstance(goal, Binary) and goal.sign == "→"
            assert not entails(given, goal.right) and not entails(given, negate(goal.left))


def test_every_answer_needs_the_same_number_of_premises(quartets):
    for kind, quartet, answer, passage, _ in members(quartets[::8]):
        needed = premises_needed(
            kind,
            premises=passage,
            conclusion=quartet.conclusion,
            options=quartet.options,
            answer=answer,
            universe=1 + max(map(max, quartet.stages)),
        )
        assert needed == quartet.depth


@functools.cache
def parity_quartets():
    return drawn(12, PARITY)


def test_every_premise_of_a_parity_quartet_has_its_twin():
    for *_, passage, _ in members(parity_quartets()):
        assert Counter(passage) == Counter(
            (kind, *[one ^ 1 for one in literals]) for kind, *literals in passage
        )


def test_a_wrong_option_of_a_parity_quartet_follows_with_its_consequent_denied():
    for kind, quartet, answer, _, premises in members(parity_quartets()):
        for at, (_, first, last) in enumerate(quartet.options):
            if kind == "missing_premise":
                fresh, goal = quartet.conclusion[1:]
                ends = {fresh >> 1, goal >> 1}
                if goal >> 1 in {first >> 1, last >> 1}:
                    fresh, goal = goal ^ 1, fresh ^ 1
                assert {first >> 1, last >> 1} & ends == {fresh >> 1}
                first, last = last if first == fresh else first ^ 1, goal
            follows = entails(premises, formula((IMPLICATION, first, last)))
            assert follows == ((at == answer) != (kind == "3e1c"))
            assert entails(premises, formula((IMPLICATION, first, last ^ 1))) != follows


def chains_of(quartet):
    """Return the links of a parity quartet (premises without signs, as pairs) and the mask of each option's chain."""
    links, pairs = [], []
    for kind, *variables in dict.fromkeys(unsigned(quartet.passages[0])):
        for before in variables[:-1]:
            links.append({before, variables[-1]})
            pairs.append((kind, *variables))
    names = sorted(set().union(*links))

    def path(start, goal):
        stack = [(start, 0)]
        while stack:
            at, mask = stack.pop()
            if at == goal:
                return mask
            stack += [
                (next(iter(link - {at})), mask | 1 << number)
                for number, link in enumerate(links)
                if at in link and not mask >> number & 1
            ]
        raise AssertionError("no path")

    masks = []
    for _, first, last in quartet.options:
        ends = [first >> 1, last >> 1]
        if quartet.conclusion is not None:
            shared = set(names) & {one >> 1 for one in quartet.conclusion[1:]}
            ends = [*(set(ends) & set(names)), *shared]
        masks.append(path(*ends))
    return links, pairs, masks, names


def test_chains_and_their_sums_are_as_long_as_promised():
    for kind, quartet in parity_quartets():
        links, pairs, masks, names = chains_of(quartet)
        setting = parity_setting(kind, quartet.depth, PARITY)

        def touched(mask, pairs=pairs):
            return len({pairs[at] for at in range(len(pairs)) if mask >> at & 1})

        assert len(links) == len(names) - 1 == setting.links
        assert {mask.bit_count() for mask in masks} == {quartet.depth - (kind == "missing_premise")}
        assert min(map(touched, masks)) >= setting.least_pairs
        assert min(map(touched, parity.sums_of(masks))) >= setting.kappa
        assert len(list(parity.sums_of(masks))) == 10


def test_whoever_sees_fewer_than_kappa_pairs_of_twins_sees_the_same_for_every_answer():
    """Enumerate all settings of the links: on every pair, the settings of the members have one histogram."""
    for kind, quartet in parity_quartets():
        links, pairs, masks, _ = chains_of(quartet)
        wanted = []
        for answer, passage in enumerate(quartet.passages):
            premises = list(map(formula, passage))
            # The sums of this member, read off its own passage.
            bits = 0
            for at, link in enumerate(links):
                one, other = sorted(link)
                opposite = entails(premises, formula((IMPLICATION, 2 * one, 2 * other + 1)))
                assert opposite != entails(premises, formula((IMPLICATION, 2 * one, 2 * other)))
                bits |= opposite << at
            wanted.append(tuple((bits & mask).bit_count() & 1 for mask in masks))
            assert answer == len(wanted) - 1
        settings = {member: [] for member in wanted}
        assert len(settings) == 4
        for bits in range(1 << len(links)):
            found = tuple((bits & mask).bit_count() & 1 for mask in masks)
            if found in settings:
                settings[found].append(bits)
        kappa = parity_setting(kind, quartet.depth, PARITY).kappa
        for seen in combinations(sorted(set(pairs)), kappa - 1):
            shown = sum(1 << at for at, pair in enumerate(pairs) if pair in seen)
            histograms = [Counter(bits & shown for bits in own) for own in settings.values()]
            assert all(histogram == histograms[0] for histogram in histograms)


def test_the_bits_of_the_links_are_uniform_among_the_solutions():
    masks, wanted = [0b0111, 0b1100], [1, 0]
    draws = Draws(5)
    found = Counter(parity._solve(masks, wanted, 4, draws) for _ in range(4000))
    solutions = [
        bits
        for bits in range(16)
        if all(
            (bits & mask).bit_count() & 1 == right
            for mask, right in zip(masks, wanted, strict=True)
        )
    ]
    assert sorted(found) == solutions
    assert min(found.values()) > 800
    assert parity._solve([0b11, 0b11], [0, 1], 2, draws) is None


def test_the_members_of_a_quartet_follow_one_another_and_share_their_options():
    for start in range(0, 5 * QUARTET, QUARTET):
        for at, kind in enumerate(QUESTION_TYPES):
            members = [draw_instance(11, start + at + 3 * member, SETTINGS) for member in range(4)]
            assert {member.question_type for member in members} == {kind}
            assert (
                len({(member.options, member.conclusion, member.quartet) for member in members})
                == 1
            )
            assert sorted(member.answer for member in members) == [0, 1, 2, 3]


def test_a_quartet_does_not_depend_on_those_before_it():
    assert (
        draw_instance(4, 7 * QUARTET, SETTINGS).options
        == draw_quartet("3c1e", 4, 7, SETTINGS).options
    )


def test_the_premises_needed_are_a_smallest_set():
    chain = (
        (IMPLICATION, 0, 2),
        (IMPLICATION, 2, 4),
        (IMPLICATION, 4, 6),
        (IMPLICATION, 0, 4),
        (LITERAL, 0),
    )
    options = ((IMPLICATION, 0, 6), (LITERAL, 9), (LITERAL, 11), (LITERAL, 13))
    assert (
        premises_needed("3c1e", chain, None, options, 0) == 2
    )  # A→C and C→D: not the three of the long way
    assert premises_needed("missing_premise", chain[:1], (IMPLICATION, 0, 4), (chain[1],), 0) == 2
    several = ((LITERAL, 2), (LITERAL, 4), (LITERAL, 6), (LITERAL, 8))
    assert (
        premises_needed("3e1c", (*chain[:3], chain[4]), None, several, 3) == 4
    )  # A, A→B, B→C, C→D


def test_all_depths_of_parity_quartets_come_up():
    depths = Counter((kind, quartet.depth) for kind, quartet in parity_quartets())
    assert {depth for kind, depth in depths if kind != "missing_premise"} == {2, 3, 4, 5}
    assert {depth for kind, depth in depths if kind == "missing_premise"} == {3, 4}


@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_the_number_of_premises_needed_can_be_asked_for(depth):
    settings = DivLogicEvalParameters(construction="parity", premises_needed={depth: 1.0})
    assert {draw_quartet("3e1c", 4, number, settings).depth for number in range(5)} == {depth}


def test_it_can_be_asked_for_as_published_too():
    settings = DivLogicEvalParameters(preset="as_published", premises_needed={2: 1.0, 3: 2.0})
    depths = Counter(draw_instance(4, index, settings).depth for index in range(0, 240, 3))
    assert set(depths) == {2, 3} and depths[3] > depths[2]


def test_more_than_eight_variables_allow_deeper_quartets_and_more_names():
    settings = DivLogicEvalParameters(construction="parity", variables=12, premises_needed={6: 1.0})
    quartets = drawn(1, settings, range(2))
    assert {quartet.depth for _, quartet in quartets} == {6}
    assert (
        max(
            literal >> 1
            for _, quartet in quartets
            for one in quartet.passages[0]
            for literal in one[1:]
        )
        > 8
    )
    published = DivLogicEvalParameters(variables=10, preset="as_published")
    assert max(v for index in range(30) for v in draw_instance(1, index, published).variables) == 9


CHANGED = {
    "square": {"rounds": {1: 1.0, 3: 1.0}},
    "parity": {
        "variables": 12, "max_uses_per_variable": 8, "rule_weights": {"implication": 0.2, "not_and": 0.8},
        "premises_needed": {3: 1.0}, "links": 7, "compound": 0.2, "kappa": 1, "least_pairs": 1,
    },
    "as_published": {
        "variables": 6, "max_uses_per_variable": 4, "rule_weights": {"implication": 0.2, "not_and": 0.8},
        "premises_needed": {3: 1.0}, "cap_probability": 0.6, "literal_divisor": 4.0, "literal_negation": 0.9,
    },
}  # fmt: skip
CHOSEN = {
    "square": {},
    "parity": {"construction": "parity"},
    "as_published": {"preset": "as_published"},
}
REFUSED = {
    "construction": "parity", "rounds": {3: 1.0}, "lexical_steps": 0, "links": 6, "compound": 0.5, "kappa": 1,
    "least_pairs": 1, "cap_probability": 0.5, "literal_divisor": 2.0, "literal_negation": 0.5,
    "contradictions": {"3c1e": 1.0}, "variables": 12, "max_uses_per_variable": 8,
    "rule_weights": {"implication": 0.2, "not_and": 0.8}, "premises_needed": {3: 1.0},
}  # fmt: skip
WORDED = {
    "verification",
    "max_hypotheses",
    "splits",
    "fresh",
    "audited",
    "shards",
    "polish",
    "preset",
}
WORDING_OF = {
    ("as_published", "contradictions"),
    ("square", "lexical_steps"),
    ("parity", "lexical_steps"),
}
"""Dials that change the wording, not what is drawn: test_wording."""


@pytest.mark.parametrize("chosen", CHOSEN)
def test_every_dial_changes_what_is_drawn_or_is_refused(chosen):
    def drawn_with(**given):
        settings = DivLogicEvalParameters.model_validate(given)
        return [draw_instance(6, at, settings) for at in range(5 * QUARTET)]

    default = drawn_with(**CHOSEN[chosen])
    for name in sorted(set(DivLogicEvalParameters.model_fields) - WORDED):
        if (chosen, name) in WORDING_OF or (name == "construction" and chosen != "as_published"):
            continue
        if name in CHANGED[chosen]:
            assert default != drawn_with(**CHOSEN[chosen], **{name: CHANGED[chosen][name]}), name
            continue
        with pytest.raises(ValueError, match=f"{name} has no effect with .* {chosen}"):
            DivLogicEvalParameters.model_validate({**CHOSEN[chosen], name: REFUSED[name]})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"premises_needed": {1: 1.0}}, "2 premises or more"),
        ({"premises_needed": {6: 1.0}}, "variables: 9 allows it|[0-9] premises can be had"),
        (
            {"variables": 6},
            "need 8 variables, and there are 6; links: . allows it|variables: . allows it",
        ),
        (
            {"links": 9},
            "9 links of a .* quartet need 1. variables, and there are 8; links: . allows it",
        ),
        ({"least_pairs": 5}, "least_pairs: . allows it"),
        ({"rule_weights": {"implication": 1.0}, "compound": 0.5}, "no weight to not_and and or"),
    ],
)
def test_what_cannot_be_met_is_refused_with_the_nearest_that_can(values, message):
    with pytest.raises(ValueError, match=message):
        DivLogicEvalParameters.model_validate({"construction": "parity", **values})


@pytest.mark.parametrize("rounds", [{}, {0: 1.0}, {6: 1.0}, {2: 0.0}, {1: 2.0, 2: -1.0}])
def test_rounds_for_which_there_are_no_names_or_no_weight_are_refused(rounds):
    with pytest.raises(ValueError, match="rounds are 1 to 5"):
        DivLogicEvalParameters(rounds=rounds)


def test_too_few_variables_as_published_are_refused_when_drawing():
    few = {
        "preset": "as_published",
        "variables": 3,
        "max_uses_per_variable": 2,
        "cap_probability": 0.0,
    }
    settings = DivLogicEvalParameters.model_validate(few)
    with pytest.raises(DivLogicError, match=r"no \w+ instance came up in .*variables"):
        for index in range(10):
            draw_instance(1, index, settings)


def test_the_signs_of_clauses_are_those_of_the_formulas():
    for kind in (IMPLICATION, 2, 3):
        literals = [0, 2, 4][: len(NEGATED[kind])]
        whole = formula((kind, *literals))
        for at, negated in enumerate(NEGATED[kind]):
            atom = formula((LITERAL, literals[at]))
            # Making a negated place false, or another one true, can only help the formula.
            for row in product((False, True), repeat=len(literals)):
                fixed = [
                    formula((LITERAL, 2 * v + (not up))) for v, up in enumerate(row) if v != at
                ]
                before = [*fixed, atom if negated else Not(atom)]
                after = [*fixed, Not(atom) if negated else atom]
                assert not entails(before, whole) or entails(after, whole)
