"""First-order formulas in FOLIO's notation."""

from __future__ import annotations

import pytest

from divlogic.benchmarks.folio_audit import decide
from divlogic.logic.parsing import parse_fol
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified


def test_a_rule_is_read_with_its_quantifier() -> None:
    assert parse_fol("∀x (Owl(x) → Bird(x))") == Quantified(
        "∀", "x", Binary("→", Atom("Owl", ("x",)), Atom("Bird", ("x",)))
    )


def test_a_quantifier_without_brackets_governs_the_rest() -> None:
    assert parse_fol("∀x Owl(x) → Bird(x)") == parse_fol("∀x (Owl(x) → Bird(x))")
    assert parse_fol("∀x (Owl(x)) → Bird(x)") == parse_fol("∀x (Owl(x) → Bird(x))")


def test_connectives_bind_in_the_usual_order() -> None:
    assert parse_fol("A ∧ B ∨ C → D ↔ E") == parse_fol("(((A ∧ B) ∨ C) → D) ↔ E")
    assert parse_fol("A → B → C") == parse_fol("A → (B → C)")
    assert parse_fol("¬A(x) ∧ B") == Binary("∧", Negation(Atom("A", ("x",))), Atom("B", ()))


def test_equality_and_its_denial_are_read() -> None:
    assert parse_fol("a = b") == Atom("=", ("a", "b"))
    assert parse_fol("a ≠ b") == Negation(Atom("=", ("a", "b")))


@pytest.mark.parametrize(
    "text", ["", "P(", "P(x", "P x", "P(x))", "∀ (P(x))", "P ∧", "P(x,)", "P § Q"]
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"belongs|empty"):
        parse_fol(text)


def says(premises: list[str], conclusion: str) -> str:
    return decide([parse_fol(text) for text in premises], parse_fol(conclusion))


def test_z3_decides_what_the_premises_say() -> None:
    owls = ["∀x (Owl(x) → Bird(x))", "Owl(uma)"]
    assert says(owls, "Bird(uma)") == "True"
    assert says(owls, "¬Bird(uma)") == "False"
    assert says(owls, "Bird(tim)") == "Uncertain"
    assert says([*owls, "¬Bird(uma)"], "Swim(tim)") == "contradictory premises"


def test_exclusive_or_existence_and_equality_mean_what_they_say() -> None:
    assert says(["A ⊕ B", "A"], "B") == "False"
    assert says(["P(anna)"], "∃x P(x)") == "True"
    assert says(["P(anna)", "anna = bea"], "P(bea)") == "True"
    assert says(["A ↔ B", "¬A"], "B") == "False"


def test_an_inner_quantifier_may_use_the_same_letter() -> None:
    assert says(["∀x (P(x) ∧ ∃x Q(x))"], "∃x Q(x)") == "True"


def test_the_same_predicate_with_another_number_of_places_is_another_one() -> None:
    assert says(["P(a)"], "P(a, b)") == "Uncertain"


def test_what_is_undecided_depends_on_work_and_not_on_time():
    # Only infinite models: Z3 finds neither a model nor a proof.
    premises = [
        parse_fol("∀x ∀y ∀z ((R(x, y) ∧ R(y, z)) → R(x, z))"),
        parse_fol("∀x ∃y R(x, y)"),
        parse_fol("∀x ¬R(x, x)"),
    ]
    assert decide(premises, parse_fol("P(a)"), seconds=0.02) == "undecided"
    assert decide(premises[1:], parse_fol("∃x R(a, x)"), seconds=0.02) == "True"
