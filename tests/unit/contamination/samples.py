"""Pairs and instances for the tests of this phase."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from divlogic.contamination.learners import LABELS
from divlogic.io.files import write_jsonl
from divlogic.records import Record
from tests.support import nli_pair

WORDS = {"entailment": "outside", "neutral": "sad", "contradiction": "asleep"}


def pair(number: int, label: str, corpus: str = "captions") -> dict[str, Any]:
    """A pair whose hypothesis ends in a word that tells its label."""
    texts = (
        f"A man with {number} dogs walks in a park.",
        f"A man with {number} dogs is {WORDS[label]}.",
    )
    return nli_pair(number, label, *texts, corpus=corpus, premise_id=f"{corpus}:{number}")


def write_pairs(path: Path, count: int) -> Path:
    """Write ``count`` pairs of each label and corpus."""
    corpora = ("captions", "genres")
    write_jsonl(
        path, (pair(n, label, one) for one in corpora for n in range(count) for label in LABELS)
    )
    return path


def question(number: int, answer: int, quartet: int | None = None) -> Record:
    """A question of which nothing but memory tells the answer."""
    return Record(
        id=f"q-{number}",
        benchmark="divlogiceval",
        split="test",
        context=f"Premise {number} holds, and so does premise {number + 1}.",
        question="Which of them follows?",
        options=tuple(
            f"Statement {number} {name} is the case." for name in ("red", "green", "blue", "grey")
        ),
        answer=answer,
        question_type="3c1e",
        metadata={} if quartet is None else {"quartet": quartet},
    )
