"""The tables and the figure of what training on the test set does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.contamination import guessing
from divlogic.contamination.leak import ALL_ROTATIONS, STAGES
from divlogic.contamination.leak import MEASURES as SCORES
from divlogic.contamination.outcomes import Outcome, stages_of
from divlogic.io.figures import COLOURS, GIVEN, MARKERS, PAGE_WIDTH, save_figure, style, with_ends
from divlogic.io.files import write_json
from divlogic.io.tables import write_table
from divlogic.published import read_published

if TYPE_CHECKING:
    import pandas as pd

SAMPLES = ("leaked", "unseen", "fresh")
_ASKED = (*SAMPLES, "test")
_NUMBERS = ("before", "after", "change")
_COLUMNS = (
    *("source", "learner", "sample", "measure"),
    *(f"{name}{bound}" for name in _NUMBERS for bound in ("", "_low", "_high")),
    *("instances", "seeds", "remark"),
)
_SHOWN = (
    *("source", "learner", "sample", "measure", "before", "after", "change", "change_low", "change_high"),
    *("instances", "seeds"),
)
_LEAK_NOTE = """\
Scores in percent before and after training on the leaked instances of the test split themselves. leaked: what was
trained on; unseen: other instances of the same test split; fresh: instances drawn with another seed from the same
sentences. What is gained on leaked instances alone is memory. Intervals: 95 %, bootstrap over instances; change: after
minus before on the same instances. Two learners are there for comparison: one learns the letters of the answers by
heart, the other the right options; at all other questions they guess. ACC is that of the order of the options in
training."""
_GUESS_NOTE = """\
Can it be seen that a model was trained on the test set? TS-Guessing (Deng et al. 2024): one wrong option is masked and
to be filled in; exact match, ROUGE-L F1 and token match (share of its tokens that are the likeliest ones) in percent.
continuation: the same option as it follows in the plain text. Min-20 %: mean log-probability, in nats, of the fifth of
the tokens that is least likely (Shi et al. 2024). before and after training on the leaked instances; unseen ones are
the control; test: models that were asked as they are. {verdict} `printed`: DivLogicEval, Section 3.3, of GPT-3.5;
without a positive control it does not show that there was no contamination."""
PRINTED = "divlogiceval_guessing"
"""The file of the printed cells in data/published: DivLogicEval, Section 3.3."""

_NO_CONTROL = "No model that can complete a text was trained in this run, and none is recorded."


def write_leak(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write the scores before and after as a table."""
    rows = _rows(outcomes, (SCORES[1], SCORES[0], *SCORES[2:]))
    _write(rows, out, _LEAK_NOTE)


def write_guessing(outcomes: Sequence[Outcome], published: Path, out: Path) -> None:
    """Write what the methods that look for contamination say, with their positive control.

    Args:
        outcomes: what models completed before and after training on leaked instances.
        published: folder of the printed numbers.
        out: the table, without suffix.
    """
    rows = _rows(outcomes, guessing.MEASURES)
    printed = [
        {
            "source": "printed",
            "learner": cell.system,
            "sample": cell.setting,
            "measure": cell.metric,
            "before": cell.value,
        }
        for cell in read_published(published, PRINTED).cells(PRINTED)
    ]
    files = [(published / f"{PRINTED}.csv").as_posix()]
    _write([*printed, *rows], out, _GUESS_NOTE.format(verdict=_verdict(rows)), files)


def _verdict(rows: Sequence[dict[str, Any]]) -> str:
    """Return whether each method saw that a model was trained on the leaked instances."""
    found = [row for row in rows if row["sample"] == "leaked" and row["measure"] == guessing.TS_EXACT]
    if not found:
        return _NO_CONTROL
    texts = []
    for row in found:
        others = [
            other["measure"]
            for other in rows
            if (other["learner"], other["sample"]) == (row["learner"], "leaked") and _detected(other)
        ]
        verdict = (
            "TS-Guessing's exact match rises, so that it detects the leak"
            if _detected(row)
            else "TS-Guessing's exact match does not rise although the model was trained on these very instances:"
            " the method detects nothing, and a low rate is no proof of a clean model"
        )
        rising = f"; above zero with their intervals: {', '.join(others)}" if others else ""
        texts.append(f"{row['learner']} ({row['before']:.1f} to {row['after']:.1f} %): {verdict}{rising}.")
    return " ".join(texts)


def _detected(row: dict[str, Any]) -> bool:
    return row["change_low"] is not None and row["change_low"] > 0


