"""Find instances: by id, by who answered them wrongly, in every file that a run wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated

import click

from divlogic.benchmarks import show as reading
from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.errors import DivLogicError
from divlogic.models.letters import option_at
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.records import Record, read_records

GENERATED = Path("data/benchmarks")


def show(
    *,
    sources: Annotated[
        tuple[Path, ...],
        "--in",
        "Records (jsonl), repeatable [default: with --id or --wrong-for, every generated benchmark].",
    ] = (),
    ids: Annotated[tuple[str, ...], "--id", "The instance of this id; repeatable."] = (),
    model: Annotated[
        str | None, "--wrong-for", "Instances that this model answered wrongly, with its answers."
    ] = None,
    predictions: Annotated[tuple[Path, ...], "What models answered; repeatable."] = (
        Path("results/evaluation/predictions.jsonl"),
    ),
    question_type: Annotated[
        str | None, "--type", "Only this question type (3c1e, 3e1c, missing_premise)."
    ] = None,
    count: Annotated[int, click.IntRange(1), "How many to show."] = 5,
    seed: Annotated[int, click.IntRange(0), "Which ones."] = 0,
    formulas: Annotated[bool, "Show the symbolic form and the proof, too."] = False,
) -> None:
    """Show instances for reading: drawn at random, by id, or those that a model answered wrongly."""
    if not (sources or ids or model):
        raise DivLogicError("name what to show: --in FILE, --id ID or --wrong-for MODEL.")
    answers = answers_by(model, predictions) if model else {}
    files = sources or record_files()
    if ids:
        chosen = with_ids(ids, files)
    elif model:
        wrong = wrong_for((one for path in files for one in read_records(path)), answers)
        chosen = reading.choose(wrong, count, seed, question_type)
        if not chosen:
            raise DivLogicError(
                f"'{model}' answered no instance wrongly that is in {', '.join(map(str, files))}."
            )
    else:
        chosen = [one for path in files for one in reading.choose_from(path, count, seed, question_type)]
    lines = {record.id: prediction_lines(record, answers) for record in chosen}
    reading.show(chosen, formulas, predictions=lines)


def record_files(root: Path = GENERATED) -> list[Path]:
    """Return the record files of the generated benchmarks, in the order of the registry.

    Raises:
        DivLogicError: there are none.
    """
    names = [name for one in BENCHMARKS if one.generator for name in (one.name, *one.generator.twins)]
    folders = [root / name for name in names] + [
        root / one.name for one in BENCHMARKS if one.name not in names
    ]
    files = [path for folder in folders for path in sorted(folder.glob("*.jsonl"))]
    if not files:
        raise DivLogicError(
            f"{root}: no benchmark is there yet; make them with `snakemake benchmarks`, or name a file."
        )
    return files


def with_ids(ids: Sequence[str], files: Iterable[Path]) -> list[Record]:
    """Return the records with these ids, in the order of the ids; of one id in several files every one.

    Raises:
        DivLogicError: an id is in none of the files.
    """
    found: dict[str, list[Record]] = {name: [] for name in ids}
    seen: list[Path] = []
    for path in files:
        seen.append(path)
        for record in read_records(path):
            if record.id in found:
                found[record.id].append(record)
    for name, records in found.items():
        if not records:
            places = ", ".join(sorted({path.parent.as_posix() for path in seen}))
            raise DivLogicError(f"no record has the id '{name}' in {places}; name another file with --in.")
    return [record for name in ids for record in found[name]]


def answers_by(model: str, files: Iterable[Path]) -> dict[tuple[str, str], list[Prediction]]:
    """Return what a model answered, by benchmark and instance.

    Raises:
        DivLogicError: a file is missing, or no prediction is of that model; the message names those that there are.
    """
    found: dict[tuple[str, str], list[Prediction]] = {}
    others: dict[str, None] = {}
    for path in files:
        for one in read_predictions(path):
            others.setdefault(one.model)
            if one.model in (model, f"baseline/{model}"):
                found.setdefault((one.benchmark, one.instance), []).append(one)
    if not found:
        raise DivLogicError(
            f"no prediction is by '{model}'; the models there are {', '.join(others) or 'none'}."
        )
    return found


def wrong_for(
    records: Iterable[Record], answers: dict[tuple[str, str], list[Prediction]]
) -> Iterator[Record]:
    """Yield the records of which at least one answer is wrong."""
    for record in records:
        if any(not one.correct for one in answers.get((record.benchmark, record.id), ())):
            yield record


def prediction_lines(record: Record, answers: dict[tuple[str, str], list[Prediction]]) -> list[str]:
    """Return a line per prompt and run: the answer in each rotation, with the option it stands for, ✓ or ✗."""
    series: dict[tuple[str, str, int], list[Prediction]] = {}
    for one in answers.get((record.benchmark, record.id), ()):
        series.setdefault((one.model, one.prompt, one.run), []).append(one)
    lines = []
    for (model, prompt, run), given in series.items():
        parts = [
            f"{one.rotation}: {one.predicted or 'none'}{_content(one)} {'✓' if one.correct else '✗'}"
            for one in sorted(given, key=lambda one: one.rotation)
        ]
        lines.append(f"{model}, {prompt}{f', run {run}' if run else ''}   " + "   ".join(parts))
    return lines


def _content(one: Prediction) -> str:
    """Return which option of the unrotated instance a letter stands for, where it is another letter."""
    letters = tuple(ascii_uppercase[: one.choices])
    if one.predicted not in letters or not one.rotation:
        return ""
    return f" (option {letters[option_at(letters.index(one.predicted), one.rotation, one.choices)]})"
