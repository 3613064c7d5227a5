"""Shipped profiles: word counts that stand in for a corpus that is not here, and from which no text can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from divlogic.benchmarks.collection.collect import (
    INDEX,
    collect,
    collected_records,
    load_collection,
)
from divlogic.benchmarks.spec import COMPLEXITY_TABLE, DIVERGENCE_TABLE
from divlogic.corpora.obtain import fetch
from divlogic.corpora.registry import load_registry
from divlogic.diversity.measure import tokenizer
from divlogic.diversity.parameters import DiversityParameters
from divlogic.diversity.profile import profile_records
from divlogic.diversity.shipped import (
    ORIGIN,
    REFERENCES,
    adopt,
    measurable,
    read_shipped,
    shipped_readability,
    shipped_references,
)
from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from tests.support import MIRROR

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "data" / "profiles"
FILES = sorted(SHIPPED.glob("*.json.gz"))


EACH = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".json.gz"))


@EACH
def test_no_text_can_be_read_from_a_shipped_profile(path: Path) -> None:
    row = read_shipped(path)
    profile = row["profile"]
    tokens = [line[0] for line in profile.pop("counts")]
    assert tokens == sorted(set(tokens)), "the order of the text would be left"
    assert not [token for token in tokens if len(token.split()) > 1], "an n-gram above 1"
    # Beyond the counts there are numbers and names only.
    assert not [
        value
        for value in profile.values()
        if not isinstance(value, int | float | dict | None | str)
    ]
    assert profile.keys() <= {
        "benchmark",
        "instances",
        "distinct_contexts",
        "statistics",
        "options",
        "answers",
    }
    assert len(json.dumps(row["about"])) < 2000


@EACH
def test_a_shipped_profile_names_its_corpus_licence_citation_files_and_commit(path: Path) -> None:
    row = read_shipped(path)
    about = row["about"]
    corpus = load_registry(ROOT / "data/registry.yaml")[about["corpus"]]
    # The texts of the references are selections by others, not the dump of the registry.
    version = corpus.version if "part" in row else None
    assert (about["title"], about["version"]) == (corpus.title, version)
    assert "part" in row or "dump" not in about["citation"]["title"]
    assert about["licence"] == corpus.licence.name
    assert about["citation"]["authors"]
    assert len(about["commit"]) >= 8
    sources = row["part"]["sources"] if "part" in row else about["sources"]
    assert sources
    assert all(len(source.split("  ")[0]) == 64 for source in sources)


def collection(folder: Path, rows: dict[str, int]) -> Path:
    entry = {
        "title": "",
        "part": "",
        "expected": None,
        "exact": True,
        "origin": "published",
        "problems": "",
    }
    entry |= {"tables": [], "file": "", "corpus": "", "sources": []}
    index = [{"benchmark": name, "rows": count, **entry} for name, count in rows.items()]
    write_json(folder / INDEX, index)
    return folder


def test_a_profile_stands_in_for_what_is_not_here_and_for_nothing_else(tmp_path: Path) -> None:
    folder = collection(tmp_path / "collection", {"folio": 0, "clutrr": 7, "reclor": 0})
    taken = adopt(folder, SHIPPED, tmp_path / "profiles", reference=True)
    assert "folio" in {one.benchmark for one in taken}
    known = measurable(folder, tmp_path / "profiles", DIVERGENCE_TABLE)
    found = {one.benchmark: (one.origin, one.rows) for one in known}
    assert found["folio"] == (ORIGIN, 204) and found["reclor"] == (ORIGIN, 1000)
    assert found["clutrr"] == ("published", 7)
    assert set(shipped_references(tmp_path / "profiles")) == set(REFERENCES)
    assert (tmp_path / "profiles" / "folio.json.gz").is_file()
    assert not (tmp_path / "profiles" / "clutrr.json.gz").exists()


def test_of_two_profiles_of_a_benchmark_each_table_has_the_readability_of_its_part(
    tmp_path: Path,
) -> None:
    folder = collection(tmp_path / "collection", {"folio": 0})
    adopt(folder, SHIPPED, tmp_path, reference=False)
    grades = {
        table: shipped_readability(tmp_path, table)["folio"]["flesch_kincaid_as_published"]
        for table in (COMPLEXITY_TABLE, DIVERGENCE_TABLE)
    }
    # JustLogic prints 18.75 for FOLIO, whose validation set of v2 it measured.
    assert grades[COMPLEXITY_TABLE] == pytest.approx(18.7457, abs=5e-5)
    assert grades[DIVERGENCE_TABLE] == pytest.approx(20.06, abs=5e-3)


def test_a_damaged_profile_is_named(tmp_path: Path) -> None:
    (tmp_path / "folio.json.gz").write_bytes(b"\x1f\x8bnothing")
    folder = collection(tmp_path / "collection", {"folio": 0})
    with pytest.raises(DivLogicError, match=r"folio\.json\.gz"):
        adopt(folder, tmp_path, tmp_path / "profiles", reference=False)


def test_a_profile_of_an_earlier_version_names_the_key_that_changed(tmp_path: Path) -> None:
    row = read_shipped(SHIPPED / "folio.json.gz")
    write_json(tmp_path / "folio.json.gz", row | {"form": 1})
    told = r"folio\.json\.gz: .*its key `items` has been `instances` since form 2"
    with pytest.raises(DivLogicError, match=told):
        read_shipped(tmp_path / "folio.json.gz")


@pytest.mark.mirror
@pytest.mark.parametrize("name", ["folio", "clutrr", "proofwriter"])
def test_a_real_corpus_agrees_with_its_profile(tmp_path: Path, name: str) -> None:
    corpora = load_registry(ROOT / "data/registry.yaml")
    fetch(name, corpora[name], tmp_path / "raw" / name, mirror=MIRROR)
    fetch("nltk_data", corpora["nltk_data"], tmp_path / "raw" / "nltk_data", mirror=MIRROR)
    collect([tmp_path / "raw"], [], [], tmp_path / "collection")
    shipped = read_shipped(SHIPPED / f"{name}.json.gz")
    found = next(one for one in load_collection(tmp_path / "collection") if one.benchmark == name)
    assert list(found.sources) == shipped["part"]["sources"]
    parameters = DiversityParameters()
    tokenize = tokenizer(parameters, tmp_path / "raw/nltk_data/tokenizers/punkt_tab")
    records = collected_records(tmp_path / "collection", name)
    profile = profile_records(name, records, tokenize, parameters.type_token)
    assert json.loads(json.dumps(profile.to_json())) == shipped["profile"]
