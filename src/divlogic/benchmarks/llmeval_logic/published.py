"""Reading a folder of published layout: ``base/llmeval_logic_base.json``, ``base/rubrics/NNN.json``, ``hard/…``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from divlogic.benchmarks.llmeval_logic.formal import formalization_of, published_answer
from divlogic.benchmarks.llmeval_logic.reader import PublishedHardItem, base_item, hard_item, joined
from divlogic.benchmarks.llmeval_logic.rubric import Rubric, read_rubric
from divlogic.benchmarks.llmeval_logic.schema import EVALUATION_ONLY, Item
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
from divlogic.logic.theory import Gloss

BASE, HARD = "base/llmeval_logic_base.json", "hard/llmeval_logic_hard.json"
T = TypeVar("T", Item, PublishedHardItem)


@dataclass(slots=True)
class PublishedSet:
    """What a folder holds.

    Attributes:
        items: the Base items that can be used, with their rubrics, in file order.
        notes: what is odd but usable.
        problems: what could not be used; each a sentence that names file and item.
    """

    items: list[Item] = field(default_factory=list)
    hard: list[PublishedHardItem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def read_published_items(folder: Path) -> PublishedSet:
    """Read a folder of published layout; what cannot be used is named and left out.

    Everything read is marked evaluation-only: the licence is the authors', and nothing derived enters a release.
    """
    path = next(
        (path for path in (folder / BASE, folder / Path(BASE).name, folder) if path.is_file()), None
    )
    if path is None:
        raise DivLogicError(
            f"{folder}: holds no {BASE}; give the folder that holds `base` (and `hard`)."
        )
    root, rubrics_folder = path.parent.parent, path.parent / "rubrics"
    _require_licence(root, path)
    found = PublishedSet()
    rubrics = _read_rubrics(rubrics_folder, found)
    for name, item in _usable(path, partial(_item, path=path), found.problems):
        rubric = rubrics.pop(item.id, None)
        if rubric is None:
            found.notes.append(f"{path}, {name}: has no rubric in {rubrics_folder}.")
        found.items.append(replace(item, rubric=rubric))
    without = f"has no item in {path.name}; remove it or add the item"
    found.problems += [f"{rubrics_folder}, rubric {name}: {without}" for name in rubrics]
    if (root / HARD).is_file():
        found.hard = [item for _, item in _usable(root / HARD, hard_item, found.problems)]
    return found


def _usable(path: Path, build: Callable[[Any], T], problems: list[str]) -> Iterator[tuple[str, T]]:
    """Yield the items of a file that can be used, with the name that errors call them; name the others."""
    seen: set[str] = set()
    for place, row in enumerate(read_rows(path), start=1):
        name = f"item {row['id']}" if isinstance(row, dict) and "id" in row else f"row {place}"
        try:
            item = build(row)
            if item.id in seen:
                raise ValueError("its id is duplicated; rename or delete one of them")
        except ValueError as error:
            problems.append(f"{path}, {name}: {error}")
            continue
        seen.add(item.id)
        yield name, item


def read_rows(path: Path) -> list[Any]:
    """Return the items of a JSON file."""
    rows = read_json(path)
    if not isinstance(rows, list):
        raise DivLogicError(f"{path}: not a list of items; give the file as published.")
    return rows


def _require_licence(root: Path, base: Path) -> None:
    """Check that the authors' licence lies with the data: its notice has to stay with every copy."""
    names = (
        entry.name.lower()
        for place in (root, root.parent, base.parent)
        for entry in place.iterdir()
    )
    if not any(name.startswith(("license", "licence")) for name in names):
        raise DivLogicError(
            f"{base}: there is no LICENSE with the published data, whose notice has to stay with every copy; put the"
            f" authors' LICENSE into {root}."
        )


def _item(row: Any, path: Path) -> Item:
    raw = base_item(row)
    theory = formalization_of(raw, EVALUATION_ONLY, f"{path.name}, item {raw.id}")
    pairs = zip(raw.answers, theory.queries, strict=True)
    answers = tuple(published_answer(text, query, theory.constants) for text, query in pairs)
    original = row["original"]
    texts = (
        row.get("title"),
        original.get("background"),
        original.get("question"),
        raw.answer_text,
    )
    logic = str(row.get("logictype") or ("pl" if theory.propositional else "fol")).strip().lower()
    title, background, question, answer = (Gloss(joined(text)) for text in texts)
    return Item(
        raw.id, title, background, question, answer, theory, answers, logic, source=str(path)
    )


def _read_rubrics(folder: Path, found: PublishedSet) -> dict[str, Rubric]:
    rubrics: dict[str, Rubric] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            rubric, notes = read_rubric(read_json(path))
            if rubric.item in rubrics:
                raise ValueError(f"a second rubric of item {rubric.item}; remove one of them")
        except DivLogicError as error:
            found.problems.append(str(error))
        except ValueError as error:
            found.problems.append(f"{path}: {error}")
        else:
            rubrics[rubric.item] = rubric
            found.notes += [f"{path}, {note}" for note in notes]
    return rubrics
