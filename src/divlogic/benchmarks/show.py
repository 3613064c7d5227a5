"""Print instances for reading."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.errors import DivLogicError
from divlogic.records import Record, read_records

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100
"""Columns of the plain form; on a terminal its own width is used."""

_BLANK = "   "
_RIGHT = " ▶ "


def render(record: Record, formulas: bool = False, *, width: int = WIDTH) -> str:
    """Return a record as plain text; the right option is marked.

    Args:
        record: any record with options.
        formulas: show with it the symbolic form and what the variables stand for, where the record has them.
        width: columns to wrap to.
    """
    lines = [_title(record), ""]
    if record.context:
        lines += [textwrap.fill(record.context, width), ""]
    lines += [textwrap.fill(record.question, width), ""]
    notes = _option_formulas(record) if formulas else {}
    for index, option in enumerate(record.options):
        lines.append(_wrapped(f"{_mark(record, index)}{_letter(index)}. ", option, width))
        if index in notes:
            lines.append(f"{'':6}{notes[index]}")
    if formulas:
        lines += _symbols(record, width)
    return "\n".join(lines) + "\n"


def show(records: Iterable[Record], formulas: bool = False, *, console: Console | None = None) -> int:
    """Print records to standard output, in panels on a terminal and plainly otherwise; return their number.

    Args:
        records: what to print.
        formulas: as for :func:`render`.
        console: print to this rich console as to a terminal (by default, one only if standard output is a terminal).
    """
    if console is None and sys.stdout.isatty():
        from rich.console import Console

        console = Console()
    count = 0
    for record in records:
        if console is not None:
            _panel(record, formulas, console)
        else:
            print(("" if count == 0 else "\n") + render(record, formulas), end="")
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


def _panel(record: Record, formulas: bool, console: Console) -> None:
    from rich.panel import Panel
    from rich.text import Text

    title, _, *lines = render(record, formulas, width=min(console.width, 120) - 4).splitlines()
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


def _option_formulas(record: Record) -> dict[int, str]:
    """Return the formula of each option; a contradiction together with what it amounts to."""
    symbols = record.formulas or {}
    plain = symbols.get("options") or []
    amounts = symbols.get("symbolic_options") or plain
    return {
        index: formula if formula == amount else f"{formula}: {amount}"
        for index, (formula, amount) in enumerate(zip(plain, amounts, strict=False))
    }


def _symbols(record: Record, width: int) -> list[str]:
    lines: list[str] = []
    symbols = record.formulas or {}
    if symbols.get("premises"):
        lines.append(_wrapped("premises    ", ", ".join(symbols["premises"]), width))
    named = (name for name in ("conclusion", "necessary", "query") if isinstance(symbols.get(name), str))
    lines += [f"{name:12}{symbols[name]}" for name in named]
    argument = symbols.get("argument")
    steps = argument if isinstance(argument, list) else ()
    lines += [_wrapped(f"{'step':12}", _inference(step), width) for step in steps]
    for variable, entry in (record.sentences or {}).items():
        if not isinstance(entry, dict):
            lines.append(_wrapped(f"{variable} = ", str(entry), width))
            continue
        lines.append(_wrapped(f"{variable} = ", entry.get("premise") or entry.get("text") or "", width))
        if entry.get("negated"):
            lines.append(_wrapped("    negated: ", entry["negated"], width))
        lines += [_wrapped("    entails: ", text, width) for text in entry.get("hypotheses", ())]
        if entry.get("contradiction"):
            lines.append(_wrapped("    excludes: ", entry["contradiction"], width))
    return ["", *lines] if lines else []


def _inference(step: dict[str, Any]) -> str:
    """Return a step of an argument in one line."""
    return f"{', '.join(step['premises'])} ⊢ {step['conclusion']} ({step['form']})"
