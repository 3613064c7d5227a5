"""The numbers printed in the papers (``data/published``): read once, as one type, with an audit of the cells."""

from divlogic.published.cells import (
    PrintedCell,
    PrintedNumbers,
    PrintedTable,
    folded_name,
    read_published,
)
from divlogic.published.needs import Needs, read_needs

__all__ = [
    "Needs",
    "PrintedCell",
    "PrintedNumbers",
    "PrintedTable",
    "folded_name",
    "read_needs",
    "read_published",
]
