"""The one exception that a user is meant to read."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class DivLogicError(Exception):
    """A problem with the input or the environment, stated as a sentence.

    The message names the file (and row) concerned and says what to do next. The command line prints it
    on one line and exits with status 1; any other exception is a bug and shows its traceback.
    """


@contextmanager
def needing(package: str) -> Iterator[None]:
    """Say what to install where an import fails; ``package`` is what pip takes."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise DivLogicError(
            f"this needs the package '{error.name}'; `pip install '{package}'`."
        ) from error


def nearest(name: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """Return the end of a sentence on an unknown name: the known one that it may stand for, or what is known.

    >>> nearest("logicnil", ["justlogic", "logicnli"]), nearest("x", ["justlogic", "logicnli"])
    ("did you mean 'logicnli'?", 'known are justlogic, logicnli')
    """
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"known are {', '.join(names) or 'none'}" if otherwise is None else otherwise
