"""Distance between two word distributions, with intervals from repeated subsamples, also by the share of MultiNLI.

Definitions: Kullback–Leibler divergence with additive smoothing over the union vocabulary; Jensen–Shannon distance (Lin
1991; Endres & Schindelin 2003), the square root of the divergence in bits, which lies in 0 … 1.

The share is that of the sentence groups (parameter ``sentences.mnli_share``). A context is a frame ("if", "then", "it
is not the case that") around sentences. The words of a run's own instances are taken apart into the frame's, the
captions' and those of MultiNLI's groups, and put together again in other proportions; each mixture is measured as Table
4 measures a benchmark. A sentence is drawn at most once per occurrence in the run: a share for which the run has too
few sentences has no row.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlogic.diversity.parameters import DivergenceParameters, DiversityParameters
from divlogic.diversity.profile import Profile
from divlogic.diversity.words import letter_tokens
from divlogic.errors import DivLogicError
from divlogic.records import Record

Counts = NDArray[np.int64]


def kl_divergence(p: Counts, q: Counts, *, smoothing: float = 0.1, base: float = 2.0) -> float:
    """Return KL(P ‖ Q) of two count vectors over one vocabulary, each of shape (vocabulary,).

    Args:
        smoothing: α, added to the count of every word that either side has (METHODS: 0.1).
        base: of the logarithm.

    Raises:
        DivLogicError: nothing was counted, or without smoothing a word of P is missing in Q.

    >>> p, q = aligned({"dog": 3, "runs": 1}, {"dog": 1, "runs": 3})
    >>> round(kl_divergence(p, q, smoothing=0.0), 4)
    0.7925
    """
    from scipy.special import rel_entr

    a, b = (counts + smoothing for counts in present(p, q))
    if not p.sum() or not q.sum():
        raise DivLogicError(
            "a divergence needs at least one token on either side; check the token filter."
        )
    if np.any((a > 0) & (b == 0)):
        raise DivLogicError(
            "KL is infinite without smoothing: a word of the first side is not on the second."
        )
    return float(rel_entr(a / a.sum(), b / b.sum()).sum() / np.log(base))


def js_distance(p: Counts, q: Counts) -> float:
    """Return the Jensen–Shannon distance (0 … 1) of two count vectors; needs no smoothing.

    >>> js_distance(*aligned({"dog": 2}, {"cat": 5}))
    1.0
    """
    from scipy.special import rel_entr

    a, b = p / p.sum(), q / q.sum()
    middle = (a + b) / 2
    bits = (rel_entr(a, middle).sum() + rel_entr(b, middle).sum()) / 2 / np.log(2)
    return float(np.sqrt(max(0.0, bits)))


def aligned(*sides: Mapping[str, int]) -> tuple[Counts, ...]:
    """Return a count vector of each side, over the sorted union of their vocabularies."""
    places = {word: place for place, word in enumerate(sorted(set().union(*sides)))}
    vectors = np.zeros((len(sides), len(places)), dtype=np.int64)
    for vector, side in zip(vectors, sides, strict=True):
        vector[[places[word] for word in side]] = list(side.values())
    return tuple(vectors)


def present(p: Counts, q: Counts) -> tuple[Counts, Counts]:
    """Return the counts of the words that either side has: of a large vocabulary a subsample has few."""
    words = np.flatnonzero((p > 0) | (q > 0))
    return p[words], q[words]


def token_samples(
    benchmark: Counts, reference: Counts, *, size: int, repeats: int, seed: tuple[int, ...]
) -> Iterable[tuple[Counts, Counts]]:
    """Draw ``size`` tokens without replacement from either side, ``repeats`` times; count the words that were drawn.

    A side with fewer tokens limits both. Draw i comes from SeedSequence([*seed, i]) alone.
    """
    size = min(size, int(benchmark.sum()), int(reference.sum()))
    for repeat in range(repeats):
        draw = _without_replacement((*seed, repeat))
        yield present(draw(benchmark, size), draw(reference, size))


def drawn(counts: Counts, size: int, seed: tuple[int, ...]) -> Counts:
    """Draw ``size`` tokens without replacement, all of them if there are fewer."""
    here, found = np.flatnonzero(counts), np.zeros_like(counts)
    found[here] = _without_replacement(seed)(counts[here], min(size, int(counts.sum())))
    return found


def _without_replacement(seed: tuple[int, ...]) -> Callable[[Counts, int], Counts]:
    """Return what draws a number of tokens from counts, again and again with one stream of random numbers."""
    random = np.random.default_rng(np.random.SeedSequence(list(seed)))
    return partial(random.multivariate_hypergeometric, method="marginals")


class TextSample:
    """Draws whole texts without replacement until ``size`` tokens are reached, ``repeats`` times, in one pass.

    Every text gets a random key per repeat; the texts with the lowest keys are kept, no more of them than are
    needed. Memory: about ``size * repeats`` references, for any number of texts.
    """

    def __init__(self, *, size: int, repeats: int, seed: tuple[int, ...]) -> None:
        self.size = size
        self._random = np.random.default_rng(np.random.SeedSequence(list(seed)))
        self._kept: list[list[tuple[float, int, list[str]]]] = [[] for _ in range(repeats)]
        self._tokens = [0] * repeats
        self._limits = np.full(repeats, np.inf)
        self._seen = 0

    def add(self, tokens: list[str]) -> None:
        """Offer one text's tokens."""
        if not tokens:
            return
        self._seen += 1
        keys = self._random.random(len(self._kept))
        for repeat in np.flatnonzero(keys < self._limits):
            heap = self._kept[repeat]
            heapq.heappush(heap, (-float(keys[repeat]), self._seen, tokens))
            self._tokens[repeat] += len(tokens)
            while self._tokens[repeat] - len(heap[0][2]) >= self.size:
                self._tokens[repeat] -= len(heapq.heappop(heap)[2])
            if self._tokens[repeat] >= self.size:
                self._limits[repeat] = -heap[0][0]

    def samples(self) -> Iterable[dict[str, int]]:
        """Yield each repeat's counts: the texts in key order, the last one cut at ``size`` tokens."""
        for heap in self._kept:
            texts = (
                tokens for _, _, tokens in sorted(heap, key=lambda entry: (-entry[0], entry[1]))
            )
            yield Counter(islice(chain.from_iterable(texts), self.size))


