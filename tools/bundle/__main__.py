"""``python -m tools.bundle --out divlogic-VERSION --date YYYY-MM-DD``: make the archive of a finished run to cite."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from divlogic import __version__
from divlogic.errors import DivLogicError
from tools.bundle import bundle


def main() -> None:
    """Read the options and make the archive."""
    what = (bundle.__doc__ or "").partition("Args:")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.bundle", description=what)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help=f"folder of the release, such as divlogic-{__version__}",
    )
    parser.add_argument("--date", required=True, metavar="YYYY-MM-DD", help="date of publication")
    given = parser.parse_args()
    bundle(out=given.out, published=given.date)


if __name__ == "__main__":
    try:
        main()
    except DivLogicError as error:
        sys.exit(f"tools.bundle: {error}")
