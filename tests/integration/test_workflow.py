"""The real workflow on the embedded corpora: complete, and what stops it.

That it is repeatable to the byte is shown where it is killed and cut into other shards (test_killed_runs.py), and
where a clone runs it on one core (test_dvc.py).
"""

from __future__ import annotations

import json
import re
import zipfile

import pytest

import divlogic
from divlogic.records import read_records
from tests.integration.workspace import digests, refused, run, set_params

pytestmark = pytest.mark.integration


def test_all_makes_every_split_in_full(workspace):
    sizes = {
        f"{path.parent.name}/{path.name.partition('.')[0]}": sum(1 for _ in read_records(path))
        for path in (workspace / "data/benchmarks").glob("*/[!.]*.jsonl*")
    }
    assert (
        sizes["divlogiceval/test"] == sizes["s-divlogiceval/test"] == sizes["ilogiceval/test"] == 24
    )
    assert sizes["divlogiceval/unpolished"] == sizes["s-divlogiceval/unpolished"] == 12


def test_every_file_below_data_interim_has_the_checksum_of_its_compression(workspace):
    files = [path for path in (workspace / "data/interim").rglob("[!.]*") if path.is_file()]
    assert len(files) > 50
    assert [path for path in files if path.suffix != ".gz"] == []


def test_a_second_run_has_nothing_to_do(workspace):
    assert "Nothing to be done" in run(workspace, "snakemake", "--nolock", "all").stderr


@pytest.mark.slow
def test_a_variant_is_drawn_into_a_folder_of_its_own(workspace):
    before = digests(workspace)
    variant = {"name": "deep", "benchmark": "logicnli", "size": 8, "level": 6, "seed": 4}
    config = json.dumps({"variants": [variant]})
    run(workspace, "snakemake", "--cores", "1", "all", "--config", f"benchmarks={config}")
    items = (workspace / "data/variants/deep/items.jsonl").read_text(encoding="utf-8").splitlines()
    drawn = divlogic.create("logicnli", size=8, seed=4, level=6)
    assert [json.loads(line) for line in items] == json.loads(json.dumps(list(drawn)))
    assert digests(workspace) == before


@pytest.mark.slow
def test_a_model_that_cannot_be_asked_stops_the_run_before_its_first_job(fresh):
    dead = {"name": "compatible/x", "base_url": "http://127.0.0.1:9/v1"}
    set_params(fresh, {"evaluation": {"models": [dead, {"name": "nobody/gpt"}]}})
    said = refused(fresh, "snakemake", "--cores", "1", "all")
    assert "divlogic: compatible/x: no connection to its server (127.0.0.1:9" in said
    assert "divlogic: nobody/gpt: the model 'nobody/gpt' cannot be used" in said
    assert not (fresh / "data" / "interim").exists()


@pytest.mark.slow
def test_a_model_that_cannot_be_asked_stops_dvcs_first_stage(fresh, monkeypatch):
    set_params(fresh, {"evaluation": {"models": [{"name": "nobody/gpt"}]}})
    monkeypatch.setenv("DVC_STAGE", "corpora")
    said = refused(
        fresh, "snakemake", "-s", "workflow/rules/corpora.smk", "--cores", "1", "corpora"
    )
    assert "divlogic: nobody/gpt: the model 'nobody/gpt' cannot be used" in said
    assert not (fresh / "data" / "interim").exists()