def measure(
    samples: Iterable[tuple[Counts, ...]],
    chosen: DivergenceParameters,
    distances: list[float] | None = None,
) -> dict[str, Any]:
    """Measure every pair of subsamples; return mean and interval of KL and Jensen–Shannon distance, and their size.

    Returns:
        The values of ``kl``, ``kl_low``, ``kl_high``, ``js``, ``js_low``, ``js_high``, and ``size``, in tokens. The
        Jensen–Shannon ``distances`` of the pairs, which need no smoothing, may be known.
    """
    kl, js, size = [], [], 0
    forward = chosen.direction == "benchmark_to_reference"
    for p, q in samples:
        first, second = (p, q) if forward else (q, p)
        kl.append(kl_divergence(first, second, smoothing=chosen.smoothing, base=chosen.base))
        if distances is None:
            js.append(js_distance(p, q))
        size = int(q.sum())
    row: dict[str, Any] = {}
    tail = (1 - chosen.confidence) / 2
    for name, values in (("kl", kl), ("js", distances or js)):
        low, high = np.quantile(values, [tail, 1 - tail])
        row |= {
            name: float(np.mean(values)),
            f"{name}_low": float(low),
            f"{name}_high": float(high),
        }
    return {**row, "size": size}


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
    """Divide the words of the contexts of DivLogicEval's records, which say what sentences word each variable.

    Others are passed over. Of ``pair_corpora`` each pair is a group (MultiNLI, XNLI, the embedded genres).
    """
    parts = Parts()
    for record in records:
        worded = record.metadata.get("worded")
        if not record.sentences or not isinstance(worded, dict):
            continue
        sentences: list[str] = []
        for entry in record.sentences.values():
            parts.groups[entry.get("corpus") in pair_corpora] += 1
        for name, choice in _ATOM.findall(" ".join(worded["premises"])):
            entry = record.sentences[name]
            of_pairs = entry.get("corpus") in pair_corpora
            # 0 is the premise of its variable, 1 ... its hypotheses, c the contradiction.
            texts = (entry["premise"], *entry["hypotheses"])
            own = letter_tokens(entry["contradiction"] if choice == "c" else texts[int(choice)])
            sentences += own
            (parts.pairs if of_pairs else parts.captions).update(own)
            parts.occurrences[of_pairs] += 1
        # A negation replaces a word or two of its sentence ("a man is", "no man is").
        parts.frame.update(Counter(letter_tokens(record.context)) - Counter(sentences))
    return parts


def kl_by_share(
    parts: Parts,
    reference: Profile,
    shares: Sequence[float],
    size: int,
    parameters: DiversityParameters,
    seed: int,
) -> list[dict[str, Any]]:
    """Measure the divergence from Wikipedia of mixtures; a row per share of MultiNLI's groups, and for the run's own.

    Returns:
        Rows with :data:`COLUMNS`, of subsamples of ``size`` tokens; ``measured`` is true for the run's own share.
    """
    chosen = parameters.as_published
    wiki = reference.filtered(chosen.scope, "alphabetic")
    frame, captions, pairs, q = aligned(parts.frame, parts.captions, parts.pairs, wiki)
    total = sum(parts.occurrences)
    counted = zip((captions, pairs), parts.occurrences, strict=True)
    lengths = [float(part.sum()) / count if count else 0.0 for part, count in counted]
    size = min(size, int(q.sum()))
    have = (frame, captions, pairs)

    def mixed(wanted: Counts) -> Iterable[tuple[Counts, Counts]]:
        # The same draws of the reference for every share: what differs between two shares is the benchmark.
        for repeat in range(parameters.sensitivity.repeats):
            draw = _without_replacement((seed, _SEED, repeat))
            other = draw(q, int(wanted.sum()))
            yield present(np.sum(list(map(draw, have, map(int, wanted))), axis=0), other)

    rows = []
    for share in sorted({*shares, round(parts.share, 4)}):
        weights = np.array(
            [float(frame.sum()) / max(total, 1), (1 - share) * lengths[0], share * lengths[1]]
        )
        if not total or not weights.sum():
            continue
        wanted = np.round(size * weights / weights.sum()).astype(int)
        if any(int(part.sum()) < count for part, count in zip(have, wanted, strict=True)):
            continue
        found = measure(mixed(wanted), chosen)
        cells = (share, *(found[name] for name in ("kl", "kl_low", "kl_high", "size")))
        rows.append(dict(zip(COLUMNS, (*cells, share == round(parts.share, 4)), strict=True)))
    return rows


def note(parts: Parts, rows: Sequence[dict[str, Any]], shares: Sequence[float]) -> str:
    """Say what was measured and which shares are missing."""
    measured = {row["mnli_share"] for row in rows}
    missing = [f"{share:g}" for share in shares if share not in measured]
    lacking = (
        f" Too few sentences for a subsample at the shares {', '.join(missing)}." if missing else ""
    )
    return (
        "KL(DivLogicEval ‖ Wikipedia) as Table 4 measures it, of this run's contexts with their sentences mixed in"
        f" another proportion. Share of MultiNLI (embedded: the genres) among this run's groups: {parts.share:.4f}."
    ) + lacking
