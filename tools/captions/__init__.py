"""Embedded image captions: a lexicon and a seeded grammar that compose SNLI-like groups of premise and hypotheses."""

from pathlib import Path

from tools.captions.compose import (
    CaptionGroup,
    Sentence,
    compose_captions,
    tagged_captions,
    write_captions,
)
from tools.captions.retelling import retold_captions

__all__ = [
    "LEXICON",
    "TAGGED",
    "CaptionGroup",
    "Sentence",
    "compose_captions",
    "retold_captions",
    "tagged_captions",
    "write_captions",
]

LEXICON = Path(__file__).with_name("lexicon")
TAGGED = Path(__file__).with_name("tagged.txt")
