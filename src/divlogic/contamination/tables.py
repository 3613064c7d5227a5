"""The tables and the figure of what training on pairs, or on the test set, does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.contamination import guessing
from divlogic.contamination.outcomes import (
    ALL_ROTATIONS,
    DIVLOGICEVAL,
    NLI,
    SCORES,
    Outcome,
    read_outcomes,
    read_recording,
    stages_of,
)
from divlogic.io.figures import COLOURS, GIVEN, MARKERS, PAGE_WIDTH, save_figure, style, with_ends
from divlogic.io.files import file_sha256, write_json
from divlogic.io.tables import units_of, write_table
from divlogic.published import PrintedCell, read_published

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
_NOTE5 = """\
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

TABLE5, PRINTED = "divlogiceval_table5", "divlogiceval_guessing"
"""The files of the printed cells in data/published: DivLogicEval, Table 5 and Section 3.3."""

_NO_CONTROL = "No model that can complete a text was trained in this run, and none is recorded."


def tabulate(
    outcomes: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    recordings: Annotated[tuple[Path, ...], "--recording", "Recorded outcomes (json); repeatable."] = (),
    test: Annotated[Path, "Test split of DivLogicEval (jsonl)."],
    published: Annotated[Path, FOLDER, "Folder of the printed numbers (data/published)."],
    out: Annotated[Path, FOLDER, "Folder of the tables and the figure."],
) -> None:
    """Write table5, leak and guessing (csv, md, tex), the figure of leaks (svg, png) and the summary (json)."""
    found = [outcome for path in outcomes for outcome in read_outcomes(path)]
    own = {outcome.learner for outcome in found}
    for path in recordings:
        # A learner that was trained in this run needs no recording.
        found += [outcome for outcome in read_leak_recording(path, test) if outcome.learner not in own]
    write_table5(found, published, out / "table5")
    write_leak(found, out / "leak")
    write_guessing(found, published, out / "guessing")
    draw_leak(found, out / "leak")
    write_summary(found, out / "summary.json")


def read_leak_recording(path: Path, test: Path) -> list[Outcome]:
    """Read a recording of `record`; what was found with another version of the test split says so."""

    def remark(about: dict[str, Any]) -> str:
        same = about["test_sha256"] == file_sha256(test)
        return f"recorded on {about['date']}" + ("" if same else " with another version of the test set")

    return read_recording(path, remark)


def write_table5(outcomes: Sequence[Outcome], published: Path, out: Path) -> None:
    """Write Table 5: a row per learner, benchmark and stage, the printed cells among them.

    Args:
        outcomes: what learners scored; other samples are left out.
        published: folder of the printed numbers.
        out: the table, without suffix.
    """
    own = [outcome for outcome in outcomes if outcome.sample in (NLI, DIVLOGICEVAL)]
    recorded = [one for one in own if one.source == "recording"]
    # Of a recording the remark on one sample may say more than that on the other.
    remarks = {one.learner: one.remark for one in sorted(recorded, key=lambda one: len(one.remark))}
    note = _NOTE5.format(
        light=_LIGHT if any(one.learner == "bag of words" for one in own) else "",
        recording=_RECORDED.format(remarks="; ".join(f"{name} {text}" for name, text in remarks.items()))
        if recorded
        else "",
    )

    def printed(cells: Sequence[PrintedCell]) -> Iterator[dict[str, Any]]:
        origin = {cell.setting: cell.value for cell in cells if cell.column == "origin"}
        for cell in cells:
            if cell.column != "Delta":
                first = cell.column == "origin"
                yield {
                    "learner": f"{cell.system} ({cell.version})",
                    "benchmark": {"SNLI": NLI}.get(cell.setting, cell.setting),
                    "stage": cell.column.removeprefix("tuned(").rstrip(")"),
                    "accuracy": cell.value,
                    "delta": None if first else round(cell.value - origin[cell.setting], 1),
                }

    cells = read_published(published, TABLE5).cells(TABLE5)
    source = published / f"{TABLE5}.csv"
    write_accuracies(out, ("benchmark", "stage"), printed(cells), own, note.strip(), source)


