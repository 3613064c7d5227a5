"""The tables of shortcuts and of the ladder, and the finding that the report leads with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, BASE
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_json, write_jsonl
from divlogic.io.tables import declared_tables, read_table, rounded
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun
from divlogic.prior_knowledge.shortcuts import probes
from divlogic.prior_knowledge.shortcuts.figures import draw_ladder
from divlogic.prior_knowledge.shortcuts.learners import interval
from divlogic.prior_knowledge.shortcuts.measure import Shortcut, cluster_of
from divlogic.records import grouped, read_records

_TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))
_PERCENT = ("accuracy", "accuracy_low", "accuracy_high", "joint", "chance", "limit")
_PROMPTS = ("zero_shot", "likelihood")
_LEAST = 20
"""Smallest number of instances of a depth."""
_SEEN = {probe.name: probe.sees for probe in (*probes.LABEL_PROBES, *probes.OPTION_PROBES)}
_PROBES = "; ".join(f"{name}: {_SEEN[name]}" for name in probes.NAMES)


def tabulate(
    measured: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    summary: Annotated[Path, "Summary for the report (json)."],
    ladder: Annotated[Path, BASE, "Table of accuracy by depth, without its suffix."],
    params: PriorKnowledgeRun,
) -> None:
    """Tabulate the MEASURED shortcuts and stop where a balanced benchmark exceeds a limit.

    Raises:
        DivLogicError: a limit is exceeded, and limits are enforced. Snakemake takes the table of a failed job away;
            the message names every row, and the measured ones stay.
    """
    parameters = params.prior_knowledge.shortcuts
    rows = read_measured(measured)
    write_shortcuts(rows, out, summary)
    deep = [row for row in rows if row.depth is not None and row.construction]
    _TABLES["ladder"].write(ladder, [table_row(row) for row in deep])
    above = exceeded(rows)
    if above and parameters.enforce:
        shown = "; ".join(
            f"{row.benchmark} ({row.construction}, {row.form}), {row.type}"
            f"{'' if row.depth is None else f', depth {row.depth}'}, {row.probe}: up to {100 * row.high:.1f} %, limit"
            f" {100 * (row.limit or 0):g} %"
            for row in above
        )
        raise DivLogicError(
            f"{', '.join(map(str, measured))}: {len(above)} shortcuts exceed their limit: {shown}. Correct the"
            " generator, or set prior_knowledge.shortcuts.enforce to false, which writes the table all the same."
        )


def write_measured(out: Path, rows: Iterable[Shortcut]) -> int:
    """Write measured shortcuts as JSON Lines; return their number."""
    return write_jsonl(out, (rounded(asdict(row)) for row in rows))


def read_measured(paths: Iterable[Path]) -> list[Shortcut]:
    """Read what :func:`write_measured` wrote, in the order of tables."""
    titles = list(TITLES)
    return sorted(
        (Shortcut(**row) for path in paths for _, row in read_jsonl(path)),
        key=lambda one: (
            titles.index(one.benchmark) if one.benchmark in titles else len(titles),
            one.benchmark, one.construction, one.form, one.type, -1 if one.depth is None else one.depth,
            probes.NAMES.index(one.probe) if one.probe in probes.NAMES else len(probes.NAMES), one.probe,
        ),
    )  # fmt: skip


def write_shortcuts(rows: Sequence[Shortcut], out: Path, summary: Path) -> None:
    """Write the table of shortcuts (csv, md, tex, json) and its summary (json); rows of one depth are the ladder's."""
    whole = [row for row in rows if row.depth is None and not row.probe.startswith("reader")]
    _TABLES["shortcuts"].write(out, [table_row(row) for row in whole], probes=_PROBES)
    found = summarise(rows)
    write_json(summary, found)
    name_of = "{benchmark} {construction}".format_map
    worst = {name_of(one).strip(): one["worst"]["accuracy"] for one in found["benchmarks"]}
    write_json(
        summary.with_name("metrics.json"), {"worst_probe": worst, "within": int(found["within"])}
    )


def exceeded(rows: Iterable[Shortcut]) -> list[Shortcut]:
    """Return the rows whose limit is exceeded."""
    return [row for row in rows if row.within is False]


