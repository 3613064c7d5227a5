"""Tables of scores: DivLogicEval's Tables 1, 2, 3, 6 and 8, JustLogic's systems, and one of all labelled benchmarks.

Printed rows stand next to those of this workflow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.evaluation import metrics
from divlogic.evaluation.parameters import EvaluationRun, Recordings
from divlogic.intervals import Estimate
from divlogic.io.tables import declared_tables
from divlogic.models.predictions import (
    Prediction,
    Series,
    in_label_preset,
    label_score,
    presets_of_labels,
    read_predictions,
)
from divlogic.models.recordings.reading import note_of
from divlogic.models.styles import STYLES
from divlogic.published import PrintedCell, read_published
from divlogic.published.audit import TABLES, audit

SHOTS = {"zero_shot": "0-shot", "three_shot": "3-shot"}
SHOWN_STYLES = SHOTS | {"likelihood": "likelihood", "question_only": "no context"}
"""What Table 8 shows of the measured systems, with the names in its column of shots."""

NO_LOGIC = {"zero_shot": "zero_shot_nolr", "three_shot": "three_shot_nolr"}
TYPE_COLUMNS = {
    metrics.OVERALL: "test",
    "3e1c": "test_3e1c",
    "3c1e": "test_3c1e",
    "missing_premise": "test_missing",
}
PRINTED_COLUMNS = {
    "Test": "test",
    "Test-3e1c": "test_3e1c",
    "Test-3c1e": "test_3c1e",
    "Test-3e1e": "test_3c1e",
    "Test-missing": "test_missing",
}
"""Heads of the printed type columns; DivLogicEval prints 3c1e as 3e1e."""

_TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))

_NOTE = (
    "Scores in percent. Rows marked published are as printed in the papers (DivLogicEval; ILogicEval where the"
    " benchmark is ilogiceval); rows marked measured were scored by this workflow, runs pooled by instance, with 95 %"
    " bootstrap intervals clustered by instance ({resamples} resamples). PC stands twice, by preset, where answers that"
    " name no option make a difference: as_published leaves them out of p (what the authors' scores of their recorded"
    " answers come from), corrected counts them as a fifth outcome (what ILogicEval, Section 5.1, says)."
)

Row = dict[str, Any]


def write_tables(
    predictions: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    out: Annotated[Path, FOLDER, "Folder of table1, table2, table3, table6, table8."],
    params: EvaluationRun,
    published: Annotated[Path, FOLDER, "Printed cells."] = Path("data/published"),
    recordings: Recordings = (),
) -> None:
    """Write Tables 1, 2, 3, 6 and 8: printed rows, and those of PREDICTIONS next to them."""
    seed, resamples = params.seed, params.evaluation.resamples
    printed = read_published(published).scores(TABLES)
    answers = metrics.read_answers(predictions) if predictions else {}
    scores = in_table_order(metrics.score_all(answers, seed=seed, resamples=resamples))
    note = _NOTE.format(resamples=resamples) + note_of(recordings)
    tables = {
        "table1": table1(printed, scores),
        "table2": table2(printed, scores),
        "table3": table3(printed, answers, scores, seed),
        "table6": table6(printed, scores),
        "table8": table8(printed, scores),
    }
    for name, rows in tables.items():
        columns = table2_columns(scores) if name == "table2" else ()
        _TABLES[name].write(out / name, rows, columns=columns, scores=note)


def in_table_order(scores: Iterable[metrics.Score]) -> list[metrics.Score]:
    """Sort scores by benchmark and model, the prompts in the order in which they are defined."""
    order = {name: number for number, name in enumerate(STYLES)}
    return sorted(scores, key=lambda s: (s.benchmark, s.model, order.get(s.prompt, len(order)), s.prompt))


def table1(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system: ACC, CIR and PC of the zero-shot prompt."""
    rows: dict[tuple[str, ...], Row] = {}
    for cell in printed["divlogiceval_table1"]:
        run = cell.setting.partition(" ")[2]
        name = f"{cell.system} ({run})" if run else cell.system
        row = rows.setdefault((name,), _head(name, cell))
        row[cell.metric] = Decimal(cell.printed)
    shown = _whole(scores, ("zero_shot",))
    return [*rows.values(), *_filled(shown, lambda s: (s.benchmark, s.model), lambda s: s.metric)]


