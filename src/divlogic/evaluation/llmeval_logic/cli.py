"""``divlogic evaluation llmeval-logic``: run a model on a track, score the baselines, tabulate."""

from divlogic.config.command import Commands

llmeval_logic = Commands(
    "llmeval-logic",
    "Put LLMEval-Logic's items to models: answers, and formalizations with free or given symbols.",
    {
        "run": "evaluation.llmeval_logic.steps:ask_items",
        "baselines": "evaluation.llmeval_logic.steps:score_baselines",
        "tables": "evaluation.llmeval_logic.steps:tabulate",
    },
)
