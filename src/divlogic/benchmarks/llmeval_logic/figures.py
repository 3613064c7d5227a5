"""The figures of LLMEval-Logic, drawn from its tables: what formal signals let through, and the hardener's panel."""

from __future__ import annotations

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


def draw_sensitivity(table: Path, out: Path) -> list[Path]:
    """Draw the share of mutants that answer check, rubric and both let through, by operator; return the paths.

    Args:
        table: the table of sensitivity, without suffix.
        out: the figure, without suffix: svg and png are written.
    """
    rows = read_frame(table)
    rows = rows[rows["not_equivalent"] > 0]
    rows = rows.assign(
        line=[
            f"{name.replace('_', ' ')} ({count})"
            for name, count in zip(rows["operator"], rows["not_equivalent"], strict=True)
        ]
    )
    columns = {f"{signal}_percent": signal for signal in _SIGNALS}
    shares = rows.rename(columns=columns | {signal: f"{signal}_count" for signal in _SIGNALS})
    shares = shares.melt("line", list(_SIGNALS), "signal", "share")
    with style():
        from matplotlib import pyplot

        from divlogic.io.figures import sns

        fig, axes = pyplot.subplots(figsize=(PAGE_WIDTH * 0.75, 0.7 + 0.27 * len(rows)))
        sns.barplot(
            shares,
            x="share",
            y="line",
            order=list(rows["line"]),
            hue="signal",
            hue_order=_SIGNALS,
            palette=COLOURS[: len(_SIGNALS)],
            saturation=1,
            errorbar=None,
            ax=axes,
        )
        axes.set(xlim=(0, 100), xlabel="wrong formalizations let through (%)", ylabel="")
        axes.grid(axis="y", visible=False)
        _raise_legend(axes)
        return save_figure(fig, out)


def draw_panel(table: Path, out: Path) -> list[Path]:
    """Draw the share of sub-questions that each solver answers, of seeds and of hard items; return the paths.

    Args:
        table: the table of the panel, without suffix.
        out: the figure, without suffix: svg and png are written.
    """
    rows = read_frame(table)
    rows = rows.assign(share=100 * rows["question_accuracy"].fillna(0), of=rows["set"].map(_SETS))
    with style():
        from matplotlib import pyplot

        from divlogic.io.figures import sns

        fig, axes = pyplot.subplots(figsize=(PAGE_WIDTH * 0.75, 2.2))
        sns.barplot(
            rows,
            x="solver",
            y="share",
            order=list(SOLVERS),
            hue="of",
            hue_order=list(_SETS.values()),
            palette=COLOURS[: len(_SETS)],
            saturation=1,
            errorbar=None,
            ax=axes,
        )
        axes.set_xticks(
            range(len(SOLVERS)),
            [solver.replace("_", "\n") + ("" if solver in GATE else "\n(no gate)") for solver in SOLVERS],
        )
        axes.set(xlabel="", ylabel="questions right (%)", ylim=(0, 105))
        axes.grid(axis="x", visible=False)
        _raise_legend(axes)
        return save_figure(fig, out)


def _raise_legend(axes: Any) -> None:
    """Move the legend above the axes, where it hides nothing; without data there is none."""
    if legend := axes.get_legend():
        handles, labels = axes.get_legend_handles_labels()
        legend.remove()
        axes.figure.legend(handles, labels, loc="outside upper center", ncols=3)
