"""What is said before the work of a wish that the sentences cannot meet."""

from __future__ import annotations

import pytest

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.yields import Rows, bound_notice, expected_groups
from divlogic.errors import DivLogicError

EMBEDDED = {"captions": Rows(55_168), "genres": Rows(714)}
MIRROR = {"snli": Rows(21_422, 570_152), "multinli": Rows(41_760, 412_349), "xnli": Rows(7_500, 7_500)}
WHOLE = {"snli": Rows(570_152, 570_152), "multinli": Rows(412_349, 412_349), "xnli": Rows(7_500, 7_500)}


def wish(test: int, unpolished: int = 0) -> DivLogicEvalParameters:
    parameters = DivLogicEvalParameters()
    splits = parameters.splits.model_copy(update={"test": test, "unpolished": unpolished})
    return parameters.model_copy(update={"splits": splits})


def test_parts_of_the_corpora_are_counted_as_parts() -> None:
    said = bound_notice(wish(5_004, 1_500), MIRROR, 0.5, "full")
    assert "test about 492 of 5,004, unpolished about 132 of 1,500" in said
    assert "snli 21,422 of 570,152" in said and "xnli 7,500)" in said
    assert "the whole corpora" in said


def test_whole_corpora_meet_that_wish_and_not_every_one() -> None:
    assert bound_notice(wish(5_004, 1_500), WHOLE, 0.5, "full") == ""
    said = bound_notice(wish(20_004), WHOLE, 0.5, "full")
    assert "of 20,004" in said and "the whole corpora" not in said and "corpora of your own" in said


def test_an_embedded_run_says_how_many_more_captions_it_needs() -> None:
    said = bound_notice(wish(9_000), EMBEDDED, 0.5, "embedded")
    assert "9,000" in said and "captions 55,168" in said and "make captions" in said
    assert bound_notice(wish(900), EMBEDDED, 0.5, "embedded") == ""
    with pytest.raises(DivLogicError, match=r"of 900,000.* in vain: ask for fewer"):
        bound_notice(wish(900_000), EMBEDDED, 0.5, "embedded")


@pytest.mark.parametrize(("rows", "made"), [(EMBEDDED, 1_212), (MIRROR, 636)])
def test_the_estimate_is_near_what_runs_made(rows: dict[str, Rows], made: int) -> None:
    assert expected_groups(rows, 0.5) / 6.94 == pytest.approx(made, rel=0.03)


def test_corpora_of_pairs_give_no_more_than_their_share() -> None:
    assert expected_groups(MIRROR, 0.5) == pytest.approx(2 * 2_263)
    assert expected_groups(MIRROR, 0.0) == pytest.approx(2_263)
    assert expected_groups({"multinli": Rows(41_760, 412_349)}, 0.5) == pytest.approx(1_855)
