"""Every benchmark that the project knows, in the order of its tables."""

from __future__ import annotations

from divlogic.benchmarks import made, official
from divlogic.benchmarks.spec import Benchmark, Entry, Format, Generator, Published
from divlogic.errors import DivLogicError
from divlogic.models.parameters import GENERAL_BASELINES

BENCHMARKS: tuple[Benchmark, ...] = (
    made.DIVLOGICEVAL,
    made.ILOGICEVAL,
    official.RECLOR,
    official.LOGIQA2,
    official.RULETAKER,
    made.LOGICNLI,
    official.FOLIO,
    official.ROBUSTLR,
    official.PRONTOQA_OOD,
    official.CLUTRR,
    official.PROOFWRITER,
    made.JUSTLOGIC,
    made.LLMEVAL_LOGIC,
)


def benchmark_named(name: str) -> Benchmark:
    """Return the benchmark of that name."""
    known = {one.name: one for one in BENCHMARKS}
    if name not in known:
        raise DivLogicError(f"there is no benchmark '{name}'; known: {', '.join(known)}.")
    return known[name]


def generator_named(name: str) -> Generator:
    """Return the generator of the benchmark of that name."""
    generator = benchmark_named(name).generator
    if generator is None:
        made = ", ".join(one.name for one in BENCHMARKS if one.generator)
        raise DivLogicError(f"the benchmark '{name}' is not generated; these are: {made}.")
    return generator


def published_sets() -> tuple[Published, ...]:
    """Return the published records of every benchmark, in the order of the registry."""
    return tuple(records for one in BENCHMARKS for records in one.published)


def formats() -> dict[str, Format]:
    """Return the formats of published files by name, in the order in which sniffing tries them."""
    return {form.name: form for one in BENCHMARKS for form in one.formats}


def baseline_names() -> list[str]:
    """Return the names of all baselines (``baseline/NAME``): those that serve every benchmark, and benchmarks' own."""
    return [*GENERAL_BASELINES, *(name for one in BENCHMARKS for name in one.baselines)]


def generated_names() -> tuple[str, ...]:
    """Return the names that records made here carry, those of twins included."""
    made = (one for one in BENCHMARKS if one.generator)
    return tuple(
        name for one in made if one.generator for name in (one.generated_name, *one.generator.twins)
    )


def audits() -> dict[str, Entry]:
    """Return what derives the labels of records again, by the name that they carry; empty: nothing does."""
    return {records.name: records.audit for one in BENCHMARKS for records in one.records}


TITLES = {records.name: records.title for one in BENCHMARKS for records in one.records}
"""How the papers write the name that records carry, in the order of the tables."""
