"""LogicNLI's four diagnoses."""

from __future__ import annotations

import numpy as np
import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.logicnli.diagnosis import (
    Diagnosis,
    equivalent_depth,
    generalisation,
    group_of,
)
from divlogic.records import Record
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

RECORDS = [Record.from_json(row) for row in made_rows("test", 15)]


def read_by(rounds: int) -> dict[str, str]:
    """Return the answers of a reader who chains so many rounds."""
    return {record.id: checker.k_round_answer(record.to_json(), rounds) for record in RECORDS}


@pytest.mark.parametrize("rounds", range(6))
def test_accuracy_on_quartets_reads_as_a_depth(rounds: int) -> None:
    found = Diagnosis(read_by(rounds)).accuracy(RECORDS)
    assert found.low <= found.value <= found.high
    assert equivalent_depth(found.value, [1, 2, 3, 4, 5]) == pytest.approx(rounds)
    assert Diagnosis(read_by(rounds)).quartet_em(RECORDS).value == pytest.approx(rounds / 5)
    by_depth = Diagnosis(read_by(rounds)).curve(RECORDS, lambda record: record.depth or 0)
    assert {depth: found.value for depth, found in by_depth.items()} == {
        depth: 1.0 if depth <= rounds else 0.25 for depth in range(1, 6)
    }


def test_one_label_for_all_never_gets_a_quartet() -> None:
    always, never = Diagnosis({record.id: "neutral" for record in RECORDS}), Diagnosis({})
    assert always.accuracy(RECORDS).value == 0.25
    assert (
        always.quartet_em(RECORDS) == never.quartet_em(RECORDS)
        and never.quartet_em(RECORDS).value == 0
    )


def test_the_degradations_are_those_that_the_paper_prints() -> None:
    printed = {
        "BERT": (55.9, 31.6, 43.5),
        "RoBERTa": (68.3, 49.9, 26.9),
        "XLNet": (65.4, 43.0, 34.3),
    }
    for within, beyond, degradation in printed.values():
        assert 100 * generalisation(within, beyond) == pytest.approx(degradation, abs=0.06)


def test_robustness_and_generalisation_have_intervals_over_whole_quartets() -> None:
    rows = [Record.from_json(row) for row in made_rows("test_r", 10)]
    truth = {record.id: record.options[record.answer or 0] for record in rows}

    def size(record: Record) -> float:
        return float(record.metadata["noise"])

    steady = Diagnosis(truth).robustness(rows, size)
    assert (steady.value, steady.low, steady.high) == pytest.approx((0, 0, 0))
    # Whoever is lost where there is noise of 16 or more on some quartets.
    lost = {
        record.id: "neutral"
        for record in rows
        if size(record) >= 16 and int(group_of(record).split("-")[1]) % 3
    }
    with_lost = Diagnosis({**truth, **lost})
    shaken = with_lost.robustness(rows, size)
    assert 0 < shaken.low < shaken.value < shaken.high < 1
    shares = {noise: found.value for noise, found in with_lost.curve(rows, size).items()}
    slope, start = np.polyfit(list(shares), list(shares.values()), 1)
    assert shaken.value == pytest.approx(
        -28 * slope / start
    )  # read from the line and not from its ends
    assert len({group_of(record) for record in rows}) == 10
    with pytest.raises(ValueError, match="two sizes"):
        Diagnosis(truth).robustness(rows, lambda record: 1.0)
    deep = [Record.from_json(row) for row in made_rows("test_g", 10)]
    answers = {record.id: record.options[record.answer or 0] for record in deep[::2]}
    found = Diagnosis({**read_by(4), **answers}).generalisation(RECORDS, deep)
    assert found.value == pytest.approx(generalisation(0.85, 0.5))
    assert found.low < found.value < found.high


def test_traceability_counts_the_proofs_of_what_was_answered_right() -> None:
    rows = [Record.from_json(row) for row in made_rows("test_t", 4)]
    asked = [record for record in rows if record.split == "test_t"]
    proofs = [record for record in rows if record.split == "proofs"]
    truth = {record.id: record.options[record.answer or 0] for record in rows}
    whole = Diagnosis(truth).traceability(asked, proofs)
    assert (whole["targets"], whole["proofs"]) == (12, len(proofs))
    assert (whole["p_acc"], whole["p_em"], whole["p_em_high"]) == (100, 100, 100)
    assert 50 < whole["p_em_low"] < 100
    wrong = {**truth, proofs[0].id: "neutral", asked[0].id: "neutral"}
    first = [proof for proof in proofs if proof.metadata["proves"] == asked[0].id]
    assert proofs[0] in first
    assert Diagnosis(wrong).traceability(asked, proofs)["proofs"] == len(proofs) - len(first)
    missed = Diagnosis({**truth, proofs[0].id: "neutral"}).traceability(asked, proofs)
    assert missed["p_em"] == pytest.approx(1100 / 12)
    assert missed["p_acc"] == pytest.approx(100 - 100 / len(proofs))
    assert missed["p_em_low"] < missed["p_em"] < missed["p_em_high"]
    assert "p_acc" not in Diagnosis({}).traceability(asked, proofs)


def test_quartet_em_needs_quartets() -> None:
    random = [Record.from_json(row) for row in made_rows("dev", 1, preset="as_published")]
    with pytest.raises(DivLogicError, match="belongs to no quartet"):
        Diagnosis({}).quartet_em(random)
