"""The examples in docstrings run and give what they show."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = (
    "divlogic.logic.syntax",
    "divlogic.logic.tables",
    "divlogic.evaluation.metrics",
    "divlogic.diversity.divergence",
    "divlogic.io.backoff",
    "divlogic.io.imports",
    "divlogic.io.tables",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_what_they_show(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
