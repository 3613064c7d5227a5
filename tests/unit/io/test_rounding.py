"""Digits on which machines differ do not reach a file."""

from __future__ import annotations

import math

from hypothesis import given, strategies as st

from divlogic.io.tables import rounded


@given(st.floats(1e-200, 1e200) | st.floats(-1e200, -1e-200) | st.just(0.0))
def test_the_last_digit_of_a_number_does_not_matter_twice(value: float) -> None:
    once = rounded(value)
    assert rounded(once) == once
    assert math.isclose(once, value, rel_tol=1e-9)


def test_a_number_of_another_machine_gives_the_same_one() -> None:
    here = math.log2(3) / 7
    there = math.nextafter(math.nextafter(here, 1), 1)
    assert here != there
    assert rounded({"kl": [here]}) == rounded({"kl": (there,)})


def test_what_is_no_floating_point_number_stays() -> None:
    values = {"a": 12345678901234, "b": True, "c": None, "d": "0.12345678901234"}
    assert rounded(values) == values
