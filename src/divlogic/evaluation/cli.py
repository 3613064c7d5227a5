"""``divlogic evaluation``: the commands of the phase."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from divlogic.config.command import FOLDER, Commands
from divlogic.evaluation.parameters import EvaluationRun

cli = Commands(
    "evaluation",
    "Put questions to models, score the answers, replay recorded ones, and write the tables.",
    {
        "rotate": "evaluation.rotations:rotate",
        "run": "evaluation.rotated:run",
        "plan": "evaluation.rotated:plan",
        "export": "evaluation.rotated:export",
        "score": "evaluation.steps:score",
        "replay": "evaluation.steps:replay",
        "gather": "evaluation.steps:gather",
        "tables": "evaluation.tables:write_tables",
        "figures": "evaluation.cli:figures",
        "audit-published": "evaluation.cli:audit_published",
        "harness": "evaluation.harness:write_harness",
        "ask": "evaluation.asked:ask_benchmark",
        "record": "evaluation.asked:record_benchmark",
        "recorded": "evaluation.asked:recorded_benchmark",
        "answers": "evaluation.answers:write_answers",
        "overlap": "evaluation.justlogic.groups:overlap",
        "recorded-questions": "evaluation.justlogic.groups:recorded_questions",
        "sheet": "evaluation.sheets:sheet",
        "read-sheets": "evaluation.sheets:read_sheets",
        "label-accuracy": "evaluation.justlogic.accuracy:label_accuracy",
        "error-analysis": "evaluation.justlogic.regression:error_analysis",
        "record-rotations": "evaluation.rotated:record_rotations",
        "recorded-rotations": "evaluation.rotated:recorded_rotations",
        "llmeval-logic": "evaluation.llmeval_logic.cli:llmeval_logic",
        "logicnli": "evaluation.logicnli.cli:logicnli",
    },
)


def figures(
    out: Annotated[Path, FOLDER, "Folder of the figures (svg and png)."],
    params: EvaluationRun,
    table8: Annotated[Path | None, "Table 8, without its suffix, for figure2."] = None,
    groups: Annotated[
        Path | None, "JustLogic's accuracy by group, without its suffix, for justlogic_groups."
    ] = None,
    curves: Annotated[Path | None, "LogicNLI's curves, without their suffix, for logicnli_curves."] = None,
) -> None:
    """Draw the figures of the tables given."""
    from divlogic.evaluation.figures import draw_figure2, draw_groups
    from divlogic.evaluation.logicnli.figure import draw_curves

    if table8:
        draw_figure2(table8, out / "figure2", none=params.evaluation.none_outcome)
    if groups:
        draw_groups(groups, out / "justlogic_groups")
    if curves:
        draw_curves(curves, out / "logicnli" / "logicnli_curves")


def audit_published(
    out: Annotated[Path, "Findings (csv)."],
    source: Annotated[Path, "--in", FOLDER, "Printed cells."] = Path("data/published"),
) -> None:
    """List every printed cell that breaks a rule of arithmetic or of the metrics."""
    from divlogic.published import read_published
    from divlogic.published.audit import write_audit

    click.echo(f"{write_audit(read_published(source), out)} findings in {out}")
