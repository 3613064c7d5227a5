"""Recorded answers of a full run, and the one file of all predictions."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.corpora.manifest import read_manifest
from divlogic.evaluation.parameters import ReplayParameters
from divlogic.evaluation.predictions import Prediction, read_predictions, write_predictions
from divlogic.evaluation.replay import read_ilogiceval, read_inspect
from divlogic.files import atomic_writer, open_bytes
from divlogic.models.closed_answers import Answer, write_answers
from divlogic.models.label_recordings import read_justlogic, recorded_answers
from divlogic.progress import say

READER = "recorded:ilogiceval"
"""Reader, as the registry calls it, of result files with rotations."""

_NAME = re.compile(r"(?P<shots>\d)-shot-(?P<model>.+?)(?:-(?P<run>\d+))?\.txt")
_PROMPTS = {"0": "zero_shot", "3": "three_shot"}


def write_recorded(folders: Sequence[Path], out: Path) -> int:
    """Write the answers recorded on ILogicEval as predictions; return the number of rows.

    Files are found by their reader in the folders' manifests; model, shots and run stand in the file name
    (``0-shot-chatgpt-2.txt``). Other recorded files (labels instead of rotations) are passed over.

    Raises:
        DivLogicError: a manifest is missing or a file does not have its form.
    """

    def rows() -> Iterator[Prediction]:
        for folder in folders:
            for file in read_manifest(folder).files:
                found = _NAME.fullmatch(Path(file.name).name)
                if file.reader == READER and found and found["shots"] in _PROMPTS:
                    yield from read_ilogiceval(
                        Path(folder, file.name),
                        model=f"{found['model']} (recorded)",
                        prompt=_PROMPTS[found["shots"]],
                        run=int(found["run"] or 1) - 1,
                        note=say,
                    )

    return write_predictions(out, rows())


def write_replays(replays: Sequence[ReplayParameters], out: Path, labels: Path) -> None:
    """Write the recordings of the parameters: those with rotations as predictions, those with labels as answers.

    Raises:
        DivLogicError: a file is missing or does not have its format.
    """

    def predictions() -> Iterator[Prediction]:
        for replay in replays:
            path = Path(replay.file)
            if replay.format == "ilogiceval":
                name = replay.model or path.stem
                yield from read_ilogiceval(path, model=name, prompt=replay.prompt, run=replay.run, note=say)
            elif replay.format != "justlogic":
                found = read_inspect(path, run=replay.run, note=say)
                for one in read_predictions(path) if replay.format == "predictions" else found:
                    series = one.series._replace(model=replay.model or one.series.model)
                    yield dataclasses.replace(one, series=series)

    def answers() -> Iterator[Answer]:
        for replay in replays:
            if replay.format == "justlogic":
                path = Path(replay.file)
                for answer in recorded_answers(
                    list(read_justlogic(path)),
                    benchmark="justlogic",
                    system=replay.model or path.stem,
                    prompt=replay.prompt,
                ):
                    yield dataclasses.replace(answer, run=replay.run)

    write_predictions(out, predictions())
    write_answers(labels, answers())


def gather_predictions(files: Sequence[Path], out: Path) -> None:
    """Put prediction files together in the order given, atomically.

    Raises:
        DivLogicError: a file is missing.
    """
    with atomic_writer(out) as stream:
        for file in files:
            with open_bytes(file) as source:
                shutil.copyfileobj(source, stream)
