"""Sets of Penn Treebank tags, and the refusal that every rule of the filter may speak."""

from __future__ import annotations

from typing import Literal

Kind = Literal["be", "have", "do", "modal", "main"]
"""What a finite word is: a form of *be*, auxiliary *have*, negated *do*, a modal, or a main verb."""

Number = Literal["singular", "plural", "either"]

NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
ADJECTIVES = frozenset({"JJ", "JJR", "JJS"})
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
FINITE = frozenset({"VBD", "VBP", "VBZ"})
RELATIVES = frozenset({"WDT", "WP", "WP$", "WRB"})


class Refused(Exception):  # noqa: N818 - the outcome of a filter, not an error
    """A sentence that the filter drops; ``reason`` is a column value of the filter's table."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
