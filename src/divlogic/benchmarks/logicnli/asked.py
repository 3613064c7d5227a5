"""What hangs together in LogicNLI's sets, and which part of a set is asked."""

from __future__ import annotations

from divlogic.records import Record


def group_of(record: Record) -> str:
    """Return the quartet, with all its variants, or the theory that a record belongs to; its own id if to none."""
    metadata = record.metadata
    if "base" in metadata:  # an instance at several sizes: set, group, instance
        return str(metadata["base"]).rsplit("-", 1)[0]
    return str(metadata.get("quartet") or metadata.get("theory") or metadata.get("proves") or record.id)


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
