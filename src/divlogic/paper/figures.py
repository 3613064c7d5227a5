"""The figures that show printed numbers beside measured ones: the phases draw them, here the two are put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import FOLDER
from divlogic.diversity.plots import plot_divergence, plot_readability, plot_shares
from divlogic.evaluation.figures import draw_figure2
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.tables import SHOTS
from divlogic.io.figures import read_frame
from divlogic.prior_knowledge.independence import draw_independence
from divlogic.published import PrintedCell, PrintedNumbers, read_published
from divlogic.records import grouped

if TYPE_CHECKING:
    import pandas as pd

PRINTED_TYPES = {
    "Test": "test",
    "Test-3e1c": "test_3e1c",
    "Test-3c1e": "test_3c1e",
    "Test-3e1e": "test_3c1e",
    "Test-missing": "test_missing",
}
"""Heads of the printed columns of Table 8 -> columns of ours; DivLogicEval prints 3c1e as 3e1e."""

PRINTED_SYSTEM = "GPT-4"
"""Whose answers JustLogic prints in its test of prior knowledge."""


def draw_figures(
    *,
    results: Annotated[Path, FOLDER, "Folder of the results."],
    published: Annotated[Path, FOLDER, "Folder of the printed numbers."],
    out: Annotated[Path, FOLDER, "Folder of the figures (svg and png)."],
    params: EvaluationRun,
) -> None:
    """Draw figure2, kl_vocabulary, kl_by_share, readability and independence, with what is printed beside ours."""
    printed = read_published(published)
    scores = _with_rows(printed_scores(printed), read_frame(results / "evaluation/table8"))
    draw_figure2(scores, out / "figure2", none=params.evaluation.none_outcome)

    table4 = with_printed(
        read_frame(results / "diversity/table4"),
        printed.numbers("divlogiceval_table4"),
        {"printed_kl": "kl", "printed_vocabulary": "vocabulary"},
    )
    plot_divergence(table4, out / "kl_vocabulary")
    shares = read_frame(results / "diversity/kl_by_share")
    plot_shares(shares, _printed_kl(table4), out / "kl_by_share")

    complexity = with_printed(
        read_frame(results / "diversity/complexity"),
        printed.numbers("justlogic_complexity"),
        {"printed_flesch_kincaid": "reading_difficulty"},
    )
    plot_readability(complexity, out / "readability")

    answers = printed_answers(printed)
    measured = read_frame(results / "prior_knowledge/independence")
    draw_independence(_with_rows(answers, measured), out / "independence")


def printed_scores(printed: PrintedNumbers) -> list[dict[str, Any]]:
    """Return the rows of DivLogicEval's Table 8, and those of its people, in the columns of our table."""
    cells = [*printed.cells("divlogiceval_table8"), *printed.cells("human")]
    rows = []
    for group in grouped(filter(_is_score, cells), _row_of).values():
        first = group[0]
        row: dict[str, Any] = {
            "source": "published",
            "system": first.system,
            "benchmark": first.paper.casefold(),
            "shots": SHOTS[first.setting],
            "metric": first.metric,
        }
        row |= {PRINTED_TYPES[cell.column]: cell.value for cell in group}
        rows.append(row)
    return rows


def printed_answers(printed: PrintedNumbers) -> list[dict[str, Any]]:
    """Return the rows of JustLogic's test of prior knowledge, in the columns of our table."""
    return [
        {
            "source": "published",
            "benchmark": benchmark,
            "system": PRINTED_SYSTEM,
            "accuracy": numbers["accuracy"],
            "random_probability": numbers["random_probability"],
        }
        for benchmark, numbers in printed.numbers("justlogic_prior_knowledge").items()
    ]


def with_printed(
    measured: pd.DataFrame,
    printed: Mapping[str, Mapping[str, float]],
    columns: Mapping[str, str],
) -> pd.DataFrame:
    """Return a table of benchmarks with printed numbers as further columns, in the order of the registry.

    Args:
        measured: the table; its column ``benchmark`` has titles.
        printed: benchmark -> measure -> number; one that was not measured has a row of its own.
        columns: new column -> printed measure.
    """
    import pandas as pd

    rows = []
    for name, numbers in printed.items():
        row: dict[str, Any] = {"benchmark": TITLES.get(name, name)}
        row |= {column: numbers.get(measure) for column, measure in columns.items()}
        rows.append(row)
    names = pd.Index(["benchmark", *columns])
    joined = measured.merge(pd.DataFrame(rows, columns=names), on="benchmark", how="outer")
    order = {title: place for place, title in enumerate(TITLES.values())}
    places = joined["benchmark"].map(lambda title: (order.get(title, len(order)), title))
    return joined.loc[places.sort_values(kind="stable").index].reset_index(drop=True)


def _with_rows(printed: Iterable[Mapping[str, Any]], measured: pd.DataFrame) -> pd.DataFrame:
    """Return the printed rows above the measured ones; those of a table without sources are measured."""
    import pandas as pd

    if "source" not in measured:
        measured = measured.assign(source="measured")
    columns = list(measured.columns)
    rows = [*printed, *measured.to_dict("records")]
    return pd.DataFrame(rows, columns=pd.Index(columns)).infer_objects()


def _printed_kl(table4: pd.DataFrame) -> float | None:
    """Return the printed divergence of DivLogicEval."""
    found = table4.loc[table4["benchmark"] == TITLES["divlogiceval"], "printed_kl"].dropna()
    return None if found.empty else float(found.iloc[0])


def _is_score(cell: PrintedCell) -> bool:
    return cell.paper == "DivLogicEval" and cell.column in PRINTED_TYPES and cell.setting in SHOTS


def _row_of(cell: PrintedCell) -> tuple[str, str, str]:
    return cell.system, cell.setting, cell.metric
