"""LogicNLI's four diagnoses (Tian et al., 2021, Section 4.3), and the tables and curves of them.

The four are accuracy, robustness, generalisation and traceability; the tables are the paper's Tables 4, 6 and 7, the
curves those of its Figures 3 and 4. An instance without a prediction is wrong. Intervals are percentiles of bootstrap
samples of whole groups, whose instances hang together: quartets with all their variants, or theories.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np

from divlogic.benchmarks.logicnli.set_names import CONNECTIVE_SETS, group_of
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.logicnli.answers import ASKED, answer_sets, prediction_rows, set_file, slim
from divlogic.evaluation.parameters import EvaluationRun, Recordings
from divlogic.intervals import Estimate, Floats, bootstrap_means, wilson
from divlogic.io.files import read_json, write_json, write_jsonl
from divlogic.io.log import track
from divlogic.io.tables import declared_tables, read_table
from divlogic.models.predictions import Prediction, lost_cells, lost_note, read_predictions
from divlogic.models.recordings.reading import note_of
from divlogic.models.styles import CLOSED
from divlogic.records import Record, grouped, read_records

T = TypeVar("T", float, Floats)


@dataclass(frozen=True)
class Diagnosis:
    """What the predictions of one system say of it; each method takes the records of a set.

    Attributes:
        predictions: the label predicted for each record's id; ``None`` where the answer names none.
        resamples: how often groups are drawn again.
        seed: of these draws.
    """

    predictions: Mapping[str, str | None]
    resamples: int = 1000
    seed: int = 0

    def correct(self, records: Iterable[Record]) -> dict[str, bool]:
        """Return for each record whether it was answered right."""
        found = {}
        for record in records:
            if record.answer is None:
                name = f"{record.id} of {record.split}"
                raise DivLogicError(f"record {name} has no label; diagnose labelled sets only.")
            found[record.id] = self.predictions.get(record.id) == record.options[record.answer]
        return found

    def accuracy(self, records: Sequence[Record]) -> Estimate:
        """Return the share answered right, with its 95 % interval over groups."""
        return self._share(self._judged(records))

    def quartet_em(self, records: Sequence[Record]) -> Estimate:
        """Return the share of quartets with four right answers (guessing: chance to the power of four)."""
        right = self.correct(records)
        for record in records:
            if "quartet" not in record.metadata:
                raise DivLogicError(
                    f"record {record.id} belongs to no quartet; quartet-EM needs the preset balanced."
                )
        quartets = grouped(records, lambda record: (group_of(record), record.metadata["quartet"]))
        whole = {key: all(right[one.id] for one in items) for key, items in quartets.items()}
        return self._share([(group, exact, 1) for (group, _), exact in whole.items()])

    def depth(self, records: Sequence[Record]) -> dict[str, float]:
        """Return the accuracy and its interval read as a depth (``depth``); nothing where depths are not uniform."""
        counts = Counter(record.depth or 0 for record in records)
        if len(set(counts.values())) > 1:
            return {}
        chance, found = 1 / len({record.answer for record in records}), self.accuracy(records)
        ends = {"depth": found.value, "depth_low": found.low, "depth_high": found.high}
        return {
            end: equivalent_depth(value, list(counts), chance=chance) for end, value in ends.items()
        }

    def robustness(self, records: Sequence[Record], size: Callable[[Record], float]) -> Estimate:
        """Return δR = (f(n0) - f(n1)) / f(n0) with its interval over groups.

        f is the least-squares line through accuracy over size, n0 the smallest and n1 the largest size of the records.

        Raises:
            ValueError: all records have one size.
        """
        sizes = sorted(set(map(size, records)))
        if len(sizes) < 2:
            raise ValueError("a line needs two sizes")
        right = self.correct(records)
        rows: dict[str, Floats] = defaultdict(lambda: np.zeros((2, len(sizes))))
        for record in records:
            rows[group_of(record)][:, sizes.index(size(record))] += (right[record.id], 1)
        table = self._resampled(np.array(list(rows.values())).reshape(len(rows), -1))
        shares = _ratios(table[:, : len(sizes)], table[:, len(sizes) :])
        centred = np.asarray(sizes) - np.mean(sizes)
        slopes = (shares - shares.mean(axis=1, keepdims=True)) @ centred / (centred @ centred)
        first, last = (shares.mean(axis=1) + slopes * centred[at] for at in (0, -1))
        return _interval(np.where(first > 1e-12, _ratios(first - last, first), np.nan))

    def generalisation(self, within: Sequence[Record], beyond: Sequence[Record]) -> Estimate:
        """Return δA→G with its interval over the groups of both sets, which are drawn independently."""
        first, second = (
            self._shares(self._judged(part), at) for at, part in enumerate((within, beyond))
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            return _interval(generalisation(first, second))

    def curve(
        self, records: Sequence[Record], key: Callable[[Record], float]
    ) -> dict[float, Estimate]:
        """Return the accuracy at each value of ``key``: depth (Figure 4), sentences or noise (Figure 3)."""
        return {value: self.accuracy(part) for value, part in sorted(grouped(records, key).items())}

    def traceability(self, records: Sequence[Record], proofs: Sequence[Record]) -> dict[str, float]:
        """Return how the statements of the proofs of the instances answered right were judged, in percent.

        Returns:
            ``targets``: number of instances answered right; ``proofs``: of statements of their proofs; if there are
            any, ``p_acc``: share of these judged right, and ``majority``: of their most frequent label; if there are
            targets, ``p_em``: share of those all of whose statements were judged right; with intervals.
        """
        right, judged = self.correct(records), self.correct(proofs)
        of_target: dict[str, list[bool]] = {name: [] for name, holds in right.items() if holds}
        labels: Counter[int] = Counter()
        for proof in proofs:
            target = proof.metadata["proves"]
            if target in of_target:
                of_target[target].append(judged[proof.id])
                labels[int(proof.answer or 0)] += 1
        rows = [(group_of(record), of_target.get(record.id)) for record in records]
        exact = [
            (group, items is not None and all(items), items is not None) for group, items in rows
        ]
        single = [(group, sum(items or ()), len(items or ())) for group, items in rows]
        count = labels.total()
        found: dict[str, float] = {"targets": len(of_target), "proofs": count}
        if count:
            found |= {"majority": 100 * max(labels.values()) / count} | self._share(single).cells(
                "p_acc"
            )
        return found | (self._share(exact).cells("p_em") if of_target else {})

    def _judged(self, records: Sequence[Record]) -> list[tuple[str, bool, int]]:
        """Return the group of each record, whether it was answered right, and that it is one."""
        right = self.correct(records)
        return [(group_of(record), right[record.id], 1) for record in records]

    def _share(self, judged: Sequence[tuple[str, float, float]]) -> Estimate:
        """Return the share that is right, with its interval over resampled groups: Wilson's where all or none is."""
        found = _interval(self._shares(judged))
        clusters = len({group for group, *_ in judged})
        return wilson(found.value, clusters) if found.value in (0.0, 1.0) else found

    def _shares(self, judged: Iterable[tuple[str, float, float]], stream: int = 0) -> Floats:
        """Return the share that is right, then those of resampled groups; shape (1 + samples,).

        Args:
            judged: (group, number right, number).
            stream: of the resampling.
        """
        rows: dict[str, Floats] = defaultdict(lambda: np.zeros(2))
        for group, right, count in judged:
            rows[group] += (right, count)
        table = self._resampled(np.array(list(rows.values())), stream)
        return _ratios(table[:, 0], table[:, 1])

    def _resampled(self, table: Floats, stream: int = 0) -> Floats:
        """Return the means over all groups, and below them those over resampled groups."""
        if not len(table):
            raise DivLogicError("there is no record to diagnose; give a set that is not empty.")
        drawn = bootstrap_means(table, seed=self.seed, resamples=self.resamples, stream=stream)
        return np.vstack([table.mean(axis=0), drawn])


