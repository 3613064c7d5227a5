"""The passes that make LogicNLI: symbolic groups, wording, assembly.

A group depends on the seed, its set and its index only, so that the union of the shards is the same however many there
are. No pass holds more than one group, but for eight bytes per instance that find repeated ones. Wording writes the
rows as they will stand and counts what they hold, side by side; assembly is one process, and only hands rows on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from divlogic.benchmarks.logicnli.instances import NAME, group_records
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.set_names import SETS
from divlogic.benchmarks.logicnli.sets import draw_shard, plans
from divlogic.benchmarks.logicnli.statistics import SetStatistics, symbols_of
from divlogic.benchmarks.logicnli.theories import Group
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, open_bytes, read_as, read_json, write_json, write_jsonl
from divlogic.io.log import track
from divlogic.io.notes import read_note
from divlogic.records import Record

_ROW = re.compile(
    rb'\{"id":"([^"]+)","benchmark":"%b","split":"([a-z_]+)","question_type":"[^"]+",'
    rb'("context":"[^"]*","question":"[^"]*"),"options":' % NAME.encode()
)
"""How a row begins: its id, its set, and what an instance says. The words of this benchmark hold no quotation marks."""


def write_drawn(
    out: Path, shard: int, shards: int, *, seed: int, parameters: LogicNLIParameters, corpus_source: str
) -> int:
    """Draw the symbolic groups of one shard; return their number."""
    sets = plans(parameters, corpus_source)
    groups = track(draw_shard(sets, shard, shards, seed), "symbolic groups")
    return write_jsonl(out, (group.to_json() for group in groups))


def write_realised(drawn: Path, out: Path, *, seed: int, preset: str, counts: Path | None = None) -> int:
    """Word the groups of one shard; return the number of instances.

    Args:
        drawn: symbolic groups.
        out: the records, in the order of the groups.
        seed: seed of the run.
        preset: noted in each record.
        counts: their number, and by set what Tables 1, 2 and 5 count (json).

    Raises:
        DivLogicError: the file is missing or malformed.
    """
    sets: dict[str, SetStatistics] = {}

    def rows() -> Iterator[dict[str, Any]]:
        for _, group in track(read_as(drawn, Group.from_json, "a symbolic group"), "worded groups"):
            for record in group_records(group, seed, preset):
                if counts:
                    sets.setdefault(record.split, SetStatistics()).add(record)
                yield record.to_json()

    # Rows repeat most of what the row before says: the lightest compression leaves a ninth, at a third of the time.
    written = write_jsonl(out, rows(), level=1)
    if counts:
        write_json(
            counts, {"instances": written, "sets": {name: one.to_json() for name, one in sets.items()}}
        )
    return written


def write_sets(
    realised: Sequence[Path], out: Path, counts: Sequence[Path] = (), statistics: Path | None = None
) -> dict[str, int]:
    """Put the shards together: one file per set, in the order of the shards.

    Args:
        realised: the worded shards.
        out: folder of the sets.
        counts: what was counted while they were worded.
        statistics: what Tables 1, 2 and 5 print of each set, by the counts (json).

    Returns:
        Number of instances per set.

    Raises:
        DivLogicError: a file is missing, a record is not one of this benchmark, the counts are of other shards, or an
            instance is repeated: the parameters ask for more instances than there are.
    """
    seen: dict[str, set[bytes]] = {name: set() for name in SETS}
    with ExitStack() as stack:
        files = {name: stack.enter_context(atomic_writer(out / f"{name}.jsonl")) for name in SETS}
        for path in realised:
            for number, raw in track(_rows(path), "rows handed on"):
                found = _ROW.match(raw)
                name = found[2].decode() if found else ""
                if found is None or name not in files:
                    raise DivLogicError(
                        f"{path}, row {number}: not a worded instance of LogicNLI; give the files of"
                        " `divlogic benchmarks realise logicnli`."
                    )
                digest = blake2b(found[3], digest_size=8).digest()
                if digest in seen[name]:
                    raise DivLogicError(
                        f"{path}, record {found[1].decode()}: the set {name} holds this instance already; the"
                        " parameters of benchmarks.logicnli ask for more instances than there are, so allow more"
                        " people, predicates or forms, or fewer instances."
                    )
                seen[name].add(digest)
                files[name].write(raw)
        if statistics:
            counted = _counted(counts)
            for name, one in counted.items():
                if one.instances != len(seen[name]):
                    raise DivLogicError(
                        f"{counts[0] if counts else statistics}: {one.instances:,} instances of {name} were counted"
                        f" and {len(seen[name]):,} are here; give the counts of the same shards."
                    )
            rows = [found.row("generated", name) for name, found in counted.items()]
            write_json(statistics, {"sets": rows, "symbols": symbols_of(list(counted.values()))})
    return {name: len(digests) for name, digests in seen.items()}


def _rows(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (row number, row) of a shard; each row is checked unless the note on the file speaks for all of it."""
    noted = read_note(path) is not None
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            if not noted:
                try:
                    Record.from_json(orjson.loads(raw))
                except (AttributeError, KeyError, ValueError) as error:
                    raise DivLogicError(f"{path}, row {number}: {error}; make the file again.") from error
            yield number, raw


def _counted(counts: Sequence[Path]) -> dict[str, SetStatistics]:
    """Return the statistics of every set, put together from those of the shards."""
    counted = {name: SetStatistics() for name in SETS}
    for path in counts:
        try:
            for name, row in read_json(path)["sets"].items():
                counted[name].merge(row)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DivLogicError(
                f"{path}: not the counts of a shard of LogicNLI ({error}); make the file again."
            ) from error
    return counted
