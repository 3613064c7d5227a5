"""Tables and figures of LogicNLI.

The printed systems are the authors' trained models, and most printed sets are not public. Measured here are the public
splits, the generated sets, learners on these, and floors on sets drawn as published, in rows of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from divlogic.paper.declaration import (
    GENERATED,
    RECORDED,
    Figure,
    Keys,
    MeasuredRow,
    ResultRow,
    Results,
    TableDeclaration,
    numbers_of,
    other_data,
    profile_of,
)

SETS = "benchmarks/logicnli/sets"
WORDS = "diversity/statistics"
FLOORS = "benchmarks/logicnli/floors"
DIAGNOSIS = "evaluation/logicnli/diagnosis"
CONNECTIVES = "evaluation/logicnli/connectives"

_SIZES = ("instances", "average_length", "maximum_length", "facts_and_rules", "subjects", "predicates")
_ACCURACIES = {
    "Dev.": "dev",
    "Test-A": "test",
    "Dev-R": "dev_r",
    "Test-R": "test_r",
    "Test-G": "test_g",
    "#Target": "targets",
    "Test-T (P-EM)": "p_em",
    "#Proof": "proofs",
    "Test-T (P-Acc.)": "p_acc",
}
_INDICATORS = {"P-Acc": "test", "δR": "robustness", "δA→G": "generalisation", "P-EM": "p_em"}
"""Table 7's column P-Acc holds the accuracy on Test-A."""

_SYMBOLS = {
    "∧": "fol_and", "∨": "fol_or", "¬": "fol_not", "→": "fol_implies", "≡": "fol_equivalent", "∀": "fol_all",
    "∃": "fol_exists",
}  # fmt: skip

_ANOTHER = (
    "Learners and models measured here stand on sets of another construction, with the chance that they name."
)
_AS_PUBLISHED = "random theories drawn here as the paper's were"


def _sets(
    table: TableDeclaration,
    results: Results,
    *,
    sizes: tuple[str, ...] = _SIZES,
    starts: tuple[str, ...] = (),
    released: Mapping[str, str] | None = None,
) -> Iterator[MeasuredRow]:
    """Yield the public splits, and the generated sets as rows of their own.

    Args:
        table, results: as for every source.
        sizes: printed measures that are counted.
        starts: names of the printed sets begin so; a generated set of that name becomes a row.
        released: printed row -> the released split that it is compared with, where the names differ.
    """
    columns = {name: name for name in sizes}
    if starts and "LogicNLI" in starts:
        yield from _test_split(results)
    for row in results(SETS):
        name = str(row["benchmark"])
        if row["source"] == "release":

            def fits(keys: Keys, name: str = name) -> bool:
                return (released or {}).get(keys["benchmark"], keys["benchmark"]) == name

            yield MeasuredRow(numbers_of(row, columns, ""), fits)
        elif row["source"] == "generated" and starts and name.startswith(starts):
            yield MeasuredRow(numbers_of(row, columns, GENERATED), words={"benchmark": f"{name} (generated)"})


def _test_split(results: Results) -> Iterator[MeasuredRow]:
    """Yield size and average length of the test split, where its words are counted (the release has no more of it)."""
    for row in results(WORDS):
        whole = row["source"] in ("measured", "profile") and not other_data(row)
        if row["benchmark"] == "LogicNLI" and whole and row["instances"]:
            length = {
                "average_length": row["tokens_instances"] / row["instances"],
                "instances": row["instances"],
            }
            numbers = numbers_of(length, {name: name for name in length}, "", profile_of(row))
            yield MeasuredRow(numbers, lambda keys: keys["benchmark"] == "LogicNLI Test-A")


def _learners(
    table: TableDeclaration,
    results: Results,
    *,
    path: str,
    columns: Mapping[str, str],
    floors: Mapping[str, str] | None = None,
    setting: str | None = None,
) -> Iterator[MeasuredRow]:
    """Yield floors on sets drawn as published, and learners on the generated sets.

    Args:
        table, results: as for every source.
        path: table of the learners; ``columns`` maps printed columns to its columns.
        floors: printed columns to columns of the table of floors.
        setting: only rows of this benchmark; ``None``: all, each with its own.
    """
    for row in results(FLOORS) if floors else ():
        words = {"system": f"{row['system']} (as published)"}
        yield MeasuredRow(numbers_of(row, floors or {}, _AS_PUBLISHED), words=words)
    chances = _chances(results)
    for row in results(path):
        own = str(row.get("setting") or "")
        if setting in (None, own):
            chance = chances.get(f"{own} Test-A" if own else next(iter(_SYMBOLS)), "")
            words = {"system": _with_statements(row) + chance, "setting": own}
            yield MeasuredRow(numbers_of(row, columns, GENERATED), words=words)


