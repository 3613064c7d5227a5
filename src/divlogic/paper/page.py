"""The report as one HTML page: nothing but what is in the file, readable on a phone, light and dark."""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from divlogic.io.files import open_bytes
from divlogic.paper.figures import Figure, list_figures
from divlogic.paper.model import OTHER_MARK, Table
from divlogic.paper.page_table import grid, table_html
from divlogic.paper.provenance import Provenance
from divlogic.paper.scoreboard import Score, total_of

CSS = Path(__file__).with_name("page.css")
UP = "../../"
"""From results/paper/ to the folder that every path is relative to."""

LABELS = {
    "reproduced": "reproduced",
    "off": "off",
    "published_only": "published only",
    "unavailable": "unavailable",
}


def write_page(
    out: Path, tables: Sequence[Table], scores: Sequence[Score], figures: Path, provenance: Provenance
) -> None:
    """Write the page; the links in it hold for ``results/paper/index.html`` with tables/ and figures/ beside it."""
    from divlogic.io.files import write_text

    write_text(out, page_html(tables, scores, figures, provenance))


def page_html(tables: Sequence[Table], scores: Sequence[Score], figures: Path, provenance: Provenance) -> str:
    """Return the page's text."""
    drawn = list_figures(figures)
    papers = [(paper, list(group)) for paper, group in itertools.groupby(tables, key=lambda t: t.paper)]
    parts = [
        _summary(scores),
        _legend(provenance),
        *(_paper(paper, group) for paper, group in papers),
        _figures(drawn, figures),
        _provenance(provenance),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        "<title>DivLogic: published and measured</title>\n"
        '<link rel="icon" href="data:,">\n'
        f"<style>\n{CSS.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#summary">To the summary</a>\n<div class="frame">\n'
        f"{_header(scores, provenance)}\n"
        f'<div class="columns">\n{_contents(papers, drawn)}\n<main>\n{"".join(parts)}{_footer()}</main>\n</div>\n'
        "</div>\n</body>\n</html>\n"
    )


def _header(scores: Sequence[Score], provenance: Provenance) -> str:
    total = total_of(scores)
    run = {
        "embedded": "This run used the small corpora of the repository, written for it. The papers' benchmarks and"
        " recorded answers are not among them, so most cells stand here as published.",
        "full": "This run used the published corpora, as far as they could be obtained: the last section says which"
        " part of each was here.",
    }[provenance.corpus_source or "embedded"]
    return (
        "<header>\n<h1>Logical-reasoning benchmarks, published and measured</h1>\n"
        f'<p class="lead">{total["cells"]} numbers printed in the papers; {total["reproduced"] + total["off"]} of them'
        f" measured again, {total['reproduced']} within the tolerance.</p>\n<p>{run}</p>\n</header>"
    )


def _contents(papers: Sequence[tuple[str, list[Table]]], figures: Sequence[Figure]) -> str:
    def entry(anchor: str, text: str, inner: str = "") -> str:
        return f'<li><a class="part" href="#{anchor}">{escape(text)}</a>{inner}</li>'

    lines = [entry("summary", "Summary"), entry("reading", "How to read it")]
    for paper, tables in papers:
        inner = "".join(
            f'<li><a href="#{table.name}">{escape(table.number or table.title)}</a></li>' for table in tables
        )
        lines.append(entry(anchor_of(paper), paper, f"<ol>{inner}</ol>"))
    if figures:
        lines.append(entry("figures", "Figures"))
    lines.append(entry("provenance", "Provenance"))
    return (
        '<nav aria-label="Contents"><details><summary>Contents</summary>\n<ol>'
        + "\n".join(lines)
        + "</ol></details></nav>"
        # Open beside the text, closed above it: a phone's reader wants the summary first.
        "\n<script>if(matchMedia('(min-width: 70rem)').matches)"
        "document.querySelector('nav details').open=true</script>"
    )


def anchor_of(paper: str) -> str:
    """Return the anchor of a paper's section."""
    return "paper-" + "".join(letter if letter.isalnum() else "-" for letter in paper.casefold())


def _summary(scores: Sequence[Score]) -> str:
    total = total_of(scores)
    counts = "".join(
        f'<div class="{name}"><dt>{label}</dt><dd>{total[name]}</dd></div>' for name, label in LABELS.items()
    )
    rows = []
    for score in scores:
        bar = "".join(
            f'<i class="{name}" style="--share:{getattr(score, name)}"></i>'
            for name in LABELS
            if getattr(score, name)
        )
        numbers = [getattr(score, name) for name in LABELS]
        rows.append(
            [
                f'<a href="#{score.table}">{escape(score.paper)}, {escape(score.title.partition(":")[0])}</a>',
                f'<span class="bar" aria-hidden="true">{bar}</span>',
                *(str(number) if number else "·" for number in numbers),
                str(score.other_data or "·"),
                escape(score.tolerance),
            ]
        )
    heads = [
        "Table",
        "",
        *(label.capitalize() for label in LABELS.values()),
        f"Other data {OTHER_MARK}",
        "Tolerance",
    ]
    return (
        f'<section id="summary">\n<h2>Summary</h2>\n<dl class="counts">{counts}</dl>\n'
        f"<p>Of the {total['off']} cells that are off, {total['near']} are near. {total['other_data']} of the cells"
        f" measured rest on other data than the paper's, marked {OTHER_MARK}: another split, a part of the test set, or"
        " a benchmark generated here; they show what the method gives, not whether the paper is right.</p>\n"
        + grid("Cells per table", heads, rows, numeric=set(range(2, 7)), css="summary")
        + '<p class="files">Files: <a href="scoreboard.csv">scoreboard.csv</a> '
        '<a href="scoreboard.json">scoreboard.json</a> <a href="paper.pdf">paper.pdf</a></p>\n</section>\n'
    )


