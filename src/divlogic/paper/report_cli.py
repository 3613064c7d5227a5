"""``divlogic report``: the reproduction scoreboard in the terminal."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from divlogic.errors import DivLogicError
from divlogic.paper.model import COUNTED, REASONS
from divlogic.paper.scoreboard import TableScore, read_scoreboard, total_of

if TYPE_CHECKING:
    from rich.text import Text

NARROW = 130
"""Columns below which the scoreboard takes its short form."""


@click.command("report")
@click.option(
    "--in",
    "source",
    type=click.Path(path_type=Path),
    default=Path("results/paper/scoreboard.csv"),
    show_default=True,
    help="The scoreboard that the paper phase wrote.",
)
@click.option("--open", "opened", is_flag=True, help="Open the report in the browser, too.")
def cli(source: Path, opened: bool) -> None:
    """Show how many printed numbers were reproduced, per table."""
    show_scoreboard(read_scoreboard(source))
    if opened:
        page = source.with_name("index.html")
        if not page.is_file():
            raise DivLogicError(f"{page}: there is no report yet; make it with `snakemake paper`.")
        # Not click.launch: it starts xdg-open without waiting for it to find that there is no browser.
        if not webbrowser.open(page.resolve().as_uri()):
            raise DivLogicError(f"{page}: no browser could be started here; open the file yourself.")


def show_scoreboard(scores: Sequence[TableScore], width: int | None = None) -> None:
    """Print the scoreboard: in colour on a terminal, as plain columns elsewhere, ``width`` columns wide if given."""
    import sys

    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    # Elsewhere than on a terminal the width is fixed, so that a log has the same lines on every machine.
    console = Console(width=width or (None if terminal else 165), highlight=False)
    board = Table(box=box.SIMPLE_HEAD if terminal else box.SIMPLE, header_style="bold", pad_edge=False)
    # A narrow terminal keeps one line per table: shorter heads, titles cut, tolerances below.
    narrow = console.width < NARROW
    room = console.width - (64 if narrow else 118)
    board.add_column("Table", no_wrap=True, overflow="ellipsis", max_width=room)
    for name, column in COUNTED.items():
        head = column["head"] if narrow else name.replace("_", " ")
        board.add_column(head, justify="right", no_wrap=True)
    if not narrow:
        board.add_column("tolerance", no_wrap=True)
    paper = ""
    for score in scores:
        if score.paper != paper:
            paper = score.paper
            board.add_row(Text(paper, style="bold"))
        tolerance = () if narrow else (score.tolerance,)
        board.add_row(f"  {score.title}", *_counts(score.__dict__), *tolerance)
    total = total_of(scores)
    board.add_section()
    board.add_row(Text("All", style="bold"), *_counts(total))
    console.print(board)
    if narrow:
        kinds = [kind for score in scores for kind in score.tolerance.split("; ") if kind]
        console.print(f"Tolerance: {', '.join(dict.fromkeys(kinds)) or 'none used'}.", soft_wrap=not terminal)
    console.print(
        f"{total['reproduced']} of {total['comparable']} numbers reproduced that can be reproduced here,"
        f" {total['near']} near (off by little, or measured on other data)."
        f" Of the other {total['cells'] - total['comparable']} printed numbers:",
        soft_wrap=not terminal,
    )
    for name, reason in REASONS.items():
        if total[name]:
            console.print(f"{total[name]:>5}  {reason}", soft_wrap=not terminal)


def _counts(counts: Mapping[str, int]) -> list[Text]:
    from rich.text import Text

    return [
        Text(str(counts[name]), style=column["style"]) if counts[name] else Text("·", style="dim")
        for name, column in COUNTED.items()
    ]
