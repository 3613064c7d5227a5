"""What a learner is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from divlogic.errors import DivLogicError
from divlogic.records import Record


class Learner(Protocol):
    """Learns from records with answers and labels others; the same records and seed give the same labels."""

    def fit(self, records: Iterable[Record]) -> None:
        """Learn from records, which are read once; does nothing where there is nothing to learn.

        Raises:
            DivLogicError: there is no record, or one lacks what the learner reads.
        """

    def predict(self, records: Sequence[Record]) -> list[str]:
        """Return a label, one of its options, for each record.

        Raises:
            DivLogicError: a record lacks what the learner reads.
        """


def labelled(records: Iterable[Record]) -> Iterator[tuple[Record, str]]:
    """Yield training records with their right labels.

    Raises:
        DivLogicError: there is no record, or one has no answer.
    """
    record = None
    for record in records:
        if record.answer is None:
            raise DivLogicError(
                f"record {record.id} of {record.split} has no answer to learn from; train on labelled records only."
            )
        yield record, record.options[record.answer]
    if record is None:
        raise DivLogicError("there is no record to learn from; give a training set that is not empty.")
