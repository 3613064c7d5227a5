"""Folders of published layout: items, rubrics, Hard; and what is wrong with them, said by file and item."""

import copy
import json
import re

import pytest

from divlogic.benchmarks.llmeval_logic.formal import formalization_of, published_answer
from divlogic.benchmarks.llmeval_logic.notation import print_formula
from divlogic.benchmarks.llmeval_logic.published import read_published_items
from divlogic.benchmarks.llmeval_logic.reader import PublishedBaseItem
from divlogic.benchmarks.llmeval_logic.schema import (
    EVALUATION_ONLY,
    item_row,
    read_item,
    require_releasable,
)
from divlogic.benchmarks.llmeval_logic.sensitivity import measure_sensitivity
from divlogic.benchmarks.llmeval_logic.verify import audit_rubrics, verify
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.logic.syntax import Atom
from divlogic.logic.theory import Query
from tests.support import cases
from tests.unit.benchmarks.llmeval_logic.samples import HARD, KEYS, LAMP, RUBRICS, STAMPS, folder

QUERY_ATOM = RUBRICS[3][2]


def changed(item, **formal):
    """Return an item with other fields of its formalization."""
    new = copy.deepcopy(item)
    new["formalization"] |= formal
    return new


def test_a_folder_of_published_layout_is_read_and_marked_for_evaluation_only(tmp_path):
    found = read_published_items(folder(tmp_path))
    assert not found.problems
    assert [item.id for item in found.items] == ["3", "4", "5"]
    assert found.items[1].answers == ((("A",), ("B",)),)
    assert found.items[2].answers == ((("a",),),)
    assert "{0}认识{1}" in [symbol.gloss.zh for symbol in found.items[2].formalization.symbols]
    assert {item.formalization.licence for item in found.items} == {EVALUATION_ONLY}
    assert found.hard[0].answers == ("红的", "2")
    assert [len(item.rubric.atoms) for item in found.items] == [3, 4, 3]
    with pytest.raises(DivLogicError, match="item 3: derives from published items"):
        require_releasable(found.items)


def test_every_gold_answer_is_verified_twice(tmp_path):
    counts = verify(folder(tmp_path / "in"), tmp_path / "v.csv")
    assert (counts["queries"], counts["agree"], counts["decided_twice"]) == (4, 4, 4)
    assert (tmp_path / "v.csv").read_text().count("\n") == 5
    assert json.loads((tmp_path / "v.json").read_text()) == counts


def test_a_wrong_gold_answer_is_named_and_the_table_still_written(tmp_path):
    items = [changed(LAMP, answer=["possible", "necessary"])]
    source = folder(tmp_path / "in", items, {3: RUBRICS[3]})
    sentence = r'base\.json, item 3, Q1: the gold answer is "possible" and the premises'
    with pytest.raises(DivLogicError, match=sentence):
        verify(source, tmp_path / "v.csv")
    assert "impossible" in (tmp_path / "v.csv").read_text()


def test_an_item_is_the_same_after_writing_and_reading(tmp_path):
    for item in read_published_items(folder(tmp_path)).items:
        again = read_item(json.loads(json.dumps(item_row(item))))
        assert (again.formalization, again.answers) == (item.formalization, item.answers)


@pytest.mark.parametrize(("formal", "message"), cases(__file__, "unusable"))
def test_an_item_that_cannot_be_used_is_named_with_its_file_and_the_rest_read(
    tmp_path, formal, message
):
    source = folder(tmp_path, [changed(LAMP, **formal), KEYS], {4: RUBRICS[4]})
    found = read_published_items(source)
    assert [item.id for item in found.items] == ["4"]
    (problem,) = found.problems
    assert problem.startswith(f"{source / 'base/llmeval_logic_base.json'}, item 3: ")
    assert re.search(message, problem)


def without_id(row):
    return {name: value for name, value in row.items() if name != "id"}


