"""Recorded answers of a full run, and the one file of all predictions."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.corpora.manifest import read_manifest
from divlogic.evaluation.predictions import Prediction, write_predictions
from divlogic.evaluation.replay import read_ilogiceval
from divlogic.files import atomic_writer, open_bytes
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


def gather_predictions(files: Sequence[Path], out: Path) -> None:
    """Put prediction files together in the order given, atomically.

    Raises:
        DivLogicError: a file is missing.
    """
    with atomic_writer(out) as stream:
        for file in files:
            with open_bytes(file) as source:
                shutil.copyfileobj(source, stream)