def table2_columns(scores: Iterable[metrics.Score]) -> tuple[str, ...]:
    """Return the columns of Table 2, with as many runs as there are, at least the paper's five."""
    count = max([5, *(len(score.runs) for score in scores)])
    return (*_TABLES["table2"].names, *(f"run{number}" for number in range(1, count + 1)), "CV")


def table2(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system and metric with several runs."""
    rows: dict[tuple[str, ...], Row] = {}
    for cell in [*printed["divlogiceval_table2"], *printed["ilogiceval_table2"]]:
        row = rows.setdefault((cell.paper, cell.system, cell.metric), _head(cell.system, cell))
        row |= {"shots": "0-shot", "metric": cell.metric, cell.column: Decimal(cell.printed)}
    for score in scores:
        if score.question_type == metrics.OVERALL and len(score.runs) > 1:
            row = _measured(score) | {"shots": _shots(score.prompt), "metric": score.metric}
            row |= {"preset": score.preset or None, "CV": score.cv}
            row |= {f"run{number}": 100 * value for number, value in enumerate(score.runs, start=1)}
            rows[score.benchmark, score.model, score.prompt, score.metric, score.preset] = row
    return list(rows.values())


def table3(
    printed: Mapping[str, list[PrintedCell]],
    answers: Mapping[Series, metrics.Answers],
    scores: Sequence[metrics.Score],
    seed: int,
) -> list[Row]:
    """One row per system, benchmark and metric: with and without being asked not to reason."""
    names = {"Origin": "origin", "NoLR": "nolr", "Delta": "delta"}
    flags = _flags(printed)
    rows: dict[tuple[str, ...], Row] = {}
    for cell in printed["divlogiceval_table3"]:
        head = _head(cell.system, cell) | {"benchmark": cell.setting.casefold(), "metric": cell.metric}
        row = rows.setdefault((cell.setting, cell.metric), head | {"shots": "0-shot"})
        row[names[cell.column]] = Decimal(cell.printed)
        row["flags"] = _joined(row.get("flags"), flags.get(cell))
    plain = {other: prompt for prompt, other in NO_LOGIC.items()}
    for group in _grouped(
        _whole(scores), lambda s: (s.benchmark, s.model, plain.get(s.prompt, s.prompt), s.metric)
    ):
        for key, row, preset in _rows_of(group):
            pair = metrics.in_preset(group, preset)
            if len(pair) != 2:
                continue
            score, other = pair
            runs = [metrics.runs_of(answers, one.benchmark, one.model, one.prompt) for one in pair]
            try:
                test = metrics.compare(*runs, seed=seed, none=metrics.PRESETS[preset or "corrected"])[
                    score.metric
                ]
            except ValueError:  # imported runs may have asked the two prompts about different instances
                continue
            delta = Estimate(test.difference, test.low, test.high).cells("delta")
            means = {"origin": 100 * score.estimate.value, "nolr": 100 * other.estimate.value}
            named = {"shots": _shots(score.prompt), "metric": score.metric, "instances": score.instances}
            rows[key] = row | named | means | delta | {"p_value": test.p_value}
    return list(rows.values())


def table6(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system, shots and metric: the benchmark next to its symbolic twin."""
    rows: dict[tuple[str, ...], Row] = {}
    for cell in printed["divlogiceval_table6"]:
        row = rows.setdefault((cell.setting, cell.metric), _head(cell.system, cell))
        row |= {"shots": SHOTS[cell.setting], "metric": cell.metric}
        row[cell.column.casefold().replace("-", "_")] = Decimal(cell.printed)
    shown = [s for s in _whole(scores, tuple(SHOTS)) if _twin(s) in _TABLES["table6"].names]
    return [*rows.values(), *_filled(shown, lambda s: (s.model, s.prompt, s.metric), _twin)]


def table8(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system, benchmark, shots and metric: the whole test set and each question type."""
    flags = _flags(printed)
    rows: dict[tuple[str, ...], Row] = {}
    for cell in [*printed["divlogiceval_table8"], *printed["ilogiceval_table3"], *printed["human"]]:
        if cell.column not in PRINTED_COLUMNS or cell.setting not in SHOTS:
            continue
        row = rows.setdefault((cell.paper, cell.system, cell.setting, cell.metric), _head(cell.system, cell))
        row |= {"shots": SHOTS[cell.setting], "metric": cell.metric}
        row[PRINTED_COLUMNS[cell.column]] = Decimal(cell.printed)
        row["flags"] = _joined(row.get("flags"), flags.get(cell))
    shown = [
        score for score in scores if score.prompt in SHOWN_STYLES and score.question_type in TYPE_COLUMNS
    ]
    return [
        *rows.values(),
        *_filled(
            shown,
            lambda s: (s.benchmark, s.model, s.prompt, s.metric),
            lambda s: TYPE_COLUMNS[s.question_type],
        ),
    ]


def _whole(scores: Iterable[metrics.Score], prompts: Sequence[str] = tuple(STYLES)) -> list[metrics.Score]:
    return [score for score in scores if score.question_type == metrics.OVERALL and score.prompt in prompts]


def _twin(score: metrics.Score) -> str:
    """Return the column of Table 6 that a benchmark has."""
    return score.benchmark.replace("-", "_")


def _filled(
    scores: Iterable[metrics.Score],
    key: Callable[[metrics.Score], tuple[str, ...]],
    column: Callable[[metrics.Score], str],
) -> Iterator[Row]:
    """Yield a row for each key, twice where the presets differ, with each score and its interval in its column."""
    for group in _grouped(scores, key):
        for _, row, preset in _rows_of(group):
            row |= {"shots": SHOWN_STYLES[group[0].prompt], "metric": group[0].metric}
            for score in metrics.in_preset(group, preset):
                row |= score.estimate.cells(column(score))
                row[f"{column(score)}_instances"] = score.instances
                if score.question_type == metrics.OVERALL:
                    row |= _about(score)
            yield row


def _grouped(
    scores: Iterable[metrics.Score], key: Callable[[metrics.Score], tuple[str, ...]]
) -> list[list[metrics.Score]]:
    """Put scores with the same key together, in the order in which keys come first."""
    groups: dict[tuple[str, ...], list[metrics.Score]] = defaultdict(list)
    for score in scores:
        groups[key(score)].append(score)
    return list(groups.values())


def _rows_of(group: Sequence[metrics.Score]) -> Iterator[tuple[tuple[str, ...], Row, str]]:
    """Yield (key, head, preset) of each row that a group of scores fills: one, or one per preset."""
    first = group[0]
    for preset in metrics.presets_of(group):
        key = (first.benchmark, first.model, first.prompt, first.metric, preset)
        yield key, _measured(first) | {"preset": preset or None}, preset


def _about(score: metrics.Score) -> Row:
    """Return what the score of a whole test set rests on."""
    row: Row = {
        "instances": score.instances,
        "runs": len(score.runs),
        "parse_rate": 100 * score.parse_rate,
        "commonest_letter": 100 * score.commonest,
    }
    return row | ({"flags": f"{score.missing} rotations unanswered"} if score.missing else {})


def _head(system: str, cell: PrintedCell) -> Row:
    version = f"{cell.version}; {cell.note}" if cell.note else cell.version
    return {"system": system, "version": version, "benchmark": cell.paper.casefold(), "source": "published"}


def _measured(score: metrics.Score) -> Row:
    return {"system": score.model, "benchmark": score.benchmark, "source": "measured"}


def _shots(prompt: str) -> str:
    return SHOTS.get(prompt, prompt)


def _flags(printed: Mapping[str, list[PrintedCell]]) -> dict[PrintedCell, str]:
    """Return for each printed cell the rules that it breaks."""
    rules: dict[PrintedCell, list[str]] = defaultdict(list)
    for finding in audit(printed):
        rules[finding.cell].append(finding.rule)
    return {cell: f"{cell.column}: {', '.join(names)}" for cell, names in rules.items()}


def _joined(first: str | None, second: str | None) -> str | None:
    return "; ".join(part for part in (first, second) if part) or None


def write_answers(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
    recordings: Recordings = (),
) -> None:
    """Write one table of accuracies from the files of ANSWERS, whichever benchmarks they answer.

    A row per benchmark, in the order of the registry, system and prompt style; questions that were never asked are
    left out.
    """
    groups: dict[tuple[int, str, str, str, str], list[Prediction]] = defaultdict(list)
    order = list(TITLES)
    for one in (one for path in answers for one in read_predictions(path)):
        if one.asked:
            place = order.index(one.benchmark) if one.benchmark in order else len(order)
            groups[place, one.benchmark, one.source, one.model, one.prompt].append(one)
    table, rows = _TABLES["answers"], []
    for (_, benchmark, source, system, setting), group in sorted(groups.items()):
        score = label_score(
            group, preset="corrected", seed=params.seed, resamples=params.evaluation.resamples
        )
        unread = sum(one.predicted is None for one in group)
        counts = (len({one.instance for one in group}), score.rows, unread, score.correct)
        percent = (*score.accuracy.cells("accuracy").values(), 100 * score.random_probability)
        rows.append(
            _TABLES["answers"].row(
                TITLES.get(benchmark, benchmark), system, setting, source, *counts, *percent
            )
        )
    table.write(out, rows, note_of(recordings))


def label_accuracy(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    published: Annotated[Path, FOLDER, "Folder of the printed tables."],
    recordings: Annotated[tuple[Path, ...], "Report on recordings that were read (json); repeatable."] = (),
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
) -> None:
    """Write JustLogic's table of systems from the files of ANSWERS, next to the printed one."""
    printed = read_published(published).scores(("justlogic_accuracy", "justlogic_human"))
    rows: list[dict[str, Any]] = []
    known: dict[tuple[str, str], float] = {}
    for cell in (cell for cells in printed.values() for cell in cells):
        known[cell.system, cell.setting] = cell.value
        named = {
            "system": cell.system,
            "setting": cell.setting,
            "benchmark": "justlogic",
            "source": "published",
        }
        rows.append(named | {"accuracy": cell.value, "published": cell.value, "note": cell.note or None})
    predictions = sorted((one for path in answers for one in read_predictions(path)), key=_system)
    for (source, system, setting), own in groupby(predictions, _system):
        group = list(own)
        if not in_label_preset(group, "corrected"):
            continue
        presets = presets_of_labels(group)
        for preset in presets:
            score = label_score(group, preset=preset, seed=params.seed, resamples=params.evaluation.resamples)
            rows.append(
                {
                    "system": system,
                    "setting": setting,
                    "benchmark": group[0].benchmark,
                    "source": source,
                    "preset": preset if len(presets) > 1 or not any(p.answered for p in group) else None,
                    **score.accuracy.cells("accuracy"),
                    "correct": score.correct,
                    "rows": score.rows,
                    "recorded": score.recorded,
                    "random_probability": 100 * score.random_probability,
                    "published": known.get((system, setting)),
                }
            )
    _TABLES["label_accuracy"].write(out, rows, note_of(recordings))


def _system(prediction: Prediction) -> tuple[str, str, str]:
    return prediction.source, prediction.model, prediction.prompt
