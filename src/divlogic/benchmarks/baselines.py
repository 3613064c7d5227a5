"""The baselines that benchmarks bring along."""

from __future__ import annotations

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.io.imports import load
from divlogic.models.baselines import offer


def offer_baselines() -> None:
    """Make every benchmark's own baselines known to the models (``baseline/NAME``)."""
    for one in BENCHMARKS:
        if one.baselines:
            offer(load(one.baselines))
