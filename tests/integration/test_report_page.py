"""The report's page in a real browser: readable at every width, with nothing missing."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from divlogic.io.files import write_json, write_text
from divlogic.io.tables import write_listing
from divlogic.paper.gather import write_tables
from divlogic.paper.notebooks import execute_notebooks
from divlogic.paper.parameters import PaperParameters
from divlogic.paper.provenance import collect_provenance
from divlogic.paper.report import ReportFiles, write_report
from divlogic.paper.scoreboard import score_tables, write_scoreboard
from divlogic.parameters import Parameters
from tests.integration.beside import chromium, needs_browser, title_of
from tests.support import write_notebook
from tests.unit.paper.miniature import FILES, FINDINGS, gathered, luminance, write_results

ROOT = Path(__file__).resolve().parents[2]

MEASURE = Path(__file__).with_name("pages") / "measure.html"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete report, laid out as in the repository: the real printed numbers, a few measured ones."""
    from matplotlib import pyplot

    from divlogic.io.figures import save_figure, style

    root = tmp_path_factory.mktemp("report")
    results, out = write_results(root / "results"), root / "results" / "paper"
    shutil.copytree(ROOT / "data" / "published", root / "data" / "published")
    with style():
        figure, axes = pyplot.subplots()
        axes.plot([0, 1], [1, 0])
        save_figure(figure, root / "results" / "paper" / "figure2")
    columns = ("corpus", "role", "source", "part", "files", "bytes", "rows", "licence", "sha256")
    part = "1 of 3 files; absent: " + ", ".join(
        f"folder/part-{number}.jsonl" for number in range(12)
    )
    row = ("folio", "comparator", "full", part, 1, 2, 3, "x", "a" * 64)
    write_listing(results / "corpora" / "corpora", columns, [dict(zip(columns, row, strict=True))])
    write_text(root / "requirements/divlogic.lock", "click==8.1.0 \\\n    --hash=sha256:00\n")
    parameters = PaperParameters()
    tables = gathered(results, root / "data" / "published")
    write_tables(tables, out / "tables")
    write_json(root / "tables.json", tables)
    scores = score_tables(tables, parameters)
    write_scoreboard(scores, out / "scoreboard.csv", out / "totals.json")
    provenance = collect_provenance(
        Parameters().model_dump(mode="json"),
        results / "corpora" / "corpora.csv",
        [results / name for name in FILES],
        root / "requirements/divlogic.lock",
        {"percent": "±1"},
        root,
    )
    write_json(root / "provenance.json", provenance)
    write_json(root / "findings.json", FINDINGS)
    inputs = ReportFiles(
        tables=root / "tables.json",
        scoreboard=out / "scoreboard.csv",
        figures=out / "figures",
        provenance=root / "provenance.json",
        findings=root / "findings.json",
    )
    drawn = (results / "paper" / "figure2.svg",)
    write_report(drawn, files=inputs, page=out / "index.html", pdf=out / "paper.pdf")
    write_text(out / "items.html", "every instance")
    write_text(out.parent / "collection" / "label_disagreements.csv", "id")
    write_text(out.parent / "prior_knowledge" / "shortcuts.csv", "benchmark")
    return out / "index.html"


def measured_at(page: Path, width: int, *options: str) -> dict[str, Any]:
    """Lay the page out in a frame of this width (a window is never as narrow as a phone) and measure it."""
    frame = page.with_name(f"frame{width}.html")
    text = html.escape(page.read_text(encoding="utf-8"))
    framed = f'<iframe width="{width}" height="900" style="border:0" srcdoc="{text}"></iframe>'
    write_text(frame, f'<meta charset="utf-8">{framed}{MEASURE.read_text(encoding="utf-8")}')
    found: dict[str, Any] = title_of(frame.as_uri(), "--window-size=1600,1000", *options)
    frame.unlink()
    return found


def test_every_relative_link_leads_to_a_file_and_every_anchor_is_there(page):
    text = page.read_text(encoding="utf-8")
    targets = [html.unescape(target) for target in re.findall(r'\s(?:href|src)="([^"]*)"', text)]
    anchors = {f"#{name}" for name in re.findall(r'\sid="([^"]+)"', text)}
    assert len(targets) > 50
    assert [target for target in targets if target.startswith("#") and target not in anchors] == []
    files = [
        target.partition("#")[0] for target in targets if not target.startswith(("#", "data:"))
    ]
    assert [file for file in files if not (page.parent / unquote(file)).exists()] == []


def test_the_page_needs_no_network_and_no_other_file(page):
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", text)
    assert "@import" not in text and '<link rel="stylesheet"' not in text
    assert all(
        source.startswith("data:") for source in re.findall(r"<img[^>]* src=\"([^\"]*)", text)
    )


@needs_browser
@pytest.mark.integration
@pytest.mark.parametrize("width", [360, 768, 1440])
def test_nothing_but_the_tables_boxes_scrolls_sideways(page, width):
    found = measured_at(page, width)
    assert found["inner"] == width
    assert found["scroll"] <= width
    assert found["wide"] == []
    assert found["boxes"] > 15
    assert all(found["images"])
    assert found["figures"] and all(200 < drawn <= width for drawn in found["figures"]), (
        "figures fit"
    )
    assert found["hints"] == (len(found["figures"]) if width == 360 else 0)
    if width == 360:
        assert found["scrolling"], "wide tables scroll in their own box"


@needs_browser
@pytest.mark.integration
def test_a_notebooks_page_does_not_scroll_sideways(tmp_path):
    wide = "import pandas as pd\nprint('word ' * 60 + 'x' * 300)\npd.DataFrame([['long words ' * 9] * 9])"
    execute_notebooks(
        (write_notebook(tmp_path / "wide.ipynb", wide),), out=tmp_path, workdir=tmp_path
    )
    for width in (360, 1440):
        assert measured_at(tmp_path / "wide.html", width)["scroll"] <= width


@needs_browser
@pytest.mark.integration
def test_the_page_follows_the_systems_light_or_dark_scheme(page):
    light = measured_at(page, 800, "--blink-settings=preferredColorScheme=1")["ground"]
    dark = measured_at(page, 800, "--blink-settings=preferredColorScheme=0")["ground"]
    assert brightness(light) > 0.8 > 0.1 > brightness(dark)


@needs_browser
@pytest.mark.integration
def test_the_browsers_console_stays_empty(page):
    log = chromium(page.as_uri()).stderr
    assert [
        line for line in log.splitlines() if "CONSOLE" in line or "ERR_FILE_NOT_FOUND" in line
    ] == []


@needs_browser
@pytest.mark.integration
def test_an_error_on_the_console_would_be_seen(page):
    broken = page.with_name("broken.html")
    broken.write_text("<script>console.error('seen'); missing()</script>", encoding="utf-8")
    log = chromium(broken.as_uri()).stderr
    broken.unlink()
    assert sum("CONSOLE" in line for line in log.splitlines()) == 2


def brightness(colour: object) -> float:
    """Return the relative luminance of an `rgb(r, g, b)` colour."""
    return luminance([int(part) / 255 for part in re.findall(r"\d+", str(colour))[:3]])
