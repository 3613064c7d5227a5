"""No sentence denies a clause that is negated already."""

from divlogic.benchmarks.templates import load_templates
from divlogic.logic import parse

FRAMES = 200


def worded(formula, clauses):
    frames = [load_templates().frame(parse(formula), clauses, index) for index in range(FRAMES)]
    return {frame.sentence(clauses) for frame in frames}


def test_a_negated_antecedent_is_not_put_after_it_is_not_the_case_that():
    texts = worded("(¬A→B)", ["she isn't late", "he waits"])
    assert not [text for text in texts if "not the case that she isn't late" in text]


def test_a_positive_antecedent_is_still_worded_by_every_frame():
    texts = worded("(A→B)", ["she is late", "he waits"])
    assert any("not the case that she is late" in text for text in texts)
    assert len(texts) == len(load_templates().frames["(A→B)"])
