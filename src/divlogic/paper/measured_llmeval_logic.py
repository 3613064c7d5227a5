"""What this workflow counted of the published LLMEval-Logic, and scores next to the printed ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from divlogic.io.tables import read_table
from divlogic.paper.measured import GENERATED, Keys, Measured, Row

COMPOSITION = "benchmarks/llmeval_logic/published/composition"
SCORES = "evaluation/llmeval_logic/scores"
COUNTS = {
    ("llmeval_logic_base", "items"): ("base", "items"),
    ("llmeval_logic_base", "public_items"): ("base", "items"),
    ("llmeval_logic_base", "rubric_atoms"): ("rubrics", "atoms"),
    ("llmeval_logic_hard", "items"): ("hard", "items"),
    ("llmeval_logic_hard", "public_items"): ("hard", "items"),
    ("llmeval_logic_hard", "sub_questions"): ("hard", "sub-questions"),
    ("llmeval_logic_hard", "public_sub_questions"): ("hard", "sub-questions"),
}
"""(benchmark, printed measure) -> (part, count) of the composition."""

_SETTINGS = {"llmeval_logic_base": "Base", "llmeval_logic_hard": "Hard"}
_METRICS = {
    "item_accuracy": "Item Accuracy",
    "sub_question_accuracy": "Sub-Question Accuracy",
    "both": "Z3+Rubric",
}
_PART = "the part that is here"


@dataclass
class Composition:
    """Counts of items, sub-questions and rubric atoms; only full runs have them."""

    results: Path

    def __post_init__(self) -> None:
        self.files = _there(self.results, COMPOSITION)
        rows = read_table(self.results / COMPOSITION) if self.files else ()
        self._found = {(row["part"], row["count"]): row for row in rows if row["here"]}

    def measures(self, keys: Keys, column: str) -> bool:
        return COUNTS.get((keys["benchmark"], column)) in self._found

    def find(self, keys: Keys, column: str) -> Measured | None:
        row = self._found.get(COUNTS.get((keys["benchmark"], column), ("", "")))
        if row is None:
            return None
        return Measured(
            float(row["here"]), other="" if row["here"] == row["of"] and "public" in column else _PART
        )

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        yield from ()


@dataclass
class Scores:
    """Scores of models and baselines in rows of their own: the printed systems are the authors' runs."""

    results: Path

    def __post_init__(self) -> None:
        self.files = _there(self.results, SCORES)

    def measures(self, keys: Keys, column: str) -> bool:
        return False

    def find(self, keys: Keys, column: str) -> Measured | None:
        return None

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        for row in read_table(self.results / SCORES) if self.files else ():
            metric = _METRICS.get(str(row["metric"]))
            if metric and not str(row["track"]).endswith("_free"):
                words = {
                    "system": str(row["model"]),
                    "version": "",
                    "setting": _setting(row),
                    "metric": metric,
                }
                published = row["benchmark"] in _SETTINGS
                number = Measured(row["score"], row["low"], row["high"], _PART if published else GENERATED)
                yield words, {"score": number}


def _setting(row: Row) -> str:
    name = str(row["benchmark"])
    where = _SETTINGS.get(name, f"{name.rpartition('_')[2].capitalize()} (generated)")
    return where + (", reference symbols given" if row["track"] == "formalise_fixed" else "")


def _there(results: Path, path: str) -> tuple[str, ...]:
    # Embedded runs have no published items.
    return (f"{path}.csv",) if (results / path).with_suffix(".json").is_file() else ()