def _chances(results: Results) -> dict[str, str]:
    """Return by generated set what its rows say of guessing: the sets need not have the paper's labels."""
    sets = [row for row in results(SETS) if row["source"] == "generated" and row.get("labels")]
    return {row["benchmark"]: f", chance {100 / (row['labels'].count(':') + 1):.1f}" for row in sets}


def _with_statements(row: ResultRow) -> str:
    """Return the name of a learner or model, and behind that of a recorded one how much of Test-A it was asked."""
    name, asked = str(row["system"]).replace("_", " "), row.get("statements")
    return f"{name}, {asked:,} statements" if RECORDED in name and asked else name


TABLES = (
    TableDeclaration(
        paper="LogicNLI",
        number="Table 1",
        title="Benchmarks compared: logic, language, commonsense",
        rows=("benchmark",),
        column="measure",
        reads=(SETS,),
        measured=partial(_sets, sizes=("fols",), released={"LogicNLI": "LogicNLI Train"}),
        noted=False,
        remark="#FOLs of LogicNLI: connectives and quantifiers counted in the formulas of the release.",
    ),
    TableDeclaration(
        paper="LogicNLI",
        number="Table 2",
        title="Sizes and lengths of LogicNLI and d-LogicNLI",
        rows=("benchmark",),
        column="measure",
        reads=(SETS, WORDS),
        measured=partial(_sets, starts=("LogicNLI", "d-LogicNLI")),
        head="Split",
        remark="Printed with a column per split. Train and Dev. are compared with LogicNLI_sim, the public release;"
        " the labels of that release are derived again in `results/diversity/label_audit.csv`.",
    ),
    TableDeclaration(
        paper="LogicNLI",
        number="Table 3",
        title="Hyper-parameters",
        rows=("metric",),
        column="system",
        head="Parameter",
    ),
    TableDeclaration(
        paper="LogicNLI",
        number="Table 4",
        title="Accuracy, robustness, generalization, traceability",
        rows=("system",),
        reads=(DIAGNOSIS, FLOORS),
        measured=partial(
            _learners,
            path=DIAGNOSIS,
            columns=_ACCURACIES,
            floors={"Test-A": "Test-A", "Test-G": "Test-G"},
            setting="LogicNLI",
        ),
        remark=f"In percent, #Target and #Proof excepted. {_ANOTHER}",
    ),
    TableDeclaration(
        paper="LogicNLI",
        number="Table 5",
        title="Sizes and lengths of the set of each connective",
        rows=("benchmark",),
        column="measure",
        reads=(SETS,),
        measured=partial(_sets, starts=tuple(_SYMBOLS)),
        noted=False,
        head="Connective",
    ),
    TableDeclaration(
        paper="LogicNLI",
        number="Table 6",
        title="Performance on each connective and quantifier",
        rows=("system",),
        reads=(CONNECTIVES, FLOORS),
        measured=partial(
            _learners, path=CONNECTIVES, columns=_SYMBOLS, floors={name: name for name in _SYMBOLS}
        ),
        remark="Without ¬ the sign of the statement alone is right in 66.7 %, so that this, not 33.3, is the floor."
        f" {_ANOTHER}",
    ),
    TableDeclaration(
        paper="LogicNLI",
        number="Table 7",
        title="With and without Paradox: d-LogicNLI and LogicNLI",
        rows=("system", "setting"),
        reads=(DIAGNOSIS,),
        measured=partial(_learners, path=DIAGNOSIS, columns=_INDICATORS),
        remark="The column printed as P-Acc holds the accuracy on Test-A; that is what learners are measured by"
        f" there. {_ANOTHER}",
    ),
)

FIGURES = (
    Figure(
        "logicnli_curves",
        "LogicNLI: accuracy by noise and by depth",
        "Accuracy of learners and models on the generated LogicNLI, with 95 % intervals: by the sentences added to the"
        " same core (left, with least-squares lines; the paper's Figure 3), and by the rounds of chaining that a label"
        " needs (right, the depths trained on before the line; Figure 4). The dotted line marks guessing. Equal"
        " points lie side by side.",
        "logicnli_table7",
    ),
)
