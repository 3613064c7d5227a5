"""DivLogic: build, measure and evaluate logical-reasoning benchmarks.

>>> import divlogic
>>> data = divlogic.create("logicnli", size=1000, seed=42, level=3)
>>> item = data[0]
>>> divlogic.score_answer(item["answer"], item)
1.0
"""

from __future__ import annotations

from typing import Any

__version__ = "0.3.0"

_LIBRARY = ("DataSet", "create", "levels", "mix", "names", "read_answer", "score_answer", "stream")
__all__ = ["__version__", *_LIBRARY]


def __getattr__(name: str) -> Any:
    """Import the library when one of its names is used: commands of the workflow do not wait for it."""
    if name in _LIBRARY:
        import importlib

        return getattr(importlib.import_module("divlogic.library.dataset"), name)
    raise AttributeError(f"module 'divlogic' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