def write_accuracies(
    out: Path,
    names: tuple[str, str],
    printed: Iterable[Mapping[str, Any]],
    outcomes: Iterable[Outcome],
    note: str,
    published: Path,
) -> None:
    """Write a table of accuracies: the printed rows, and one row per learner, sample and stage.

    Args:
        out: the table, without suffix.
        names: how it calls the columns of the sample and of the stage.
        printed: rows with a learner, both of these, `accuracy` and `delta`.
        outcomes: accuracies in percent.
        note: how the numbers were obtained.
        published: the file of the printed cells.
    """
    sample, stage = names
    rows: list[dict[str, Any]] = [{"source": "printed", **row} for row in printed]
    rows += [
        {"source": one.source, "learner": one.learner, sample: one.sample, stage: one.stage}
        | {column: getattr(one, name) for column, name in _ACCURACIES.items()}
        for stages in stages_of(outcomes).values()
        for one in stages.values()
    ]
    columns = ("source", "learner", sample, stage, *_ACCURACIES)
    units = units_of(columns, accuracy="percent", low="percent", high="percent", delta="points")
    write_table(out, columns, rows, note, floats=1, units=units, sources=[published.as_posix()])


def write_leak(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write the scores before and after as a table."""
    _write(_rows(outcomes, _ORDER), out, _LEAK_NOTE)


def write_guessing(outcomes: Sequence[Outcome], published: Path, out: Path) -> None:
    """Write what the methods that look for contamination say, with their positive control.

    Args:
        outcomes: what models completed before and after training on leaked instances.
        published: folder of the printed numbers.
        out: the table, without suffix.
    """
    rows = _rows(outcomes, guessing.MEASURES)
    names = ("source", "learner", "sample", "measure", "before")
    printed = [
        dict(zip(names, ("printed", cell.system, cell.setting, cell.metric, cell.value), strict=True))
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
    rows.sort(
        key=lambda row: (
            learners.index(row["learner"]),
            _ASKED.index(row["sample"]),
            measures.index(row["measure"]),
        )
    )
    return rows


def _write(rows: Sequence[dict[str, Any]], out: Path, note: str, sources: Sequence[str] = ()) -> None:
    units = units_of(_COLUMNS, before="percent", after="percent", change="points")
    write_table(out, _COLUMNS, rows, note, floats=1, units=units, shown=_SHOWN, sources=sources)


_LEGEND = {
    "leaked": "leaked: trained on",
    "unseen": "unseen: others of the test set",
    "fresh": "fresh: drawn with another seed",
}


def draw_leak(outcomes: Sequence[Outcome], out: Path) -> None:
    """Draw each learner's scores before (hollow) and after, joined by a line, with a colour for each sample."""
    import pandas as pd

    rows = [row for row in _rows(outcomes, _ORDER) if row["sample"] in SAMPLES]
    found = pd.DataFrame(rows, columns=["source", "learner", "sample", "measure", "before", "after"])
    learners = list(found["learner"].unique())
    with style():
        from matplotlib import pyplot

        fig, grid = pyplot.subplots(
            1, max(len(learners), 1), figsize=(PAGE_WIDTH, 2.5), sharey=True, squeeze=False
        )
        for axes, learner in zip(grid[0], learners, strict=False):
            own = found[found["learner"] == learner]
            _draw_learner(axes, own)
            recorded = (own["source"] == "recording").any()
            axes.set_title(f"{learner}\n(from recording)" if recorded else f"{learner}\n", fontsize=7.5)
        grid[0][0].set_ylabel("score in percent")
        handles, _ = grid[0][0].get_legend_handles_labels()
        fig.legend(handles, list(_LEGEND.values()), loc="outside lower center", ncols=len(SAMPLES))
        save_figure(fig, out)


def _draw_learner(axes: Any, rows: pd.DataFrame) -> None:
    from divlogic.io.figures import sns

    # What seaborn takes for an interval reaches from the score before to the score after.
    joined = rows.assign(score=rows["after"], score_low=rows["before"], score_high=rows["after"])
    looks: dict[str, Any] = {
        "x": "measure",
        "order": _ORDER,
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
    axes.set(xlabel="", ylabel="", xlim=(-0.5, len(_ORDER) - 0.5), ylim=(-4, 104))
    axes.set_xticks(range(len(_ORDER)), [measure.replace(", ", ",\n") for measure in _ORDER])
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
