"""Rows within rows: questions that stand in a list of a passage's, and fields that some sets nest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from divlogic.benchmarks.columns import NAMES, WORDS, plain_name

_LISTS = tuple(WORDS["question_lists"])


def flat_rows(name: str, row: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the questions of a row, each as a row of its own with the fields of what they share.

    A passage may hold its questions as a list of objects (QuALITY, AR-LSAT, SQuAD), or its questions, options and
    answers as lists of one length (RACE's own files).
    """
    for field in _LISTS:
        inner = row.get(field)
        if isinstance(inner, list) and inner and all(isinstance(one, dict) for one in inner):
            shared = {key: value for key, value in row.items() if key != field}
            for number, one in enumerate(inner, start=1):
                yield from flat_rows(f"{name}-{number}", _joined(shared, one, number))
            return
    parallel = _parallel(row)
    if parallel:
        shared = {key: value for key, value in row.items() if key not in parallel}
        for number, cells in enumerate(zip(*parallel.values(), strict=True), start=1):
            one = dict(zip(parallel, cells, strict=True))
            yield f"{name}-{number}", _joined(shared, _singular(one), number)
        return
    yield name, _lifted(row)


def _joined(shared: Mapping[str, Any], one: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a question with what it shares with others; its id is its own, or the shared one and its number."""
    joined = {**shared, **one}
    for name in shared:
        if plain_name(name) in NAMES["id"] and name not in one:
            joined[name] = f"{shared[name]}-{number}"
    return joined


def _parallel(row: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the fields of a row that are lists with an entry for each of several questions."""
    questions = row.get("questions")
    if not isinstance(questions, list) or not all(isinstance(one, str) for one in questions):
        return {}
    lists = {
        name: value
        for name, value in row.items()
        if isinstance(value, list) and len(value) == len(questions)
    }
    return lists if isinstance(row.get("options"), list) and "options" in lists else {}


def _singular(one: dict[str, Any]) -> dict[str, Any]:
    """Return a question under the names of one: its options in ``options``, so that ``answers`` is its answer."""
    names = {"questions": "question", "answers": "answer"}
    return {names.get(name, name): value for name, value in one.items()}


def _lifted(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the fields that some sets nest at its top."""
    flat = dict(row)
    stem = row.get("question")
    if isinstance(stem, dict) and isinstance(stem.get("stem"), str):
        # ARC, CommonsenseQA, OpenBookQA, EXAMS.
        flat["question"] = stem["stem"]
        flat |= {name: value for name, value in stem.items() if name != "stem"}
    if isinstance(row.get("mc1_targets"), dict):
        flat = _with_single_target(flat)
    meta = row.get("metadata")
    if (
        isinstance(meta, dict)
        and "source_dataset" in meta
        and isinstance(meta.get("options"), list)
    ):
        # Items that DivLogic draws: the options stand beside the prompt.
        flat["metadata"] = {name: value for name, value in meta.items() if name != "options"}
        flat |= {"options": meta["options"], "id": meta.get("id", row.get("id"))}
    return flat


def _with_single_target(row: dict[str, Any]) -> dict[str, Any]:
    """Return TruthfulQA's question with the options of which one is right, as its own or the hub's file has them."""
    target = row["mc1_targets"]
    texts = target.get("choices", list(target))
    marks = target.get("labels", list(target.values()))
    flat = {
        name: value for name, value in row.items() if name not in ("mc1_targets", "mc2_targets")
    }
    options = [
        {"text": text, "correct": bool(mark)} for text, mark in zip(texts, marks, strict=True)
    ]
    return {**flat, "options": options}