def odd_check(**check):
    return [RUBRICS[3][0] | {"z3_check": check}, QUERY_ATOM]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"items": [LAMP, LAMP]}, "item 3: its id is duplicated"),
        ({"items": [without_id(LAMP)]}, "row 1: has no id; add it"),
        ({"items": ["text"]}, "row 1: is not an object"),
        ({"rubrics": {7: RUBRICS[4]}}, "rubric 7: has no item in"),
        (
            {"rubrics": {3: [*RUBRICS[3], QUERY_ATOM | {"id": "QA2"}]}},
            r"003\.json: has 2 \(QA1, QA2\)",
        ),
        ({"rubrics": {3: RUBRICS[3][:2]}}, r"003\.json: has none query_alignment atoms"),
        ({"rubrics": {3: [QUERY_ATOM, QUERY_ATOM]}}, r"003\.json: two atoms have the id QA1"),
        ({"rubrics": {3: [QUERY_ATOM | {"group": "style"}]}}, "atom QA1: group: input should be"),
        (
            {"rubrics": {3: odd_check(mode="guess")}},
            "LR1: z3_check.mode: input should be 'entails', 'equiv'",
        ),
        (
            {"rubrics": {3: odd_check(mode="entails", atoms=3)}},
            "atoms: input should be a valid tuple",
        ),
        ({"hard": [HARD[0], HARD[0]]}, "hard.json, item 8: its id is duplicated"),
        ({"hard": [without_id(HARD[0])]}, "hard.json, row 1: has no field 'id'; add it"),
        (
            {"hard": [HARD[0] | {"question": ["哪一把？", 2]}]},
            "item 8: the field 'question' is not a list of",
        ),
        (
            {"hard": [HARD[0] | {"answer": ["红的", "2", "3"]}]},
            "item 8: has 2 questions but 3 answers",
        ),
        (
            {"hard": [HARD[0] | {"answer": ["红的", {"qid": 2}]}]},
            "item 8: answer 2 is neither a text nor an obj",
        ),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_by_file_and_item(tmp_path, parts, message):
    assert re.search(message, "; ".join(read_published_items(folder(tmp_path, **parts)).problems))


def test_an_item_without_rubric_is_noted(tmp_path):
    notes = read_published_items(folder(tmp_path, rubrics={})).notes
    assert any("item 3: has no rubric" in note for note in notes)


@pytest.mark.parametrize("measure", [verify, audit_rubrics, measure_sensitivity])
def test_published_data_without_their_licence_are_refused(tmp_path, measure):
    source = folder(tmp_path / "a" / "b", licence=False)
    sentence = r"base\.json: there is no LICENSE with the published data.* put the"
    with pytest.raises(DivLogicError, match=sentence):
        measure(source, tmp_path / "out.csv")
    # In a checkout of the authors' repository the licence lies one folder higher.
    (tmp_path / "a" / "LICENSE.txt").write_text("evaluation only")
    assert len(read_published_items(source).items) == 3


def test_a_folder_without_the_base_file_is_named(tmp_path):
    with pytest.raises(DivLogicError, match=r"holds no base/llmeval_logic_base\.json"):
        read_published_items(tmp_path)


@pytest.mark.parametrize("name", ["base/llmeval_logic_base.json", "hard/llmeval_logic_hard.json"])
def test_a_file_that_is_not_json_is_named(tmp_path, name):
    source = folder(tmp_path)
    (source / name).write_text("[{")
    with pytest.raises(DivLogicError, match=rf"{name}: not valid JSON"):
        read_published_items(source)


def test_a_rubric_that_is_not_json_is_named_and_the_rest_read(tmp_path):
    source = folder(tmp_path)
    (source / "base/rubrics/003.json").write_text("[{")
    found = read_published_items(source)
    assert len(found.items) == 3 and "003.json: not valid JSON" in found.problems[0]


OWN = {
    "id": "own",
    "symbols": [{"name": "A", "kind": "prop"}],
    "premises": [{"id": "P1", "formula": "A"}],
    "queries": [{"id": "Q1", "type": "possible", "formula": "A"}],
    "answers": {"Q1": "possible"},
}