def generalisation(within: T, beyond: T) -> T:
    """Return δA→G = (M1 - M2) / M1, M1 the accuracy on Test-A and M2 on Test-G.

    >>> round(generalisation(0.559, 0.316), 3)
    0.435
    """
    return (within - beyond) / within


def equivalent_depth(value: float, depths: Sequence[int], *, chance: float = 0.25) -> float:
    """Return the rounds of the chaining reader that has this accuracy, between depths by interpolation.

    Args:
        value: an accuracy on quartets whose depths are uniform.
        depths: those depths.
        chance: accuracy of a reader who chains no round.

    >>> equivalent_depth(0.7, [1, 2, 3, 4, 5])
    3.0
    """
    steps = sorted(depths)
    ruler = [chance + (1 - chance) * number / len(steps) for number in range(len(steps) + 1)]
    return float(np.interp(value, ruler, [steps[0] - 1, *steps]))


def _interval(values: Floats) -> Estimate:
    """Return the first value with the percentiles of the others."""
    whole, drawn = float(values[0]), values[1:]
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.quantile(drawn, (0.025, 0.975)) if len(drawn) else (np.nan, np.nan)
    return Estimate(whole, float(min(low, whole)), float(max(high, whole)))


def _ratios(over: Floats, under: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(over / under)


BENCHMARKS = {"LogicNLI": "", "d-LogicNLI": "d_"}
"""The two benchmarks of the paper, with what the names of their sets begin with."""

TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))
Systems = dict[str, dict[str, str | None]]
Diagnoses = Mapping[str, Diagnosis]
_RECORDED = ("diagnosis", "connectives")
"""The tables whose rows are recorded."""


