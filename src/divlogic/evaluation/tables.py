"""Tables of scores: DivLogicEval's Tables 1, 2, 3, 6 and 8, JustLogic's systems, and one of all labelled benchmarks.

Printed rows stand next to those of this workflow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, BASE, FOLDER
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
    presets_of_labels,
)
from divlogic.models.recordings.reading import note_of
from divlogic.models.styles import STYLES
from divlogic.published import PrintedCell, read_published
from divlogic.published.audit import TABLES, audit
from divlogic.records import grouped

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
    printed = read_published(published).scores(TABLES)
    answers = metrics.read_answers(predictions) if predictions else {}
    order = {name: number for number, name in enumerate(STYLES)}
    scores = sorted(
        metrics.score_all(answers, **params.bootstrap),
        key=lambda s: (s.benchmark, s.model, order.get(s.prompt, len(order)), s.prompt),
    )
    note = _NOTE.format_map(params.bootstrap) + note_of(recordings)
    tables = {
        "table1": table1(printed, scores),
        "table2": table2(printed, scores),
        "table3": table3(printed, answers, scores, params.seed),
        "table6": table6(printed, scores),
        "table8": table8(printed, scores),
    }
    # As many runs as there are, at least the paper's five.
    runs = range(1, max([5, *(len(score.runs) for score in scores)]) + 1)
    columns = (*_TABLES["table2"].names, *(f"run{number}" for number in runs), "CV")
    for name, rows in tables.items():
        _TABLES[name].write(out / name, rows, columns=columns if name == "table2" else (), scores=note)


def table1(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system: ACC, CIR and PC of the zero-shot prompt."""
    rows: dict[str, Row] = {}
    for cell in printed["divlogiceval_table1"]:
        run = cell.setting.partition(" ")[2]
        name = f"{cell.system} ({run})" if run else cell.system
        row = rows.setdefault(name, _head(cell) | {"system": name})
        row[cell.metric] = Decimal(cell.printed)
    shown = _whole(scores, ("zero_shot",))
    return [*rows.values(), *_filled(shown, lambda s: (s.benchmark, s.model), lambda s: s.metric)]


