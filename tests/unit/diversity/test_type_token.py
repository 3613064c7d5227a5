"""Type–token statistics."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from divlogic.diversity.profile import msttr, mtld, ttr

WORDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=60)


def test_ttr_of_an_empty_text_is_not_defined() -> None:
    assert ttr(0, 0) is None
    assert ttr(3, 4) == 0.75


def test_msttr_is_the_mean_over_full_segments() -> None:
    assert msttr(["a", "b", "a", "a", "c"], 2) == pytest.approx((1 + 0.5) / 2)
    assert msttr(["a"], 2) is None


def test_mtld_counts_a_factor_each_time_the_ratio_falls_to_the_threshold() -> None:
    # Four times "a": the ratio falls to 0.5 at every second token, both ways.
    assert mtld(["a"] * 4, 0.72) == pytest.approx(2.0)


def test_mtld_counts_the_remainder_in_part() -> None:
    # Forward and backward: no full factor; the ratio ends at 0.75, so (1 - 0.75) / (1 - 0.72) of one.
    assert mtld(["a", "b", "c", "a"], 0.72) == pytest.approx(4 / (0.25 / 0.28))


def test_mtld_of_a_text_that_never_repeats_is_not_defined() -> None:
    assert mtld(list("abcd")) is None


@given(WORDS)
def test_mtld_does_not_depend_on_the_reading_direction(words: list[str]) -> None:
    assert (
        mtld(words) == pytest.approx(mtld(words[::-1]))
        if mtld(words) is not None
        else mtld(words[::-1]) is None
    )
