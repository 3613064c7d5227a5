"""Symbolic instances are what the paper's Section 2.1 says they are."""

from __future__ import annotations

import itertools

import orjson
import pytest

from divlogic.benchmarks.divlogiceval import build, propositions
from divlogic.benchmarks.divlogiceval.draw import draw_context, draw_instance, selection_weights
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import IMPLICATION, LITERAL, NOT_AND, OR, formula
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.draws import Draws
from divlogic.logic import entails, equivalent, satisfiable, to_text

SETTINGS = DivLogicEvalParameters()
AS_PUBLISHED = DivLogicEvalParameters(preset="as_published")


def instances(question_type, count=60, settings=SETTINGS, seed=7):
    start = QUESTION_TYPES.index(question_type)
    return [draw_instance(seed, start + 3 * index, settings) for index in range(count)]


def premises_of(instance):
    return [formula(premise) for premise in instance.premises]


def test_selection_weights_follow_equation_3():
    # o = (2, 1, 0, ...): max(o) + 1 - o_i = 1, 2, 3 ..., and the variable used n-1 = 2 times is capped at 0.1.
    weights = selection_weights([2, 1, 0, 0, 0, 0, 0, 0], SETTINGS)
    assert weights[:3] == pytest.approx([0.1, 2 / (1 + 2 + 6 * 3), 3 / (1 + 2 + 6 * 3)])


def test_a_variable_used_n_times_is_never_selected():
    assert selection_weights([3, 0, 0, 0, 0, 0, 0, 0], SETTINGS)[0] == 0


def contexts(count=300):
    found = (draw_context(Draws(11, index), SETTINGS) for index in range(count))
    return [context for context in found if context is not None]


def test_a_context_can_be_true():
    assert all(satisfiable(map(formula, context.propositions)) for context in contexts())


def test_plain_implications_are_half_of_the_rules():
    rules = [
        rule for context in contexts(2000) for rule in context.propositions if rule[0] != LITERAL
    ]
    share = sum(rule[0] == IMPLICATION for rule in rules) / len(rules)
    assert 0.45 < share < 0.6  # contexts that entail nothing drop out, hence not exactly 0.5


def test_candidates_are_ordered_pairs_in_four_polarities_and_both_literals():
    found = propositions.candidates((0, 2, 5))
    assert len(found) == 3 * 2 * 4 + 3 * 2
    assert len({proposition for proposition, _ in found}) == len(found)


@pytest.mark.parametrize(
    "proposition", [(LITERAL, 3), (IMPLICATION, 0, 5), (NOT_AND, 0, 2, 5), (OR, 0, 2, 4)]
)
def test_the_consequences_of_a_proposition_are_the_candidates_that_it_entails(proposition):
    found = propositions.consequences(proposition)
    for candidate, _ in propositions.candidates(tuple(range(8))):
        assert (candidate in found) == entails([formula(proposition)], formula(candidate))


@pytest.mark.parametrize("kind", [LITERAL, IMPLICATION, NOT_AND, OR])
def test_notation_can_be_written_out_without_a_tree(kind):
    for signs in itertools.product((0, 1), repeat=(1, 2, 3, 3)[kind]):
        proposition = (kind, *[2 * variable + sign for variable, sign in enumerate(signs)])
        names = [
            "¬" * sign + propositions.VARIABLE_NAMES[variable]
            for variable, sign in enumerate(signs)
        ]
        assert (
            propositions.write_out(kind, names)
            == propositions.notation(proposition)
            == to_text(formula(proposition))
        )


def test_what_is_entailed_needs_at_least_two_propositions():
    for context in contexts(120):
        formulas = list(map(formula, context.propositions))
        for candidate in context.entailed:
            assert entails(formulas, formula(candidate))
            assert not any(entails([one], formula(candidate)) for one in formulas)
        for candidate in context.others():
            assert not entails(formulas, formula(candidate))


@pytest.mark.parametrize("settings", [SETTINGS, AS_PUBLISHED], ids=["balanced", "as_published"])
@pytest.mark.parametrize("kind", QUESTION_TYPES)
def test_one_option_alone_follows_does_not_follow_or_makes_the_conclusion_follow(kind, settings):
    for instance in instances(kind, settings=settings):
        premises, options = premises_of(instance), list(map(formula, instance.options))
        if kind == "missing_premise":
            conclusion = formula(instance.conclusion)
            assert not entails(premises, conclusion)
            found = [entails([*premises, option], conclusion) for option in options]
        else:
            found = [entails(premises, option) for option in options]
        assert found == [(index == instance.answer) != (kind == "3e1c") for index in range(4)]


@pytest.mark.parametrize("kind", QUESTION_TYPES)
def test_no_two_options_say_the_same(kind):
    for options in (map(formula, instance.options) for instance in instances(kind)):
        assert not any(itertools.starmap(equivalent, itertools.combinations(options, 2)))


def test_a_contradiction_turns_an_entailed_statement_into_one_that_does_not_follow():
    published = instances("3c1e", count=120, settings=AS_PUBLISHED)
    assert any(instance.contradictions for instance in published)
    for instance in published:
        for item in instance.contradictions:
            assert item.option != instance.answer
            assert entails(premises_of(instance), formula(item.proposition))
            assert not entails(premises_of(instance), formula(item.symbolic))


def test_an_instance_survives_being_written_and_read():
    for kind in QUESTION_TYPES:
        for instance in instances(kind, count=5):
            row = build.DrawnRow(0, 1, instance)
            assert build.read_drawn(orjson.loads(orjson.dumps(row))) == row


def test_tables_agree_with_formulas():
    rules = [(LITERAL, 1), (IMPLICATION, 0, 3), (NOT_AND, 0, 2, 4), (OR, 0, 2, 4)]
    for one, other in itertools.product(rules, repeat=2):
        assert (propositions.table(one) == propositions.table(other)) == equivalent(
            formula(one), formula(other)
        )
