"""The one exception that a user is meant to read."""

from __future__ import annotations


class DivLogicError(Exception):
    """A problem with the input or the environment, stated as a sentence.

    The message names the file (and row) concerned and says what to do next. The command line prints it
    on one line and exits with status 1; any other exception is a bug and shows its traceback.
    """
