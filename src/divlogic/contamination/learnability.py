"""What can be learnt from n generated instances without reasoning: a shortcut shows as a curve that rises."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np

from divlogic.benchmarks.divlogiceval.fresh import worded_records
from divlogic.benchmarks.divlogiceval.parameters import Preset
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES
from divlogic.config.command import BASE
from divlogic.contamination import outcomes
from divlogic.contamination.experiments import build
from divlogic.contamination.learners import PairPerceptron, right_answers, right_option
from divlogic.contamination.parameters import ContaminationRun
from divlogic.intervals import Floats
from divlogic.io import figures as drawing
from divlogic.io.files import file_sha256
from divlogic.io.log import say
from divlogic.io.tables import declared_tables
from divlogic.records import Record

PRESETS: tuple[Preset, ...] = ("as_published", "balanced")
WORDS, ROLES = "bag of words", "boosted trees on places of variables"
_PASSES = 10
_LINES = ("-", "--", ":", "-.")
_PLOTTED = ("instances", "accuracy", "low", "high")
_MEMBERS = QUARTET // len(QUESTION_TYPES)
_TABLE = declared_tables(Path(__file__).with_name("tables.yaml"))["learnability"]

Curves = Callable[[str, Sequence[Record], Sequence[Record]], Mapping[str, Mapping[int, Floats]]]
"""Returns by learner and number of training instances whether each tested instance is answered rightly.

