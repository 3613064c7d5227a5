"""The table of shortcuts, its figure, and the finding that the report leads with."""

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
    "limit", "within",
)  # fmt: skip
DECIMALS = dict.fromkeys(("accuracy", "accuracy_low", "accuracy_high", "chance", "limit"), 1)
NOTE = (
    "Accuracy in percent of probes that do not reason, cross-validated, with 95 % interval; what was drawn together (a"
    " quartet, the statements on one passage) is in one fold and counts as one draw. Options (or statement) only:"
    " pattern: the formulas of all options up to renaming of variables, looked up; odd one out: untrained, a literal"
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


def write_shortcuts(paths: Sequence[Path], out: Path, figure: Path, summary: Path) -> list[Shortcut]:
    """Write the table (csv, md, tex), the figure (svg, png) and the summary (json) of measured shortcuts.

    Args:
        paths: files of :func:`write_measured`.
        out: the table, without suffix.
        figure: the figure, without suffix.
        summary: the summary.

    Returns:
        The rows.
    """
    rows = read_measured(paths)
    write_table(out, COLUMNS, [_row(row) for row in rows], NOTE, floats=DECIMALS)
    write_json(summary, summarise(rows))
    draw_shortcuts(rows, figure)
    return rows


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


def draw_shortcuts(rows: Sequence[Shortcut], base: Path) -> list[Path]:
    """Draw for each benchmark how far the best probe of each kind gets above guessing; return the paths."""
    from divlogic.io.figures import COLOURS, MARKERS, PAGE_WIDTH, save_figure, style

    samples: dict[tuple[str, str, str], dict[str, Shortcut]] = defaultdict(dict)
    for row in rows:
        if row.type.startswith("depth "):
            continue
        best = samples[row.benchmark, row.preset, row.form]
        kind = _kind(row)
        if kind not in best or _gain(row) > _gain(best[kind]):
            best[kind] = row
    # The worst at the top; one step of inference is no shortcut and does not count.
    order = sorted(
        samples,
        key=lambda key: (max([_gain(r) for r in samples[key].values() if _kind(r) != _STEP], default=0), key),
    )
    with style():
        from matplotlib import pyplot

        figure, axis = pyplot.subplots(figsize=(PAGE_WIDTH, 1.2 + 0.27 * max(len(order), 1)))
        for number, kind in enumerate((_ALONE, _PASSAGE, _STEP)):
            places = [place for place, key in enumerate(order) if kind in samples[key]]
            found = [samples[order[place]][kind] for place in places]
            if not found:
                continue
            # One above the other, so that none hides another.
            heights = [place + 0.2 * (1 - number) for place in places]
            gains = [100 * _gain(row) for row in found]
            spread = [
                [100 * (row.accuracy - row.low) for row in found],
                [100 * (row.high - row.accuracy) for row in found],
            ]
            axis.errorbar(
                gains,
                heights,
                xerr=spread,
                linestyle="none",
                marker=MARKERS[number],
                color=COLOURS[number],
                markerfacecolor="white" if kind == _STEP else COLOURS[number],
                label=kind,
            )
        for place, key in enumerate(order):
            leader = max(
                [row for row in samples[key].values() if _kind(row) != _STEP], key=_gain, default=None
            )
            if leader is not None and leader.accuracy - leader.chance > 0.05:
                axis.annotate(
                    leader.probe,
                    (100 * (leader.high - leader.chance), place),
                    xytext=(6, -1),
                    textcoords="offset points",
                    fontsize=6,
                )
        axis.axvline(0, color="#555555", linewidth=1)
        axis.set_yticks(range(len(order)), [_name(key) for key in order])
        axis.set_ylim(-0.6, len(order) - 0.4)
        axis.set_xlabel("percentage points above guessing, best probe and question type")
        axis.legend(loc="upper center", bbox_to_anchor=(0.3, -0.6 / (0.27 * max(len(order), 1))), ncols=3)
        return save_figure(figure, base)


_ALONE, _PASSAGE, _STEP = "options or statement alone", "with the passage", "one step of inference"


def _kind(row: Shortcut) -> str:
    return _STEP if row.probe == "neighbours" else _ALONE if row.probe in OPTIONS_ONLY else _PASSAGE


def _name(key: tuple[str, str, str]) -> str:
    benchmark, preset, form = key
    more = ", ".join(part for part in (preset.replace("_", " "), form if form != "text" else "") if part)
    title = TITLES.get(benchmark, benchmark).removesuffix(")")
    opened = title != TITLES.get(benchmark, benchmark)
    return title + (f"{', ' if opened else ' ('}{more})" if more else ")" if opened else "")


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
    }
