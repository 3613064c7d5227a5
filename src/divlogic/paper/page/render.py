"""Render the report's page: nothing but what is in the file, readable on a phone, light and dark."""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from divlogic.config.command import FOLDER
from divlogic.io.files import open_bytes, read_json, write_text
from divlogic.io.templates import render
from divlogic.paper.cards import cards, thesis
from divlogic.paper.catalogue import FIRST
from divlogic.paper.figures import list_figures
from divlogic.paper.layout import lay_out
from divlogic.paper.model import OTHER_MARK, REASONS, ReportTable, read_tables_json
from divlogic.paper.provenance import Provenance, read_provenance
from divlogic.paper.scoreboard import TableScore, read_scoreboard, total_of

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent
CSS, SCRIPT = TEMPLATES / "page.css", TEMPLATES / "tables.js"
PAGE = TEMPLATES / "page.html.j2"
"""The template of the whole page; it includes one template per section."""


def write_page(
    *,
    tables: Annotated[Path, "Tables that `gather` wrote (json)."],
    scoreboard: Annotated[Path, "Scoreboard (json)."],
    figures: Annotated[Path, FOLDER, "Figures that `figures` gathered."],
    provenance: Annotated[Path, "Provenance that `gather` wrote (json)."],
    findings: Annotated[Path, "Findings (json)."],
    out: Annotated[Path, "Where the page goes (html)."],
) -> None:
    """Write the report as one self-contained HTML page."""
    # Its links hold for results/paper/index.html with tables/ and figures/ next to it.
    text = page_html(
        read_tables_json(tables),
        read_scoreboard(scoreboard),
        figures,
        read_provenance(provenance),
        read_json(findings),
    )
    write_text(out, text)


def page_html(
    tables: Sequence[ReportTable],
    scores: Sequence[TableScore],
    figures: Path,
    provenance: Provenance,
    findings: dict[str, Any],
) -> str:
    """Return the page's text."""
    drawn = _drawings(figures)
    placed = {*FIRST, *(one["facts"].name for one in drawn if one["facts"].table in {t.name for t in tables})}
    papers = [
        {
            "name": paper,
            "anchor": anchor_of(paper),
            "tables": [{"facts": table, "layout": lay_out(table)} for table in group],
        }
        for paper, group in itertools.groupby(tables, key=lambda table: table.paper)
    ]
    values = {
        "css": CSS.read_text(encoding="utf-8"),
        "papers": papers,
        "scores": scores,
        "total": total_of(scores),
        "figures": drawn,
        "others": [one for one in drawn if one["facts"].name not in placed],
        "found": findings,
        "thesis": thesis(findings),
        "cards": cards(findings),
        "anchors": {*(one["facts"].name for one in drawn), *(table.name for table in tables)},
        "provenance": provenance,
        "near": dict(provenance.parameters).get("paper.near_factor", "a few").removesuffix(".0"),
        "script": SCRIPT.read_text(encoding="utf-8"),
        "FIRST": FIRST,
        "OTHER_MARK": OTHER_MARK,
        "REASONS": REASONS,
    }
    return render(PAGE, values, {"breakable": _breakable, "with_code": _with_code})


def anchor_of(paper: str) -> str:
    """Return the anchor of a paper's section."""
    return "paper-" + "".join(letter if letter.isalnum() else "-" for letter in paper.casefold())


def _drawings(folder: Path) -> list[dict[str, Any]]:
    """Return the figures with their svg as base64."""
    drawings = []
    for figure in list_figures(folder):
        with open_bytes(folder / f"{figure.name}.svg") as stream:
            drawing = stream.read()
        drawings.append({"facts": figure, "data": base64.b64encode(drawing).decode("ascii")})
    return drawings


def _breakable(text: str) -> Markup:
    """Return words as HTML that a narrow column breaks after a slash or underscore, not within a word."""
    from markupsafe import Markup, escape

    return Markup(re.sub("([/_])", r"\1<wbr>", str(escape(text))))


def _with_code(note: str) -> Markup:
    """Return a note as HTML, words between backticks as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(note))))
