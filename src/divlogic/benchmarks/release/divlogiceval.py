"""What DivLogicEval's card says: gathered from the parameters, the corpora's manifests and the registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from divlogic import __version__
from divlogic.benchmarks.release.facts import Facts, Source
from divlogic.config import PHASE_KEYS, Parameters

_SUMMARY = (
    "Multiple-choice questions of propositional logic in English. Propositions are drawn at random, their entailments"
    " decided exactly, and each variable is worded by a natural sentence, so that the passages are counter-intuitive"
    " and only reasoning helps. Three question types: which option follows from the passage (3c1e), which one does"
    " not (3e1c), and which premise is missing from the argument (missing_premise)."
)
_CONFIGS = {
    "divlogiceval": "the questions in English",
    "s-divlogiceval": "the same questions in symbols: formulas in the place of sentences",
}
_LICENCES = {
    "embedded": (
        "cc0-1.0",
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "All sentences and templates were written for this project and are dedicated to the public domain.",
    ),
    "full": (
        "other",
        "https://creativecommons.org/licenses/by-nc-sa/4.0/",
        "The sentences are adapted (filtered, negated, given an auxiliary verb) from the corpora below, and each"
        " keeps its corpus's licence; the field `sentences` names the corpus of every sentence. Taken together they"
        " may be shared alike, not commercially, with attribution: the licence linked here. Templates and labels are"
        " this project's and are dedicated to the public domain.",
    ),
}
_EXECUTION = frozenset({"shards", "concurrency"})
"""Parameters that say how the work is done and not what comes out; the card must not depend on them."""

_CITATION = """\
@misc{chung2025divlogiceval,
  title  = {DivLogicEval: A Framework for Benchmarking Logical Reasoning Evaluation in Large Language Models},
  author = {Chung, Tsz Ting and Liu, Lemao and Yu, Mo and Yeung, Dit-Yan},
  year   = {2025}
}"""


def divlogiceval_facts(
    parameters: Parameters,
    sources: Iterable[Source],
    reports: Mapping[str, Path],
    *,
    published: str | None = None,
) -> Facts:
    """Return the facts of a DivLogicEval release made with the given parameters.

    Args:
        parameters: those that made the data; what the data depends on is shown in the card.
        sources: the corpora, see :func:`corpus_sources`.
        reports: title -> csv file.
        published: date of publication (``YYYY-MM-DD``), if it is published.
    """
    licence, licence_url, licence_note = _LICENCES[parameters.corpus_source]
    values = parameters.model_dump(mode="json")
    keys = dict.fromkeys([*PHASE_KEYS["sentences"], *PHASE_KEYS["benchmarks"]])
    return Facts(
        name="divlogiceval",
        title="DivLogicEval",
        summary=_SUMMARY,
        version=__version__,
        licence=licence,
        licence_url=licence_url,
        licence_note=licence_note,
        citation=_CITATION,
        creators=("The DivLogic authors",),
        published=published,
        sources=tuple(sources),
        configs=_CONFIGS,
        parameters=_without_execution({key: values[key] for key in keys}),
        reports=dict(reports),
    )


def corpus_sources(folders: Iterable[Path], registry: Path | None = None) -> tuple[Source, ...]:
    """Read the provenance of the sentences from the manifests of their corpus folders.

    Args:
        folders: corpus folders, each with its ``MANIFEST.json``.
        registry: data/registry.yaml, for licence addresses, citations and home pages.

    Raises:
        DivLogicError: a manifest is missing or broken, or the registry is not valid.
    """
    from divlogic.corpora.manifest import read_manifest
    from divlogic.corpora.registry import load_registry

    registered = load_registry(registry) if registry is not None else {}
    found = []
    for folder in folders:
        manifest = read_manifest(folder)
        entry = registered.get(manifest.corpus)
        citation = entry.citation if entry else None
        found.append(
            Source(
                title=manifest.title,
                version=manifest.version,
                licence=manifest.licence,
                licence_url=entry.licence.url if entry else None,
                origin=manifest.origin,
                part=manifest.part,
                sha256=manifest.sha256,
                citation=(
                    f"{citation.authors} ({citation.year}). {citation.title}. {citation.venue}."
                    if citation
                    else None
                ),
                homepage=entry.homepage if entry else None,
            )
        )
    return tuple(found)


def _without_execution(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _without_execution(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if key not in _EXECUTION
    }
