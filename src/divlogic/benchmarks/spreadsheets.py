"""Spreadsheets (xlsx): the sheet that holds questions, one row in memory at a time."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from divlogic.benchmarks.columns import find_columns
from divlogic.benchmarks.fields import plain_value
from divlogic.errors import DivLogicError

_MOST_BYTES = 1 << 30
"""Unpacked bytes of a workbook; a zip of a few KiB may hold any number of them."""

_ERRORS = frozenset(("#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!"))


OnWrong = Callable[[str, str], None]
"""Called with the name of a row that cannot be used, and why; the row is then left out."""


def sheet_rows(file: str, content: bytes, on_wrong: OnWrong) -> Iterator[tuple[str, Any]]:
    """Yield (row name, cells by column) of the sheets of a workbook that hold questions and options.

    A sheet's header is its first row that is not empty. Of several sheets with questions all are read if they have the
    same columns, and a row's name then begins with its sheet's; sheets without questions (notes, say) are passed over.
    Cells are read as they were last calculated.

    Args:
        file: what it is called in messages.
        content: the workbook.
        on_wrong: called for a row with an error in a cell.

    Raises:
        DivLogicError: it is no workbook, a column that holds something has no name, or sheets with questions have
            different columns.
    """
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(member.file_size for member in packed.infolist()) > _MOST_BYTES:
                raise DivLogicError(f"{file}: unpacked it is larger than 1 GiB; save the questions as csv.")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError, OSError, SyntaxError) as error:
        raise DivLogicError(
            f"{file}: not an xlsx workbook ({error}); save it as xlsx again, or as csv."
        ) from error
    try:
        chosen = _with_questions(file, {sheet.title: sheet for sheet in book.worksheets})
        for title, sheet in chosen.items():
            for number, row in _named_rows(file, title, sheet, on_wrong):
                yield (f"{title}-{number}" if len(chosen) > 1 else str(number)), row
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, SyntaxError) as error:
        # Sheets are unpacked as they are read.
        raise DivLogicError(
            f"{file}: a sheet is damaged ({error}); save it as xlsx again, or as csv."
        ) from error
    finally:
        book.close()


def _with_questions(file: str, sheets: dict[str, Any]) -> dict[str, Any]:
    headers = {title: _header(sheet) for title, sheet in sheets.items()}
    held = {title: header for title, header in headers.items() if header}
    if not held:
        raise DivLogicError(f"{file}: all its sheets are empty; save the workbook with its questions.")
    chosen = [title for title, header in held.items() if find_columns(header)] or list(held)[:1]
    if len({tuple(held[title]) for title in chosen}) > 1:
        raise DivLogicError(
            f"{file}: the sheets {', '.join(map(repr, chosen))} all hold questions, in different columns; save each as"
            " a file of its own."
        )
    return {title: sheets[title] for title in chosen}


def _header(sheet: Any) -> list[str]:
    for cells in sheet.iter_rows(values_only=True):
        if any(cell is not None for cell in cells):
            names = ["" if cell is None else str(cell).strip() for cell in cells]
            while names and not names[-1]:
                names.pop()
            return names
    return []


def _named_rows(file: str, title: str, sheet: Any, on_wrong: OnWrong) -> Iterator[tuple[int, dict[str, Any]]]:
    from openpyxl.utils import get_column_letter

    names: list[str] = []
    number = 0
    for cells in sheet.iter_rows(values_only=True):
        if not names:
            if any(cell is not None for cell in cells):
                names = _header(sheet)
                if len(set(filter(None, names))) < len(list(filter(None, names))):
                    raise DivLogicError(
                        f"{file}, sheet {title!r}: two columns have the same name; rename one."
                    )
            continue
        number += 1
        if all(cell is None for cell in cells):
            continue
        for place, cell in enumerate(cells):
            if cell is not None and (place >= len(names) or not names[place]):
                raise DivLogicError(
                    f"{file}, sheet {title!r}, row {number}: column {get_column_letter(place + 1)} holds something and"
                    " has no name in the first row. Give every column its own name there; unmerge merged cells of the"
                    " header, and delete a title above it."
                )
        wrong = next((cell for cell in cells if isinstance(cell, str) and cell in _ERRORS), None)
        if wrong:
            on_wrong(str(number), f"a cell holds the error {wrong}")
            continue
        row = dict(zip(names, map(plain_value, cells), strict=False))
        yield number, {name: row.get(name) for name in names if name}
