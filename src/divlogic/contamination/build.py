"""From the parameters of a learner to the learner."""

from __future__ import annotations

from pathlib import Path

from divlogic.contamination.learner import Learner
from divlogic.contamination.parameters import LearnerParameters
from divlogic.errors import DivLogicError


def learner_named(learners: list[LearnerParameters], name: str) -> LearnerParameters:
    """Return the learner of a name.

    Raises:
        DivLogicError: there is none.
    """
    found = next((learner for learner in learners if learner.name == name), None)
    if found is None:
        known = ", ".join(learner.name for learner in learners) or "none"
        raise DivLogicError(
            f"'{name}' is not a learner of the parameters (known: {known}); add it to contamination.learners."
        )
    return found


def build(parameters: LearnerParameters, seed: int, work: Path | None) -> Learner:
    """Make an untrained learner.

    Args:
        parameters: which one.
        seed: of all that is drawn.
        work: folder of its checkpoint; ``None``: none is written.

    Raises:
        DivLogicError: what a network needs is not installed, or its weights cannot be read.
    """
    if parameters.kind == "bag_of_words":
        from divlogic.contamination.light import BagOfWords

        return BagOfWords(seed)
    from divlogic.networks.library import CAUSAL, ENCODER
    from divlogic.networks.training import Schedule

    schedule = Schedule(parameters.rate, parameters.batch, steps_kept=parameters.steps_kept, seed=seed)
    if parameters.kind == "encoder":
        from divlogic.contamination.networks.encoder import PairEncoder

        return PairEncoder(parameters.model or ENCODER, schedule, longest=parameters.longest, work=work)
    from divlogic.contamination.networks.causal import Causal

    return Causal(
        parameters.model or CAUSAL,
        schedule,
        adaptation=parameters.adaptation,
        rank=parameters.rank,
        longest=parameters.longest,
        work=work,
    )
