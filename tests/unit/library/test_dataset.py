"""A data set of the library: items by index, the same anywhere, that guessing does not answer."""

from __future__ import annotations

import hashlib
import math
import subprocess
import sys
from collections import Counter
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
    drawn = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    return dict(zip(NAMES, drawn.splitlines(), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_an_item_depends_on_seed_and_index_alone(name: str, elsewhere: dict[str, str]) -> None:
    long, short = (
        divlogic.create(name, size=100_000, seed=7),
        divlogic.create(name, size=12, seed=7),
    )
    forward = short[:]
    assert [long[place] for place in reversed(range(12))] == forward[::-1]
    assert long[99_999] == divlogic.create(name, size=100_000, seed=7)[-1]
    assert elsewhere[name] == str(forward[5])


LONG = (
    ("logicnli", "test"),
    ("divlogiceval", "test"),
    ("ilogiceval", "train"),
    ("llmeval_logic", "hard"),
)
SPLITS = [("logicnli", "d_test"), ("justlogic", "validation")]


@pytest.mark.parametrize(
    ("name", "split"), [*SPLITS, *(pytest.param(*one, marks=pytest.mark.slow) for one in LONG)]
)
def test_allotment_once_gives_the_bytes_of_the_workflow_s_file(
    name: str, split: str, tmp_path: Path
) -> None:
    data = divlogic.create(name, seed=20260101, allotment="once", split=split)
    file = tmp_path / benchmark_named(name).file_of(split)
    write_jsonl(file, (record.to_json() for record in data.records()))
    listed = f"{file_sha256(file)}  data/benchmarks/{name}/{file.name}\n"
    assert listed in (ROOT / "data/checksums.txt").read_text(encoding="utf-8")
    whole = [
        data.group(number) for number in range(1 + max(item["metadata"]["group"] for item in data))
    ]
    assert sum(map(len, whole)) == len(data)
    for number in (-1, len(whole)):
        with pytest.raises(IndexError, match=f"of {len(whole)}"):
            data.group(number)
    for group in whole[:3]:
        assert {item["metadata"]["group_size"] for item in group} == {len(group)}


CHECKSUMS = {
    "divlogiceval": (13, "69bc521f2cd9d0db"),
    "ilogiceval": (13, "53bbab1f0cc9742f"),
    "justlogic": (13, "a4674517801c9df2"),
    "logicnli": (8, "0d721061cbae808e"),
    "llmeval_logic": (9, "891c0266ed8bf59f"),
}
"""Of the first 24 items of each generator with seed 1, by its version: a change of what is drawn raises the version."""


@pytest.mark.parametrize("name", NAMES)
def test_what_a_version_draws_stays(name: str) -> None:
    data = divlogic.create(name, size=24, seed=1)
    items = list(data)
    for item in items:
        # It holds the version itself.
        del item["metadata"]["group_id"]
    digest = hashlib.sha256(orjson.dumps(items)).hexdigest()[:16]
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
        assert [record.id for record in endless.records()] == [
            record.id for record in drawn[1].records()
        ]


@pytest.mark.parametrize("name", NAMES)
def test_the_right_answer_of_an_item_scores_and_a_solver_confirms_it(name: str) -> None:
    data = divlogic.create(name, size=12, seed=3)
    for item in data:
        assert (
            data.score_answer(f"<think>perhaps not</think>\nAnswer: {item['answer']}", item) == 1.0
        )
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
        ("logicnli", {"levels": 3}, "did you mean 'level'"),
        ("logicnli", {"sed": 3}, "did you mean 'seed'"),
        ("logicnli", {"sizes": 3}, "did you mean 'size'"),
        (
            "logicnli",
            {"level": [1, 2]},
            r"mix\({'logicnli': 1}, level=\[1, 2\]\) draws from several",
        ),
        ("logicnli", {"level": "3"}, "has no level '3'"),
        ("logicnli", {"depth": 3, "level": 3}, "depth: give it alone"),
        ("logicnli", {"depth": 3, "depths": [3]}, "depth: give it alone"),
        ("logicnli", {"depth": 0}, "depth is 0; give a whole number from 1"),
        ("divlogiceval", {"depth": 2}, "divlogiceval has no depth; give a level, 1 to 4"),
        ("llmeval_logic", {"depth": 2}, "llmeval_logic has no depth; give a level, 1 to 3"),
        ("justlogic", {"depth": 13}, "depths reach to 12"),
        ("logicnli", {"split": "test"}, "give 'reuse' without a split, or 'once'"),
        ("logicnli", {"allotment": "once", "split": "tset"}, "no split 'tset'"),
        ("logicnli", {"depths": [8]}, "two chains of depth 8, each of two lanes, need 32"),
        ("justlogic", {"allotment": "once", "split": "test", "size": 10_000}, "has 210 items"),
        ("justlogic", {"allotment": "once", "seed": 2**70}, "seed"),
        ("justlogic", {"depths": [40]}, "depths reach to 12"),
        ("llmeval_logic", {"max_operators": 9}, "less than or equal to 7"),
    ],
)
def test_what_cannot_be_drawn_gets_a_sentence(
    name: str, told: dict[str, Any], message: str
) -> None:
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
        (lambda: divlogic.mix(["logicnli"]), "give the weight of each generator, as in mix"),  # type: ignore[arg-type]
        (lambda: divlogic.mix({"logicnli": math.inf}), "give numbers from 0 as weights"),
        (lambda: divlogic.mix({"logicnli": 1}, level=[]), "level is empty"),
        (lambda: divlogic.mix({"logicnli": 1}, level=[1, 99]), "its levels are 1 to 10"),
        (
            lambda: divlogic.mix({"logicnli": 1}, size=6, groups=True),
            "cuts a group; .* multiple of 4",
        ),
        (
            lambda: divlogic.mix({"logicnli": 1}, groups=True, allotment="once"),
            "with allotment 'reuse' only",
        ),
        (lambda: divlogic.create("logicnli", 4), "write size=4, seed=4 or level=4"),
        (lambda: divlogic.score_answer("x", item, credit="half"), "give 'all' or 'each'"),  # type: ignore[arg-type]
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


