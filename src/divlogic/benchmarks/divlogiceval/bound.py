"""How many instances the sentences will word, estimated before the work begins and said if it is fewer than wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.sizes import share_out
from divlogic.corpora import PAIR_CORPORA
from divlogic.errors import DivLogicError


@dataclass(frozen=True, slots=True)
class Rate:
    """Sentence groups that a row of a corpus gives: of the whole corpus, and of a part of it.

    A part repeats its premises less often. Measured in full runs with the default filter (``yield.csv``).
    """

    whole: float
    part: float


RATES = {
    "snli": Rate(whole=45_522 / 570_152, part=2_263 / 21_422),
    # Of the whole of MultiNLI: by the share of a part's groups that ``sentences.context`` leaves.
    "multinli": Rate(whole=21_300 / 412_349, part=1_855 / 41_760),
    "xnli": Rate(whole=458 / 7_500, part=458 / 7_500),
    # Of the embedded corpora.
    "captions": Rate(whole=8_231 / 55_168, part=8_231 / 55_168),
    "genres": Rate(whole=278 / 714, part=278 / 714),
}
OTHER = Rate(whole=1 / 3, part=1 / 3)
"""Of a corpus that no run has measured: each premise has about three hypotheses, and none is left out."""

MOST_IN_VAIN = 20_000
"""Instances whose formulas are drawn though no sentences are left for them: a minute's work."""

GROUPS_PER_INSTANCE = 7.2
"""Sentence groups that an instance needs on average: one for each of its variables."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a corpus: those that the run will have, and those of the whole corpus (``None``: not known)."""

    here: int
    whole: int | None = None

    @property
    def are_whole(self) -> bool:
        """Return whether nothing of the corpus is missing, as far as is known."""
        return self.whole is None or self.here >= self.whole


def bound_notice(
    parameters: DivLogicEvalParameters, rows: Mapping[str, Rows], mnli_share: float, source: str
) -> str:
    """Say that more instances are asked for than the sentences will word; empty if they are enough.

    Args:
        parameters: the sizes asked for.
        rows: corpus -> its rows.
        mnli_share: ``sentences.mnli_share``.
        source: ``corpus_source``.

    Raises:
        DivLogicError: so many more that drawing their formulas in vain takes long.
    """
    groups = expected_groups(rows, mnli_share)
    possible = int(groups / GROUPS_PER_INSTANCE)
    splits = parameters.splits
    wanted = {"test": splits.test, "unpolished": splits.unpolished}
    made = share_out(possible, wanted, splits.reserve)
    short = [
        f"{split} about {made[split]:,} of {count:,}"
        for split, count in wanted.items()
        if made[split] < count
    ]
    if not short:
        return ""
    listed = ", ".join(
        f"{name} {one.here:,}" + ("" if one.are_whole else f" of {one.whole:,}") for name, one in rows.items()
    )
    if source == "embedded":
        more = "more captions (`make captions GROUPS=...`), or corpus_source: full"
    else:
        whole = all(one.are_whole for one in rows.values())
        parts = "" if whole else "the whole corpora (without `mirror` they are downloaded), "
        more = (
            f"{parts}corpora of your own, or composed captions (corpus_source: embedded after"
            " `make captions GROUPS=...`)"
        )
    notice = (
        f"DivLogicEval will have fewer instances than benchmarks.divlogiceval.splits asks for: {', '.join(short)}. The"
        f" sentence pairs ({listed}) give about {_rounded(groups):,} sentence groups, and none serves two instances."
        f" More need {more}."
    )
    if sum(wanted.values()) - possible > MOST_IN_VAIN:
        raise DivLogicError(f"{notice} To draw the others would take long and be in vain: ask for fewer.")
    return notice


def expected_groups(rows: Mapping[str, Rows], mnli_share: float) -> float:
    """Estimate the sentence groups that the filter leaves, at most ``mnli_share`` of them from corpora of pairs."""
    found = {}
    for name, one in rows.items():
        rate = RATES.get(name, OTHER)
        found[name] = one.here * (rate.whole if one.are_whole else rate.part)
    of_pairs = sum(groups for name, groups in found.items() if name in PAIR_CORPORA)
    others = sum(found.values()) - of_pairs
    allowed = others * mnli_share / (1 - mnli_share) if mnli_share < 1 else of_pairs
    return others + (min(of_pairs, allowed) if others else of_pairs)


def _rounded(number: float) -> int:
    """Return a number to two digits: it is an estimate."""
    whole = round(number)
    return round(whole, 2 - len(str(whole))) if whole > 99 else whole
