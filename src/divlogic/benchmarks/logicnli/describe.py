"""The tables about the sets: what the paper prints of them, their depths next to the release's, their floors.

The construction as published is drawn symbolically in every run and preset, so that the printed scores can be
read against their floors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.logicnli.draw import SetPlan, plans
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters, LogicNLIRun
from divlogic.benchmarks.logicnli.premises import read_premises
from divlogic.benchmarks.logicnli.reader import logicnli, logicnli_rows
from divlogic.benchmarks.logicnli.realise import SetStatistics, realise, resources
from divlogic.benchmarks.logicnli.set_names import DRAWN_SETS, FLOOR_COLUMNS, printed_name
from divlogic.benchmarks.logicnli.theories import (
    LABEL_OF_STATE,
    LABELS,
    NEUTRAL,
    PARADOX,
    Group,
    program_of,
)
from divlogic.benchmarks.source import SourceFile
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json
from divlogic.io.log import track
from divlogic.io.tables import declared_tables
from divlogic.logic.horn import UNREACHED

RELEASED = {"train": "LogicNLI Train", "dev": "LogicNLI Dev.", "test": "LogicNLI Test-A"}
"""The printed names of the splits of the authors' release."""

DEEPEST = 4
"""Highest round that the table of depths lists; the release has no deeper theory."""

_THEORIES = {"embedded": 150, "full": 800}
"""Random theories drawn for the table of depths; the release trains on 800."""
_FLOOR_GROUPS = {"embedded": 10, "full": 100}
_ROUNDS = (0, 1, 2, 3, 4)

_TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))


def write_description(
    *,
    statistics: Annotated[Path, "What `sets` counted (json)."],
    release: Annotated[Path | None, FOLDER, "Folder of the authors' files, if it is here."] = None,
    profile: Annotated[Path, "What was measured on them, if not (json)."],
    drawn: Annotated[
        Path, "What was counted on sets drawn as published, at the printed sizes (json)."
    ],
    out: Annotated[Path, FOLDER, "Folder of the tables sets, depths and floors."],
    params: LogicNLIRun,
) -> None:
    """Tabulate the sets, the depths of random theories and of the release's, and what needs no reasoning in them."""
    parameters, source = params.benchmarks.logicnli, params.corpus_source
    counted = read_json(statistics, "sets", "symbols")
    known = (measure_release(release) if release else {}) or read_json(profile, "depths", "sets")
    generated = [row | {"benchmark": printed_name(row["benchmark"])} for row in counted["sets"]]
    measured = {f"released_{split}": row for split, row in known["depths"].items()}
    rows = [*generated, *known["sets"], *read_json(drawn, "sets")["sets"]]
    rows = [row for row in rows if row["instances"]]
    _TABLES["sets"].write(out / "sets", rows, symbols=counted["symbols"])
    measured["drawn"] = depths_of_random(parameters, _THEORIES[source], params.seed)
    _TABLES["depths"].write(
        out / "depths", _depth_rows(measured), columns=("label", "depth", *measured)
    )
    floors = floor_rows(parameters, _FLOOR_GROUPS[source], params.seed, _ROUNDS)
    rows = [{FLOOR_COLUMNS.get(name, name): value for name, value in row.items()} for row in floors]
    _TABLES["floors"].write(out / "floors", rows)


def write_profile(
    release: Annotated[Path, FOLDER, ARGUMENT], *, out: Annotated[Path, "Profile (json)."]
) -> None:
    """Measure the authors' files in the folder RELEASE, for runs without them."""
    found = measure_release(release)
    if not found:
        raise DivLogicError(
            f"{release}: no *_language.json of LogicNLI's release there; give the folder of LogicNLI_sim, unpacked."
        )
    write_json(out, found)


def write_counts(
    *,
    out: Annotated[Path, "What was counted (json)."],
    sets: Annotated[tuple[str, ...], "--set", "Only this set; repeatable."] = (),
    params: LogicNLIRun,
) -> None:
    """Draw every set as published, at the printed size, and count what Tables 2 and 5 print of it."""
    parameters = params.benchmarks.logicnli.model_copy(update={"preset": "as_published"})
    rows = [
        _counted(plan, parameters, params.seed)
        for plan in plans(parameters, "full")
        if plan.name in (sets or DRAWN_SETS)
    ]
    write_json(out, {"seed": params.seed, "sets": rows})


def _counted(plan: SetPlan, parameters: LogicNLIParameters, seed: int) -> dict[str, Any]:
    """Return the row of a set's records, without those of its proofs; of theories of several sizes with the lengths of
    each."""
    found, words = SetStatistics(), resources({})
    by_size: dict[int, SetStatistics] = defaultdict(SetStatistics)
    for number in track(range(plan.blocks), f"blocks of {plan.name}"):
        for group in plan.block(number, seed):
            for record in realise(group, words, parameters, seed):
                if record.split == plan.name:
                    formulas = record.formulas or {}
                    for counts in (found, by_size[len(formulas["facts"]) + len(formulas["rules"])]):
                        counts.add(record)
    named = ("as published", printed_name(plan.name))
    row, rows = found.row(*named), [by_size[size].row(*named) for size in sorted(by_size)]
    if len(rows) > 1:
        for name, decimals in (("average_length", 1), ("maximum_length", 0)):
            row[f"{name}s"] = "/ ".join(f"{one[name]:.{decimals}f}" for one in rows)
    return row


