"""Options in English read as clauses, by a reader that recognises connectives and paraphrases but infers nothing.

It knows the frames of the conditionals, takes what stands in their slots for statements, and any two of these for the
same one if enough of their content words agree, in whatever form. So it reads the options alone, as a person would who
looks for what comes again in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from divlogic.benchmarks.templates.wording import load_templates
from divlogic.prior_knowledge.shortcuts.patterns import Clause, Literal

_KINDS = {"(A→B)": "→", "((A∨B)→C)": "∨", "(¬(A∧B)→C)": "¬∧"}
_WORD = re.compile(r"[a-z]+(?:['’]t)?")
_NO = re.compile(r"\b(?:no|not|nobody|nothing|none|neither|false|cannot)\b|n['’]t\b")
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "a an the some there is are was were be been being it that this these those of in on at to for with from by and"
        " or as his her its their him them he she they who which has have had do does did can could will would case"
        " true false no not nobody nothing none neither one somebody someone anybody something",
    )
)
_ENDINGS = re.compile(r"(?:ies|ing|ed|es|s|e)$")
_ALIKE = 0.5
_SHORTEST = 3


def read_options(options: Sequence[str]) -> list[Clause]:
    """Read the options of an instance as clauses over names that stand for what seems to be one statement.

    Args:
        options: English sentences.
    """
    known: list[frozenset[str]] = []
    return [_read(option, known) for option in options]


def _read(option: str, known: list[frozenset[str]]) -> Clause:
    kind, parts = _parted(option)
    *before, behind = [_literal(part, known) for part in parts]
    return Clause(kind if before else "literal", tuple(before), behind)


@lru_cache(maxsize=50_000)
def _parted(option: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind of clause and its parts, those before the arrow first; a sentence without a frame is one part."""
    text = option[:1].lower() + option[1:].rstrip(".")
    for opening, pattern, kind, order in _frames():
        if text.startswith(opening) and (match := pattern.fullmatch(text)):
            parts = dict(zip(order, match.groups(), strict=True))
            return kind, tuple([parts[at] for at in sorted(parts)])
    return "literal", (text,)


@lru_cache(maxsize=1)
def _frames() -> list[tuple[str, re.Pattern[str], str, tuple[int, ...]]]:
    """Return the opening of each frame of a conditional, its pattern, kind and slots; that of most fixed text first."""
    frames = [frame for formula in _KINDS for frame in load_templates().frames[formula]]
    frames.sort(key=lambda frame: (-sum(map(len, frame.pieces)), frame.id))
    return [
        (frame.pieces[0], re.compile("(.+?)".join(map(re.escape, frame.pieces))), _KINDS[frame.formula], frame.order)
        for frame in frames
    ]  # fmt: skip


def _literal(part: str, known: list[frozenset[str]]) -> Literal:
    """Return the statement that a part of a sentence speaks of, and whether it denies it."""
    words = frozenset(_stem(word) for word in _WORD.findall(part.lower()) if word not in _EMPTY)
    shared = [len(words & other) / max(min(len(words), len(other)), 1) for other in known]
    best = max(range(len(known)), key=lambda at: shared[at], default=0)
    if shared and shared[best] >= _ALIKE:
        known[best] |= words
    else:
        best = len(known)
        known.append(words)
    return f"S{best}", len(_NO.findall(part.lower())) % 2 == 1


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Cut an ending off, so that *sings*, *singing* and *sing* are one word."""
    short = _ENDINGS.sub("", word)
    return short if len(short) >= _SHORTEST else word
