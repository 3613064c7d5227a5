"""The facts of a release: what its benchmark's spec says, with the parameters, the corpora and the reports of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.parameters import ReleaseRun
from divlogic.benchmarks.registry import BENCHMARKS, benchmark_named
from divlogic.benchmarks.release.card import Facts, Source, Split, schema_of
from divlogic.benchmarks.spec import Benchmark, Planned, ReleaseFacts
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.config.keys import EXECUTION_KEYS
from divlogic.corpora.manifest import read_manifest
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError
from divlogic.io.imports import load
from divlogic.io.log import say


def release(
    name: Annotated[
        str, ARGUMENT, "NAME", click.Choice([one.name for one in BENCHMARKS if one.release])
    ],
    corpora: Annotated[tuple[Path, ...], ARGUMENT, FOLDER] = (),
    *,
    source: Annotated[
        Path, "--in", FOLDER, "Folder with one folder of splits (jsonl) per configuration."
    ],
    results: Annotated[Path, FOLDER, "Folder of the benchmark's reports."],
    registry: Annotated[Path, "The registry."] = Path("data/registry.yaml"),
    plan: Annotated[
        tuple[Path, ...], "File that says how many records were planned; repeatable."
    ] = (),
    out: Annotated[Path, FOLDER, "The release folder."],
    params: ReleaseRun,
) -> None:
    """Write the release of the benchmark NAME: parquet files, data card and Croissant metadata.

    The folder loads with `datasets`. CORPORA are the corpus folders that the sentences come from.
    """
    from divlogic.benchmarks.release.write import write_release

    benchmark = benchmark_named(name)
    known: ReleaseFacts = load(benchmark.release)
    own = {one.name: one for one in BENCHMARKS}
    configs = {
        config: {split: source / config / made.file_of(split) for split in made.splits}
        for config in known.configs
        for made in (own.get(config, benchmark),)
    }
    reports = {title: results / file for title, file in known.reports.items()}
    facts = gather_facts(benchmark, params, corpus_sources(corpora, registry), reports)
    planned = planned_splits(known, params, plan)
    splits = write_release(out, configs, facts, confirmed=results / "z3.json", planned=planned)
    say(f"{made_of_wanted(facts, params, splits)}.")


def planned_splits(
    known: ReleaseFacts, parameters: ReleaseRun, files: Sequence[Path]
) -> list[Planned]:
    """Return how many records were planned of each split."""
    try:
        return [one._replace(rows=int(one.rows)) for one in load(known.planned)(parameters, files)]
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        given = ", ".join(map(str, files)) or "no file is named by --plan"
        raise DivLogicError(
            f"{given}: not a plan of this benchmark ({error!r}); name its own, or make it again."
        ) from error


def gather_facts(
    benchmark: Benchmark,
    parameters: ReleaseRun,
    sources: Iterable[Source],
    reports: Mapping[str, Path],
) -> Facts:
    """Return the facts of a release made with the given parameters."""
    known: ReleaseFacts = load(benchmark.release)
    values = parameters.model_dump(mode="json")
    return Facts(
        benchmark=benchmark,
        known=known,
        licence=known.licences[parameters.corpus_source],
        columns=schema_of(known.columns),
        sources=tuple(sources),
        parameters=_without_execution(_chosen(values, known.parameters)),
        reports=reports,
    )


def made_of_wanted(facts: Facts, parameters: ReleaseRun, splits: Iterable[Split]) -> str:
    """Return how many instances each split of the first configuration has, and how many were wanted if that is more."""
    known = facts.known
    values: Any = parameters.model_dump(mode="json")
    made = {split.name: split.rows for split in splits if split.config == next(iter(known.configs))}
    said = []
    for split in dict.fromkeys((*made, *known.wanted)):
        wanted = (
            reduce(getitem, known.wanted[split].split("."), values) if split in known.wanted else 0
        )
        count = made.get(split, 0)
        said.append(f"{split} {count:,}" + (f" of {wanted:,} wanted" if count < wanted else ""))
    return f"{facts.benchmark.generated_title}: {', '.join(said)}"


def corpus_sources(folders: Iterable[Path], registry: Path | None = None) -> tuple[Source, ...]:
    """Read the provenance of the sentences from manifests; licences, citations and home pages are the registry's."""
    registered = load_registry(registry) if registry is not None else {}
    return tuple(Source(one, registered.get(one.corpus)) for one in map(read_manifest, folders))


def _without_execution(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _without_execution(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if key not in EXECUTION_KEYS
    }


def _chosen(values: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """Return the parts of nested parameters that dotted keys name, nested as they were."""
    found: dict[str, Any] = {}
    for key in keys:
        *sections, last = key.split(".")
        place, value = found, values
        for section in sections:
            place, value = place.setdefault(section, {}), value[section]
        place[last] = value[last]
    return found
