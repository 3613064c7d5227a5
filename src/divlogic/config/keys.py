"""The top-level keys of params.yaml, and which of them each phase reads."""

from __future__ import annotations

PHASE_KEYS: dict[str, tuple[str, ...]] = {
    "corpora": ("corpus_source", "mirror", "seed", "corpora"),
    "sentences": ("corpus_source", "seed", "sentences"),
    "benchmarks": ("corpus_source", "seed", "sentences", "benchmarks"),
    "collection": ("corpus_source", "benchmarks"),
    "hardening": ("seed", "hardening"),
    "diversity": ("corpus_source", "seed", "diversity"),
    "prior_knowledge": ("corpus_source", "seed", "prior_knowledge"),
    "evaluation": ("corpus_source", "seed", "evaluation"),
    "contamination": ("corpus_source", "seed", "benchmarks", "contamination"),
    "paper": (
        *("corpus_source", "seed", "corpora", "sentences", "benchmarks", "hardening"),
        *("diversity", "prior_knowledge", "evaluation", "contamination", "paper"),
    ),
}
"""The top-level keys that the rules of each phase may hand over, and that its DVC stage lists as ``params``."""

EXECUTION_KEYS: tuple[str, ...] = ("shards", "limits", "concurrency", "mirror", "variants")
"""Parameters, at any depth, that say how the work is done, or what is made in addition: no result of a run depends on
them."""

KEYS: tuple[str, ...] = tuple(dict.fromkeys(key for keys in PHASE_KEYS.values() for key in keys))
"""Every top-level key, in the order of params.yaml."""
