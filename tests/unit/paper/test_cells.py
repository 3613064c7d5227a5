"""When a printed number counts as reproduced."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from divlogic.paper.gather import compare
from divlogic.paper.measured import measured_cell
from divlogic.paper.model import Column, show, show_difference
from divlogic.paper.parameters import PaperParameters, Tolerance
from divlogic.published import PrintedCell, folded_name

PARAMETERS = PaperParameters()
KL, VOCABULARY = Column("KL", "bits", 3), Column("Vocabulary", "count", 0)


def cell(text: str) -> PrintedCell:
    return PrintedCell("P", "Table 4", "", printed=text, benchmark="folio", measure="kl")


@pytest.mark.parametrize(
    ("printed", "measured", "column", "status"),
    [
        ("2.77", measured_cell(2.81), KL, "reproduced"),
        ("2.77", measured_cell(2.77, other="dev instead of test"), KL, "near"),
        ("2.77", measured_cell(2.77, other="generated here"), KL, "generated"),
        ("2.77", measured_cell(2.90), KL, "near"),
        ("4.29", measured_cell(5.34), KL, "off"),
        # The tolerance of counts grows with the count.
        ("10004", measured_cell(10150), VOCABULARY, "reproduced"),
        ("67", measured_cell(70), VOCABULARY, "near"),
    ],
)
def test_a_number_is_reproduced_within_its_tolerance_and_on_the_same_data(printed, measured, column, status):
    assert compare(cell(printed), measured, column, PARAMETERS).status == status


def test_thousands_are_exact_only_to_half_of_one():
    column = Column("Instances", "count", 0)
    strict = PARAMETERS.model_copy(
        update={"tolerances": PARAMETERS.tolerances.model_copy(update={"count": Tolerance()})}
    )
    assert cell("100k").value == 100_000
    assert compare(cell("100k"), measured_cell(100_400), column, strict).status == "reproduced"
    assert compare(cell("100k"), measured_cell(100_600), column, strict).status == "near"


@given(
    printed=st.integers(0, 9999).map(lambda number: f"{number / 100:.2f}"),
    absolute=st.floats(0, 5),
    offset=st.floats(-20, 20),
)
def test_a_wider_tolerance_never_takes_a_reproduced_number_back(printed, absolute, offset):
    def status(width: float) -> str:
        tolerances = PARAMETERS.tolerances.model_copy(update={"percent": Tolerance(absolute=width)})
        parameters = PARAMETERS.model_copy(update={"tolerances": tolerances})
        column = Column("ACC", "percent", 2)
        return compare(cell(printed), measured_cell(float(printed) + offset), column, parameters).status

    assert not (status(absolute) == "reproduced" and status(absolute + 1) == "off")


@given(st.integers(0, 9999).map(lambda number: f"{number / 10:.1f}"))
def test_a_number_that_rounds_to_the_printed_one_is_reproduced_with_no_tolerance_at_all(printed):
    tolerances = PARAMETERS.tolerances.model_copy(update={"percent": Tolerance()})
    parameters = PARAMETERS.model_copy(update={"tolerances": tolerances})
    for offset in (-0.049, 0.0, 0.049):
        made = compare(
            cell(printed), measured_cell(float(printed) + offset), Column("ACC", "percent", 2), parameters
        )
        assert made.status == "reproduced"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("chatgpt (recorded)", "ChatGPT"),
        ("openai/gpt-4-turbo", "GPT-4 Turbo"),
        ("mistralai/mixtral-8x7B-instruct-v0.1", "Mixtral-8x7b-Instruct-v0.1"),
    ],
)
def test_a_system_is_known_by_its_name_whatever_the_provider_and_spelling(first, second):
    assert folded_name(first) == folded_name(second)


def test_different_versions_are_different_systems():
    assert folded_name("gpt-4") != folded_name("gpt-4o")


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(0.6331, 4, "+0.6331"), (-468, 0, "−468"), (0.0004, 3, "="), (0.0, 0, "=")],
)
def test_a_difference_has_its_sign_unless_nothing_of_it_is_printed(value, decimals, text):
    assert show_difference(value, decimals) == text


def test_no_number_is_shown_as_minus_zero():
    assert show(-0.001, 2) == "0.00"
