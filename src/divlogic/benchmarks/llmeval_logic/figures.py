"""The figures of LLMEval-Logic, drawn from its tables: what formal signals let through, and the hardener's panel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE, SOLVERS
from divlogic.config.command import FOLDER
from divlogic.io.figures import COLOURS, PAGE_WIDTH, read_frame, save_figure, style

_SIGNALS = ("answer", "rubric", "both")
_SETS = {"seeds": "seeds", "drawn": "hard, drawn", "kept": "hard, kept"}


def draw_figures(
    *,
    panel: Annotated[Path, "Table of the panel, without its suffix."],
    sensitivity: Annotated[Path, "Table of sensitivity, without its suffix."],
    out: Annotated[Path, FOLDER, "Folder of the figures (svg and png)."],
) -> None:
    """Draw what solvers of the panel answer, and what formal signals let through."""
    draw_panel(panel, out / "panel")
    draw_sensitivity(sensitivity, out / "sensitivity")


def draw_sensitivity(table: Path, out: Path) -> None:
    """Draw the share of mutants that answer check, rubric and both let through, by operator.

    Args:
        table: the table of sensitivity, without suffix.
        out: the figure, without suffix: svg and png are written.
    """
    rows = read_frame(table)
    rows = rows[rows["not_equivalent"] > 0]
    names = [
        f"{name.replace('_', ' ')} ({count})"
        for name, count in zip(rows["operator"], rows["not_equivalent"], strict=True)
    ]
    shares = rows.assign(line=names, **{signal: rows[f"{signal}_percent"] for signal in _SIGNALS})
    shares = shares.melt("line", list(_SIGNALS), "signal", "share")
    with _bars(shares, out, 0.7 + 0.27 * len(rows), x="share", y="line", order=names, hue="signal") as axes:
        axes.set(xlim=(0, 100), xlabel="wrong formalizations let through (%)", ylabel="")
        axes.grid(axis="y", visible=False)


def draw_panel(table: Path, out: Path) -> None:
    """Draw the share of sub-questions that each solver answers, of seeds and of hard items.

    Args:
        table: the table of the panel, without suffix.
        out: the figure, without suffix: svg and png are written.
    """
    rows = read_frame(table)
    rows = rows.assign(share=100 * rows["question_accuracy"].fillna(0), of=rows["set"].map(_SETS))
    names = [solver.replace("_", "\n") + ("" if solver in GATE else "\n(no gate)") for solver in SOLVERS]
    with _bars(rows, out, 2.2, x="solver", y="share", order=list(SOLVERS), hue="of") as axes:
        axes.set_xticks(range(len(SOLVERS)), names)
        axes.set(xlabel="", ylabel="questions right (%)", ylim=(0, 105))
        axes.grid(axis="x", visible=False)


@contextmanager
def _bars(rows: Any, out: Path, height: float, *, hue: str, **look: Any) -> Iterator[Any]:
    """Yield the axes of grouped bars in the three colours of ``hue``, and save the figure."""
    with style():
        from matplotlib import pyplot

        from divlogic.io.figures import sns

        fig, axes = pyplot.subplots(figsize=(PAGE_WIDTH * 0.75, height))
        order = list(_SIGNALS if hue == "signal" else _SETS.values())
        sns.barplot(
            rows,
            hue=hue,
            hue_order=order,
            palette=COLOURS[: len(order)],
            saturation=1,
            errorbar=None,
            ax=axes,
            **look,
        )
        yield axes
        # Above the axes the legend hides nothing; without data there is none.
        if legend := axes.get_legend():
            handles, labels = axes.get_legend_handles_labels()
            legend.remove()
            fig.legend(handles, labels, loc="outside upper center", ncols=3)
        save_figure(fig, out)
