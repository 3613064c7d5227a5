"""RuleTaker: statements judged by facts and rules under a closed world (Clark et al., 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import integer, label, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Format, Part, Published
from divlogic.models.answers import TRUTH_HINT, Labels
from divlogic.records import Record

TRUTH = ("True", "False")


def ruletaker(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RuleTaker theory: one record per question."""
    for question in item["questions"]:
        meta = question["meta"]
        yield Record(
            id=str(question["id"]),
            benchmark="ruletaker",
            split=file.split,
            context=text(item["context"], "context"),
            question=text(question["text"], "text"),
            options=TRUTH,
            answer=label(question["label"], TRUTH),
            question_type=meta.get("strategy"),
            depth=integer(meta.get("QDep")),
            metadata={"theory": str(item["id"]), "part": file.folder},
        )


RULETAKER = Benchmark(
    name="ruletaker",
    title="RuleTaker",
    paper="Clark et al., 2020",
    answers=Labels(TRUTH, TRUTH_HINT),
    splits=("train", "validation", "test"),
    published=(
        Published(
            "ruletaker",
            "RuleTaker",
            (
                # The repository that holds this copy lacks the test file of depth 0.
                Part(
                    "ruletaker",
                    tuple(f"depth-{depth}/test.jsonl" for depth in (1, 2, 3, 5)),
                    "test",
                    100_000,
                    by_folder=True,
                ),
                Part(
                    "ruletaker",
                    ("NatLang/test.jsonl", "birds-electricity/test.jsonl"),
                    "test",
                    exact=False,
                    by_folder=True,
                ),
                Part("ruletaker", ("depth-5/test-xtra.jsonl",), "further test of depth 5", exact=False),
                Part("ruletaker", ("depth-0/dev.jsonl",), "dev of depth 0", exact=False),
            ),
        ),
    ),
    formats=(
        Format(
            "ruletaker",
            "RuleTaker theories with questions (file or depth folders)",
            ("context", "questions"),
            ruletaker,
        ),
    ),
    tables=(DIVERGENCE_TABLE,),
)
