"""Statements that say something: no definitions of themselves, no empty objects, few entries of knowledge bases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings, strategies as st

from divlogic.benchmarks.justlogic.statements import WORDS, is_analytic, is_empty, is_structured
from divlogic.benchmarks.justlogic.table import merge_statements
from divlogic.io.files import read_jsonl, write_jsonl


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a middle school is a school", [is_analytic]),
        ("arms races are races", [is_analytic]),
        ("venomous animals are a kind of animals", [is_analytic]),
        ("gaps are software", [is_empty]),
        ("meat has quality", [is_empty]),
        ("general principles explain aspects", [is_empty]),
        *((text, []) for text in ("a whale is a mammal", "otters eat fish", "an otter is awake")),
        *((text, []) for text in ("otters are playful", "whales are mammals")),
    ],
)
def test_a_statement_that_only_takes_its_subject_apart_is_analytic_and_one_without_content_empty(
    text: str, found: list[Callable[[list[str]], bool]]
) -> None:
    assert [check for check in (is_analytic, is_empty) if check(text.split())] == found


def test_a_knowledge_base_is_known_by_its_name_or_by_its_score() -> None:
    assert is_structured("ConceptNet", 0.8)
    assert is_structured("genericskb", 1.0)
    assert not is_structured("genericskb", 0.9)
    assert not is_structured("DivLogic", 1.0)


def row(number: int, structured: bool) -> dict[str, Any]:
    said = {"term": f"otter {number:03d}", "text": f"otter {number} swims", "negated": None}
    return {"id": f"{number:012x}", **said, "source": "made up", "structured": structured}


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.sampled_from([0.0, 0.25, 0.4, 1.0]))
def test_knowledge_bases_give_their_share_at_most(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[bool], share: float
) -> None:
    folder: Path = tmp_path_factory.mktemp("shards")
    rows = [row(number, kind) for number, kind in enumerate(kinds)]
    write_jsonl(folder / "one.jsonl", rows)
    total = Counter({"kept_without_verb_negation": len(rows)})
    merge_statements([folder / "one.jsonl"], folder / "table.jsonl", share, total)
    kept = [line["structured"] for _, line in read_jsonl(folder / "table.jsonl")]
    count = len(kept)
    assert count == total["kept_without_verb_negation"]
    assert kept.count(False) == kinds.count(False)
    if False in kinds:
        assert kept.count(True) <= share * count + 1e-9
        allowed = int(kinds.count(False) * share / (1 - share)) if share < 1 else len(kinds)
        assert kept.count(True) == min(kinds.count(True), allowed)
    assert total["structured"] == len(kinds) - count


@pytest.mark.parametrize("pattern", [one.replace("_", " ") for one in sorted(WORDS["loose"])])
def test_each_pattern_of_what_leans_on_its_text_can_match(pattern: str) -> None:
    found = re.compile(rf"\b(?:{pattern})(?!\w)")
    texts = st.from_regex(rf"[a-z]+ (?:{pattern})(?: [a-z]+)?", fullmatch=True)
    any_case = settings(phases=[Phase.generate])  # not the shortest, which takes ten times as long
    assert find(
        texts,
        lambda text: found.search(text) and text.split() == text.split(" "),
        settings=any_case,
    )
