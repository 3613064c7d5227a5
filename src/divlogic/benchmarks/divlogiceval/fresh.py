"""Fresh symbolic instances of both presets, for the probes that look for shortcuts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from divlogic.benchmarks.divlogiceval.parameters import FRESH, DivLogicEvalParameters, Preset
from divlogic.benchmarks.divlogiceval.propositions import notation
from divlogic.benchmarks.divlogiceval.symbolic import QUARTET, SymbolicInstance, draw_instance
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.io.files import write_jsonl
from divlogic.io.log import track
from divlogic.records import Record

_START = QUARTET * 10**7  # beyond the instances of any benchmark


def write_fresh(out: Path, preset: Preset, parameters: BenchmarksRun) -> int:
    """Write fresh instances of one preset in symbols, whatever preset the run is made with; return their number."""
    settings = parameters.benchmarks.divlogiceval
    count = FRESH[parameters.corpus_source] if settings.fresh is None else settings.fresh
    rows = fresh_records(preset, settings, parameters.seed, count)
    return write_jsonl(out, (record.to_json() for record in track(rows, "fresh instances")))


def fresh_records(
    preset: Preset, settings: DivLogicEvalParameters, seed: int, count: int
) -> Iterator[Record]:
    """Yield ``count`` instances of each question type, in whole quartets."""
    drawn_with = settings.model_copy(update={"preset": preset})
    for number in range(3 * count):
        yield _record(draw_instance(seed, _START + number, drawn_with), preset, number)


def _record(instance: SymbolicInstance, preset: Preset, number: int) -> Record:
    """Write an instance in symbols, as in the symbolic twin."""
    premises = [notation(premise) for premise in instance.premises]
    conclusion = notation(instance.conclusion) if instance.conclusion else None
    options = [notation(option) for option in instance.options]
    quartet = {} if instance.quartet is None else {"quartet": instance.quartet}
    return Record(
        id=f"fresh-{preset}-{number:06d}",
        benchmark="s-divlogiceval",
        split="fresh",
        context=", ".join(premises) + (f" ⊨ {conclusion}" if conclusion else ""),
        question="",
        options=tuple(options),
        answer=instance.answer,
        question_type=instance.question_type,
        formulas={"premises": premises, "conclusion": conclusion, "options": options},
        metadata={"preset": preset, "premises_needed": instance.depth, **quartet},
    )
