"""The release of a benchmark: parquet files, data card and Croissant metadata, made from its jsonl splits."""

from divlogic.benchmarks.release.divlogiceval import corpus_sources, divlogiceval_facts
from divlogic.benchmarks.release.facts import Facts, Source
from divlogic.benchmarks.release.write import write_release

__all__ = ["Facts", "Source", "corpus_sources", "divlogiceval_facts", "write_release"]
