"""The log: plain lines on standard error, errors with the program's name."""

from __future__ import annotations

import logging

import pytest

from divlogic.io.log import LOGGER, say, set_up


@pytest.fixture(autouse=True)
def _log_is_set_up() -> None:
    set_up()


def test_a_line_of_what_goes_on_is_its_message(capsys: pytest.CaptureFixture[str]) -> None:
    say("3 of 4 shards, 75 % done")
    assert capsys.readouterr().err == "3 of 4 shards, 75 % done\n"


def test_an_error_names_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    LOGGER.error("a.csv, row 3: fix that row")
    assert capsys.readouterr().err == "divlogic: a.csv, row 3: fix that row\n"


def test_setting_the_log_up_twice_writes_a_line_once(capsys: pytest.CaptureFixture[str]) -> None:
    set_up()
    logging.getLogger("divlogic.io.log.test").info("fetched")
    assert capsys.readouterr().err == "fetched\n"
