"""What each step from sentence pairs to instances keeps, and how many instances all of SNLI and MultiNLI would give.

A run on a part of the corpora shows which share of the premises (of MultiNLI also of the pairs) becomes a group, and
how many groups an instance needs. The estimate applies these shares to the sizes of the whole corpora. Its interval is
the normal approximation to the binomial error of the shares and the error of the mean need. The files that are here
count as a random part of the whole, which they are not: the interval does not hold how much they differ from it.
Premises that reading found wrong are missing here only: nobody has read the rest.

And a forecast, before the work begins, of how many instances the sentences will word.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.sizes import share_out
from divlogic.corpora import PAIR_CORPORA
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl
from divlogic.io.tables import write_table
from divlogic.sentences.merging import read_counts


@dataclass(frozen=True, slots=True)
class Rate:
    """Sentence groups that a row of a corpus gives: of the whole corpus, and of a part of it.

    A part repeats its premises less often. Measured in full runs with the default filter (``yield.csv``).
    """

    whole: float
    part: float


RATES = {
    # Of the whole corpora: estimated by the run on parts of them; of these parts: counted.
    "snli": Rate(whole=43_914 / 570_152, part=2_148 / 21_422),
    "multinli": Rate(whole=20_127 / 412_349, part=736 / 41_760),
    "xnli": Rate(whole=199 / 7_500, part=199 / 7_500),
    # Of the embedded corpora.
    "captions": Rate(whole=9_652 / 55_082, part=9_652 / 55_082),
    "genres": Rate(whole=266 / 714, part=266 / 714),
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

    It is an error where drawing their formulas in vain takes long.
    """
    groups = expected_groups(rows, mnli_share)
    possible = int(groups / GROUPS_PER_INSTANCE)
    splits = parameters.splits
    wanted = {"test": splits.test, "unpolished": splits.unpolished}
    made = share_out(possible, wanted, splits.reserve)
    fewer = [(split, made[split], count) for split, count in wanted.items() if made[split] < count]
    short = [f"{split} about {possible:,} of {count:,}" for split, possible, count in fewer]
    if not short:
        return ""
    missing = {name: "" if one.are_whole else f" of {one.whole:,}" for name, one in rows.items()}
    listed = ", ".join(f"{name} {rows[name].here:,}{missing[name]}" for name in rows)
    if source == "embedded":
        more = "more captions (`make captions GROUPS=...`), or corpus_source: full"
    else:
        parts = "the whole corpora (without `mirror` they are downloaded), " if any(missing.values()) else ""
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
    rates = {name: RATES.get(name, OTHER) for name in rows}
    found = {
        name: one.here * (rates[name].whole if one.are_whole else rates[name].part)
        for name, one in rows.items()
    }
    of_pairs = sum(groups for name, groups in found.items() if name in PAIR_CORPORA)
    others = sum(found.values()) - of_pairs
    allowed = others * mnli_share / (1 - mnli_share) if mnli_share < 1 else of_pairs
    return others + (min(of_pairs, allowed) if others else of_pairs)


def _rounded(number: float) -> int:
    """Return a number to two digits: it is an estimate."""
    whole = round(number)
    return round(whole, 2 - len(str(whole))) if whole > 99 else whole


COLUMNS = ("step", "corpus", "kept", "share", "whole", "whole_low", "whole_high")
PUBLISHED = 12_589
"""Instances of the paper's DivLogicEval."""

_NORMAL = 1.959964
_TAKEN_BACK = ("repeated_premise", "over_share")


@dataclass(frozen=True, slots=True)
class Whole:
    """The size of a whole corpus: distinct premises, and pairs with a gold label."""

    premises: int
    pairs: int


WHOLE = {
    # Train, dev and test: 150,736 + 3,319 + 3,323 captions; 549,367 + 9,842 + 9,824 pairs (Bowman et al., 2015).
    "snli": Whole(157_378, 569_033),
    # Train and both dev sets: three pairs for each prompt (Williams et al., 2018).
    "multinli": Whole(137_450, 412_349),
    "xnli": Whole(2_500, 7_500),
}
"""The corpora of full runs that instances are made of; XNLI's English part is translated from MultiNLI's genres."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the filter and the merging made of the pairs of one corpus.

    Attributes:
        pairs, premises: hypotheses and distinct premises that were read.
        of_premises, of_pairs: groups of a kept premise, and of a hypothesis alone, before any were left out.
        repeated_premise, over_share: groups left out because their sentence stood there already, and because of
            ``mnli_share``.
        refused_sentence, refused_alone: premises and hypotheses left out because reading found them wrong.
    """

    pairs: int
    premises: int
    of_premises: int
    of_pairs: int
    repeated_premise: int
    over_share: int
    refused_sentence: int = 0
    refused_alone: int = 0

    @property
    def passed(self) -> int:
        """Return the groups before any were left out."""
        return self.of_premises + self.of_pairs

    @property
    def groups(self) -> int:
        """Return the groups that stayed."""
        return self.passed - self.repeated_premise - self.over_share