def test_premises_that_contradict_each_other_have_to_be_announced_in_own_items(tmp_path):
    premises = [*OWN["premises"], {"id": "P2", "formula": ["not", "A"]}]
    item = read_item(OWN | {"premises": premises, "answers": {"Q1": "impossible"}})
    write_jsonl(tmp_path / "own.jsonl", [item_row(item)])
    sentence = "item own: its premises contradict each other and it says otherwise"
    with pytest.raises(DivLogicError, match=sentence):
        verify(tmp_path / "own.jsonl", tmp_path / "v.csv")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"answers": {"Q1": [[[]]]}}, "is not a target"),
        ({"answers": {"Q1": [[5]]}}, "the answer of query Q1: 5 is not a target"),
        ({"queries": [], "answers": {}}, "queries: list should have at least 1 item"),
        ({"premises": []}, "premises: list should have at least 1 item"),
    ],
)
def test_own_items_with_odd_or_missing_parts_are_named(given, message):
    queries = [{"id": "Q1", "type": "enumerate_models", "targets": ["A"]}]
    row = OWN | {"queries": queries, "answers": {"Q1": [["A"]]}}
    assert read_item(row).answers == ((("A",),),)
    with pytest.raises(ValueError, match=message):
        read_item(row | given)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("B", "premise P1: 'B' is not declared"),
        (["P", "a", "a"], "premise P1: 'P' has 1 term.* 2"),
        (["unless", "A", "A"], "premise P1: 'unless'"),
    ],
)
def test_own_formulas_use_declared_symbols_as_declared(formula, message):
    more = [{"name": "P", "kind": "pred", "arity": 1}, {"name": "a", "kind": "const"}]
    premises = [{"id": "P1", "formula": formula}]
    with pytest.raises(ValueError, match=message):
        read_item(OWN | {"symbols": [*OWN["symbols"], *more], "premises": premises})


def test_symbols_are_declared_once_and_variables_are_none():
    raw = PublishedBaseItem(
        "7",
        {"A": "Bool", r"\text{C} ": " Bool", "x": "Person", "P": "Predicate(1)"},
        {"A": "灯  亮着", "B": "灯亮着。", r"A \to B": "句子", "P(x)": "x到了"},
        (r"$A \to  B$", r"\forall x (P(x)) \to A", "P(c)"),
        ("necessary(B)",),
        ("unnecessary",),
    )
    theory = formalization_of(raw)
    printed = [print_formula(premise.formula) for premise in theory.premises]
    assert printed == ["(A → B)", "(∀x(P(x)) → A)", "P(c)"]
    assert [(symbol.name, symbol.gloss.zh, symbol.sort) for symbol in theory.symbols] == [
        *(("A", "灯 亮着", ""), ("textC", "", ""), ("P", "{0}到了", "")),
        *(("B", "灯亮着。", ""), ("c", "", "Thing")),
    ]


def test_an_item_spelled_otherwise_reads_the_same(tmp_path):
    odd = changed(
        LAMP,
        premise=["A => B", "A"],
        question=["POSSIBLE(NOT B)", "necessary ( B )"],
        parameters={"A": "bool", "B": "Boolean"},
        translation=None,
        answer=[{"qid": 1, "answer": "Impossible", "reasoning": "没有"}, " necessary. "],
    )
    del odd["logictype"], odd["original"]["answer"]
    odd["label_type"] = "possible"
    odd["original"]["background"] = ["灯亮着就是晚上。", "灯亮着。"]
    stamps = changed(STAMPS, premise=STAMPS["formalization"]["premise"][0], answer="(a)")
    stamps["formalization"] |= {"question": "enumerate_models(x, P(x, a))", "parameters": {}}
    usual_lamp, _, usual_who = read_published_items(folder(tmp_path / "usual")).items
    found = read_published_items(folder(tmp_path / "odd", [odd, KEYS, stamps]))
    assert not found.problems
    lamp, _, who = found.items
    assert (lamp.answers, who.answers) == (usual_lamp.answers, usual_who.answers)
    stated = [[p.formula for p in item.formalization.premises] for item in (lamp, usual_lamp)]
    assert stated[0] == stated[1]
    assert (lamp.logic, lamp.background.zh) == ("pl", "灯亮着就是晚上。灯亮着。")
    assert who.formalization.constants == ("a", "b")


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("{}", ()),
        ("∅", ()),
        ("()", ((),)),
        ("{()}", ((),)),
        ("(A, B)", (("A", "B"),)),
        (r"\{(B), (A)\}", (("A",), ("B",))),
        ("{(A，B)，()}", ((), ("A", "B"))),
    ],
)
def test_an_empty_bracket_is_a_model_and_empty_braces_are_none(text, models):
    query = Query("Q1", "enumerate_models", targets=(Atom("A", ()), Atom("B", ())))
    assert published_answer(text, query, ()) == models
