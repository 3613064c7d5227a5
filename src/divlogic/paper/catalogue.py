"""All printed tables and figures of the report, in its order."""

from __future__ import annotations

import re
from pathlib import Path

from divlogic.paper.declaration import Figure, TableDeclaration
from divlogic.paper.declared import divlogiceval, justlogic, llmeval_logic, logicnli
from divlogic.published import PrintedTable, read_published

PAPERS = ("DivLogicEval", "ILogicEval", "JustLogic", "LogicNLI", "LLMEval-Logic")
"""Order of the papers in the report; others follow by name."""

_MODULES = (divlogiceval, justlogic, logicnli, llmeval_logic)
_TABLES: dict[tuple[str, str], TableDeclaration] = {
    (table.paper, table.number): table for module in _MODULES for table in module.TABLES
}

LADDER = "ladder"
LEAD = "shortcuts"
LEAK = "leak"
FIRST = (LADDER, LEAD, LEAK)
"""The figures of the report's first screen."""

FIGURES = (
    Figure(
        LADDER,
        "How many steps of inference the answers need",
        "Accuracy by the number of sentences, arguments or rounds of rules that an instance needs. A reader of r steps"
        " takes what follows from r + 1 sentences (LogicNLI: from r rounds of rules) and guesses among the rest; where"
        " a classifier that sees as much is right more often, that is drawn. Dashed: the highest of all classifiers"
        " that take no step, with its 95 % interval. Crosses: a language model, as recorded. DivLogicEval's directed"
        " quartets and JustLogic's single sentences give more away than the number of steps says: their dashed line.",
    ),
    Figure(
        LEAD,
        "How far an answer can be predicted without reasoning",
        "Accuracy above guessing of classifiers, each trained on other instances; n: number of instances tested."
        " Circles see only the options (or the statement); squares also count or compare the words or symbols of the"
        " passage; hollow triangles combine sentences, that is, take one step of inference or more. Of each kind"
        " the highest is shown; the words name the highest that takes no step. fresh: drawn for this test; symbols:"
        " formulas in place of sentences; as published: options drawn as the paper says.",
    ),
    Figure(
        LEAK,
        "What a leaked test set does to its scores",
        "Scores before (hollow) and after (filled) training on the leaked instances themselves: on these, on others of"
        " the test split, and on fresh ones drawn with another seed. What leaked ones alone gain is memory;"
        " rotations undo memory of letters, but not of the options. A learner that does not look at the order of the"
        " options has equal ACC, CIR and PC even where it knows nothing.",
    ),
    *(figure for module in _MODULES for figure in module.FIGURES),
)
"""In the report's order."""


def declaration_of(table: PrintedTable) -> TableDeclaration:
    """Return the declaration of a printed table; one that nobody declares is shown as published."""
    known = _TABLES.get((table.paper, table.number))
    if known:
        return known
    if "benchmark" in table.cells[0].keys:
        return TableDeclaration(
            paper=table.paper, number=table.number, title=table.place, rows=("benchmark",), column="measure"
        )
    return TableDeclaration(paper=table.paper, number=table.number, title=table.place)


def name_of(table: PrintedTable) -> str:
    """Return a table's file name: ``divlogiceval_table4``, ``justlogic_natural_language_complexity``."""
    number = re.sub(r"^Table ", "table", table.number)
    return re.sub(r"[^a-z0-9]+", "_", f"{table.paper} {number}".casefold()).strip("_")


def file_names(published: Path) -> list[str]:
    """Return the file names of the report's tables, in its order."""
    return [name_of(table) for table in sorted(read_published(published).tables(), key=order_of)]


def order_of(table: PrintedTable) -> tuple[int, str, int, int]:
    """Return the sorting key of a table: by paper, numbered tables first."""
    paper = PAPERS.index(table.paper) if table.paper in PAPERS else len(PAPERS)
    number = re.fullmatch(r"Table (\d+)", table.number)
    return (paper, table.paper, 0 if number else 1, int(number[1]) if number else 0)
