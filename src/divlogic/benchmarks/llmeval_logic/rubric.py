"""Rubrics: what a formalization of an item must hold, atom by atom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Group = Literal["logical_relation", "stated_constraint", "query_alignment"]
Mode = Literal["entails", "equiv", "literal_in_premise", "query_equiv"]
GROUPS: tuple[Group, ...] = Group.__args__  # type: ignore[attr-defined]
MODES: tuple[Mode, ...] = Mode.__args__  # type: ignore[attr-defined]
PREFIX: dict[Group, str] = {"logical_relation": "LR", "stated_constraint": "SC", "query_alignment": "QA"}


@dataclass(frozen=True, slots=True)
class Named:
    """A symbol of a check: its key there, and the gloss that says what it is."""

    key: str
    nl: str


@dataclass(frozen=True, slots=True)
class Check:
    """The formal side of an atom, in the published notation.

    Attributes:
        names: the symbols that it uses; the gloss, not the key, says which symbol of a formalization is meant.
        formula: of modes ``entails``, ``equiv`` and ``literal_in_premise``.
        query_type, targets: of mode ``query_equiv``.
    """

    names: tuple[Named, ...]
    mode: Mode
    formula: str = ""
    query_type: str = ""
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RubricAtom:
    """One criterion, in words and, where it has one, with its check."""

    id: str
    group: Group
    desc: str
    reason: str = ""
    check: Check | None = None


@dataclass(frozen=True, slots=True)
class Rubric:
    """The criteria of one item."""

    item: str
    atoms: tuple[RubricAtom, ...]


def read_rubric(value: Any) -> tuple[Rubric, list[str]]:
    """Read a rubric file's content; also return notes on what is odd but usable.

    Raises:
        ValueError: it is no rubric; the message says what to correct.
    """
    if not isinstance(value, Mapping) or "id" not in value or not isinstance(value.get("items"), list):
        raise ValueError("no object with `id` and a list `items`")
    notes: list[str] = []
    atoms = [_atom(row, notes) for row in value["items"]]
    ids = [atom.id for atom in atoms]
    doubled = next((name for name in ids if ids.count(name) > 1), None)
    if doubled is not None:
        raise ValueError(f"two atoms have the id {doubled}; give each its own")
    queries = [atom.id for atom in atoms if atom.group == "query_alignment"]
    if len(queries) != 1:
        found = f"{len(queries)} ({', '.join(queries)})" if queries else "none"
        raise ValueError(f"has {found} query_alignment atoms and needs exactly one")
    return Rubric(str(value["id"]), tuple(atoms)), notes


def _atom(row: Any, notes: list[str]) -> RubricAtom:
    if not isinstance(row, Mapping) or not isinstance(row.get("id"), str) or not row["id"]:
        raise ValueError("an atom has no id; add it")
    where = f"atom {row['id']}"
    group = row.get("group")
    if group not in GROUPS:
        raise ValueError(f"{where}: unknown group {group!r}; known are {', '.join(GROUPS)}")
    if not row["id"].startswith(PREFIX[group]):
        notes.append(f"{where}: its id does not fit the group {group}")
    if not isinstance(row.get("desc"), str) or not row["desc"].strip():
        raise ValueError(f"{where}: has no description; add `desc`")
    reason = row.get("reason") or ""
    check = None
    if row.get("z3_check") is not None:
        check = _check(row["z3_check"], where)
    elif "omitted" not in str(reason):
        notes.append(f"{where}: has no z3_check and its reason does not say why")
    return RubricAtom(row["id"], group, row["desc"], str(reason), check)


def _check(row: Any, where: str) -> Check:
    if not isinstance(row, Mapping):
        raise ValueError(f"{where}: its z3_check is not an object")
    mode = row.get("mode")
    if mode not in MODES:
        raise ValueError(f"{where}: unknown mode {mode!r}; known are {', '.join(MODES)}")
    names = []
    atoms = row.get("atoms") or []
    if not isinstance(atoms, list):
        raise ValueError(f"{where}: the symbols (`atoms`) of its z3_check are no list")
    for each in atoms:
        if not isinstance(each, Mapping) or not isinstance(each.get("key"), str):
            raise ValueError(f"{where}: a symbol of its z3_check has no key")
        names.append(Named(each["key"], str(each.get("nl") or "")))
    if mode == "query_equiv":
        target = row.get("target")
        targets = [target] if isinstance(target, str) else target
        if not isinstance(row.get("query_type"), str) or not isinstance(targets, list):
            raise ValueError(f"{where}: query_equiv needs `query_type` and `target`")
        return Check(tuple(names), mode, query_type=row["query_type"], targets=tuple(map(str, targets)))
    if not isinstance(row.get("formula"), str) or not row["formula"].strip():
        raise ValueError(f"{where}: mode {mode} needs a formula")
    return Check(tuple(names), mode, formula=row["formula"])
