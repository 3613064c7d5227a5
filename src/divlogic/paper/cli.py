"""``divlogic paper``: gather, items, figures, scoreboard, findings, page, pdf, notebooks, provenance."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "paper",
    "Gather every table and figure of the papers into one report.",
    {
        "gather": "paper.gather:gather",
        "items": "paper.browser.write:write_items",
        "figures": "paper.figures:gather_figures",
        "scoreboard": "paper.scoreboard:scoreboard",
        "page": "paper.page.render:write_page",
        "metrics": "paper.findings:write_metrics",
        "findings": "paper.findings:write_findings",
        "pdf": "paper.pdf:write_pdf",
        "provenance": "paper.provenance:write_run_provenance",
        "notebooks": "paper.notebooks:execute_notebooks",
    },
)