def table2(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system and metric with several runs."""
    rows = _printed([*printed["divlogiceval_table2"], *printed["ilogiceval_table2"]], lambda c: c.column)
    for score in scores:
        if score.question_type == metrics.OVERALL and len(score.runs) > 1:
            runs = {f"run{number}": 100 * value for number, value in enumerate(score.runs, start=1)}
            rows.append(_measured(score, score.preset) | runs | {"CV": score.cv})
    return rows


def table3(
    printed: Mapping[str, list[PrintedCell]],
    answers: Mapping[Series, metrics.Answers],
    scores: Sequence[metrics.Score],
    seed: int,
) -> list[Row]:
    """One row per system, benchmark and metric: with and without being asked not to reason."""
    cells = printed["divlogiceval_table3"]
    rows = _printed(cells, lambda c: c.column.casefold(), _flags(printed), lambda c: c.setting)
    plain = {other: prompt for prompt, other in NO_LOGIC.items()}
    groups = grouped(
        _whole(scores), lambda s: (s.benchmark, s.model, plain.get(s.prompt, s.prompt), s.metric)
    )
    for group in groups.values():
        for preset in metrics.presets_of(group):
            pair = metrics.in_preset(group, preset)
            if len(pair) == 2:
                systems = [(one.benchmark, one.model, one.prompt) for one in pair]
                none = metrics.PRESETS[preset or "corrected"]
                tests = metrics.compare(answers, *systems, seed=seed, none=none)
                # Imported runs may have asked the two prompts about different instances.
                if test := tests.get(pair[0].metric):
                    row = _measured(pair[0], preset) | {"instances": pair[0].instances}
                    row |= {"origin": 100 * pair[0].estimate.value, "nolr": 100 * pair[1].estimate.value}
                    delta = Estimate(test.difference, test.low, test.high).cells("delta")
                    rows.append(row | delta | {"p_value": test.p_value})
    return rows


def table6(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system, shots and metric: the benchmark next to its symbolic twin."""
    rows = _printed(printed["divlogiceval_table6"], lambda c: c.column.casefold().replace("-", "_"))
    shown = [s for s in _whole(scores, tuple(SHOTS)) if _twin(s) in _TABLES["table6"].names]
    return [*rows, *_filled(shown, lambda s: (s.model, s.prompt, s.metric), _twin)]


def table8(printed: Mapping[str, list[PrintedCell]], scores: Sequence[metrics.Score]) -> list[Row]:
    """One row per system, benchmark, shots and metric: the whole test set and each question type."""
    cells = [*printed["divlogiceval_table8"], *printed["ilogiceval_table3"], *printed["human"]]
    cells = [cell for cell in cells if cell.column in PRINTED_COLUMNS and cell.setting in SHOTS]
    rows = _printed(cells, lambda c: PRINTED_COLUMNS[c.column], _flags(printed))
    shown = [s for s in scores if s.prompt in SHOWN_STYLES and s.question_type in TYPE_COLUMNS]
    key = attrgetter("benchmark", "model", "prompt", "metric")
    return [*rows, *_filled(shown, key, lambda s: TYPE_COLUMNS[s.question_type])]


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
    for group in grouped(scores, key).values():
        for preset in metrics.presets_of(group):
            row = _measured(group[0], preset) | {"shots": SHOWN_STYLES[group[0].prompt]}
            for score in metrics.in_preset(group, preset):
                row |= score.estimate.cells(column(score))
                row[f"{column(score)}_instances"] = score.instances
                if score.question_type == metrics.OVERALL:
                    row |= {"instances": score.instances, "runs": len(score.runs)}
                    row |= {"parse_rate": 100 * score.parse_rate, "commonest_letter": 100 * score.commonest}
                    row |= {"flags": f"{score.missing} rotations unanswered"} if score.missing else {}
            yield row


def _printed(
    cells: Iterable[PrintedCell],
    column: Callable[[PrintedCell], str],
    flags: Mapping[PrintedCell, str] = MappingProxyType({}),
    benchmark: Callable[[PrintedCell], str] = lambda cell: cell.paper,
) -> list[Row]:
    """Return a row per system, setting and metric, with each number in its column and the rules that cells break."""
    rows = []
    groups = grouped(cells, attrgetter("paper", "system", "setting", "metric"))
    for (*_, setting, metric), part in groups.items():
        row = _head(part[0]) | {"shots": SHOTS.get(setting, "0-shot"), "metric": metric}
        row |= {"benchmark": benchmark(part[0]).casefold()}
        row |= {column(cell): Decimal(cell.printed) for cell in part}
        row["flags"] = "; ".join(flags[cell] for cell in part if cell in flags) or None
        rows.append(row)
    return rows


def _head(cell: PrintedCell) -> Row:
    version = f"{cell.version}; {cell.note}" if cell.note else cell.version
    row = {"system": cell.system, "version": version, "benchmark": cell.paper.casefold()}
    return row | {"source": "published"}


def _measured(score: metrics.Score, preset: str) -> Row:
    """Return the head of the row of a score, or of the first of several, in a preset."""
    row = {"system": score.model, "benchmark": score.benchmark, "source": "measured"}
    shots = SHOTS.get(score.prompt, score.prompt)
    return row | {"shots": shots, "metric": score.metric, "preset": preset or None}


def _flags(printed: Mapping[str, list[PrintedCell]]) -> dict[PrintedCell, str]:
    """Return for each printed cell the rules that it breaks."""
    found = grouped(audit(printed), lambda finding: finding.cell)
    return {cell: f"{cell.column}: {', '.join(one.rule for one in part)}" for cell, part in found.items()}


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
    groups = grouped(asked, lambda one: (order.get(one.benchmark, len(order)), one.benchmark, *_system(one)))
    rows = []
    for (_, benchmark, source, system, setting), group in sorted(groups.items()):
        score = label_score(group, preset="corrected", **params.bootstrap)
        unread = sum(one.predicted is None for one in group)
        counts = (len({one.instance for one in group}), score.rows, unread, score.correct)
        percent = (*score.accuracy.cells("accuracy").values(), 100 * score.random_probability)
        named = (TITLES.get(benchmark, benchmark), system, setting, source)
        rows.append(_TABLES["answers"].row(*named, *counts, *percent))
    _TABLES["answers"].write(out, rows, note_of(recordings))


def label_accuracy(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    answered: AnsweredRecords,
    published: Annotated[Path, FOLDER, "Folder of the printed tables."],
    recordings: Recordings = (),
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
) -> None:
    """Write JustLogic's table of systems from the files of ANSWERS, next to the printed one."""
    printed = read_published(published).scores(("justlogic_accuracy", "justlogic_human"))
    rows: list[Row] = []
    known: dict[tuple[str, str], float] = {}
    for cell in (cell for cells in printed.values() for cell in cells):
        known[cell.system, cell.setting] = cell.value
        row: Row = {"system": cell.system, "setting": cell.setting, "benchmark": "justlogic"}
        row |= {"accuracy": cell.value, "published": cell.value, "note": cell.note or None}
        rows.append(row | {"source": "published"})
    key_of = answered.key_of(params.seed)
    groups = grouped((one for path in answers for one in read_matching(path, key_of)), _system)
    for (source, system, setting), group in sorted(groups.items()):
        if not in_label_preset(group, "corrected"):
            continue
        presets = presets_of_labels(group)
        for preset in presets:
            score = label_score(group, preset=preset, **params.bootstrap)
            shown = preset if len(presets) > 1 or not any(p.answered for p in group) else None
            named = (system, setting, group[0].benchmark, source, shown)
            counts = (score.correct, score.rows, score.recorded, 100 * score.random_probability)
            numbers = (*score.accuracy.cells("accuracy").values(), *counts, known.get((system, setting)))
            rows.append(_TABLES["label_accuracy"].row(*named, *numbers, None))
    _TABLES["label_accuracy"].write(out, rows, note_of(recordings))


def _system(prediction: Prediction) -> tuple[str, str, str]:
    return prediction.source, prediction.model, prediction.prompt
