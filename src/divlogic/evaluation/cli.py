"""``divlogic evaluation``: the commands of the phase."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.command import Commands
from divlogic.config.option import BASE, FILE, FOLDER, params_option
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.options import reports_option

PUBLISHED = Path("data/published")

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
        "tables": "evaluation.cli:tables",
        "figures": "evaluation.cli:figures",
        "audit-published": "evaluation.cli:audit_published",
        "harness": "evaluation.cli:harness",
        "ask": "evaluation.asked:ask_benchmark",
        "record": "evaluation.asked:record_benchmark",
        "recorded": "evaluation.asked:recorded_benchmark",
        "answers": "evaluation.cli:answers",
        "overlap": "evaluation.justlogic.cli:overlap_step",
        "recorded-questions": "evaluation.justlogic.cli:recorded_questions_step",
        "sheet": "evaluation.sheets:sheet",
        "read-sheets": "evaluation.sheets:read_sheets",
        "label-accuracy": "evaluation.justlogic.cli:accuracy_step",
        "error-analysis": "evaluation.justlogic.cli:error_analysis_step",
        "record-rotations": "evaluation.rotated:record_rotations",
        "recorded-rotations": "evaluation.rotated:recorded_rotations",
        "llmeval-logic": "evaluation.llmeval_logic.cli:llmeval_logic",
        "logicnli": "evaluation.logicnli.cli:logicnli",
    },
)


@click.command()
@click.argument("predictions", nargs=-1, type=FILE)
@click.option("--published", type=FOLDER, default=PUBLISHED, show_default=True, help="Printed cells.")
@reports_option
@click.option("--out", type=FOLDER, required=True, help="Folder of table1, table2, table3, table6, table8.")
@params_option(EvaluationRun)
def tables(
    predictions: tuple[Path, ...],
    published: Path,
    recordings: tuple[Path, ...],
    out: Path,
    params: EvaluationRun,
) -> None:
    """Write Tables 1, 2, 3, 6 and 8: printed rows, and those of PREDICTIONS next to them."""
    from divlogic.evaluation.tables import write_tables

    write_tables(
        predictions,
        published,
        out,
        parameters=params.evaluation,
        seed=params.seed,
        recordings=recordings,
    )


@click.command()
@click.option("--table8", type=FILE, help="Table 8, without its suffix, for figure2.")
@click.option("--groups", type=FILE, help="JustLogic's accuracy by group, for justlogic_groups.")
@click.option("--curves", type=FILE, help="LogicNLI's curves, for logicnli_curves.")
@params_option(EvaluationRun)
@click.option("--out", type=FOLDER, required=True, help="Folder of the figures (svg and png).")
def figures(
    table8: Path | None, groups: Path | None, curves: Path | None, params: EvaluationRun, out: Path
) -> None:
    """Draw the figures of the tables given, each named without its suffix."""
    from divlogic.evaluation.figures import draw_figure2, draw_groups
    from divlogic.evaluation.logicnli.figure import draw_curves

    if table8:
        draw_figure2(table8, out / "figure2", none=params.evaluation.none_outcome)
    if groups:
        draw_groups(groups, out / "justlogic_groups")
    if curves:
        draw_curves(curves, out / "logicnli" / "logicnli_curves")


@click.command("audit-published")
@click.option("--in", "source", type=FOLDER, default=PUBLISHED, show_default=True, help="Printed cells.")
@click.option("--out", type=FILE, required=True, help="Findings (csv).")
def audit_published(source: Path, out: Path) -> None:
    """List every printed cell that breaks a rule of arithmetic or of the metrics."""
    from divlogic.published import read_published
    from divlogic.published.audit import write_audit

    count = write_audit(read_published(source), out)
    click.echo(f"{count} findings in {out}")


@click.command()
@click.argument("rotations", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FOLDER, required=True, help="Task folder for lm-evaluation-harness.")
@click.option("--thinking", is_flag=True, help="Let models think first: answers have 8,192 tokens.")
def harness(rotations: tuple[Path, ...], out: Path, thinking: bool) -> None:
    """Export ROTATIONS as tasks for lm-evaluation-harness (--include_path)."""
    from divlogic.evaluation.harness import write_harness

    click.echo("\n".join(write_harness(rotations, out, thinking=thinking)))


@click.command()
@click.argument("answers", nargs=-1, type=FILE)
@reports_option
@click.option("--out", type=BASE, required=True, help="Table, without its suffix.")
@params_option(EvaluationRun)
def answers(
    answers: tuple[Path, ...], recordings: tuple[Path, ...], out: Path, params: EvaluationRun
) -> None:
    """Write one table of accuracies from the files of ANSWERS, whatever benchmarks they are answers to."""
    from divlogic.evaluation.answers import write_answers
    from divlogic.models.predictions import read_predictions

    write_answers(
        (one for path in answers for one in read_predictions(path)),
        out,
        seed=params.seed,
        resamples=params.evaluation.resamples,
        recordings=recordings,
    )
