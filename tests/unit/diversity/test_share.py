"""The divergence by the share of MultiNLI: contexts taken apart, and put together in other proportions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from divlogic.diversity.divergence import COLUMNS, Parts, kl_by_share, note, take_apart
from divlogic.diversity.parameters import DiversityParameters
from divlogic.diversity.plots import plot_shares
from divlogic.diversity.profile import Profile
from divlogic.records import Record

PAIRS = frozenset({"multinli"})
PARAMETERS = DiversityParameters.model_validate({"sensitivity": {"repeats": 5}})


def frame(rows: list[dict[str, Any]] | None = None) -> pd.DataFrame:
    """Return rows as a table read back, with its columns even if there is none."""
    return pd.DataFrame(rows or [], columns=[*COLUMNS, "benchmark", "published_kl"])


def record(context: str) -> Record:
    return Record(
        id="1",
        benchmark="divlogiceval",
        split="test",
        context=context,
        question="",
        options=("x", "y"),
        answer=0,
        sentences={
            "A": {"premise": "a man is running", "hypotheses": ["a person moves"], "corpus": "snli"},
            "B": {"premise": "the law was passed", "hypotheses": [], "corpus": "multinli"},
            "C": {
                "premise": "a dog sleeps",
                "hypotheses": [],
                "contradiction": "a dog barks",
                "corpus": "snli",
            },
        },
        metadata={"worded": {"premises": ["(A0→B0)", "¬A1", "Cc"], "options": []}},
    )


def test_a_context_is_taken_apart_into_frame_captions_and_pairs() -> None:
    text = (
        "If a man is running, then the law was passed. It is not the case that a person moves. A dog barks."
    )
    parts = take_apart([record(text)], PAIRS)
    assert parts.pairs == Counter(["the", "law", "was", "passed"])
    assert parts.captions == Counter(
        ["a", "man", "is", "running", "a", "person", "moves", "a", "dog", "barks"]
    )
    assert parts.frame == Counter(["if", "then", "it", "is", "not", "the", "case", "that"])
    assert parts.occurrences == [3, 1]
    assert parts.groups == [2, 1]
    assert parts.share == pytest.approx(1 / 3)


def test_records_of_other_forms_are_passed_over() -> None:
    from dataclasses import replace

    assert take_apart([replace(record("x"), sentences=None)], PAIRS).occurrences == [0, 0]


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


def test_divergence_falls_as_the_share_of_the_nearer_corpus_grows(parts: Parts) -> None:
    rows = kl_by_share(parts, wikipedia(), [0.0, 0.25, 0.75, 1.0], 1000, PARAMETERS, 1)
    assert [row["mnli_share"] for row in rows] == [0.0, 0.25, 0.5, 0.75, 1.0]
    values = [row["kl_bits"] for row in rows]
    assert values == sorted(values, reverse=True) and values[0] > values[-1] + 2
    assert [row["measured"] for row in rows] == [False, False, True, False, False]
    assert all(row["kl_bits_low"] <= row["kl_bits"] <= row["kl_bits_high"] for row in rows)
    assert rows == kl_by_share(parts, wikipedia(), [0.0, 0.25, 0.75, 1.0], 1000, PARAMETERS, 1)


def test_a_share_for_which_there_are_too_few_sentences_has_no_row_and_is_named(parts: Parts) -> None:
    parts.pairs = Counter({"worda": 200, "wordb": 200})
    rows = kl_by_share(parts, wikipedia(), [0.0, 1.0], 2000, PARAMETERS, 1)
    assert 1.0 not in {row["mnli_share"] for row in rows}
    assert "at the shares 1." in note(parts, rows, [0.0, 1.0])


def test_nothing_is_measured_without_instances(tmp_path: Path) -> None:
    rows = kl_by_share(Parts(), wikipedia(), [0.0, 0.5], 1000, PARAMETERS, 1)
    assert rows == []
    assert all(path.is_file() for path in plot_shares(frame(rows), frame(), tmp_path / "kl_by_share"))


def test_the_figure_shows_the_printed_value(parts: Parts, tmp_path: Path) -> None:
    rows = kl_by_share(parts, wikipedia(), [0.0, 1.0], 1000, PARAMETERS, 1)
    table4 = pd.DataFrame([{"benchmark": "DivLogicEval", "published_kl": 1.87}])
    plain = plot_shares(frame(rows), frame(), tmp_path / "a")
    printed = plot_shares(frame(rows), table4, tmp_path / "b")
    assert plain[0].read_bytes() != printed[0].read_bytes()
