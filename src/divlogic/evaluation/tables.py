"""Tables of scores: DivLogicEval's Tables 1, 2, 3, 6 and 8, JustLogic's systems, and one of all labelled benchmarks.

All rows are measured; `divlogic.paper` puts the printed ones next to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, BASE
from divlogic.evaluation import metrics
from divlogic.evaluation.asked import AnsweredRecords
from divlogic.evaluation.parameters import EvaluationRun, Recordings
from divlogic.intervals import Estimate
from divlogic.io.tables import declared_tables
from divlogic.models.answer_keys import read_matching
from divlogic.models.predictions import (
    Prediction,
    Series,
    in_label_preset,
    label_score,
    lost_note,
    lost_of,
    presets_of_labels,
)
from divlogic.models.recordings.reading import note_of
from divlogic.models.styles import STYLES
from divlogic.records import grouped

SHOTS = {"zero_shot": "0-shot", "three_shot": "3-shot"}
SHOWN_STYLES = SHOTS | {"likelihood": "likelihood", "question_only": "no context"}
"""Prompt styles that Table 8 has rows of, with the names in its column of shots."""

NO_LOGIC = {"zero_shot": "zero_shot_nolr", "three_shot": "three_shot_nolr"}
TYPE_COLUMNS = {
    metrics.OVERALL: "test",
    "3e1c": "test_3e1c",
    "3c1e": "test_3c1e",
    "missing_premise": "test_missing",
}
SCORE_TABLES = ("table1", "table2", "table3", "table6", "table8")

_TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))

_NOTE = (
    "Scores in percent, runs pooled by instance, with 95 % bootstrap intervals clustered by instance ({resamples}"
    " resamples). PC stands twice, by preset, where answers that name no option make a difference: as_published leaves"
    " them out of p (what the authors' scores of their recorded answers come from), corrected counts them as a fifth"
    " outcome (what ILogicEval, Section 5.1, says). The printed scores stand next to these in results/paper/tables."
)

# The paper's own number of runs: Table 2 has a column for each of them even where fewer were made.
_LEAST_RUNS = 5

Row = dict[str, Any]


def write_tables(
    answers: Mapping[Series, metrics.Answers],
    scores: Iterable[metrics.Score],
    out: Path,
    params: EvaluationRun,
    recordings: Sequence[Path] = (),
) -> None:
    """Write Tables 1, 2, 3, 6 and 8 of the scores into a folder.

    Args:
        answers: what was scored; the pairs of Table 3 are tested on them.
        recordings: reports on recorded answers, for the notes.
    """
    order = {name: number for number, name in enumerate(STYLES)}
    ordered = sorted(
        scores, key=lambda s: (s.benchmark, s.model, order.get(s.prompt, len(order)), s.prompt)
    )
    rows = {
        "table1": table1(ordered),
        "table2": table2(ordered),
        "table3": table3(answers, ordered, params.seed),
        "table6": table6(ordered),
        "table8": table8(ordered),
    }
    runs = range(1, max([_LEAST_RUNS, *(len(score.runs) for score in ordered)]) + 1)
    columns_of_runs = (*_TABLES["table2"].names, *(f"run{number}" for number in runs), "CV")
    for name in SCORE_TABLES:
        _TABLES[name].write(
            out / name,
            rows[name],
            more=note_of(recordings) + (lost_note(rows[name]) if _TABLES[name].optional else ""),
            columns=columns_of_runs if name == "table2" else (),
            scores=_NOTE.format_map(params.bootstrap),
        )


def table1(scores: Sequence[metrics.Score]) -> list[Row]:
    """Return a row per system: ACC, CIR and PC of the zero-shot prompt."""
    shown = _whole(scores, ("zero_shot",))
    return list(_filled(shown, lambda s: (s.benchmark, s.model), lambda s: s.metric))


def table2(scores: Sequence[metrics.Score]) -> list[Row]:
    """Return a row per system and metric with several runs."""
    rows = []
    for score in scores:
        if score.question_type == metrics.OVERALL and len(score.runs) > 1:
            runs = {f"run{number}": 100 * value for number, value in enumerate(score.runs, start=1)}
            rows.append(_measured(score, score.preset) | runs | {"CV": score.cv})
    return rows


def table3(
    answers: Mapping[Series, metrics.Answers], scores: Sequence[metrics.Score], seed: int
) -> list[Row]:
    """Return a row per system, benchmark and metric: with and without being asked not to reason."""
    rows = []
    plain = {other: prompt for prompt, other in NO_LOGIC.items()}
    groups = grouped(
        _whole(scores), lambda s: (s.benchmark, s.model, plain.get(s.prompt, s.prompt), s.metric)
    )
    for group in groups.values():
        for preset in metrics.presets_of(group):
            pair = metrics.in_preset(group, preset)
            if len(pair) != 2:
                continue
            systems = [(one.benchmark, one.model, one.prompt) for one in pair]
            none = metrics.PRESETS[preset or "corrected"]
            tests = metrics.compare(answers, *systems, seed=seed, none=none)
            # Imported runs may have asked the two prompts about different instances.
            if test := tests.get(pair[0].metric):
                row = _measured(pair[0], preset) | {"instances": pair[0].instances}
                row |= {
                    "origin": 100 * pair[0].estimate.value,
                    "nolr": 100 * pair[1].estimate.value,
                }
                delta = Estimate(test.difference, test.low, test.high).cells("delta")
                rows.append(row | delta | {"p_value": test.p_value})
    return rows


def table6(scores: Sequence[metrics.Score]) -> list[Row]:
    """Return a row per system, shots and metric: the benchmark next to its symbolic twin."""
    shown = [s for s in _whole(scores, tuple(SHOTS)) if _twin(s) in _TABLES["table6"].names]
    return list(_filled(shown, lambda s: (s.model, s.prompt, s.metric), _twin))


def table8(scores: Sequence[metrics.Score]) -> list[Row]:
    """Return a row per system, benchmark, shots and metric: the whole test set and each question type."""
    shown = [s for s in scores if s.prompt in SHOWN_STYLES and s.question_type in TYPE_COLUMNS]
    key = attrgetter("benchmark", "model", "prompt", "metric")
    return list(_filled(shown, key, lambda s: TYPE_COLUMNS[s.question_type]))


def _whole(
    scores: Iterable[metrics.Score], prompts: Sequence[str] = tuple(STYLES)
) -> list[metrics.Score]:
    return [
        score
        for score in scores
        if score.question_type == metrics.OVERALL and score.prompt in prompts
    ]


def _twin(score: metrics.Score) -> str:
    """Return the column of Table 6 that a benchmark has."""
    return score.benchmark.replace("-", "_")


def _filled(
    scores: Iterable[metrics.Score],
    key: Callable[[metrics.Score], tuple[str, ...]],
    column: Callable[[metrics.Score], str],
) -> Iterator[Row]:
    """Yield a row for each key, twice where the presets differ, with each score and its interval in its column."""
    for group in grouped(scores, key).values():
        for preset in metrics.presets_of(group):
            row = _measured(group[0], preset) | {"shots": SHOWN_STYLES[group[0].prompt]}
            for score in metrics.in_preset(group, preset):
                row |= score.estimate.cells(column(score))
                row[f"{column(score)}_instances"] = score.instances
                if score.question_type == metrics.OVERALL:
                    row |= {"instances": score.instances, "runs": len(score.runs)}
                    row |= {
                        "parse_rate": 100 * score.parse_rate,
                        "commonest_letter": 100 * score.commonest,
                    }
                    row |= score.lost
                    if score.missing:
                        row["flags"] = f"{score.missing} rotations unanswered"
            yield row


def _measured(score: metrics.Score, preset: str) -> Row:
    """Return the head of the row of a score, or of the first of several, in a preset."""
    return {
        "system": score.model,
        "benchmark": score.benchmark,
        "shots": SHOTS.get(score.prompt, score.prompt),
        "metric": score.metric,
        "preset": preset or None,
    }


def write_answers(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    answered: AnsweredRecords,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
    recordings: Recordings = (),
) -> None:
    """Write one table of accuracies from the files of ANSWERS, whichever benchmarks they answer.

    A row per benchmark, in the order of the registry, system and prompt style; questions that were never asked are
    left out.
    """
    order = {name: place for place, name in enumerate(TITLES)}
    key_of = answered.key_of(params.seed)
    asked = (one for path in answers for one in read_matching(path, key_of) if one.asked)
    groups = grouped(
        asked, lambda one: (order.get(one.benchmark, len(order)), one.benchmark, *_system(one))
    )
    rows = []
    for (_, benchmark, source, system, setting), group in sorted(groups.items()):
        score = label_score(group, preset="corrected", **params.bootstrap)
        unread = sum(one.predicted is None for one in group)
        counts = (len({one.instance for one in group}), score.rows, unread, score.correct)
        percent = (*score.accuracy.cells("accuracy").values(), 100 * score.random_probability)
        named = (TITLES.get(benchmark, benchmark), system, setting, source)
        rows.append(_TABLES["answers"].row(*named, *counts, *percent) | lost_of(group))
    _TABLES["answers"].write(out, rows, note_of(recordings) + lost_note(rows))


def label_accuracy(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    answered: AnsweredRecords,
    recordings: Recordings = (),
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
) -> None:
    """Write JustLogic's table of systems from the files of ANSWERS."""
    rows: list[Row] = []
    key_of = answered.key_of(params.seed)
    groups = grouped((one for path in answers for one in read_matching(path, key_of)), _system)
    for (source, system, setting), group in sorted(groups.items()):
        if not in_label_preset(group, "corrected"):
            continue
        presets = presets_of_labels(group)
        for preset in presets:
            score = label_score(group, preset=preset, **params.bootstrap)
            # A system that answered nothing says so by its preset: the other one would be without a row.
            named = preset if len(presets) > 1 or not any(one.answered for one in group) else None
            row: Row = {"system": system, "setting": setting, "benchmark": group[0].benchmark}
            row |= {"source": source, "preset": named}
            row |= score.accuracy.cells("accuracy")
            row |= {"correct": score.correct, "rows": score.rows, "recorded": score.recorded}
            row |= {"random_probability": 100 * score.random_probability}
            rows.append(row | lost_of(in_label_preset(group, preset)))
    _TABLES["label_accuracy"].write(out, rows, note_of(recordings) + lost_note(rows))


def _system(prediction: Prediction) -> tuple[str, str, str]:
    return prediction.source, prediction.model, prediction.prompt