def _rows(outcomes: Iterable[Outcome], measures: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for (learner, sample, measure), stages in stages_of(outcomes).items():
        if sample not in _ASKED or measure not in measures or STAGES[0] not in stages:
            continue
        before = stages[STAGES[0]]
        if STAGES[1] not in stages:
            rows.append(
                {
                    "source": before.source,
                    "learner": learner,
                    "sample": sample,
                    "measure": measure,
                    "before": before.value,
                    "before_low": before.low,
                    "before_high": before.high,
                    "instances": before.instances,
                    "seeds": before.seeds,
                    "remark": before.remark,
                }
            )
            continue
        after = stages[STAGES[1]]
        rows.append(
            {
                "source": after.source,
                "learner": learner,
                "sample": sample,
                "measure": measure,
                "before": before.value,
                "before_low": before.low,
                "before_high": before.high,
                "after": after.value,
                "after_low": after.low,
                "after_high": after.high,
                "change": after.change,
                "change_low": after.change_low,
                "change_high": after.change_high,
                "instances": after.instances,
                "seeds": after.seeds,
                "remark": after.remark,
            }
        )
    learners = list(dict.fromkeys(row["learner"] for row in rows))
    rows.sort(
        key=lambda row: (
            learners.index(row["learner"]),
            _ASKED.index(row["sample"]),
            measures.index(row["measure"]),
        )
    )
    return rows


def _write(rows: Sequence[dict[str, Any]], out: Path, note: str, sources: Sequence[str] = ()) -> None:
    units = {name: "percent" for name in _COLUMNS if name.startswith(("before", "after"))}
    units |= {name: "points" for name in _COLUMNS if name.startswith("change")}
    write_table(out, _COLUMNS, rows, note, floats=1, units=units, shown=_SHOWN, sources=sources)


_LEGEND = {
    "leaked": "leaked: trained on",
    "unseen": "unseen: others of the test set",
    "fresh": "fresh: drawn with another seed",
}


def draw_leak(outcomes: Sequence[Outcome], out: Path) -> None:
    """Draw each learner's scores before (hollow) and after, joined by a line, with a colour for each sample."""
    import pandas as pd

    measures = ("ACC", ALL_ROTATIONS, "CIR", "PC")
    rows = [row for row in _rows(outcomes, measures) if row["sample"] in SAMPLES]
    found = pd.DataFrame(rows, columns=["source", "learner", "sample", "measure", "before", "after"])
    learners = list(found["learner"].unique())
    with style():
        from matplotlib import pyplot

        fig, grid = pyplot.subplots(
            1, max(len(learners), 1), figsize=(PAGE_WIDTH, 2.5), sharey=True, squeeze=False
        )
        for axes, learner in zip(grid[0], learners, strict=False):
            own = found[found["learner"] == learner]
            _draw_learner(axes, own, measures)
            recorded = (own["source"] == "recording").any()
            axes.set_title(f"{learner}\n(from recording)" if recorded else f"{learner}\n", fontsize=7.5)
        grid[0][0].set_ylabel("score in percent")
        handles, _ = grid[0][0].get_legend_handles_labels()
        fig.legend(handles, list(_LEGEND.values()), loc="outside lower center", ncols=len(SAMPLES))
        save_figure(fig, out)


def _draw_learner(axes: Any, rows: pd.DataFrame, measures: Sequence[str]) -> None:
    from divlogic.io.figures import sns

    # What seaborn takes for an interval reaches from the score before to the score after.
    joined = rows.assign(score=rows["after"], score_low=rows["before"], score_high=rows["after"])
    looks: dict[str, Any] = {
        "x": "measure",
        "order": measures,
        "hue": "sample",
        "hue_order": SAMPLES,
        "palette": [COLOURS[1], COLOURS[0], COLOURS[2]],
        "markers": list(MARKERS[: len(SAMPLES)]),
        "dodge": 0.48,
        "linestyle": "none",
        "markersize": 4,
        "markeredgewidth": 1,
        "err_kws": {"linewidth": 1, "zorder": 1.5},  # below the marks
        "ax": axes,
    }
    sns.pointplot(rows, y="before", markerfacecolor="white", legend=False, errorbar=None, **looks)
    sns.pointplot(with_ends(joined, "score"), y="score", **looks, **GIVEN)
    if axes.get_legend():
        axes.get_legend().remove()
    axes.set(xlabel="", ylabel="", xlim=(-0.5, len(measures) - 0.5), ylim=(-4, 104))
    axes.set_xticks(range(len(measures)), [measure.replace(", ", ",\n") for measure in measures])
    axes.grid(axis="x", visible=False)


def write_summary(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write what the report leads with: ACC of each learner before and after, on leaked and on fresh instances."""
    rows = [row for row in _rows(outcomes, SCORES) if row["sample"] != "unseen" and "after" in row]
    learners = dict.fromkeys(row["learner"] for row in rows)
    write_json(
        out,
        {
            learner: {
                sample: {
                    row["measure"]: {"before": round(row["before"], 1), "after": round(row["after"], 1)}
                    for row in rows
                    if (row["learner"], row["sample"]) == (learner, sample)
                }
                for sample in ("leaked", "fresh")
            }
            for learner in learners
        },
    )
