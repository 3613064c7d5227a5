"""JustLogic's own csv files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import label
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")


def justlogic(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a JustLogic row; TRUE / True are folded, `arg` is the argument in symbols."""
    sentences = ast.literal_eval(item["statements"])
    if not isinstance(sentences, dict):
        raise ValueError("the field 'statements' is not a mapping from numbers to sentences")
    argument = item["arg"]
    forms = re.findall(r"^\s*([A-Z][A-Za-z ]+):\s*$", argument, re.MULTILINE)
    yield Record(
        id=item["id"],
        benchmark="justlogic",
        split=file.split,
        context=item["paragraph"],
        question=item["question"],
        options=LABELS,
        answer=label(item["label"], LABELS),
        depth=int(item["depth"]),
        forms=tuple(forms),
        formulas={"argument": argument},
        sentences={str(number): sentence for number, sentence in sentences.items()},
        metadata={"conclusion": item["conclusion"]},
    )
