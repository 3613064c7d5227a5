"""What the release of LLMEval-Logic (generated) says: columns, licence, summary. Published items are never in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlogic.benchmarks.spec import Licence, ReleaseFacts

if TYPE_CHECKING:
    import pyarrow as pa


def columns() -> pa.Schema:
    """Return the columns of a release."""
    import pyarrow as pa

    from divlogic.benchmarks.release.schema import integer, json_text, text, texts

    return pa.schema(
        [
            text("id", "identifier, unique within the benchmark"),
            text("benchmark", "name of the benchmark"),
            text("split", "`base` (scenarios written by hand) or `hard` (hardened by operators)"),
            text("question_type", "`pl` (propositional) or `fol` (first order)"),
            text("context", "the background and the premises in Chinese"),
            text("question", "the questions in Chinese, numbered, one a line"),
            texts("options", "empty: the answers are in `metadata`"),
            integer("answer", "empty: the answers are in `metadata`"),
            texts("forms", "operators and strategies that made the item; empty in `base`"),
            json_text(
                "formulas",
                "the formalization: `symbols` with glosses in both polarities, `premises` as S-expressions with their"
                " texts, `domain`; in `base` also `queries`",
            ),
            json_text(
                "metadata",
                "`questions`: of each `id`, `type`, `zh`, `en`, `answer` (canonical JSON), in `hard` also `strategy`,"
                " `suppose` (premises removed and added), `baseline` (the answer without the supposition) and `query`"
                " or `statements`; `context_en`, `title`, `setting`, `sources`",
            ),
        ]
    )


RELEASE = ReleaseFacts(
    summary=(
        "Logical reasoning in Chinese, with English next to it. `base` holds scenarios written by hand for this"
        " project, each with a formalization and questions whose answers two solvers confirm. `hard` holds items made"
        " from them by operators that follow the hardening strategies of the LLMEval-Logic paper: branching, valid"
        " distractors, explicit uncertainty, set-valued outputs, counterfactual variants, aliases, and further ones."
        " Each hard item has four to eight sub-questions over a closed space of cases; every premise but a distractor"
        " is necessary to some answer. Lists in the answers of `hard` name the items as the question numbers them."
        " Nothing is taken from the published items of LLMEval-Logic."
    ),
    citation="""\
@misc{llmevallogic2026,
  title  = {LLMEval-Logic: A Solver-Verified Chinese Benchmark for Logical Reasoning of LLMs with
            Adversarial Hardening},
  author = {{Fudan NLP Lab}},
  year   = {2026}
}""",
    licences={
        source: Licence(
            "cc0-1.0",
            "https://creativecommons.org/publicdomain/zero/1.0/",
            "All scenarios and templates were written for this project and are dedicated to the public domain.",
        )
        for source in ("embedded", "full")
    },
    columns=columns,
    role="",
    configs={"llmeval_logic": "`base` and `hard`"},
    parameters=("corpus_source", "seed", "benchmarks.llmeval_logic.hardener"),
    reports={
        "Draws of the hardener by operator, and the first gate that they failed": "hardening.json",
        "Shares that solvers without search answer": "panel.json",
    },
    tasks=("question-answering",),
    tags=("logical-reasoning", "propositional-logic", "first-order-logic", "synthetic"),
)
