"""KL divergence and Jensen–Shannon distance, their bounds and their subsamples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from divlogic.diversity.divergence import (
    COLUMNS,
    Counts,
    Parts,
    TextSample,
    aligned,
    drawn,
    js_distance,
    kl_by_share,
    kl_divergence,
    measure,
    note,
    take_apart,
    token_samples,
)
from divlogic.diversity.parameters import DivergenceParameters, DiversityParameters
from divlogic.diversity.plots import plot_shares
from divlogic.diversity.profile import Profile
from divlogic.errors import DivLogicError
from divlogic.records import Record
from tests.support import some


def some_counts(size: int) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.integers(0, 50), min_size=size, max_size=size).filter(any).map(np.array)


PAIRS = st.integers(2, 8).flatmap(lambda size: st.tuples(some_counts(size), some_counts(size)))


@pytest.mark.parametrize(
    ("p", "q", "given", "smoothed"),
    [
        ([1, 1], [3, 1], {"smoothing": 0}, ([0.5, 0.5], [0.75, 0.25])),
        # Every word of either side is smoothed, and no other.
        ([2, 0, 0], [1, 1, 0], {}, ([2.1 / 2.2, 0.1 / 2.2], [0.5, 0.5])),
    ],
)
def test_kl_is_the_textbook_value(p, q, given, smoothed):
    a, b = map(np.array, smoothed)
    assert kl_divergence(np.array(p), np.array(q), **given) == pytest.approx(
        np.sum(a * np.log2(a / b))
    )


def test_kl_without_smoothing_is_refused_where_it_is_infinite() -> None:
    with pytest.raises(DivLogicError, match="infinite without smoothing"):
        kl_divergence(np.array([1, 1]), np.array([1, 0]), smoothing=0)
    with pytest.raises(DivLogicError, match="at least one token"):
        kl_divergence(np.array([0, 0]), np.array([1, 0]))


@given(PAIRS, st.floats(0.001, 2))
def test_kl_is_not_negative_and_zero_for_equal_counts_and_its_base_is_its_unit(
    pair: tuple, smoothing: float
):
    p, q = pair
    assert kl_divergence(p, q, smoothing=smoothing) >= -1e-12
    assert kl_divergence(p, p, smoothing=smoothing) == pytest.approx(0, abs=1e-12)
    assert kl_divergence(p, q, base=np.e) == pytest.approx(kl_divergence(p, q) * np.log(2))


@given(PAIRS)
def test_js_distance_is_symmetric_and_lies_between_zero_and_one(pair: tuple) -> None:
    p, q = pair
    assert js_distance(p, q) == pytest.approx(js_distance(q, p), abs=1e-7)
    assert 0 <= js_distance(p, q) <= 1 + 1e-12


def test_js_distance_of_texts_without_a_common_word_is_one() -> None:
    assert js_distance(np.array([3, 0]), np.array([0, 5])) == pytest.approx(1)


def test_a_token_sample_is_drawn_without_replacement_and_limited_by_the_smaller_side() -> None:
    p, q = np.array([5, 3, 0]), np.array([10, 10, 10])
    for a, b in some(token_samples(p, q, size=100, repeats=5, seed=(1,))):
        assert (a <= p).all() and (b <= q).all()
        assert a.sum() == b.sum() == 8


def test_token_samples_depend_on_the_seed_alone() -> None:
    p, q = np.arange(1, 40), np.arange(40, 1, -1)

    def draw(seed: int, repeats: int) -> list[list[int]]:
        return [a.tolist() for a, _ in token_samples(p, q, size=50, repeats=repeats, seed=(seed,))]

    assert draw(1, 5)[:3] == draw(1, 3)
    assert draw(1, 3) != draw(2, 3)


def sampled(texts: Iterable[list[str]], **how: Any) -> TextSample:
    sample = TextSample(**how)
    for text in texts:
        sample.add(text)
    return sample


def test_a_text_sample_takes_whole_texts_until_it_has_enough() -> None:
    sample = sampled(([f"w{number}"] * 7 for number in range(30)), size=20, repeats=6, seed=(3,))
    assert [sorted(counts.values()) for counts in sample.samples()] == [[6, 7, 7]] * 6


def test_a_text_sample_keeps_no_more_texts_than_it_needs() -> None:
    sample = sampled(([str(number)] * 10 for number in range(500)), size=50, repeats=4, seed=(3,))
    assert all(len(kept) == 5 for kept in sample._kept)


def test_every_text_is_as_likely_to_be_sampled() -> None:
    sample = sampled(([name] * 10 for name in "abcd"), size=10, repeats=4000, seed=(5,))
    found = Counter(name for counts in sample.samples() for name in counts)
    assert all(abs(count - 1000) < 120 for count in found.values())


def test_a_text_sample_of_too_few_texts_is_all_of_them() -> None:
    sample = sampled([["a", "b"], []], size=100, repeats=2, seed=(1,))
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
    assert one["js"] == other["js"] and one["kl"] != other["kl"]
    assert one["size"] == 60


@given(st.lists(st.integers(0, 9), min_size=1).map(np.array), st.integers(1, 80))
def test_words_are_drawn_without_replacement_until_there_are_none(
    counts: Counts, size: int
) -> None:
    found = drawn(counts, size, (1, 2))
    assert found.sum() == min(size, counts.sum())
    assert (found <= counts).all()
    assert (found == drawn(counts, size, (1, 2))).all()
    # Words that are nowhere change no draw: the vocabulary may be that of several sides.
    wider = drawn(np.concatenate([[0], counts, [0]]), size, (1, 2))
    assert (wider[1:-1] == found).all()


PAIR_CORPORA = frozenset({"multinli"})
PARAMETERS = DiversityParameters.model_validate({"sensitivity": {"repeats": 5}})


def frame(rows: list[dict[str, Any]] | None = None) -> pd.DataFrame:
    """Return rows as a table read back, with its columns even if there is none."""
    return pd.DataFrame(rows or [], columns=[*COLUMNS, "benchmark"])


def record(context: str) -> Record:
    sentences: dict[str, Any] = {
        "A": {"premise": "a man is running", "hypotheses": ["a person moves"], "corpus": "snli"},
        "B": {"premise": "the law was passed", "hypotheses": [], "corpus": "multinli"},
        "C": {
            "premise": "a dog sleeps",
            "hypotheses": [],
            "contradiction": "a dog barks",
            "corpus": "snli",
        },
    }
    worded = {"worded": {"premises": ["(A0→B0)", "¬A1", "Cc"], "options": []}}
    names = ("1", "divlogiceval", "test")
    return Record(*names, context, "", ("x", "y"), 0, sentences=sentences, metadata=worded)


def test_a_context_is_taken_apart_into_frame_captions_and_pairs() -> None:
    text = "If a man is running, then the law was passed. It is not the case that a person moves. A dog barks."
    parts = take_apart([record(text), replace(record("x"), sentences=None)], PAIR_CORPORA)
    assert parts.pairs == Counter(["the", "law", "was", "passed"])
    assert parts.captions == Counter(
        ["a", "man", "is", "running", "a", "person", "moves", "a", "dog", "barks"]
    )
    assert parts.frame == Counter(["if", "then", "it", "is", "not", "the", "case", "that"])
    # Records of other forms are passed over.
    assert (parts.occurrences, parts.groups) == ([3, 1], [2, 1])
    assert parts.share == pytest.approx(1 / 3)


@pytest.fixture
def parts() -> Parts:
    """Captions that Wikipedia does not know, pairs in Wikipedia's own words."""
    found = Parts(
        Counter({"if": 500, "then": 500}),
        Counter({f"caption{letter}": 300 for letter in "abcdefgh"}),
        Counter({f"word{letter}": 300 for letter in "abcdefgh"}),
    )
    found.occurrences, found.groups = [240, 240], [120, 120]
    return found


