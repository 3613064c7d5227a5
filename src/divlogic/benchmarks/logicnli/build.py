"""The steps that make LogicNLI's files: symbolic groups, their wording, the sets.

A group depends on the seed, its set and its index only, so that the union of the shards is the same however many there
are. No step holds more than one group, but for eight bytes per instance that find repeated ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.logicnli.realise import SetStatistics, symbols_of
from divlogic.benchmarks.logicnli.set_names import COMPRESSED_SETS, NAME, SETS
from divlogic.benchmarks.spec import split_file
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, form_of, open_bytes, read_json, write_json
from divlogic.io.log import track
from divlogic.io.shards import expanded

_ROW = re.compile(
    rb'\{"id":"[^"]+","benchmark":"%b","split":"([a-z_]+)","question_type":"[^"]+",'
    rb'("context":"[^"]*","question":"[^"]*"),"options":' % NAME.encode()
)
"""How a row begins: its set, and what an instance says. The words of this benchmark hold no quotation marks."""


def write_sets(
    files: Annotated[tuple[Path, ...], ARGUMENT, "SHARD... COUNTS...", expanded],
    *,
    out: Annotated[Path, FOLDER, "Folder of the sets."],
    statistics: Annotated[
        Path | None, "What the paper's tables print of each set, by the counts (json)."
    ] = None,
) -> dict[str, int]:
    """Put the worded SHARDs, in order, together into one file per set, and their COUNTS into statistics.

    Returns:
        Number of instances per set.
    """
    counts = [file for file in files if form_of(file) == ".json"]
    seen: dict[str, set[bytes]] = {name: set() for name in SETS}
    with ExitStack() as stack:
        paths = {name: out / split_file(name, name in COMPRESSED_SETS) for name in SETS}
        writers = {name: stack.enter_context(atomic_writer(path)) for name, path in paths.items()}
        for path in (file for file in files if file not in counts):
            with open_bytes(path) as rows:
                for number, raw in enumerate(track(rows, "rows handed on"), start=1):
                    found = _ROW.match(raw)
                    assert found is not None
                    name, digest = found[1].decode(), blake2b(found[2], digest_size=8).digest()
                    if digest in seen[name]:
                        raise DivLogicError(
                            f"{path}, row {number}: the set {name} holds this instance already; the parameters of"
                            " benchmarks.logicnli ask for more instances than there are, so allow more people,"
                            " predicates or forms, or fewer instances."
                        )
                    seen[name].add(digest)
                    writers[name].write(raw)
    if statistics:
        _write_statistics(counts, statistics)
    return {name: len(digests) for name, digests in seen.items()}


def _write_statistics(counts: Sequence[Path], out: Path) -> None:
    """Put the statistics of the shards together, a row per set."""
    counted = {name: SetStatistics() for name in SETS}
    for path in counts:
        for name, row in read_json(path)["sets"].items():
            counted[name].merge(row)
    rows = [found.row("generated", name) for name, found in counted.items()]
    write_json(out, {"sets": rows, "symbols": symbols_of(list(counted.values()))})
