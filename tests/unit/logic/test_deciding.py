"""Deciding theories: every query twice, by ways that share no code."""

from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from divlogic.logic import deciding, smt
from divlogic.logic.deciding import (
    MAX_PROPOSITIONS,
    TableDecider,
    TablePremises,
    Z3Decider,
    decide,
    open_premises,
    quick_decider,
)
from divlogic.logic.expressions import read_expression
from divlogic.logic.grounding import GroundDecider
from divlogic.logic.theory import (
    Decision,
    DisagreementError,
    Formalization,
    Judgement,
    Premise,
    Query,
    Symbol,
)
from tests.support import cases

PROPOSITIONS = tuple(Symbol(name, "prop") for name in "ABCD")
TARGETED = ("enumerate_models", "count_models", "unique_solution", "has_alternative")
THINGS = (
    Symbol("a", "const"),
    Symbol("b", "const"),
    Symbol("P", "pred", 1),
    Symbol("R", "pred", 2),
    Symbol("A", "prop"),
)

propositional = st.recursive(
    st.sampled_from("ABCD"),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or", "->", "<->", "xor"]), inner, inner),
    ),
    max_leaves=8,
)


def theory(symbols, premises, *queries, domain="open"):
    """Return a formalization of S-expressions; a query is (type, formula or targets, ...)."""
    rows = []
    for number, (kind, what, *more) in enumerate(queries):
        if kind in TARGETED:
            targets = tuple(map(read_expression, what))
            rows.append(Query(str(number), kind, targets=targets, given=more[0] if more else None))
        else:
            rows.append(Query(str(number), kind, read_expression(what), variable=more[0] if more else ""))
    parts = tuple(Premise(str(n), read_expression(formula)) for n, formula in enumerate(premises))
    return Formalization(symbols, parts, tuple(rows), domain)


def answers(found):
    return [verdict.answer for verdict in found.verdicts]


def test_each_query_type_of_a_propositional_theory():
    item = theory(
        PROPOSITIONS,
        [["exactly", 1, "A", "B", "C"], ["->", "A", "D"], ["not", "C"]],
        ("possible", "C"),
        ("possible", "A"),
        ("necessary", ["or", "A", "B"]),
        ("necessary", "D"),
        ("enumerate_models", ("A", "B", "C")),
        ("count_models", ("A", "B", "C", "D")),
        ("unique_solution", ("A", "B")),
        ("unique_solution", ("C",)),
        ("has_alternative", ("A", "B"), ("A",)),
        ("has_alternative", ("C",), ()),
    )
    assert answers(decide(item)) == [
        *("impossible", "possible", "necessary", "unnecessary"),
        *((("A",), ("B",)), 3, "no", "yes", "yes", "no"),
    ]


def test_a_model_without_any_target_is_not_the_same_as_no_model():
    none_holds = theory(PROPOSITIONS, [["not", "A"]], ("enumerate_models", ("A",)))
    no_model = theory(PROPOSITIONS, ["A", ["not", "A"]], ("enumerate_models", ("A",)))
    assert answers(decide(none_holds)) == [((),)]
    assert answers(decide(no_model)) == [()]


def test_under_contradictory_premises_nothing_is_possible_and_everything_necessary():
    found = decide(theory(PROPOSITIONS, ["A", ["not", "A"]], ("possible", "B"), ("necessary", "B")))
    assert found.satisfiable is False
    assert answers(found) == ["impossible", "necessary"]


def test_constants_need_not_be_distinct_and_an_open_domain_holds_further_things():
    premises = [["P", "a"], ["P", "b"]]
    everything = ("necessary", ["forall", "x", ["P", "x"]])
    equal = ("possible", ["=", "a", "b"])
    assert answers(decide(theory(THINGS, premises, everything, equal))) == ["unnecessary", "possible"]
    assert answers(decide(theory(THINGS, premises, everything, domain="closed"))) == ["necessary"]


def test_objects_are_those_constants_of_which_the_formula_can_hold():
    item = theory(
        THINGS,
        [["not", ["P", "a"]], ["exists", "x", ["P", "x"]]],
        ("enumerate_objects", ["P", "x"], "x"),
        ("enumerate_objects", ["and", ["P", "x"], ["=", "x", "a"]], "x"),
    )
    assert answers(decide(item)) == [(("b",),), ()]


def test_models_can_be_projected_to_predicates_of_constants():
    item = theory(
        THINGS,
        [["exactly", 1, ["P", "a"], ["P", "b"]], ["->", ["P", "a"], "A"]],
        ("enumerate_models", (["P", "a"], "A")),
        ("unique_solution", (["P", "a"], ["P", "b"])),
        ("has_alternative", (["P", "a"], ["P", "b"]), ("P(a)",)),
        domain="closed",
    )
    assert answers(decide(item)) == [((), ("P(a)", "A"), ("A",)), "no", "yes"]


def test_constants_of_a_closed_domain_are_distinct():
    item = theory(THINGS, [["P", "a"]], ("necessary", ["!=", "a", "b"]), domain="closed")
    assert answers(decide(item)) == ["necessary"]


