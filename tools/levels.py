"""``python -m tools.levels``: measure every level of every generator, and write docs/levels.csv.

A row per generator and level: its configuration, words, premises, items per second of processor time, and what answers
without reasoning (the best constant answer, a trained bag of words, the option with most words of the context) or by
reading for some rounds. Percentages are of items; those of readers of LLMEval-Logic are of sub-questions.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import divlogic
from divlogic.benchmarks.logicnli.learners import learner_named
from divlogic.io.files import write_csv
from divlogic.library.dataset import DataSet
from divlogic.models.learners import BagOfWords
from divlogic.models.words import words
from divlogic.records import Record
from tools.rounds import share_right

OUT = Path("docs/levels.csv")
ROUNDS = (1, 2, 4, 8)
COLUMNS = (
    *("benchmark", "level", "configuration", "items", "words", "premises", "items_per_second"),
    *("constant", "bag_of_words", "overlap", *(f"rounds_{rounds}" for rounds in ROUNDS)),
)


def measured(name: str, level: int, size: int) -> list[Any]:
    """Return the row of a level."""
    data = divlogic.create(name, size=size, seed=1, level=level)
    records = list(data.records())
    rate = size / min(_seconds(name, level, size) for _ in range(3))
    answers = [item["answer"] for item in data]
    texts = [" ".join((record.context, record.question, *record.options)) for record in records]
    length = (
        sum(len(text) if name == "llmeval_logic" else len(words(text)) for text in texts) / size
    )
    config = json.dumps(dict(divlogic.levels(name)[level - 1]))
    row = [name, level, config, size, f"{length:.0f}", f"{_premises(records):.1f}", f"{rate:.0f}"]
    return [*row, *_guessing(name, data, records, answers)]


def _seconds(name: str, level: int, size: int) -> float:
    """Return the processor time of drawing all items once more; other processes only ever add to it."""
    data = divlogic.create(name, size=size, seed=1, level=level)
    start = time.process_time()
    for _ in data.records():
        pass
    return time.process_time() - start


def _guessing(
    name: str, data: DataSet, records: Sequence[Record], answers: Sequence[str]
) -> Iterator[str]:
    yield f"{100 * max(Counter(answers).values()) / len(answers):.1f}"
    labels = name in ("logicnli", "justlogic")
    others = (
        divlogic.create(name, size=len(records), seed=2, level=data.level).records()
        if labels
        else ()
    )
    yield _accuracy(BagOfWords(1), list(others), records) if labels else ""
    yield "" if labels or name == "llmeval_logic" else _overlap(records)
    for rounds in ROUNDS:
        if name == "logicnli":
            yield _accuracy(learner_named(f"reasoner_{rounds}", 1), [], records)
        else:
            yield f"{100 * fmean(share_right(record, rounds) for record in records):.1f}"


def _accuracy(learner: Any, training: Sequence[Record], records: Sequence[Record]) -> str:
    learner.fit(training)
    said = learner.predict(records)
    right = (
        label == one.options[one.answer or 0] for label, one in zip(said, records, strict=True)
    )
    return f"{100 * sum(right) / len(records):.1f}"


def _overlap(records: Sequence[Record]) -> str:
    def shared(context: set[str], option: str) -> float:
        own = set(words(option))
        return len(own & context) / max(1, len(own))

    right = 0
    for record in records:
        context = set(words(record.context))
        shares = [shared(context, option) for option in record.options]
        right += shares.index(max(shares)) == record.answer
    return f"{100 * right / len(records):.1f}"


def _premises(records: Sequence[Record]) -> float:
    """Return the mean number of premises of a text (facts and rules, in LogicNLI)."""
    stated = [record.formulas or {} for record in records]
    counts = [
        len(one.get("premises") or [*one.get("facts", ()), *one.get("rules", ())]) for one in stated
    ]
    return sum(counts) / len(counts)


def main(names: Sequence[str]) -> None:
    """Measure the named generators, by default all, and keep the rows of the others."""
    rows: list[list[Any]] = []
    if OUT.is_file():
        with OUT.open(encoding="utf-8", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row[0] not in (*names, "benchmark")]
    order = divlogic.names()
    for name in names:
        for level in range(1, len(divlogic.levels(name)) + 1):
            rows.append(measured(name, level, 24 if name == "llmeval_logic" else 120))
            rows.sort(key=lambda row: (order.index(row[0]), int(row[1])))
            write_csv(OUT, COLUMNS, rows)


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in divlogic.names() if name != "ilogiceval"])
