"""Printing instances for reading."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from rich.console import Console

from divlogic.benchmarks.show import choose, choose_from, print_records, render
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.records import Record


def record(index=0, **changes):
    values = {
        "id": f"divlogiceval-test-{index:06d}", "benchmark": "divlogiceval", "split": "test",
        "context": "If it rains [hard], then the kettle boils. " * 4 + "Therefore, it pours.",
        "question": "Which of the following premises is missing from the argument?",
        "options": ("It rains.", "It snows.", "It is dry.", "If it rains, it pours."), "answer": 3,
        "question_type": ("3c1e", "3e1c", "missing_premise")[index % 3],
        "formulas": {
            "premises": ["(A→B)", "¬C"], "options": ["A", "D", "contradict", "(A→C)"], "conclusion": "C",
            "necessary": "(A→C)", "symbolic_options": ["A", "D", "¬A", "(A→C)"],
        },
        "sentences": {"A": {"premise": "it rains", "hypotheses": ["it is wet"], "contradiction": "it is dry"}},
    }  # fmt: skip
    return Record(**(values | changes))


def test_exactly_the_right_option_is_marked():
    marked = [line for line in render(record()).splitlines() if line.startswith(" ▶ ")]
    assert marked == [" ▶ D. If it rains, it pours."]
    assert "▶" not in render(record(answer=None))


def test_everything_to_read_is_there_and_wrapped():
    text = render(record(), width=60)
    assert max(map(len, text.splitlines())) <= 60
    joined = " ".join(text.split())
    for part in (record().context, record().question, *record().options, record().id):
        assert part in joined


ARGUMENT = {
    "premises": ["(A→B)", "A"], "conclusion": "B", "query": "¬B",
    "argument": [{"form": "modus_ponens", "premises": ["(A→B)", "A"], "conclusion": "B"}],
}  # fmt: skip
OWLS = {"A": {"text": "owls hoot", "negated": "owls do not hoot", "term": "owl"}}


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({}, ["premises    (A→B), ¬C", "conclusion  C", "necessary   (A→C)", "contradict: ¬A", "A = it rains",
              "entails: it is wet", "excludes: it is dry"]),
        ({"formulas": ARGUMENT, "sentences": OWLS}, ["query       ¬B", "step        (A→B), A ⊢ B (modus_ponens)",
                                                     "A = owls hoot", "negated: owls do not"]),
    ],
    ids=["divlogiceval", "justlogic"],
)  # fmt: skip
def test_formulas_steps_and_statements_are_shown_only_when_asked_for(changes, parts):
    one = record(**changes)
    assert "→" not in render(one)
    text = render(one, formulas=True)
    assert [part for part in parts if part not in text] == []


def test_a_record_of_another_benchmark_can_be_shown():
    bare = Record("x", "ruletaker", "test", "", "Is Bob nice?", ("true", "false"), 0)
    assert render(bare, formulas=True).startswith(
        "x · ruletaker · test\n\nIs Bob nice?\n\n ▶ A. true\n"
    )


def test_without_a_terminal_plain_text_is_printed(capsys):
    assert print_records([record(0), record(1)]) == 2
    assert capsys.readouterr().out == render(record(0)) + "\n" + render(record(1))


def test_on_a_terminal_square_brackets_are_text_and_not_markup():
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=200)
    assert print_records([record()], formulas=True, console=console) == 1
    assert "[hard]" in stream.getvalue()
    assert "\x1b[1;32m" in stream.getvalue()


def test_a_draw_keeps_type_order_and_seed():
    records = [record(index) for index in range(90)]
    drawn = choose(records, 7, seed=1, question_type="3e1c")
    assert [one.question_type for one in drawn] == ["3e1c"] * 7
    assert drawn == sorted(drawn, key=lambda one: one.id)
    assert drawn == choose(iter(records), 7, seed=1, question_type="3e1c")
    assert drawn != choose(records, 7, seed=2, question_type="3e1c")


@pytest.mark.parametrize("count", [3, 4, 9])
def test_all_records_are_drawn_where_there_are_no_more(count):
    records = [record(index) for index in range(3)]
    assert choose(records, count, seed=1) == records


def test_every_record_is_equally_likely_to_be_drawn():
    records = [record(index) for index in range(10)]
    counts = Counter(one.id for seed in range(2000) for one in choose(records, 3, seed))
    # 600 expected each; six standard deviations of the binomial are about 123.
    assert all(abs(counts[one.id] - 600) < 123 for one in records)


def test_a_type_that_no_record_has_is_refused_with_those_that_there_are(tmp_path):
    path = tmp_path / "records.jsonl"
    write_jsonl(path, [record(index).to_json() for index in range(4)])
    with pytest.raises(
        DivLogicError, match=r"no record is of type 'foo'; .* 3c1e, 3e1c, missing_premise"
    ):
        choose_from(path, 5, 0, "foo")
    assert len(choose_from(path, 5, 0, "3c1e")) == 2


def test_a_file_with_nothing_to_show_is_refused(tmp_path):
    path = tmp_path / "records.jsonl"
    path.touch()
    with pytest.raises(DivLogicError, match="there is no record in it to show"):
        choose_from(path, 5, 0)
    write_jsonl(path, [record(question_type=None).to_json()])
    with pytest.raises(DivLogicError, match="leave out --type"):
        choose_from(path, 5, 0, "3c1e")
