"""Sentence groups made for the tests."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from divlogic.io.files import write_jsonl

PLACES = ("harbour", "market", "library", "stadium", "garden", "kitchen", "station")


def group_row(number: int) -> dict:
    """One group with 0-2 hypotheses and 0-1 contradictions, different for every number."""
    draws = np.random.default_rng(number)
    place = PLACES[number % len(PLACES)]

    def clause(subject: str, rest: str, source: str) -> dict:
        return {
            "text": f"{subject} is {rest}",
            "negated": f"{subject} isn't {rest}",
            "source": source,
        }

    entailed = [clause(f"person {number}", f"near the {place}", f"p{number}e1")]
    entailed.append(clause(f"someone called {number}", "awake", f"p{number}e2"))
    contradicted = [clause(f"painter {number}", "asleep at home", f"p{number}c1")]
    premise = clause(f"painter {number}", f"sketching boats at the {place}", f"p{number}")
    name = hashlib.sha256(f"group {number}".encode()).hexdigest()[:12]
    return {
        "id": name, "corpus": "captions", "genre": None, "source": f"caption-{number}", "premise": premise,
        "entailed": entailed[: draws.integers(0, 3)], "contradicted": contradicted[: draws.integers(0, 2)],
        "neutral": [],
    }  # fmt: skip


@pytest.fixture(scope="session")
def groups_file(tmp_path_factory) -> Path:
    """A file of 700 groups, sorted by id as the sentences phase leaves them."""
    path = tmp_path_factory.mktemp("groups") / "groups.jsonl.gz"
    write_jsonl(path, sorted(map(group_row, range(700)), key=lambda row: row["id"]))
    return path
