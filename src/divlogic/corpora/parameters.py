"""The section ``corpora`` of params.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from divlogic.config.section import Name, RunParameters, Section


class CaptionParameters(Section):
    """The composed caption corpus (the embedded stand-in for SNLI)."""

    groups: int = Field(11500, ge=1, description="premises to compose, each with its hypotheses")


class TaggerParameters(Section):
    """Training of the part-of-speech tagger of embedded runs; full runs use NLTK's own weights."""

    sentences: int = Field(
        3000,
        ge=10,
        description="number of caption sentences that train the tagger; as many in other tenses are added",
    )
    iterations: int = Field(4, ge=1, description="passes of the averaged perceptron")
    held_out: float = Field(0.1, gt=0, lt=1, description="share of the sentences kept for measuring accuracy")


class CorporaParameters(Section):
    """Which corpora are fetched or composed."""

    captions: CaptionParameters = CaptionParameters()
    tagger: TaggerParameters = TaggerParameters()
    full: list[Name] = Field(
        [
            *("snli", "multinli", "xnli", "genericskb", "simple_wikipedia", "nltk_data"),
            *(
                "logiqa2",
                "folio",
                "ruletaker",
                "logicnli",
                "clutrr",
                "proofwriter",
                "justlogic",
                "llmeval_logic",
            ),
            *("reclor", "robustlr", "prontoqa_ood", "recorded_ilogiceval", "recorded_justlogic"),
        ],
        description="registry names that `corpus_source: full` fetches",
    )
    missing_comparators: Literal["skip", "stop"] = Field(
        "skip",
        description="what happens in a full run if a published benchmark or recorded predictions cannot be obtained:"
        " `skip` (the tables show them as unavailable) or `stop`",
    )


class CorporaRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``corpora``."""

    corpora: CorporaParameters = CorporaParameters()
