"""Readers: every published benchmark, in its own format, as the one record."""

from divlogic.benchmarks.readers.formats import FORMATS, Format, detect_format, read_benchmark
from divlogic.benchmarks.readers.importing import ImportReport, ProblemLog, import_records
from divlogic.benchmarks.readers.source import OnProblem, Problem

__all__ = [
    "FORMATS",
    "Format",
    "ImportReport",
    "OnProblem",
    "Problem",
    "ProblemLog",
    "detect_format",
    "import_records",
    "read_benchmark",
]
