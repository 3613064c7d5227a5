"""``divlogic evaluation logicnli``: diagnose learners and models, train a learner of one's own choice."""

from __future__ import annotations

from divlogic.config.command import Commands

logicnli = Commands(
    "logicnli",
    "Diagnose learners and models on LogicNLI's sets.",
    {
        "diagnose": "evaluation.logicnli.diagnose:write_diagnosis",
        "train": "evaluation.logicnli.networks:train_network",
        "harness": "evaluation.logicnli.questions:write_harness",
    },
)
