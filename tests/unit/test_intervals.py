"""Bootstrap intervals and the paired test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from divlogic.intervals import bootstrap_means, estimates, paired_test, wilson

fractions = st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0])


@given(
    arrays(np.float64, st.tuples(st.integers(1, 40), st.just(2)), elements=fractions), st.randoms()
)
def test_the_interval_holds_the_mean_and_does_not_depend_on_the_order_of_instances(
    scores: np.ndarray, random: object
) -> None:
    order = list(range(len(scores)))
    random.shuffle(order)  # type: ignore[attr-defined]
    first = estimates(scores, seed=3, resamples=200)
    second = estimates(scores[order], seed=3, resamples=200)
    for one, other in zip(first, second, strict=True):
        assert one.low <= one.value <= one.high
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_the_resampled_spread_is_the_standard_error_of_the_mean() -> None:
    scores = np.repeat([0.0, 1.0], [700, 300])[:, None]
    means = bootstrap_means(scores, seed=1, resamples=20_000)
    assert means.std() == pytest.approx(np.sqrt(0.3 * 0.7 / 1000), rel=0.03)


def test_resampling_by_distinct_rows_agrees_with_resampling_instance_by_instance() -> None:
    rng = np.random.default_rng(0)
    scores = rng.choice([0.0, 0.0625, 0.5, 1.0], size=(200, 1), p=[0.5, 0.2, 0.2, 0.1])
    plain = np.array([scores[rng.integers(0, 200, 200)].mean() for _ in range(8000)])
    (ours,) = estimates(scores, seed=2, resamples=8000)
    assert (ours.low, ours.high) == pytest.approx(
        tuple(np.quantile(plain, [0.025, 0.975])), abs=0.006
    )


def test_constant_scores_have_an_interval_without_width() -> None:
    (estimate,) = estimates(np.full((50, 1), 0.3), seed=1)
    assert estimate.high - estimate.low < 1e-12


def test_nothing_right_and_everything_right_have_wilsons_interval() -> None:
    none, every = estimates(np.repeat([[0.0, 1.0]], 20, axis=0), seed=1)
    assert (none.value, none.low, none.high) == pytest.approx((0.0, 0.0, 0.1611), abs=1e-4)
    assert (every.value, every.low, every.high) == pytest.approx((1.0, 0.8389, 1.0), abs=1e-4)
    half = wilson(0.5, 100)
    assert (half.low, half.high) == pytest.approx((0.4038, 0.5962), abs=1e-4)


def test_two_equal_systems_do_not_differ() -> None:
    scores = np.array([0.0, 1.0, 0.5, 1.0])
    test = paired_test(scores, scores, seed=1)
    assert (test.difference, test.p_value) == (0.0, 1.0)


def test_few_instances_that_all_improve_give_the_exact_sign_flip_probability() -> None:
    # Six improvements of one size: two of 2^6 sign patterns are as extreme.
    test = paired_test(np.zeros(6), np.ones(6), seed=1, resamples=100_000)
    assert test.p_value == pytest.approx(2 / 64, rel=0.05)


@given(arrays(np.float64, 25, elements=fractions), arrays(np.float64, 25, elements=fractions))
def test_swapping_the_systems_turns_the_difference_round(
    first: np.ndarray, second: np.ndarray
) -> None:
    forth = paired_test(first, second, seed=5, resamples=500)
    back = paired_test(second, first, seed=5, resamples=500)
    assert forth.difference == pytest.approx(-back.difference)
    assert forth.p_value == back.p_value


def test_systems_with_different_instances_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="same instances"):
        paired_test(np.zeros(3), np.zeros(4), seed=1)
