"""Page, PDF, figures and provenance: the same bytes for the same inputs, colours that can be read."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import write_json, write_text
from divlogic.io.tables import write_listing
from divlogic.paper.model import FIGURES
from divlogic.paper.parameters import PaperParameters
from divlogic.paper.provenance import collect_provenance, read_provenance, run_provenance
from divlogic.paper.report import (
    CSS,
    ReportFiles,
    gather_figures,
    list_figures,
    page_html,
    write_pdf,
)
from divlogic.paper.scoreboard import score_tables, write_scoreboard
from tests.unit.paper.miniature import FINDINGS, gathered, luminance, write_printed, write_results

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0H40V20H0Z" fill="#123"/></svg>'
PARAMETERS = PaperParameters()


def drawn(folder: Path, name: str, svg: str = SVG) -> Path:
    for suffix, text in (("png", "png"), ("svg", svg)):
        write_text(folder / f"drawn/{name}.{suffix}", text)
    return folder / f"drawn/{name}.svg"


@pytest.fixture
def report(tmp_path: Path) -> dict[str, Path]:
    results, printed = write_results(tmp_path / "results"), write_printed(tmp_path / "published")
    tables = gathered(results, printed)
    write_json(tmp_path / "tables.json", tables)
    write_scoreboard(
        score_tables(tables, PARAMETERS), tmp_path / "scores.csv", tmp_path / "totals.json"
    )
    gather_figures([drawn(tmp_path, "figure2")], out=tmp_path / "figures")
    columns = ("corpus", "part", "rows", "bytes", "licence", "sha256")
    row = ("a<b", "whole", 1, 2, "x & y", "ab")
    write_listing(tmp_path / "corpora", columns, [dict(zip(columns, row, strict=True))])
    lock = "click==8.1.0 \\\n    --hash=sha256:00\nsix==1.17.0 ; python_version < '4'\n"
    write_text(tmp_path / "lock", lock)
    params = {
        "corpus_source": "embedded",
        "mirror": "/somewhere",
        "sentences": {"shards": 2, "min_tokens": 4, "marks": ";("},
        "evaluation": {"models": [{"name": "one", "runs": None}], "limits": {"concurrency": 3}},
    }
    corpora, tolerances = tmp_path / "corpora.csv", {"percent": "±1"}
    provenance = collect_provenance(
        params, corpora, [corpora], tmp_path / "lock", tolerances, tmp_path
    )
    write_json(tmp_path / "provenance.json", provenance)
    write_json(tmp_path / "findings.json", FINDINGS)
    names = ("tables.json", "scores.csv", "figures", "provenance.json", "findings.json")
    return {Path(name).stem: tmp_path / name for name in names}


def test_the_pdf_is_the_same_bytes_every_time_and_has_no_date(report, tmp_path):
    names = ("tables", "figures", "provenance", "findings")
    files = ReportFiles(scoreboard=report["scores"], **{name: report[name] for name in names})
    for name in ("one.pdf", "two.pdf"):
        write_pdf(files, tmp_path / name)
    first, second = ((tmp_path / name).read_bytes() for name in ("one.pdf", "two.pdf"))
    assert first == second
    assert first.startswith(b"%PDF-") and b"CreationDate" not in first


def test_a_figure_becomes_a_pdf_of_the_same_bytes_every_time(report, tmp_path):
    gather_figures([tmp_path / "drawn/figure2.svg"], out=tmp_path / "again")
    first, second = (tmp_path / name / "figure2.pdf" for name in ("figures", "again"))
    assert first.read_bytes() == second.read_bytes()
    assert [figure.name for figure in list_figures(tmp_path / "again")] == ["figure2"]
    # A figure that a run with other parameters left does not get into the report of this one.
    gather_figures([drawn(tmp_path, "panel")], out=tmp_path / "again")
    assert [figure.name for figure in list_figures(tmp_path / "again")] == ["panel"]
    assert not (tmp_path / "again/figure2.pdf").exists()


def test_a_drawing_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(DivLogicError, match=r"panel\.svg"):
        gather_figures([drawn(tmp_path, "panel", "no drawing")], out=tmp_path / "out")


def test_a_figure_without_a_caption_is_refused_and_one_of_an_older_run_is_not_shown(
    report, tmp_path
):
    with pytest.raises(DivLogicError, match=r"new_curves\.svg: this figure has no caption"):
        gather_figures([drawn(tmp_path, "new_curves")], out=tmp_path / "out")
    write_text(report["figures"] / "new_curves.svg", SVG)
    assert [figure.name for figure in list_figures(report["figures"])] == ["figure2"]


def test_every_caption_says_what_is_shown_in_words_of_its_own():
    for figure in FIGURES:
        assert figure.text.endswith(".") and len(figure.text.split()) >= 10, figure.name
        assert figure.title.casefold() != figure.name.replace("_", " "), figure.name
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)


def test_the_page_says_what_was_not_audited_and_words_from_files_cannot_become_markup(
    report, tmp_path
):
    tables = gathered(tmp_path / "results", tmp_path / "published")
    files = (
        score_tables(tables, PARAMETERS),
        report["figures"],
        read_provenance(report["provenance"]),
    )
    none = FINDINGS | {"audited": {"labels": 0, "wrong": 0, "benchmarks": []}}
    text, other = (page_html(tables, *files, found) for found in (none, FINDINGS))
    assert "Not here: the audit of others' labels" in text and "corpus_source: full" in text
    assert "Not here:" not in other and "labels of others do not follow" in other
    assert "a&lt;b" in other and "<b>whole" not in other and "a<b" not in other


def test_parameters_that_change_no_byte_are_not_on_the_page(report):
    names = dict(read_provenance(report["provenance"]).parameters)
    assert names == {
        "corpus_source": '"embedded"',
        "sentences.min_tokens": "4",
        "sentences.marks": '";("',
        "evaluation.models.1.name": '"one"',
    }


def test_inputs_carry_the_hash_by_which_dvc_knows_them(report, tmp_path):
    ((_, size, md5),) = read_provenance(report["provenance"]).inputs
    data = (tmp_path / "corpora.csv").read_bytes()
    assert (size, md5) == (len(data), hashlib.md5(data).hexdigest())


def test_packages_are_those_that_the_lock_pins(report):
    assert read_provenance(report["provenance"]).packages == (("click", "8.1.0"), ("six", "1.17.0"))


def test_what_differs_from_run_to_run_has_the_hashes_of_dvcs_lock(tmp_path):
    lock = {"stages": {"corpora": {"outs": [{"path": "results/corpora", "md5": "abc.dir"}]}}}
    write_text(tmp_path / "dvc.lock", json.dumps(lock))
    found = run_provenance(tmp_path)
    assert found["dvc"] == {"corpora": {"results/corpora": "abc.dir"}}
    assert found["commit"] is None and found["packages"]["click"]


def schemes() -> dict[str, dict[str, str]]:
    """Return the colours of the page's light and dark scheme."""
    blocks = re.findall(r":root \{(.*?)\}", CSS.read_text(encoding="utf-8"), re.DOTALL)
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block)) for block in blocks)
    return {"light": light, "dark": {**light, **dark}}


def contrast(*colours: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2, 1.4.3)."""
    parts = (
        [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)] for colour in colours
    )
    low, high = sorted(map(luminance, parts))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_the_contrast_that_reading_needs(scheme):
    colours = schemes()[scheme]
    pairs = [*itertools.product(("ink", "soft", "link"), ("paper", "panel", "faint", "here-bg"))]
    pairs += [
        (text, f"{ground}-bg") for ground in ("ok", "near", "far") for text in ("ink", ground)
    ]
    assert [pair for pair in pairs if contrast(*(colours[name] for name in pair)) < 4.5] == []
