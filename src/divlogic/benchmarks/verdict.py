"""What an audit says of one label."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from divlogic.records import Record


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label derived again from the symbolic form.

    Attributes:
        id: of the record.
        published: the label it carries.
        derived: the label that follows, or ``None`` if none could be derived.
        kind: class of the finding; empty where the labels agree.
        reason: a sentence about it.
    """

    id: str
    published: str
    derived: str | None
    kind: str = ""
    reason: str = ""

    @property
    def agrees(self) -> bool:
        """Return whether the derived label is the published one."""
        return self.derived == self.published


def published_label(record: Record) -> str:
    """Return the text of the labelled option; empty where there is none."""
    return "" if record.answer is None else record.options[record.answer]


def published_letter(record: Record) -> str:
    """Return the letter of the labelled option; empty where there is none."""
    return "" if record.answer is None else ascii_uppercase[record.answer]
