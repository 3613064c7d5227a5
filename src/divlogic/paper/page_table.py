"""Tables of the HTML page: in a box that scrolls by itself, with the first column kept in sight."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from html import escape

from divlogic.paper.model import OTHER_MARK, Cell, Column, Table, show, show_difference

TALL = 30
"""Rows from which a table scrolls in a box of limited height."""
_SIGNS = {"reproduced": "✓", "near": "≈", "off": "✗"}


def table_html(table: Table, up: str) -> str:
    """Return one table with its title, notes and links; ``up`` leads from the page to the repository's root."""
    number = f'<span class="number">{escape(table.number)}</span>' if table.number else ""
    notes = "".join(f"<p>{_with_code(note)}</p>" for note in table.notes)
    own = " ".join(f'<a href="tables/{table.name}.{suffix}">{suffix}</a>' for suffix in ("csv", "md", "tex"))
    sources = " ".join(f'<a href="{up}{escape(path)}">{escape(path)}</a>' for path in table.files)
    return (
        f'<h3 id="{table.name}">{number}{escape(table.title)}</h3>\n'
        f"{_body(table)}"
        + (
            f'<details class="notes"><summary>How the numbers were obtained</summary>{notes}</details>\n'
            if notes
            else ""
        )
        + f'<p class="files">Table: {own} Sources: {sources}</p>\n'
    )


def grid(
    label: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Collection[int] = (),
    wide: Collection[int] = (),
    css: str = "",
) -> str:
    """Return a plain table of cells that are HTML already; columns in ``numeric`` stand right, ``wide`` ones wrap."""

    def look(place: int) -> str:
        names = ["n"] if place in numeric else ["wide"] if place in wide else []
        return f' class="{names[0]}"' if names else ""

    head = "".join(
        f'<th scope="col"{look(place) if place else " class=first"}>{escape(text)}</th>'
        for place, text in enumerate(heads)
    )
    lines = [
        '<tr><th scope="row" class="first">'
        + row[0]
        + "</th>"
        + "".join(f"<td{look(place)}>{cell}</td>" for place, cell in enumerate(row[1:], start=1))
        + "</tr>"
        for row in rows
    ]
    return _box(label, f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>", css)


def _body(table: Table) -> str:
    compared = [table.is_compared(place) for place in range(len(table.columns))]
    # The version stands below the system, so that a phone has room for the numbers.
    below = table.heads.index("Version") if "Version" in table.heads else None
    heads = [
        f'<th scope="col"{" class=first" if not place else ""}>{escape(text)}</th>'
        for place, text in enumerate(table.heads)
        if place != below
    ]
    for column, both in zip(table.columns, compared, strict=True):
        css = "" if column.kind == "text" else ' class="n"'
        small = "<small>paper</small>" if both else ""
        heads.append(f'<th scope="col"{css}>{escape(column.name)}{small}</th>')
        if both:
            heads.append('<th scope="col" class="n"><small>here</small></th>')
    width = len(heads)
    lines: list[str] = []
    divided = False
    system: tuple[str, ...] = ()
    for row in table.rows:
        if not divided and not any(cell.printed for cell in row.cells):
            divided = True
            lines.append(
                f'<tr class="divider"><th colspan="{width}" scope="colgroup"><span>Measured here, not in the'
                " paper</span></th></tr>"
            )
        version = f"<small>{escape(row.heads[below])}</small>" if below and row.heads[below] else ""
        again = system == (system := row.heads[:2])
        cells = [f'<th scope="row" class="first">{_breakable(row.heads[0])}{"" if again else version}</th>']
        cells += [
            f"<td>{escape(text)}</td>" for place, text in enumerate(row.heads) if place and place != below
        ]
        for column, cell, both in zip(table.columns, row.cells, compared, strict=True):
            cells.append(_printed(column, cell))
            if both:
                cells.append(_measured(column, cell))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    name = f"{table.paper}, {table.number or table.title}"
    return _box(
        name, f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>"
    )


def _box(label: str, inner: str, css: str = "") -> str:
    names = " ".join(filter(None, ("box", css, "tall" if inner.count("<tr") > TALL else "")))
    return (
        f'<div class="{names}" role="region" tabindex="0" aria-label="{escape(label)}">\n'
        f"<table>\n{inner}\n</table>\n</div>\n"
    )


def _breakable(text: str) -> str:
    """Return words as HTML that a narrow column breaks after a slash or underscore, not within a word."""
    return re.sub("([/_])", r"\1<wbr>", escape(text))


def _with_code(note: str) -> str:
    """Return a note as HTML, words between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(note))


def _printed(column: Column, cell: Cell) -> str:
    css = ' class="n"' if column.kind != "text" else ""
    note = f' title="{escape(cell.note)}"' if cell.note else ""
    return f"<td{css}{note}>{escape(cell.printed)}{'*' if cell.note else ''}</td>"


def _measured(column: Column, cell: Cell) -> str:
    if cell.status == "unavailable":
        return '<td class="n here none">n/a</td>'
    if cell.measured is None:
        return '<td class="n here none">–</td>' if cell.printed else '<td class="n here"></td>'
    value = show(cell.measured, column.decimals) + (OTHER_MARK if cell.other and cell.printed else "")
    interval = ""
    if cell.low is not None and cell.high is not None:
        low, high = (show(bound, column.decimals) for bound in (cell.low, cell.high))
        interval = f'<span class="interval">{low} to {high}</span>'
    if cell.difference is None:
        return f'<td class="n here">{value}{interval}</td>'
    look = "near" if cell.near else cell.status
    why = f' title="{escape(cell.other)}"' if cell.other else ""
    return (
        f'<td class="n here {look}-cell"{why}>{value}'
        f'<span class="difference">{_SIGNS[look]} {show_difference(cell.difference, column.decimals)}</span></td>'
    )
