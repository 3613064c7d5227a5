"""What is said of DivLogicEval: columns, licence and summary of its release, and the audit of its labels."""

from __future__ import annotations

from string import ascii_uppercase

from divlogic.benchmarks.spec import Licence, ReleaseFacts
from divlogic.benchmarks.verdict import Verdict, published_letter
from divlogic.logic import parse
from divlogic.logic.smt import Z3Premises
from divlogic.records import Record

COLUMNS = {
    "split": "name of the split",
    "question_type": "`3c1e`, `3e1c` or `missing_premise`",
    "context": "the passage; with `missing_premise` it ends in the conclusion",
    "question": "what is asked of the options",
    "options[]": "the four answers to choose from",
    "answer#": "index of the right option, from 0",
    "formulas": (
        "the symbolic form, in the paper's notation",
        {
            "premises[]": "formulas of the context's sentences, in order",
            "options[]": "formulas of the options; `contradict` for one worded by an NLI contradiction",
            "conclusion": "formula of the conclusion drawn in the context, if there is one",
            "necessary": "the premise that was taken away (`missing_premise`)",
            "symbolic_options[]": "as `options`, the contradiction written as the formula it amounts to",
            "drawn_options[]": "as `options`, with the formula whose place the contradiction takes",
        },
    ),
    "sentences[]": (
        "what each propositional variable stands for",
        {
            "variable": "the variable, `A` to `H`",
            "premise": "its sentence, in mid-sentence form",
            "hypotheses[]": "sentences that the premise entails, used as other wordings",
            "contradiction": "a sentence that contradicts the premise, where one is used",
            "corpus": "corpus of the sentences",
            "source": "identifier of the premise in that corpus",
            "group": "identifier of the sentence group",
        },
    ),
    "metadata{}": "everything else recorded of the item, as a JSON object",
}
"""What each column of a release means; see :mod:`divlogic.benchmarks.release.schema`."""


_SUMMARY = (
    "Multiple-choice questions of propositional logic in English. Propositions are drawn at random, their entailments"
    " decided exactly, and each variable is worded by a natural sentence, so that the passages are counter-intuitive"
    " and only reasoning helps. Three question types: which option follows from the passage (3c1e), which one does"
    " not (3e1c), and which premise is missing from the argument (missing_premise)."
)
_CITATION = """\
@misc{chung2025divlogiceval,
  title  = {DivLogicEval: A Framework for Benchmarking Logical Reasoning Evaluation in Large Language Models},
  author = {Chung, Tsz Ting and Liu, Lemao and Yu, Mo and Yeung, Dit-Yan},
  year   = {2025}
}"""

RELEASE = ReleaseFacts(
    summary=_SUMMARY,
    citation=_CITATION,
    licences={
        "embedded": Licence(
            "cc0-1.0",
            "https://creativecommons.org/publicdomain/zero/1.0/",
            "All sentences and templates were written for this project and are dedicated to the public domain.",
        ),
        "full": Licence(
            "other",
            "https://creativecommons.org/licenses/by-nc-sa/4.0/",
            "The sentences are adapted (filtered, negated, given an auxiliary verb) from the corpora below, and each"
            " keeps its corpus's licence; the field `sentences` names the corpus of every sentence. Taken together they"
            " may be shared alike, not commercially, with attribution: the licence linked here. Templates and labels"
            " are this project's and are dedicated to the public domain.",
        ),
    },
    columns=COLUMNS,
    role="nli",
    configs={
        "divlogiceval": "the questions in English",
        "s-divlogiceval": "the same questions in symbols: formulas in the place of sentences",
    },
    parameters=("corpus_source", "seed", "sentences", "benchmarks.divlogiceval"),
    wanted={
        "test": "benchmarks.divlogiceval.splits.test",
        "unpolished": "benchmarks.divlogiceval.splits.unpolished",
    },
    reports={"Instances worded freely, checked at the nli level": "verification.json"},
    tasks=("multiple-choice", "question-answering"),
    tags=("logical-reasoning", "propositional-logic", "synthetic"),
    kept_apart=("quartet",),
)


def audit_choices(record: Record) -> Verdict | None:
    """Decide with Z3 which option is the odd one out; ``None`` if the record has no formulas for its options."""
    formulas = record.formulas or {}
    options = formulas.get("symbolic_options") or formulas.get("options")
    if not options or not formulas.get("premises") or record.answer is None:
        return None
    published = published_letter(record)
    try:
        premises = Z3Premises(parse(text) for text in formulas["premises"])
        choices = [parse(text) for text in options]
        goal = parse(formulas["conclusion"]) if formulas.get("conclusion") else None
    except ValueError as error:
        return Verdict(record.id, published, None, "not parsed", str(error))
    if goal is not None:
        follows = [premises.entail(goal, choice) for choice in choices]
    else:
        follows = [premises.entail(choice) for choice in choices]
    wanted = record.question_type != "3e1c"
    right = [index for index, one in enumerate(follows) if one == wanted]
    if len(right) != 1:
        reason = f"{len(right)} options are right"
        return Verdict(record.id, published, None, "ambiguous", reason)
    derived = ascii_uppercase[right[0]]
    return Verdict(
        record.id,
        published,
        derived,
        "" if derived == published else "label",
        "" if derived == published else "Z3 finds another option",
    )
