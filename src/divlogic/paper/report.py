"""The report as one HTML page and as a PDF, from the same tables, figures and findings, and the figures themselves.

The page is readable on a phone, light and dark, and loads nothing. The PDF is set by Typst: no date, no fonts of the
machine.
"""

from __future__ import annotations

import base64
import itertools
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import (
    atomic_path,
    copy_file,
    open_bytes,
    read_json,
    read_yaml,
    write_json,
    write_text,
)
from divlogic.io.templates import render
from divlogic.paper import model
from divlogic.paper.layout import lay_out
from divlogic.paper.provenance import Provenance, read_provenance
from divlogic.paper.scoreboard import TableScore, read_scoreboard, total_of

_HERE = Path(__file__).parent
CSS, SCRIPT = _HERE / "page/page.css", _HERE / "page/tables.js"
PAGE = _HERE / "page/page.html.j2"
"""The template of the whole page; it includes one template per section."""

_TEXTS: dict[str, Any] = read_yaml(_HERE / "cards.yaml")
_TEMPLATES = Environment(undefined=StrictUndefined)
_TEMPLATES.globals.update(number="{:,}".format, percent="{:.0f} %".format)
_TEMPLATES.globals.update(vars(_TEMPLATES.from_string(_TEXTS["macros"]).module))


@dataclass(frozen=True, kw_only=True)
class ReportFiles:
    """Files that the page and the PDF are made from."""

    tables: Annotated[Path, "Tables that `gather` wrote (json)."]
    scoreboard: Annotated[Path, "Scoreboard (json)."]
    figures: Annotated[Path, FOLDER, "Where svg, png and pdf of the figures go."]
    provenance: Annotated[Path, "Provenance that `gather` wrote (json)."]
    findings: Annotated[Path, "Findings (json)."]


@dataclass(frozen=True)
class Card:
    """One finding: a number, what it counts, a sentence or two on it, and where the page goes on."""

    number: str
    head: str
    text: str
    link: str = ""
    target: str = ""


def headline() -> str:
    """Return in one sentence what the report is about."""
    return str(_TEXTS["headline"])


def cards(
    part: Literal["first", "more"], found: dict[str, Any], total: dict[str, int]
) -> list[Card]:
    """Return the cards of the findings, the weightiest first; what a run lacks has none.

    Args:
        part: ``first`` for the three of the first screen, ``more`` for the others.
        found: The findings of the run.
        total: Counts of printed numbers by status.
    """
    made = found["shortcuts"]["made"] if found["shortcuts"] else []

    def above_guessing(one: dict[str, Any]) -> float:
        return float(one["worst"]["accuracy"] - one["worst"]["chance"])

    known = {**found, "total": total, "worst": max(made, key=above_guessing, default=None)}
    return [
        Card(**{name: _rendered(text, known) for name, text in card.items() if name != "when"})
        for card in _TEXTS[part]
        if _TEMPLATES.compile_expression(card.get("when", "true"))(known)
    ]


def _rendered(text: str, found: dict[str, Any]) -> str:
    return _TEMPLATES.from_string(text).render(found)


def gather_figures(sources: Sequence[Path], out: Path) -> None:
    """Gather the figures whose svg are named into a folder, and make a pdf of each.

    Figures of the report that lie there and are not named are those of a run with other parameters: they go, so that
    the report is the same whatever ran before.
    """
    known = {figure.name for figure in model.FIGURES}
    for name in known - {source.stem for source in sources}:
        for suffix in (".svg", ".png", ".pdf"):
            (out / f"{name}{suffix}").unlink(missing_ok=True)
    for source in sources:
        if source.suffix != ".svg":
            raise DivLogicError(
                f"{source}: expected the svg of a figure, whose png lies in the same folder."
            )
        if source.stem not in known:
            raise DivLogicError(
                f"{source}: this figure has no caption; write one in src/divlogic/paper/tables.yaml."
            )
        for suffix in (".svg", ".png"):
            copy_file(source.with_suffix(suffix), out / f"{source.stem}{suffix}")
        with tempfile.TemporaryDirectory() as folder:
            copy_file(source, Path(folder) / "figure.svg")
            failed = f"{source}: Typst cannot read this drawing ({{}}); draw it again."
            _set_pdf(Path(folder), _FIGURE, out / f"{source.stem}.pdf", failed)


