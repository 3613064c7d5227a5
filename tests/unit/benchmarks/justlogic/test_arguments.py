"""Arguments: the forms are valid and have their depth, the solver agrees with Z3."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from divlogic.benchmarks.justlogic import propositions
from divlogic.benchmarks.justlogic.draw import draw
from divlogic.benchmarks.justlogic.parameters import FORM_NAMES, JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, decide, notation, to_formula
from divlogic.draws import Draws
from divlogic.logic import entails, equivalent, parse, to_text
from divlogic.logic.tables import valuations

NAMES = propositions.atom_names(60)
LITERALS = [literal for name in NAMES for literal in (name, f"¬{name}")]
CONCLUSIONS = (0, 1, (IF, 0, 2), (OR, 0, 2), (NOT, (IF, 0, 2)), (NOT, (OR, 0, 2)))

literals = st.integers(0, 5)
sentences = st.recursive(
    literals,
    lambda parts: st.one_of(
        st.tuples(st.sampled_from((IF, OR)), parts, parts),
        st.tuples(st.just(IF), parts, parts).map(lambda p: (NOT, p)),
    ),
    max_leaves=5,
)


@pytest.mark.parametrize("form", FORM_NAMES)
def test_an_argument_form_is_valid_and_none_of_its_premises_can_be_left_out(form: str) -> None:
    fitting = {"hypothetical_syllogism": (IF, 0, 2), "constructive_dilemma": (OR, 0, 2)}
    goals = [fitting[form]] if form in fitting else CONCLUSIONS
    parameters = JustLogicParameters.model_construct(
        **dict(JustLogicParameters()) | {"forms": {form: 1.0}}
    )
    for number, goal in enumerate(goals):
        step = propositions.draw_argument(goal, 1, 2, Draws(1, number), parameters).steps[0]
        premises = [to_formula(premise, NAMES) for premise in step.premises]
        conclusion = to_formula(goal, NAMES)
        assert step.form == form
        assert entails(premises, conclusion)
        for left_out in range(len(premises)):
            assert not entails(premises[:left_out] + premises[left_out + 1 :], conclusion)


@given(
    conclusion=st.sampled_from(CONCLUSIONS),
    depth=st.integers(1, 7),
    seed=st.integers(0, 10**6),
    nested=st.integers(2, 4),
)
@settings(max_examples=80, deadline=None)
def test_an_argument_has_exactly_its_depth_and_stays_within_the_nesting(
    conclusion: object, depth: int, seed: int, nested: int
) -> None:
    parameters = JustLogicParameters(max_nesting=nested)
    argument = propositions.draw_argument(conclusion, depth, 2, Draws(seed), parameters)
    assert len(argument.steps) == depth
    assert max(map(propositions.nesting, argument.premises)) <= nested
    assert {
        atom for premise in argument.premises for atom in propositions.atoms_of(premise)
    } <= set(range(argument.atoms))


def test_forms_without_a_weight_are_not_used() -> None:
    parameters = JustLogicParameters(
        forms={"modus_ponens": 1.0, "modus_tollens": 0.0, "hypothetical_syllogism": 1.0},
        uncertain_query="absent",
    )
    used = {
        step.form
        for seed in range(30)
        for step in propositions.draw_argument(0, 5, 1, Draws(seed), parameters).steps
    }
    assert used == {"modus_ponens", "hypothetical_syllogism"}


@given(p=sentences)
def test_the_notation_of_a_proposition_is_that_of_its_formula(p: object) -> None:
    formula = to_formula(p, NAMES)
    assert notation(p, LITERALS) == to_text(formula)
    assert equivalent(
        parse(notation(propositions.negated(p), LITERALS)), parse("¬" + notation(p, LITERALS))
    )


@given(p=sentences, q=sentences)
def test_tables_of_propositions_decide_equivalence_as_those_of_formulas_do(
    p: object, q: object
) -> None:
    full, masks = valuations(3)
    same = propositions.table(p, masks, full) == propositions.table(q, masks, full)
    assert same == equivalent(to_formula(p, NAMES), to_formula(q, NAMES))


@given(premises=st.lists(sentences, min_size=1, max_size=4), conclusion=sentences, query=sentences)
@settings(max_examples=60, deadline=None)
def test_truth_tables_and_z3_give_the_same_verdict(
    premises: list[object], conclusion: object, query: object
) -> None:
    by_table = decide(premises, conclusion, query, 3)
    by_z3 = propositions._decide_by_z3(premises, conclusion, query, 3)
    assert by_table == by_z3


def test_deep_arguments_are_decided_too() -> None:
    parameters = JustLogicParameters(depths=[12], per_depth=30, uncertain_query="absent")
    threes = [draw(parameters, 1, index) for index in range(5)]
    deep = max((one for three in threes for one in three.instances), key=lambda one: one.atoms)
    assert deep.atoms > propositions.MOST_ATOMS_OF_A_TABLE
    assert len(deep.steps) == 12
    assert decide(deep.premises, deep.conclusion, deep.query, deep.atoms) == deep.label
