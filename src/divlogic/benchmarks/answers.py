"""What a benchmark's spec says to those who ask models: the form of its answers, and its own baselines."""

from __future__ import annotations

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.io.imports import load
from divlogic.models.answers import Labels, Letters, format_of
from divlogic.models.baselines import offer
from divlogic.records import Record

_STATED = {records.name: one.answers for one in BENCHMARKS for records in one.records}
"""Forms of answers by the name that records carry."""


def answer_format(record: Record) -> Letters | Labels:
    """Return the form of a record's answer: whether its options are labels or texts under letters.

    Its benchmark says so. A record that belongs to no benchmark of the registry, or whose options are none of the
    labels of its benchmark, is judged by its options.

    Raises:
        ValueError: the record has no options.
    """
    stated = _STATED.get(record.benchmark)
    if isinstance(stated, Letters):
        return Letters(len(record.options))
    if isinstance(stated, Labels):
        labels = {name.casefold() for name in stated.names}
        if record.options and labels.issuperset(option.casefold() for option in record.options):
            return Labels(record.options, stated.hint)
    return format_of(record)


def offer_baselines() -> None:
    """Make every benchmark's own baselines known to the models (``baseline/NAME``)."""
    for one in BENCHMARKS:
        offer(map(load, one.baselines.values()))