def wikipedia() -> Profile:
    profile = Profile("wikipedia")
    profile.counts["contexts"] = Counter({f"word{letter}": 900 for letter in "abcdefgh"})
    return profile


def by_share(parts: Parts, shares: list[float], tokens: int = 1000) -> list[dict[str, Any]]:
    return kl_by_share(parts, wikipedia(), shares, tokens, PARAMETERS, 1)


def test_divergence_falls_as_the_share_of_the_nearer_corpus_grows(parts: Parts) -> None:
    rows = by_share(parts, [0.0, 0.25, 0.75, 1.0])
    assert [row["mnli_share"] for row in rows] == [0.0, 0.25, 0.5, 0.75, 1.0]
    values = [row["kl_bits"] for row in rows]
    assert values == sorted(values, reverse=True) and values[0] > values[-1] + 2
    assert [row["measured"] for row in rows] == [False, False, True, False, False]
    assert all(row["kl_bits_low"] <= row["kl_bits"] <= row["kl_bits_high"] for row in rows)
    assert rows == by_share(parts, [0.0, 0.25, 0.75, 1.0])


def test_a_share_for_which_there_are_too_few_sentences_has_no_row_and_is_named(
    parts: Parts,
) -> None:
    parts.pairs = Counter({"worda": 200, "wordb": 200})
    rows = by_share(parts, [0.0, 1.0], 2000)
    assert 1.0 not in {row["mnli_share"] for row in rows}
    assert "at the shares 1." in note(parts, rows, [0.0, 1.0])


def test_nothing_is_measured_without_instances(tmp_path: Path) -> None:
    rows = by_share(Parts(), [0.0, 0.5])
    assert rows == []
    assert all(path.is_file() for path in plot_shares(frame(rows), None, tmp_path / "kl_by_share"))


def test_the_figure_shows_the_printed_value(parts: Parts, tmp_path: Path) -> None:
    rows = by_share(parts, [0.0, 1.0])
    plain = plot_shares(frame(rows), None, tmp_path / "a")
    printed = plot_shares(frame(rows), 1.87, tmp_path / "b")
    assert plain[0].read_bytes() != printed[0].read_bytes()
