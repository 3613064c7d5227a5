"""A malformed row of any file between two steps stops the next one with a sentence, before anything is written."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.divlogiceval.build import write_plan, write_symbolic, write_worded
from divlogic.benchmarks.divlogiceval.groups import shuffle_groups
from divlogic.benchmarks.justlogic import build as justlogic
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.config.root import validate
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_jsonl, write_text

SIZES = {"benchmarks": {"divlogiceval": {"splits": {"test": 6, "unpolished": 0}}}}
PARAMS = '{"benchmarks": {"divlogiceval": {"splits": {"test": 6, "unpolished": 0}}}}'
STATEMENT = {"id": "a", "term": "cat", "text": "cats purr", "negated": "cats don't purr", "source": "x"}


@pytest.fixture(scope="module")
def files(tmp_path_factory, groups_file):
    """One file of each kind, every one of them whole."""
    folder = tmp_path_factory.mktemp("files")
    params = validate(SIZES)
    shuffle_groups(groups_file, folder / "groups.jsonl", 1)
    write_symbolic(folder / "symbolic.jsonl", 0, 1, params)
    plan = write_plan([folder / "symbolic.jsonl"], folder / "groups.jsonl", folder / "plan.json", params)
    shard = (folder / "symbolic.jsonl", 0, folder / "groups.jsonl", plan)
    write_worded(*shard, folder / "worded.jsonl", folder / "counts.json", params)
    settings = JustLogicParameters(per_depth=6)
    justlogic.write_symbolic(
        folder / "items.jsonl", 0, 1, seed=1, parameters=settings, corpus_source="embedded"
    )
    write_jsonl(
        folder / "statements.jsonl",
        [STATEMENT, STATEMENT | {"id": "b", "text": "cats hiss", "negated": None}],
    )
    write_jsonl(folder / "table.jsonl", [STATEMENT | {"group": [0, 1]}])
    write_text(folder / "statements.csv", "outcome,statements\nkept,2\n")
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


def either(*names):
    """Each field left out, and each with a value that it cannot have."""
    return [{name: value} for name in names for value in (None, "zzz")]


@pytest.mark.parametrize(
    "change",
    [
        *either("index", "needs", "question_type", "premises", "conclusion", "options", "answer"),
        *either("contradictions"),
        {"answer": 4},
        {"options": [[0, 2]]},
        {"premises": [[1, 0]]},
        {"premises": [[0, 16]]},
        {"contradictions": [[4, [1, 0, 2], 0]]},
        {"contradictions": [[0, [1, 0, 2], 2]]},
    ],
)
def test_what_is_no_symbolic_instance_is_neither_planned_nor_worded(files, tmp_path, change):
    path = tmp_path / "symbolic.jsonl"
    change_row_2(files / "symbolic.jsonl", path, change)
    match = r"symbolic\.jsonl, row 2: not a symbolic instance"
    params = ("--params", PARAMS)
    groups = files / "groups.jsonl"
    refused(tmp_path, match, "divlogiceval", "plan", path, "--groups", groups, *params)
    counts = tmp_path / "counts.json"
    inputs = (f"groups={groups}", f"plan={files / 'plan.json'}")
    shard = ("--in", path, "--shard", 0, "--counts", counts)
    refused(tmp_path, match, "realise", "divlogiceval", *inputs, *shard, *params)
    assert not counts.exists()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"formulas": 5}, "row 2: the field 'formulas' is not an object"),
        ({"answer": None}, "not a realised record"),
        ({"split": "zzz"}, "not a realised record"),
        ({"benchmark": "zzz"}, "not a realised record"),
        ({"options": "zzz"}, "row 2: the field 'options' is not a list of strings"),
        ({"metadata": "zzz"}, "row 2: the field 'metadata' is not an object"),
        ({"question_type": 5}, "row 2: the field 'question_type' is not a string"),
        ({"id": [1]}, "row 2: the field 'id' is neither a string nor a number"),
    ],
)
def test_what_is_no_worded_instance_is_not_assembled(files, tmp_path, change, problem):
    path = tmp_path / "worded.jsonl"
    change_row_2(files / "worded.jsonl", path, change)
    refused(tmp_path, rf"worded\.jsonl, .*{problem}", "assemble", "divlogiceval", path, "--split", "test")
    assert [*tmp_path.rglob("*.jsonl")] == [path]


@pytest.mark.parametrize(
    "change", either(*("index", "depth", "split", "number", "label", "premises", "conclusion", "query"))
)
def test_what_is_no_symbolic_item_is_not_worded(files, tmp_path, change):
    path = tmp_path / "items.jsonl"
    change_row_2(files / "items.jsonl", path, change)
    write_jsonl(path, [row for _, row in read_jsonl(path)][1:2])
    statements = (f"statements={files / 'table.jsonl'}", "--params", "{}")
    shard = ("--in", path, "--shard", 0, "--counts", tmp_path / "counts.json")
    match = r"items\.jsonl, row 1: not a symbolic instance"
    refused(tmp_path, match, "realise", "justlogic", *statements, *shard)


@pytest.mark.parametrize("change", [*either("pairs", "steps", "atoms"), {"atoms": 0}, {"pairs": [[0, 99]]}])
def test_an_item_that_speaks_of_atoms_it_has_not_is_refused(files, change):
    row = next(row for _, row in read_jsonl(files / "items.jsonl"))
    for name, value in change.items():
        if value is None:
            del row[name]
        else:
            row[name] = value
    with pytest.raises((KeyError, TypeError, ValueError, IndexError)):
        justlogic.SymbolicInstance.from_json(row)


@pytest.mark.parametrize(
    "change", [*({name: value} for name in STATEMENT for value in (None, 5)), {"term": ["cat"]}]
)
def test_what_is_no_usable_statement_makes_no_table(files, tmp_path, change):
    path = tmp_path / "statements.jsonl"
    change_row_2(files / "statements.jsonl", path, change)
    counts = tmp_path / "counts.csv"
    refused(
        tmp_path,
        r"statements\.jsonl, row 2: not a usable statement",
        *("justlogic", "table", path, files / "statements.csv", "--counts-out", counts),
    )
    assert not counts.exists()


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", r"counts\.csv, row 1"),
        ("statements\n2\n", r"counts\.csv, row 1"),
        ("outcome,statements\nkept,many\n", r"counts\.csv, row 2"),
        ("outcome,statements\nkept\n", r"counts\.csv, row 2"),
    ],
)
def test_what_is_no_table_of_outcomes_makes_no_table_of_statements(files, tmp_path, text, match):
    write_text(tmp_path / "counts.csv", text)
    shards = (files / "statements.jsonl", tmp_path / "counts.csv")
    refused(tmp_path, match, "justlogic", "table", *shards, "--counts-out", tmp_path / "sum.csv")


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
