"""The form of a record's answer is what its benchmark states, whatever its options look like."""

from __future__ import annotations

from divlogic.benchmarks.answers import answer_format
from divlogic.models.answers import TRUTH_HINT, Labels, Letters
from divlogic.records import Record


def record(benchmark: str, *options: str) -> Record:
    return Record("1", benchmark, "test", "Context.", "Which?", options, 0)


def test_options_of_one_word_stand_under_letters_where_the_benchmark_has_letters() -> None:
    assert answer_format(record("logiqa2", "Monday", "Tuesday", "Friday", "Sunday")) == Letters(4)
    assert answer_format(record("s-divlogiceval", "a", "b", "c", "d")) == Letters(4)


def test_labels_keep_the_order_of_the_record_and_the_hint_of_the_benchmark() -> None:
    asked = record("justlogic_generated", "False", "True", "Uncertain")
    assert answer_format(asked) == Labels(("False", "True", "Uncertain"), TRUTH_HINT)
    assert answer_format(record("proofwriter", "True", "False")) == Labels(
        ("True", "False"), TRUTH_HINT
    )


def test_a_record_of_no_known_benchmark_is_judged_by_its_options() -> None:
    assert answer_format(record("mine", "yes", "no")) == Labels(("yes", "no"))
    assert answer_format(record("mine", "it rains", "it snows")) == Letters(2)


def test_options_that_are_no_labels_of_the_benchmark_stand_under_letters() -> None:
    assert answer_format(record("folio", "it rains", "it snows")) == Letters(2)
