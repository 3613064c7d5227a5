"""The checker's probabilities in the sentence groups, and the hypotheses that it refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from divlogic.io.files import read_as, write_json, write_jsonl
from divlogic.io.log import say, track
from divlogic.networks.pairs import Pair
from divlogic.sentences.checker.sample import LABELS
from divlogic.sentences.groups import checked_group, write_counts
from divlogic.sentences.merging import Summary, read_counts

WANTED = {"entailed": "entailment", "contradicted": "contradiction"}
"""The label that a hypothesis must bear to its premise, by its role in the group."""

REFUSED = "doubted_by_checker"
_BLOCK = 1024


class Judge(Protocol):
    """Gives pairs the probabilities of :data:`~divlogic.sentences.checker.sample.LABELS`."""

    def probabilities(self, pairs: list[Pair]) -> list[list[float]]:
        """Return them; shape (pairs, 3)."""


def as_sentence(text: str) -> str:
    """Return a text in mid-sentence form as a sentence, the form of the pairs that the checker was trained on.

    >>> as_sentence("a man sleeps")
    'A man sleeps.'
    """
    return f"{text[:1].upper()}{text[1:]}."


def check_groups(
    source: Path,
    judge: Judge,
    least: float,
    *,
    counts: Path,
    out: Path,
    counts_out: Path,
    summary_out: Path,
) -> int:
    """Write sentence groups with the probabilities of each hypothesis' labels, without entailed ones that are doubted.

    Contradicted hypotheses tell their probabilities and stay: of those that a checker doubted, a reader found none
    wrong (docs/phases/sentences.md).

    Args:
        source: groups of the merge.
        judge: the trained checker.
        least: smallest probability of entailment that an entailed hypothesis must have.
        counts: outcomes of sentences until here (csv).
        out: the groups; each hypothesis has its probabilities under ``nli``.
        counts_out: outcomes of sentences, with those that are doubted (csv).
        summary_out: numbers of groups, sentences and words (json).

    Returns:
        The number of hypotheses that are left out.

    Raises:
        DivLogicError: a file is missing or broken.
    """
    total = read_counts(counts)
    doubted: Counter[tuple[str, str]] = Counter()
    summary = Summary()
    rows = (row for _, row in read_as(source, checked_group, "a group of sentences"))
    write_jsonl(out, summary.watch(track(_checked(rows, judge, least, doubted), "groups")))
    for (corpus, role), number in doubted.items():
        total[corpus, role, "kept"] -= number
        total[corpus, role, REFUSED] += number
    write_counts(counts_out, total)
    write_json(summary_out, summary.to_json())
    say(f"sentences: {doubted.total():,} hypotheses below {least:g} are left out")
    return doubted.total()


def _checked(
    groups: Iterable[dict[str, Any]], judge: Judge, least: float, doubted: Counter[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    rest = iter(groups)
    while block := list(islice(rest, _BLOCK)):
        sentences = [
            (group, role, sentence) for group in block for role in WANTED for sentence in group[role]
        ]
        pairs = [
            (as_sentence(group["premise"]["text"]), as_sentence(sentence["text"]))
            for group, _, sentence in sentences
        ]
        for (_, _, sentence), chances in zip(sentences, judge.probabilities(pairs), strict=True):
            sentence["nli"] = dict(zip(LABELS, (round(chance, 4) for chance in chances), strict=True))
        for group in block:
            kept = [one for one in group["entailed"] if one["nli"][WANTED["entailed"]] >= least]
            doubted[group["corpus"], "entailed"] += len(group["entailed"]) - len(kept)
            group["entailed"] = kept
            yield group
