"""What an audit of printed cells finds."""

from __future__ import annotations

from dataclasses import dataclass

from divlogic.published.cells import Cell


@dataclass(frozen=True)
class Finding:
    """A printed cell that breaks a rule; ``expected`` says what the rule would allow."""

    cell: Cell
    rule: str
    expected: str
