"""Readers: every published benchmark, in its own format, as the one record."""

from divlogic.benchmarks.readers.formats import FORMATS, detect_format, read_benchmark
from divlogic.benchmarks.readers.importing import ImportReport, ProblemLog, import_records
from divlogic.benchmarks.source import OnProblem, Problem

__all__ = [
    "FORMATS",
    "ImportReport",
    "OnProblem",
    "Problem",
    "ProblemLog",
    "detect_format",
    "import_records",
    "read_benchmark",
]
