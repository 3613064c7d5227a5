"""Tables and figures of LLMEval-Logic."""

from __future__ import annotations

from collections.abc import Iterator

from divlogic.paper.declaration import (
    GENERATED,
    Figure,
    Keys,
    Measured,
    MeasuredRow,
    ResultRow,
    Results,
    TableDeclaration,
)

COMPOSITION = "benchmarks/llmeval_logic/published/composition"
PROFILES = "diversity/statistics"
SCORES = "evaluation/llmeval_logic/scores"
_COUNTS = {
    "llmeval_logic_base": {
        "items": ("base", "items"),
        "public_items": ("base", "items"),
        "rubric_atoms": ("rubrics", "atoms"),
    },
    "llmeval_logic_hard": {
        "items": ("hard", "items"),
        "public_items": ("hard", "items"),
        "sub_questions": ("hard", "sub-questions"),
        "public_sub_questions": ("hard", "sub-questions"),
    },
}
"""Benchmark -> printed measure -> (part, count) of the composition."""

_PROFILED = {"LLMEval-Logic Base": ("base", "items"), "LLMEval-Logic Hard": ("hard", "sub-questions")}
"""Title in the table of word statistics -> what its instances are: of Hard, sub-questions."""

_PARTS = {"llmeval_logic_base": "Base", "llmeval_logic_hard": "Hard"}
_METRICS = {
    "item_accuracy": "Item Accuracy",
    "sub_question_accuracy": "Sub-Question Accuracy",
    "both": "Z3+Rubric",
}
_PART = "the part that is here"


def _composition(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield counts of items, sub-questions and rubric atoms; those of embedded runs come from shipped word counts."""
    counted: dict[tuple[str, str], ResultRow] = {
        _PROFILED[row["benchmark"]]: {"here": row["instances"], "of": row["instances"], "via": "profile"}
        for row in results(PROFILES)
        if row["benchmark"] in _PROFILED and row["source"] == "profile"
    }
    counted |= {(row["part"], row["count"]): row for row in results(COMPOSITION) if row["here"]}
    for benchmark, measures in _COUNTS.items():

        def fits(keys: Keys, benchmark: str = benchmark) -> bool:
            return keys["benchmark"] == benchmark

        numbers = {}
        for measure, key in measures.items():
            if row := counted.get(key):
                whole = row["here"] == row["of"] and "public" in measure
                other = "" if whole else _PART
                numbers[measure] = Measured(float(row["here"]), other=other, via=row.get("via", ""))
        yield MeasuredRow(numbers, fits)


def _scores(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield models and baselines in rows of their own: the printed systems are the authors' runs."""
    for row in results(SCORES):
        metric = _METRICS.get(str(row["metric"]))
        if metric and not str(row["track"]).endswith("_free"):
            words = {"system": str(row["model"]), "setting": _setting(row), "metric": metric}
            other = _PART if row["benchmark"] in _PARTS else GENERATED
            number = Measured(row["score"], row["low"], row["high"], other)
            yield MeasuredRow({"score": number}, words=words)


def _setting(row: ResultRow) -> str:
    name = str(row["benchmark"])
    part = _PARTS.get(name, f"{name.rpartition('_')[2].capitalize()} (generated)")
    return part + (", reference symbols given" if row["track"] == "formalise_fixed" else "")


TABLES = (
    TableDeclaration(
        paper="LLMEval-Logic",
        number="Abstract and Section 2.2",
        title="Composition",
        rows=("benchmark",),
        column="measure",
        reads=(COMPOSITION, PROFILES),
        measured=_composition,
        noted=False,
        remark="The numbers that the paper's text states, held-back items included; its tables are not transcribed.",
    ),
    TableDeclaration(
        paper="LLMEval-Logic",
        number="Released files",
        title="Composition of the public part",
        rows=("benchmark",),
        column="measure",
        reads=(COMPOSITION, PROFILES),
        measured=_composition,
        noted=False,
        remark="Four fifths of the items are public; the authors hold the others back.",
    ),
    TableDeclaration(
        paper="LLMEval-Logic",
        number="Abstract",
        title="Best scores",
        rows=("system", "setting", "metric"),
        reads=(SCORES,),
        measured=_scores,
        noted=False,
        remark="What the paper's text states; its tables are not transcribed. Further rows: baselines and models here.",
    ),
    TableDeclaration(
        paper="LLMEval-Logic",
        number="Table 1 (authors' blog of 2026-05-12)",
        title="Answer accuracy, the rows that the authors' blog has",
        remark="Means of three runs, copied from the blog with their deviation; the paper's own table is not here.",
    ),
    TableDeclaration(
        paper="LLMEval-Logic",
        number="Authors' README",
        title="Agreement of three judges",
        rows=("system", "setting", "metric"),
        remark="Pairwise Cohen's kappa as the authors' README gives it; a run's own is in evaluation/llmeval_logic.",
    ),
)

FIGURES = (
    Figure(
        "sensitivity",
        "Wrong formalizations that a signal lets through",
        "LLMEval-Logic: mutants of the gold formalizations that are not equivalent to them, and the share that the"
        " answer check, the rubric, and both together do not notice, by what was changed (number of mutants in"
        " brackets; few where it is small). The equivalence check lets none through.",
    ),
    Figure(
        "panel",
        "What solvers without search answer, before and after hardening",
        "LLMEval-Logic (generated): sub-questions that shallow solvers get right on the scenarios, on hard items as"
        " drawn, and on those that were kept. `carried` answers from the unchanged scenario; `first model` takes the"
        " first model for the only one; `one step` applies each premise once; `words` goes by words shared with the"
        " text; `propagation` applies premises until nothing follows; `all open` takes everything for open. Those"
        " without gate decide nothing about what is kept.",
    ),
)
