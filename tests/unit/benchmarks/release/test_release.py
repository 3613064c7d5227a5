"""The release formats: parquet, data card, Croissant."""

from __future__ import annotations

import dataclasses
import json
from copy import deepcopy
from functools import cache
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
import yaml

from divlogic.benchmarks.made import DIVLOGICEVAL, JUSTLOGIC, LLMEVAL_LOGIC, LOGICNLI
from divlogic.benchmarks.parameters import ReleaseRun
from divlogic.benchmarks.release.gather import (
    Source,
    corpus_sources,
    gather_facts,
    made_of_wanted,
    planned_splits,
    release as make_release,
)
from divlogic.benchmarks.release.write import ROW_GROUP, write_release
from divlogic.corpora.manifest import Manifest, ManifestFile, write_manifest
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256
from divlogic.io.imports import load
from divlogic.io.tables import write_listing
from divlogic.library.dataset import create
from divlogic.parameters import Parameters, validate

MANIFEST = Manifest(
    *("captions", "Captions", "1", "CC0 1.0", ("nli",), "embedded", "embedded", "whole"),
    (ManifestFile("rows.jsonl", 3, "cd" * 32, 1, "nli", "whole", "embedded"),),
)


@cache
def drawn(name: str) -> list[dict]:
    """Return records as the generator makes them, those of each type or label in turn."""
    made = [record.to_json() for record in create(name, size=12).records()]
    return (
        [made[4 * (place % 3) + place // 3] for place in range(12)]
        if name == "divlogiceval"
        else made
    )


def record(index: int, split: str = "test", *, twin: bool = False) -> dict:
    """Return a record of DivLogicEval; its first variable has a contradiction, its second has none."""
    row = deepcopy(drawn("divlogiceval")[index % 12])
    row |= {"id": f"divlogiceval-{split}-{index:06d}", "split": split, "answer": index % 4}
    row["metadata"] = {"verification": "nli", "worded": row["metadata"]["worded"]}
    row["sentences"]["A"]["contradiction"] = "it is dry"
    if twin:
        del row["sentences"], row["metadata"]
    return row


def records(count: int, split: str = "test", **options: bool) -> list[dict]:
    return [record(index, split, **options) for index in range(count)]


def write(path, rows):
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
    )
    return path


def released(tmp_path, facts, rows, **options):
    """Release a test split."""
    configs = {"divlogiceval": {"test": write(tmp_path / "t.jsonl", rows)}}
    return write_release(tmp_path / "release", configs, facts, **options)


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def card(folder):
    return (folder / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    report = tmp_path_factory.mktemp("facts") / "verification.json"
    columns = ("question_type", "instances", "share")
    write_listing(
        report.with_suffix(""), columns, [{"question_type": "all", "instances": 7, "share": 0.25}]
    )
    return gather_facts(DIVLOGICEVAL, Parameters(), [Source(MANIFEST)], {"Labels by level": report})


@pytest.fixture(scope="module")
def release(tmp_path_factory, facts):
    """A release with two configurations, and its folder."""
    folder = tmp_path_factory.mktemp("release")
    own = {"test": records(ROW_GROUP + 7), "unpolished": records(6, "unpolished")}
    configs = {
        "divlogiceval": {
            split: write(folder / f"{split}.jsonl", rows) for split, rows in own.items()
        },
        "s-divlogiceval": {"test": write(folder / "twin.jsonl", records(9, twin=True))},
    }
    splits = write_release(folder / "release", configs, facts)
    return SimpleNamespace(
        folder=folder / "release", configs=configs, splits=splits, card=card(folder / "release")
    )


def test_the_folder_loads_with_datasets_offline(release, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(release.folder), cache_dir=str(tmp_path / "cache"))
    assert {name: len(split) for name, split in loaded.items()} == {
        "test": ROW_GROUP + 7,
        "unpolished": 6,
    }
    row, original = loaded["test"][5], record(5)
    for name in ("id", "context", "question", "options", "answer", "formulas"):
        assert row[name] == original[name]
    assert json.loads(row["metadata"]) == original["metadata"]
    assert [entry["variable"] for entry in row["sentences"]] == list(original["sentences"])
    assert row["sentences"][0] == {"variable": "A"} | original["sentences"]["A"]
    assert row["sentences"][1]["contradiction"] is None

    twin = datasets.load_dataset(
        str(release.folder), "s-divlogiceval", cache_dir=str(tmp_path / "cache")
    )
    assert len(twin["test"]) == 9
    assert "sentences" not in twin["test"].column_names


def test_what_belongs_together_stands_in_the_keys_and_not_in_the_test_file(tmp_path, facts):
    rows = [
        record(index) | {"metadata": {"quartet": index // 4, "premises_needed": 3}}
        for index in range(8)
    ]
    released(tmp_path, facts, rows)
    folder = tmp_path / "release"
    shown = pq.read_table(folder / "parquet/divlogiceval/test.parquet")["metadata"].to_pylist()
    assert all(json.loads(text) == {"premises_needed": 3} for text in shown)
    keys = [
        json.loads(line) for line in (folder / "keys/divlogiceval.jsonl").read_text().splitlines()
    ]
    assert keys == [{"id": row["id"], "quartet": row["metadata"]["quartet"]} for row in rows]
    assert "`keys/divlogiceval.jsonl`" in card(folder)


def test_a_release_says_what_was_made_of_what_was_wanted(release, facts):
    parameters = validate(
        {"benchmarks": {"divlogiceval": {"splits": {"test": 9_000, "unpolished": 6}}}}
    )
    said = made_of_wanted(facts, parameters, release.splits)
    assert said == f"DivLogicEval: test {ROW_GROUP + 7:,} of 9,000 wanted, unpolished 6"
    alone = [split for split in release.splits if split.name == "test"]
    assert made_of_wanted(facts, parameters, alone).endswith("unpolished 0 of 6 wanted")


def test_the_croissant_file_is_valid_and_yields_the_records(release):
    mlcroissant = pytest.importorskip("mlcroissant")
    dataset = mlcroissant.Dataset(jsonld=str(release.folder / "croissant.json"))
    assert not dataset.metadata.issues.errors
    # A release of a run has no date of publication.
    assert all("datePublished" in warning for warning in dataset.metadata.issues.warnings)
    row = next(iter(dataset.records("divlogiceval_unpolished")))
    original = record(0, "unpolished")
    assert row["divlogiceval_unpolished/id"].decode() == original["id"]
    assert row["divlogiceval_unpolished/answer"] == original["answer"]
    assert [text.decode() for text in row["divlogiceval_unpolished/options"]] == original["options"]
    formulas = row["divlogiceval_unpolished/formulas"]
    premises = [text.decode() for text in formulas["divlogiceval_unpolished/formulas/premises"]]
    assert premises == original["formulas"]["premises"]
    assert len(list(dataset.records("s-divlogiceval_test"))) == 9


def test_croissant_checksums_are_those_of_the_files(release):
    described = json.loads((release.folder / "croissant.json").read_text("utf-8"))["distribution"]
    assert len(described) == len(release.splits) == 3
    for file in described:
        assert file["sha256"] == file_sha256(release.folder / file["contentUrl"])
        assert file["contentSize"] == f"{(release.folder / file['contentUrl']).stat().st_size} B"


def test_the_same_records_give_the_same_bytes(release, tmp_path, facts):
    write_release(tmp_path / "again", release.configs, facts)
    assert contents(tmp_path / "again") == contents(release.folder)
    assert len(contents(release.folder)) == 7  # with the keys of both test files


def test_parquet_has_row_groups_of_one_size_and_keeps_the_order(release):
    file = pq.ParquetFile(release.folder / "parquet" / "divlogiceval" / "test.parquet")
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == [
        ROW_GROUP,
        7,
    ]
    assert file.read(["id"])["id"].to_pylist() == [
        record(index)["id"] for index in range(ROW_GROUP + 7)
    ]


def test_the_counts_add_up(release):
    test, unpolished, twin = release.splits
    assert (test.rows, unpolished.rows, twin.rows) == (ROW_GROUP + 7, 6, 9)
    assert unpolished.types == dict.fromkeys(("3c1e", "3e1c", "missing_premise"), 2)
    assert unpolished.answers == {0: 2, 1: 2, 2: 1, 3: 1}
    assert sum(test.types.values()) == test.rows


@pytest.mark.parametrize(
    "part",
    [
        "| divlogiceval | unpolished | 6 | 2 | 2 | 2 |",
        "| `formulas.necessary` |",
        "| `sentences[].hypotheses` |",
        "`s-divlogiceval` has no `sentences` or `metadata`.",
        "| Captions | 1 | CC0 1.0 | embedded | whole |",
        "seed: 20260101",
        "| all | 7 | 0.2500 |",
        "license: cc0-1.0\n",
        "size_categories:\n- 1K<n<10K\n",
    ],
)
def test_the_card_tells_sizes_fields_provenance_parameters_and_verification(release, part):
    assert part in release.card


def test_the_card_names_the_highest_probe_and_none_that_is_below_chance(release):
    rows = [
        line.strip("| ").split(" | ")
        for line in release.card.partition("## Shortcuts")[2].splitlines()
    ]
    own = [row for row in rows if row[0] == "divlogiceval"]
    constructions = {row[1] for row in own}
    assert constructions
    for construction in constructions:
        above = {
            row[2]: float(row[-2].split()[0]) - float(row[-1])
            for row in own
            if row[1] == construction
        }
        assert above.keys() == {"worst"} and above["worst"] >= 0
    assert {row[0] for row in rows if len(row) == 8} == {
        "instances",
        "---",
        "divlogiceval",
        "s-divlogiceval",
    }


def test_the_card_does_not_depend_on_how_the_work_was_cut(facts):
    many = validate({"sentences": {"shards": 7}, "benchmarks": {"divlogiceval": {"shards": 9}}})
    assert gather_facts(DIVLOGICEVAL, many, (), {}).parameters == facts.parameters
    other = validate({"seed": 5})
    assert gather_facts(DIVLOGICEVAL, other, (), {}).parameters != facts.parameters


def test_real_sentences_keep_the_licences_of_their_corpora():
    facts = gather_facts(DIVLOGICEVAL, validate({"corpus_source": "full"}), (), {})
    assert facts.licence.name == "other"
    assert "keeps its corpus's licence" in facts.licence.note


def test_an_empty_split_is_left_out_of_card_and_folder(tmp_path, facts):
    folder = tmp_path / "release"
    for rows in ([record(1, "unpolished")], []):
        files = {
            "test": write(tmp_path / "t.jsonl", [record(0)]),
            "unpolished": write(tmp_path / "u.jsonl", rows),
        }
        write_release(folder, {"divlogiceval": files}, facts)
        (config,) = yaml.safe_load(card(folder).split("---\n")[1])["configs"]
        assert [each["split"] for each in config["data_files"]] == ["test", "unpolished"][
            : 1 + len(rows)
        ]
        assert (folder / "parquet" / "divlogiceval" / "unpolished.parquet").exists() == bool(rows)


def test_a_release_of_nothing_is_refused(tmp_path, facts):
    with pytest.raises(DivLogicError, match="no record to release"):
        released(tmp_path, facts, [])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row.update(mood="gay"), "row 2: the field 'mood' has no column"),
        (
            lambda row: row["formulas"].update(extra=1),
            "row 2: the field 'formulas.extra' has no column",
        ),
        (
            lambda row: row["sentences"]["A"].update(x=1),
            "row 2: the field 'sentences.A.x' has no column",
        ),
        (lambda row: row.pop("question"), "row 2: the field 'question' is missing"),
        (lambda row: row.pop("context"), "row 2: 'context'"),
        (lambda row: row.update(answer="B"), "row 2: the field 'answer' is neither"),
        (lambda row: row.update(answer=9), "row 2: the answer 9 is not an index of the 4 options"),
        (lambda row: row.update(answer=None), "row 2: the answer is missing"),
        (lambda row: row.update(id="divlogiceval-test-000000"), "row 2: the id .* is duplicated"),
        (lambda row: row.update(split="train"), "row 2: the record is of the split 'train'"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_and_leaves_no_half_file(
    tmp_path, facts, change, message
):
    bad = record(1)
    change(bad)
    with pytest.raises(DivLogicError, match=message):
        released(tmp_path, facts, [record(0), bad])
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", r"none\.json: there is no such file"),
        ("empty", r"empty\.json: not the description of a table"),
    ],
)
def test_a_missing_or_empty_report_is_named(tmp_path, facts, name, message):
    (tmp_path / "empty.json").write_text("{}")
    with pytest.raises(DivLogicError, match=message):
        released(
            tmp_path,
            dataclasses.replace(facts, reports={"x": tmp_path / f"{name}.json"}),
            [record(0)],
        )


def test_provenance_is_read_from_the_manifest_of_a_corpus_folder(tmp_path):
    write_manifest(tmp_path, MANIFEST)
    assert corpus_sources([tmp_path]) == (Source(MANIFEST),)
    with pytest.raises(DivLogicError, match="MANIFEST"):
        corpus_sources([tmp_path / "nowhere"])


def test_facts_need_no_sources_parameters_or_reports(tmp_path):
    (split,) = released(tmp_path, gather_facts(DIVLOGICEVAL, Parameters(), (), {}), [record(0)])
    assert split.rows == 1
    assert "## Verification" not in card(tmp_path / "release")


def test_a_refused_release_leaves_the_earlier_one_whole(tmp_path, facts):
    released(tmp_path, facts, records(2))
    before = contents(tmp_path / "release")
    with pytest.raises(DivLogicError, match="duplicated"):
        released(tmp_path, facts, [record(0), record(0)])
    assert contents(tmp_path / "release") == before


@pytest.mark.parametrize(
    ("report", "match"),
    [
        ({"instances": 4, "disagreements": 0}, "has 2 records, but 4 were confirmed"),
        ({"instances": 2, "disagreements": 1}, "1 labels are not confirmed"),
    ],
)
def test_a_release_holds_just_the_records_that_the_solver_confirmed(tmp_path, facts, report, match):
    (tmp_path / "z3.json").write_text(json.dumps(report))
    with pytest.raises(DivLogicError, match=match):
        released(tmp_path, facts, records(2), confirmed=tmp_path / "z3.json")


def argument(index: int, split: str) -> dict:
    """Return a record of JustLogic."""
    return drawn("justlogic")[index] | {
        "id": f"justlogic_generated-{split}-1-{index:05d}",
        "split": split,
    }


def release_of_justlogic(tmp_path, **rows) -> None:
    """Release a run whose parameters give 4, 2 and 2 records, but whose splits hold ``rows``, as the solver reports."""
    for split, size in {"train": 4, "validation": 2, "test": 2, **rows}.items():
        (tmp_path / "justlogic").mkdir(exist_ok=True)
        write(tmp_path / "justlogic" / f"{split}.jsonl", [argument(n, split) for n in range(size)])
    (tmp_path / "z3.json").write_text(
        json.dumps({"instances": rows.get("test", 2), "disagreements": 0})
    )
    write_listing(tmp_path / "statements", ("kept",), [{"kept": 1}])
    sizes = {
        "depths": [1],
        "per_depth": 8,
        "splits": {"train": 0.5, "validation": 0.25, "test": 0.25},
    }
    params = ReleaseRun.model_validate({"benchmarks": {"justlogic": sizes}})
    make_release(
        "justlogic", source=tmp_path, results=tmp_path, out=tmp_path / "release", params=params
    )


@pytest.mark.parametrize(("split", "rows", "planned"), [("test", 1, 2), ("train", 0, 4)])
def test_a_release_of_fewer_records_than_planned_is_refused(tmp_path, split, rows, planned):
    release_of_justlogic(tmp_path)
    said = rf"{split}\.jsonl: {rows} records, but {planned} were planned; delete"
    with pytest.raises(DivLogicError, match=said):
        release_of_justlogic(tmp_path, **{split: rows})


def test_a_plan_may_have_fewer_records_than_were_wanted_but_none_of_those_may_be_missing(
    tmp_path, facts
):
    plan = {"wanted": {"test": 9, "unpolished": 9}, "made": {"test": 2, "unpolished": 1}}
    planned = planned_splits(facts.known, Parameters(), [write(tmp_path / "plan.json", [plan])])
    sizes = {"test": 2, "unpolished": 1, "train": 1, "validation": 0}
    files = {
        split: write(tmp_path / f"{split}.jsonl", records(size, split))
        for split, size in sizes.items()
    }
    own = {split: files[split] for split in DIVLOGICEVAL.splits}
    predecessor = {split: files[split] for split in ("train", "validation", "test")}
    configs = {"divlogiceval": own, "s-divlogiceval": own, "ilogiceval": predecessor}
    assert len(write_release(tmp_path / "r", configs, facts, planned=planned)) == 6
    write(files["train"], [])
    said = r"train\.jsonl and .*validation\.jsonl: 0 records, but 1 were planned"
    with pytest.raises(DivLogicError, match=said):
        write_release(tmp_path / "r", configs, facts, planned=planned)


@pytest.mark.parametrize(
    ("benchmark", "files", "planned"),
    [
        (LOGICNLI, [{"sets": [{"benchmark": "test", "instances": 8}]}], {"test": 8}),
        (
            LLMEVAL_LOGIC,
            [{}, {"columns": [{"name": "kept"}, {"name": "drawn"}], "rows": [[2, 9]]}],
            {"base": 1, "hard": 2},
        ),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_was_drawn_and_kept_is_planned(tmp_path, benchmark, files, planned):
    known = load(benchmark.release)
    paths = [write(tmp_path / f"{at}.json", [value]) for at, value in enumerate(files)]
    found = planned_splits(known, Parameters(), paths)
    assert {split: one.rows for one in found for split in one.splits} == planned
    with pytest.raises(DivLogicError, match=r"named by --plan: not a plan"):
        planned_splits(known, Parameters(), [])


def test_justlogic_is_released_like_divlogiceval(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    mlcroissant = pytest.importorskip("mlcroissant")
    splits = {
        split: write(tmp_path / f"{split}.jsonl", [argument(n, split) for n in range(4)])
        for split in JUSTLOGIC.splits
    }
    folder = tmp_path / "release"
    facts = gather_facts(JUSTLOGIC, Parameters(), (), {})
    write_release(folder, {"justlogic": splits}, facts)
    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {name: len(split) for name, split in loaded.items()} == dict.fromkeys(
        JUSTLOGIC.splits, 4
    )
    row, original = loaded["test"][2], argument(2, "test")
    assert (
        row["formulas"] | {"argument": json.loads(row["formulas"]["argument"])}
        == original["formulas"]
    )
    assert row["sentences"][1] == {"variable": "B"} | original["sentences"]["B"]
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not dataset.metadata.issues.errors
    assert len(list(dataset.records("justlogic_train"))) == 4
    assert "| `formulas.argument` | string (JSON) |" in card(folder)
    assert "divlogiceval" not in yaml.safe_dump(dict(facts.parameters))