_FIGURE = '#set document(date: none)\n#set page(width: auto, height: auto, margin: 0pt)\n#image("figure.svg")\n'
"""A drawing as a page of its own size."""


def _set_pdf(folder: Path, text: str, out: Path, failed: str) -> None:
    """Set a text of Typst with the files of a folder, into which it is written; the same files give the same bytes.

    ``failed`` is said if it cannot be set, with a place for the reason.
    """
    import typst

    write_text(folder / "main.typ", text)
    try:
        pdf = typst.compile(folder / "main.typ", root=folder, ignore_system_fonts=True, timestamp=0)
    except typst.TypstError as error:
        raise DivLogicError(failed.format(error)) from error
    with atomic_path(out) as temporary:
        temporary.write_bytes(pdf)


def list_figures(folder: Path) -> list[model.Figure]:
    """Return the figures of a folder in the report's order, without those that have no caption (an older run's)."""
    return [figure for figure in model.FIGURES if (Path(folder) / f"{figure.name}.svg").is_file()]


def write_report(
    drawn: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    files: ReportFiles,
    page: Annotated[Path, "Where the page goes (html)."],
    pdf: Annotated[Path, "Where the PDF goes."],
) -> None:
    """Write the report as one self-contained HTML page, and as a PDF; DRAWN are the svg of its figures."""
    gather_figures(drawn, files.figures)
    # The page's links hold for results/paper/index.html with tables/ and figures/ next to it.
    tables, scores = model.read_tables_json(files.tables), read_scoreboard(files.scoreboard)
    provenance, findings = read_provenance(files.provenance), read_json(files.findings)
    write_text(page, page_html(tables, scores, files.figures, provenance, findings))
    write_pdf(files, pdf)


def page_html(
    tables: Sequence[model.ReportTable],
    scores: Sequence[TableScore],
    figures: Path,
    provenance: Provenance,
    findings: dict[str, Any],
) -> str:
    """Return the page's text."""
    drawn, names = _drawings(figures), {table.name for table in tables}
    placed = {*model.FIRST, *(one["facts"].name for one in drawn if one["facts"].table in names)}
    values = {
        "css": CSS.read_text(encoding="utf-8"),
        "papers": [
            {
                "name": paper,
                "anchor": "paper-" + re.sub(r"[\W_]", "-", paper.casefold()),
                "tables": [{"facts": table, "layout": lay_out(table)} for table in group],
            }
            for paper, group in itertools.groupby(tables, key=lambda table: table.paper)
        ],
        "scores": scores,
        "total": total_of(scores),
        "figures": drawn,
        "others": [one for one in drawn if one["facts"].name not in placed],
        "found": findings,
        "headline": headline(),
        "first_cards": cards("first", findings, total_of(scores)),
        "cards": cards("more", findings, total_of(scores)),
        "anchors": names | {one["facts"].name for one in drawn},
        "provenance": provenance,
        "near": dict(provenance.parameters).get("paper.near_factor", "a few").removesuffix(".0"),
        "script": SCRIPT.read_text(encoding="utf-8"),
        "FIRST": model.FIRST,
        "LEADING": model.LEADING,
        "OTHER_MARK": model.OTHER_MARK,
        "REASONS": model.REASONS,
        "MEANINGS": model.MEANINGS,
        "SHORT": model.SHORT,
    }
    return render(
        PAGE, values, {"breakable": _breakable, "with_code": _with_code, "headed": _headed}
    )


def _drawings(folder: Path) -> list[dict[str, Any]]:
    """Return the figures with their svg as base64."""
    drawings = []
    for figure in list_figures(folder):
        with open_bytes(folder / f"{figure.name}.svg") as stream:
            drawings.append(
                {"facts": figure, "data": base64.b64encode(stream.read()).decode("ascii")}
            )
    return drawings