Its arguments are the name of a part, the instances to train on and those to ask.
"""


def draw_learnability(
    *,
    groups: Annotated[Path, "Shuffled sentence groups of DivLogicEval (jsonl)."],
    recordings: Annotated[
        tuple[Path, ...], "--recording", "Curves of `learn` (json); repeatable."
    ] = (),
    out: Annotated[Path, BASE, "Table and figure, without suffix."],
    params: ContaminationRun,
) -> None:
    """Train learners that do not reason on more and more fresh instances of both presets (minutes)."""
    found = list(learnability(groups, params))
    write_learnability(
        found + [one for path in recordings for one in read_curves(path, groups)], out
    )


def learnability(
    groups: Path, run: ContaminationRun, curves: Curves | None = None
) -> Iterator[outcomes.Outcome]:
    """Yield the accuracy of learners by preset, question type and number of training instances.

    Each has an interval of its own. Without ``curves`` the learners are the light ones.
    """
    curves = curves or partial(_curves, run)
    drawn = {"seed": run.seed, "resamples": run.contamination.resamples}
    for preset in PRESETS:
        for kind, train, test in drawn_parts(groups, preset, run):
            for learner, right in curves(f"{preset}-{kind}", train, test).items():
                for size, scores in right.items():
                    # One score for each quartet of balanced instances, whose members are drawn together.
                    own = (
                        scores.reshape(-1, _MEMBERS).mean(axis=1)
                        if preset == "balanced"
                        else scores
                    )
                    yield from outcomes.summarise(
                        learner, preset, kind, {str(size): [own]}, **drawn
                    )


def drawn_parts(
    groups: Path, preset: Preset, run: ContaminationRun
) -> Iterator[tuple[str, list[Record], list[Record]]]:
    """Yield each question type with fresh instances to train on and others to ask."""
    settings = run.contamination.learnability
    most = -(-max(settings.sizes) // _MEMBERS) * _MEMBERS
    tested = -(-settings.tested // _MEMBERS) * _MEMBERS
    count = len(QUESTION_TYPES) * (most + tested)
    say(f"drawing and wording {count:,} instances, {preset}")
    records = list(worded_records(groups, preset, run.benchmarks.divlogiceval, run.seed + 2, count))
    for kind in QUESTION_TYPES:
        own = [record for record in records if record.question_type == kind]
        yield kind, own[tested:], own[:tested]


def _curves(
    run: ContaminationRun, _: str, train: Sequence[Record], test: Sequence[Record]
) -> dict[str, dict[int, Floats]]:
    """Train the light learners on more and more instances."""
    rows = _roles([*train, *test])
    found: dict[str, dict[int, Floats]] = {WORDS: {}, ROLES: {}}
    for size in run.contamination.learnability.sizes:
        words = PairPerceptron(run.seed)
        words.train(train[:size], _PASSES)
        found[WORDS][size] = right_answers(words, test)
        found[ROLES][size] = _ranked(rows, train[:size], rows[len(train) :], test, run.seed)
    return found


def _roles(records: Sequence[Record]) -> Floats:
    """Return what is counted of the options of all records; shape (records, options, features)."""
    from divlogic.prior_knowledge.shortcuts import features
    from divlogic.prior_knowledge.shortcuts.patterns import read_formulas

    read = [formulas for record in records if (formulas := read_formulas(record))]
    assert len(read) == len(records)
    lists = [features.option_roles(one.premises, one.conclusion, one.options) for one in read]
    count = len(records[0].options)
    rows = np.concatenate(lists, dtype=np.float64)
    stacked = np.hstack((rows, *features.listwise(rows, [count] * len(records))))
    return stacked.reshape((len(records), count, stacked.shape[1]))


def _ranked(
    rows: Floats, train: Sequence[Record], tested: Floats, test: Sequence[Record], seed: int
) -> Floats:
    from sklearn.ensemble import HistGradientBoostingClassifier

    from divlogic.prior_knowledge.shortcuts.learners import credits

    wanted = np.array([at == record.answer for record in train for at in range(rows.shape[1])])
    model = HistGradientBoostingClassifier(
        max_iter=60,
        max_leaf_nodes=15,
        min_samples_leaf=20,
        early_stopping=False,
        random_state=seed % 2**31,
    )
    model.fit(rows[: len(train)].reshape(len(wanted), -1), wanted)
    # Rounded, so that sums in another order on another machine do not break ties.
    scores = np.round(model.predict_proba(tested.reshape(-1, tested.shape[2]))[:, 1], 7)
    return credits(list(scores.reshape(len(tested), -1)), [right_option(record) for record in test])


def learn(
    *,
    name: Annotated[str, "--learner", "Name of a learner of the parameters."],
    groups: Annotated[Path, "Shuffled sentence groups of DivLogicEval (jsonl)."],
    work: outcomes.Work = None,
    out: Annotated[Path, "The recording (json), in data/recorded/learnability."],
    params: ContaminationRun,
) -> None:
    """Record the learning curves of a learner that takes long: a training for each number of fresh instances."""
    settings, sha256 = params.contamination.learnability, file_sha256(groups)
    learner = params.contamination.learner(name)
    described = learner.model_dump(mode="json")
    drawn_with = params.benchmarks.divlogiceval.model_dump_json()
    trained_with = settings.model_dump_json(exclude={"sizes"})
    folder = outcomes.work_folder(work, described, trained_with, drawn_with, params.seed, sha256)

    def curves(
        part: str, train: Sequence[Record], test: Sequence[Record]
    ) -> dict[str, dict[int, Floats]]:
        def point(size: int) -> outcomes.Scores:
            place = folder / f"{part}-{size}" if folder else None
            trained = build(learner, params.seed, place)
            trained.train(train[:size], settings.passes)
            right = right_answers(trained, test)
            if place:
                shutil.rmtree(place, ignore_errors=True)
            return {"right": right}

        right = {}
        for size in settings.sizes:
            right[size] = outcomes.remembered(folder, f"{part}-{size}", partial(point, size))[
                "right"
            ]
        return {name: right}

    found = list(learnability(groups, params, curves))
    about = {"learner": described, "groups_sha256": sha256}
    outcomes.write_recording(out, found, params, settings.model_dump(mode="json"), **about)


def read_curves(path: Path, groups: Path) -> list[outcomes.Outcome]:
    """Read a recording of `learn`; what was trained on other sentences says so."""
    sha256, otherwise = file_sha256(groups), ", with sentences of another version"
    remark = "{learner[label]}: recorded on {date}, passes: {settings[passes]}"
    return outcomes.read_recording(
        path, remark, lambda about: about["groups_sha256"] == sha256, otherwise
    )


def write_learnability(found: Sequence[outcomes.Outcome], out: Path) -> None:
    """Write table (csv, md, tex) and figure (svg, png)."""
    rows = []
    for one in found:
        tested = one.instances * (_MEMBERS if one.sample == "balanced" else 1)
        asked = (one.source, one.sample, one.measure, one.learner, int(one.stage))
        rows.append(_TABLE.row(*asked, one.value, one.low, one.high, tested))
    _TABLE.write(out, rows, recorded=outcomes.remarks_of(found))
    learners = list(dict.fromkeys(row["learner"] for row in rows))
    with drawing.style() as pyplot:
        fig, grid = pyplot.subplots(
            1, len(QUESTION_TYPES), figsize=(drawing.PAGE_WIDTH, 2.5), sharey=True
        )
        for axes, kind in zip(grid, QUESTION_TYPES, strict=True):
            for (at, preset), (line, learner) in product(enumerate(PRESETS), enumerate(learners)):
                named = (preset, kind, learner)
                own = [
                    row
                    for row in rows
                    if (row["preset"], row["question_type"], row["learner"]) == named
                ]
                sizes, values, low, high = ([row[name] for row in own] for name in _PLOTTED)
                if own:
                    colour, label = (
                        drawing.COLOURS[1 - at],
                        f"{preset.replace('_', ' ')}: {learner}",
                    )
                    look = {
                        "marker": drawing.MARKERS[line],
                        "linestyle": _LINES[line % 4],
                        "color": colour,
                    }
                    axes.plot(sizes, values, label=label, **look)
                    axes.fill_between(sizes, low, high, color=colour, alpha=0.12, linewidth=0)
            axes.axhline(25, color="#666666", linewidth=0.8, linestyle=":")
            axes.axhline(100, color=drawing.COLOURS[2], linewidth=0.8)
            axes.set(
                xscale="log",
                ylim=(0, 104),
                title=kind.replace("_", " "),
                xlabel="instances trained on",
            )
        grid[0].set_ylabel("accuracy in percent")
        least = min(row["instances"] for row in rows)
        grid[0].text(least, 96, "symbolic reader", fontsize=6.5, va="top", color=drawing.COLOURS[2])
        grid[0].text(least, 12, "guessing: 25", fontsize=6.5, va="top", color="#666666")
        handles, labels = grid[0].get_legend_handles_labels()
        fig.legend(handles, labels, loc="outside lower center", ncols=2)
        drawing.save_figure(fig, out)