def write_diagnosis(
    predictions: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    folder: Annotated[Path, "--sets", FOLDER, "Folder of the sets."],
    answers: Annotated[Path, "What the learners answered (jsonl)."],
    recordings: Recordings = (),
    recorded: Annotated[
        tuple[Path, ...], "Recorded rows of an earlier run (json); repeatable."
    ] = (),
    out: Annotated[Path, FOLDER, "Folder of the tables and the figure."],
    params: EvaluationRun,
) -> None:
    """Train the learners of the parameters, answer every set, and diagnose them and the systems of the PREDICTIONS."""
    learners = params.evaluation.logicnli.learners
    sets: dict[str, list[Record]] = {name: [] for name in ASKED}
    systems: Systems = {name: {} for name in learners}

    def rows() -> Iterator[dict[str, Any]]:
        for record, labels in track(
            answer_sets(folder, learners, params.seed), "answered statements"
        ):
            sets[record.split].append(record)
            for system, label in labels.items():
                systems[system][record.id] = label
            yield from prediction_rows(record, labels)

    write_jsonl(answers, rows())
    if not learners:
        sets = {name: list(map(slim, read_records(set_file(folder, name)))) for name in ASKED}
    sources = dict.fromkeys(learners, "learner")
    statuses: dict[str, dict[str, str]] = {}
    for path in predictions:
        found = add_predictions(systems, read_predictions(path), sets, path, statuses)
        sources.update(dict.fromkeys(found, "model"))
    drawn = (params.evaluation.resamples, params.seed)
    diagnoses = {system: Diagnosis(labels, *drawn) for system, labels in systems.items()}
    earlier = [read_json(path, "remark", *_RECORDED) for path in recorded]
    note = note_of(recordings) + "".join(f" {one['remark']}" for one in earlier)
    measured = {
        "diagnosis": _diagnosis_rows(diagnoses, sources, sets, statuses),
        "connectives": _connective_rows(diagnoses, sources, sets),
    }
    for name in _RECORDED:
        recorded_rows = [row for one in earlier for row in one[name]]
        rows_of = [*measured[name], *recorded_rows]
        TABLES[name].write(out / name, rows_of, note + lost_note(rows_of))
    TABLES["curves"].write(out / "curves", list(_curve_rows(diagnoses, sets)))


def record_diagnosis(
    system: Annotated[str, ARGUMENT, "SYSTEM"],
    *,
    folder: Annotated[Path, "--in", FOLDER, "Folder of the tables of a diagnosis."],
    remark: Annotated[str, "What it was trained on and asked, by what, and when: a sentence."],
    out: Annotated[Path, "The recording (json), in data/recorded/logicnli."],
) -> None:
    """Record the rows of SYSTEM in the tables of a diagnosis, for every later run to show."""
    rows = {
        name: [
            {key: value for key, value in row.items() if value is not None}
            | {"system": f"{system} (recorded)", "source": "recording"}
            for row in read_table(folder / name)
            if row["system"] == system
        ]
        for name in _RECORDED
    }
    if not rows["diagnosis"]:
        known = ", ".join(dict.fromkeys(row["system"] for row in read_table(folder / "diagnosis")))
        raise DivLogicError(f"{folder}: no row of '{system}'; there are {known}.")
    write_json(out, {"remark": remark, **rows})


def add_predictions(
    systems: Systems,
    predictions: Iterable[Prediction],
    sets: Mapping[str, Sequence[Record]],
    path: Path,
    statuses: dict[str, dict[str, str]],
) -> list[str]:
    """Add the answers of other systems, and their statuses where these are no whole answers; return their names."""
    known = {record.id for records in sets.values() for record in records}
    found: Systems = defaultdict(dict)
    for prediction in predictions:
        # The model, with the prompt style unless that is the plain one.
        styled = prediction.prompt in CLOSED and prediction.prompt != "zero_shot"
        name = prediction.model + (f", {prediction.prompt.replace('_', ' ')}" if styled else "")
        if prediction.instance not in known:
            raise DivLogicError(
                f"{path}: the prediction of {prediction.model} for {prediction.instance!r} belongs to no statement of"
                " LogicNLI's sets; ask the sets of this run."
            )
        if prediction.instance in found[name] or name in systems:
            raise DivLogicError(
                f"{path}: {name} answers {prediction.instance!r} more than once; give one prompt style and one run,"
                " under a name that no learner has."
            )
        found[name][prediction.instance] = prediction.predicted
        if prediction.status:
            statuses.setdefault(name, {})[prediction.instance] = prediction.status
    systems.update(found)
    return list(found)


