"""Which proposal is kept: the smallest change that is small enough and leaves the logic alone."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from divlogic.benchmarks.templates import load_templates

# Words of the frames that carry no logic by themselves, and that a correction may rightly change.
_GRAMMATICAL = (
    {"a", "an", "the", "it", "them", "these", "this", "that", "which"}
    | {"be", "being", "is", "do", "does"}
    | {"as", "at", "by", "for", "from", "in", "of", "on", "so", "to", "with"}
)
# Negations inside clauses: changing one would turn a literal round.
_NEGATIONS = frozenset(
    ("no", "not", "nobody", "nothing", "nowhere", "none", "never", "neither", "nor", "without")
)
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")


def select_proposal(
    original: str, proposals: Iterable[str | None], *, min_ratio: float, keep_connectives: bool = True
) -> str:
    """Return the accepted proposal that changes least, or the original if none is accepted.

    Args:
        original: the text before correction.
        proposals: the answers of the trials, in order of trial; ``None`` where a trial gave none.
        min_ratio: the similarity of an accepted proposal is greater than this (paper: 0.5).
        keep_connectives: refuse a proposal that changes, moves or drops a logical word.
    """
    words = connectives(original) if keep_connectives else ()
    best, best_ratio = original, min_ratio
    for proposal in proposals:
        # An explanation around the text or a lost full stop: not a corrected text.
        if not proposal or "\n" in proposal or proposal[-1] != original[-1]:
            continue
        # It cannot be similar enough; and a long answer would take long to compare.
        if len(original) <= min_ratio * len(proposal):
            continue
        if keep_connectives and connectives(proposal) != words:
            continue
        ratio = similarity(original, proposal)
        # Of equally small changes the first trial's stays, so that the choice does not hang on arrival.
        if ratio > best_ratio:
            best, best_ratio = proposal, ratio
    return best


def similarity(left: str, right: str) -> float:
    """Return the length of the longest common substring over the length of the longer text (0 to 1)."""
    longer = max(len(left), len(right))
    common = SequenceMatcher(None, left, right, autojunk=False).find_longest_match().size
    return common / longer if longer else 1.0


def connectives(text: str) -> tuple[str, ...]:
    """Return the logical words of a text in order: connectives, and negations as ``not``."""
    logical = _logical_words()
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word.endswith(("n't", "n’t")) or word in ("not", "cannot"):
            found.append("not")
        elif word in logical:
            found.append(word)
    return tuple(found)


@functools.cache
def _logical_words() -> frozenset[str]:
    """Return the words of the frames and introducers that carry the logic, and the negations."""
    templates = load_templates()
    texts = [piece for frames in templates.frames.values() for frame in frames for piece in frame.pieces]
    words = {word for text in (*texts, *templates.conclusions) for word in _WORD.findall(text.lower())}
    return frozenset((words - _GRAMMATICAL) | _NEGATIONS)
