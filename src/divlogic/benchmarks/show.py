"""Show instances for reading: find them by id or by who answered them wrongly, and print them."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated

import click

from divlogic.benchmarks import symbols
from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.errors import DivLogicError
from divlogic.models.letters import option_at
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.records import Record, grouped, read_records

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100
"""Columns of the plain form; on a terminal its own width is used."""

Answers = dict[tuple[str, str], list[Prediction]]
"""What a model answered, by benchmark and instance."""

_BLANK = "   "
_RIGHT = " ▶ "


def render(
    record: Record, formulas: bool = False, *, width: int = WIDTH, predictions: Sequence[str] = ()
) -> str:
    """Return a record as plain text; the right option is marked.

    Args:
        formulas: show with it the symbolic form and what the variables stand for, where the record has them.
        predictions: lines on what models answered.
    """
    named = (record.id, record.benchmark, record.split, record.question_type)
    lines = [" · ".join(part for part in named if part), ""]
    if record.context:
        lines += [textwrap.fill(record.context, width), ""]
    lines += [*(textwrap.fill(line, width) for line in record.question.splitlines()), ""]
    notes = symbols.option_formulas(record) if formulas else {}
    for index, option in enumerate(record.options):
        mark = _RIGHT if index == record.answer else _BLANK
        lines.append(_wrapped(f"{mark}{chr(65 + index)}. ", option, width))
        if index in notes:
            lines.append(f"{'':6}{notes[index]}")
    for part in symbols.questions_of(record):
        asked = f"{part['translation'] or part['text']} ▶ {part['answer']}"
        lines.append(_wrapped(f"   {part['name']}  ", asked, width))
    if formulas:
        lines += _symbols(record, width)
    lines += ["", *predictions] if predictions else []
    return "\n".join(lines) + "\n"


def print_records(
    records: Iterable[Record],
    formulas: bool = False,
    *,
    console: Console | None = None,
    predictions: Mapping[str, Sequence[str]] | None = None,
) -> int:
    """Print records to standard output, in panels on a terminal and plainly otherwise; return their number.

    ``predictions`` are lines on what models answered, by id; with a ``console`` that is taken for a terminal.
    """
    if console is None and sys.stdout.isatty():
        from rich.console import Console

        console = Console()
    count = 0
    for record in records:
        lines = (predictions or {}).get(record.id, ())
        if console is not None:
            _panel(record, formulas, console, lines)
        else:
            print(
                ("" if count == 0 else "\n") + render(record, formulas, predictions=lines), end=""
            )
        count += 1
    return count


def choose(
    records: Iterable[Record], count: int, seed: int, question_type: str | None = None
) -> list[Record]:
    """Draw records for reading, each as likely as any other, in one pass; they keep their order."""
    import numpy as np

    draw = np.random.default_rng(np.random.SeedSequence([seed]))
    kept: list[tuple[int, Record]] = []
    wanted = (record for record in records if question_type in (None, record.question_type))
    for number, record in enumerate(wanted):
        # Reservoir sampling (Vitter 1985, algorithm R): memory for the drawn records only.
        if len(kept) < count:
            kept.append((number, record))
        elif (place := int(draw.integers(number + 1))) < count:
            kept[place] = (number, record)
    return [record for _, record in sorted(kept, key=itemgetter(0))]


def choose_from(
    path: Path, count: int, seed: int, question_type: str | None = None
) -> list[Record]:
    """Draw records of a file as :func:`choose` does."""
    types: set[str | None] = set()

    def noted() -> Iterator[Record]:
        for record in read_records(path):
            types.add(record.question_type)
            yield record

    chosen = choose(noted(), count, seed, question_type)
    if not types:
        raise DivLogicError(f"{path}: there is no record in it to show; make the file again.")
    if not chosen:
        named = ", ".join(sorted(filter(None, types)))
        there = (
            f"the types there are {named}"
            if named
            else "its records have no type, so leave out --type"
        )
        raise DivLogicError(f"{path}: no record is of type '{question_type}'; {there}.")
    return chosen


def _panel(record: Record, formulas: bool, console: Console, predictions: Sequence[str]) -> None:
    from rich.panel import Panel
    from rich.text import Text

    width = min(console.width, 120) - 4
    title, _, *lines = render(record, formulas, width=width, predictions=predictions).splitlines()
    # Text, not markup: a sentence may hold square brackets.
    styles = ("bold green" if line.startswith(_RIGHT) else "" for line in lines)
    body = Text("\n").join(map(Text, lines, styles))
    console.print(Panel(body, title=Text(title), title_align="left", width=min(console.width, 120)))


def _wrapped(head: str, text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent=head, subsequent_indent=" " * len(head))


def _symbols(record: Record, width: int) -> list[str]:
    stated = (*symbols.formula_lines(record), *symbols.proof_lines(record))
    lines = [_wrapped(f"{name:12}", text, width) for name, text in stated]
    for name, text in symbols.meaning_lines(record):
        head = f"    {name}: " if name in ("negated", "entails", "excludes") else f"{name} = "
        lines.append(_wrapped(head, text, width))
    return ["", *lines] if lines else []


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
        chosen = choose(wrong, count, seed, question_type)
        if not chosen:
            named = ", ".join(map(str, files))
            raise DivLogicError(f"'{model}' answered no instance wrongly that is in {named}.")
    else:
        chosen = [one for path in files for one in choose_from(path, count, seed, question_type)]
    lines = {record.id: prediction_lines(record, answers) for record in chosen}
    print_records(chosen, formulas, predictions=lines)


def record_files(root: Path = GENERATED) -> list[Path]:
    """Return the record files of the generated benchmarks, in the order of the registry."""
    names = [
        name for one in BENCHMARKS if one.generator for name in (one.name, *one.generator.twins)
    ]
    every = dict.fromkeys((*names, *(one.name for one in BENCHMARKS)))
    files = [path for name in every for path in sorted((root / name).glob("[!.]*.jsonl*"))]
    if not files:
        raise DivLogicError(
            f"{root}: no benchmark is there yet; make them with `snakemake benchmarks`, or name a file."
        )
    return files


def with_ids(ids: Sequence[str], files: Sequence[Path]) -> list[Record]:
    """Return the records with these ids, in the order of the ids; of one id in several files every one."""
    found: dict[str, list[Record]] = {name: [] for name in ids}
    for path in files:
        for record in read_records(path):
            if record.id in found:
                found[record.id].append(record)
    for name, records in found.items():
        if not records:
            places = ", ".join(sorted({path.parent.as_posix() for path in files}))
            raise DivLogicError(
                f"no record has the id '{name}' in {places}; name another file with --in."
            )
    return [record for name in ids for record in found[name]]


def answers_by(model: str, files: Iterable[Path]) -> Answers:
    """Return what a model answered, by benchmark and instance."""
    found: Answers = {}
    others: dict[str, None] = {}
    for path in files:
        for one in read_predictions(path):
            others.setdefault(one.model)
            if one.model in (model, f"baseline/{model}"):
                found.setdefault((one.benchmark, one.instance), []).append(one)
    if not found:
        there = ", ".join(others) or "none"
        raise DivLogicError(f"no prediction is by '{model}'; the models there are {there}.")
    return found


def wrong_for(records: Iterable[Record], answers: Answers) -> Iterator[Record]:
    """Yield the records of which at least one answer is wrong."""
    for record in records:
        if any(not one.correct for one in answers.get((record.benchmark, record.id), ())):
            yield record


def prediction_lines(record: Record, answers: Answers) -> list[str]:
    """Return a line per prompt and run: the answer in each rotation, with the option it stands for, ✓ or ✗."""
    series = grouped(
        answers.get((record.benchmark, record.id), ()), attrgetter("model", "prompt", "run")
    )
    lines = []
    for (model, prompt, run), given in series.items():
        parts = [
            f"{one.rotation}: {one.predicted or 'none'}{_content(one)} {'✓' if one.correct else '✗'}"
            for one in sorted(given, key=attrgetter("rotation"))
        ]
        lines.append(f"{model}, {prompt}{f', run {run}' if run else ''}   " + "   ".join(parts))
    return lines


def _content(one: Prediction) -> str:
    """Return which option of the unrotated instance a letter stands for, where it is another letter."""
    letters = tuple(ascii_uppercase[: one.choices])
    if one.predicted not in letters or not one.rotation:
        return ""
    return (
        f" (option {letters[option_at(letters.index(one.predicted), one.rotation, one.choices)]})"
    )
