"""Finished items: what is promised of labels, premises, splits and bytes."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.justlogic import symbolic
from divlogic.benchmarks.justlogic.arguments import draw_argument
from divlogic.benchmarks.justlogic.fresh import fresh_records
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Proposition, table, valuations
from divlogic.benchmarks.justlogic.rewording import open_atoms, reworded
from divlogic.benchmarks.justlogic.symbolic import draw_instance, label_of, place_of, shard_instances
from divlogic.benchmarks.justlogic.table import open_statements, overlap
from divlogic.benchmarks.justlogic.threes import countable, draw_threes
from divlogic.benchmarks.justlogic.verify import disagreements, read_sentences, write_report
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.logic import to_text
from divlogic.records import Record
from tests.unit.benchmarks.justlogic.conftest import SEED, make, statement


def test_z3_and_the_grammar_confirm_every_item(records: list[Record]) -> None:
    assert len(records) == 140
    assert [problem for record in records for problem in disagreements(record)] == []


def test_labels_depths_and_splits_are_balanced(records: list[Record]) -> None:
    assert Counter(record.split for record in records) == {"train": 98, "validation": 21, "test": 21}
    assert Counter(record.depth for record in records) == dict.fromkeys(range(1, 8), 20)
    labels = Counter((record.depth, record.split, record.answer) for record in records)
    for depth in range(1, 8):
        for split in ("train", "validation", "test"):
            counts = [labels[depth, split, answer] for answer in range(3)]
            assert max(counts) - min(counts) <= 1


def test_the_order_of_the_items_does_not_tell_the_label() -> None:
    parameters = JustLogicParameters(per_depth=300)
    by_turn = Counter(
        (number % 3, label_of(place_of(number * 7, parameters, 300), 210, 1)) for number in range(210)
    )
    assert all(10 <= count <= 37 for count in by_turn.values())


def test_no_statement_and_no_sentence_occurs_twice_in_an_item(records: list[Record]) -> None:
    for record in records:
        assert record.sentences is not None
        texts = [entry["text"] for entry in record.sentences.values()]
        assert len(set(texts)) == len(texts)
        sentences = record.context.split(". ")
        assert len(set(sentences)) == len(sentences)


def test_the_original_asks_of_uncertain_items_another_statement_on_the_conclusions_terms(
    table: Path, tmp_path: Path
) -> None:
    drawn = make(table, tmp_path, JustLogicParameters(uncertain_query="absent", per_depth=9))
    for record in drawn:
        assert record.formulas is not None and record.sentences is not None
        terms = {name: record.sentences[name]["term"] for name in record.sentences}
        asked = {terms[name] for name in record.sentences if name in record.formulas["query"]}
        concluded = {terms[name] for name in record.sentences if name in record.formulas["conclusion"]}
        assert asked == concluded
        shared = [
            n
            for n in record.sentences
            if n in record.formulas["query"] and n in record.formulas["conclusion"]
        ]
        assert (not shared) == (record.answer == 2)


def test_every_query_has_a_statement_on_its_term_in_the_premises_that_is_not_asked(
    records: list[Record],
) -> None:
    for record in records:
        assert record.formulas is not None and record.sentences is not None
        asked = {name for name in record.sentences if name in record.formulas["query"]}
        terms = {record.sentences[name]["term"] for name in asked}
        others = {record.sentences[name]["term"] for name in record.sentences if name not in asked}
        assert terms <= others


@pytest.mark.parametrize(("depth", "share"), [(1, 0.5), (2, 0.3)])
def test_queries_have_the_same_polarity_whatever_the_label(
    table: Path, tmp_path: Path, depth: int, share: float
) -> None:
    drawn = make(table, tmp_path, JustLogicParameters(depths=[depth], per_depth=900))
    negated = Counter(
        r.answer for r in drawn if r.formulas is not None and r.formulas["query"].startswith("¬")
    )
    assert all(abs(negated[answer] / 300 - share) < 0.09 for answer in range(3))


def test_with_the_originals_polarity_a_false_query_is_negated_more_often(table: Path, tmp_path: Path) -> None:
    parameters = JustLogicParameters(
        depths=[1], per_depth=900, polarity="conclusion", uncertain_query="absent"
    )
    drawn = make(table, tmp_path, parameters)
    negated = Counter(
        r.answer for r in drawn if r.formulas is not None and r.formulas["query"].startswith("¬")
    )
    assert negated[1] > 1.5 * negated[0]


def test_shards_make_the_same_bytes(table: Path, tmp_path: Path) -> None:
    parameters = JustLogicParameters(per_depth=10)
    make(table, tmp_path / "one", parameters, shards=1)
    make(table, tmp_path / "five", parameters, shards=5)
    make(table, tmp_path / "many", parameters, shards=9)  # more than there are pools: two are empty
    for split in ("train", "validation", "test"):
        name = f"benchmark/{split}.jsonl"
        one, *others = ((tmp_path / run / name).read_bytes() for run in ("one", "five", "many"))
        assert others == [one, one]


def test_each_pool_is_drawn_by_one_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = Counter()

    def counted(entropy: tuple[int, ...], depth: int, *rest: Any) -> list[Any]:
        pools[depth, entropy[-1]] += 1
        return draw_threes(entropy, depth, *rest)

    monkeypatch.setattr(symbolic, "draw_threes", counted)
    parameters = JustLogicParameters(depths=[3, 1])
    drawn = []
    for shard in range(3):
        symbolic._draw_pool.cache_clear()  # each shard is a process
        drawn += [index for index, _ in shard_instances(11, shard, 3, parameters, 200)]
    assert sorted(drawn) == list(range(400))
    assert pools == dict.fromkeys([(1, 0), (1, 1), (3, 0), (3, 1)], 1)


def test_premises_may_stay_in_the_order_of_the_argument(table: Path, tmp_path: Path) -> None:
    drawn = make(table, tmp_path, JustLogicParameters(depths=[1], per_depth=20, shuffle_premises=False))
    assert all(r.formulas["premises"] == r.formulas["argument"][0]["premises"] for r in drawn if r.formulas)


def test_a_wrong_label_formula_or_text_is_found(records: list[Record]) -> None:
    record = next(record for record in records if record.depth == 3 and record.answer == 0)
    assert "make the query true" in " ".join(disagreements(dataclasses.replace(record, answer=1)))
    other = next(r for r in records if r.depth == 3 and r.id != record.id)
    assert disagreements(dataclasses.replace(record, context=other.context))
    _first, _, rest = record.context.partition(". ")
    assert any(
        "sentences for" in problem for problem in disagreements(dataclasses.replace(record, context=rest))
    )
    assert record.formulas is not None
    extra = record.formulas | {"premises": [*record.formulas["premises"], record.formulas["conclusion"]]}
    found = " ".join(disagreements(dataclasses.replace(record, formulas=extra)))
    assert "is not needed" in found and "rest on other premises" in found
    assert any("depth 4" in problem for problem in disagreements(dataclasses.replace(record, depth=4)))


def test_a_report_names_the_items_that_are_not_confirmed(records: list[Record], tmp_path: Path) -> None:
    good, bad = (
        records[0],
        dataclasses.replace(records[1], answer=(records[1].answer or 0) - 1 if records[1].answer else 1),
    )
    write_jsonl(tmp_path / "good.jsonl", [good.to_json()])
    assert write_report(tmp_path / "good.jsonl", tmp_path / "report.json")["instances"] == 1
    write_jsonl(tmp_path / "bad.jsonl", [bad.to_json()])
    with pytest.raises(DivLogicError, match=bad.id):
        write_report(tmp_path / "bad.jsonl", tmp_path / "report.json")


def test_a_sentence_reads_back_where_one_clause_is_part_of_another() -> None:
    sentences = {
        "A": {"text": "otters swim", "negated": "otters don't swim"},
        "B": {"text": "sea otters swim at night", "negated": None},
    }
    said = read_sentences("If otters don't swim, then sea otters swim at night. Otters swim.", sentences)
    assert [to_text(formula) for formula in said] == ["(¬A→B)", "A"]


def test_terms_without_two_different_statements_are_told(tmp_path: Path) -> None:
    rows = [statement(4 * number) | {"group": [number, 1]} for number in range(20)]
    write_jsonl(tmp_path / "single.jsonl", rows)
    with pytest.raises(DivLogicError, match="no term with two different statements"):
        make(tmp_path / "single.jsonl", tmp_path, JustLogicParameters(depths=[1], per_depth=3))


def test_terms_with_one_statement_come_last_and_rows_know_their_group(table: Path) -> None:
    with open_statements(table) as statements:
        assert len(statements) == 101
        groups = {}
        for number in range(len(statements)):
            row = statements.row(number)
            assert row.first <= number < row.first + row.siblings
            assert groups.setdefault(row.term, row.first) == row.first
        assert statements.row(100).siblings == 1
        first, second = statements.row(0), statements.row(1)
        assert overlap(first, second) == 0.0
        assert overlap(first, first._replace(text="most " + first.text)) == 1.0


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


def test_nothing_that_can_be_counted_goes_with_a_label() -> None:
    parameters = JustLogicParameters(per_depth=60)
    counted: dict[int, dict[str, Counter[object]]] = {}
    for index in range(60 * 7):
        item = draw_instance(5, index, parameters, 60)
        own = counted.setdefault(item.place.depth, {}).setdefault(item.label, Counter())
        own[countable(item.query, item.premises, item.place.depth)] += 1
    for depth, labels in counted.items():
        # Threes are whole in the 42 items of the training split and the 9 of each other one.
        assert labels["true"] == labels["false"] == labels["uncertain"], depth


def sides(premise: Proposition, atom: int, favours: bool = True) -> set[bool]:
    """Return whether a premise speaks for an atom, against it, or both: which signs it has as a set of clauses."""
    if type(premise) is int:
        return {favours != bool(premise & 1)} if premise >> 1 == atom else set()
    if premise[0] == NOT:
        return sides(premise[1], atom, not favours)
    first = sides(premise[1], atom, favours != (premise[0] == IF))
    return first | sides(premise[2], atom, favours)


def test_the_side_on_which_a_statement_stands_does_not_show_that_it_is_uncertain() -> None:
    parameters = JustLogicParameters(per_depth=60)
    on_one_side: Counter[tuple[str, bool]] = Counter()
    for index in range(60 * 7):
        item = draw_instance(5, index, parameters, 60)
        if item.place.depth == 1 or type(item.query) is not int:
            continue
        found = {side for premise in item.premises for side in sides(premise, item.query >> 1)}
        assert len(found) == 1, item.premises
        on_one_side[item.label, found.pop() != bool(item.query & 1)] += 1
    # What stands on the side of the query is true or uncertain, never false: the bound of reading without inference.
    assert not on_one_side["false", True] and not on_one_side["true", False]
    assert min(on_one_side["uncertain", True], on_one_side["uncertain", False]) > 30


def test_a_conclusion_that_leaves_the_query_open_speaks_of_it() -> None:
    parameters = JustLogicParameters(depths=[4], per_depth=60)
    items = [draw_instance(5, index, parameters, 60) for index in range(60)]
    assert {item.conclusion[0] for item in items if item.label == "uncertain"} == {IF, OR}


def test_of_one_step_every_label_is_asked_of_the_same_forms() -> None:
    parameters = JustLogicParameters(depths=[1], per_depth=300)
    items = [draw_instance(5, index, parameters, 300) for index in range(300)]
    forms = Counter((item.label, item.steps[0][0]) for item in items)
    names = {form for _, form in forms}
    assert names == {"disjunction_elimination", "reductio_ad_absurdum"}
    for form in names:
        assert forms["true", form] == forms["false", form] == forms["uncertain", form] > 10


def test_of_one_step_no_single_feature_of_the_two_sentences_that_hold_the_query_goes_with_a_label() -> None:
    """Count conditionals, denials and places before an arrow: each tells nothing, both of the last the sides."""
    parameters = JustLogicParameters(depths=[1], per_depth=900)
    places: dict[str, Counter[object]] = {}
    for index in range(900):
        item = draw_instance(5, index, parameters, 900)
        atom = item.query >> 1
        holders = [premise for premise in item.premises if atom in [part >> 1 for part in direct(premise)]]
        assert len(holders) == 2, item
        if any(len(direct(premise)) < 2 for premise in item.premises):
            continue  # a part that is no plain statement shifts what is denied from one part to another
        assert all(premise[0] == IF for premise in holders), item
        before = sum(type(premise[1]) is int and premise[1] >> 1 == atom for premise in holders)
        places.setdefault(item.label, Counter())[before] += 1
    shares = {
        label: [counts[before] / counts.total() for before in range(3)] for label, counts in places.items()
    }
    for label in ("true", "false"):
        for share, other in zip(shares[label], shares["uncertain"], strict=True):
            assert abs(share - other) < 0.13, shares


def direct(premise: Proposition) -> list[int]:
    """Return the parts of a premise that are plain statements."""
    return [] if type(premise) is int else [part for part in premise[1:] if type(part) is int]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3]))
def test_a_reworded_argument_says_the_same_and_its_steps_still_rest_on_its_premises(
    seed: int, depth: int
) -> None:
    draws = Draws(seed)
    argument = draw_argument(0, depth, 1, draws, JustLogicParameters())
    found = reworded(argument, draws)
    masks, full = valuations(argument.atoms)
    for before, after in zip(argument.premises, found.premises, strict=True):
        assert table(before, masks, full) == table(after, masks, full)
    leaves: list[Proposition] = [0]
    for step in found.steps:
        place = leaves.index(step.conclusion)
        leaves[place : place + 1] = step.premises
    assert tuple(leaves) == found.premises


def test_a_statement_inside_a_larger_part_is_not_asked_for_after_one_step() -> None:
    assert open_atoms([(IF, 0, 2), (OR, 3, (IF, 5, 6))], 0) == [1]
    assert open_atoms([(IF, 0, 2), (OR, 4, 3), 4], 0) == [1]


def test_an_uncertain_query_that_is_open_occurs_in_the_premises(records: list[Record]) -> None:
    for record in records:
        assert record.formulas is not None
        names = set(re.findall(r"[A-Z]\d*", record.formulas["query"]))
        assert names <= set(re.findall(r"[A-Z]\d*", " ".join(record.formulas["premises"])))


def test_the_originals_polarity_goes_with_the_originals_queries_only() -> None:
    with pytest.raises(ValueError, match="uncertain_query: absent only"):
        JustLogicParameters(polarity="conclusion")


def test_fresh_instances_are_others_than_the_runs_and_always_open(table: Path, records: list[Record]) -> None:
    settings = JustLogicParameters(depths=[1, 3], uncertain_query="absent", polarity="conclusion")
    found = list(fresh_records(table, settings, SEED + 1, 18))
    assert Counter(record.depth for record in found) == {1: 18, 3: 18}
    assert Counter(record.answer for record in found if record.depth == 3) == {0: 6, 1: 6, 2: 6}
    assert {record.metadata["preset"] for record in found} == {"balanced"}
    assert {record.metadata["uncertain_query"] for record in found} == {"open"}
    assert [problem for record in found for problem in disagreements(record)] == []
    assert not {record.context for record in found} & {record.context for record in records}
