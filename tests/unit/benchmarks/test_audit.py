"""The label audit finds wrong labels and says why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.collection.collect import Verdict, audit_records, summarise
from divlogic.benchmarks.justlogic.reader import parse_argument
from divlogic.benchmarks.readers.formats import read_benchmark
from divlogic.logic import to_text
from divlogic.records import Record
from tests.unit.benchmarks.readers import samples as s

PONENS = s.JUSTLOGIC["arg"]


def only(benchmark: str, record: Record) -> Verdict:
    (verdict,) = audit_records(benchmark, [record])
    return verdict


@pytest.fixture
def justlogic(tmp_path: Path) -> Any:
    def read(**cells: str) -> Record:
        return next(
            read_benchmark(s.table(tmp_path / "test.csv", {**s.JUSTLOGIC, **cells}), "justlogic")
        )

    return read


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Owls hoot.", "True"),
        ("It is not the case that owls hoot.", "False"),
        ("The claim that owls hoot has no merit.", "False"),
        ("Some people mistakenly believe that owls swim.", "Uncertain"),
        ("We know that either foxes dig dens or pigs fly.", "True"),
        ("If pigs fly, then owls sing.", "Uncertain"),
    ],
)
def test_a_justlogic_label_follows_from_argument_and_wording(
    justlogic: Any, question: str, label: str
) -> None:
    verdict = only("justlogic", justlogic(question=question, label=label))
    assert verdict.agrees, verdict
    wrong = "Uncertain" if label == "True" else "True"
    verdict = only("justlogic", justlogic(question=question, label=wrong))
    assert (verdict.derived, verdict.kind) == (label, "label")
    assert verdict.reason


def test_a_negated_conclusion_is_worded_by_one_denial(justlogic: Any) -> None:
    tollens = "Modus Tonens: \nIf [0], then [1]. \nNot [1]. \nTherefore, Not [0].."
    record = justlogic(
        arg=tollens, question="It is a common misconception that owls hoot.", label="TRUE"
    )
    assert only("justlogic", record).agrees


def test_nested_justlogic_arguments_are_read() -> None:
    steps = parse_argument(
        "Modus Tonens: \nIf (Either [0] or (Not [1].).), then [2]. [SC1-1]\nNot [2]. \n"
        "Therefore, Not (Either [0] or (Not [1].).)..\n\n"
        "[SC1-1]\nHypothetical Syllogism: \nIf (Either [0] or (Not [1].).), then [3]. \nIf [3], then [2]. \n"
        "Therefore, If (Either [0] or (Not [1].).), then [2].."
    )
    assert [step.form for step in steps] == ["Modus Tonens", "Hypothetical Syllogism"]
    assert to_text(steps[0].premises[0]) == "((s0∨¬s1)→s2)"
    assert steps[0].derived == (True, False)
    assert steps[1].conclusion == steps[0].premises[0]


@pytest.mark.parametrize(
    ("argument", "kind"),
    [
        ("Modus Ponens: \nIf [1], then [0]. \n[0] \nTherefore, [1].", "invalid step"),
        ("Modus Ponens: \nIf [1], then [0]. [SC1-1]\n[1] \nTherefore, [0].", "missing step"),
        ("Reductio: \n[1] \nNot [1]. \nTherefore, [0].", "contradictory premises"),
        ("Modus Ponens: \nIf [1] then [0]. \n[1] \nTherefore, [0].", "not parsed"),
        ("no argument", "not parsed"),
    ],
)
def test_a_broken_justlogic_argument_is_named(justlogic: Any, argument: str, kind: str) -> None:
    verdict = only("justlogic", justlogic(arg=argument))
    assert (verdict.derived, verdict.kind) == (None, kind)


LABELS = ("entailment", "contradiction", "neutral", "self_contradiction")


def logicnli(
    benchmark: str, facts: list[list[str]], rules: list[Any], statement: list[str], **more: Any
) -> Record:
    formulas = {"facts": facts, "rules": rules, "statement": statement, "people": [statement[0]]}
    return Record("1", benchmark, "test", "", "It is so.", LABELS, 0, formulas=formulas, **more)


def test_a_logicnli_label_that_only_the_released_reading_gives_is_explained_by_its_rule() -> None:
    premise = {"fact": [["exist", "kind", "+"], ["exist", "tall", "+"]], "conj": "and"}
    rule = {
        "p": premise,
        "q": {"fact": [["Ann", "calm", "+"]], "conj": "none"},
        "type": "imp",
        "class": 8,
    }
    facts = [["Bob", "kind", "+"], ["Bob", "tall", "-"]]
    record = logicnli("logicnli", facts, [rule], ["Ann", "calm", "+"])
    verdict = only("logicnli", record)
    assert (verdict.published, verdict.derived) == ("entailment", "neutral")
    assert verdict.kind == "existential conjunction" and "rule 0 (class 8)" in verdict.reason
    assert only("logicnli", replace(record, answer=1)).kind == "unexplained"


def folio(tmp_path: Path, **fields: Any) -> Record:
    return next(read_benchmark(s.lines(tmp_path / "v.jsonl", {**s.FOLIO_V0, **fields}), "folio"))


@pytest.mark.parametrize(
    ("fields", "derived", "kind"),
    [
        ({}, "True", ""),
        ({"label": "False"}, "True", "label"),
        ({"conclusion-FOL": "Birdd(uma)"}, "Uncertain", "unlinked symbol"),
        ({"conclusion-FOL": "Bird(uma"}, None, "not parsed"),
        ({"conclusion-FOL": "Bird(x)"}, None, "free variable"),
        ({"premises-FOL": ["Owl(uma)", "¬Owl(uma)"]}, None, "contradictory premises"),
    ],
)
def test_a_folio_label_is_derived_or_the_obstacle_named(
    tmp_path: Path, fields: dict[str, Any], derived: str | None, kind: str
) -> None:
    verdict = only("folio", folio(tmp_path, **fields))
    assert (verdict.derived, verdict.kind) == (derived, kind)


def own(question_type: str, answer: int, conclusion: str | None = None) -> Record:
    """Return a record of the premise A→B, and of A where no conclusion is given."""
    several = ("B", "A", "(C→A)", "D") if question_type == "3e1c" else ("B", "C", "¬A", "D")
    options = ("A", "C", "¬A", "D") if conclusion else several
    premises = ["(A→B)"] if conclusion else ["(A→B)", "A"]
    formulas = {"premises": premises, "symbolic_options": list(options), "conclusion": conclusion}
    return Record(
        "1", "divlogiceval", "test", "", "", options, answer, question_type, formulas=formulas
    )


@pytest.mark.parametrize(
    ("record", "right"),
    [(own("3c1e", 0), "A"), (own("3e1c", 3), "D"), (own("missing_premise", 0, "B"), "A")],
)
def test_the_right_option_of_an_own_record_is_found(record: Record, right: str) -> None:
    assert only("divlogiceval", record).agrees
    wrong = only("divlogiceval", replace(record, answer=1))
    assert (wrong.published, wrong.derived, wrong.kind) == ("B", right, "label")


def test_a_summary_counts_and_keeps_the_findings() -> None:
    rows: list[Any] = [("A",), ("B", "label", "x"), (None, "not parsed", "y")]
    verdicts = [Verdict(str(at), "A", *row) for at, row in enumerate(rows, 1)]
    summary, findings = summarise("own", verdicts)
    assert (summary.labels, summary.derived, summary.agreeing, summary.agreement) == (3, 2, 1, 0.5)
    assert summary.kinds == {"label": 1, "not parsed": 1}
    assert [finding.id for finding in findings] == ["2", "3"]


def test_records_without_symbols_or_labels_are_not_audited(tmp_path: Path) -> None:
    record = folio(tmp_path)
    assert (
        list(audit_records("folio", [replace(record, formulas=None), replace(record, answer=None)]))
        == []
    )


def test_a_label_is_compared_by_its_name_also_where_four_labels_have_a_type() -> None:
    fact = ["Ada", "brave", "+"]
    assert only(
        "logicnli_generated", logicnli("logicnli_generated", [fact], [], fact, question_type="main")
    ).agrees