@pytest.mark.slow
def test_the_release_loads_with_datasets(workspace, tmp_path):
    code = (
        "import datasets; folder = 'data/benchmarks/divlogiceval/release';"
        "text = datasets.load_dataset(folder, split='test');"
        "twin = datasets.load_dataset(folder, 's-divlogiceval', split='test');"
        "assert text.num_rows == twin.num_rows == 24, (text, twin);"
        "assert text[0]['answer'] == twin[0]['answer'] and len(text[0]['options']) == 4;"
        "labels = datasets.load_dataset('data/benchmarks/justlogic/release', split='test');"
        "assert labels.num_rows and set(labels['benchmark']) == {'justlogic_generated'};"
        "import mlcroissant, pathlib;"
        "described = list(pathlib.Path('data/benchmarks').glob('*/release/croissant.json'));"
        "errors = [mlcroissant.Dataset(str(one)).metadata.issues.errors for one in described];"
        "assert len(errors) == 4 and not any(errors), errors"
    )
    run(workspace, "env", "HF_HUB_OFFLINE=1", f"HF_HOME={tmp_path}", "python", "-c", code)


@pytest.mark.slow
def test_snakemakes_report_has_every_table_and_figure_with_caption_category_and_labels(
    workspace, tmp_path
):
    # What a report needs beside the results (React, Vega) comes with Snakemake: nothing is downloaded.
    run(workspace, "snakemake", "--nolock", "--report", str(tmp_path / "report.zip"), "all")
    with zipfile.ZipFile(tmp_path / "report.zip") as archive:
        page = archive.read("report/report.html").decode("utf-8")
        packed = set(archive.namelist())
    shown = _script_value(page, "results")
    made = {
        path.relative_to(workspace).as_posix()
        for pattern in ("*.csv", "*.svg", "*.html", "*.pdf")
        for path in (workspace / "results").rglob(pattern)
        if path.parent.parts[-2:] != ("paper", "figures")  # copies of the phases' figures
    }
    assert set(shown) == made
    assert not [
        path for path, entry in shown.items() if f"report/{entry['data_uri']}" not in packed
    ]
    bare = [
        path
        for path, one in shown.items()
        if not one["caption"] or {*one["labels"]} != {"what", "kind"}
    ]
    assert not bare
    categories = _script_value(page, "categories")
    assert {
        path for parts in categories.values() for paths in parts.values() for path in paths
    } == made
    expected = {"Data", "Diversity", "Prior knowledge", "Evaluation", "Reproduction", "Notebooks"}
    assert expected <= {*categories}
    assert "Other" not in categories


def test_an_unknown_parameter_stops_the_workflow_with_a_sentence(workspace):
    said = refused(workspace, "snakemake", "all", "--config", "corpus_sorce=full")
    assert "unknown parameter 'corpus_sorce'; did you mean 'corpus_source'?" in said
    assert "Traceback" not in said


def test_a_missing_corpus_file_stops_the_run_and_is_named(fresh):
    (fresh / "data/embedded/genres/pairs.jsonl").unlink()
    assert "pairs.jsonl" in refused(fresh, "snakemake", "--cores", "2", "all")


def test_a_malformed_row_stops_the_run_and_is_named(fresh):
    path = fresh / "data/embedded/genres/pairs.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[4] = lines[4][:30]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "pairs.jsonl, row 5" in refused(
        fresh, "snakemake", "-c2", "data/interim/corpora/nli.jsonl.gz"
    )


def test_a_replay_that_is_not_there_stops_a_finished_run(workspace):
    replays = json.dumps({"replays": [{"file": "results/absent.jsonl", "format": "predictions"}]})
    command = ("snakemake", "--nolock", "--dry-run", "all", "--config", f"evaluation={replays}")
    absent = "divlogic: results/absent.jsonl: there is no such file, and no rule makes it;"
    assert absent in refused(workspace, *command)


def test_a_folder_without_the_files_that_a_run_reads_stops_it(fresh):
    for file in (fresh / "data/profiles").glob("*.json.gz"):
        file.unlink()
    said = refused(fresh, "snakemake", "--dry-run", "all")
    assert "divlogic: data/profiles/*.json.gz: there is no such file, and no rule makes it;" in said


def _script_value(page, name):
    """Return the value that the report's page gives a variable."""
    start = re.search(rf"^ *var {name} = (?=\{{)", page, flags=re.MULTILINE)
    return json.JSONDecoder().raw_decode(page, start.end())[0]
