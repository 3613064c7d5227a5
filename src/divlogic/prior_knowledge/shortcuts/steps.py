"""The steps: measure fresh instances, measure every benchmark that is here, tabulate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.spec import PRIOR_KNOWLEDGE_TABLE
from divlogic.errors import DivLogicError
from divlogic.models.predictions import read_predictions
from divlogic.prior_knowledge.parameters import ShortcutParameters
from divlogic.prior_knowledge.probe import PROBE, has_labels
from divlogic.prior_knowledge.shortcuts.measure import OPTIONS_ONLY, PROBES, Shortcut, cluster_of, measure
from divlogic.prior_knowledge.shortcuts.table import exceeded, write_measured, write_shortcuts
from divlogic.records import Record, read_records

_FORMULAS = ("premises", "conclusion", "options", "drawn_options")
_METADATA = ("quartet", "base", "proves", "uncertain_query")


def measure_fresh(sources: Sequence[Path], out: Path, parameters: ShortcutParameters, seed: int) -> int:
    """Measure the shortcuts of fresh instances; return the number of rows.

    Instances in symbols are judged however many they are: of a quartet it is known without error what its options alone
    give away. Options in words are only read for their pattern; the other probes of words are those of the benchmarks.

    Args:
        sources: one file for each benchmark and preset.
        out: the measured shortcuts.
        parameters: folds, sizes and limits.
        seed: of folds and trees.
    """
    judged = parameters.model_copy(update={"least_judged": 0})

    def rows() -> Iterator[Shortcut]:
        for source in sources:
            records = list(read_records(source))
            if not records:
                raise DivLogicError(f"{source}: there is no instance in it; draw the fresh instances again.")
            preset = records[0].metadata.get("preset", "")
            benchmark, labelled = records[0].benchmark, has_labels(records)
            symbols = benchmark.startswith("s-")
            limits = _label_limits(parameters) if labelled else _option_limits(parameters)
            yield from measure(
                records,
                benchmark=benchmark,
                preset=preset,
                form="fresh symbols" if symbols else "fresh text",
                limits=limits if preset == "balanced" else {},
                parameters=judged if symbols else parameters,
                seed=seed,
                only=PROBES if symbols or labelled else ("text pattern",),
            )

    return write_measured(out, rows())


def measure_benchmarks(
    collection: Path,
    splits: Sequence[Path],
    probe: Path,
    out: Path,
    parameters: ShortcutParameters,
    seed: int,
) -> int:
    """Measure the shortcuts of every benchmark that is here; return the number of rows.

    Args:
        collection: folder that ``divlogic benchmarks collect`` wrote.
        splits: all splits of the generated benchmarks and of their twins.
        probe: answers of the question-only classifier.
        out: the measured shortcuts.
        parameters: folds, sizes and limits.
        seed: of folds and trees.
    """
    guessed: dict[str, dict[str, bool]] = defaultdict(dict)
    for answer in read_predictions(probe):
        if answer.model == PROBE:
            guessed[answer.benchmark][answer.instance] = answer.predicted == answer.gold
    own: dict[str, list[Record]] = {}
    for path in splits:
        for record in read_records(path):
            own.setdefault(record.benchmark, []).append(_bare(record))

    measured: dict[frozenset[Hashable], list[Shortcut]] = {}

    def rows() -> Iterator[Shortcut]:
        for name, records in own.items():
            same = frozenset((record.context, record.options, record.answer) for record in records)
            if same in measured:
                # ILogicEval cuts the instances of DivLogicEval otherwise; folds are dealt over all splits.
                yield from (replace(row, benchmark=name) for row in measured[same])
                continue
            if has_labels(records):
                records = _spaced_types(records, parameters.most_instances)
            balanced = any(_balanced(record) for record in records)
            limits = _label_limits(parameters) if has_labels(records) else _option_limits(parameters)
            measured[same] = measure(
                records,
                benchmark=name,
                preset="balanced" if balanced else "",
                form="symbols" if name.startswith("s-") else "text",
                limits=limits if balanced else {},
                parameters=parameters,
                seed=seed,
                guessed=guessed.get(name),
                sets=True,
            )
            yield from measured[same]
        for one in load_collection(collection, PRIOR_KNOWLEDGE_TABLE, views=True):
            if one.available and one.benchmark not in own:
                found = [r for r in collected_records(collection, one.stem) if r.answer is not None]
                yield from measure(
                    spaced_clusters(found, parameters.most_instances),
                    benchmark=one.benchmark,
                    limits={},
                    parameters=parameters,
                    seed=seed,
                    guessed=guessed.get(one.benchmark),
                    note="; ".join(filter(None, (one.part, one.problems))),
                )

    return write_measured(out, rows())


def tabulate(measured: Sequence[Path], out: Path, summary: Path, parameters: ShortcutParameters) -> None:
    """Write table and summary.

    Raises:
        DivLogicError: a limit is exceeded, and limits are enforced. Snakemake takes the table of a failed job away;
            the message names every row, and the measured ones stay.
    """
    rows = write_shortcuts(measured, out, summary)
    above = exceeded(rows)
    if above and parameters.enforce:
        shown = "; ".join(
            f"{row.benchmark} ({row.form}), {row.type}, {row.probe}: up to {100 * row.high:.1f} %, limit"
            f" {100 * (row.limit or 0):g} %"
            for row in above
        )
        raise DivLogicError(
            f"{', '.join(map(str, measured))}: {len(above)} shortcuts exceed their limit: {shown}. Correct the"
            " generator, or set prior_knowledge.shortcuts.enforce to false, which writes the table all the same."
        )


def _spaced_types(records: Sequence[Record], most: int) -> list[Record]:
    """Return at most ``most`` records of each question type."""
    types: dict[str | None, list[Record]] = defaultdict(list)
    for record in records:
        types[record.question_type].append(record)
    return [record for own in types.values() for record in spaced_clusters(own, most)]


def spaced_clusters(records: Sequence[Record], most: int) -> list[Record]:
    """Return at most ``most`` records, evenly spaced over the depths; what was drawn together stays together."""
    clusters: dict[Hashable, list[Record]] = defaultdict(list)
    for record in records:
        clusters[cluster_of(record)].append(record)
    groups = list(clusters.values())
    if len(records) <= most:
        return [record for group in groups for record in group]
    # The depths take turns in a file: of JustLogic's seven, groups evenly spaced over it would miss four.
    groups.sort(key=lambda group: group[0].depth or 0)
    count = len(groups) * most // len(records)
    return [record for at in range(count) for record in groups[at * len(groups) // count]]


def _bare(record: Record) -> Record:
    """Return a record without what no probe looks at: sets of 300,000 with their proofs would fill 20 GB."""
    formulas = {key: value for key, value in (record.formulas or {}).items() if key in _FORMULAS}
    kept = {key: value for key, value in record.metadata.items() if key in _METADATA}
    has_options = isinstance(formulas.get("drawn_options") or formulas.get("options"), list)
    return replace(
        record, formulas=formulas if has_options else None, sentences=None, forms=None, metadata=kept
    )


def _balanced(record: Record) -> bool:
    """Return whether a record was drawn so that shortcuts do not help."""
    return "quartet" in record.metadata or record.metadata.get("uncertain_query") == "open"


def _option_limits(parameters: ShortcutParameters) -> dict[str, float]:
    """Return the limits of a benchmark with four options, as fractions."""
    alone = dict.fromkeys(OPTIONS_ONLY, parameters.options_only / 100)
    return alone | {"overlap": parameters.overlap / 100, "roles": parameters.roles / 100}


def _label_limits(parameters: ShortcutParameters) -> dict[str, float]:
    """Return the limits of a benchmark with three labels, as fractions."""
    return dict.fromkeys(PROBES, parameters.labels / 100)
