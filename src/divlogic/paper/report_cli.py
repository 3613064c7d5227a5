"""``divlogic report``: the reproduction scoreboard in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from divlogic.paper.scoreboard import Score, read_scoreboard, total_of

if TYPE_CHECKING:
    from rich.text import Text

NARROW = 130
"""Columns below which the scoreboard takes its short form."""

_HEADS = {
    "reproduced": "repro-\nduced",
    "off": "off",
    "published only": "publ.\nonly",
    "unavailable": "unavail-\nable",
    "other data": "other\ndata",
}


@click.command("report")
@click.option(
    "--in",
    "source",
    type=click.Path(path_type=Path),
    default=Path("results/paper/scoreboard.csv"),
    show_default=True,
    help="The scoreboard that the paper phase wrote.",
)
def cli(source: Path) -> None:
    """Show how many printed numbers were reproduced, per table."""
    show_scoreboard(read_scoreboard(source))


def show_scoreboard(scores: Sequence[Score], width: int | None = None) -> None:
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
    room = console.width - (44 if narrow else 94)
    board.add_column("Table", no_wrap=True, overflow="ellipsis", max_width=room)
    for name, folded in _HEADS.items():
        board.add_column(folded if narrow else name, justify="right", no_wrap=True)
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
    measured = total["reproduced"] + total["off"]
    console.print(
        f"{total['cells']} printed numbers: {measured} measured here, {total['reproduced']} of them within the"
        f" tolerance ({total['near']} more near it), {total['other_data']} on other data than the paper's;"
        f" {total['published_only']} published only, {total['unavailable']} unavailable in this run.",
        soft_wrap=not terminal,
    )


def _counts(counts: Mapping[str, int]) -> list[Text]:
    from rich.text import Text

    styles = {
        "reproduced": "green",
        "off": "red",
        "published_only": "default",
        "unavailable": "yellow",
        "other_data": "cyan",
    }
    return [
        Text(str(counts[name]), style=style) if counts[name] else Text("·", style="dim")
        for name, style in styles.items()
    ]
