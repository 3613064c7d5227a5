"""The steps: measure fresh instances, measure every benchmark that is here, tabulate."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.spec import PRIOR_KNOWLEDGE_TABLE
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.io.files import read_as
from divlogic.models.answer_keys import QuestionKey, require_match
from divlogic.models.predictions import Prediction, prediction_from
from divlogic.prior_knowledge.groups import named_groups
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun
from divlogic.prior_knowledge.probe import PROBE, has_labels
from divlogic.prior_knowledge.shortcuts.measure import Shortcut, cluster_of, measure
from divlogic.prior_knowledge.shortcuts.probes import LEARNT_STEPS, NAMES, construction_of
from divlogic.prior_knowledge.shortcuts.table import write_measured
from divlogic.records import Record, grouped, read_records, records_at

_FORMULAS = ("premises", "conclusion", "options", "drawn_options", "query")
_METADATA = (
    "group", "quartet", "three", "base", "proves", "uncertain_query", "construction", "preset", "premises_needed"
)  # fmt: skip


def measure_fresh(
    sources: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    out: Annotated[Path, "Measured shortcuts (jsonl)."],
    params: PriorKnowledgeRun,
) -> None:
    """Run the probes on fresh instances; each file of SOURCES holds those of one benchmark and preset."""

    def rows() -> Iterator[Shortcut]:
        for source in sources:
            for construction, records in grouped(
                map(_bare, read_records(source)), construction_of
            ).items():
                symbols, labelled = records[0].benchmark.startswith("s-"), has_labels(records)
                yield from measure(
                    records,
                    benchmark=records[0].benchmark,
                    construction=construction,
                    form="fresh symbols" if symbols else "fresh text",
                    parameters=params.prior_knowledge.shortcuts,
                    seed=params.seed,
                    reads=_READ[symbols or labelled],
                )

    write_measured(out, rows())


_READ = {True: ("formulas", "either"), False: ("words", "either")}


def measure_benchmarks(
    splits: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    collection: Annotated[Path, "--in", FOLDER, "Folder of `divlogic benchmarks collect`."],
    probe: Annotated[Path, "Answers of the question-only classifier."],
    out: Annotated[Path, "Measured shortcuts (jsonl)."],
    params: PriorKnowledgeRun,
) -> None:
    """Run the probes on every benchmark of a collection; of generated ones on all their SPLITS."""
    parameters = params.prior_knowledge.shortcuts
    run = partial(measure, parameters=parameters, seed=params.seed)
    guessed: dict[str, dict[str, tuple[int, Prediction]]] = defaultdict(dict)
    for number, answer in read_as(probe, prediction_from, "a prediction"):
        if answer.model == PROBE:
            guessed[answer.benchmark][answer.instance] = number, answer

    def hits(name: str, records: Sequence[Record]) -> dict[str, bool]:
        """Return which of the records of a benchmark the classifier got right."""
        found: dict[str, bool] = {}
        for record in records if name in guessed else ():
            if record.id in guessed[name]:
                number, answer = guessed[name][record.id]
                require_match(probe, number, answer, QuestionKey((str(record.answer),), ""))
                found[record.id] = answer.correct
        return found

    own: dict[str, list[Path]] = defaultdict(list)
    for path in splits:
        for record in islice(read_records(path), 1):
            own[record.benchmark].append(path)

    measured: dict[frozenset[int], list[Shortcut]] = {}

    def rows() -> Iterator[Shortcut]:
        for name, paths in own.items():
            outlines = list(read_outlines(paths))
            same = frozenset(hash((one.context, one.options, one.answer)) for one in outlines)
            if same in measured:
                # ILogicEval cuts the instances of DivLogicEval otherwise; folds are dealt over all splits.
                yield from (replace(row, benchmark=name) for row in measured[same])
                continue
            labelled, symbols = has_labels(outlines), name.startswith("s-")
            chosen = {
                construction: _spaced_types(part, parameters.most_instances) if labelled else part
                for construction, part in grouped(outlines, construction_of).items()
            }
            records = _read_rows(paths, chain.from_iterable(chosen.values()))
            measured[same] = []
            for construction, part in chosen.items():
                whole = [records[one.id] for one in part]
                measured[same] += run(
                    whole,
                    benchmark=name,
                    construction=construction,
                    form="symbols" if symbols else "text",
                    guessed=hits(name, whole),
                    sets=True,
                    # The formulas of worded instances are measured where they stand by themselves, in the twin.
                    reads=("formulas", "words", "either") if labelled else _READ[symbols],
                    # They are trained on fresh instances, of which there are more.
                    only=[one for one in NAMES if not symbols or one not in LEARNT_STEPS],
                )
            yield from measured[same]
        for one in load_collection(collection, PRIOR_KNOWLEDGE_TABLE, views=True):
            if one.available and one.benchmark not in own:
                found = [r for r in collected_records(collection, one.stem) if r.answer is not None]
                chosen_here = spaced_clusters(found, parameters.most_instances)
                note, known = (
                    "; ".join(filter(None, (one.part, one.problems))),
                    hits(one.benchmark, chosen_here),
                )
                yield from run(chosen_here, benchmark=one.benchmark, guessed=known, note=note)

    write_measured(out, rows())


def read_outlines(paths: Sequence[Path]) -> Iterator[Record]:
    """Yield of the records of files what some of them are chosen by: whole, 300,000 would fill gigabytes.

    The id is the place of the file and the row, the passage a digest.
    """
    for place, path in enumerate(paths):
        for row, record in read_as(path, Record.from_json, "a record"):
            digest = (
                blake2b(record.context.encode(), digest_size=16).hexdigest()
                if record.context
                else ""
            )
            yield replace(
                _bare(record), id=f"{place}:{row}", context=digest, question="", formulas=None
            )


def _read_rows(paths: Sequence[Path], outlines: Iterable[Record]) -> dict[str, Record]:
    """Return the records of outlines by the outlines' ids."""
    rows: dict[int, set[int]] = defaultdict(set)
    for outline in outlines:
        place, row = map(int, outline.id.split(":"))
        rows[place].add(row)
    records = {}
    for place, numbers in rows.items():
        for row, record in records_at(paths[place], numbers):
            records[f"{place}:{row}"] = _bare(record)
    return records


