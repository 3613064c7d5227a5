"""What the stages of an interrupted experiment found, so that they are not measured twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from divlogic.contamination.outcomes import Floats
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json
from divlogic.io.log import say


class Memory:
    """Keeps scores in a folder, a file for each stage.

    Args:
        folder: where they lie.
        identity: what they depend on; scores of something else are refused.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self._folder, self._identity = folder, identity

    def __call__(self, name: str, measure: Callable[[], dict[str, Floats]]) -> dict[str, Floats]:
        """Return what was kept under a name, else measure it and keep it.

        Raises:
            DivLogicError: what was kept belongs to other data or settings, or cannot be read.
        """
        path = self._folder / f"{name}.json"
        if path.is_file():
            return self._read(path)
        say(f"measuring {name}")
        found = measure()
        scores = {sample: rows.tolist() for sample, rows in found.items()}
        write_json(path, {"identity": self._identity, "scores": scores}, note=False)
        return found

    def _read(self, path: Path) -> dict[str, Floats]:
        kept = read_json(path)
        try:
            if kept["identity"] != self._identity:
                raise DivLogicError(
                    f"{path}: measured with other data, another model or other settings; delete the folder, or name"
                    " another with --work."
                )
            return {sample: np.array(rows, dtype=np.float64) for sample, rows in kept["scores"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DivLogicError(f"{path}: not the scores of a stage ({error!r}); delete it.") from error
