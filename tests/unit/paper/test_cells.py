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
KL, VOCABULARY, ACC = (
    Column("KL", "bits", 3),
    Column("Vocabulary", "count", 0),
    Column("ACC", "percent", 2),
)


def cell(text: str) -> PrintedCell:
    return PrintedCell("P", "Table 4", "", printed=text, benchmark="folio", measure="kl")


def tolerating(**tolerances: Tolerance) -> PaperParameters:
    return PARAMETERS.model_copy(
        update={"tolerances": PARAMETERS.tolerances.model_copy(update=tolerances)}
    )


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
def test_a_number_is_reproduced_within_its_tolerance_and_on_the_same_data(
    printed, measured, column, status
):
    assert compare(cell(printed), measured, column, PARAMETERS).status == status


def test_thousands_are_exact_only_to_half_of_one():
    assert cell("100k").value == 100_000
    for number, status in ((100_400, "reproduced"), (100_600, "near")):
        made = compare(
            cell("100k"), measured_cell(number), VOCABULARY, tolerating(count=Tolerance())
        )
        assert made.status == status


@given(
    printed=st.integers(0, 9999).map(lambda number: f"{number / 100:.2f}"),
    absolute=st.floats(0, 5),
    offset=st.floats(-20, 20),
)
def test_a_wider_tolerance_never_takes_a_reproduced_number_back(printed, absolute, offset):
    def status(width: float) -> str:
        parameters = tolerating(percent=Tolerance(absolute=width))
        return compare(
            cell(printed), measured_cell(float(printed) + offset), ACC, parameters
        ).status

    assert not (status(absolute) == "reproduced" and status(absolute + 1) == "off")


@given(st.integers(0, 9999).map(lambda number: f"{number / 10:.1f}"))
def test_a_number_that_rounds_to_the_printed_one_is_reproduced_with_no_tolerance_at_all(printed):
    parameters = tolerating(percent=Tolerance())
    for offset in (-0.049, 0.0, 0.049):
        made = compare(cell(printed), measured_cell(float(printed) + offset), ACC, parameters)
        assert made.status == "reproduced"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("chatgpt (recorded)", "ChatGPT", True),
        ("openai/gpt-4-turbo", "GPT-4 Turbo", True),
        ("mistralai/mixtral-8x7B-instruct-v0.1", "Mixtral-8x7b-Instruct-v0.1", True),
        ("gpt-4", "gpt-4o", False),
    ],
)
def test_a_system_is_known_by_its_name_and_version_whatever_the_provider_and_spelling(
    first, second, same
):
    assert (folded_name(first) == folded_name(second)) is same


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(0.6331, 4, "+0.6331"), (-468, 0, "−468"), (0.0004, 3, "="), (0.0, 0, "=")],
)
def test_a_difference_has_its_sign_unless_nothing_of_it_is_printed(value, decimals, text):
    assert show_difference(value, decimals) == text


def test_no_number_is_shown_as_minus_zero():
    assert show(-0.001, 2) == "0.00"
