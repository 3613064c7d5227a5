"""The adversary finds planted leaks of every strength and kind, and nothing where the answer depends on nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from divlogic.io.files import write_jsonl
from divlogic.io.tables import read_table
from divlogic.prior_knowledge.parameters import AdversaryParameters, PriorKnowledgeRun
from divlogic.prior_knowledge.shortcuts import automatic
from divlogic.prior_knowledge.shortcuts.adversary import Verdict, attack, verdicts
from divlogic.prior_knowledge.shortcuts.adversary_table import sentence, write_adversary
from divlogic.prior_knowledge.shortcuts.theories import Theory, clauses_of, theory_of
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")
ATOMS = "ABCDEFGH"
FAST = AdversaryParameters(rounds=1, repeats=1, instances=600)
DEEP = 20
"""More sentences than any view joins: nothing here follows, and each answer is dealt out."""


def implication(rng: random.Random, names: str = ATOMS) -> str:
    """Return a conditional between two statements, each denied or not."""
    one, two = rng.sample(names, 2)
    return f"({rng.choice(['', '¬'])}{one}→{rng.choice(['', '¬'])}{two})"


def member(rng: random.Random, answer: int, leak: str, strength: float) -> list[str]:
    """Return the premises of an instance that ask for nothing; a leak shows in a share of those of one answer."""
    premises = [implication(rng) for _ in range(4)]
    marked = answer == 0 and rng.random() < strength
    fact = rng.choice("BCD")
    if leak == "amount":
        # As many sentences: the one chain goes on from the fact, the other does not.
        premises += [f"({fact}→I)", "(I→J)"] if marked else ["(I→J)", "(J→I)"]
    if leak == "connection":
        premises += [f"(A∨{fact})", "(K→L)"] if marked else [f"(A∨{rng.choice('KL')})", "(K→L)"]
    if leak == "sign":
        premises += [f"({fact}→{'A' if marked else '¬A'})"]
    return [*premises, fact]


def instances(
    seed: int, *, leak: str = "", strength: float = 0.0, threes: int = 80
) -> Iterator[Record]:
    """Yield threes, one instance of each label, whose passages are drawn without regard to it but for the leak."""
    rng = random.Random(f"{leak} {seed}")
    for three in range(threes):
        for answer in range(3):
            premises = member(rng, answer, leak, strength)
            yield Record(
                f"{three}-{answer}", "made", "test", "", "A", LABELS, answer, depth=DEEP,
                formulas={"premises": premises, "query": "A"}, metadata={"three": three},
            )  # fmt: skip


def highest(records: Iterator[Record], parameters: AdversaryParameters = FAST) -> Verdict:
    (found,) = verdicts(list(attack(list(records), parameters, seed=1)))
    return found


@pytest.mark.parametrize("strength", [0.7, 0.85, 1.0])
@pytest.mark.parametrize("leak", ["amount", "connection", "sign"])
def test_a_planted_leak_is_found_at_every_strength(leak: str, strength: float) -> None:
    verdict = highest(instances(1, leak=leak, strength=strength, threes=200))
    assert verdict.found, verdict
    # Who knows the mark answers one in three certainly in that share, and guesses among the rest.
    assert verdict.highest.accuracy < 1 / 3 + strength / 3 + verdict.alarm


def test_in_twenty_clean_sets_nothing_is_found() -> None:
    found = [verdict for seed in range(20) if (verdict := highest(instances(seed))).found]
    assert not found


def test_members_that_look_alike_leave_every_learner_guessing() -> None:
    alike = [
        Record(
            f"{three}-{answer}", "made", "test", "", "A", LABELS, answer, depth=DEEP,
            formulas={"premises": ["(A→B)", "(B→C)", "C"], "query": "A"}, metadata={"three": three},
        )
        for three in range(30)
        for answer in range(3)
    ]  # fmt: skip
    for finding in attack(alike, AdversaryParameters(), seed=1):
        assert finding.repeats == 0
        assert finding.accuracy == finding.low == finding.high == pytest.approx(1 / 3)


def test_clauses_are_those_of_the_truth_table() -> None:
    def clauses(*texts: str) -> set[frozenset[tuple[str, bool]]]:
        return {
            frozenset((part.strip("¬"), part.startswith("¬")) for part in text.split())
            for text in texts
        }

    assert set(clauses_of("(A→B)") or ()) == clauses("¬A B")
    assert set(clauses_of("((A∨B)→C)") or ()) == clauses("¬A C", "¬B C")
    assert set(clauses_of("(¬(A∧B)→¬C)") or ()) == clauses("A ¬C", "B ¬C")
    assert set(clauses_of("¬(A→B)") or ()) == clauses("A", "¬B")
    assert clauses_of("(A∨¬A)") == ()
    assert clauses_of("all that glitters") is None


def test_rounds_go_forward_from_facts_and_backward_from_a_statement() -> None:
    record = Record(
        "0", "made", "test", "", "D", LABELS, 0,
        formulas={"premises": ["A", "(A→B)", "(¬C→¬B)", "(C→D)"], "query": "D"},
    )  # fmt: skip
    theory = theory_of(record)
    assert theory is not None
    d, a, b, c = 0, 2, 4, 6  # what is asked is numbered first
    assert automatic.forward(theory, theory.facts, 3) == {a: 0, b: 1, c: 2, d: 3}
    assert automatic.backward(theory, d, 2) == {d: 0, c: 1, b: 2}


def test_rules_of_logicnli_run_one_way() -> None:
    rule = {
        "p": {"fact": [["all", "calm", "+"]], "conj": "none"},
        "q": {"fact": [["all", "kind", "+"]], "conj": "none"},
        "type": "imp",
    }
    formulas = {
        "facts": [["Eve", "kind", "-"]],
        "rules": [rule],
        "statement": ["Eve", "calm", "-"],
        "people": ["Eve"],
    }
    options = ("entailment", "contradiction", "neutral", "self_contradiction")
    theory = theory_of(Record("0", "made", "test", "", "", options, 2, formulas=formulas))
    assert theory is not None
    assert automatic.forward(theory, theory.facts, 3) == {theory.facts[0]: 0}


def test_the_connection_sees_neither_signs_nor_arrows() -> None:
    one = Theory(facts=(4,), rules=(), sentences=(((), (0, 2)), ((), (2, 5))), options=((0,),))
    two = Theory(facts=(5,), rules=(), sentences=(((1,), (3,)), ((4,), (2,))), options=((1,),))
    assert automatic.connection(one, 0, 0) == automatic.connection(two, 0, 0)


def test_the_table_names_the_highest_view_of_each_sample(tmp_path: Path) -> None:
    records = list(instances(1, leak="connection", strength=1.0))
    write_jsonl(tmp_path / "made.jsonl", (record.to_json() for record in records))
    params = PriorKnowledgeRun.model_validate(
        {"seed": 1, "prior_knowledge": {"adversary": FAST.model_dump()}}
    )
    write_adversary((tmp_path / "made.jsonl",), out=tmp_path / "adversary", params=params)
    rows = read_table(tmp_path / "adversary")
    (marked,) = [row for row in rows if row["highest"]]
    assert marked["view"] != "blind", "without the statement nothing tells"
    assert marked["found"] and marked["views"] == 3
    assert json.loads((tmp_path / "adversary.json").read_text(encoding="utf-8"))
    assert f"'{marked['view']}' with {marked['rounds']} rounds" in sentence(highest(iter(records)))
