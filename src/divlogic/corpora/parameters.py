"""The section ``corpora`` of params.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from divlogic.config.section import Name, RunParameters, Section


class CorporaParameters(Section):
    """Which corpora are fetched."""

    full: list[Name] = Field(
        [
            *("snli", "multinli", "xnli", "genericskb", "simple_wikipedia", "nltk_data"),
            *("logiqa2", "folio", "ruletaker", "logicnli"),
            *("clutrr", "proofwriter", "justlogic", "llmeval_logic"),
            *(
                "divlogiceval",
                "reclor",
                "robustlr",
                "prontoqa_ood",
                "recorded_ilogiceval",
                "recorded_justlogic",
            ),
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
