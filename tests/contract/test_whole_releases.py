"""Every registered data set, with all of its splits and files, goes from the mirror to the tables of the report."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from unittest.mock import patch

import pytest

from divlogic.benchmarks.collection.collect import collect, load_collection
from divlogic.benchmarks.llmeval_logic.published_tables import measure_published
from divlogic.benchmarks.logicnli.describe import RELEASED, write_description
from divlogic.benchmarks.logicnli.parameters import LogicNLIRun
from divlogic.corpora.obtain import fetch
from divlogic.corpora.registry import Corpus
from divlogic.diversity.report import PARTS
from divlogic.evaluation.asked import AnsweredRecords
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.steps import score
from divlogic.evaluation.tables import label_accuracy
from divlogic.io.files import write_json, write_text
from divlogic.models.recordings.reading import READERS, read as read_recordings
from divlogic.paper import measured
from divlogic.paper.gather import gather_tables, write_tables
from divlogic.paper.layout import lay_out
from divlogic.paper.model import ReportTable
from divlogic.paper.parameters import PaperParameters
from divlogic.paper.scoreboard import score_tables, total_of
from divlogic.prior_knowledge.independence import write_independence
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun
from divlogic.prior_knowledge.steps import AnsweredCollection
from divlogic.published import read_published
from divlogic.published.audit import write_audit
from tests.contract.graph import ROOT
from tests.contract.test_registered_files import OFFICIAL, REGISTRY, tables_of, write_zip
from tests.unit.benchmarks.llmeval_logic import samples as llmeval
from tests.unit.benchmarks.readers import samples as s

PUBLISHED = ROOT / "data" / "published"
FOUR_ROTATIONS = "".join(f"0 {letter} A Answer: A True\n" for letter in "ACDB")
LABELLED = "id,depth,label,predicted\n1,1,True,True\n2,2,False,True\n3,3,Uncertain,Uncertain\n"
NAMES = [
    name
    for name, corpus in REGISTRY.items()
    if any((file.reader or "").startswith(("benchmark:", "recorded:")) for file in corpus.files)
]


def write_official(corpus: Corpus, folder: Path) -> None:
    """Write every official file of a data set as its authors have it, with content made for this test."""
    for file in corpus.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        kind, _, reader = (file.reader or "").partition(":")
        if file.path == "LogicNLI_sim.zip":
            write_zip(path, logicnli_members())
        elif file.path == "LICENSE":
            write_text(path, "for tests\n")
        elif "llmeval_logic" in file.path:
            rows = (
                llmeval.HARD
                if "hard" in file.path
                else [llmeval.LAMP, llmeval.KEYS, llmeval.STAMPS]
            )
            s.document(path, rows)
        elif file.series:
            # The published series has gaps.
            if (number := int(path.stem)) in llmeval.RUBRICS:
                s.document(path, {"id": number, "title": "", "items": llmeval.RUBRICS[number]})
        elif kind == "benchmark":
            OFFICIAL[reader](path)
        elif reader == "ilogiceval":
            write_text(path, FOUR_ROTATIONS)
        elif kind == "recorded":
            write_text(path, LABELLED)


def logicnli_members() -> dict[str, str]:
    """Return the six files of LogicNLI's release: three splits, each in English and in symbols."""
    parts = {"language": s.LOGICNLI_LANGUAGE, "logic": s.LOGICNLI_LOGIC}
    return {
        f"LogicNLI_sim/{split}_{part}.json": json.dumps({"0": theory})
        for split in RELEASED
        for part, theory in parts.items()
    }


def without_checksums(corpus: Corpus) -> Corpus:
    """Return a registry entry that takes files of other content, and all official files of it."""
    known = {"sha256": None, "bytes": None, "bytes_between": None, "rows": None}
    files = [file.model_copy(update=known) for file in corpus.files]
    return corpus.model_copy(update={"files": files, "stand_ins": [], "mirror_folders": []})