def _breakable(text: str) -> Markup:
    """Return words as HTML that a narrow column breaks after a slash or underscore, not within a word."""
    return Markup(re.sub("([/_])", r"\1<wbr>", str(escape(text))))


def _with_code(note: str) -> Markup:
    """Return a note as HTML, words between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(note))))


def write_pdf(files: ReportFiles, out: Path) -> None:
    """Set the report as a PDF."""
    drawn, gathered = list_figures(files.figures), model.read_tables_json(files.tables)
    # Notes that more than one table has are numbered, and printed once, at the end.
    count = Counter(note for table in gathered for note in table.notes)
    several = (note for note in count if count[note] > 1)
    shared = {note: number for number, note in enumerate(several, start=1)}
    found, made_from = read_json(files.findings), read_provenance(files.provenance)
    scores = read_scoreboard(files.scoreboard)
    leading = [
        *cards("first", found, total_of(scores)),
        *cards("more", found, total_of(scores)),
    ]
    names = ("corpus", "part", "rows", "licence")
    corpora = [
        [*(row.get(name, "") for name in names), row["sha256"][:16]] for row in made_from.corpora
    ]
    tolerances = [f"{kind} {text}" for kind, text in made_from.tolerances]
    view = {
        "headline": headline(),
        "cards": [[card.number, card.head, card.text] for card in leading],
        "scores": _scores(scores),
        "tables": [_table(table, shared) for table in gathered],
        "notes": [note.replace("`", "") for note in shared],
        "figures": [{**asdict(figure), "first": figure.name in model.FIRST} for figure in drawn],
        "provenance": {
            "source": made_from.corpus_source,
            "corpora": corpora,
            "tolerances": tolerances,
        },
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_json(folder / "report.json", view)
        for figure in drawn:
            copy_file(files.figures / f"{figure.name}.svg", folder / f"{figure.name}.svg")
        text = (_HERE / "paper.typ").read_text(encoding="utf-8")
        _set_pdf(folder, text, out, f"{out}: Typst could not set the report ({{}}).")


def _headed(words: str) -> str:
    """Return words as the head of a column; a word of capitals stays one."""
    return words[:1].upper() + words[1:]


def _scores(scores: list[TableScore]) -> dict[str, Any]:
    total = total_of(scores)
    # A status that no printed number has would be an empty column.
    shown = [name for name in model.COUNTED if total[name]]
    return {
        "heads": ["Table", *(_headed(model.SHORT[name]) for name in shown)],
        "rows": [
            [
                f"{score.paper}, {score.title}",
                *(str(getattr(score, name) or "·") for name in shown),
            ]
            for score in scores
        ],
        "total": ["All", *(str(total[name]) for name in shown)],
        "counts": total,
        "reasons": [
            [str(total[name]), f"{model.SHORT[name]}: {reason}"]
            for name, reason in model.REASONS.items()
            if total[name]
        ],
    }


def _table(table: model.ReportTable, shared: dict[str, int]) -> dict[str, Any]:
    """Return a table as texts: heads, and per row its words and its cells with a look each."""
    layout = lay_out(table)
    texts = [
        place for place, head in enumerate(layout.heads, len(layout.words)) if not head.numeric
    ]
    return {
        "name": table.name,
        "title": f"{', '.join(filter(None, (table.paper, table.number)))}: {table.title}",
        "words": list(layout.words),
        "groups": [[name, span] for name, span in layout.groups],
        "heads": [*layout.words, *(head.text for head in layout.heads)],
        "left": [*range(len(layout.words)), *texts],
        "rows": [asdict(line) for line in layout.lines],
        "own": [asdict(line) for line in layout.own],
        "guessing": layout.guessing,
        "notes": [note.replace("`", "") for note in table.notes if note not in shared],
        "shared": [shared[note] for note in table.notes if note in shared],
    }
