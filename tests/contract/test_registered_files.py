"""Every registered file of a benchmark goes from the mirror through fetch, reader and collection into the tables."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.collection.collect import (
    Collected,
    collect,
    collected_records,
    load_collection,
)
from divlogic.benchmarks.readers.formats import FORMATS
from divlogic.benchmarks.registry import BENCHMARKS, published_sets
from divlogic.corpora.obtain import fetch
from divlogic.corpora.registry import Corpus, load_registry
from divlogic.diversity.parameters import DiversityParameters
from divlogic.diversity.profile import profile_records
from divlogic.diversity.report import PARTS, Measurements, Row, write_tables
from divlogic.diversity.words import rule_splitter, word_tokenizer
from tests.contract.graph import ROOT
from tests.unit.benchmarks.divlogiceval.test_published import INSTANCES as DIVLOGICEVAL
from tests.unit.benchmarks.readers import samples as s

REGISTRY = load_registry(ROOT / "data" / "registry.yaml")
TOKENIZE = word_tokenizer(rule_splitter)


def write_zip(path: Path, members: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def write_logicnli(path: Path) -> None:
    split = "test" if path.suffix == ".zip" else path.name.partition("_")[0]
    parts = {"language": s.LOGICNLI_LANGUAGE, "logic": s.LOGICNLI_LOGIC}
    members = {f"{split}_{part}.json": json.dumps({"0": value}) for part, value in parts.items()}
    if path.suffix == ".zip":
        return write_zip(path, {f"LogicNLI_sim/{name}": text for name, text in members.items()})
    for name, text in members.items():
        path.with_name(name).write_text(text, encoding="utf-8")


def write_csv(path: Path, row: dict[str, str]) -> Path:
    return s.table(path, row, encoding="iso-8859-1")


OFFICIAL: dict[str, Callable[[Path], object]] = {
    "divlogiceval_published": lambda path: s.parquet(path, *DIVLOGICEVAL),
    "reclor": lambda path: s.document(path, [s.RECLOR]),
    "logiqa2": lambda path: s.lines(path, s.LOGIQA2),
    "ruletaker": lambda path: s.lines(path, s.RULETAKER),
    "logicnli": write_logicnli,
    "folio": lambda path: s.lines(path, s.FOLIO_V2 if "v2" in path.name else s.FOLIO_V0),
    "robustlr_chat": lambda path: s.lines(path, s.ROBUSTLR_CHAT),
    "prontoqa_ood": lambda path: write_zip(
        path, {"1hop_ModusPonens.json": json.dumps(s.PRONTOQA_NESTED)}
    ),
    "clutrr": lambda path: write_csv(path, s.CLUTRR),
    "proofwriter_logicllm": lambda path: s.document(path, [s.PROOFWRITER_LOGICLLM]),
    "proofwriter_satlm": lambda path: s.document(path, [s.PROOFWRITER_SATLM]),
    "justlogic": lambda path: write_csv(path, s.JUSTLOGIC),
    "llmeval_logic_base": lambda path: s.document(path, [s.LLMEVAL_BASE]),
    "llmeval_logic_hard": lambda path: s.document(path, [s.LLMEVAL_HARD]),
}
"""How each registered reader's files look: writes them at a registered path of the mirror, worded for these tests."""


def registered() -> Iterator[tuple[str, str, str]]:
    """Yield (corpus, path, reader) of every registered file and stand-in of a published benchmark."""
    for name, corpus in REGISTRY.items():
        for file in (*corpus.files, *corpus.stand_ins):
            if (file.reader or "").startswith("benchmark:"):
                yield name, file.path, str(file.reader).removeprefix("benchmark:")


def with_this_file(corpus: Corpus, path: str) -> Corpus:
    """Return a registry entry whose only file is the given one, whatever its checksum."""
    known = {"sha256": None, "bytes": None, "bytes_between": None, "rows": None}
    files = [file.model_copy(update=known) for file in corpus.files if file.path == path]
    if not files:
        # A stand-in of a zip's member: as if it had been registered loose, with its neighbours.
        loose = corpus.files[0].model_copy(update={**known, "unpack": False, "members": []})
        stand_ins = [one for one in corpus.stand_ins if Path(one.path).parent == Path(path).parent]
        files = [
            loose.model_copy(update={"path": one.path, "reader": one.reader}) for one in stand_ins
        ]
    return corpus.model_copy(update={"files": files, "stand_ins": []})


def tables_of(
    collection: Path, parts: Mapping[str, Sequence[Collected]], out: Path
) -> tuple[dict[str, list[str]], dict[str, Row]]:
    """Return the lines of the tables on what was collected, and the profiles by their stems."""
    profiles, parameters = {}, DiversityParameters()
    for stem in {one.stem for part in parts.values() for one in part if one.available}:
        records = collected_records(collection, stem)
        profiles[stem] = profile_records(stem, records, TOKENIZE, parameters.type_token).summary()
    write_tables(Measurements(parts, profiles), out, parameters)
    return {
        path.stem: path.read_text(encoding="utf-8").splitlines() for path in out.glob("*.csv")
    }, profiles


