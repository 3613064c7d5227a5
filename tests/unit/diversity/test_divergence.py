"""KL divergence and Jensen–Shannon distance, their bounds and their subsamples."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from divlogic.diversity.divergence import (
    Counts,
    TextSample,
    aligned,
    drawn,
    js_distance,
    kl_divergence,
    measure,
    token_samples,
)
from divlogic.diversity.parameters import DivergenceParameters
from divlogic.errors import DivLogicError

COUNTS = st.lists(st.integers(0, 50), min_size=2, max_size=8).filter(any)
PAIRS = st.integers(2, 8).flatmap(
    lambda size: st.tuples(
        *[
            st.lists(st.integers(0, 50), min_size=size, max_size=size).filter(any).map(np.array)
            for _ in range(2)
        ]
    )
)


def test_kl_without_smoothing_is_the_textbook_value() -> None:
    assert kl_divergence(np.array([1, 1]), np.array([3, 1]), smoothing=0) == pytest.approx(
        0.5 * np.log2(0.5 / 0.75) + 0.5 * np.log2(0.5 / 0.25)
    )


def test_smoothing_counts_every_word_of_either_side_and_no_other() -> None:
    p, q = np.array([2, 0, 0]), np.array([1, 1, 0])
    a, b = np.array([2.1, 0.1]) / 2.2, np.array([1.1, 1.1]) / 2.2
    assert kl_divergence(p, q) == pytest.approx(float(np.sum(a * np.log2(a / b))))


def test_kl_without_smoothing_is_refused_where_it_is_infinite() -> None:
    with pytest.raises(DivLogicError, match="infinite without smoothing"):
        kl_divergence(np.array([1, 1]), np.array([1, 0]), smoothing=0)
    with pytest.raises(DivLogicError, match="at least one token"):
        kl_divergence(np.array([0, 0]), np.array([1, 0]))


@given(PAIRS, st.floats(0.001, 2))
def test_kl_is_not_negative_and_zero_for_equal_counts(pair: tuple, smoothing: float) -> None:
    p, q = pair
    assert kl_divergence(p, q, smoothing=smoothing) >= -1e-12
    assert kl_divergence(p, p, smoothing=smoothing) == pytest.approx(0, abs=1e-12)


@given(PAIRS)
def test_js_distance_is_symmetric_and_lies_between_zero_and_one(pair: tuple) -> None:
    p, q = pair
    assert js_distance(p, q) == pytest.approx(js_distance(q, p), abs=1e-7)
    assert 0 <= js_distance(p, q) <= 1 + 1e-12


def test_js_distance_of_texts_without_a_common_word_is_one() -> None:
    assert js_distance(np.array([3, 0]), np.array([0, 5])) == pytest.approx(1)


@given(PAIRS)
def test_the_base_only_changes_the_unit(pair: tuple) -> None:
    p, q = pair
    assert kl_divergence(p, q, base=np.e) == pytest.approx(kl_divergence(p, q) * np.log(2))


def test_a_token_sample_is_drawn_without_replacement_and_limited_by_the_smaller_side() -> None:
    p, q = np.array([5, 3, 0]), np.array([10, 10, 10])
    for a, b in token_samples(p, q, size=100, repeats=5, seed=(1,)):
        assert (a <= p).all() and (b <= q).all()
        assert a.sum() == b.sum() == 8


def test_token_samples_depend_on_the_seed_alone() -> None:
    p, q = np.arange(1, 40), np.arange(40, 1, -1)

    def draw(seed: int, repeats: int) -> list[list[int]]:
        return [a.tolist() for a, _ in token_samples(p, q, size=50, repeats=repeats, seed=(seed,))]

    assert draw(1, 5)[:3] == draw(1, 3)
    assert draw(1, 3) != draw(2, 3)


def test_a_text_sample_takes_whole_texts_until_it_has_enough() -> None:
    texts = [[f"w{number}"] * 7 for number in range(30)]
    sample = TextSample(size=20, repeats=6, seed=(3,))
    for text in texts:
        sample.add(text)
    for counts in sample.samples():
        assert sum(counts.values()) == 20
        assert sorted(counts.values()) == [6, 7, 7]


def test_a_text_sample_keeps_no_more_texts_than_it_needs() -> None:
    sample = TextSample(size=50, repeats=4, seed=(3,))
    for number in range(500):
        sample.add([str(number)] * 10)
    assert all(len(kept) == 5 for kept in sample._kept)


def test_every_text_is_as_likely_to_be_sampled() -> None:
    sample = TextSample(size=10, repeats=4000, seed=(5,))
    for name in "abcd":
        sample.add([name] * 10)
    found = Counter(name for counts in sample.samples() for name in counts)
    assert all(abs(count - 1000) < 120 for count in found.values())


def test_a_text_sample_of_too_few_texts_is_all_of_them() -> None:
    sample = TextSample(size=100, repeats=2, seed=(1,))
    sample.add(["a", "b"])
    sample.add([])
    assert list(sample.samples()) == [{"a": 1, "b": 1}] * 2


def test_aligned_counts_share_the_sorted_vocabulary() -> None:
    p, q = aligned({"b": 2, "a": 1}, {"c": 3, "a": 4})
    assert (p.tolist(), q.tolist()) == ([1, 2, 0], [4, 0, 3])


def test_a_measurement_has_its_mean_inside_its_interval_and_knows_its_direction() -> None:
    p, q = np.array([90, 5, 5, 0]), np.array([30, 30, 30, 10])
    samples = list(token_samples(p, q, size=60, repeats=40, seed=(2,)))
    one = measure(samples, DivergenceParameters())
    other = measure(samples, DivergenceParameters(direction="reference_to_benchmark"))
    assert one["kl_low"] <= one["kl"] <= one["kl_high"]
    assert one["js"] == other["js"]
    assert one["kl"] != other["kl"]
    assert one["size"] == 60


@given(st.lists(st.integers(0, 9), min_size=1).map(np.array), st.integers(1, 80))
def test_words_are_drawn_without_replacement_until_there_are_none(counts: Counts, size: int) -> None:
    found = drawn(counts, size, (1, 2))
    assert found.sum() == min(size, counts.sum())
    assert (found <= counts).all()
    assert (found == drawn(counts, size, (1, 2))).all()
    # Words that are nowhere change no draw: the vocabulary may be that of several sides.
    wider = drawn(np.concatenate([[0], counts, [0]]), size, (1, 2))
    assert (wider[1:-1] == found).all()
