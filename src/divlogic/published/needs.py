"""What a printed number needs that a run does not have, as ``data/published/needs.yaml`` says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from divlogic.errors import DivLogicError
from divlogic.io.files import read_yaml
from divlogic.published.cells import PrintedCell, PrintedTable, folded_name

Need = Literal[
    "withdrawn", "needs_key", "needs_gpu", "people", "arithmetic", "design", "unavailable"
]
"""What is missing where a run has no number; ``statuses.yaml`` of the report says what each means."""

NEEDS: tuple[str, ...] = get_args(Need)
FILE = "needs.yaml"


def _as_tuple(value: object) -> object:
    return value if value is None or isinstance(value, list | tuple) else (value,)


Words = Annotated[tuple[str, ...] | None, BeforeValidator(_as_tuple)]
"""One text or several; ``None``: any."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    need: Need
    reason: str = Field(min_length=1)


class CellEntry(_Entry):
    """What printed numbers with these words need; what is left out may be anything."""

    paper: Words = None
    table: Words = None
    system: Words = None
    version: Words = None
    setting: Words = None
    metric: Words = None
    column: Words = None
    benchmark: Words = None
    measure: Words = None

    def fits(self, table: PrintedTable, cell: PrintedCell) -> bool:
        """Tell whether a printed cell has the words; a letter's case makes no other system."""
        wanted = self.model_dump(exclude={"need", "reason"}, exclude_none=True)
        for name, words in wanted.items():
            found = table.number if name == "table" else getattr(cell, name)
            if found.casefold() not in {word.casefold() for word in words}:
                return False
        return True


class ModelEntry(_Entry):
    """What the scores of models need, whatever table prints them."""

    names: Annotated[tuple[str, ...], Field(min_length=1)]

    def fits(self, table: PrintedTable, cell: PrintedCell) -> bool:
        """Tell whether a printed cell is of one of the models, by its version or, without one, by its name."""
        del table
        return folded_name(cell.version or cell.system) in map(folded_name, self.names) or (
            folded_name(cell.system) in map(folded_name, self.names)
        )


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    cells: tuple[CellEntry, ...] = ()
    models: tuple[ModelEntry, ...] = ()


@dataclass(frozen=True)
class Needs:
    """The entries of the file, in the order in which they are tried."""

    path: Path
    entries: tuple[CellEntry | ModelEntry, ...]

    def of(self, table: PrintedTable, cell: PrintedCell) -> CellEntry | ModelEntry | None:
        """Return the first entry that fits a printed cell."""
        return next((entry for entry in self.entries if entry.fits(table, cell)), None)

    def check(self, tables: Iterable[PrintedTable]) -> None:
        """Refuse an entry that is the first to fit no printed cell: it is a slip, or says the same twice."""
        used = {id(self.of(table, cell)) for table in tables for cell in table.cells}
        for entry in self.entries:
            if id(entry) not in used:
                words = entry.model_dump(exclude={"need", "reason"}, exclude_none=True)
                said = ", ".join(f"{name}: {' or '.join(word)}" for name, word in words.items())
                raise DivLogicError(
                    f"{self.path}: no printed number needs the entry of {said} ({entry.need}): none has these words, or"
                    " an entry above fits them all; correct it or take it out."
                )


def read_needs(folder: Path) -> Needs:
    """Read what the printed numbers of a folder need; without the file nothing is said of any.

    Raises:
        DivLogicError: the file says something that is not known.
    """
    path = folder / FILE
    if not path.is_file():
        return Needs(path, ())
    try:
        read = _File.model_validate(read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = " ".join(str(part) for part in first["loc"])
        raise DivLogicError(f"{path}: {place}: {first['msg']}; correct that entry.") from error
    return Needs(path, (*read.cells, *read.models))
