"""What a learner of this phase is: it chooses among the options of records and can be trained further."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from divlogic.records import Record

LABELS = ("entailment", "neutral", "contradiction")
"""The labels of natural language inference, in the order in which they are offered."""


class Learner(Protocol):
    """Chooses options and learns from records with answers; the same records, passes and seed give the same choices.

    A record whose options are :data:`LABELS` is a pair of natural language inference: its context is the premise, its
    question the hypothesis. Any other record is a question with options of its own.
    """

    def train(self, records: Sequence[Record], passes: int) -> None:
        """Go over records ``passes`` times more, from where the last call ended.

        Raises:
            DivLogicError: there is no record, one has no answer, or the learner cannot be trained on such records.
        """

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        """Return for each record the index of the option chosen when they stand in ``rotation``; labels never turn."""


def is_pair(record: Record) -> bool:
    """Return whether a record is a pair of natural language inference."""
    return record.options == LABELS


def hypothesis_label(record: Record) -> str:
    """Return the label that an option must bear to its passage in order to be right.

    Asked for the option that does not follow (``3e1c``) it is ``neutral``, else ``entailment``: this is how a
    classifier of pairs answers questions that it was not trained on.
    """
    return "neutral" if record.question_type == "3e1c" else "entailment"
