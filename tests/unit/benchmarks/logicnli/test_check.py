"""Z3 confirms the labels of whole groups at once, and names the right label of each item that claims another."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.logicnli.check import (
    classical_labels,
    confirm,
    disagreements,
    signed_labels,
)
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.records import Record
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import Rows, made_rows


def records_of(rows: Rows) -> list[Record]:
    return [Record.from_json(copy.deepcopy(row)) for row in rows]


def theories(rows: Rows) -> list[Rows]:
    """Return rows by their rules."""
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(
            repr(row["formulas"]["rules"]) + repr(row["formulas"]["people"]), []
        ).append(row)
    return list(found.values())


def relabelled(row: dict[str, Any], shift: int = 1) -> dict[str, Any]:
    return {**copy.deepcopy(row), "answer": (row["answer"] + shift) % len(row["options"])}


@pytest.mark.parametrize("name", ["train", "fol_equivalent", "fol_exists", "test_t"])
@pytest.mark.parametrize("preset", ["balanced", "as_published"])
def test_labels_are_those_that_another_encoding_gives_whatever_the_items_claim(
    name: str, preset: str
) -> None:
    for number, rows in enumerate(theories(made_rows(name, 3, preset=preset))[:8]):
        right = [checker.k_round_answer(row) for row in rows]
        assert signed_labels(records_of(rows)) == right
        for shift in (1, 2, 3):
            claimed = list(rows)
            for place in range(number % 3, len(rows), 3):
                claimed[place] = relabelled(rows[place], shift)
            assert signed_labels(records_of(claimed)) == right
        assert signed_labels(records_of([{**row, "answer": None} for row in rows])) == right


@pytest.mark.parametrize("name", ["test", "test_g", "fol_all"])
def test_a_wrong_label_in_classical_logic_is_named_with_the_right_one(name: str) -> None:
    rows = made_rows(name, 1)
    right = [checker.label_of(row).replace("self_contradiction", "inconsistent") for row in rows]
    assert set(right) == {"entailment", "contradiction", "neutral", "inconsistent"}
    assert classical_labels(records_of(rows)) == right
    for place in range(4):
        claims = [relabelled(row, int(at == place)) for at, row in enumerate(rows)]
        assert classical_labels(records_of(claims)) == right
        assert disagreements(records_of(claims)) == [
            f"{rows[place]['id']}: Z3 makes it {checker.label_of(rows[place])}, by signed atoms",
            f"{rows[place]['id']}: Z3 makes it {right[place]} in classical logic",
        ]


def test_what_quantifiers_entail_is_refuted_with_them_and_not_over_the_people_alone() -> None:
    row = made_rows("test", 1)[0] | {"answer": 0}  # entailed, if Ann were alone
    row["formulas"] |= {
        "facts": [["Ann", "kind", "+"]],
        "people": ["Ann"],
        "fol": {"premises": ["Kind(Ann)", "(∀x Kind(x)) → Tall(Ann)"], "statement": "Tall(Ann)"},
    }
    assert classical_labels(records_of([row])) == ["neutral"]
    row["formulas"]["fol"]["premises"].append("∀x x = Ann")
    assert classical_labels(records_of([row])) == ["entailment"]


def test_a_wrong_label_stops_the_report_and_is_named(tmp_path: Path) -> None:
    rows = made_rows("test", 2)
    write_jsonl(tmp_path / "right.jsonl", rows)
    assert confirm((tmp_path / "right.jsonl",), out=tmp_path / "z3.json")["first_order"] == 8
    write_jsonl(tmp_path / "wrong.jsonl", [*rows[:5], relabelled(rows[5]), *rows[6:]])
    right = f"{rows[5]['id']}: Z3 makes it {checker.label_of(rows[5])}"
    with pytest.raises(DivLogicError, match=rf"Z3 does not confirm \d statements: {right}"):
        confirm((tmp_path / "wrong.jsonl",), out=tmp_path / "wrong.json")
    assert not (tmp_path / "wrong.json").exists()


def test_statements_of_one_theorys_proofs_are_decided_together(tmp_path: Path) -> None:
    rows = [row for row in made_rows("test_t", 1) if row["split"] == "proofs"]
    write_jsonl(tmp_path / "proofs.jsonl", [*rows[:-1], relabelled(rows[-1])])
    right = f"{rows[-1]['id']}: Z3 makes it {checker.k_round_answer(rows[-1])}"
    with pytest.raises(DivLogicError, match=right):
        confirm((tmp_path / "proofs.jsonl",), out=tmp_path / "z3.json")


def test_rules_that_no_form_has_and_notations_of_two_theories_are_refused() -> None:
    rows = made_rows("fol_exists", 1)
    broken = copy.deepcopy(rows)
    broken[0]["formulas"]["rules"][0]["type"] = "equ"
    with pytest.raises(ValueError, match="equivalence of a form that runs one way only"):
        signed_labels(records_of(broken[:1]))
    other = copy.deepcopy(rows[:2])
    other[1]["formulas"]["fol"]["premises"][-1] = "Kind(Ann)"
    with pytest.raises(ValueError, match="has other rules than that of"):
        classical_labels(records_of(other))
