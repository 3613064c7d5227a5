"""Finished items: what is promised of labels, premises, splits and bytes."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.justlogic.arguments import draw_argument
from divlogic.benchmarks.justlogic.check import problems, read_sentences, write_report
from divlogic.benchmarks.justlogic.draw import Instance, Three, draw, groups
from divlogic.benchmarks.justlogic.matching import counted, sentences
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters, StatementParameters
from divlogic.benchmarks.justlogic.propositions import NOT, Proposition, atoms_of, table, valuations
from divlogic.benchmarks.justlogic.realise import fresh_records, realise, resources
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.logic import to_text
from divlogic.records import Record
from tests.unit.benchmarks.justlogic.conftest import SEED, make


def test_z3_and_the_grammar_confirm_every_item(records: list[Record]) -> None:
    assert len(records) == 140
    assert [problem for record in records for problem in problems(record)] == []


def test_labels_depths_and_splits_are_balanced(records: list[Record]) -> None:
    assert Counter(record.split for record in records) == {"train": 98, "validation": 21, "test": 21}
    assert Counter(record.depth for record in records) == dict.fromkeys(range(1, 8), 20)
    labels = Counter((record.depth, record.split, record.answer) for record in records)
    for depth in range(1, 8):
        for split in ("train", "validation", "test"):
            counts = [labels[depth, split, answer] for answer in range(3)]
            assert max(counts) - min(counts) <= 2


def drawn(parameters: JustLogicParameters, seed: int = 5) -> Iterator[Three]:
    for index in range(groups(parameters, "embedded")):
        yield draw(parameters, seed, index, "embedded")


def test_neither_the_order_of_the_items_nor_their_three_tells_the_label(records: list[Record]) -> None:
    parameters = JustLogicParameters(
        depths=[2], per_depth=300, splits={"train": 1, "validation": 0, "test": 0}
    )
    items = [(one.number, one.label) for three in drawn(parameters) for one in three.instances]
    assert sorted(number for number, _ in items) == list(range(300))
    assert min(Counter((number % 3, label) for number, label in items).values()) >= 15
    threes = Counter(record.metadata["three"] for record in records)
    assert set(threes.values()) <= {1, 2, 3} and threes.total() == 140


def test_no_statement_and_no_sentence_occurs_twice_in_an_item(records: list[Record]) -> None:
    for record in records:
        assert record.sentences is not None
        for key in ("text", "term"):
            found = [entry[key] for entry in record.sentences.values()]
            assert len(set(found)) == len(found)
        split = record.context.split(". ")
        assert len(set(split)) == len(split)


def test_a_statement_is_asked_no_more_often_than_another(table: Path, tmp_path: Path) -> None:
    asked = Counter(
        entry["id"]
        for record in make(table, tmp_path, JustLogicParameters(depths=[1, 2], per_depth=90))
        for name, entry in (record.sentences or {}).items()
        if name in re.findall(r"[A-Z]\d*", (record.formulas or {})["query"])
    )
    assert asked.total() >= 180 and len(asked) > 80 and max(asked.values()) <= 5


def test_the_original_asks_of_uncertain_items_another_statement(table: Path, tmp_path: Path) -> None:
    for record in make(table, tmp_path, JustLogicParameters(uncertain_query="absent", per_depth=9)):
        assert problems(record) == []
        assert record.formulas is not None and record.sentences is not None
        premises = " ".join(record.formulas["premises"])
        names = set(re.findall(r"[A-Z]\d*", record.formulas["query"]))
        assert names.isdisjoint(re.findall(r"[A-Z]\d*", premises)) == (record.answer == 2)


@pytest.mark.parametrize("depth", [1, 3])
def test_queries_have_the_same_shape_and_polarity_whatever_the_label(depth: int) -> None:
    shapes: dict[str, Counter[object]] = {}
    for three in drawn(JustLogicParameters(depths=[depth], per_depth=900)):
        for one in three.instances:
            shape = re.sub(r"\d+", lambda m: str(int(m[0]) & 1), str(one.query))
            shapes.setdefault(one.label, Counter())[shape] += 1
    assert shapes["true"] == shapes["false"] == shapes["uncertain"]
    assert 0.2 < shapes["true"]["1"] / (shapes["true"]["0"] + shapes["true"]["1"]) < 0.4


def test_with_the_originals_polarity_a_false_query_is_negated_more_often(table: Path, tmp_path: Path) -> None:
    parameters = JustLogicParameters(
        depths=[1], per_depth=600, polarity="conclusion", uncertain_query="absent"
    )
    negated = Counter(
        r.answer
        for r in make(table, tmp_path, parameters)
        if r.formulas is not None and r.formulas["query"].startswith("¬")
    )
    assert negated[1] > 1.5 * negated[0]


def test_shards_make_the_same_bytes_and_a_three_needs_none_before_it(table: Path, tmp_path: Path) -> None:
    parameters = JustLogicParameters(per_depth=10)
    make(table, tmp_path / "one", parameters, shards=1)
    make(table, tmp_path / "five", parameters, shards=5)
    make(table, tmp_path / "many", parameters, shards=50)  # more than there are threes
    for split in ("train", "validation", "test"):
        name = f"benchmark/{split}.jsonl"
        one, *others = ((tmp_path / run / name).read_bytes() for run in ("one", "five", "many"))
        assert others == [one, one]
    rows = list(drawn(parameters, SEED))
    assert draw(parameters, SEED, 17, "embedded") == rows[17]
    read = Three.from_json(json.loads(json.dumps(rows[17].to_json())))
    found = resources({"statements": table})
    assert realise(read, found, parameters, SEED) == realise(rows[17], found, parameters, SEED)


def test_premises_may_stay_in_the_order_of_the_argument(table: Path, tmp_path: Path) -> None:
    made = make(table, tmp_path, JustLogicParameters(depths=[1], per_depth=20, shuffle_premises=False))
    assert all(r.formulas["premises"] == r.formulas["argument"][0]["premises"] for r in made if r.formulas)


@pytest.mark.parametrize("uncertain", ["open", "absent"])
def test_distractors_add_premises_that_settle_nothing(table: Path, tmp_path: Path, uncertain: Any) -> None:
    parameters = JustLogicParameters(depths=[1, 3], per_depth=9, distractors=3, uncertain_query=uncertain)
    for record in make(table, tmp_path, parameters):
        assert problems(record) == [] and record.formulas is not None
        argued = {premise for step in record.formulas["argument"] for premise in step["premises"]}
        assert len([premise for premise in record.formulas["premises"] if premise not in argued]) == 3
        bare = dataclasses.replace(record, metadata={})
        assert any("rest on other premises" in problem for problem in problems(bare))


def test_a_wrong_label_formula_or_text_is_found(records: list[Record]) -> None:
    record = next(record for record in records if record.depth == 3 and record.answer == 0)
    assert "make the query true" in " ".join(problems(dataclasses.replace(record, answer=1)))
    other = next(r for r in records if r.depth == 3 and r.id != record.id)
    assert problems(dataclasses.replace(record, context=other.context))
    _first, _, rest = record.context.partition(". ")
    assert any("sentences for" in problem for problem in problems(dataclasses.replace(record, context=rest)))
    assert record.formulas is not None
    extra = record.formulas | {"premises": [*record.formulas["premises"], record.formulas["conclusion"]]}
    found = " ".join(problems(dataclasses.replace(record, formulas=extra)))
    assert "is not needed" in found and "rest on other premises" in found
    assert any("depth 4" in problem for problem in problems(dataclasses.replace(record, depth=4)))


def test_a_report_names_the_items_that_are_not_confirmed(records: list[Record], tmp_path: Path) -> None:
    good = records[0]
    bad = dataclasses.replace(records[1], answer=((records[1].answer or 0) + 1) % 3)
    write_jsonl(tmp_path / "good.jsonl", [good.to_json()])
    assert write_report(tmp_path / "good.jsonl", tmp_path / "report.json")["instances"] == 1
    write_jsonl(tmp_path / "bad.jsonl", [bad.to_json()])
    with pytest.raises(DivLogicError, match=bad.id):
        write_report(tmp_path / "bad.jsonl", tmp_path / "report.json")


def test_a_sentence_reads_back_where_one_clause_is_part_of_another() -> None:
    clauses = {
        "A": {"text": "otters swim", "negated": "otters don't swim"},
        "B": {"text": "sea otters swim at night", "negated": None},
    }
    said = read_sentences("If otters don't swim, then sea otters swim at night. Otters swim.", clauses)
    assert [to_text(formula) for formula in said] == ["(¬A→B)", "A"]


def test_the_steps_run_from_the_command_line(table: Path, tmp_path: Path) -> None:
    params = json.dumps({"seed": 3})

    def run(step: str, *arguments: object) -> None:
        CliRunner().invoke(cli, [step, "justlogic", *map(str, arguments)], catch_exceptions=False)

    symbolic, worded = tmp_path / "s.jsonl", tmp_path / "w.jsonl"
    given = ("--params", params)
    run("draw", "--shard", 0, "--shards", 50, *given, "--out", symbolic)
    counts = ("--counts", tmp_path / "counts.json")
    run("realise", f"statements={table}", "--in", symbolic, "--shard", 0, *given, *counts, "--out", worded)
    run("assemble", worded, "--split", "train", "--out", tmp_path / "train.jsonl")
    report = tmp_path / "report.json"
    run("verify", "--in", tmp_path / "train.jsonl", "--out", report)
    assert json.loads(report.read_text())["disagreements"] == 0


def countable(one: Instance) -> tuple[object, ...]:
    """Return what can be counted of an instance without inference."""
    asked = atoms_of(one.query)
    total = [sum(column) for column in zip(*(counted(premise)[:3] for premise in one.premises), strict=True)]
    holders = sorted(
        tuple(counted(premise, atom) for atom in asked)
        for premise in one.premises
        if not set(asked).isdisjoint(atoms_of(premise))
    )
    alone = sorted(premise & 1 for premise in one.premises if type(premise) is int)
    forms = sorted(form for form, *_ in one.steps)
    lengths = sorted(len(atoms_of(premise)) for premise in one.premises)
    return (one.atoms, *total, lengths, alone, holders, forms, sum(map(denials, one.premises)))


def denials(p: Proposition) -> int:
    """Count the negations that stand before a compound."""
    return 0 if type(p) is int else (p[0] == NOT) + sum(map(denials, p[1:]))


@pytest.mark.parametrize("distractors", [0, 2])
def test_what_can_be_counted_is_equal_within_every_three(distractors: int) -> None:
    parameters = JustLogicParameters(per_depth=60, distractors=distractors)
    whole = [three for three in drawn(parameters) if len(three.instances) == 3]
    assert len(whole) == 7 * 20
    for three in whole:
        assert {one.label for one in three.instances} == {"true", "false", "uncertain"}
        first, *others = map(countable, three.instances)
        assert [other[:-1] for other in others] == [first[:-1]] * 2, three


def test_of_two_mentions_no_single_feature_goes_with_a_label() -> None:
    """How often what is asked stands before an arrow, and how often it is negated, has one distribution."""
    before: dict[str, Counter[int]] = {}
    for depth in (1, 2, 4):
        for three in drawn(JustLogicParameters(depths=[depth], per_depth=600)):
            for one in three.instances:
                holders = (
                    [p for p in one.premises if type(p) is not int and one.query >> 1 in atoms_of(p)]
                    if (type(one.query) is int)
                    else []
                )
                if [len(atoms_of(holder)) for holder in holders] == [2, 2]:
                    sides = sum(holder[1] >> 1 == one.query >> 1 for holder in holders)
                    before.setdefault(one.label, Counter())[sides] += 1
    shares = [[counts[side] / counts.total() for side in range(3)] for counts in before.values()]
    for share in zip(*shares, strict=True):
        assert max(share) - min(share) < 0.1, before


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3]))
def test_sentences_for_a_premise_say_the_same(seed: int, depth: int) -> None:
    argument = draw_argument(0, depth, 1, Draws(seed), JustLogicParameters())
    masks, full = valuations(argument.atoms)
    for premise in argument.premises:
        found = sentences(premise)
        assert {table(one, masks, full) for one in found} == {table(premise, masks, full)}
        assert len(set(found)) == len(found)


def test_an_uncertain_query_that_is_open_occurs_in_the_premises(records: list[Record]) -> None:
    for record in records:
        assert record.formulas is not None
        names = set(re.findall(r"[A-Z]\d*", record.formulas["query"]))
        assert names <= set(re.findall(r"[A-Z]\d*", " ".join(record.formulas["premises"])))


OTHER: dict[str, Any] = {
    "depths": [1, 2],
    "per_depth": 12,
    "splits": {"train": 0.5, "validation": 0.25, "test": 0.25},
    "shape_weights": {"statement": 0.1, "conditional": 0.1, "disjunction": 0.8},
    "negation_probability": 0.9,
    "polarity": "conclusion",
    "uncertain_query": "absent",
    "forms": {"modus_ponens": 5.0, "hypothetical_syllogism": 1.0, "reductio_ad_absurdum": 1.0},
    "max_nesting": 4,
    "distractors": 1,
    "shuffle_premises": False,
    "verb_negation": 0.0,
    "statements": StatementParameters(max_overlap=0.26),
}
ELSEWHERE = {"fresh", "shards"}
"""What is made for the probes, and how many workers there are."""


@pytest.mark.parametrize("uncertain", ["open", "absent"])
@pytest.mark.parametrize("name", [name for name in JustLogicParameters.model_fields if name not in ELSEWHERE])
def test_every_parameter_changes_the_items_or_is_refused(table: Path, name: str, uncertain: Any) -> None:
    given = JustLogicParameters(depths=[1, 3], per_depth=18, uncertain_query=uncertain)
    value = (uncertain == "absent" and name == "uncertain_query" and "open") or OTHER[name]
    found = resources({"statements": table})

    def made(parameters: JustLogicParameters) -> list[Record]:
        return [
            dataclasses.replace(record, metadata={})
            for three in drawn(parameters)
            for record in realise(three, found, parameters, 5)
        ]

    if (name, uncertain) == ("polarity", "open"):
        with pytest.raises(ValueError, match="uncertain_query: absent only"):
            JustLogicParameters(polarity=value)
        return
    assert made(given) != made(JustLogicParameters.model_validate(given.model_dump() | {name: value}))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"depths": [1, 30]}, "depths reach to 12; 30 is more"),
        ({"forms": {"modus_ponens": 1.0}}, "give reductio_ad_absurdum or disjunction_elimination a weight"),
        (
            {"forms": {"reductio_ad_absurdum": 1.0}},
            "give hypothetical_syllogism or constructive_dilemma a weight",
        ),
        ({"forms": {"constructive_dilemma": 1.0}, "uncertain_query": "absent"}, "give modus_ponens one"),
    ],
)
def test_what_cannot_be_drawn_is_refused_when_parameters_are_read(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        JustLogicParameters(**values)


@pytest.mark.parametrize(
    "forms",
    [("reductio_ad_absurdum", "hypothetical_syllogism"), ("disjunction_elimination", "constructive_dilemma")],
)
def test_the_fewest_forms_that_are_accepted_can_be_drawn(forms: tuple[str, ...]) -> None:
    parameters = JustLogicParameters(depths=[1, 2, 7, 12], per_depth=3, forms=dict.fromkeys(forms, 1.0))  # type: ignore[arg-type]
    found = [form for three in drawn(parameters) for one in three.instances for form, *_ in one.steps]
    assert set(found) == set(forms)


def test_fresh_instances_are_others_than_the_runs_and_always_open(table: Path, records: list[Record]) -> None:
    given = JustLogicParameters(depths=[1, 3], uncertain_query="absent", polarity="conclusion")
    found = list(fresh_records(table, given, SEED + 1, 18))
    assert Counter(record.depth for record in found) == {1: 18, 3: 18}
    assert Counter(record.answer for record in found if record.depth == 3) == {0: 6, 1: 6, 2: 6}
    assert {record.metadata["preset"] for record in found} == {"balanced"}
    assert {record.metadata["uncertain_query"] for record in found} == {"open"}
    assert [problem for record in found for problem in problems(record)] == []
    assert not {record.context for record in found} & {record.context for record in records}
