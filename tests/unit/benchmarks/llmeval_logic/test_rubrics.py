"""Rubrics, their audit, and what answer check and rubric let through."""

from dataclasses import replace

import pytest

from divlogic.benchmarks.llmeval_logic.published import read_published_items
from divlogic.benchmarks.llmeval_logic.rubric import Check, Named
from divlogic.benchmarks.llmeval_logic.sensitivity import (
    called_equivalent,
    measure_sensitivity,
    mutants,
    sensitivity,
    sentence_mutants,
)
from divlogic.benchmarks.llmeval_logic.verify import audit, audit_rubrics
from divlogic.errors import DivLogicError
from divlogic.logic.deciding import open_premises
from divlogic.logic.expressions import read_expression
from tests.support import csv_rows
from tests.unit.benchmarks.llmeval_logic import samples


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    return read_published_items(samples.folder(tmp_path_factory.mktemp("published"))).items


def test_the_gloss_names_a_checks_symbol_and_not_its_key(tmp_path):
    counts = audit_rubrics(samples.folder(tmp_path / "in"), tmp_path / "r.csv")
    standing = {(row["item"], row["atom"]): row["standing"] for row in csv_rows(tmp_path / "r.csv")}
    # The key B of item 3's SC1 has the gloss of A, which the premises state.
    assert standing["3", "SC1"] == standing["5", "LR1"] == "entailed"
    assert (standing["4", "SC1"], standing["4", "SC2"]) == ("not_entailed", "unaligned")
    assert (counts["atoms"], counts["entailed"], counts["not_entailed"], counts["unaligned"]) == (
        10,
        5,
        1,
        1,
    )


@pytest.mark.parametrize("least", [0.05, 0.2, 0.35, 0.5, 0.65, 0.8])
def test_a_gloss_that_leaves_out_a_character_names_the_symbol_of_its_key_whatever_the_threshold(
    least, items, monkeypatch
):
    from divlogic.benchmarks.llmeval_logic import rubric

    monkeypatch.setattr(rubric, "SIMILAR", least)

    def standing(key, gloss):
        check = Check("entails", (Named(key, gloss),), key)
        return rubric.align_check(check, items[0].formalization).standing

    assert standing("B", "现在是晚上了") == "entailed"
    # The key alone is not enough: this gloss is that of another symbol but for a character.
    assert standing("B", "灯还亮着") == "unaligned"
    assert standing("C", "现在是晚上了") == "unaligned"


def test_a_query_check_fits_whatever_keys_it_uses(items):
    standing = {row["atom"]: row["standing"] for item in items[1:] for row in audit(item)}
    assert standing["QA1"] == "matches"


def test_an_own_items_rubric_is_its_premises_and_its_gold_passes(items):
    standings = set()
    for item in items:
        rubric = replace(item, rubric=None).criteria()
        assert len(rubric.atoms) == len(item.formalization.premises) + 1
        standings |= {row["standing"] for row in audit(replace(item, rubric=rubric))}
    # The query atom of an item with several queries has no check of its own.
    assert standings == {"entailed", "matches", "compared_with_queries"}


def test_a_folder_without_rubrics_and_items_is_refused(tmp_path):
    source = samples.folder(tmp_path / "in", items=[], rubrics={})
    with pytest.raises(DivLogicError, match="no item has a rubric"):
        audit_rubrics(source, tmp_path / "r.csv")
    with pytest.raises(DivLogicError, match="holds no item"):
        measure_sensitivity(source, tmp_path / "s.csv")


def test_a_formula_is_mutated_at_every_node():
    found = list(sentence_mutants(read_expression(["->", ["and", "A", "B", ["not", "C"]], "D"])))
    assert [name for name, _ in found] == [
        *("converse", "implies_to_iff", "implies_to_and", "and_to_or"),
        *("negate", "negate", "drop_negation", "negate"),
    ]
    quantified = read_expression(["forall", "x", ["exists", "y", ["R", "x", "y"]]])
    names = [name for name, _ in sentence_mutants(quantified)]
    assert names == ["forall_to_exists", "exists_to_forall", "negate"]


def test_no_mutant_equals_the_gold_or_another(items):
    for item in items:
        formulas = [
            tuple(p.formula for p in m.theory.premises) for m in mutants(item.formalization)
        ]
        assert len(set(formulas)) == len(formulas)
        assert tuple(p.formula for p in item.formalization.premises) not in formulas


def same_premises(one, other):
    pairs = ((one, other), (other, one))
    return all(
        open_premises(these, those).entails(each) for these, those in pairs for each in those
    )


def test_the_equivalence_check_calls_exactly_the_equivalent_mutants_equivalent(items):
    for item in items:
        made = list(mutants(item.formalization))
        expected = [
            same_premises(mutant.theory.axioms(), item.formalization.axioms()) for mutant in made
        ]
        assert called_equivalent(item.formalization, made) == expected
        assert not all(expected)


def test_answers_and_rubric_let_through_what_equivalence_does_not(tmp_path):
    total = measure_sensitivity(samples.folder(tmp_path / "in"), tmp_path / "s.csv")
    rows = csv_rows(tmp_path / "s.csv")
    assert rows[-1]["operator"] == "all"
    assert sum(int(row["mutants"]) for row in rows[:-1]) == int(rows[-1]["mutants"])
    assert 0 < total["both"] <= min(total["answer"], total["rubric"]) < total["not_equivalent"]
    assert total["equivalence"] == 0


def test_the_table_is_the_same_for_any_number_of_processes(items):
    assert sensitivity(items, processes=2) == sensitivity(items)
