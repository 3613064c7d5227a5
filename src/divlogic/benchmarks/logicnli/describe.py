"""The tables about the sets: what the paper prints of them, their depths beside the release's, their floors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from divlogic.benchmarks.logicnli.as_published import (
    Depths,
    depth_rows,
    depths_of_random,
    depths_of_release,
    floor_rows,
)
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.set_names import FLOOR_COLUMNS, printed_name
from divlogic.benchmarks.logicnli.statistics import COLUMNS, SetStatistics
from divlogic.benchmarks.readers import read_benchmark
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json
from divlogic.io.log import track
from divlogic.io.tables import units_of, write_table
from divlogic.records import Record

RELEASED = {"train": "LogicNLI Train", "dev": "LogicNLI Dev.", "test": "LogicNLI Test-A"}
"""The printed names of the splits of the authors' release."""

_THEORIES = {"embedded": 150, "full": 800}
"""Random theories drawn for the table of depths; the release trains on 800."""
_FLOOR_GROUPS = {"embedded": 10, "full": 100}
_ROUNDS = (0, 1, 2, 3, 4)

_SETS_NOTE = (
    "generated: the sets of this run; release: LogicNLI_sim, the authors' files. Lengths: words and punctuation of"
    " facts, rules and statement. hops: recorded depths. subjects, predicates: distinct ones. labels: entailment,"
    " contradiction, neutral, paradox, relative to the rarest. fols: connectives and quantifiers in the formulas."
)
_DEPTHS_NOTE = (
    "Percent of the statements of a label that need so many rounds of chaining, by forward chaining (someone is P and"
    " Q: one and the same person). drawn: random theories of preset as_published. The last row: mean number of"
    " derivable literals of a theory."
)
_FLOORS_NOTE = (
    "Percent right on sets drawn as published, from the symbols alone. Without ¬ a rule derives positive literals only,"
    " so that a positive statement is entailed or neutral and a denied one contradicted or neutral: the sign alone"
    " gives two thirds on the sets of one connective."
)


def write_description(
    statistics: Path,
    out: Path,
    *,
    release: Path | None,
    profile: Path,
    parameters: LogicNLIParameters,
    corpus_source: str,
    seed: int,
) -> None:
    """Write ``sets``, ``depths`` and ``floors`` as tables.

    Args:
        statistics: what was counted when the sets were put together (json).
        out: folder of the tables.
        release: folder of the authors' files, ``None`` if it is not here.
        profile: what was measured on them, for runs without them (json).
        parameters, corpus_source, seed: of the run.

    Raises:
        DivLogicError: a file is missing or malformed.
    """
    counted = read_json(statistics)
    known = (measure_release(release) if release else {}) or read_json(profile)
    try:
        generated = [row | {"benchmark": printed_name(row["benchmark"])} for row in counted["sets"]]
        published = {f"released_{split}": Depths.from_json(row) for split, row in known["depths"].items()}
        rows = [*generated, *known["sets"]]
    except (KeyError, TypeError, ValueError) as error:
        raise DivLogicError(
            f"{profile}: not a profile of LogicNLI ({error}); make it again (divlogic benchmarks logicnli profile)."
        ) from error
    write_table(
        out / "sets",
        COLUMNS,
        [row for row in rows if row["instances"]],
        note=f"{_SETS_NOTE} In the generated formulas: {counted['symbols']}.",
        floats=1,
        units=units_of(COLUMNS, average_length="tokens", maximum_length="tokens"),
    )
    drawn = depths_of_random(parameters, _THEORIES[corpus_source], seed)
    measured = {**published, "drawn": drawn}
    columns = ("label", "depth", *measured)
    write_table(
        out / "depths",
        columns,
        depth_rows(measured),
        note=_DEPTHS_NOTE,
        floats=1,
        units=units_of(columns, released="percent", drawn="percent"),
    )
    columns = ("system", *FLOOR_COLUMNS.values())
    floors = floor_rows(parameters, _FLOOR_GROUPS[corpus_source], seed, _ROUNDS)
    write_table(
        out / "floors",
        columns,
        [{FLOOR_COLUMNS.get(name, name): value for name, value in row.items()} for row in floors],
        note=_FLOORS_NOTE,
        floats=1,
        units=dict.fromkeys(FLOOR_COLUMNS.values(), "percent"),
    )


def write_profile(release: Path, out: Path) -> None:
    """Measure the authors' files and write what the tables need of them (json).

    Raises:
        DivLogicError: no file of the release is there, or one is malformed.
    """
    found = measure_release(release)
    if not found:
        raise DivLogicError(
            f"{release}: no *_language.json of LogicNLI's release there; give the folder of LogicNLI_sim, unpacked."
        )
    write_json(out, found)


def measure_release(folder: Path) -> dict[str, Any]:
    """Return the statistics and the depths of the splits that lie unpacked in a folder; nothing if none does.

    Raises:
        DivLogicError: a file is malformed or lacks its symbolic file.
    """
    found: dict[str, Any] = {"sets": [], "depths": {}}
    for split, name in RELEASED.items():
        path = next(iter(sorted(folder.rglob(f"{split}_language.json"))), None)
        if path is None:
            continue
        statistics = SetStatistics()

        def counted(path: Path = path, statistics: SetStatistics = statistics) -> Iterator[Record]:
            for record in track(read_benchmark(path, "logicnli"), "released statements"):
                try:
                    statistics.add(record)
                except (KeyError, TypeError, ValueError) as error:
                    raise DivLogicError(
                        f"{path}, record {record.id}: its formulas are missing or malformed ({error}); put its"
                        " *_logic.json beside it, or fix or delete that theory."
                    ) from error
                yield record

        found["depths"][split] = depths_of_release(counted()).to_json()
        found["sets"].append(statistics.row("release", name))
    return found if found["sets"] else {}
