"""Print instances for reading."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from divlogic.benchmarks.symbols import (
    formula_lines,
    meaning_lines,
    option_formulas,
    proof_lines,
    questions_of,
)
from divlogic.errors import DivLogicError
from divlogic.records import Record, read_records

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100
"""Columns of the plain form; on a terminal its own width is used."""

_BLANK = "   "
_RIGHT = " ▶ "


def render(
    record: Record, formulas: bool = False, *, width: int = WIDTH, predictions: Sequence[str] = ()
) -> str:
    """Return a record as plain text; the right option is marked.

    Args:
        record: any record.
        formulas: show with it the symbolic form and what the variables stand for, where the record has them.
        width: columns to wrap to.
        predictions: lines on what models answered.
    """
    lines = [_title(record), ""]
    if record.context:
        lines += [textwrap.fill(record.context, width), ""]
    lines += [*(textwrap.fill(line, width) for line in record.question.splitlines()), ""]
    notes = option_formulas(record) if formulas else {}
    for index, option in enumerate(record.options):
        lines.append(_wrapped(f"{_mark(record, index)}{_letter(index)}. ", option, width))
        if index in notes:
            lines.append(f"{'':6}{notes[index]}")
    for part in questions_of(record):
        lines.append(
            _wrapped(
                f"   {part['name']}  ", f"{part['translation'] or part['text']} ▶ {part['answer']}", width
            )
        )
    if formulas:
        lines += _symbols(record, width)
    lines += ["", *predictions] if predictions else []
    return "\n".join(lines) + "\n"


def show(
    records: Iterable[Record],
    formulas: bool = False,
    *,
    console: Console | None = None,
    predictions: Mapping[str, Sequence[str]] | None = None,
) -> int:
    """Print records to standard output, in panels on a terminal and plainly otherwise; return their number.

    Args:
        records: what to print.
        formulas: as for :func:`render`.
        console: print to this rich console as to a terminal (by default, one only if standard output is a terminal).
        predictions: lines on what models answered, by the record's id.
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
            print(("" if count == 0 else "\n") + render(record, formulas, predictions=lines), end="")
        count += 1
    return count


def choose(
    records: Iterable[Record], count: int, seed: int, question_type: str | None = None
) -> list[Record]:
    """Draw records for reading, each as likely as any other, in one pass; they keep their order.

    Args:
        records: where to draw from.
        count: how many, or all if there are fewer.
        seed: of the draw.
        question_type: only records of this type.
    """
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
    return [record for _, record in sorted(kept, key=lambda pair: pair[0])]


def choose_from(path: Path, count: int, seed: int, question_type: str | None = None) -> list[Record]:
    """Draw records of a file as :func:`choose` does.

    Raises:
        DivLogicError: the file holds no record, or none of that type.
    """
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
        there = f"the types there are {named}" if named else "its records have no type, so leave out --type"
        raise DivLogicError(f"{path}: no record is of type '{question_type}'; {there}.")
    return chosen


def _panel(record: Record, formulas: bool, console: Console, predictions: Sequence[str]) -> None:
    from rich.panel import Panel
    from rich.text import Text

    width = min(console.width, 120) - 4
    title, _, *lines = render(record, formulas, width=width, predictions=predictions).splitlines()
    # Text, not markup: a sentence may hold square brackets.
    body = Text("\n").join(
        Text(line, style="bold green" if line.startswith(_RIGHT) else "") for line in lines
    )
    console.print(Panel(body, title=Text(title), title_align="left", width=min(console.width, 120)))


def _title(record: Record) -> str:
    parts = (record.id, record.benchmark, record.split, record.question_type)
    return " · ".join(part for part in parts if part)


def _letter(index: int) -> str:
    return chr(ord("A") + index)


def _mark(record: Record, index: int) -> str:
    return _RIGHT if index == record.answer else _BLANK


def _wrapped(head: str, text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent=head, subsequent_indent=" " * len(head))


def _symbols(record: Record, width: int) -> list[str]:
    lines = [_wrapped(f"{name:12}", text, width) for name, text in formula_lines(record)]
    lines += [_wrapped(f"{name:12}", text, width) for name, text in proof_lines(record)]
    for name, text in meaning_lines(record):
        head = f"    {name}: " if name in ("negated", "entails", "excludes") else f"{name} = "
        lines.append(_wrapped(head, text, width))
    return ["", *lines] if lines else []
