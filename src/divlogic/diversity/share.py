"""KL to Wikipedia by the share of sentence groups from MultiNLI (parameter ``sentences.mnli_share``).

A context is a frame ("if", "then", "it is not the case that") around sentences. The words of a run's own instances
are taken apart into the frame's, the captions' and those of MultiNLI's groups, and put together again in other
proportions; each mixture is measured as Table 4 measures a benchmark. A sentence is drawn at most once per occurrence
in the run: a share for which the run has too few sentences has no row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divlogic.diversity.divergence import Counts, aligned, measure
from divlogic.diversity.parameters import DiversityParameters
from divlogic.diversity.profile import Profile
from divlogic.diversity.words import letter_tokens
from divlogic.records import Record

COLUMNS = ("mnli_share", "kl_bits", "kl_bits_low", "kl_bits_high", "sample_tokens", "measured")
_ATOM = re.compile(r"([A-Z])(\d+|c)")
_SEED = 4


@dataclass(slots=True)
class Parts:
    """The words of the contexts of DivLogicEval's instances, by where they come from.

    Attributes:
        frame: words of the templates, and of negations.
        captions, pairs: words of the sentences from SNLI and from MultiNLI (embedded: captions and genres).
        occurrences: sentences in the contexts, by the same two sources.
        groups: sentence groups, by the same two sources.
    """

    frame: Counter[str] = field(default_factory=Counter)
    captions: Counter[str] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)
    occurrences: list[int] = field(default_factory=lambda: [0, 0])
    groups: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def share(self) -> float:
        """Return the share of MultiNLI's among the groups."""
        return self.groups[1] / max(sum(self.groups), 1)


def take_apart(records: Iterable[Record], pair_corpora: frozenset[str]) -> Parts:
    """Divide the words of the contexts of DivLogicEval's records.

    Args:
        records: its records, which say what sentences word each variable; others are passed over.
        pair_corpora: the corpora of which each pair is a group (MultiNLI, XNLI, the embedded genres).
    """
    parts = Parts()
    for record in records:
        worded = record.metadata.get("worded")
        if not record.sentences or not isinstance(worded, dict):
            continue
        words = Counter(letter_tokens(record.context))
        for entry in record.sentences.values():
            parts.groups[entry.get("corpus") in pair_corpora] += 1
        for name, choice in _ATOM.findall(" ".join(worded["premises"])):
            entry = record.sentences[name]
            of_pairs = entry.get("corpus") in pair_corpora
            own = letter_tokens(_sentence(entry, choice))
            words.subtract(own)
            (parts.pairs if of_pairs else parts.captions).update(own)
            parts.occurrences[of_pairs] += 1
        # A negation replaces a word or two of its sentence ("a man is", "no man is").
        parts.frame.update(+words)
    return parts


def _sentence(entry: dict[str, Any], choice: str) -> str:
    """Return the sentence of an atom: 0 is the premise of its variable, 1 ... its hypotheses, c the contradiction."""
    if choice == "c":
        return str(entry["contradiction"])
    return str(entry["premise"] if choice == "0" else entry["hypotheses"][int(choice) - 1])


def kl_by_share(
    parts: Parts,
    reference: Profile,
    shares: Sequence[float],
    size: int,
    parameters: DiversityParameters,
    seed: int,
) -> list[dict[str, Any]]:
    """Measure the divergence of mixtures; one row per share, and one for the run's own share.

    Args:
        parts: what the run's contexts consist of.
        reference: Wikipedia.
        shares: shares of MultiNLI's groups.
        size: tokens of a subsample.
        parameters: how the divergence is measured (``as_published``).
        seed: of the subsamples.

    Returns:
        Rows with :data:`COLUMNS`; ``measured`` is true for the share that the run itself has.
    """
    chosen = parameters.as_published
    wiki = reference.filtered(chosen.scope, "alphabetic")
    frame, captions, pairs, q = aligned(parts.frame, parts.captions, parts.pairs, wiki)
    total = sum(parts.occurrences)
    lengths = [
        float(part.sum()) / count if count else 0.0
        for part, count in zip((captions, pairs), parts.occurrences, strict=True)
    ]
    size = min(size, int(q.sum()))
    rows = []
    for share in sorted({*shares, round(parts.share, 4)}):
        weights = np.array([float(frame.sum()) / max(total, 1), (1 - share) * lengths[0], share * lengths[1]])
        if not total or not weights.sum():
            continue
        wanted = np.round(size * weights / weights.sum()).astype(int)
        have = (frame, captions, pairs)
        if any(int(part.sum()) < count for part, count in zip(have, wanted, strict=True)):
            continue
        found = measure(_samples(have, wanted, q, parameters.sensitivity.repeats, (seed, _SEED)), chosen)
        cells = (share, *(found[name] for name in ("kl", "kl_low", "kl_high", "size")))
        rows.append(dict(zip(COLUMNS, (*cells, share == round(parts.share, 4)), strict=True)))
    return rows


def _samples(
    parts: Sequence[Counts], wanted: Counts, reference: Counts, repeats: int, seed: tuple[int, ...]
) -> Iterable[tuple[Counts, Counts]]:
    """Draw the wanted number of tokens from each part, and as many from the reference, without replacement.

    The same draws of the reference for every share: what differs between two shares is the benchmark.
    """
    for repeat in range(repeats):
        random = np.random.default_rng(np.random.SeedSequence([*seed, repeat]))
        q = random.multivariate_hypergeometric(reference, int(wanted.sum()), method="marginals")
        drawn = [
            random.multivariate_hypergeometric(part, int(count), method="marginals")
            for part, count in zip(parts, wanted, strict=True)
        ]
        yield np.sum(drawn, axis=0), q


def note(parts: Parts, rows: Sequence[dict[str, Any]], shares: Sequence[float]) -> str:
    """Say what was measured and which shares are missing."""
    measured = {row["mnli_share"] for row in rows}
    missing = [f"{share:g}" for share in shares if share not in measured]
    text = (
        "KL(DivLogicEval ‖ Wikipedia) as Table 4 measures it, of this run's contexts with their sentences mixed in"
        f" another proportion. Share of MultiNLI (embedded: the genres) among this run's groups: {parts.share:.4f}."
    )
    if missing:
        text += f" Too few sentences for a subsample at the shares {', '.join(missing)}."
    return text
