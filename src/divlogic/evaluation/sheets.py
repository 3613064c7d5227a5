"""Answer sheets: questions for people, on paper or in a form that needs no network, and what comes back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any, Literal

import click

from divlogic.benchmarks.show import render
from divlogic.benchmarks.symbols import questions_of
from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.rotations import source_of
from divlogic.intervals import cluster_means, estimates
from divlogic.io.tables import declared_tables
from divlogic.records import Record, grouped, read_records, spaced_over_types

Task = Literal["answer", "key", "concepts", "clarity", "faithfulness"]
VERDICTS = ("holds", "does not hold", "cannot tell")
_CLAIMS = {
    "key": "What is marked right follows from the text as it reads.",
    "concepts": "Each word means one thing throughout, and nothing goes by two words that might be two things.",
    "clarity": "The text and each question have one reading only.",
    "faithfulness": "The formulas say what the text says, no more and no less.",
}
"""Task of a review -> the claim on an instance that a person judges (LLMEval-Logic, Section 2.1)."""

_TABLE = declared_tables(Path(__file__).with_name("tables.yaml"))["sheets"]


def sheet(
    benchmark: Annotated[str, ARGUMENT, "BENCHMARK"],
    params: EvaluationRun,
    out: Annotated[Path, FOLDER, "Folder of sheet.csv and sheet.html."],
    instances: Annotated[
        int, click.IntRange(1), "Number of instances, evenly spaced over types."
    ] = 40,
    task: Annotated[
        Task,
        "The answer is asked, or whether the key holds, words keep their meaning, one reading is possible,"
        " the formulas say what the text says.",
    ] = "answer",
) -> None:
    """Write questions of BENCHMARK for people: a table, and a form to print or to fill in without a network.

    BENCHMARK is a name or a file of records. The seed draws the order of each question's options; of the answers
    nothing is in the files, but where they are reviewed. `read-sheets` reads filled-in tables and what the form saves.
    """
    from divlogic.io.files import write_csv, write_text
    from divlogic.io.templates import render as render_template

    records = spaced_over_types(list(read_records(source_of(benchmark))), instances)
    items = [_item(record, params.seed, task) for record in records]
    rows = (
        (
            item["id"],
            item["code"],
            item["passage"],
            item["question"],
            "\n".join(item["options"]),
            "",
        )
        for item in items
    )
    write_csv(out / "sheet.csv", ("id", "code", "passage", "question", "options", "answer"), rows)
    page = render_template(Path(__file__).with_name("sheet.html.j2"), {"items": items})
    write_text(out / "sheet.html", page)
    click.echo(f"{len(items)} questions in {out / 'sheet.csv'} and {out / 'sheet.html'}")


def read_sheets(
    benchmark: Annotated[str, ARGUMENT, "BENCHMARK"],
    files: Annotated[tuple[Path, ...], ARGUMENT],
    params: EvaluationRun,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    task: Annotated[Task, "What was asked."] = "answer",
    label: Annotated[str, "Name of the system in the table."] = "human",
) -> None:
    """Write how people answered the sheets FILES of BENCHMARK: accuracy, interval and agreement.

    Each file is one person's. A row without an answer counts as not asked; a row that cannot be read is named and
    left out.
    """
    records = {record.id: record for record in read_records(source_of(benchmark))}
    given = [one for person in files for one in _answers(person, records, params.seed, task)]
    if not given:
        raise DivLogicError(
            "these sheets answer no question; fill in the column 'answer' and give the files."
        )
    kinds = sorted({record.question_type or "" for record, _, _ in given})
    rows = [
        {"system": label, "question type": kind or "all"}
        | _score([one for one in given if kind in ("", one[0].question_type)], task, params)
        for kind in ("", *(kinds if len(kinds) > 1 else ()))
    ]
    held = "answers that are right" if task == "answer" else f"which it holds: {_CLAIMS[task]}"
    _TABLE.write(out, rows, what=f"Share of {held}")
    text = "{system}, {question type}: {accuracy:.1f} ({low:.1f} to {high:.1f}), {people} people, {items} items"
    for row in rows:
        click.echo(text.format_map(row))


def krippendorff_alpha(units: Iterable[Iterable[Any]]) -> float | None:
    """Return the agreement of nominal ratings, one collection per unit; ``None`` if it is not defined.

    Source: Krippendorff, Content Analysis (2004), chapter 11.

    >>> krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"]])
    0.4444444444444444
    """
    tallies = [tally for tally in map(Counter, units) if tally.total() > 1]
    values = sum(tallies, Counter[Any]())
    total = values.total()
    expected = total**2 - sum(count**2 for count in values.values())
    if not expected:
        return None
    observed = sum(
        (tally.total() ** 2 - sum(count**2 for count in tally.values())) / (tally.total() - 1)
        for tally in tallies
    )
    return 1 - (total - 1) * observed / expected


def _item(record: Record, seed: int, task: str) -> dict[str, Any]:
    """Return what a person sees of an instance: its code is that of the sheet, so that a letter has one meaning."""
    question, options = record.question, record.options
    if task != "answer":
        if task == "key" and record.answer is None and not questions_of(record):
            raise DivLogicError(f"instance {record.id} has no key to be reviewed.")
        text = render(replace(record, context=""), formulas=task == "faithfulness")
        question, options = f"{text.partition(chr(10))[2].strip()}\n\n{_CLAIMS[task]}", VERDICTS
    digest = hashlib.blake2b(f"{seed} {task} {record.id}".encode(), digest_size=8)
    order = list(range(len(options)))
    if task == "answer":
        order = Draws(int.from_bytes(digest.digest(), "little")).shuffled(order)
    return {
        "id": record.id,
        "code": digest.hexdigest()[:8],
        "passage": record.context,
        "question": question,
        "options": [
            f"{letter}: {options[at]}" for letter, at in zip(ascii_uppercase, order, strict=False)
        ],
        "order": order,
    }


def _answers(
    path: Path, records: dict[str, Record], seed: int, task: str
) -> list[tuple[Record, Path, int]]:
    """Return (record, sheet, place of the chosen option) of a filled-in sheet."""
    import pandas as pd

    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, sep=None, engine="python")
    except (OSError, ValueError) as error:
        raise DivLogicError(f"{path}: {error}; give a sheet as csv (UTF-8).") from error
    found: dict[str, int] = {}
    for number, row in enumerate(table.to_dict("records"), 1):
        if not {"id", "code", "answer"} <= row.keys():
            raise DivLogicError(
                f"{path} has no columns 'id', 'code' and 'answer'; fill in sheet.csv as it was written."
            )
        answer = row["answer"].strip().rstrip(".:)").upper()
        if not answer:
            continue
        item = _item(records[row["id"]], seed, task) if row["id"] in records else None
        if item is None or item["code"] != row["code"]:
            why = "is of another benchmark, seed or task"
        elif len(answer) != 1 or not 0 <= ord(answer) - ord("A") < len(item["order"]):
            why = f"has the answer {row['answer']!r}; the letters are A to {ascii_uppercase[len(item['order']) - 1]}"
        elif row["id"] in found:
            why = "answers a question again"
        else:
            found[row["id"]] = item["order"][ord(answer) - ord("A")]
            continue
        click.echo(f"{path}, row {number} {why}; left out.", err=True)
    return [(records[name], path, choice) for name, choice in found.items()]


def _score(
    given: list[tuple[Record, Path, int]], task: str, params: EvaluationRun
) -> dict[str, Any]:
    """Return the cells of one row of the table."""
    units = grouped(given, lambda one: one[0].id).values()
    right = [choice == (record.answer if task == "answer" else 0) for record, _, choice in given]
    means = cluster_means([record.id for record, _, _ in given], right)
    (found,) = estimates(means[:, None], seed=params.seed, resamples=params.evaluation.resamples)
    counts = (len({person for _, person, _ in given}), len(units), len(given))
    alpha = krippendorff_alpha([choice for *_, choice in unit] for unit in units)
    return dict(zip(_TABLE.names[2:], (*counts, *found.cells("").values(), alpha), strict=True))
