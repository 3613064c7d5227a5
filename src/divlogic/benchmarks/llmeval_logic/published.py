"""Reading a folder of published layout: ``base/llmeval_logic_base.json``, ``base/rubrics/NNN.json``, ``hard/…``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.formal import Published, formalization_of, published_answer
from divlogic.benchmarks.llmeval_logic.normalise import normalised
from divlogic.benchmarks.llmeval_logic.reader import (
    PublishedHardItem,
    answer_texts,
    read_hard,
    read_rows,
    text_list,
)
from divlogic.benchmarks.llmeval_logic.rubric import Rubric, read_rubric
from divlogic.benchmarks.llmeval_logic.schema import EVALUATION_ONLY, Finding, Item
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
from divlogic.logic.theory import Gloss

BASE, HARD, RUBRICS = "base/llmeval_logic_base.json", "hard/llmeval_logic_hard.json", "base/rubrics"


@dataclass(slots=True)
class PublishedSet:
    """What a folder holds.

    Attributes:
        items: the Base items that can be used, with their rubrics, in file order.
        hard: the Hard items.
        findings: what normalisation changed or noted.
        notes: what is odd but usable.
        problems: what could not be used; each a sentence that names file and item.
    """

    items: list[Item] = field(default_factory=list)
    hard: list[PublishedHardItem] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def require_sound(self) -> None:
        """Raise if anything could not be used.

        Raises:
            DivLogicError: something could not.
        """
        if self.problems:
            more = f" ({len(self.problems) - 3} more)" if len(self.problems) > 3 else ""
            raise DivLogicError("; ".join(self.problems[:3]) + more)


def read_published(folder: Path) -> PublishedSet:
    """Read a folder of published layout; what cannot be used is named and left out.

    Everything read is marked evaluation-only: the licence is the authors', and nothing derived enters a release.

    Raises:
        DivLogicError: the folder holds no Base file or no LICENSE, or the file is not JSON or no list.
    """
    path = _base_file(folder)
    found = PublishedSet()
    root = path.parent.parent
    _require_licence(root, path)
    rubrics = _read_rubrics(path.parent / "rubrics", found)
    seen: set[str] = set()
    for place, row in enumerate(read_rows(path)):
        name = f"item {row['id']}" if isinstance(row, dict) and "id" in row else f"row {place + 1}"
        try:
            item, findings = _item(row, path)
            if item.id in seen:
                raise ValueError("its id is duplicated; rename or delete one of them")
        except ValueError as error:
            found.problems.append(f"{path}, {name}: {error}")
            continue
        seen.add(item.id)
        found.findings += findings
        if item.id in rubrics:
            item = replace(item, rubric=rubrics[item.id])
        else:
            found.notes.append(f"{path}, {name}: has no rubric in {path.parent / 'rubrics'}.")
        found.items.append(item)
    for name in rubrics:
        if name not in seen:
            found.problems.append(
                f"{path.parent / 'rubrics'}, rubric {name}: has no item in {path.name}; remove it or add the item"
            )
    hard = root / HARD
    if hard.is_file():
        found.hard = list(read_hard(hard, found.problems))
    return found


def _require_licence(root: Path, base: Path) -> None:
    """Check that the authors' licence lies with the data: its notice has to stay with every copy.

    Raises:
        DivLogicError: it does not.
    """
    names = (entry.name.lower() for place in (root, root.parent, base.parent) for entry in place.iterdir())
    if not any(name.startswith(("license", "licence")) for name in names):
        raise DivLogicError(
            f"{base}: there is no LICENSE with the published data, whose notice has to stay with every copy; put the"
            f" authors' LICENSE into {root}."
        )


def published_row(row: Any) -> Published:
    """Read the strings of one Base item.

    Raises:
        ValueError: a field is missing or of the wrong kind, or questions and answers differ in number.
    """
    if not isinstance(row, dict):
        raise ValueError("is not an object")
    if "id" not in row or row["id"] in (None, ""):
        raise ValueError("has no id; add it")
    formal, original = row.get("formalization"), row.get("original")
    if not isinstance(formal, dict) or not isinstance(original, dict):
        raise ValueError("has no 'formalization' or no 'original'")
    for name in ("parameters", "translation"):
        if not isinstance(formal.get(name) or {}, dict):
            raise ValueError(f"the field 'formalization.{name}' is not an object")
    lists = {
        name: text_list(_listed(formal.get(name)), f"formalization.{name}")
        for name in ("premise", "question")
    }
    answers = answer_texts(_listed(formal.get("answer")))
    if len(lists["question"]) != len(answers):
        raise ValueError(
            f"has {len(lists['question'])} formal questions but {len(answers)} answers; complete the shorter list"
        )
    return Published(
        str(row["id"]),
        {str(key): str(value) for key, value in (formal.get("parameters") or {}).items()},
        {str(key): str(value) for key, value in (formal.get("translation") or {}).items()},
        lists["premise"],
        lists["question"],
        answers,
        text_list(_listed(row.get("label_type") or []), "label_type"),
        _joined(original.get("answer")),
    )


def _listed(value: Any) -> Any:
    """Return a field that may be a single text as a list."""
    return [value] if isinstance(value, str) else value


def _joined(value: Any) -> str:
    """Return a text that may be given as a list of texts; nothing is an empty text."""
    if isinstance(value, list):
        return "".join(map(str, value))
    return "" if value is None else str(value)


def _item(row: Any, path: Path) -> tuple[Item, list[Finding]]:
    raw, findings = normalised(published_row(row))
    theory = formalization_of(raw, EVALUATION_ONLY, f"{path.name}, item {raw.id}")
    answers = tuple(
        published_answer(text, query, theory.constants)
        for text, query in zip(raw.answers, theory.queries, strict=True)
    )
    original = row["original"]
    item = Item(
        raw.id,
        Gloss(_joined(row.get("title"))),
        Gloss(_joined(original.get("background"))),
        Gloss(_joined(original.get("question"))),
        Gloss(raw.answer_text),
        theory,
        answers,
        raw.label_types,
        str(row.get("logictype") or ("pl" if theory.propositional else "fol")).strip().lower(),
        source=str(path),
    )
    return item, findings


def _read_rubrics(folder: Path, found: PublishedSet) -> dict[str, Rubric]:
    rubrics: dict[str, Rubric] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            rubric, notes = read_rubric(read_json(path))
            if rubric.item in rubrics:
                raise ValueError(f"a second rubric of item {rubric.item}; remove one of them")
        except (ValueError, DivLogicError) as error:
            found.problems.append(str(error) if str(error).startswith(str(path)) else f"{path}: {error}")
            continue
        rubrics[rubric.item] = rubric
        found.notes += [f"{path}, {note}" for note in notes]
    return rubrics


def _base_file(folder: Path) -> Path:
    for path in (folder / BASE, folder / Path(BASE).name, folder):
        if path.is_file():
            return path
    raise DivLogicError(f"{folder}: holds no {BASE}; give the folder that holds `base` (and `hard`).")
