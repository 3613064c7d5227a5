"""What a decider says of a theory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from divlogic.errors import DivLogicError
from divlogic.logic.theory import Answer, Query

MOST_LISTED = 4096
"""Largest number of models that are listed for a query; one with more is undecided. Published and own items have a few
dozen, but what a language model formalises may leave nearly everything open."""

Status = Literal["decided", "bounded", "single", "undecided"]
"""decided: for certain; bounded: models were searched up to a size that does not settle it; single: by one decider
alone; undecided: the resource limit ran out, or there are more than :data:`MOST_LISTED` models."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one query; ``None`` where it is undecided."""

    query: str
    answer: Answer | None
    status: Status = "decided"


@dataclass(frozen=True, slots=True)
class Decision:
    """What a theory says.

    Attributes:
        satisfiable: whether the premises have a model; ``None`` if that is undecided.
        verdicts: one per query, in order.
        by: names of the deciders.
    """

    satisfiable: bool | None
    verdicts: tuple[Verdict, ...]
    by: tuple[str, ...]

    @property
    def answers(self) -> dict[str, Answer | None]:
        """The answers by query id."""
        return {verdict.query: verdict.answer for verdict in self.verdicts}


class TooManyModelsError(Exception):
    """A query has more models than are listed."""


class DisagreementError(DivLogicError):
    """Two deciders answer one query differently: one of them is wrong, and nothing built on either may be kept."""


def answer_of_models(query: Query, models: tuple[tuple[str, ...], ...]) -> Answer:
    """Return the answer to a query about the models projected to its targets."""
    match query.type:
        case "enumerate_models":
            return models
        case "count_models":
            return len(models)
        case "unique_solution":
            return "yes" if len(models) == 1 else "no"
    return "yes" if any(set(model) != set(query.given or ()) for model in models) else "no"