@pytest.mark.parametrize("kind", ["count_models", "enumerate_models"])
def test_a_query_with_more_models_than_are_listed_is_undecided(monkeypatch, kind):
    monkeypatch.setattr(smt.theory, "MOST_LISTED", 7)
    few = theory(PROPOSITIONS, ["A"], (kind, ("B", "C")), ("possible", "B"))
    assert None not in answers(decide(few))
    many = theory(PROPOSITIONS, ["A"], (kind, ("B", "C", "D")), ("possible", "B"))
    assert answers(decide(many)) == [None, "possible"]
    targets = tuple([name, thing] for name in "PQ" for thing in "ab")
    many = theory(
        (*THINGS, Symbol("Q", "pred", 1)),
        [["or", ["P", "a"], ["Q", "a"]]],
        (kind, targets),
        ("possible", "A"),
    )
    assert answers(decide(many)) == [None, "possible"]


def test_a_theory_that_leaves_twenty_propositions_open_takes_little_memory():
    names = [f"p{number}" for number in range(20)]
    free = theory([Symbol(name, "prop") for name in names], ["p0"], ("enumerate_models", names))
    assert answers(TableDecider().decide(free)) == [None]


def test_a_variable_that_is_bound_again_hides_the_outer_one_for_both_deciders():
    hidden = ["forall", "x", ["exists", "x", ["forall", "y", ["R", "x", "y"]]]]
    plain = ["exists", "x", ["forall", "y", ["R", "x", "y"]]]
    for premise, goal in ((hidden, plain), (plain, hidden)):
        found = theory(THINGS, [premise], ("necessary", goal), domain="closed")
        assert answers(decide(found)) == ["necessary"]
        assert open_premises([read_expression(premise)]).entails(read_expression(goal))


@pytest.mark.parametrize(("premise", "goal", "status"), cases(__file__, "bounded"))
def test_a_claim_that_only_larger_models_could_refute_is_marked_bounded(premise, goal, status):
    found = decide(theory(THINGS, [premise], ("necessary", goal)))
    assert found.verdicts[0] == Judgement("0", "necessary", status)
    assert decide(theory(THINGS, [premise], ("possible", "A"))).verdicts[0].status == "decided"


def test_a_theory_goes_to_tables_up_to_their_size_and_else_to_z3():
    for number, decider in ((MAX_PROPOSITIONS, TableDecider), (MAX_PROPOSITIONS + 1, Z3Decider)):
        names = [f"p{at}" for at in range(number)]
        item = theory([Symbol(name, "prop") for name in names], [["and", *names]], ("possible", "p0"))
        assert type(quick_decider(item)) is decider
    assert TablePremises(map(read_expression, names[:MAX_PROPOSITIONS])).satisfiable()
    assert type(quick_decider(theory(THINGS, [["P", "a"]], ("possible", "A")))) is Z3Decider
    assert (
        Z3Decider().decide(theory(PROPOSITIONS, ["A", ["not", "A"]], ("possible", "B"))).satisfiable is False
    )


def test_what_z3_cannot_settle_within_its_resources_is_undecided_by_z3_alone(monkeypatch):
    item = theory(THINGS, [["forall", "x", ["exists", "y", ["R", "x", "y"]]]], ("possible", ["R", "a", "b"]))
    with monkeypatch.context() as limits:
        limits.setattr(deciding, "RLIMIT", 1)
        found = Z3Decider().decide(item)
    assert found.verdicts[0].status == "undecided"
    assert found.verdicts[0].answer is None
    assert Z3Decider().decide(item).verdicts[0].answer == "possible"


def test_a_disagreement_names_the_item_and_both_answers(monkeypatch):
    item = theory(PROPOSITIONS, ["A"], ("possible", "A"))
    wrong = Decision(True, (Judgement("0", "impossible"),), ("tables",))
    monkeypatch.setattr(deciding.TableDecider, "decide", lambda self, _: wrong)
    with pytest.raises(
        DisagreementError, match=r'base\.json, item 7, query 0: z3 says "possible" and tables "imp'
    ):
        decide(item, where="base.json, item 7")


def test_more_propositions_than_a_table_holds_are_decided_by_z3_alone_and_marked():
    names = [f"p{number}" for number in range(25)]
    symbols = tuple(Symbol(name, "prop") for name in names)
    chain = [["->", one, two] for one, two in pairwise(names)]
    found = decide(theory(symbols, ["p0", *chain], ("necessary", "p24")))
    assert found.verdicts == (Judgement("0", "necessary", "single"),)


@settings(max_examples=60, deadline=None)
@given(st.lists(propositional, min_size=1, max_size=4), propositional)
def test_tables_z3_and_grounding_agree_on_any_propositional_theory(premises, formula):
    item = theory(
        PROPOSITIONS,
        premises,
        ("possible", formula),
        ("necessary", formula),
        ("enumerate_models", ("A", "C")),
        ("count_models", ("A", "B", "C", "D")),
        ("unique_solution", ("B",)),
        ("has_alternative", ("A", "B"), ("B",)),
    )
    found = [decider.decide(item) for decider in (TableDecider(), Z3Decider(), GroundDecider())]
    assert answers(found[0]) == answers(found[1]) == answers(found[2])
    assert len({each.satisfiable for each in found}) == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(propositional, min_size=1, max_size=3), propositional)
def test_open_premises_entail_what_their_negation_contradicts(premises, formula):
    sentences, claim = [read_expression(part) for part in premises], read_expression(formula)
    table = open_premises(sentences, [claim])
    assert table.entails(claim) == (not table.satisfiable(read_expression(["not", formula])))
    assert deciding.Z3SentencePremises(sentences).entails(claim) == table.entails(claim)
