"""Numbers that passed through BLAS or SIMD exponentials, cut to the digits that every machine agrees on."""

from __future__ import annotations

from typing import Any

DIGITS = 10
"""Significant digits that are kept; machines differ from the fourteenth on."""


def rounded(value: Any) -> Any:
    """Return a value of JSON with every floating-point number in it rounded to ``DIGITS`` significant digits.

    >>> rounded({"kl_bits": 1.2936426400344274, "of": [2 / 3, 7]})
    {'kl_bits': 1.29364264, 'of': [0.6666666667, 7]}
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return value
