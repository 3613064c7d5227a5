"""Every registered file of a benchmark goes from the mirror through fetch, reader and collection into the tables."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.collection.collect import collect, collected_records, load_collection
from divlogic.benchmarks.readers.formats import FORMATS
from divlogic.benchmarks.registry import BENCHMARKS, published_sets
from divlogic.corpora.obtain import fetch
from divlogic.corpora.registry import Corpus, load_registry
from divlogic.diversity.parameters import DiversityParameters
from divlogic.diversity.profile import profile_records
from divlogic.diversity.report import PARTS, Measurements, write_tables
from divlogic.diversity.words import rule_splitter, word_tokenizer
from tests.contract.graph import ROOT
from tests.unit.benchmarks.readers import samples as s

REGISTRY = load_registry(ROOT / "data" / "registry.yaml")
TOKENIZE = word_tokenizer(rule_splitter)


def as_lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_document(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def as_csv(row: dict[str, str]) -> bytes:
    import csv

    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(row))
    writer.writeheader()
    writer.writerow(row)
    return text.getvalue().encode("iso-8859-1")


def as_zip(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def logicnli(split: str) -> dict[str, bytes]:
    return {
        f"LogicNLI_sim/{split}_language.json": as_document({"0": s.LOGICNLI_LANGUAGE}),
        f"LogicNLI_sim/{split}_logic.json": as_document({"0": s.LOGICNLI_LOGIC}),
    }


def logicnli_files(path: str) -> dict[str, bytes]:
    if path.endswith(".zip"):
        return {path: as_zip(logicnli("test"))}
    return logicnli(Path(path).name.partition("_")[0])


OFFICIAL: dict[str, Callable[[str], dict[str, bytes]]] = {
    "reclor": lambda path: {path: as_document([s.RECLOR])},
    "logiqa2": lambda path: {path: as_lines(s.LOGIQA2)},
    "ruletaker": lambda path: {path: as_lines(s.RULETAKER)},
    "logicnli": logicnli_files,
    "folio": lambda path: {path: as_lines(s.FOLIO_V2 if "v2" in path else s.FOLIO_V0)},
    "robustlr_chat": lambda path: {path: as_lines(s.ROBUSTLR_CHAT)},
    "prontoqa_ood": lambda path: {path: as_zip({"1hop_ModusPonens.json": as_document(s.PRONTOQA_NESTED)})},
    "clutrr": lambda path: {path: as_csv(s.CLUTRR)},
    "proofwriter_logicllm": lambda path: {path: as_document([s.PROOFWRITER_LOGICLLM])},
    "proofwriter_satlm": lambda path: {path: as_document([s.PROOFWRITER_SATLM])},
    "justlogic": lambda path: {path: as_csv(s.JUSTLOGIC)},
    "llmeval_logic_base": lambda path: {path: as_document([s.LLMEVAL_BASE])},
    "llmeval_logic_hard": lambda path: {path: as_document([s.LLMEVAL_HARD])},
}
"""How each registered reader's files look: registered path -> files of the mirror, worded for these tests."""


def registered() -> Iterator[tuple[str, str, str]]:
    """Yield (corpus, path, reader) of every registered file and stand-in of a published benchmark."""
    for name, corpus in REGISTRY.items():
        for file in (*corpus.files, *corpus.stand_ins):
            if (file.reader or "").startswith("benchmark:"):
                yield name, file.path, str(file.reader).removeprefix("benchmark:")


def with_this_file(corpus: Corpus, path: str) -> Corpus:
    """Return a registry entry whose only file is the given one, whatever its checksum."""
    known = {"sha256": None, "bytes": None, "bytes_between": None, "rows": None}
    official = next((file for file in corpus.files if file.path == path), None)
    if official is None:
        # A stand-in of a zip's member: as if it had been registered loose, with its neighbours.
        stand_ins = [one for one in corpus.stand_ins if Path(one.path).parent == Path(path).parent]
        template = corpus.files[0].model_copy(update={**known, "unpack": False, "members": []})
        files = [template.model_copy(update={"path": one.path, "reader": one.reader}) for one in stand_ins]
    else:
        files = [official.model_copy(update=known)]
    return corpus.model_copy(update={"files": files, "stand_ins": []})


@pytest.mark.parametrize(("name", "path", "reader"), list(registered()))
def test_a_registered_file_becomes_a_row_of_the_tables(
    name: str, path: str, reader: str, tmp_path: Path
) -> None:
    mirror, raw, collection = tmp_path / "mirror", tmp_path / "raw", tmp_path / "collection"
    for place, content in OFFICIAL[reader](path).items():
        target = mirror / name / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    fetch(name, with_this_file(REGISTRY[name], path), raw / name, mirror=mirror)
    here = [one for one in collect([raw], [], [], collection) if one.available and not one.view]
    assert len(here) == 1, [one.problems for one in load_collection(collection)]
    assert not here[0].problems
    records = list(collected_records(collection, here[0].stem))
    assert len(records) == here[0].rows > 0
    stated = next(
        one.answers for one in BENCHMARKS if here[0].benchmark in {set_.name for set_ in one.published}
    )
    if stated is not None:
        assert {type(answer_format(record)) for record in records} == {type(stated)}
    if reader == "logicnli":
        assert all(record.formulas for record in records)
    summary = profile_records(here[0].stem, records, TOKENIZE, DiversityParameters().type_token).summary()
    measured = Measurements(dict.fromkeys(PARTS, load_collection(collection)), {here[0].stem: summary})
    published = ROOT / "data" / "published"
    write_tables(measured, published, tmp_path / "tables", DiversityParameters())
    metrics = json.loads((tmp_path / "tables" / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["vocabulary"] == {here[0].title: summary["vocabulary_lower_instances"]}
    for table in ("table4", "complexity", "statistics"):
        rows = (tmp_path / "tables" / f"{table}.csv").read_text(encoding="utf-8").splitlines()
        own = [row for row in rows if row.startswith(f"{here[0].title},") and ",measured," in row]
        assert len(own) == 1, table


def test_the_registry_names_a_known_reader_for_every_file_of_a_benchmark() -> None:
    assert {reader for *_, reader in registered()} <= set(FORMATS)
    assert {reader for *_, reader in registered()} == set(OFFICIAL)


def test_every_part_of_a_benchmark_is_registered_and_every_registered_file_is_in_a_part() -> None:
    parts = {
        (part.corpus, file) for records in published_sets() for part in records.parts for file in part.files
    }
    files = {(name, path) for name, path, _ in registered()}
    assert parts <= files
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
    stems = {one.stem for part in found.values() for one in part if one.available}
    profiles = {
        stem: profile_records(
            stem, collected_records(collection, stem), TOKENIZE, DiversityParameters().type_token
        ).summary()
        for stem in stems
    }
    write_tables(
        Measurements(found, profiles), ROOT / "data" / "published", tmp_path / "tables", DiversityParameters()
    )
    for table, part, rows in (("table4", "v0.0 validation", 2), ("complexity", "v2 validation", 1)):
        text = (tmp_path / "tables" / f"{table}.csv").read_text(encoding="utf-8")
        (row,) = [line for line in text.splitlines() if line.startswith("FOLIO,")]
        assert part in row and f",measured,{rows}," in row, table