@pytest.mark.parametrize(("name", "depth"), [("logicnli", 8), ("logicnli", 7), ("justlogic", 9)])
def test_a_depth_is_a_depth(name: str, depth: int) -> None:
    data = divlogic.create(name, size=8, depth=depth)
    assert {item["metadata"]["difficulty"]["depth"] for item in data} == {depth}


def test_the_depth_of_a_level_is_that_level() -> None:
    # LogicNLI's seventh level has depth 8.
    assert divlogic.create("logicnli", depth=8).level == 7
    assert (
        divlogic.create("logicnli", size=4, depth=8)[:]
        == divlogic.create("logicnli", size=4, level=7)[:]
    )


def test_a_group_that_cannot_be_worded_is_not_replaced_by_its_neighbour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = divlogic.create("logicnli", seed=1)._source
    drawn = source.drawn
    monkeypatch.setattr(source, "drawn", lambda index: None if index == 3 else drawn(index))
    replaced = [record.id for record in source.group(3)]
    others = [record.id for number in (0, 1, 2, 4, 5, 6, 7) for record in source.group(number)]
    assert len(replaced) == 4
    assert not set(replaced) & set(others)


def test_a_group_id_is_that_of_one_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    def ids(name: str = "logicnli", **given: Any) -> list[str]:
        return [item["metadata"]["group_id"] for item in divlogic.create(name, size=8, **given)]

    first = ids(seed=1)
    assert first[:4] == first[:1] * 4 and first[4:] == first[4:5] * 4
    assert first[0] != first[4] and first[0].startswith("logicnli-")
    assert ids(seed=1, level=None) == first
    others = [
        ids(seed=2),
        ids(seed=1, level=2),
        ids(seed=1, noise=[2]),
        ids(seed=1, allotment="once", split="d_test"),
        ids(seed=1, allotment="once", split="d_dev"),
        ids("justlogic", seed=1),
        ids(seed=2**70 + 1),
    ]
    monkeypatch.setattr(SOURCES["logicnli"], "version", 99)
    others.append(ids(seed=1))
    every = [set(one) for one in (first, *others)]
    assert len(set.union(*every)) == sum(map(len, every))


def test_a_mixture_for_group_rewards_is_of_whole_groups() -> None:
    # Quartets and threes: whole groups of both fit into 12 items.
    mixed = divlogic.mix({"logicnli": 1, "justlogic": 1}, size=48, seed=2, groups=True)
    counted = Counter(item["metadata"]["group_id"] for item in mixed)
    sizes = {item["metadata"]["group_id"]: item["metadata"]["group_size"] for item in mixed}
    assert counted == sizes and set(sizes.values()) == {3, 4}
    shown = [item["metadata"]["group_id"] for item in mixed]
    assert all(len(set(shown[at : at + 12])) in (3, 4) for at in range(0, 48, 12))
    columns = {key: [row[key] for row in rows(mixed)] for key in rows(mixed)[0]}
    assert group_reward([item["answer"] for item in mixed], **columns) == [1.0] * 48
    assert len(divlogic.mix({"logicnli": 1, "justlogic": 1}, groups=True)) == 492


def test_a_mixture_draws_from_all_of_its_levels() -> None:
    mixed = divlogic.mix({"logicnli": 1}, size=48, seed=2, level=range(1, 4), groups=True)
    assert {item["metadata"]["difficulty"]["level"] for item in mixed} == {1, 2, 3}
    assert {item["metadata"]["difficulty"]["depth"] for item in mixed} == {1, 2, 3}
    assert (
        mixed[47]
        == divlogic.mix({"logicnli": 1}, size=48, seed=2, level=[1, 2, 3], groups=True)[47]
    )


def test_an_item_of_base_is_asked_for_the_numbers_of_what_it_lists() -> None:
    # Who may hold a key: Bai (1) or Gu (2), and not Luo (3), who passed no exam; without a key Luo trained nobody; Bai
    # need not hold one.
    item = divlogic.create("llmeval_logic", allotment="once", split="base")[2]
    assert "（1）小白；（2）老顾；（3）小罗" in item["question"]
    for said in (
        '{"1": [1, 2], "2": "不可能", "3": "不一定"}',
        '{"1": "（1）、（2）", "2": "没有可能", "3": "否"}',
    ):
        assert divlogic.score_answer(said, item) == 1.0
    assert divlogic.score_answer('{"1": [1], "2": "不可能", "3": "不一定"}', item) == 0.0
