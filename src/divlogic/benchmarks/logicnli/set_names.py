"""The names of LogicNLI's sets, what a name says, and the groups that their records form.

The registry of benchmarks imports no more of the generator than this.
"""

from __future__ import annotations

from divlogic.benchmarks.logicnli.theories import CONNECTIVES, SYMBOLS
from divlogic.records import Record

NAME = "logicnli_generated"
"""The ``benchmark`` of generated records."""

POOLS = ("train", "dev", "test")
"""Pools of names and adjectives, pairwise disjoint; a set belongs to one of them."""

_A = tuple(POOLS)
_R = tuple(f"{pool}_r" for pool in POOLS)
_DEEP = ("test_g", "test_t")
CONNECTIVE_SETS = tuple(f"fol_{name}" for name in CONNECTIVES)
DRAWN_SETS = (*_A, *_R, *_DEEP, *(f"d_{name}" for name in (*_A, *_R, *_DEEP)), *CONNECTIVE_SETS)
"""Every set that is drawn, in the order of the release."""

PROOF_SETS = {"test_t": "proofs", "d_test_t": "d_proofs"}
"""The sets of the proofs' own statements, by the set whose proofs they are."""

SETS = (*DRAWN_SETS, *PROOF_SETS.values())
"""Every set of the release."""

COMPRESSED_SETS = tuple(name for name in SETS if name not in ("dev", "test"))
"""The sets that are kept compressed: a record repeats most of what others of its theory say, at each level of noise."""

FLOOR_COLUMNS = {
    "test": "Test-A", "test_g": "Test-G", "d_test": "d-LogicNLI Test-A",
    **{f"fol_{name}": symbol for name, symbol in SYMBOLS.items()},
}  # fmt: skip
"""Sets whose floors are measured as published, and how the tables head them."""


def pool_of(name: str) -> str:
    """Return the pool of names and adjectives that a set draws from."""
    stem = name.removeprefix("d_").split("_")[0]
    return stem if stem in POOLS else "test"


def kind_of(name: str) -> str:
    """Return what a set measures: A, R, G or T, `d-` before it for d-LogicNLI, or a connective."""
    if name.startswith("fol_"):
        return name.removeprefix("fol_")
    prefix, name = ("d-", name[2:]) if name.startswith("d_") else ("", name)
    last = "t" if name == "proofs" else name.rsplit("_", 1)[-1]
    return prefix + (last.upper() if last in ("r", "g", "t") else "A")


def printed_name(name: str) -> str:
    """Return the name under which Tables 2 and 5 print a set; its own name if they do not.

    >>> printed_name("d_test_r"), printed_name("test"), printed_name("fol_not")
    ('d-LogicNLI Test-R(s)', 'LogicNLI Test-A', '¬')
    """
    if name.startswith("fol_"):
        return SYMBOLS[name.removeprefix("fol_")]
    benchmark, stem = ("d-LogicNLI", name[2:]) if name.startswith("d_") else ("LogicNLI", name)
    pool, _, kind = stem.partition("_")
    if pool not in POOLS:
        return name
    suffix = {"": "", "r": "-R(s)", "g": "-G(s)", "t": "-T"}[kind]
    return (
        f"{benchmark} "
        + {"train": "Train", "dev": "Dev", "test": "Test"}[pool]
        + (suffix or {"train": "", "dev": ".", "test": "-A"}[pool])
    )


def is_test(name: str) -> bool:
    """Return whether a set is one of the test sets, every label of which is verified."""
    return pool_of(name) == "test"


def group_of(record: Record) -> str:
    """Return the quartet, with all its variants, or the theory that a record belongs to; its own id if to none."""
    return str(record.metadata.get("group") or record.metadata.get("theory") or record.id)


def spaced_groups(records: list[Record], groups: int | None) -> list[Record]:
    """Return the records of that number of groups, evenly spaced over the depths and, within each, over the set.

    The depths take turns in a set: groups evenly spaced over the set alone may all have one depth.
    """
    depths = {group_of(record): record.depth or 0 for record in reversed(records)}
    names = sorted(dict.fromkeys(map(group_of, records)), key=depths.__getitem__)
    if groups is None or groups >= len(names):
        return records
    chosen = {names[number * len(names) // groups] for number in range(groups)}
    return [record for record in records if group_of(record) in chosen]
