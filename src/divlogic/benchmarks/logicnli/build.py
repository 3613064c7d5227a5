"""The passes that make LogicNLI: symbolic groups, wording, assembly.

A group depends on the seed, its set and its index only, so that the union of the shards is the same however many there
are. No pass holds more than one group, but for eight bytes per instance that find repeated ones.
"""

from __future__ import annotations

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
from divlogic.io.files import atomic_writer, read_as, write_json, write_jsonl
from divlogic.io.log import track
from divlogic.records import read_records


def write_drawn(
    out: Path, shard: int, shards: int, *, seed: int, parameters: LogicNLIParameters, corpus_source: str
) -> int:
    """Draw the symbolic groups of one shard; return their number."""
    sets = plans(parameters, corpus_source)
    groups = track(draw_shard(sets, shard, shards, seed), "symbolic groups")
    return write_jsonl(out, (group.to_json() for group in groups))


def write_realised(drawn: Path, out: Path, *, seed: int, preset: str) -> int:
    """Word the groups of one shard; return the number of instances.

    Raises:
        DivLogicError: the file is missing or malformed.
    """

    def rows() -> Iterator[dict[str, Any]]:
        for _, group in track(read_as(drawn, Group.from_json, "a symbolic group"), "worded groups"):
            for record in group_records(group, seed, preset):
                yield record.to_json()

    return write_jsonl(out, rows())


def write_sets(realised: Sequence[Path], out: Path, statistics: Path | None = None) -> dict[str, int]:
    """Put the shards together: one file per set, in the order of the shards.

    Args:
        realised: the worded shards.
        out: folder of the sets.
        statistics: what Tables 1, 2 and 5 print of each set (json).

    Returns:
        Number of instances per set.

    Raises:
        DivLogicError: a file is missing, a record is not one of this benchmark, or an instance is repeated: the
            parameters ask for more instances than there are.
    """
    counts = {name: SetStatistics() for name in SETS}
    seen: dict[str, set[bytes]] = {name: set() for name in SETS}
    with ExitStack() as stack:
        files = {name: stack.enter_context(atomic_writer(out / f"{name}.jsonl")) for name in SETS}
        for path in realised:
            for record in read_records(path):
                if record.benchmark != NAME or record.split not in files:
                    raise DivLogicError(
                        f"{path}, record {record.id}: not a worded instance of LogicNLI; give the files of"
                        " `divlogic benchmarks realise logicnli`."
                    )
                digest = blake2b(f"{record.context}\n{record.question}".encode(), digest_size=8).digest()
                if digest in seen[record.split]:
                    raise DivLogicError(
                        f"{path}, record {record.id}: the set {record.split} holds this instance already; the"
                        " parameters of benchmarks.logicnli ask for more instances than there are, so allow more"
                        " people, predicates or forms, or fewer instances."
                    )
                seen[record.split].add(digest)
                files[record.split].write(orjson.dumps(record.to_json(), option=orjson.OPT_APPEND_NEWLINE))
                counts[record.split].add(record)
    if statistics:
        rows = [found.row("generated", name) for name, found in counts.items()]
        write_json(statistics, {"sets": rows, "symbols": symbols_of(list(counts.values()))})
    return {name: found.instances for name, found in counts.items()}
