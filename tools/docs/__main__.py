"""``python -m tools.docs``: write what is made; ``record RESULTS`` behind it takes a run's numbers over first."""

from __future__ import annotations

import sys
from pathlib import Path

from divlogic.errors import DivLogicError
from tools.docs import RUNS, write_pages
from tools.docs.measured import record_run


def main(arguments: list[str]) -> None:
    """Record the run whose results folder is named, if any; then write every page."""
    if arguments:
        if arguments[0] != "record" or len(arguments) != 2:
            raise SystemExit("usage: python -m tools.docs [record RESULTS]")
        record_run(Path(arguments[1]), RUNS)
    for path in write_pages(Path(), Path()):
        print(path)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except DivLogicError as error:
        raise SystemExit(f"Error: {error}") from None