def results_of(names: Iterable[str], folder: Path) -> Path:
    """Run what a full run does with these data sets, from the mirror to the results of the phases."""
    raw, results = folder / "raw", folder / "results"
    for name in names:
        write_official(REGISTRY[name], folder / "mirror" / name)
        fetch(name, without_checksums(REGISTRY[name]), raw / name, mirror=folder / "mirror")
    collection = folder / "collection"
    collect([raw], [], [], collection)
    parts = {part: load_collection(collection, table) for part, table in PARTS.items()}
    tables_of(collection, parts, results / "diversity")
    measure_published(raw / "llmeval_logic", out=results / "benchmarks/llmeval_logic/published")
    write_logicnli(raw / "logicnli", results / "benchmarks/logicnli")
    write_recorded([raw / name for name in names if name.startswith("recorded_")], folder)
    write_audit(read_published(PUBLISHED), results / "evaluation/published_audit.csv")
    return results


def write_logicnli(release: Path, out: Path) -> None:
    """Write the tables of LogicNLI's sets next to a release that may not be here."""
    statistics = out.with_name("statistics.json")
    write_json(statistics, {"sets": [], "symbols": 0})
    write_description(
        statistics=statistics,
        release=release if release.is_dir() else None,
        profile=ROOT / "data/profiles/logicnli_release.json",
        drawn=ROOT / "data/profiles/logicnli_as_published.json",
        out=out,
        params=LogicNLIRun(seed=1, corpus_source="embedded", benchmarks={"logicnli": {}}),
    )


def write_recorded(folders: list[Path], folder: Path) -> None:
    """Score the answers that the papers' authors recorded."""
    read = {}
    for reader in READERS:
        read[reader] = folder / f"{reader.partition(':')[2]}.jsonl"
        read_recordings(read[reader], tuple(map(str, folders)), (reader,))
    params = EvaluationRun(seed=1, evaluation={"resamples": 100})
    results = folder / "results"
    letters = read["recorded:ilogiceval"]
    # A run has its baselines; without any answer there is nothing to score.
    if letters.stat().st_size:
        score((letters,), folder / "scores.csv", params, tables=results / "evaluation")
    label_accuracy(
        (read["recorded:justlogic"],),
        answered=AnsweredRecords(),
        out=results / "evaluation/label_accuracy",
        params=params,
    )
    write_independence(
        (read["recorded:justlogic_prior"],),
        answered=AnsweredCollection(),
        out=results / "prior_knowledge/independence",
        params=PriorKnowledgeRun(seed=1, prior_knowledge={"resamples": 100}),
    )


def report_of(results: Path) -> tuple[list[ReportTable], list[str]]:
    """Return the tables of the report and the warnings that were given on the way, everything written and laid out."""
    said: list[str] = []
    with patch.object(measured, "say", said.append):
        tables = gather_tables(results, PUBLISHED, PaperParameters(), results.rglob("*.json"))
    write_tables(tables, results / "paper/tables")
    for table in tables:
        lay_out(table)
    return tables, said


@pytest.mark.parametrize("names", [*([name] for name in NAMES), NAMES], ids=[*NAMES, "all"])
def test_a_whole_release_reaches_the_report(names: list[str], tmp_path: Path) -> None:
    results = results_of(names, tmp_path)
    tables, warnings = report_of(results)
    assert warnings == []
    scores = score_tables(tables, PaperParameters())
    total = total_of(scores)
    # Something of what is here was compared with print; the numbers themselves are those of invented texts.
    assert total["comparable"] > 0
    assert len(tables) == len(list((results / "paper/tables").glob("*.csv")))


def test_all_three_splits_of_logicnli_stand_beside_the_printed_ones(tmp_path: Path) -> None:
    tables, _ = report_of(results_of(["logicnli"], tmp_path))
    (table,) = [one for one in tables if one.name == "logicnli_table2"]
    place = [column.name for column in table.columns].index("Instances")
    sizes = {row.heads[0]: row.cells[place] for row in table.rows}
    statements = len(s.LOGICNLI_LANGUAGE["statements"])
    for name in RELEASED.values():
        assert (sizes[name].measured, sizes[name].other) == (statements, ""), name
    (table,) = [one for one in tables if one.name == "ilogiceval_table5"]
    heads = [column.name for column in table.columns]
    (row,) = [row for row in table.rows if row.heads[0] == "LogicNLI"]
    for head in ("Training", "Validation", "Test"):
        assert row.cells[heads.index(head)].measured == statements, head
