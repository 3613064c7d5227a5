"""The table of shortcuts, and the finding that the report leads with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from divlogic.benchmarks.registry import TITLES
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_json, write_jsonl
from divlogic.io.rounding import rounded
from divlogic.io.tables import write_table
from divlogic.prior_knowledge.shortcuts.measure import OPTIONS_ONLY, PROBES, Shortcut

COLUMNS = (
    "benchmark", "preset", "form", "type", "probe", "instances", "accuracy", "accuracy_low", "accuracy_high", "chance",
    "limit", "within", "note",
)  # fmt: skip
DECIMALS = dict.fromkeys(("accuracy", "accuracy_low", "accuracy_high", "chance", "limit"), 1)
_SHOWN = COLUMNS[:-1]
NOTE = (
    "Accuracy in percent of probes that do not reason, cross-validated, with 95 % interval; what was drawn together (a"
    " quartet, the statements on one passage) is in one fold and counts as one draw. Options (or statement) only:"
    " pattern: the formulas of all options up to renaming of literals, looked up; text pattern: the same by a reader of"
    " the sentences, who takes those that share half of their words for one; odd one out: untrained, a literal"
    " stands on one side in all options but one, take that one; surface: lengths, negations and shared words"
    " among the options (boosted trees); text: words and characters (TF-IDF, logistic regression); question: the"
    " wording of the question and the place of the option, looked up. With the passage: overlap: words that"
    " option and passage share; roles: how often the variables of an option stand before an arrow, behind one, as a"
    " fact or a denied fact, with the surface; neighbours: which variables stand in one sentence of the passage and"
    " in sentences of which form, one step of inference, without a limit; missing words: untrained, a statement with a"
    " word that the passage lacks is undecided, else a coin is tossed. limit: what the interval of a balanced benchmark"
    " must not exceed, where enough instances were drawn. form: symbols (formulas as texts) or text."
)


def write_measured(out: Path, rows: Iterable[Shortcut]) -> int:
    """Write measured shortcuts as JSON Lines; return their number."""
    return write_jsonl(out, (rounded(asdict(row)) for row in rows))


def read_measured(paths: Iterable[Path]) -> list[Shortcut]:
    """Read what :func:`write_measured` wrote, in the order of tables.

    Raises:
        DivLogicError: a row is no measured shortcut.
    """
    found = []
    for path in paths:
        for number, row in read_jsonl(path):
            try:
                found.append(Shortcut(**row))
            except TypeError as error:
                raise DivLogicError(
                    f"{path}, row {number}: not a measured shortcut ({error}); measure it again."
                ) from error
    titles = list(TITLES)
    return sorted(
        found,
        key=lambda one: (
            titles.index(one.benchmark) if one.benchmark in titles else len(titles),
            one.benchmark, one.preset, one.form, one.type, PROBES.index(one.probe),
        ),
    )  # fmt: skip


def write_shortcuts(paths: Sequence[Path], out: Path, summary: Path) -> list[Shortcut]:
    """Write the table (csv, md, tex, json) and the summary (json) of measured shortcuts.

    Args:
        paths: files of :func:`write_measured`.
        out: the table, without suffix.
        summary: the summary.

    Returns:
        The rows.
    """
    rows = read_measured(paths)
    write_table(out, COLUMNS, [_row(row) for row in rows], NOTE, floats=DECIMALS, shown=_SHOWN)
    found = summarise(rows)
    write_json(summary, found)
    write_json(summary.with_name("metrics.json"), metrics_of(found))
    return rows


def metrics_of(summary: dict[str, Any]) -> dict[str, Any]:
    """Return what `dvc metrics diff` compares: the probes' accuracies in percent, and whether limits hold."""
    return {
        "presets": {
            preset: {
                form: {kind: best["accuracy"] for kind, best in sorted(kinds.items())}
                for form, kinds in sorted(types.items())
            }
            for preset, types in sorted(summary["presets"].items())
        },
        "within": int(summary["within"]),
    }


def exceeded(rows: Iterable[Shortcut]) -> list[Shortcut]:
    """Return the rows whose limit is exceeded."""
    return [row for row in rows if row.within is False]


def summarise(rows: Sequence[Shortcut]) -> dict[str, Any]:
    """Return what the report leads with: how far the options alone give DivLogicEval's answers away, by preset.

    Returns:
        ``presets``: preset -> question type -> the best probe of the options alone, and of the places of variables,
        each with accuracy, interval (percent) and number of instances; ``chance``; ``within``: whether every limit is
        kept; ``leaderboard``: benchmark, preset, form, probe, accuracy and chance of the best probe of the options or
        statements alone, the worst benchmark first.
    """
    presets: dict[str, dict[str, dict[str, Any]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        if row.benchmark != "s-divlogiceval" or not row.preset or row.form != "fresh symbols":
            continue
        kinds = presets[row.preset][row.type]
        kind = "options only" if row.probe in OPTIONS_ONLY else row.probe
        if kind not in kinds or row.accuracy > kinds[kind]["accuracy"] / 100:
            kinds[kind] = _short(row)
    board = [
        _short(row) | {"benchmark": row.benchmark, "preset": row.preset, "form": row.form}
        for row in leaders(rows)
    ]
    return {
        "chance": 25.0,
        "presets": {preset: dict(types) for preset, types in presets.items()},
        "within": not exceeded(rows),
        "leaderboard": board,
    }


def leaders(rows: Iterable[Shortcut]) -> list[Shortcut]:
    """Return for each benchmark the probe of options or statements alone that gains most, the largest gain first."""
    best: dict[tuple[str, str, str], Shortcut] = {}
    for row in rows:
        key = (row.benchmark, row.preset, row.form)
        if row.probe not in OPTIONS_ONLY or row.type.startswith("depth "):
            continue
        if key not in best or _gain(row) > _gain(best[key]):
            best[key] = row
    return sorted(best.values(), key=lambda row: (-_gain(row), row.benchmark, row.preset, row.form))


def _gain(row: Shortcut) -> float:
    return row.accuracy - row.chance


def _short(row: Shortcut) -> dict[str, Any]:
    return {
        "probe": row.probe,
        "type": row.type,
        "instances": row.instances,
        "accuracy": round(100 * row.accuracy, 1),
        "low": round(100 * row.low, 1),
        "high": round(100 * row.high, 1),
        "chance": round(100 * row.chance, 1),
    }


def _row(row: Shortcut) -> Mapping[str, Any]:
    return {
        "benchmark": row.benchmark,
        "preset": row.preset,
        "form": row.form,
        "type": row.type,
        "probe": row.probe,
        "instances": row.instances,
        "accuracy": 100 * row.accuracy,
        "accuracy_low": 100 * row.low,
        "accuracy_high": 100 * row.high,
        "chance": 100 * row.chance,
        "limit": None if row.limit is None else 100 * row.limit,
        "within": row.within,
        "note": row.note,
    }
