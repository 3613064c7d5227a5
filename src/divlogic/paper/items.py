"""The item browser: one page, and per benchmark a file of instances that the page loads when it is asked for."""

from __future__ import annotations

import base64
import gc
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import orjson

from divlogic.benchmarks import symbols
from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, read_jsonl, write_json, write_text
from divlogic.io.templates import render
from divlogic.models.styles import STYLES
from divlogic.paper.parameters import PaperRun
from divlogic.records import Record, numbered_records, records_at, spaced_places

TEMPLATES = Path(__file__).parent / "browser"
SCRIPT = "items.js"

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


def write_items(
    records: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    imported: Annotated[
        Path | None, FOLDER, "Folder of imported data sets (jsonl, jsonl.gz), shown after RECORDS."
    ] = None,
    predictions: Annotated[tuple[Path, ...], "Answers to show (jsonl); repeatable."] = (),
    outcomes: Annotated[
        tuple[Path, ...], "What replies to LLMEval-Logic are worth (jsonl); repeatable."
    ] = (),
    out: Annotated[Path, "Where the page goes (html)."],
    data: Annotated[Path, FOLDER, "Folder of the page's data, next to it."],
    counts: Annotated[Path, "Instances per benchmark and split (json)."],
    params: PaperRun,
) -> None:
    """Write a page that shows every instance of RECORDS with its symbolic form and what was answered."""
    if imported and not imported.is_dir():
        raise DivLogicError(
            f"{imported}: there is no such folder; --imported names the folder of imported data sets."
        )
    # Next to each data set lies its hidden checksum.
    there = imported.iterdir() if imported else ()
    own = [path for path in there if path.name.endswith((".jsonl", ".jsonl.gz"))]
    # A million objects without a cycle, which stay to the end: to look through them costs a sixth of the time.
    gc.disable()
    try:
        most = params.paper.items.most_instances
        shelves = read_shelves([*records, *sorted(own)], predictions, most, outcomes=outcomes)
    finally:
        gc.enable()
    write_browser(out, data, shelves)
    write_counts(counts, shelves)


def write_browser(out: Path, data: Path, shelves: Sequence[Shelf]) -> None:
    """Write the page and, into the folder next to it that is all it needs, ``<benchmark>.js``."""
    css, script = ((TEMPLATES / name).read_text(encoding="utf-8") for name in ("items.css", SCRIPT))
    values = {"css": css, "script": script, "shelves": shelves, "folder": data.name}
    page = render(TEMPLATES / "items.html.j2", values)
    data.mkdir(parents=True, exist_ok=True)
    for stale in {*data.glob("*.js")} - {data / f"{one.name}.js" for one in shelves}:
        stale.unlink()
    for one in shelves:
        with atomic_path(data / f"{one.name}.js") as temporary:
            temporary.write_bytes(packed(one))
    write_text(out, page)


def packed(shelf: Shelf) -> bytes:
    """Return a script that hands the instances to the page.

    A page opened from a folder may load scripts but read no files, hence a script; the browser unpacks it by itself.
    """
    rows = base64.b64encode(zlib.compress(orjson.dumps(shelf.rows), 6))
    return b'received(%b,"%b");\n' % (orjson.dumps(shelf.name), rows)


def write_counts(path: Path, shelves: Sequence[Shelf]) -> None:
    """Write how many instances of each benchmark and split there are, and one of them as an example."""
    names = ("name", "title", "splits", "total")
    benchmarks = [{name: getattr(one, name) for name in names} for one in shelves]
    write_json(
        path, {"benchmarks": benchmarks, "example": _example(shelves[0]) if shelves else None}
    )


def _example(shelf: Shelf) -> dict[str, Any] | None:
    """Return the shortest instance of a benchmark, for the report's first screen."""
    whole = [row for row in shelf.rows if row.get("context") and row.get("options")]
    if not whole:
        return None
    chosen = min(
        whole, key=lambda row: (len(row["context"]) + sum(map(len, row["options"])), row["id"])
    )
    return {"benchmark": shelf.name, **chosen}


