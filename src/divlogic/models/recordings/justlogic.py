"""JustLogic's result files: labels, with the context and without it."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import RowProblem, open_bytes
from divlogic.models.labels import TRUTH_LABELS, fold_label
from divlogic.models.predictions import Prediction

_ABSENT = frozenset(("", "nan", "none"))
_COMPLETION = "full_completion"
_MOST_ODD = 0.02


def read(
    path: Path,
    *,
    benchmark: str,
    model: str,
    prompt: str,
    run: int = 0,
    choices: int | None = None,
    on_problem: RowProblem,
) -> Iterator[Prediction]:
    """Yield the predictions of a csv file with the columns ``label`` and ``predicted``, in ISO-8859-1.

    ``id``, ``depth`` and ``full_completion`` are read where there are such columns. A row without ``predicted`` was
    never asked, unless ``full_completion`` shows what was answered: then the answer named no label. Truth labels are
    folded as JustLogic's evaluation folds them; of other labels the answer counts as it stands, whatever its case.

    Args:
        path: the file.
        benchmark, model, prompt, run: what it is a recording of.
        choices: number of possible answers; counted from the labels if not given.
        on_problem: called for each row that cannot be used.

    Raises:
        DivLogicError: the file is missing, no csv, or lacks a column.
    """
    rows = [(number, row) for number, row in _rows(path) if _usable(number, row, on_problem)]
    labels = [row["label"].strip() for _, row in rows]
    odd = sum(fold_label(label) is None for label in labels)
    # A stray label among thousands of truth labels is an odd row and not another kind of benchmark.
    truth = odd <= _MOST_ODD * len(labels)
    if choices is None:
        choices = len(TRUTH_LABELS) if truth else max(len({label.casefold() for label in labels}), 1)
    for (number, row), label in zip(rows, labels, strict=True):
        gold = fold_label(label) if truth else label.casefold()
        if gold is None:
            on_problem(number, f"the label {label[:40]!r} is none of {', '.join(TRUTH_LABELS)}")
            continue
        named, depth = (row["predicted"] or "").strip(), (row.get("depth") or "").strip()
        if named.casefold() in _ABSENT:
            named = ""
        text = named or (row.get(_COMPLETION) or "").strip()
        predicted = (fold_label(named) if truth else named.casefold() or None) if named else None
        yield Prediction(
            benchmark,
            model,
            prompt,
            row.get("id") or str(number),
            gold,
            predicted,
            run=run,
            answer=named,
            source="recorded",
            choices=choices,
            depth=int(depth) if depth.isdecimal() else None,
            asked=bool(text) and text.casefold() not in _ABSENT,
        )


def _usable(number: int, row: dict[str, Any], on_problem: RowProblem) -> bool:
    if (row["label"] or "").strip():
        return True
    on_problem(number, "it has no label")
    return False


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row number from 1, row) of the csv file."""
    # A chain of thought may be longer than the csv module's 128 KiB.
    limit = csv.field_size_limit(sys.maxsize)
    # Decoding each line apart would break on quoted line ends: csv needs them.
    try:
        with (
            open_bytes(path) as packed,
            io.TextIOWrapper(packed, encoding="iso-8859-1", newline="") as stream,
        ):
            reader = csv.DictReader(stream)
            absent = {"label", "predicted"} - set(reader.fieldnames or ())
            if absent:
                raise DivLogicError(
                    f"{path}: the column '{min(absent)}' is missing; is it a JustLogic result file?"
                )
            count = 0
            for count, row in enumerate(reader, start=1):
                yield count, row
            if not count:
                raise DivLogicError(f"{path}: no rows below the header; fetch the file again.")
    except csv.Error as error:
        raise DivLogicError(f"{path}: not a readable csv file ({error}); fetch it again.") from error
    finally:
        csv.field_size_limit(limit)