@dataclass(frozen=True, slots=True)
class Projection:
    """An estimated number with its standard error."""

    value: float
    error: float

    def scaled(self, factor: float) -> Projection:
        """Return it times a number that is known."""
        return Projection(self.value * factor, self.error * factor)

    def over(self, other: Projection) -> Projection:
        """Return the ratio to an independent estimate (delta method)."""
        value = self.value / other.value
        relative = math.hypot(self.error / self.value if self.value else 0.0, other.error / other.value)
        return Projection(value, value * relative)

    @property
    def cells(self) -> dict[str, int]:
        """Return the number and its 95 % interval, rounded to whole ones."""
        spread = _NORMAL * self.error
        low, high = max(0.0, self.value - spread), self.value + spread
        return {"whole": round(self.value), "whole_low": round(low), "whole_high": round(high)}


def kept_by_corpus(counts: Mapping[tuple[str, str, str], int]) -> dict[str, Kept]:
    """Sum up the outcomes of results/sentences/filter.csv: (corpus, role, outcome) -> sentences."""
    found = {}
    for corpus in sorted({name for name, _, _ in counts}):
        of_premises: Counter[str] = Counter()
        of_pairs: Counter[str] = Counter()
        for (name, role, outcome), number in counts.items():
            if name == corpus:
                (of_premises if role == "premise" else of_pairs)[outcome] += number
        found[corpus] = Kept(
            pairs=of_pairs.total(),
            premises=of_premises.total(),
            of_premises=sum(of_premises[outcome] for outcome in ("kept", *_TAKEN_BACK)),
            of_pairs=sum(of_pairs[outcome] for outcome in ("kept_alone", *_TAKEN_BACK)),
            **{outcome: of_premises[outcome] + of_pairs[outcome] for outcome in _TAKEN_BACK},
            refused_sentence=of_premises["refused_sentence"],
            refused_alone=of_pairs["refused_sentence"] if of_pairs["kept_alone"] else 0,
        )
    return found


def passing(kept: Kept, whole: Whole) -> Projection:
    """Project the groups of a whole corpus, before any are left out.

    A premise that is kept makes one group of all its pairs; of MultiNLI each pair of a dropped premise may make one.
    What reading refused is known of the part that was read only.
    """
    of_premises = _unrefused(kept.of_premises, kept.refused_sentence, kept.premises, whole.premises)
    dropped = kept.premises - kept.of_premises
    # The pairs of dropped premises that were tried alone, if the corpus has as many for each premise as for the others.
    tried = round(kept.pairs * dropped / max(kept.premises, 1))
    alone = whole.pairs * dropped / max(kept.premises, 1)
    of_pairs = _unrefused(kept.of_pairs, kept.refused_alone, tried, alone)
    return _sum([of_premises, of_pairs])


def _unrefused(passed: int, refused: int, tried: int, whole: float) -> Projection:
    """Scale what passed of ``tried`` to a whole; what reading refused of the part is taken from that alone."""
    share = min(passed + refused, tried) / max(tried, 1)
    error = math.sqrt(share * (1 - share) / max(tried, 1))
    return Projection(max(0.0, share * whole - refused), error * whole)


def _distinct(passed: Projection, kept: Kept) -> Projection:
    """Leave out repeated sentences, whose share grows with the number of sentences among which they may repeat.

    Pairs of equal sentences are counted, a Poisson number whose error is at least that of one pair.
    """
    here = kept.passed - kept.over_share
    if not here:
        return passed
    growth = (passed.value / here) ** 2
    lost = min(kept.repeated_premise * growth, passed.value / 2)
    error = math.hypot(passed.error, math.sqrt(max(kept.repeated_premise, 1)) * growth)
    return Projection(passed.value - lost, error)


def _sum(estimates: Iterable[Projection]) -> Projection:
    known = list(estimates)
    return Projection(sum(one.value for one in known), math.hypot(*[one.error for one in known]))