def read_shelves(
    files: Sequence[Path],
    predictions: Sequence[Path],
    most: int | None,
    *,
    outcomes: Sequence[Path] = (),
) -> list[Shelf]:
    """Return the instances of the files, one shelf per benchmark in the order of the files.

    Args:
        files: records (jsonl); each holds one split of one benchmark.
        most: instances of each file that are shown, evenly spaced over question types and depths; ``None``: all.
    """
    shelves: dict[str, Shelf] = {}
    shown: set[tuple[str, str]] = set()
    rows: list[set[int]] = []
    # Records of a whole set would take gigabytes: the first pass keeps only what those to show are chosen by.
    for path in files:
        heads = []
        for number, record in numbered_records(path):
            name = record.benchmark
            shelves.setdefault(name, Shelf(name, TITLES.get(name, name))).splits[record.split] += 1
            heads.append((number, (name, record.id), (record.question_type, record.depth)))
        chosen = [heads[at] for at in spaced_places([kind for *_, kind in heads], most)]
        rows.append({number for number, *_ in chosen})
        shown.update(key for _, key, _ in chosen)
    answers = read_answers(predictions, shown)
    worth = read_outcomes(outcomes)
    for path, numbers in zip(files, rows, strict=True):
        for _, record in records_at(path, numbers):
            shelves[record.benchmark].rows.append(item_row(record, answers, worth))
    return list(shelves.values())


def read_answers(files: Iterable[Path], shown: Container[tuple[str, str]] | None = None) -> Answers:
    """Return what every system answered to the instances ``shown``; of several runs each stands for itself."""
    found: Answers = defaultdict(lambda: defaultdict(list))
    for path in files:
        for _, row in read_jsonl(path):
            key = (row["benchmark"], row["instance"])
            if shown is not None and key not in shown:
                continue
            run = f", run {row['run'] + 1}" if row.get("run") else ""
            # Learners have no prompt; their rows name the set there.
            styled = row.get("source") != "baseline" or row.get("prompt") in STYLES
            prompt = f" · {row['prompt']}" if row.get("prompt") and styled else ""
            given, rotation = found[key][f"{row['model']}{prompt}{run}"], row.get("rotation", 0)
            given += [None] * (rotation + 1 - len(given))
            given[rotation] = row["predicted"]
    return found


def read_outcomes(files: Iterable[Path]) -> Worth:
    """Return what every system's replies to LLMEval-Logic are worth: sub-questions, or atoms of the rubric."""
    found: Worth = defaultdict(lambda: defaultdict(list))
    for path in files:
        for _, row in read_jsonl(path):
            run = f", run {row['run'] + 1}" if row.get("run") else ""
            right, of = ("right", "asked") if row["track"] == "answer" else ("passed", "atoms")
            worth = (row["track"], row[right], row[of])
            found[row["benchmark"], row["item"]][f"{row['model']}{run}"].append(worth)
    return found


def item_row(record: Record, answers: Answers, worth: Worth | None = None) -> dict[str, Any]:
    """Return what is shown of one instance; what is empty is left out."""
    options = symbols.option_formulas(record)
    row: dict[str, Any] = {
        "id": record.id,
        "split": record.split,
        "type": record.question_type,
        "depth": record.metadata.get("premises_needed") if record.depth is None else record.depth,
        "context": record.context,
        "question": record.question,
        "options": list(record.options),
        "answer": record.answer,
        "parts": symbols.questions_of(record),
        "forms": sorted(set(record.forms or ())),
        "formulas": symbols.formula_lines(record),
        "optionFormulas": [options.get(at, "") for at in range(len(record.options))]
        if options
        else [],
        "proof": symbols.proof_lines(record),
        "meaning": symbols.meaning_lines(record),
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
        sides = [rule[side]["fact"] for rule in formulas.get("rules") or () for side in ("p", "q")]
        return {fact[1]: [fact[1]] for fact in chain(formulas["facts"], *sides)}
    if record.sentences:
        return symbols.wordings(record)
    glosses = [
        one for one in formulas.get("symbols") or () if isinstance(one, dict) and "gloss" in one
    ]
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
    kinds, steps = ("fact", "rule"), [step for side in proof.values() for step in side or ()]
    used = {(kind, step[kind]) for step in steps for kind in kinds if kind in step}
    entries = (record.sentences or {}).values()
    return [
        entry["text"] for entry in entries if any((kind, entry.get(kind)) in used for kind in kinds)
    ]


def _bare(gloss: str) -> str:
    """Return a gloss without the places of its arguments: ``{0} is new`` -> ``is new``."""
    return " ".join(gloss.replace("{0}", "").replace("{1}", "").split())
