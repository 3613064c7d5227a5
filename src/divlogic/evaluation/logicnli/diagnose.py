"""The tables of LogicNLI's diagnosis: Tables 4, 6 and 7 of the paper, and the curves of its Figures 3 and 4."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.logicnli.set_names import CONNECTIVE_SETS
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.logicnli.answers import ASKED, answer_sets, prediction_rows, set_file, slim
from divlogic.evaluation.logicnli.diagnosis import Diagnosis
from divlogic.evaluation.parameters import EvaluationRun, Recordings
from divlogic.io.files import read_json, write_json, write_jsonl
from divlogic.io.log import track
from divlogic.io.notes import is_product
from divlogic.io.tables import declared_tables, read_table
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.reading import note_of
from divlogic.models.styles import CLOSED
from divlogic.records import Record, read_records

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
    recorded: Annotated[tuple[Path, ...], "Recorded rows of an earlier run (json); repeatable."] = (),
    out: Annotated[Path, FOLDER, "Folder of the tables and the figure."],
    params: EvaluationRun,
) -> None:
    """Train the learners of the parameters, answer every set, and diagnose them and the systems of the PREDICTIONS."""
    learners = params.evaluation.logicnli.learners
    sets: dict[str, list[Record]] = {name: [] for name in ASKED}
    systems: Systems = {name: {} for name in learners}

    def rows() -> Iterator[dict[str, Any]]:
        for record, labels in track(answer_sets(folder, learners, params.seed), "answered statements"):
            sets[record.split].append(record)
            for system, label in labels.items():
                systems[system][record.id] = label
            yield from prediction_rows(record, labels)

    write_jsonl(answers, rows())
    if not learners:
        sets = {name: list(map(slim, read_records(set_file(folder, name)))) for name in ASKED}
    sources = dict.fromkeys(learners, "learner")
    for path in predictions:
        found = add_predictions(systems, read_predictions(path), sets, path)
        sources.update(dict.fromkeys(found, "model"))
    drawn = (params.evaluation.resamples, params.seed)
    diagnoses = {system: Diagnosis(labels, *drawn) for system, labels in systems.items()}
    earlier = [read_json(path, "remark", *_RECORDED) for path in recorded]
    note = note_of(recordings) + "".join(f" {one['remark']}" for one in earlier)
    for name, rows_of in zip(_RECORDED, (_diagnosis_rows, _connective_rows), strict=True):
        found_rows = list(rows_of(diagnoses, sources, sets))
        TABLES[name].write(out / name, [*found_rows, *(row for one in earlier for row in one[name])], note)
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
    write_json(out, {"remark": remark, **rows}, note=is_product(out))


def add_predictions(
    systems: Systems, predictions: Iterable[Prediction], sets: Mapping[str, Sequence[Record]], path: Path
) -> list[str]:
    """Add the answers of other systems; return their names."""
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
    systems.update(found)
    return list(found)


def _diagnosis_rows(
    diagnoses: Diagnoses, sources: Mapping[str, str], sets: Mapping[str, Sequence[Record]]
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
            if "test" in asked and "quartet" in asked["test"][0].metadata:
                row |= diagnosis.quartet_em(asked["test"]).cells("quartet_em") | diagnosis.depth(
                    asked["test"]
                )
            if len({size_of(record) for record in asked.get("test_r", ())}) > 1:
                row |= diagnosis.robustness(asked["test_r"], size_of).cells("robustness")
            if "test" in asked and "test_g" in asked:
                row |= diagnosis.generalisation(asked["test"], asked["test_g"]).cells("generalisation")
            if "test_t" in asked and "proofs" in asked:
                row |= diagnosis.traceability(asked["test_t"], asked["proofs"])
            if asked:
                yield row


def _curve_rows(diagnoses: Diagnoses, sets: Mapping[str, Sequence[Record]]) -> Iterator[dict[str, Any]]:
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
