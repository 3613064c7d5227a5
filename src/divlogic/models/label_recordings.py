"""Answers to closed questions that JustLogic's authors recorded."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.models.closed_answers import UNREADABLE, Answer
from divlogic.models.labels import TRUTH_LABELS, LabelPrediction, fold_label


def read_justlogic(path: Path) -> Iterator[LabelPrediction]:
    """Yield the predictions of JustLogic's recorded files, both the evaluation and the prior-knowledge ones.

    A csv file with the columns ``label`` and ``predicted`` (and ``id``, ``depth`` where there are any), read as
    ISO-8859-1. Rows that were never answered have an empty or missing ``predicted``.

    Raises:
        DivLogicError: a column is missing, a row is cut, or there are no rows.
    """
    # Decoding each line apart would break on quoted line ends: csv needs them.
    try:
        with path.open(encoding="iso-8859-1", newline="") as stream:
            reader = csv.DictReader(stream)
            absent = {"label", "predicted"} - set(reader.fieldnames or ())
            if absent:
                raise DivLogicError(
                    f"{path}: the column '{min(absent)}' is missing; is it a JustLogic result file?"
                )
            count = 0
            for count, row in enumerate(reader, start=1):
                label = (row["label"] or "").strip()
                if not label:
                    raise DivLogicError(f"{path}, row {count}: no label; mend or remove that row.")
                said = (row["predicted"] or "").strip()
                depth = (row.get("depth") or "").strip()
                yield LabelPrediction(
                    instance=row.get("id") or str(count),
                    label=fold_label(label) or label.casefold(),
                    said=said if said.casefold() not in ("", "nan", "none") else None,
                    depth=int(depth) if depth.isdecimal() else None,
                )
            if not count:
                raise DivLogicError(f"{path}: no rows below the header; fetch the file again.")
    except FileNotFoundError as error:
        raise DivLogicError(f"{path}: there is no such file; check the path.") from error
    except csv.Error as error:
        raise DivLogicError(f"{path}: not a readable csv file ({error}); fetch it again.") from error


def recorded_answers(
    predictions: Sequence[LabelPrediction],
    *,
    benchmark: str,
    system: str,
    prompt: str,
    choices: int | None = None,
) -> Iterator[Answer]:
    """Turn recorded label answers into answers; truth labels are folded as JustLogic's evaluation folds them.

    Args:
        predictions: what the recording holds.
        benchmark, system, prompt: what it is a recording of.
        choices: number of answers to choose from; counted from the labels if not given.
    """
    labels = {prediction.label for prediction in predictions}
    truth = labels <= set(TRUTH_LABELS)
    if choices is None:
        choices = len(TRUTH_LABELS) if truth else len(labels)
    for prediction in predictions:
        said = prediction.said
        if said is not None:
            # An answer that names no label was given all the same: it is wrong, not missing.
            said = (fold_label(said) or UNREADABLE) if truth else said.strip().casefold()
        yield Answer(
            benchmark,
            "recorded",
            system,
            prompt,
            prediction.instance,
            prediction.label,
            said,
            choices,
            prediction.depth,
        )
