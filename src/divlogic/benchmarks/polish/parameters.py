"""The section ``polish`` of a benchmark whose wording may be corrected."""

from __future__ import annotations

from pydantic import Field

from divlogic.config.section import Address, Section


class PolishParameters(Section):
    """Optional grammar correction by a language model (DivLogicEval, Section 2.1 and Appendix G)."""

    enabled: bool = Field(
        False, description="ask a model to correct the wording of the polished splits"
    )
    base_url: Address | None = Field(
        None, description="address of an OpenAI-compatible server, ending in /v1"
    )
    model: str | None = Field(
        None,
        description="model name as that server knows it; without an address Inspect's, provider/name",
    )
    trials: int = Field(
        3, ge=1, description="proposals asked per text; the smallest accepted change wins"
    )
    min_ratio: float = Field(
        0.5,
        ge=0.1,
        le=1,
        description="longest common substring over the longer text must exceed this",
    )
    review: str | None = Field(
        None,
        pattern=r"\.csv$",
        description="table (csv) of changes to be approved, which the run writes and you fill in; null: all are made",
    )
    concurrency: int | None = Field(
        None,
        ge=1,
        le=1000,
        description="maximum number of concurrent requests; null: 16, or 1 for a server on this machine",
    )
