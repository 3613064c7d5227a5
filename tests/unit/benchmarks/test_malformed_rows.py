"""A malformed row of any file between two steps stops the next one with a sentence, before anything is written."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.divlogiceval.build import write_plan
from divlogic.benchmarks.divlogiceval.groups import shuffle_groups
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.parameters import validate
from tests.generation import drawn_shards, worded_shards

SIZES = {"benchmarks": {"divlogiceval": {"splits": {"test": 6, "unpolished": 0}}}}


@pytest.fixture(scope="module")
def files(tmp_path_factory, groups_file):
    """One file of each kind, every one of them whole."""
    folder = tmp_path_factory.mktemp("files")
    params = validate(SIZES)
    shuffle_groups(groups_file, folder / "groups.jsonl", 1)
    drawn = drawn_shards("divlogiceval", folder, params)
    inputs = {"groups": folder / "groups.jsonl", "plan": folder / "plan.json"}
    write_plan(drawn, inputs["groups"], inputs["plan"], params)
    (worded,), _ = worded_shards("divlogiceval", folder, params, drawn, **inputs)
    write_jsonl(folder / "worded.jsonl", [row for _, row in read_jsonl(worded)])
    return folder


def change_row_2(source, target, change):
    """Copy a file, its second row changed: a field left out (None) or given another value."""
    rows = [row for _, row in read_jsonl(source)]
    for name, value in change.items():
        if value is None:
            del rows[1][name]
        else:
            rows[1][name] = value
    write_jsonl(target, rows)


def refused(tmp_path, match, *arguments):
    out = tmp_path / "out"
    with pytest.raises(DivLogicError, match=match):
        CliRunner().invoke(cli, [*map(str, arguments), "--out", str(out)], catch_exceptions=False)
    assert not out.is_file()
    assert not any(path.is_file() for path in out.rglob("*"))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"formulas": 5}, r"row 2: .*\(the field 'formulas' is not an object"),
        ({"answer": None}, "not a realised record"),
        ({"split": "zzz"}, "not a realised record"),
        ({"benchmark": "zzz"}, "not a realised record"),
        ({"options": "zzz"}, r"row 2: .*\(the field 'options' is not a list of strings"),
        ({"metadata": "zzz"}, r"row 2: .*\(the field 'metadata' is not an object"),
        ({"question_type": 5}, r"row 2: .*\(the field 'question_type' is not a string"),
        ({"id": [1]}, r"row 2: .*\(the field 'id' is neither a string nor a number"),
    ],
)
def test_what_is_no_worded_instance_is_not_assembled(files, tmp_path, change, problem):
    path = tmp_path / "worded.jsonl"
    change_row_2(files / "worded.jsonl", path, change)
    refused(tmp_path, rf"worded\.jsonl, .*{problem}", "assemble", "divlogiceval", path, "--split", "test")
    assert [*tmp_path.rglob("*.jsonl")] == [path]


def test_only_whole_items_of_justlogic_can_be_assembled_and_confirmed(files, tmp_path):
    worded = files / "worded.jsonl"  # of DivLogicEval
    refused(tmp_path, r"worded\.jsonl, record .*: its formulas cannot", "verify", "justlogic", "--in", worded)
    (tmp_path / "empty.jsonl").touch()
    refused(tmp_path, "no record in it to confirm", "verify", "justlogic", "--in", tmp_path / "empty.jsonl")
    unpolished = tmp_path / "unpolished.jsonl"
    write_jsonl(unpolished, [row | {"split": "unpolished"} for _, row in read_jsonl(worded)])
    refused(
        tmp_path, "not a realised record of JustLogic", "assemble", "justlogic", unpolished, "--split", "test"
    )
    odd = {
        "id": "justlogic_generated-test-a",
        "benchmark": "justlogic_generated",
        "split": "test",
        "answer": 0,
    }
    for row in ({**odd, "question": "Q?", "options": ["True"], "depth": depth} for depth in (None, 1)):
        write_jsonl(unpolished, [row])
        refused(
            tmp_path,
            "not a realised record of JustLogic",
            "assemble",
            "justlogic",
            unpolished,
            "--split",
            "test",
        )