def whole_groups(
    kept: Mapping[str, Kept], mnli_share: float, pair_corpora: frozenset[str]
) -> dict[str, Projection]:
    """Project the groups of each whole corpus, at most ``mnli_share`` of all from the corpora of pairs.

    Returns:
        Corpus -> groups, and under ``all`` their number. Where the share limits the corpora of pairs, their number has
        the relative error of the others', on which it depends.
    """
    found = {name: _distinct(passing(kept[name], WHOLE[name]), kept[name]) for name in kept if name in WHOLE}
    others = _sum(one for name, one in found.items() if name not in pair_corpora)
    pairs = _sum(one for name, one in found.items() if name in pair_corpora)
    allowed = others.scaled(mnli_share / (1 - mnli_share)) if mnli_share < 1 else pairs
    if not others.value or pairs.value <= allowed.value:
        return found | {"all": _sum([others, pairs])}
    for name in found.keys() & pair_corpora:
        found[name] = allowed.scaled(found[name].value / pairs.value)
    return found | {"all": others.scaled(1 / (1 - mnli_share))}


def write_yield(symbolic: Sequence[Path], filtered: Path, plan: Path, mnli_share: float, out: Path) -> None:
    """Tabulate what each step from pairs to instances keeps.

    Args:
        symbolic: the drawn shards, which say how many groups an instance needs.
        filtered: outcomes of the sentence filter (csv).
        plan: plan of the instances (json).
        mnli_share: the largest share of groups from corpora of pairs (parameter ``sentences.mnli_share``).
        out: the table, without its suffix.
    """
    kept = kept_by_corpus(read_counts(filtered))
    needs = [row["needs"] for path in symbolic for _, row in read_jsonl(path)]
    real = {"snli", "multinli"} <= kept.keys()
    whole = whole_groups(kept, mnli_share, PAIR_CORPORA) if real else {}
    rows = list(_rows(kept, needs, read_json(plan), whole))
    write_table(out, COLUMNS, rows, _note(rows, bool(whole)))


def _rows(
    kept: Mapping[str, Kept], needs: Sequence[int], plan: Mapping[str, Any], whole: Mapping[str, Projection]
) -> Iterable[dict[str, Any]]:
    for name, one in kept.items():
        size = WHOLE.get(name) if whole else None
        estimated = whole[name].cells if name in whole else {}
        steps: list[tuple[str, int, int | None, dict[str, int]]] = [
            ("pairs", one.pairs, None, {"whole": size.pairs} if size else {}),
            ("premises", one.premises, one.pairs, {"whole": size.premises} if size else {}),
            ("passed the filter", one.passed, one.premises, passing(one, size).cells if size else {}),
            ("not repeated", one.passed - one.repeated_premise, one.passed, {}),
            ("groups", one.groups, one.passed - one.repeated_premise, estimated),
        ]
        for step, count, of, cells in steps:
            yield {"step": step, "corpus": name, "kept": count, "share": _share(count, of), **cells}
    groups = sum(one.groups for one in kept.values())
    total = whole.get("all", Projection(0.0, 0.0))
    placed = plan["groups"] / groups if groups else 0.0
    mean = statistics.fmean(needs)
    error = statistics.stdev(needs) / math.sqrt(len(needs)) if len(needs) > 1 else 0.0
    made = sum(plan["made"].values())
    possible = plan["groups"] / mean
    estimate_of_all = total.scaled(placed).over(Projection(mean, error))
    ends: list[tuple[str, float, float | None, Projection | None]] = [
        ("groups", groups, None, total),
        ("groups in order", plan["groups"], groups, total.scaled(placed)),
        ("groups an instance needs", mean, None, None),
        ("instances possible", int(possible), plan["groups"], estimate_of_all),
        ("instances made", made, int(possible), None),
    ]
    for step, number, before, estimate in ends:
        cells = estimate.cells if whole and estimate else {}
        yield {"step": step, "corpus": "all", "kept": number, "share": _share(number, before), **cells}


def _share(number: float, before: float | None) -> float | None:
    return number / before if before else None


def _note(rows: Sequence[Mapping[str, Any]], estimated: bool) -> str:
    text = (
        "What each step from sentence pairs to instances keeps; share: of the step before (of premises: per pair; of"
        " what passed: per premise, and of MultiNLI also the groups of a hypothesis alone; of instances: per group)."
    )
    if not estimated:
        embedded = "The embedded corpora are no part of SNLI and MultiNLI"
        return f"{text} {embedded}, so that the whole is not estimated."
    last = next(row for row in rows if row["step"] == "instances possible")
    return text + (
        " whole: estimated for the whole of SNLI, MultiNLI and XNLI, with 95 % interval (sampling error only; repeated"
        " sentences are taken to grow with the square of the size)."
        f" The paper has {PUBLISHED:,} instances; estimated are {last['whole']:,}"
        f" ({last['whole_low']:,} to {last['whole_high']:,})."
    )
