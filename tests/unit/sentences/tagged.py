"""Tagged sentences as tests write them."""

from __future__ import annotations

from divlogic.sentences.tokens import Sentence, Token


def sentence(tagged: str) -> Sentence:
    """Build a sentence from ``word/TAG`` items parted by blanks."""
    return tuple(Token(*item.rsplit("/", 1)) for item in tagged.split())
