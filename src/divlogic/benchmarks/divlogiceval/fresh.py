"""Fresh instances: in symbols and worded for the probes that look for shortcuts, worded for what was trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.divlogiceval.draw import SymbolicInstance, draw_instance
from divlogic.benchmarks.divlogiceval.groups import Dealer, SentenceGroup, read_groups
from divlogic.benchmarks.divlogiceval.parameters import (
    FRESH,
    FRESH_WORDED,
    DivLogicEvalParameters,
    DivLogicEvalRun,
    Preset,
)
from divlogic.benchmarks.divlogiceval.propositions import notation
from divlogic.benchmarks.divlogiceval.realise import realise, symbolic_context
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import row_count, write_jsonl
from divlogic.io.log import track
from divlogic.records import Record

Settings = DivLogicEvalParameters
_START = QUARTET * 10**7  # beyond the instances of any benchmark
_OPTIONS = 4
_OTHER_SEED = 3  # further from the run's than those of what is trained on


def write_fresh(
    out: Annotated[Path, "Fresh instances in symbols (jsonl)."],
    preset: Annotated[Preset, "How to draw."],
    parameters: DivLogicEvalRun,
) -> int:
    """Draw fresh symbolic instances of one preset for the probes that look for shortcuts."""
    settings = parameters.benchmarks.divlogiceval
    count = FRESH[parameters.corpus_source][preset] if settings.fresh is None else settings.fresh
    rows = fresh_records(preset, settings, parameters.seed, count)
    return write_jsonl(out, (record.to_json() for record in track(rows, "fresh instances")))


def write_fresh_worded(
    groups: Annotated[Path, "Shuffled sentence groups."],
    out: Annotated[Path, "Fresh worded instances (jsonl)."],
    parameters: DivLogicEvalRun,
) -> int:
    """Word fresh balanced instances for the probes that read words."""
    settings = parameters.benchmarks.divlogiceval
    preset: Preset = "balanced"
    count = FRESH_WORDED[parameters.corpus_source] if settings.fresh is None else settings.fresh
    seed, total = parameters.seed + _OTHER_SEED, len(QUESTION_TYPES) * count
    rows = track(worded_records(groups, preset, settings, seed, total), "fresh worded instances")
    named = (replace(record, metadata={**record.metadata, "preset": preset}) for record in rows)
    return write_jsonl(out, (record.to_json() for record in named))


def fresh_records(preset: Preset, settings: Settings, seed: int, count: int) -> Iterator[Record]:
    """Yield ``count`` instances of each question type, in whole quartets."""
    drawn_with = settings.of_preset(preset)
    for number in range(3 * count):
        yield _record(draw_instance(seed, _START + number, drawn_with), preset, number)


def worded_records(
    groups: Path, preset: Preset, settings: Settings, seed: int, count: int, *, apart: bool = False
) -> Iterator[Record]:
    """Yield ``count`` worded instances that a run with another seed could have made of the same sentences.

    Args:
        groups: the shuffled sentence groups of the run. They are taken in turn from a place that the seed draws, over
            and over, so that any number of instances can be worded.
        seed: another one than the run's, or the run's own instances come again in other words.
        apart: at most one instance of each quartet.
    """
    drawn_with = settings.of_preset(preset)
    total = row_count(groups)
    if total < drawn_with.most_variables:
        raise DivLogicError(
            f"{groups}: {total} sentence groups are too few for one instance; use a larger corpus."
        )
    first = Draws(seed, _START).below(total)
    dealer = Dealer(_in_turn(groups, settings.max_hypotheses, first))
    for number in range(count):
        place = _apart(seed, number, drawn_with) if apart and preset == "balanced" else number
        instance = draw_instance(seed, place, drawn_with)
        own = dealer.groups_of(instance)
        name = f"fresh-{preset}-{seed}-{place:06d}"
        yield realise(instance, own, drawn_with, seed, place, id=name, split="fresh")[0]


def _apart(seed: int, number: int, settings: Settings) -> int:
    """Return the place of the only member that is taken from a quartet; types and right options take turns."""
    quartet, kind = divmod(number, len(QUESTION_TYPES))
    members = [QUARTET * quartet + len(QUESTION_TYPES) * at + kind for at in range(_OPTIONS)]
    return next(
        at for at in members if draw_instance(seed, at, settings).answer == number % _OPTIONS
    )


def _in_turn(groups: Path, hypotheses: int, first: int) -> Iterator[SentenceGroup]:
    """Yield the groups from one of them on, over and over."""
    yield from islice(read_groups(groups, hypotheses), first, None)
    while True:
        yield from read_groups(groups, hypotheses)


def _record(instance: SymbolicInstance, preset: Preset, number: int) -> Record:
    """Write an instance in symbols, as in the symbolic twin."""
    premises = [notation(premise) for premise in instance.premises]
    conclusion = notation(instance.conclusion) if instance.conclusion else None
    options = [notation(option) for option in instance.options]
    return Record(
        id=f"fresh-{preset}-{number:06d}",
        benchmark="s-divlogiceval",
        split="fresh",
        context=symbolic_context(premises, conclusion),
        question="",
        options=tuple(options),
        answer=instance.answer,
        question_type=instance.question_type,
        formulas={"premises": premises, "conclusion": conclusion, "options": options},
        metadata={"preset": preset, "premises_needed": instance.depth, **instance.membership},
    )
