"""Files that are not what a step of the benchmarks phase expects are refused with a sentence."""

import pytest
from click.testing import CliRunner

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.divlogiceval.build import write_ilogiceval
from divlogic.benchmarks.generate import draw
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.parameters import validate
from divlogic.records import Record, read_records

SIZES = {"benchmarks": {"divlogiceval": {"splits": {"test": 3, "unpolished": 0}}}}


def refused(match, *arguments):
    with pytest.raises(DivLogicError, match=match):
        CliRunner().invoke(cli, [*map(str, arguments)], catch_exceptions=False)


def test_a_shard_beyond_the_last_is_refused(tmp_path):
    with pytest.raises(DivLogicError, match="shard 2 is not one of the 2 shards"):
        draw("divlogiceval", shard=2, shards=2, out=tmp_path / "more.jsonl", params=validate(SIZES))


def test_a_row_that_is_no_symbolic_instance_is_named(tmp_path, groups_file):
    path = tmp_path / "rows.jsonl"
    write_jsonl(path, [{"a": 1}])
    plan = (
        "plan",
        path,
        "--groups",
        groups_file,
        "--out",
        tmp_path / "plan.json",
        "--params",
        "{}",
    )
    refused(r"rows\.jsonl, row 1: not a symbolic instance", "divlogiceval", *plan)


def test_only_records_with_formulas_can_be_confirmed(tmp_path):
    path, empty = tmp_path / "records.jsonl", tmp_path / "empty.jsonl"
    write_jsonl(path, [{"id": "one", "question": "?", "options": ["a", "b"], "answer": 0}])
    empty.write_bytes(b"")
    out = ("--out", tmp_path / "out")
    refused(
        "record one: its formulas cannot be checked", "verify", "divlogiceval", "--in", path, *out
    )
    refused("there is no record in it", "verify", "divlogiceval", "--in", empty, *out)
    described = ("divlogiceval", "describe", path, "--counts", empty, *out, "--params", "{}")
    refused("not valid JSON", *described)


def test_validation_leaves_at_least_half_of_few_instances_to_training(tmp_path):
    for split, count in (("test", 3), ("unpolished", 14)):
        rows = [
            Record(f"{split}{n}", "divlogiceval", split, "", "?", ("a", "b"), 0)
            for n in range(count)
        ]
        write_jsonl(tmp_path / f"{split}.jsonl", [row.to_json() for row in rows])
    sizes = write_ilogiceval(tmp_path, tmp_path / "out", validate({}))
    assert sizes == {"train": 8, "validation": 6, "test": 3}
    assert len(list(read_records(tmp_path / "out" / "train.jsonl"))) == 8


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"splits": {"test": 100}}, "multiple of 3"),
        (
            {"rule_weights": {"implication": 0, "not_and": 0, "or": 0}},
            "one at least must be positive",
        ),
    ],
)
def test_a_split_that_cannot_be_balanced_and_weights_that_sum_to_nothing_are_refused(
    values, message
):
    with pytest.raises(DivLogicError, match=message):
        validate({"benchmarks": {"divlogiceval": values}})
