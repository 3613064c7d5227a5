"""The authors' DivLogicEval is read whatever its columns are called, as far as their cells decide."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.collection.collect import collect, collected_records
from divlogic.benchmarks.readers.formats import read_benchmark
from divlogic.corpora.manifest import describe, describe_file, write_manifest
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError
from divlogic.records import Record
from tests.contract.graph import ROOT
from tests.unit.benchmarks.readers import samples as s

FORMAT = "divlogiceval_published"
QUESTIONS = {
    "3c1e": "Which of the following can be concluded from the passage?",
    "3e1c": "Which of the following cannot be concluded from the passage?",
    "missing_premise": "Which of the following is the missing premise of the argument?",
}
CREATURES = ("An otter", "A heron", "A badger", "A newt", "A moth", "A stoat", "A wren")


def instance(number: int) -> dict[str, Any]:
    """Return a made-up instance; its right option moves through all four places."""
    who, kind = CREATURES[number % len(CREATURES)], list(QUESTIONS)[number % 3]
    return {
        "context": f"If {who.lower()} swims at dawn, then the pond freezes over number {number} times."
        f" {who} swims at dawn, or a lantern glows in the reeds. The lantern doesn't glow in the reeds.",
        "question": QUESTIONS[kind],
        "options": [f"{who} {does} {number}." for does in ("swims", "sings", "sleeps", "digs")],
        "answer": number % 4,
        "type": kind,
    }


INSTANCES = [instance(number) for number in range(12)]


def renamed(**names: str) -> list[dict[str, Any]]:
    """Return the instances with other names of some fields."""
    return [{names.get(field, field): cell for field, cell in one.items()} for one in INSTANCES]


def changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the instances, each changed."""
    return [change(dict(one)) for one in INSTANCES]


def apart(one: dict[str, Any], names: str = "ABCD") -> dict[str, Any]:
    """Put each option into a column of its own."""
    options = one.pop("options")
    return one | dict(zip(names, options, strict=True))


def without_question(one: dict[str, Any]) -> dict[str, Any]:
    """Put the question behind the passage."""
    return one | {"context": f"{one['context']} {one.pop('question')}"}


LAYOUTS: dict[str, list[dict[str, Any]]] = {
    "usual names": INSTANCES,
    "as ReClor": changed(
        lambda one: {
            "id_string": f"test_{one['answer']}_{one['context'][-40:]}",
            "context": one["context"],
            "question": one["question"],
            "answers": one["options"],
            "label": one["answer"],
            "question_type": one["type"],
        }
    ),
    "letters": changed(lambda one: one | {"answer": "ABCD"[one["answer"]]}),
    "letters beside numbers": changed(lambda one: one | {"label": "ABCD"[one["answer"]]}),
    "texts of the right options": changed(
        lambda one: one | {"answer": one["options"][one["answer"]]}
    ),
    "counted from 1": changed(lambda one: one | {"answer": one["answer"] + 1}),
    "a column for each option": changed(apart),
    "numbered options": changed(
        lambda one: {
            **{name: cell for name, cell in one.items() if name != "options"},
            **{f"option_{place}": text for place, text in enumerate(one["options"])},
        }
    ),
    "a list written as a text": changed(lambda one: one | {"options": json.dumps(one["options"])}),
    "texts and labels of options": changed(
        lambda one: one | {"options": {"text": one["options"], "label": list("ABCD")}}
    ),
    "names that say nothing": renamed(context="x", question="y", options="z", answer="w", type="v"),
    "names that say nothing, the question in the passage": [
        {"c0": one["context"], "c1": one["options"], "c2": one["answer"], "c3": one["type"]}
        for one in changed(without_question)
    ],
    "the question in the passage": changed(without_question),
    "with formulas": changed(
        lambda one: (
            one
            | {
                "formulas": "(A → B), A ∨ C",
                "symbolic": ["A", "B", "C", "D"],
                "prompt": one["context"] + " Think.",
            }
        )
    ),
}


def authors_file(folder: Path, rows: list[dict[str, Any]], split: str = "polished") -> Path:
    """Write rows as the authors' file of a split."""
    return s.parquet(folder / f"{split}.parquet", *rows)


