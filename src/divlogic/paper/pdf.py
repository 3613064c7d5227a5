"""The report as a PDF, set by Typst from the same tables as the page: no date in it, no fonts of the machine."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, copy_file, read_json, write_json
from divlogic.paper.cards import cards, thesis
from divlogic.paper.catalogue import FIRST
from divlogic.paper.figures import list_figures
from divlogic.paper.layout import lay_out
from divlogic.paper.model import COUNTED, REASONS, ReportTable, read_tables_json
from divlogic.paper.provenance import Provenance, read_provenance
from divlogic.paper.scoreboard import TableScore, read_scoreboard, total_of

TEMPLATE = Path(__file__).with_name("paper.typ")


def write_pdf(
    *,
    tables: Annotated[Path, "Tables that `gather` wrote (json)."],
    scoreboard: Annotated[Path, "Scoreboard (json)."],
    figures: Annotated[Path, FOLDER, "Figures that `figures` gathered."],
    provenance: Annotated[Path, "Provenance that `gather` wrote (json)."],
    findings: Annotated[Path, "Findings (json)."],
    out: Annotated[Path, "Where the PDF goes."],
) -> None:
    """Write the report as a PDF, set by Typst.

    Raises:
        DivLogicError: an input is missing or malformed, or a figure cannot be set.
    """
    import typst

    drawn, gathered = list_figures(figures), read_tables_json(tables)
    shared = _numbered(gathered)
    found = read_json(findings)
    view = {
        "thesis": thesis(found),
        "cards": [[card.number, card.head, card.text] for card in cards(found)],
        "scores": _scores(read_scoreboard(scoreboard)),
        "tables": [_table(table, shared) for table in gathered],
        "notes": [note.replace("`", "") for note in shared],
        "figures": [{**asdict(figure), "first": figure.name in FIRST} for figure in drawn],
        "provenance": _provenance(read_provenance(provenance)),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copyfile(TEMPLATE, folder / "paper.typ")
        write_json(folder / "report.json", view)
        for figure in drawn:
            copy_file(figures / f"{figure.name}.svg", folder / f"{figure.name}.svg")
        try:
            pdf = typst.compile(folder / "paper.typ", root=folder, ignore_system_fonts=True, timestamp=0)
        except typst.TypstError as error:
            raise DivLogicError(f"{out}: Typst could not set the report ({error}).") from error
    with atomic_path(out) as temporary:
        temporary.write_bytes(pdf)


def _scores(scores: list[TableScore]) -> dict[str, Any]:
    rows = [
        [f"{score.paper}, {score.title}", *(str(getattr(score, name) or "·") for name in COUNTED)]
        for score in scores
    ]
    total = total_of(scores)
    reasons = [[str(total[name]), reason] for name, reason in REASONS.items() if total[name]]
    return {
        "rows": rows,
        "total": ["All", *(str(total[name]) for name in COUNTED)],
        "counts": total,
        "reasons": reasons,
    }


def _numbered(tables: Sequence[ReportTable]) -> dict[str, int]:
    """Number the notes that more than one table has; they are printed once, at the end."""
    count = Counter(note for table in tables for note in table.notes)
    return {note: number for number, note in enumerate((n for n in count if count[n] > 1), start=1)}


def _table(table: ReportTable, shared: dict[str, int]) -> dict[str, Any]:
    """Return a table as texts: heads, and per row its words and its cells with a look each."""
    layout = lay_out(table)
    left = [
        *range(len(layout.words)),
        *(place for place, head in enumerate(layout.heads, len(layout.words)) if not head.numeric),
    ]
    return {
        "name": table.name,
        "title": f"{', '.join(filter(None, (table.paper, table.number)))}: {table.title}",
        "words": list(layout.words),
        "groups": [[name, span] for name, span in layout.groups],
        "heads": [*layout.words, *(head.text for head in layout.heads)],
        "left": left,
        "rows": [asdict(line) for line in layout.lines],
        "own": [asdict(line) for line in layout.own],
        "guessing": layout.guessing,
        "notes": [note.replace("`", "") for note in table.notes if note not in shared],
        "shared": [shared[note] for note in table.notes if note in shared],
    }


def _provenance(provenance: Provenance) -> dict[str, Any]:
    names = ("corpus", "part", "rows", "licence")
    return {
        "source": provenance.corpus_source,
        "corpora": [
            [*(row.get(name, "") for name in names), row["sha256"][:16]] for row in provenance.corpora
        ],
        "tolerances": [f"{kind} {text}" for kind, text in provenance.tolerances],
    }
