"""Cells of tables that hold more than text and numbers: spreadsheets, parquet files."""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any


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
