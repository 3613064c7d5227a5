"""ReClor: multiple-choice reading comprehension from admission tests (Yu et al., 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import index, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Format, Part, Published
from divlogic.models.answers import Letters
from divlogic.records import Record


def reclor(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a ReClor item; test items carry no label."""
    options = strings(item["answers"], "answers")
    yield Record(
        id=text(item["id_string"], "id_string"),
        benchmark="reclor",
        split=file.split,
        context=text(item["context"], "context"),
        question=text(item["question"], "question"),
        options=options,
        answer=index(item.get("label"), options, "label"),
        question_type=None if item.get("question_type") is None else str(item["question_type"]),
    )


RECLOR = Benchmark(
    name="reclor",
    title="ReClor",
    paper="Yu et al., 2020",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    published=(
        Published(
            "reclor",
            "ReClor",
            (
                Part("reclor", ("test.json",), "test", 1000),
                Part("reclor", ("val.json",), "validation instead of test", 500, exact=False),
                Part("reclor", ("train.json",), "train instead of test", 4638, exact=False),
            ),
        ),
    ),
    formats=(Format("reclor", "ReClor val.json / test.json", ("answers", "id_string"), reclor),),
    tables=(DIVERGENCE_TABLE,),
)