def _legend(provenance: Provenance) -> str:
    tolerances = ", ".join(f"{escape(kind)} {escape(text)}" for kind, text in provenance.tolerances)
    return (
        '<section id="reading">\n<h2>How to read it</h2>\n<p>In every table the first number of a column is the one'
        " printed in the paper; the one on the tinted ground beside it was measured by this workflow, with its"
        " difference below.</p>\n"
        '<ul class="legend">'
        '<li class="ok"><b>✓</b>reproduced: the difference is within the tolerance</li>'
        '<li class="nr"><b>≈</b>off, but near: within a few tolerances</li>'
        '<li class="fr"><b>✗</b>off</li>'
        '<li class="pl"><b>–</b>nothing beside a number: published only (it needs a model or a person that this run'
        " did not ask)</li>"
        '<li class="pl"><b>n/a</b>unavailable: measured by this workflow, but its corpus is not in this run</li>'
        f'<li class="pl"><b>{OTHER_MARK}</b>measured on other data than the paper\'s; the note says which</li>'
        '<li class="pl"><b>*</b>a printed number that a note explains, or shows to be impossible</li></ul>\n'
        f"<p>Tolerances of this run: {tolerances}, beside half a unit of the last printed digit. They are parameters"
        " (<code>paper.tolerances</code>, <code>paper.near_factor</code>).</p>\n</section>\n"
    )


def _paper(paper: str, tables: Sequence[Table]) -> str:
    blocks = "".join(table_html(table, UP) for table in tables)
    return f'<section id="{anchor_of(paper)}">\n<h2>{escape(paper)}</h2>\n{blocks}</section>\n'


def _figures(figures: Sequence[Figure], folder: Path) -> str:
    if not figures:
        return ""
    blocks = []
    for figure in figures:
        with open_bytes(folder / f"{figure.name}.svg") as stream:
            drawing = stream.read()
        data = base64.b64encode(drawing).decode("ascii")
        width = re.search(rb'<svg[^>]* width="([0-9.]+)pt"', drawing)
        own = f' style="--own:{width[1].decode()}pt"' if width else ""
        links = " ".join(
            f'<a href="figures/{figure.name}.{kind}">{kind}</a>' for kind in ("svg", "png", "pdf")
        )
        blocks.append(
            f'<h3 id="{figure.name}">{escape(figure.title)}</h3>\n<figure>'
            f'<div class="box figure" role="region" tabindex="0" aria-label="{escape(figure.title)}">'
            f'<img{own} alt="{escape(figure.text or figure.title)}" src="data:image/svg+xml;base64,{data}"></div>\n'
            f'<figcaption>{escape(figure.text)} <span class="files">{links}</span></figcaption></figure>\n'
        )
    return f'<section id="figures">\n<h2>Figures</h2>\n{"".join(blocks)}</section>\n'


def _provenance(provenance: Provenance) -> str:
    columns = ["corpus", "part", "rows", "bytes", "licence", "sha256"]
    corpora = [
        [
            _hash(row["sha256"])
            if name == "sha256"
            else f"{int(row[name]):,}"
            if name in ("rows", "bytes") and row.get(name)
            else escape(row.get(name, ""))
            for name in columns
        ]
        for row in provenance.corpora
    ]
    parameters = [
        [f"<code>{escape(name)}</code>", f"<code>{escape(value)}</code>"]
        for name, value in provenance.parameters
    ]
    inputs = [
        [f'<a href="{UP}{escape(path)}">{escape(path)}</a>', f"{size:,}", f"<code>{md5}</code>"]
        for path, size, md5 in provenance.inputs
    ]
    packages = ", ".join(f"{escape(name)} {escape(version)}" for name, version in provenance.packages)
    return (
        '<section id="provenance">\n<h2>Provenance</h2>\n<p>Everything here follows from the inputs and the parameters,'
        " so that the same run gives the same page, byte for byte. The commit, the machine, the installed packages and"
        " the hashes of <code>dvc.lock</code> differ from run to run; <code>divlogic paper provenance</code> writes"
        " them to <code>results/provenance.json</code>.</p>\n"
        "<h3>Corpora</h3>\n"
        + grid(
            "Corpora of the run",
            [name.capitalize() for name in columns],
            corpora,
            numeric={2, 3},
            wide={1},
        )
        + f"<details><summary>Parameters that can change a byte ({len(parameters)})</summary>\n"
        + grid("Parameters", ["Parameter", "Value"], parameters, wide={1})
        + "</details>\n"
        + f"<details><summary>Files that the report was made from ({len(inputs)}), with the hash that DVC knows them"
        " by</summary>\n"
        + grid("Inputs", ["File", "Bytes", "MD5"], inputs, numeric={1})
        + "</details>\n"
        + f"<details><summary>Packages pinned in requirements/divlogic.lock ({len(provenance.packages)})</summary>\n"
        f'<p class="notes">{packages}</p></details>\n</section>\n'
    )


def _hash(text: str) -> str:
    return f'<code title="{escape(text)}">{escape(text)}</code>'


def _footer() -> str:
    return (
        "<footer>\n<p>Numbers in the columns of the papers are cited from DivLogicEval, ILogicEval, JustLogic and the"
        f' other papers named above; see <a href="{UP}data/published">data/published</a> for each cell with its table'
        " and section.</p>\n</footer>\n"
    )
