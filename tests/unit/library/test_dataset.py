"""A data set of the library: items by index, the same anywhere, that guessing does not answer."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

import divlogic
from divlogic.benchmarks.registry import benchmark_named
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, write_jsonl
from divlogic.library.sources import SOURCES
from divlogic.library.trl import group_reward, item_reward, rows
from divlogic.records import content_hash

NAMES = tuple(SOURCES)
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def elsewhere() -> dict[str, str]:
    """The item 5 of each generator, drawn by another process."""
    code = f"import divlogic\nfor name in {NAMES!r}: print(divlogic.create(name, seed=7)[5])"
    drawn = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return dict(zip(NAMES, drawn.splitlines(), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_an_item_depends_on_seed_and_index_alone(name: str, elsewhere: dict[str, str]) -> None:
    long, short = divlogic.create(name, size=100_000, seed=7), divlogic.create(name, size=12, seed=7)
    forward = short[:]
    assert [long[place] for place in reversed(range(12))] == forward[::-1]
    assert long[99_999] == divlogic.create(name, size=100_000, seed=7)[-1]
    assert elsewhere[name] == str(forward[5])


LONG = (("logicnli", "test"), ("divlogiceval", "test"), ("ilogiceval", "train"), ("llmeval_logic", "hard"))
SPLITS = [("logicnli", "d_test"), ("justlogic", "validation")]


@pytest.mark.parametrize(
    ("name", "split"), [*SPLITS, *(pytest.param(*one, marks=pytest.mark.slow) for one in LONG)]
)
def test_allotment_once_gives_the_bytes_of_the_workflow_s_file(name: str, split: str, tmp_path: Path) -> None:
    data = divlogic.create(name, seed=20260101, allotment="once", split=split)
    file = tmp_path / benchmark_named(name).file_of(split)
    write_jsonl(file, (record.to_json() for record in data.records()))
    listed = f"{file_sha256(file)}  data/benchmarks/{name}/{file.name}\n"
    assert listed in (ROOT / "data/checksums.txt").read_text(encoding="utf-8")
    whole = [data.group(number) for number in range(1 + max(item["metadata"]["group"] for item in data))]
    assert sum(map(len, whole)) == len(data)
    for number in (-1, len(whole)):
        with pytest.raises(IndexError, match=f"of {len(whole)}"):
            data.group(number)
    for group in whole[:3]:
        assert {item["metadata"]["group_size"] for item in group} == {len(group)}


CHECKSUMS = {
    "divlogiceval": (12, "2aea03f386164196"),
    "ilogiceval": (12, "cbd65cc4a356bb1b"),
    "justlogic": (12, "771703327f0adeb5"),
    "logicnli": (7, "0a658ec9cd38e510"),
    "llmeval_logic": (7, "70af29ef5ff74130"),
}
"""Of the first 24 items of each generator with seed 1, by its version: a change of what is drawn raises the version."""


@pytest.mark.parametrize("name", NAMES)
def test_what_a_version_draws_stays(name: str) -> None:
    data = divlogic.create(name, size=24, seed=1)
    digest = hashlib.sha256(orjson.dumps(list(data))).hexdigest()[:16]
    assert (data.version, digest) == CHECKSUMS[name], (
        f"{name} draws other items; raise its version in library/sources.py and record {digest} here"
    )


@pytest.mark.parametrize("name", NAMES)
def test_two_seeds_share_nothing_however_wide_they_are(name: str) -> None:
    drawn = [divlogic.create(name, seed=seed)[:12] for seed in (5, 6, 2**32 + 5, 2**255 + 5)]
    for shown in ("question", "id"):
        found = [(item | item["metadata"])[shown] for items in drawn for item in items]
        assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("name", "split", "config"),
    [
        ("logicnli", "d_test", {"deep_quartets": 2}),
        ("justlogic", "test", {"per_depth": 10}),
        ("llmeval_logic", "hard", {"items": 6}),
        ("divlogiceval", "test", {"splits": {"test": 24, "unpolished": 24}}),
        ("ilogiceval", "test", {"splits": {"test": 24, "unpolished": 24}}),
    ],
)
def test_two_seeds_share_no_id_of_a_file_and_an_id_hashes_nothing_but_what_is_shown(
    name: str, split: str, config: dict[str, int]
) -> None:
    given = {"allotment": "once", "split": split, **config}
    drawn = {seed: divlogic.create(name, seed=seed, **given) for seed in (0, 1)}  # type: ignore[arg-type]
    ids = [record.id for data in drawn.values() for record in data.records()]
    assert len(set(ids)) == len(ids) > 10
    for seed, data in drawn.items():
        for record in data.records():
            options = record.options if name in ("divlogiceval", "ilogiceval") else ()
            asked = [each["zh"] for each in record.metadata.get("questions", ())]
            asked = asked or [record.question, *options]
            # So the id is the same however the file is made, and tells no more of the key than the text does.
            assert record.id.endswith(content_hash(seed, split, record.context, *asked))
    if name == "llmeval_logic":
        endless = divlogic.create(name, seed=1, size=6)
        assert [record.id for record in endless.records()] == [record.id for record in drawn[1].records()]


@pytest.mark.parametrize("name", NAMES)
def test_the_right_answer_of_an_item_scores_and_a_solver_confirms_it(name: str) -> None:
    data = divlogic.create(name, size=12, seed=3)
    for item in data:
        assert data.score_answer(f"<think>perhaps not</think>\nAnswer: {item['answer']}", item) == 1.0
        assert data.score_answer("I cannot say", item) == data.score_answer(None, item) == 0.0
        assert data.verify(item)
    with pytest.raises(DivLogicError, match="another seed"):
        data.verify(divlogic.create(name, size=12, seed=4)[0])


@pytest.mark.parametrize("name", [name for name in NAMES if SOURCES[name].group_size > 1])
def test_a_constant_answer_earns_no_group(name: str) -> None:
    data = divlogic.create(name, size=48, seed=1)
    size = data[0]["metadata"]["group_size"]
    columns = {key: [row[key] for row in rows(data)] for key in rows(data)[0]}
    for answer in {item["answer"] for item in data}:
        told = [f"Answer: {answer}"] * len(data)
        assert sum(item_reward(told, **columns)) == pytest.approx(len(data) / size)
        assert set(group_reward(told, **columns)) == {0.0}
    logged: dict[str, float] = {}
    right = [f"Answer: {item['answer']}" for item in data]
    assert set(group_reward(right, log_metric=logged.__setitem__, **columns)) == {1.0}
    assert logged == {"groups_whole": 1.0, "items_right": 1.0}
    part = {key: values[: size - 1] for key, values in columns.items()}
    assert group_reward(right[: size - 1], **part) == [None] * (size - 1)


@pytest.mark.parametrize(
    ("name", "told", "message"),
    [
        ("logicnly", {}, "did you mean 'logicnli'"),
        ("logicnli", {"level": 99}, "its levels are 1 to 10"),
        ("logicnli", {"size": -1}, "a whole number from 0"),
        ("logicnli", {"seed": -1}, "a whole number from 0"),
        ("logicnli", {"dephts": [3]}, "did you mean 'depths'"),
        ("logicnli", {"split": "test"}, "give 'reuse' without a split, or 'once'"),
        ("logicnli", {"allotment": "once", "split": "tset"}, "no split 'tset'"),
        ("logicnli", {"depths": [8]}, "two chains of 8 rules and two decoys need 18"),
        ("justlogic", {"allotment": "once", "split": "test", "size": 10_000}, "has 210 items"),
        ("justlogic", {"allotment": "once", "seed": 2**70}, "seed"),
        ("justlogic", {"depths": [40]}, "depths reach to 12"),
        ("llmeval_logic", {"max_operators": 9}, "less than or equal to 7"),
    ],
)
def test_what_cannot_be_drawn_gets_a_sentence(name: str, told: dict[str, Any], message: str) -> None:
    with pytest.raises(DivLogicError, match=message):
        divlogic.create(name, **told)


def test_other_bad_arguments_get_a_sentence() -> None:
    data = divlogic.create("logicnli", size=4)
    item = data[0]
    with pytest.raises(IndexError):
        data[4]
    weights: dict[str, Any]
    for weights in ({}, {"logicnli": 0}, {"logicnli": -1}, {"logicnli": "much"}):
        with pytest.raises(DivLogicError, match="give numbers from 0 as weights"):
            divlogic.mix(weights)
    for call, message in (
        (lambda: divlogic.score_answer("x", item, format=0.5), "give 0 to"),
        (lambda: divlogic.mix({"logicnli": 1}, size=-1), "a whole number from 0"),
        (lambda: divlogic.mix({"logicnly": 1}), "did you mean 'logicnli'"),
        (lambda: divlogic.levels("justlogik"), "did you mean 'justlogic'"),
        (lambda: next(divlogic.stream("logicnli", start=-1)), "the index is -1"),
        (lambda: data.group(-1), "the index is -4"),
        (lambda: data.verify(divlogic.create("justlogic", size=1)[0]), "not one of logicnli"),
        (lambda: data.verify({}), "this is no item"),
        (lambda: divlogic.score_answer(b"x", item), "of type bytes; give its text, or None"),  # type: ignore[arg-type]
        (lambda: divlogic.score_answer("x", {"metadata": {}}), "this is no item"),
        (lambda: divlogic.score_answer("x", {**item, "answer": None}), "the item has no answer"),
    ):
        with pytest.raises(DivLogicError, match=message):
            call()
    item["metadata"]["source_dataset"] = "other"
    with pytest.raises(DivLogicError, match="not known here"):
        divlogic.score_answer("x", item)


def test_mixtures_and_streams_draw_the_items_of_their_parts() -> None:
    mixed = divlogic.mix(dict.fromkeys(NAMES, 1.0), size=40, seed=2)
    for place in (0, 17, 39):
        name = mixed[place]["metadata"]["source_dataset"]
        assert mixed[place] == divlogic.create(name, size=40, seed=2)[place]
    endless = divlogic.stream("logicnli", seed=2, start=1000)
    assert next(endless) == divlogic.create("logicnli", size=2000, seed=2)[1000]


@pytest.mark.parametrize("name", NAMES)
def test_a_level_is_a_whole_configuration(name: str) -> None:
    levels = divlogic.levels(name)
    assert levels
    drawn = [divlogic.create(name, size=8, level=level) for level in range(1, len(levels) + 1)]
    assert {len(data) for data in drawn} == {8}
    if name == "logicnli":
        assert {item["metadata"]["difficulty"]["depth"] for item in drawn[3]} == {4}
