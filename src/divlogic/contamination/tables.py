"""The tables and the figure of what training on pairs, or on the test set, does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.contamination import guessing
from divlogic.contamination.outcomes import (
    ALL_ROTATIONS,
    DIVLOGICEVAL,
    NLI,
    SCORES,
    STAGES,
    Outcome,
    read_outcomes,
    read_recording,
    stages_of,
)
from divlogic.io import figures as drawing
from divlogic.io.files import file_sha256, write_json
from divlogic.io.tables import declared_tables

if TYPE_CHECKING:
    import pandas as pd

SAMPLES = ("leaked", "unseen", "fresh")
_ASKED = (*SAMPLES, "test")
_ORDER = ("ACC", ALL_ROTATIONS, "CIR", "PC")
_ACCURACIES = {
    "accuracy": "value", "low": "low", "high": "high", "delta": "change", "delta_low": "change_low",
    "delta_high": "change_high", "instances": "instances", "seeds": "seeds",
}  # fmt: skip
"""Columns of the tables of accuracies, and the fields of an outcome in them."""

_TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))
_LIGHT = (
    "`bag of words` is a smoke row that takes a second: it guesses before training, and sees words, not"
    " sentences. "
)
_RECORDED = "`recording`: measured in an earlier run (data/recorded/contamination): {remarks}. "

_NO_CONTROL = "No model that can complete a text was trained in this run, and none is recorded."


def tabulate(
    outcomes: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    recordings: Annotated[
        tuple[Path, ...], "--recording", "Recorded outcomes (json); repeatable."
    ] = (),
    test: Annotated[Path, "Test split of DivLogicEval (jsonl)."],
    out: Annotated[Path, FOLDER, "Folder of the tables and the figure."],
) -> None:
    """Write table5, leak and guessing (csv, md, tex), the figure of leaks (svg, png) and the summary (json)."""
    found = [outcome for path in outcomes for outcome in read_outcomes(path)]
    own = {outcome.learner for outcome in found}
    for path in recordings:
        # A learner that was trained in this run needs no recording.
        found += [
            outcome for outcome in read_leak_recording(path, test) if outcome.learner not in own
        ]
    write_table5(found, out / "table5")
    write_leak(found, out / "leak")
    write_guessing(found, out / "guessing")
    draw_leak(found, out / "leak")
    write_summary(found, out / "summary.json")


def read_leak_recording(path: Path, test: Path) -> list[Outcome]:
    """Read a recording of `record`; what was found with another version of the test split says so."""
    sha256, otherwise = file_sha256(test), " with another version of the test set"
    return read_recording(
        path, "recorded on {date}", lambda about: about["test_sha256"] == sha256, otherwise
    )


def write_table5(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write Table 5: a row per learner, benchmark and stage."""
    own = [outcome for outcome in outcomes if outcome.sample in (NLI, DIVLOGICEVAL)]
    recorded = [one for one in own if one.source == "recording"]
    # Of a recording the remark on one sample may say more than that on the other.
    remarks = {one.learner: one.remark for one in sorted(recorded, key=lambda one: len(one.remark))}
    texts = "; ".join(f"{name} {text}" for name, text in remarks.items())
    words = {
        "light": _LIGHT if any(one.learner == "bag of words" for one in own) else "",
        "recording": _RECORDED.format(remarks=texts) if recorded else "",
    }
    write_accuracies("table5", out, own, **words)


def write_accuracies(name: str, out: Path, outcomes: Iterable[Outcome], **words: str) -> None:
    """Write a table of accuracies in percent, one row per learner, sample and stage."""
    table = _TABLES[name]
    sample, stage = table.names[2:4]
    rows = [
        {"source": one.source, "learner": one.learner, sample: one.sample, stage: one.stage}
        | {column: getattr(one, name) for column, name in _ACCURACIES.items()}
        for stages in stages_of(outcomes).values()
        for one in stages.values()
    ]
    table.write(out, rows, **words)