def measure_release(folder: Path) -> dict[str, Any]:
    """Return the statistics and the depths of the splits that lie unpacked in a folder; nothing if none does."""
    found: dict[str, Any] = {"sets": [], "depths": {}}
    for split, name in RELEASED.items():
        path = next(iter(sorted(folder.rglob(f"{split}_language.json"))), None)
        if path is None:
            continue
        statistics, depths = SetStatistics(), DepthCounts()
        for row, item in track(logicnli_rows(SourceFile(path), None), "released theories"):
            try:
                records = list(logicnli(row, item, SourceFile(path)))
                for record in records:
                    statistics.add(record)
            except (KeyError, TypeError, ValueError) as error:
                raise DivLogicError(
                    f"{path}, theory {row}: its formulas are missing or malformed ({error}); put its *_logic.json"
                    " next to it, or fix or delete that theory."
                ) from error
            theory = [read_premises(record) for record in records]
            labels = [record.options[record.answer or 0] for record in records]
            statements = zip(labels, (premises.rounds() for premises in theory), strict=True)
            depths.add(sum(premises.derivable() for premises in theory[:1]), statements)
        found["depths"][split] = depths.to_json()
        found["sets"].append(statistics.row("release", name))
    return found if found["sets"] else {}


class DepthCounts:
    """How many statements of each label need how many rounds, and how large the theories' least models are."""

    def __init__(self) -> None:
        self.theories = self.literals = 0
        self.counts: dict[str, Counter[int]] = {label: Counter() for label in LABELS}

    def add(self, derivable: int, statements: Iterable[tuple[str, Sequence[int | None]]]) -> None:
        """Count a theory by its derivable literals, and its statements by their labels and rounds, theirs and the
        opposite's."""
        self.theories += 1
        self.literals += derivable
        for label, sides in statements:
            if reached := [side for side in sides if side is not None]:
                self.counts[label][max(reached)] += 1

    def to_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        counts = {
            label: {str(depth): found[depth] for depth in sorted(found)}
            for label, found in self.counts.items()
            if found
        }
        return {"theories": self.theories, "literals": self.literals, "counts": counts}


def depths_of_random(parameters: LogicNLIParameters, theories: int, seed: int) -> dict[str, Any]:
    """Return the depths of random theories with the published parameters."""
    found = DepthCounts()
    for group, rounds in _closed(_plans(parameters)["train"], theories, seed):
        sides = [number if number < UNREACHED else None for number in rounds]
        judged = [(LABELS[item.label], item.statement) for item in group.items]
        statements = [
            (label, (sides[statement], sides[statement ^ 1])) for label, statement in judged
        ]
        found.add(len(sides) - sides.count(None), statements)
    return found.to_json()


def _depth_rows(measured: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the table of depths: a row per label and depth, a column per source."""
    rows: list[dict[str, Any]] = []
    for label in (*LABELS[:NEUTRAL], LABELS[PARADOX]):
        for depth in range(DEEPEST + 1):
            row: dict[str, Any] = {"label": label, "depth": depth}
            for name, found in measured.items():
                counts = found["counts"].get(label)
                row[name] = (
                    100 * counts.get(str(depth), 0) / sum(counts.values()) if counts else None
                )
            rows.append(row)
    mean = {name: found["literals"] / found["theories"] for name, found in measured.items()}
    return [*rows, {"label": "literals of the least model", "depth": None, **mean}]


def floor_rows(
    parameters: LogicNLIParameters, groups: int, seed: int, rounds: Sequence[int]
) -> list[dict[str, Any]]:
    """Return what needs no reasoning, and what some rounds of it give, on the sets as published, in percent.

    ``sign of the statement``: the most frequent label of positive and of denied statements, counted on the set itself.
    """
    found = _plans(parameters)
    right: dict[str, dict[str, float]] = defaultdict(dict)
    for name in FLOOR_COLUMNS:
        asked = [
            (item.statement & 1, item.label, (reached[item.statement], reached[item.statement ^ 1]))
            for group, reached in _closed(found[name], groups, seed)
            for item in group.items
        ]
        labels = [Counter(label for denied, label, _ in asked if denied == sign) for sign in (0, 1)]
        shares = {"sign of the statement": sum(max(one.values(), default=0) for one in labels)}
        for k in rounds:
            title = (
                "statement looked up in the facts"
                if not k
                else f"{k} round{'s' * (k > 1)} of chaining"
            )
            said = [
                (LABEL_OF_STATE[sides[0] <= k, sides[1] <= k], label) for _, label, sides in asked
            ]
            shares[title] = sum(guess == label for guess, label in said)
        for system, count in shares.items():
            right[system][name] = 100 * count / len(asked)
    return [{"system": system, **values} for system, values in right.items()]


def _plans(parameters: LogicNLIParameters) -> dict[str, SetPlan]:
    chosen = parameters.model_copy(update={"preset": "as_published"})
    return {plan.name: plan for plan in plans(chosen, "full")}


def _closed(plan: SetPlan, groups: int, seed: int) -> Iterator[tuple[Group, list[int]]]:
    """Yield the first groups of a set, each with the rounds of its literals."""
    for number in range(-(-min(groups, plan.groups) // plan.source.per_block)):
        for group in plan.block(number, seed):
            yield (
                group,
                program_of(group.rules, group.people, group.width).close(group.facts).rounds,
            )
