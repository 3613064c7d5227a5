"""Forward chaining as LogicNLI means it."""

from __future__ import annotations

from divlogic.logic.horn import Existential, Literal, Rule, Side, Theory

LABELS = {(1, 0): "entailment", (0, 1): "contradiction", (0, 0): "neutral", (1, 1): "self_contradiction"}


def side(*literals: str, connective: str = "none") -> Side:
    """Write a side as "Ann kind +" strings."""
    return Side(tuple(Literal(*literal.split()) for literal in literals), connective)


def facts(*literals: str) -> list[Literal]:
    return [Literal(*literal.split()) for literal in literals]


def label(rules: list[Rule], known: list[Literal], statement: str, existential: Existential = "sound") -> str:
    theory = Theory(rules, ["Ann", "Bob"], ["calm", "kind", "tall"], existential=existential)
    closure, goal = theory.program.close(map(theory.code, known)), theory.code(Literal(*statement.split()))
    return LABELS[closure.holds(goal), closure.holds(goal ^ 1)]


def test_a_rule_fires_from_its_premise_and_never_by_contraposition() -> None:
    rule = Rule("0", side("Ann kind +"), side("Bob calm +"))
    assert label([rule], facts("Ann kind +"), "Bob calm +") == "entailment"
    assert label([rule], facts("Ann kind +"), "Bob calm -") == "contradiction"
    assert label([rule], facts("Bob calm -"), "Ann kind -") == "neutral"


def test_all_on_both_sides_holds_for_each_person() -> None:
    rule = Rule("0", side("all kind +"), side("all calm -"))
    assert label([rule], facts("Bob kind +"), "Bob calm -") == "entailment"
    assert label([rule], facts("Bob kind +"), "Ann calm -") == "neutral"


def test_all_in_the_premise_only_needs_everyone() -> None:
    rule = Rule("0", side("all kind +"), side("Ann calm +"), form=29)
    assert label([rule], facts("Bob kind +"), "Ann calm +") == "neutral"
    assert label([rule], facts("Bob kind +", "Ann kind +"), "Ann calm +") == "entailment"


def test_someone_who_is_two_things_is_one_person() -> None:
    rule = Rule("0", side("exist kind +", "exist tall +", connective="and"), side("Ann calm +"), form=8)
    assert label([rule], facts("Bob kind +", "Ann tall +"), "Ann calm +") == "neutral"
    assert label([rule], facts("Bob kind +", "Bob tall +"), "Ann calm +") == "entailment"


def test_the_released_labels_ignore_the_second_sign_and_need_equal_signs() -> None:
    same = Rule("0", side("exist kind +", "exist tall +", connective="and"), side("Ann calm +"))
    mixed = Rule("0", side("exist kind +", "exist tall -", connective="and"), side("Ann calm +"))
    both = Rule("0", side("exist kind -", "exist tall -", connective="and"), side("Ann calm +"))
    assert label([same], facts("Bob kind +", "Bob tall -"), "Ann calm +", "released") == "entailment"
    assert label([both], facts("Bob kind -", "Bob tall +"), "Ann calm +", "released") == "entailment"
    assert label([same], facts("Bob kind +", "Bob tall -"), "Ann calm +") == "neutral"
    assert label([mixed], facts("Bob kind +", "Bob tall -"), "Ann calm +", "released") == "neutral"
    assert label([mixed], facts("Bob kind +", "Bob tall -"), "Ann calm +") == "entailment"


def test_one_of_two_is_enough_for_or() -> None:
    rule = Rule(
        "0",
        side("exist kind +", "exist tall +", connective="or"),
        side("Ann calm +", "Bob calm -", connective="and"),
    )
    assert label([rule], facts("Bob tall +"), "Bob calm -") == "entailment"


def test_a_statement_that_holds_and_does_not_is_a_paradox() -> None:
    rule = Rule("0", side("Ann kind +"), side("Ann calm -"))
    assert label([rule], facts("Ann kind +", "Ann calm +"), "Ann calm +") == "self_contradiction"