def write_leak(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write the scores before and after as a table."""
    _TABLES["leak"].write(out, _rows(outcomes, _ORDER))


def write_guessing(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write what the methods that look for contamination say, with their positive control."""
    rows = _rows(outcomes, guessing.MEASURES)
    _TABLES["guessing"].write(out, rows, verdict=_verdict(rows))


def _verdict(rows: Sequence[dict[str, Any]]) -> str:
    """Return whether each method saw that a model was trained on the leaked instances."""
    found = [
        row for row in rows if row["sample"] == "leaked" and row["measure"] == guessing.TS_EXACT
    ]
    if not found:
        return _NO_CONTROL
    texts = []
    detected = [row for row in rows if row["sample"] == "leaked" and (row["change_low"] or 0) > 0]
    for row in found:
        others = [other["measure"] for other in detected if other["learner"] == row["learner"]]
        verdict = (
            "TS-Guessing's exact match rises, so that it detects the leak"
            if row in detected
            else "TS-Guessing's exact match does not rise although the model was trained on these very instances:"
            " the method detects nothing, and a low rate is no proof of a clean model"
        )
        rising = f"; above zero with their intervals: {', '.join(others)}" if others else ""
        texts.append(
            f"{row['learner']} ({row['before']:.1f} to {row['after']:.1f} %): {verdict}{rising}."
        )
    return " ".join(texts)


def _rows(outcomes: Iterable[Outcome], measures: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for (learner, sample, measure), stages in stages_of(outcomes).items():
        if sample not in _ASKED or measure not in measures or "before" not in stages:
            continue
        last = stages.get("after", stages["before"])
        kept = ("source", "instances", "seeds", "remark", "change", "change_low", "change_high")
        row: dict[str, Any] = {"learner": learner, "sample": sample, "measure": measure}
        row |= {name: getattr(last, name) for name in kept}
        for stage, one in stages.items():
            row |= {stage: one.value, f"{stage}_low": one.low, f"{stage}_high": one.high}
        rows.append(row)
    learners = list(dict.fromkeys(row["learner"] for row in rows))
    orders: dict[str, Sequence[str]] = {"learner": learners, "sample": _ASKED, "measure": measures}
    rows.sort(key=lambda row: [order.index(row[name]) for name, order in orders.items()])
    return rows


_LEGEND = {
    "leaked": "leaked: trained on",
    "unseen": "unseen: others of the test set",
    "fresh": "fresh: drawn with another seed",
}


def draw_leak(outcomes: Sequence[Outcome], out: Path) -> None:
    """Draw each learner's scores before (hollow) and after, joined by a line, with a colour for each sample."""
    import pandas as pd

    rows = [row for row in _rows(outcomes, _ORDER) if row["sample"] in SAMPLES]
    columns = ["source", "learner", "sample", "measure", "before", "after", "instances"]
    columns += ["after_low", "after_high"]
    found = pd.DataFrame(rows, columns=columns)
    learners = list(found["learner"].unique())
    with drawing.style() as pyplot:
        fig, grid = pyplot.subplots(
            1, max(len(learners), 1), figsize=(drawing.PAGE_WIDTH, 2.5), sharey=True, squeeze=False
        )
        for axes, learner in zip(grid[0], learners, strict=False):
            own = found[found["learner"] == learner]
            _draw_learner(axes, own)
            recorded = ", recorded" if (own["source"] == "recording").any() else ""
            axes.set_title(f"{learner}\n(n = {own['instances'].max()}{recorded})", fontsize=7.5)
        grid[0][0].set_ylabel("score in percent")
        handles, _ = grid[0][0].get_legend_handles_labels()
        fig.legend(handles, list(_LEGEND.values()), loc="outside lower center", ncols=len(SAMPLES))
        drawing.save_figure(fig, out)


def _draw_learner(axes: Any, rows: pd.DataFrame) -> None:
    # What seaborn takes for an interval reaches from the score before to the score after.
    joined = rows.assign(score=rows["after"], score_low=rows["before"], score_high=rows["after"])
    looks: dict[str, Any] = {
        "x": "measure",
        "order": _ORDER,
        "hue": "sample",
        "hue_order": SAMPLES,
        "palette": [drawing.COLOURS[1], drawing.COLOURS[0], drawing.COLOURS[2]],
        "markers": list(drawing.MARKERS[: len(SAMPLES)]),
        "dodge": 0.48,
        "linestyle": "none",
        "markersize": 4,
        "markeredgewidth": 1,
        "err_kws": {"linewidth": 1, "zorder": 1.5},  # below the marks
        "ax": axes,
    }
    drawing.sns.pointplot(
        rows, y="before", markerfacecolor="white", legend=False, errorbar=None, **looks
    )
    drawing.sns.pointplot(drawing.with_ends(joined, "score"), y="score", **looks, **drawing.GIVEN)
    # The interval of the score after: broad and faint, so that the line from before to after stays in sight.
    intervals = looks | {"markers": "none", "err_kws": {"linewidth": 4, "alpha": 0.25, "zorder": 1}}
    drawing.sns.pointplot(
        drawing.with_ends(rows, "after"), y="after", legend=False, **intervals, **drawing.GIVEN
    )
    if axes.get_legend():
        axes.get_legend().remove()
    axes.set(xlabel="", ylabel="", xlim=(-0.5, len(_ORDER) - 0.5), ylim=(-4, 104))
    axes.set_xticks(range(len(_ORDER)), [measure.replace(", ", ",\n") for measure in _ORDER])
    axes.grid(axis="x", visible=False)


def write_summary(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write what the report leads with: ACC of each learner before and after, on leaked and on fresh instances."""
    summary: dict[str, dict[str, dict[str, Any]]] = {}
    for row in _rows(outcomes, SCORES):
        if row["sample"] in ("leaked", "fresh") and "after" in row:
            own = summary.setdefault(row["learner"], {"leaked": {}, "fresh": {}})
            own[row["sample"]][row["measure"]] = {stage: round(row[stage], 1) for stage in STAGES}
    write_json(out, summary)
