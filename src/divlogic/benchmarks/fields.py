"""Fields of published rows and cells of tables; a wrong one is a ValueError that names the field."""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


def text(value: Any, name: str) -> str:
    """Return ``value`` if it is a string.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(value, str):
        raise ValueError(f"the field '{name}' is not a string")
    return value


def strings(value: Any, name: str) -> tuple[str, ...]:
    """Return ``value`` as a tuple if it is a list of strings.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise ValueError(f"the field '{name}' is not a list of strings")
    return tuple(value)


def index(value: Any, options: tuple[str, ...], name: str) -> int | None:
    """Return ``value`` as an index of ``options``; ``None`` stays ``None`` (labels that are not public).

    Raises:
        ValueError: it is no index.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(options):
        raise ValueError(
            f"the field '{name}' is {value!r}, which is not an index of the {len(options)} options"
        )
    return value


def label(value: Any, options: tuple[str, ...]) -> int:
    """Return the index of a label, in upper or lower case; ``true`` and ``false`` may be JSON's own.

    Raises:
        ValueError: the label is none of the options.
    """
    folded = str(value).strip().casefold()
    for position, option in enumerate(options):
        if option.casefold() == folded:
            return position
    raise ValueError(f"the label {value!r} is none of {', '.join(options)}")


def integer(value: Any) -> int | None:
    """Return ``value`` if it is a whole number, else ``None``."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def lines(value: Any, name: str) -> tuple[str, ...]:
    """Return the lines of a string, or a list of strings as it is.

    Raises:
        ValueError: it is neither.
    """
    return tuple(value.split("\n")) if isinstance(value, str) else strings(value, name)


def plain_value(value: Any) -> Any:
    """Return a cell as JSON can hold it: days and times in ISO 8601, a day without time as a day."""
    if isinstance(value, dict):
        return {str(name): plain_value(cell) for name, cell in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(cell) for cell in value]
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return (value.date() if midnight else value).isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def read_typed(kind: type[T], value: Any) -> T:
    """Return a JSON value as a pydantic model or a dataclass.

    Raises:
        ValueError: it is none; the first objection in one line that begins with the place.
    """
    try:
        found: T = _adapter(kind).validate_python(value)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the row"
        said = re.sub(r"a dictionary or an instance of \w+", "an object", first["msg"])
        said = said.removeprefix("Value error, ")
        raise ValueError(f"{place}: {said[0].lower()}{said[1:]}") from error
    return found


@contextmanager
def located(place: str) -> Iterator[None]:
    """Add a place to the ValueErrors of a block."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