def _spaced_types(records: Sequence[Record], most: int) -> list[Record]:
    """Return at most ``most`` records of each question type."""
    types = grouped(records, attrgetter("question_type"))
    return [record for own in types.values() for record in spaced_clusters(own, most)]


def spaced_clusters(records: Sequence[Record], most: int) -> list[Record]:
    """Return at most ``most`` records, evenly spaced over the depths; what was drawn together stays together."""
    named = named_groups(records)
    places = grouped(range(len(records)), lambda at: named[at] or cluster_of(records[at])).values()
    groups = [[records[at] for at in own] for own in places]
    if len(records) <= most:
        return [record for group in groups for record in group]
    # The depths take turns in a file: of JustLogic's seven, groups evenly spaced over it would miss four.
    groups.sort(key=lambda group: group[0].depth or 0)
    count = len(groups) * most // len(records)
    return [record for at in range(count) for record in groups[at * len(groups) // count]]


def _bare(record: Record) -> Record:
    """Return a record without what no probe looks at."""
    formulas = {key: value for key, value in (record.formulas or {}).items() if key in _FORMULAS}
    kept = {key: value for key, value in record.metadata.items() if key in _METADATA}
    read = "query" in formulas or isinstance(
        formulas.get("drawn_options") or formulas.get("options"), list
    )
    options = tuple(
        map(sys.intern, record.options)
    )  # labels are the same everywhere, quartets share theirs
    stated = formulas if read else None
    return replace(
        record, options=options, formulas=stated, sentences=None, forms=None, metadata=kept
    )