def _diagnosis_rows(
    diagnoses: Diagnoses,
    sources: Mapping[str, str],
    sets: Mapping[str, Sequence[Record]],
    statuses: Mapping[str, Mapping[str, str]],
) -> Iterator[dict[str, Any]]:
    """Yield a row per system and benchmark: what it was asked of, measured; in percent."""
    for system, diagnosis in diagnoses.items():
        for setting, start in BENCHMARKS.items():
            asked = {
                name.removeprefix(start): part
                for name, records in sets.items()
                if name.startswith(start) and (part := _asked(records, diagnosis))
            }
            row: dict[str, Any] = {"system": system, "setting": setting, "source": sources[system]}
            for name in ("dev", "test", "dev_r", "test_r", "test_g"):
                if name in asked:
                    row |= diagnosis.accuracy(asked[name]).cells(name)
            row["statements"] = len(asked.get("test", ())) or None
            if (of_system := statuses.get(system)) and "test" in asked:
                counts = Counter(of_system.get(record.id, "") for record in asked["test"])
                row |= lost_cells(counts, counts.total())
            if "test" in asked and "quartet" in asked["test"][0].metadata:
                row |= diagnosis.quartet_em(asked["test"]).cells("quartet_em") | diagnosis.depth(
                    asked["test"]
                )
            if len({size_of(record) for record in asked.get("test_r", ())}) > 1:
                row |= diagnosis.robustness(asked["test_r"], size_of).cells("robustness")
            if "test" in asked and "test_g" in asked:
                row |= diagnosis.generalisation(asked["test"], asked["test_g"]).cells(
                    "generalisation"
                )
            if "test_t" in asked and "proofs" in asked:
                row |= diagnosis.traceability(asked["test_t"], asked["proofs"])
            if asked:
                yield row


def _curve_rows(
    diagnoses: Diagnoses, sets: Mapping[str, Sequence[Record]]
) -> Iterator[dict[str, Any]]:
    """Yield the points of Figure 3 (set R, by size) and Figure 4 (sets A and G, by depth), in percent."""
    for system, diagnosis in diagnoses.items():
        for setting, start in BENCHMARKS.items():
            for letter, name, key in _CURVES:
                records = _asked(sets[start + name], diagnosis)
                counts = Counter(map(key, records))
                for at, found in diagnosis.curve(records, key).items():
                    row = {"system": system, "setting": setting, "set": letter, "at": int(at)}
                    yield row | found.cells("accuracy") | {"instances": counts[at]}


def _connective_rows(
    diagnoses: Diagnoses, sources: Mapping[str, str], sets: Mapping[str, Sequence[Record]]
) -> Iterator[dict[str, Any]]:
    """Yield a row per system with its accuracy on the set of each connective, in percent."""
    for system, diagnosis in diagnoses.items():
        row: dict[str, Any] = {"system": system, "source": sources[system]}
        for name in CONNECTIVE_SETS:
            if part := _asked(sets[name], diagnosis):
                row |= diagnosis.accuracy(part).cells(name)
                row["statements"] = min(len(part), row.get("statements", len(part)))
        if len(row) > 2:
            yield row


def size_of(record: Record) -> float:
    """Return the amount of noise around the proof: noise sentences of a quartet, else facts and rules."""
    about = record.metadata
    noise = about.get("noise") if "quartet" in about else None
    return float(about.get("sentences", 0) if noise is None else noise)


def depth_of(record: Record) -> float:
    """Return the depth of a record, 0 without one."""
    return float(record.depth or 0)


_CURVES = (("R", "test_r", size_of), ("A", "test", depth_of), ("G", "test_g", depth_of))
"""Letter of a curve in the figures, its set, and what it is over."""


def _asked(records: Sequence[Record], diagnosis: Diagnosis) -> list[Record]:
    """Return the statements of a set that a system was asked: a slow model answers part of it."""
    return [record for record in records if record.id in diagnosis.predictions]
