"""What the item browser shows of each instance, as compact rows of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from divlogic.benchmarks.registry import TITLES
from divlogic.benchmarks.symbols import (
    formula_lines,
    meaning_lines,
    option_formulas,
    proof_lines,
    questions_of,
    wordings,
)
from divlogic.io.files import read_jsonl
from divlogic.models.styles import STYLES
from divlogic.records import Record, read_records, spaced_over_types

Answers = dict[tuple[str, str], dict[str, list[str | None]]]
"""By (benchmark, instance): system -> what it answered in each rotation."""

Worth = dict[tuple[str, str], dict[str, list[tuple[str, int, int]]]]
"""By (benchmark and split, item): system -> what its replies were worth: track, right parts, parts."""


@dataclass
class Shelf:
    """The instances of one benchmark that the browser shows.

    Attributes:
        name, title: of the benchmark, as its records and the tables write it.
        splits: number of instances of each split, those that are left out included.
        rows: the instances.
    """

    name: str
    title: str
    splits: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Number of instances that there are."""
        return self.splits.total()


def read_shelves(
    files: Sequence[Path], predictions: Sequence[Path], most: int | None, *, outcomes: Sequence[Path] = ()
) -> list[Shelf]:
    """Return the instances of the files, one shelf per benchmark in the order of the files.

    Args:
        files: records (jsonl); each holds one split of one benchmark.
        predictions: answers to them.
        most: instances of each file that are shown, evenly spaced over question types and depths; ``None``: all.
        outcomes: what replies to LLMEval-Logic are worth.

    Raises:
        DivLogicError: a file is missing or malformed.
    """
    answers = read_answers(predictions)
    worth = read_outcomes(outcomes)
    shelves: dict[str, Shelf] = {}
    for path in files:
        records = list(read_records(path))
        kept = {record.id for record in spaced_over_types(records, most)}
        for record in records:
            shelf = shelves.setdefault(
                record.benchmark, Shelf(record.benchmark, TITLES.get(record.benchmark, record.benchmark))
            )
            shelf.splits[record.split] += 1
            if record.id in kept:
                shelf.rows.append(item_row(record, answers, worth))
    return list(shelves.values())


def read_answers(files: Iterable[Path]) -> Answers:
    """Return what every system answered; of several runs each stands for itself.

    Raises:
        DivLogicError: a file is missing or malformed.
    """
    found: Answers = {}
    for path in files:
        for _, row in read_jsonl(path):
            run = f", run {row['run'] + 1}" if row.get("run") else ""
            # Learners have no prompt; their rows name the set there.
            styled = row.get("source") != "baseline" or row.get("prompt") in STYLES
            prompt = f" · {row['prompt']}" if row.get("prompt") and styled else ""
            system = f"{row['model']}{prompt}{run}"
            given = found.setdefault((row["benchmark"], row["instance"]), {}).setdefault(system, [])
            rotation = row.get("rotation", 0)
            given += [None] * (rotation + 1 - len(given))
            given[rotation] = row["predicted"]
    return found


def read_outcomes(files: Iterable[Path]) -> Worth:
    """Return what every system's replies to LLMEval-Logic are worth: sub-questions, or atoms of the rubric.

    Raises:
        DivLogicError: a file is missing or malformed.
    """
    found: Worth = {}
    for path in files:
        for _, row in read_jsonl(path):
            run = f", run {row['run'] + 1}" if row.get("run") else ""
            parts = ("right", "asked") if row["track"] == "answer" else ("passed", "atoms")
            of_item = found.setdefault((row["benchmark"], row["item"]), {})
            of_item.setdefault(f"{row['model']}{run}", []).append(
                (row["track"], *(row[part] for part in parts))
            )
    return found


def item_row(record: Record, answers: Answers, worth: Worth | None = None) -> dict[str, Any]:
    """Return what is shown of one instance; what is empty is left out."""
    options = option_formulas(record)
    row: dict[str, Any] = {
        "id": record.id,
        "split": record.split,
        "type": record.question_type,
        "depth": record.metadata.get("premises_needed") if record.depth is None else record.depth,
        "context": record.context,
        "question": record.question,
        "options": list(record.options),
        "answer": record.answer,
        "parts": questions_of(record),
        "forms": sorted(set(record.forms or ())),
        "formulas": formula_lines(record),
        "optionFormulas": [options.get(at, "") for at in range(len(record.options))] if options else [],
        "proof": proof_lines(record),
        "meaning": meaning_lines(record),
        "words": symbols_in_text(record),
        "used": used_sentences(record),
        "answers": answers.get((record.benchmark, record.id)),
        "worth": (worth or {}).get((f"{record.benchmark}_{record.split}", record.id)),
    }
    return {name: value for name, value in row.items() if value not in (None, [], {}, "")}


def symbols_in_text(record: Record) -> dict[str, list[str]]:
    """Return what to colour in the passage: for each symbol the wordings that may stand for it."""
    formulas = record.formulas or {}
    numbered = record.sentences and all(name.isdigit() for name in record.sentences)
    if numbered and isinstance(formulas.get("facts"), list):
        return {word: [word] for word in _predicates(formulas)}
    if record.sentences:
        return wordings(record)
    glosses = [one for one in formulas.get("symbols") or () if isinstance(one, dict) and "gloss" in one]
    if glosses:
        return {one["name"]: [_bare(text) for text in one["gloss"].values()] for one in glosses}
    premises = [one for one in formulas.get("premises") or () if isinstance(one, str)]
    letters = sorted({letter for premise in premises for letter in premise if letter.isupper()})
    return {letter: [letter] for letter in letters}


def used_sentences(record: Record) -> list[str]:
    """Return the sentences of the passage that the proof uses, where the record says which these are."""
    proof = (record.formulas or {}).get("proof")
    if not isinstance(proof, dict) or not {"statement", "opposite"} <= proof.keys():
        return []
    used = {
        (kind, step[kind])
        for side in proof.values()
        for step in side or ()
        for kind in ("fact", "rule")
        if kind in step
    }
    return [
        entry["text"]
        for entry in (record.sentences or {}).values()
        if any((kind, entry.get(kind)) in used for kind in ("fact", "rule"))
    ]


def _predicates(formulas: dict[str, Any]) -> list[str]:
    facts = list(formulas["facts"])
    for rule in formulas.get("rules") or ():
        facts += [*rule["p"]["fact"], *rule["q"]["fact"]]
    return list(dict.fromkeys(fact[1] for fact in facts))


def _bare(gloss: str) -> str:
    """Return a gloss without the places of its arguments: ``{0} is new`` -> ``is new``."""
    return " ".join(part for part in (gloss.replace("{0}", "").replace("{1}", "")).split() if part)
