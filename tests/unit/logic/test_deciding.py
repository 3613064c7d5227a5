"""Deciding theories: every query twice, by ways that share no code."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from divlogic.logic import deciding, smt
from divlogic.logic.deciding import Z3Decider, decide, open_premises
from divlogic.logic.expressions import read_expression
from divlogic.logic.grounding import GroundDecider
from divlogic.logic.theory import (
    DisagreementError,
    Formalization,
    Judgement,
    Premise,
    Query,
    Symbol,
    target_name,
)
from tests.support import cases

PROPOSITIONS = tuple(Symbol(name, "prop") for name in "ABCD")
TARGETED = ("enumerate_models", "count_models", "unique_solution", "has_alternative")
THINGS = (
    *(Symbol(name, "const") for name in "ab"),
    *(Symbol("P", "pred", 1), Symbol("R", "pred", 2), Symbol("A", "prop")),
)

propositional = st.recursive(
    st.sampled_from("ABCD"),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or", "->", "<->", "xor"]), inner, inner),
    ),
    max_leaves=8,
)


def read(text):
    """Read "(not A) (exactly 1 B C)" as lists of words and numbers."""
    quoted = re.sub(
        r"[^\s()]+", lambda found: found[0] if found[0].isdigit() else f'"{found[0]}"', text
    )
    return json.loads(f"[{quoted}]".replace(" ", ",").translate({ord("("): "[", ord(")"): "]"}))


def theory(symbols, premises, *queries, domain="open"):
    """Return a formalization of S-expressions; a query is a type, what it asks, and a variable or what is given."""
    rows = []
    for number, query in enumerate(queries):
        kind, what, *more = read(query) if isinstance(query, str) else query
        if kind in TARGETED:
            given = tuple(target_name(read_expression(one)) for one in more[0]) if more else None
            rows.append(
                Query(str(number), kind, targets=tuple(map(read_expression, what)), given=given)
            )
        else:
            rows.append(
                Query(str(number), kind, read_expression(what), variable=more[0] if more else "")
            )
    formulas = map(read_expression, read(premises) if isinstance(premises, str) else premises)
    return Formalization(
        symbols, tuple(Premise(str(n), f) for n, f in enumerate(formulas)), tuple(rows), domain
    )


def answers(found):
    return [verdict.answer for verdict in found.verdicts]


ANSWERED = {
    "each query type": (
        *(PROPOSITIONS, "(exactly 1 A B C) (-> A D) (not C)", "open"),
        {
            "possible C": "impossible",
            "possible A": "possible",
            "necessary (or A B)": "necessary",
            "necessary D": "unnecessary",
            "enumerate_models (A B C)": (("A",), ("B",)),
            "count_models (A B C D)": 3,
            "unique_solution (A B)": "no",
            "unique_solution (C)": "yes",
            "has_alternative (A B) (A)": "yes",
            "has_alternative (C) ()": "no",
        },
    ),
    "a model without any target": (
        PROPOSITIONS,
        "(not A)",
        "open",
        {"enumerate_models (A)": ((),)},
    ),
    "no model, in which nothing is possible and everything necessary": (
        *(PROPOSITIONS, "A (not A)", "open"),
        {"enumerate_models (A)": (), "possible B": "impossible", "necessary B": "necessary"},
    ),
    "an open domain holds further things, and constants may be one": (
        *(THINGS, "(P a) (P b)", "open"),
        {"necessary (forall x (P x))": "unnecessary", "possible (= a b)": "possible"},
    ),
    "a closed domain holds the constants alone, and they are distinct": (
        *(THINGS, "(P a) (P b)", "closed"),
        {"necessary (forall x (P x))": "necessary", "necessary (!= a b)": "necessary"},
    ),
    "objects are those constants of which the formula can hold": (
        *(THINGS, "(not (P a)) (exists x (P x))", "open"),
        {"enumerate_objects (P x) x": (("b",),), "enumerate_objects (and (P x) (= x a)) x": ()},
    ),
    "models are projected to predicates of constants": (
        *(THINGS, "(exactly 1 (P a) (P b)) (-> (P a) A)", "closed"),
        {
            "enumerate_models ((P a) A)": ((), ("P(a)", "A"), ("A",)),
            "unique_solution ((P a) (P b))": "no",
            "has_alternative ((P a) (P b)) ((P a))": "yes",
        },
    ),
}


@pytest.mark.parametrize(
    ("symbols", "premises", "domain", "asked"), ANSWERED.values(), ids=list(ANSWERED)
)
def test_each_query_of_a_theory_has_its_answer(symbols, premises, domain, asked):
    found = decide(theory(symbols, premises, *asked, domain=domain))
    assert answers(found) == list(asked.values())
    assert found.satisfiable == (premises != "A (not A)")


@pytest.mark.parametrize("kind", ["count_models", "enumerate_models"])
def test_a_query_with_more_models_than_are_listed_is_undecided(monkeypatch, kind):
    monkeypatch.setattr(smt.theory, "MOST_LISTED", 7)
    symbols = (*THINGS, *PROPOSITIONS[1:], Symbol("Q", "pred", 1))
    for premises, targets, listed in [
        ("A", "B C", True),
        ("A", "B C D", False),
        ("(or (P a) (Q a))", "(P a) (P b) (Q a) (Q b)", False),
    ]:
        found = answers(decide(theory(symbols, premises, f"{kind} ({targets})", "possible A")))
        assert (found[0] is not None, found[1]) == (listed, "possible")


def test_a_theory_that_leaves_twenty_propositions_open_takes_little_memory():
    names = [f"p{number}" for number in range(20)]
    free = theory([Symbol(name, "prop") for name in names], ["p0"], ("enumerate_models", names))
    assert answers(deciding.TableDecider().decide(free)) == [None]


def test_a_variable_that_is_bound_again_hides_the_outer_one_for_both_deciders():
    hidden, plain = "(forall x (exists x (forall y (R x y))))", "(exists x (forall y (R x y)))"
    for premise, goal in ((hidden, plain), (plain, hidden)):
        found = theory(THINGS, premise, f"necessary {goal}", domain="closed")
        assert answers(decide(found)) == ["necessary"]
        assert open_premises(found.axioms()).entails(found.queries[0].formula)


@pytest.mark.parametrize(("premise", "goal", "status"), cases(__file__, "bounded"))
def test_a_claim_that_only_larger_models_could_refute_is_marked_bounded(premise, goal, status):
    found = decide(theory(THINGS, [premise], ("necessary", goal)))
    assert found.verdicts[0] == Judgement("0", "necessary", status)
    assert decide(theory(THINGS, [premise], ("possible", "A"))).verdicts[0].status == "decided"


def test_a_theory_goes_to_tables_up_to_their_size_and_else_to_z3():
    for number, decider in (
        (deciding.MAX_PROPOSITIONS, deciding.TableDecider),
        (deciding.MAX_PROPOSITIONS + 1, Z3Decider),
    ):
        names = [f"p{at}" for at in range(number)]
        item = theory(
            [Symbol(name, "prop") for name in names], [["and", *names]], ("possible", "p0")
        )
        assert type(deciding.quick_decider(item)) is decider
    assert deciding.TablePremises(
        map(read_expression, names[: deciding.MAX_PROPOSITIONS])
    ).satisfiable()
    assert type(deciding.quick_decider(theory(THINGS, "(P a)", "possible A"))) is Z3Decider


def test_what_z3_cannot_settle_within_its_resources_is_undecided_by_z3_alone(monkeypatch):
    item = theory(THINGS, "(forall x (exists y (R x y)))", "possible (R a b)")
    with monkeypatch.context() as limits:
        limits.setattr(deciding, "RLIMIT", 1)
        found = Z3Decider().decide(item)
    assert found.verdicts == (Judgement("0", None, "undecided"),)
    assert Z3Decider().decide(item).verdicts[0].answer == "possible"


def test_a_disagreement_names_the_item_and_both_answers(monkeypatch):
    item = theory(PROPOSITIONS, "A", "possible A")
    wrong = replace(deciding.TableDecider().decide(item), verdicts=(Judgement("0", "impossible"),))
    monkeypatch.setattr(deciding.TableDecider, "decide", lambda self, _: wrong)
    said = r'base\.json, item 7, query 0: z3 says "possible" and tables "imp'
    with pytest.raises(DisagreementError, match=said):
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
    asked = [
        "enumerate_models (A C)",
        "count_models (A B C D)",
        "unique_solution (B)",
        "has_alternative (A B) (B)",
    ]
    item = theory(PROPOSITIONS, premises, ("possible", formula), ("necessary", formula), *asked)
    found = [
        decider.decide(item) for decider in (deciding.TableDecider(), Z3Decider(), GroundDecider())
    ]
    assert answers(found[0]) == answers(found[1]) == answers(found[2])
    assert len({each.satisfiable for each in found}) == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(propositional, min_size=1, max_size=3), propositional)
def test_open_premises_entail_what_their_negation_contradicts(premises, formula):
    sentences, claim = [read_expression(part) for part in premises], read_expression(formula)
    table = open_premises(sentences, [claim])
    assert table.entails(claim) == (not table.satisfiable(read_expression(["not", formula])))
    assert deciding.Z3SentencePremises(sentences).entails(claim) == table.entails(claim)