def read(path: Path) -> list[Record]:
    return list(read_benchmark(path, FORMAT))


@pytest.mark.parametrize("layout", list(LAYOUTS))
def test_each_layout_gives_the_same_instances(layout: str, tmp_path: Path) -> None:
    records = read(authors_file(tmp_path, LAYOUTS[layout]))
    found = [
        {
            "context": one.context,
            "question": one.question,
            "options": list(one.options),
            "answer": one.answer,
            "type": one.question_type,
        }
        for one in records
    ]
    assert found == INSTANCES
    assert {one.benchmark for one in records} == {FORMAT}
    assert {one.split for one in records} == {"test"}
    assert len({one.id for one in records}) == len(records)


@pytest.mark.parametrize(
    ("named", "type_"),
    [("3C1E", "3c1e"), ("missing premise", "missing_premise"), ("chained", "chained")],
)
def test_a_type_gets_the_name_that_it_has_here_if_it_is_known(
    named: str, type_: str, tmp_path: Path
) -> None:
    rows = changed(lambda one: one | {"type": named})
    assert {one.question_type for one in read(authors_file(tmp_path, rows))} == {type_}


REFUSED: dict[str, tuple[list[dict[str, Any]], str]] = {
    "no options": (
        [{"context": one["context"], "question": one["question"]} for one in INSTANCES],
        "'context', 'question'",
    ),
    "five options": (
        changed(lambda one: one | {"options": [*one["options"], "None."]}),
        "has 5 options",
    ),
    "no answers": (
        [{name: cell for name, cell in one.items() if name != "answer"} for one in INSTANCES],
        "names no right option",
    ),
    "two columns that may be the answers": (
        [
            {
                "a": one["context"],
                "b": one["question"],
                "c": one["options"],
                "d": place,
                "e": 3 - place,
            }
            for one in INSTANCES
            for place in (one["answer"],)
        ],
        "'d', 'e' may all hold the answers",
    ),
    "the passage in two wordings": (
        changed(lambda one: one | {"polished": one["context"].replace("If", "Whenever")}),
        "'context', 'polished' hold the passage in two wordings",
    ),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_a_file_that_stays_open_is_refused_with_its_columns(case: str, tmp_path: Path) -> None:
    rows, said = REFUSED[case]
    with pytest.raises(DivLogicError, match=said):
        read(authors_file(tmp_path, rows))


def placed(root: Path, **splits: list[dict[str, Any]]) -> Path:
    """Write the authors' files into a corpus folder with its manifest."""
    folder = root / "divlogiceval"
    folder.mkdir(parents=True)
    for split, rows in splits.items():
        authors_file(folder, rows, split)
    corpus = load_registry(ROOT / "data" / "registry.yaml")["divlogiceval"]
    files = [
        describe_file(folder, file.path, "by hand", reader=file.reader)
        for file in corpus.files
        if (folder / file.path).is_file()
    ]
    write_manifest(folder, describe("divlogiceval", corpus, files, []))
    return root


def test_both_splits_are_collected_and_only_the_polished_one_stands_in_the_tables_of_words(
    tmp_path: Path,
) -> None:
    raw = placed(tmp_path / "raw", polished=INSTANCES[:5], unpolished=INSTANCES)
    found = {one.benchmark: one for one in collect([raw], [], [], tmp_path / "out")}
    polished, unpolished = found[FORMAT], found[f"{FORMAT}_unpolished"]
    assert (polished.rows, polished.part, polished.view) == (5, "polished", False)
    assert (unpolished.rows, unpolished.part, unpolished.view) == (12, "unpolished", True)
    records = list(collected_records(tmp_path / "out", unpolished.stem))
    assert {one.split for one in records} == {"unpolished"}


def test_a_file_that_stays_open_leaves_the_others_of_a_collection_alone(tmp_path: Path) -> None:
    rows, _ = REFUSED["no options"]
    raw = placed(tmp_path / "raw", polished=rows)
    found = {one.benchmark: one for one in collect([raw], [], [], tmp_path / "out")}
    assert not found[FORMAT].available
    assert "'context', 'question'" in found[FORMAT].problems
