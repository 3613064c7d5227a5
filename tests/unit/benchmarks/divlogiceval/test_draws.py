"""Algorithm 1's own draws, counted over a fixed seed: the number of rules and of single literals."""

from collections import Counter

import pytest

from divlogic.benchmarks.divlogiceval.draw import _insert_literals, draw_context, drawn_rules
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.draws import Draws

SETTINGS = DivLogicEvalParameters()
DRAWS = 6000


@pytest.fixture(scope="module")
def drawn():
    """(variables of x', rules, propositions with the single literals) of many draws, before any is rejected."""
    found = []
    for index in range(DRAWS):
        draws = Draws(7, index)
        rules, used = drawn_rules(draws, SETTINGS)
        variables = tuple(variable for variable, count in enumerate(used) if 0 < count < 3)
        found.append((variables, rules, _insert_literals(draws, SETTINGS, rules, variables)))
    return found


def test_the_number_of_rules_is_uniform_on_two_to_n_plus_one(drawn):
    counts = Counter(len(rules) for _, rules, _ in drawn)
    assert set(counts) == {2, 3, 4}
    # Four standard deviations of a count with probability 1/3.
    assert all(abs(count - DRAWS / 3) < 4 * (DRAWS * 2 / 9) ** 0.5 for count in counts.values())


def test_the_number_of_literals_is_uniform_up_to_two_thirds_of_the_variables(drawn):
    six = [len(text) - len(rules) for variables, rules, text in drawn if len(variables) == 6]
    counts = Counter(six)
    assert set(counts) == {0, 1, 2, 3, 4}
    assert all(
        abs(count - len(six) / 5) < 4 * (len(six) * 4 / 25) ** 0.5 for count in counts.values()
    )


def test_a_literal_is_negated_in_a_third_of_the_cases_and_no_variable_stands_alone_twice(drawn):
    literals = [[one for one in text if len(one) == 2] for _, _, text in drawn]
    assert all(len({one[1] >> 1 for one in found}) == len(found) for found in literals)
    signs = [one[1] & 1 for found in literals for one in found]
    assert abs(sum(signs) / len(signs) - 1 / 3) < 0.02


def test_no_variable_is_used_more_than_n_times_nor_twice_in_one_rule(drawn):
    for _, rules, _ in drawn:
        uses = Counter(literal >> 1 for rule in rules for literal in rule[1:])
        assert max(uses.values()) <= 3
        assert all(len({literal >> 1 for literal in rule[1:]}) == len(rule) - 1 for rule in rules)


@pytest.mark.parametrize("variables", [3, 4, 5])
def test_few_variables_give_short_contexts_and_no_error(variables: int) -> None:
    few = DivLogicEvalParameters(preset="as_published", variables=variables)
    contexts = [draw_context(Draws(7, index), few) for index in range(500)]
    found = [context for context in contexts if context is not None]
    assert found
    for context in found:
        used = {literal >> 1 for _, *literals in context.propositions for literal in literals}
        assert used <= set(range(variables))
