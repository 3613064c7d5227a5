"""The section ``sentences`` of params.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from divlogic.config.section import RunParameters, Section


class SentencesParameters(Section):
    """Filter, negation and grouping of sentences (DivLogicEval, Appendix C)."""

    shards: int = Field(
        2, ge=1, le=10_000, description="number of shards; the results do not depend on it"
    )
    min_tokens: int = Field(4, ge=1, description="shortest sentence kept, in tokens")
    max_tokens: int = Field(30, ge=2, description="longest sentence kept, in tokens")
    pronoun_subjects: Literal["resolve", "drop"] = Field(
        "resolve",
        description="a pronoun subject of a hypothesis is replaced by its premise's subject where that is certain, or"
        " every such hypothesis is dropped",
    )
    forbidden_marks: str = Field(
        ";(,?", description="characters that a kept sentence may not contain"
    )
    negation: Literal["wide_scope", "as_published"] = Field(
        "wide_scope",
        description="wide_scope: a sentence about 'a man', 'two men' or 'men' is negated at its subject ('no man is"
        " ...'), which denies it as a whole, and one whose denial is a contrary only is dropped; as_published: at its"
        " verb ('a man isn't ...'), which may be read as a statement about another man (Appendix C)",
    )
    hypothesis_subjects: Literal["indefinite", "as_published"] = Field(
        "indefinite",
        description="indefinite: 'the man ...' of a hypothesis becomes 'a man ...', since its premise may not"
        " stand before it; as_published: it stays",
    )
    source_faults: Literal["refuse", "keep"] = Field(
        "refuse",
        description="sentences that are cut off, point at something said before, have a known typo, or were found wrong"
        " by reading; entailed ones that say what anybody does at any time ('a man is outside')",
    )
    sensitive: Literal["refuse", "keep"] = Field(
        "refuse",
        description="sentences that name living persons, or a person's origin, creed, skin, disability or looks, are"
        " about sex, nakedness or undressed children, insult, judge groups of people or tell of violence",
    )
    neutrals: Literal["skip", "keep"] = Field(
        "skip",
        description="neutral hypotheses, which no instance uses: skip saves the time for filtering them",
    )
    context: Literal["refuse", "keep"] | None = Field(
        None,
        description="sentences of MultiNLI and XNLI that mean nothing without the text that they are from ('the"
        " supposition was wrong'), or name a person without saying who it is; null: refuse (corpus_source full) or keep"
        " (embedded, whose sentences were written to stand alone)",
    )
    min_acceptability: float | None = Field(
        None,
        ge=0,
        lt=1,
        description="smallest probability, by how the corpora use words and articles, of the least usual word or"
        " article of a sentence against its alternative ('on ground' against 'on the ground'); 0: not judged; null:"
        " 0.15 (corpus_source full) or 0 (embedded, whose sentences are composed)",
    )
    max_link_cost: float | None = Field(
        None,
        ge=0,
        description="sentences that link grammar does not parse are refused; the largest cost of a use of a word in a"
        " parse (2: 4 in 100 sentences are refused, 1: 8, 0.6: 17); null: sentences are not parsed. Needs its library"
        " (docs/phases/sentences.md)",
    )
    mnli_share: float = Field(
        0.5,
        ge=0,
        le=1,
        description="largest share of sentence groups from MultiNLI and XNLI (embedded runs: the genres);"
        " a larger share brings the vocabulary closer to Wikipedia's",
    )
    min_agreement: float = Field(
        0.8,
        ge=0,
        le=1,
        description="share of a pair's annotators that must have given its gold label, where the corpus names at least"
        " three of them; 0 keeps every pair with a gold label",
    )


def least_acceptability(section: SentencesParameters, corpus_source: str) -> float:
    """Return the smallest acceptability of a sentence that is kept; 0 where sentences are not judged."""
    if section.min_acceptability is not None:
        return section.min_acceptability
    return 0.15 if corpus_source == "full" else 0.0


class SentencesRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``sentences``."""

    sentences: SentencesParameters = SentencesParameters()
