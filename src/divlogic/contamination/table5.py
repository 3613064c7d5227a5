"""Table 5 of DivLogicEval: further training on a benchmark's sources, and what it does to both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.contamination.leak import Build, Remember, scores_of
from divlogic.contamination.learner import Learner
from divlogic.contamination.outcomes import Floats, Outcome, summarise, write_accuracies
from divlogic.contamination.sample import Pairs
from divlogic.errors import DivLogicError
from divlogic.published import read_published
from divlogic.records import Record

NLI, DIVLOGICEVAL = "NLI", "DivLogicEval"
ORIGIN = "origin"

PRINTED = "divlogiceval_table5"
"""The file of the printed cells in data/published."""

_PRINTED = {"SNLI": NLI, "DivLogicEval": DIVLOGICEVAL}
_ROTATED = 0  # column of scores_of
_NOTE = """\
Accuracy in percent before further training on pairs of natural language inference (origin) and after 1 and 10 passes
over them; delta: difference from origin, in points, on the same instances. Intervals: 95 %, bootstrap over instances.
NLI: pairs whose premises were not trained on, of the run's first corpus (SNLI, or the composed captions of embedded
runs). DivLogicEval: the mean over all rotations. `printed`: Table 5 of the paper (Llama 2 7B, no intervals, its
training is not described further). {light}{recording}"""
_LIGHT = (
    "`bag of words` is a smoke row that takes a second: it guesses before training, and sees words, not"
    " sentences. "
)
_RECORDED = "`recording`: measured in an earlier run (data/recorded/contamination): {remarks}. "


def nli_training(
    label: str,
    build: Build,
    pairs: Pairs,
    instances: Sequence[Record],
    *,
    passes: Sequence[int],
    seeds: Sequence[int],
    resamples: int,
    remember: Remember | None = None,
) -> Iterator[Outcome]:
    """Train on pairs and ask pairs and instances at each stage.

    Args:
        label: how the learner is called.
        build: makes it from a seed.
        pairs: what is trained on and tested with.
        instances: of DivLogicEval.
        passes: over the training pairs, ascending; each is a stage.
        seeds: one training for each.
        resamples: of the bootstrap.
        remember: keeps what each stage of a seed found, for runs that are interrupted.
    """
    stages = [(ORIGIN, 0), *((f"{count}x", count) for count in passes)]
    found: dict[str, list[dict[str, Floats]]] = {stage: [] for stage, _ in stages}
    for seed in seeds:
        learner, done = build(seed), 0
        for stage, count in stages:
            if count > done:
                learner.train(pairs.train, count - done)
                done = count
            ask = _asker(learner, pairs, instances)
            found[stage].append(remember(f"table5-{seed}-{stage}", ask) if remember else ask())
    for sample in (NLI, DIVLOGICEVAL):
        runs = {stage: [one[sample] for one in own] for stage, own in found.items()}
        yield from summarise(label, sample, "ACC", runs, seed=seeds[0], resamples=resamples)


def _asker(learner: Learner, pairs: Pairs, instances: Sequence[Record]) -> Any:
    def ask() -> dict[str, Floats]:
        chosen = np.array(learner.choose(pairs.test))
        right = chosen == np.array([record.answer for record in pairs.test])
        return {NLI: right.astype(np.float64), DIVLOGICEVAL: scores_of(learner, instances)[:, _ROTATED]}

    return ask


def write_table5(outcomes: Sequence[Outcome], published: Path, out: Path) -> list[Path]:
    """Write the table: a row per learner, benchmark and stage, the printed cells among them.

    Args:
        outcomes: what learners scored; other samples are left out.
        published: folder of the printed numbers.
        out: the table, without suffix.
    """
    own = [outcome for outcome in outcomes if outcome.sample in (NLI, DIVLOGICEVAL)]
    recorded = [one for one in own if one.source == "recording"]
    # Of a recording the remark on one sample may say more than that on the other.
    remarks = {one.learner: one.remark for one in sorted(recorded, key=lambda one: len(one.remark))}
    note = _NOTE.format(
        light=_LIGHT if any(one.learner == "bag of words" for one in own) else "",
        recording=_RECORDED.format(remarks="; ".join(f"{name} {text}" for name, text in remarks.items()))
        if recorded
        else "",
    )
    path = published / f"{PRINTED}.csv"
    return write_accuracies(out, ("benchmark", "stage"), _printed(path), own, note.strip(), path)


def _printed(published: Path) -> Iterator[dict[str, Any]]:
    """Yield the printed cells as rows.

    Raises:
        DivLogicError: the file lacks a column or has a cell that is no number.
    """
    printed = read_published(published.parent, published.stem).cells(published.stem)
    try:
        cells = {(cell.setting, cell.column): cell.value for cell in printed}
        system = f"{printed[0].system} ({printed[0].version})"
        for setting, benchmark in _PRINTED.items():
            for column in ("origin", "tuned(1x)", "tuned(10x)"):
                value = cells[setting, column]
                delta = None if column == "origin" else round(value - cells[setting, "origin"], 1)
                stage = column.removeprefix("tuned(").rstrip(")")
                yield {
                    "learner": system,
                    "benchmark": benchmark,
                    "stage": stage,
                    "accuracy": value,
                    "delta": delta,
                }
    except (KeyError, IndexError) as error:
        raise DivLogicError(
            f"{published}: not the printed Table 5 ({error!r}); restore the file with git."
        ) from error
