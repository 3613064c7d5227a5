"""``divlogic paper``: gather, figures, scoreboard, page, pdf, provenance."""

from __future__ import annotations

import gc
from pathlib import Path

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.errors import DivLogicError
from divlogic.paper.notebooks import notebook_command
from divlogic.paper.parameters import PaperRun, ProvenanceRun

_tables = click.option("--tables", type=FILE, required=True, help="Tables that `gather` wrote (json).")
_origin = click.option(
    "--provenance", type=FILE, required=True, help="Provenance that `gather` wrote (json)."
)
_drawn = click.option("--figures", type=FOLDER, required=True, help="Figures that `figures` gathered.")
_findings = click.option("--findings", type=FILE, required=True, help="Findings (json).")
_scores = click.option("--scoreboard", type=FILE, required=True, help="Scoreboard (json).")


@click.group("paper")
def cli() -> None:
    """Gather every table and figure of the papers into one report."""


@cli.command()
@click.argument("files", nargs=-1, type=FILE)
@click.option("--results", type=FOLDER, required=True, help="Folder of the results.")
@click.option("--published", type=FOLDER, required=True, help="Folder of the printed numbers.")
@click.option("--corpora", type=FILE, required=True, help="Corpora of the run (corpora.json).")
@click.option("--lock", type=FILE, required=True, help="requirements/divlogic.lock.")
@click.option("--out", type=FOLDER, required=True, help="Where csv, md and tex go.")
@click.option("--tables", type=FILE, required=True, help="Where the tables go for page and pdf (json).")
@click.option("--provenance", type=FILE, required=True, help="Where the provenance goes (json).")
@params_option(ProvenanceRun)
def gather(
    files: tuple[Path, ...],
    results: Path,
    published: Path,
    corpora: Path,
    lock: Path,
    out: Path,
    tables: Path,
    provenance: Path,
    params: ProvenanceRun,
) -> None:
    """Put printed and measured numbers side by side; FILES are those that the provenance lists."""
    from divlogic.paper.gather import gather_tables, write_tables
    from divlogic.paper.model import write_tables_json
    from divlogic.paper.provenance import collect_provenance, write_provenance
    from divlogic.paper.scoreboard import tolerance_text

    section = params.paper
    gathered = gather_tables(results, published, section)
    write_tables(gathered, out)
    write_tables_json(tables, gathered)
    kinds = type(section.tolerances).model_fields
    tolerances = {kind: tolerance_text(getattr(section.tolerances, kind)) for kind in kinds}
    found = collect_provenance(params.in_order(), corpora, files, lock, tolerances)
    write_provenance(provenance, found)


@cli.command()
@click.argument("records", nargs=-1, required=True, type=FILE)
@click.option(
    "--imported", type=FOLDER, help="Folder of imported data sets (jsonl, jsonl.gz), shown after RECORDS."
)
@click.option("--predictions", multiple=True, type=FILE, help="Answers to show (jsonl); repeatable.")
@click.option(
    "--outcomes",
    multiple=True,
    type=FILE,
    help="What replies to LLMEval-Logic are worth (jsonl); repeatable.",
)
@click.option("--out", type=FILE, required=True, help="Where the page goes (html).")
@click.option("--data", type=FOLDER, required=True, help="Folder of the page's data, next to it.")
@click.option("--counts", type=FILE, required=True, help="Instances per benchmark and split (json).")
@params_option(PaperRun)
def items(
    records: tuple[Path, ...],
    imported: Path | None,
    predictions: tuple[Path, ...],
    outcomes: tuple[Path, ...],
    out: Path,
    data: Path,
    counts: Path,
    params: PaperRun,
) -> None:
    """Write a page that shows every instance of RECORDS with its symbolic form and what was answered."""
    from divlogic.paper.browser.collect import read_shelves
    from divlogic.paper.browser.write import write_browser, write_counts

    if imported and not imported.is_dir():
        raise DivLogicError(
            f"{imported}: there is no such folder; --imported names the folder of imported data sets."
        )
    # Beside each data set lies its hidden note.
    there = imported.iterdir() if imported else ()
    own = [path for path in there if path.name.endswith((".jsonl", ".jsonl.gz"))]
    # A million objects without a cycle, which stay to the end: to look through them costs a sixth of the time.
    gc.disable()
    try:
        most = params.paper.items.most_instances
        shelves = read_shelves([*records, *sorted(own)], predictions, most, outcomes=outcomes)
    finally:
        gc.enable()
    write_browser(out, data, shelves)
    write_counts(counts, shelves)


@cli.command()
@click.argument("sources", nargs=-1, type=FILE)
@click.option("--out", type=FOLDER, required=True, help="Where svg, png and pdf go.")
def figures(sources: tuple[Path, ...], out: Path) -> None:
    """Gather the figures whose svg are SOURCES, and make a pdf of each."""
    from divlogic.paper.figures import gather_figures

    gather_figures(sources, out)


