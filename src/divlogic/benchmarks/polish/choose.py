"""Which proposal is kept: the smallest change that is small enough and leaves the logic alone."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

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
    return longest_common_substring(left, right) / longer if longer else 1.0


def longest_common_substring(left: str, right: str) -> int:
    """Return the length of the longest string that occurs in both texts.

    Time is linear in the two lengths: the suffix automaton of the shorter text is run over the other one
    (Blumer et al. 1985).
    """
    if left == right:
        return len(left)
    if len(left) > len(right):
        left, right = right, left
    steps, lengths, links = _suffix_automaton(left)
    state = length = best = 0
    for char in right:
        while state and char not in steps[state]:
            state = links[state]
            length = lengths[state]
        if char in steps[state]:
            state = steps[state][char]
            length += 1
            best = max(best, length)
    return best


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


def _suffix_automaton(text: str) -> tuple[list[dict[str, int]], list[int], list[int]]:
    """Return transitions, longest string and suffix link of every state; state 0 is the start."""
    steps: list[dict[str, int]] = [{}]
    lengths, links = [0], [-1]
    last = 0
    for char in text:
        current = len(steps)
        steps.append({})
        lengths.append(lengths[last] + 1)
        links.append(0)
        state = last
        while state >= 0 and char not in steps[state]:
            steps[state][char] = current
            state = links[state]
        if state >= 0:
            target = steps[state][char]
            if lengths[target] == lengths[state] + 1:
                links[current] = target
            else:
                clone = len(steps)
                steps.append(dict(steps[target]))
                lengths.append(lengths[state] + 1)
                links.append(links[target])
                while state >= 0 and steps[state].get(char) == target:
                    steps[state][char] = clone
                    state = links[state]
                links[target] = links[current] = clone
        last = current
    return steps, lengths, links


@functools.cache
def _logical_words() -> frozenset[str]:
    """Return the words of the frames and introducers that carry the logic, and the negations."""
    templates = load_templates()
    texts = [piece for frames in templates.frames.values() for frame in frames for piece in frame.pieces]
    words = {word for text in (*texts, *templates.conclusions) for word in _WORD.findall(text.lower())}
    return frozenset((words - _GRAMMATICAL) | _NEGATIONS)
