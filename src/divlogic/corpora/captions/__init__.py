"""Embedded image captions: a lexicon and a seeded grammar that compose SNLI-like groups of premise and hypotheses."""

from divlogic.corpora.captions.compose import (
    CaptionGroup,
    Sentence,
    compose_captions,
    tagged_captions,
    write_captions,
)
from divlogic.corpora.captions.retelling import retold_captions

__all__ = [
    "CaptionGroup",
    "Sentence",
    "compose_captions",
    "retold_captions",
    "tagged_captions",
    "write_captions",
]
