"""The independence table and its figure: accuracy without context against guessing, per benchmark and system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, BASE
from divlogic.intervals import Estimate, distance, estimates
from divlogic.io import figures as drawing
from divlogic.io.tables import declared_tables
from divlogic.models.answer_keys import read_matching
from divlogic.models.predictions import (
    PUBLISHED_RANDOM,
    Prediction,
    in_label_preset,
    lost_note,
    lost_of,
)
from divlogic.models.recordings.reading import note_of
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun
from divlogic.prior_knowledge.probe import MAJORITY
from divlogic.prior_knowledge.steps import AnsweredCollection
from divlogic.records import grouped

if TYPE_CHECKING:
    import pandas as pd

TABLE = declared_tables(Path(__file__).with_name("tables.yaml"))["independence"]


Row = dict[str, Any]
"""How one system answered one benchmark, in percent, by column of the table."""


def with_verdict(row: Row, level: float, least: int) -> Row:
    """Return a row with its verdict; of fewer than ``least`` instances there is none."""
    if row["instances"] >= least:
        return row | {"independent": row["p_value"] >= level, "note": None}
    note = f"no verdict from {row['instances']} instances, {least} are needed"
    return row | dict.fromkeys(("p_value", "p_value_published", "independent")) | {"note": note}


def independence(
    predictions: Iterable[Prediction], *, seed: int, resamples: int = 2000, folds: int = 4
) -> list[Row]:
    """Test every benchmark, system and prompt among answers without context; in the order of benchmark, source, system.

    Probes answer in a cross-validation of so many ``folds``.
    """
    key_of = attrgetter("benchmark", "source", "model", "prompt")
    groups = grouped((one for one in predictions if one.asked), key_of)

    def tested(part: Sequence[Prediction], preset: str, other_chance: float | None) -> Row:
        hits = np.array([one.correct for one in part], dtype=np.float64)
        (accuracy,) = estimates(hits[:, None], seed=seed, resamples=resamples)
        return _tested(part, accuracy, other_chance, folds) | {"preset": preset}

    result = []
    for key, group in sorted(groups.items(), key=itemgetter(0)):
        # Of the authors' own answers the published random probability is part of what was published.
        other_chance = PUBLISHED_RANDOM.get(key[0]) if key[1] == "recorded" else None
        answered = in_label_preset(group, "as_published")
        alike = len(answered) == len(group) and other_chance is None
        if answered and not alike:
            result.append(tested(answered, "as_published", other_chance))
        result.append(tested(group, "" if alike else "corrected", None))
    return result


def write_independence(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    answered: AnsweredCollection,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    recordings: Annotated[
        tuple[Path, ...], "Report on recorded answers, for the note; repeatable."
    ] = (),
    params: PriorKnowledgeRun,
) -> None:
    """Test the files of ANSWERS against guessing and write the table (csv, md, tex, json)."""
    section, least = params.prior_knowledge, params.prior_knowledge.least_instances
    key_of = answered.key_of(params.seed)
    predictions = (prediction for path in answers for prediction in read_matching(path, key_of))
    tests = independence(
        predictions, seed=params.seed, resamples=section.resamples, folds=section.probe.folds
    )
    rows = [with_verdict(test, section.level, least) for test in tests]
    TABLE.write(out, rows, note_of(recordings) + lost_note(rows), least=least)


def _tested(
    predictions: Sequence[Prediction], accuracy: Estimate, other_chance: float | None, folds: int
) -> Row:
    """Return how one system answered one benchmark, against guessing or against another chance."""
    from scipy.special import betainc

    # Where questions have different numbers of options, the sum of different trials spreads less than the binomial
    # distribution of their mean, so the test is on the safe side.
    guessing = float(np.mean([1 / prediction.choices for prediction in predictions]))
    chance = guessing if other_chance is None else other_chance
    first = predictions[0]
    published = PUBLISHED_RANDOM.get(first.benchmark)
    correct = sum(prediction.correct for prediction in predictions)
    # The most frequent answer was chosen on these very questions: as many tests as there are answers to choose from.
    tests = max(prediction.choices for prediction in predictions) if first.model == MAJORITY else 1
    # A question of one fold trains the others, so that the hits of a cross-validation hang together and their number
    # varies more than that of independent trials: by 1 + K / (K - 1) (Nadeau and Bengio 2003, Machine Learning 52).
    shared = 1 + folds / (folds - 1) if first.source == "probe" else 1.0

    def p_value(probability: float) -> float:
        # The upper tail of the binomial distribution, which the incomplete beta function continues to such counts.
        hits_counted, counted = correct / shared, len(predictions) / shared
        if not hits_counted:
            return 1.0
        return min(
            1.0, tests * float(betainc(hits_counted, counted - hits_counted + 1, probability))
        )

    row: Row = {"benchmark": first.benchmark, "source": first.source, "system": first.model}
    row |= {"prompt": first.prompt, "instances": len(predictions), "correct": correct}
    row |= accuracy.cells("accuracy") | {
        "random_probability": 100 * chance,
        "p_value": p_value(chance),
    }
    if published is not None:
        row |= {"random_published": 100 * published, "p_value_published": p_value(published)}
    return row | distance(accuracy, chance).cells("delta") | lost_of(predictions)


def draw_independence(rows: pd.DataFrame, out: Path) -> list[Path]:
    """Draw accuracy against random probability: a line per benchmark and system, with interval bars.

    Args:
        rows: the table; rows whose ``source`` is ``published`` are printed in a paper.
        out: the figure, without suffix: svg and png are written.
    """
    rows = rows[(rows["source"] != "baseline") & (rows["preset"] != "corrected")]
    order = {name: place for place, name in enumerate(rows["benchmark"].unique())}
    rows = rows.sort_values(
        "benchmark", key=lambda names: names.map(order), ignore_index=True, kind="stable"
    )
    rows["line"] = rows.index.astype(str)
    sources = list(dict.fromkeys(rows["source"]))
    with drawing.style() as pyplot:
        figure, axis = pyplot.subplots(figsize=(drawing.PAGE_WIDTH * 0.75, 0.7 + 0.19 * len(rows)))
        looks = drawing.series(sources)
        for source, colour, marker in zip(sources, looks["palette"], looks["markers"], strict=True):
            face: dict[str, Any] = {
                "color": colour,
                "markers": marker,
                "markersize": 4,
                "markeredgewidth": 1,
            }
            face |= {"markerfacecolor": "white"} if source == "published" else {}
            own = rows[rows["source"] == source]
            drawing.points(
                axis, own, "accuracy", "line", list(rows["line"]), err_kws={"linewidth": 1}, **face
            )
        guess = rows["random_probability"]
        axis.vlines(guess, rows.index - 0.4, rows.index + 0.4, color="#555555", linewidth=1)
        for first in rows.index[rows["benchmark"] != rows["benchmark"].shift()][1:]:
            axis.axhline(first - 0.5, color="#bbbbbb", linewidth=0.6)
        axis.set_yticks(rows.index, [_label(row) for row in rows.to_dict("records")])
        axis.set_ylim(len(rows) - 0.4, -0.6)
        right = rows["accuracy_high"].fillna(rows["accuracy"]).max()
        axis.set_xlim(0, max(60.0, float(right) + 4) if len(rows) else 60.0)
        axis.set(xlabel="accuracy without the context (%)\nbar: guessing", ylabel="")
        axis.grid(axis="y", visible=False)
        return drawing.save_figure(figure, out)


def _label(row: Mapping[Any, Any]) -> str:
    title = TITLES.get(row["benchmark"], row["benchmark"])
    if row["source"] in ("published", "probe"):
        return f"{title}: {row['source']}"
    recorded = row["source"] == "recorded" and "recorded" not in row["system"]
    return f"{title}: {row['system']}{' (recorded)' if recorded else ''}"
