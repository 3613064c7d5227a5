"""The base of every section of params.yaml."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A section that refuses keys it does not know and cannot be changed once it is checked."""

    model_config = ConfigDict(extra="forbid", frozen=True)