@cli.command()
@_tables
@click.option("--out", type=FILE, required=True, help="Where the scoreboard goes (csv; and json next to it).")
@click.option("--metrics", type=FILE, required=True, help="Where the counts go for `dvc metrics` (json).")
@params_option(PaperRun)
def scoreboard(tables: Path, out: Path, metrics: Path, params: PaperRun) -> None:
    """Count the cells that were reproduced, are off, published only, unavailable."""
    from divlogic.paper.model import read_tables_json
    from divlogic.paper.scoreboard import score_tables, write_scoreboard

    write_scoreboard(score_tables(read_tables_json(tables), params.paper), out, metrics)


@cli.command()
@_tables
@_scores
@_drawn
@_origin
@_findings
@click.option("--out", type=FILE, required=True, help="Where the page goes (html).")
def page(tables: Path, scoreboard: Path, figures: Path, provenance: Path, findings: Path, out: Path) -> None:
    """Write the report as one self-contained HTML page."""
    from divlogic.paper.findings import read_findings
    from divlogic.paper.model import read_tables_json
    from divlogic.paper.page.render import write_page
    from divlogic.paper.provenance import read_provenance
    from divlogic.paper.scoreboard import read_scoreboard

    write_page(
        out,
        read_tables_json(tables),
        read_scoreboard(scoreboard),
        figures,
        read_provenance(provenance),
        read_findings(findings),
    )


@cli.command("metrics")
@click.option("--findings", type=FILE, required=True, help="What `findings` wrote (json).")
@click.option("--out", type=FILE, required=True, help="Where the numbers go (json).")
def metrics_step(findings: Path, out: Path) -> None:
    """Write what was made, as `dvc metrics diff` compares it."""
    from divlogic.paper.metrics import write_metrics

    write_metrics(out, findings)


@cli.command("findings")
@click.argument("confirmed", nargs=-1, type=FILE)
@click.option("--instances", type=FILE, required=True, help="Instances per benchmark, of `items` (json).")
@click.option("--plan", type=FILE, required=True, help="What was wanted and made of DivLogicEval (json).")
@click.option("--verification", type=FILE, required=True, help="Shares of labels that would not hold (json).")
@click.option("--shortcuts", type=FILE, required=True, help="Summary of the probes (json).")
@click.option("--leak", type=FILE, required=True, help="Scores before and after a leak (json).")
@click.option("--audit", type=FILE, required=True, help="Labels derived again (json).")
@click.option("--contradictions", type=FILE, required=True, help="Printed cells that break a rule (json).")
@click.option("--words", type=FILE, required=True, help="Words per benchmark (table4.json).")
@click.option("--independence", type=FILE, required=True, help="Answers without context (independence.json).")
@click.option("--scores", type=FILE, required=True, help="Scores of the zero-shot prompt (table1.json).")
@click.option("--out", type=FILE, required=True, help="Where the findings go (json).")
def findings_step(
    confirmed: tuple[Path, ...],
    instances: Path,
    plan: Path,
    verification: Path,
    shortcuts: Path,
    leak: Path,
    audit: Path,
    contradictions: Path,
    words: Path,
    independence: Path,
    scores: Path,
    out: Path,
) -> None:
    """Take what the report leads with from the results; CONFIRMED are the solver's reports on labels."""
    from divlogic.paper.findings import Sources, write_findings

    tables = {"words": words, "independence": independence, "scores": scores}
    bases = {name: path.with_suffix("") for name, path in tables.items()}
    sources = Sources(
        instances, plan, confirmed, verification, shortcuts, leak, audit, contradictions, **bases
    )
    write_findings(out, sources)


@cli.command()
@_tables
@_scores
@_drawn
@_origin
@click.option("--out", type=FILE, required=True, help="Where the PDF goes.")
def pdf(tables: Path, scoreboard: Path, figures: Path, provenance: Path, out: Path) -> None:
    """Write the report as a PDF, set by Typst."""
    from divlogic.paper.pdf import write_pdf

    write_pdf(out, tables, scoreboard, figures, provenance)


@cli.command()
@click.option(
    "--out",
    type=FILE,
    default=Path("results/provenance.json"),
    show_default=True,
    help="Where it goes; tracked neither by Snakemake nor by DVC.",
)
def provenance(out: Path) -> None:
    """Record what differs from run to run: commit, time, machine, installed packages, hashes of dvc.lock."""
    from divlogic.io.files import write_json
    from divlogic.paper.provenance import run_provenance

    write_json(out, run_provenance(Path()))


cli.add_command(notebook_command)