@pytest.mark.parametrize(("name", "path", "reader"), list(registered()))
def test_a_registered_file_becomes_a_row_of_the_tables(
    name: str, path: str, reader: str, tmp_path: Path
) -> None:
    mirror, raw, collection = tmp_path / "mirror", tmp_path / "raw", tmp_path / "collection"
    target = mirror / name / path
    target.parent.mkdir(parents=True)
    OFFICIAL[reader](target)
    fetch(name, with_this_file(REGISTRY[name], path), raw / name, mirror=mirror)
    here = [one for one in collect([raw], [], [], collection) if one.available and not one.view]
    assert len(here) == 1, [one.problems for one in load_collection(collection)]
    assert not here[0].problems
    records = list(collected_records(collection, here[0].stem))
    assert len(records) == here[0].rows > 0
    (stated,) = [
        one.answers
        for one in BENCHMARKS
        if here[0].benchmark in {set_.name for set_ in one.published}
    ]
    if stated is not None:
        assert {type(answer_format(record)) for record in records} == {type(stated)}
    if reader == "logicnli":
        assert all(record.formulas for record in records)
    parts = dict.fromkeys(PARTS, load_collection(collection))
    tables, profiles = tables_of(collection, parts, tmp_path / "tables")
    metrics = json.loads((tmp_path / "tables" / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["vocabulary"] == {
        here[0].title: profiles[here[0].stem]["vocabulary_lower_instances"]
    }
    for table in ("table4", "complexity", "statistics"):
        own = [
            row
            for row in tables[table]
            if row.startswith(f"{here[0].title},") and ",measured," in row
        ]
        assert len(own) == 1, table


def test_the_registry_names_a_known_reader_for_every_file_of_a_benchmark() -> None:
    assert {reader for *_, reader in registered()} <= set(FORMATS)
    assert {reader for *_, reader in registered()} == set(OFFICIAL)


def test_every_part_of_a_benchmark_is_registered_and_every_registered_file_is_in_a_part() -> None:
    registry = [part for records in published_sets() for part in records.parts]
    parts = {(part.corpus, file) for part in registry for file in part.files}
    files = {(name, path) for name, path, _ in registered()}
    # A part with a reader of its own may be a file that others read otherwise: recorded answers repeat their questions.
    recorded = {
        (part.corpus, file.path)
        for part in registry
        if part.reader and part.corpus in REGISTRY
        for file in REGISTRY[part.corpus].files
    }
    assert parts <= files | recorded
    # The zip is unpacked; its symbolic files are read together with those in English.
    assert {path for _, path in files - parts} <= {
        "LogicNLI_sim.zip",
        *(f"LogicNLI_sim/{split}_logic.json" for split in ("train", "dev", "test")),
    }


def test_each_table_uses_the_part_of_folio_that_its_paper_used(tmp_path: Path) -> None:
    folder = tmp_path / "raw" / "folio"
    folder.mkdir(parents=True)
    s.lines(folder / "v0.0_folio-validation.jsonl", s.FOLIO_V0, {**s.FOLIO_V0, "label": "False"})
    s.lines(folder / "folio_v2_validation.jsonl", s.FOLIO_V2)
    collection = tmp_path / "collection"
    collect([s.registered(tmp_path / "raw", "folio")], [], [], collection)

    found = {part: load_collection(collection, table) for part, table in PARTS.items()}
    tables, _ = tables_of(collection, found, tmp_path / "tables")
    for table, part, rows in (("table4", "v0.0 validation", 2), ("complexity", "v2 validation", 1)):
        (row,) = [line for line in tables[table] if line.startswith("FOLIO,")]
        assert part in row and f",measured,{rows}," in row, table


def test_the_test_set_of_justlogic_is_read_out_of_a_file_of_recorded_answers(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "raw" / "recorded_justlogic" / "eval"
    folder.mkdir(parents=True)
    s.table(
        folder / "0_shot_llama8B_results.csv",
        s.JUSTLOGIC | {"predicted": "Uncertain"},
        encoding="iso-8859-1",
    )
    collection = tmp_path / "collection"
    collect([s.registered(tmp_path / "raw", "recorded_justlogic")], [], [], collection)
    (found,) = [one for one in load_collection(collection) if one.available]
    assert (found.benchmark, found.exact, found.rows) == ("justlogic", True, 1)
    assert found.part == "test (out of a file of recorded answers)"
    (record,) = collected_records(collection, found.stem)
    assert (record.id, record.split) == (s.JUSTLOGIC["id"], "test")
    assert "predicted" not in record.metadata