def summarise(rows: Sequence[Shortcut]) -> dict[str, Any]:
    """Return what a headline must say: of each benchmark the highest probe, and what as many guessers reach.

    Returns:
        ``benchmarks``: of each benchmark and construction, the worst first, the ``worst`` probe (the highest) without a
        step of inference, the worst of options or statements ``alone``, and the most that ``steps`` of inference reach,
        each with type, accuracy, interval and chance (percent), joint accuracy and number of instances; the number of
        ``probes`` and their gain ``by_chance`` (points, :func:`gain_by_chance`);
        ``within``: whether every limit is kept; ``judged``: number of limits that were checked.
    """
    whole = (row for row in rows if row.probe in probes.NAMES and row.depth is None)
    found: list[dict[str, Any]] = []
    for (benchmark, construction), own in grouped(
        whole, attrgetter("benchmark", "construction")
    ).items():
        kinds = grouped(own, lambda row: probes.KIND_OF[row.probe])
        alone, steps = kinds.get(probes.ALONE), kinds.pop(probes.STEP, None)
        if plain := [row for row in own if probes.KIND_OF[row.probe] in kinds]:
            about = {"benchmark": benchmark, "construction": construction, "probes": len(plain)}
            about["by_chance"] = round(100 * gain_by_chance(_error(row) for row in plain), 1)
            worst = {"worst": plain, "alone": alone, "steps": steps}
            shown = {
                name: _short(max(part, key=_gain)) if part else None for name, part in worst.items()
            }
            found.append({**about, **shown})
    return {
        "benchmarks": sorted(
            found, key=lambda one: one["worst"]["chance"] - one["worst"]["accuracy"]
        ),
        "within": not exceeded(rows),
        "judged": sum(row.limit is not None for row in rows),
    }


def gain_by_chance(errors: Iterable[float]) -> float:
    """Return the gain, a share, that the best of several guessers exceeds in 5 of 100 runs (Šidák 1967).

    Args:
        errors: standard errors of their accuracies. Guessers that have something in common stay below more often.
    """
    from scipy.optimize import brentq
    from scipy.special import log_ndtr

    wide = np.array([error for error in errors if error > 0])
    if not wide.size:
        return 0.0
    return float(
        brentq(lambda gain: log_ndtr(gain / wide).sum() - np.log(0.95), 0, 10 * wide.max())
    )


def _gain(row: Shortcut) -> float:
    return row.accuracy - row.chance


def _error(row: Shortcut) -> float:
    """Return the standard error that a probe's interval of 95 percent stands for."""
    return (row.high - row.low) / (2 * 1.96)


def _short(row: Shortcut) -> dict[str, Any]:
    found: dict[str, Any] = {"probe": row.probe, "sees": _SEEN[row.probe]}
    found |= {name: getattr(row, name) for name in ("type", "form", "instances")}
    for name in ("accuracy", "low", "high", "chance", "joint"):
        share = getattr(row, name)
        found[name] = None if share is None else round(100 * share, 1)
    return found


def table_row(row: Shortcut) -> Mapping[str, Any]:
    """Return a row of the tables, shares in percent."""
    shares = (row.accuracy, row.low, row.high, row.joint, row.chance, row.limit)
    percent = [None if share is None else 100 * share for share in shares]
    return asdict(row) | dict(zip(_PERCENT, percent, strict=True)) | {"within": row.within}


def write_with_models(
    ladder: Annotated[Path, ARGUMENT, BASE],
    *,
    predictions: Annotated[Path, "Answers of the evaluation's models (jsonl)."],
    asked: Annotated[
        tuple[Path, ...], "Benchmark that these models were asked (jsonl); repeatable."
    ] = (),
    out: Annotated[Path, BASE, "Table and figure, without their suffix."],
) -> None:
    """Write the LADDER of `shortcuts` (without its suffix) with the evaluation's models among its rows, and draw it."""
    rows = [*read_table(ladder), *map(table_row, of_models(predictions, asked))]
    rows.sort(key=lambda row: (row["benchmark"], row["construction"], row["depth"]))
    _TABLES["ladder"].write(out, rows)
    draw_ladder(out, out)


def of_models(predictions: Path, splits: Sequence[Path]) -> Iterator[Shortcut]:
    """Yield the accuracy of the evaluation's models and baselines by depth and construction, rotation 0 of run 0."""
    records = {
        (record.benchmark, record.id): record for path in splits for record in read_records(path)
    }
    groups: dict[tuple[Any, ...], list[tuple[float, Any]]] = defaultdict(list)
    for _, row in read_jsonl(predictions):
        record = records.get((row["benchmark"], row["instance"]))
        if record is None or row["prompt"] not in _PROMPTS or row["rotation"] or row["run"]:
            continue
        depth = probes.depth_of(record)
        if depth is not None and record.answer is not None:
            name = (
                row["model"] if row["prompt"] == "zero_shot" else f"{row['model']}, by likelihood"
            )
            key = (
                record.benchmark,
                probes.construction_of(record),
                name,
                depth,
                len(record.options),
            )
            groups[key].append((float(row["predicted"] == row["gold"]), cluster_of(record)))
    for (benchmark, construction, name, depth, options), answers in groups.items():
        if len(answers) >= _LEAST:
            right, clusters = zip(*answers, strict=True)
            measured = (len(answers), *interval(np.array(right), clusters), 1 / options)
            yield Shortcut(benchmark, construction, "text", "all", name, *measured, depth)
