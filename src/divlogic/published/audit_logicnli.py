"""Audit of LogicNLI's printed cells: what contradicts another cell, or the construction that the paper describes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

from divlogic.published.cells import BrokenRule, PrintedCell, PrintedNumbers, differ, no_whole_number

_BASE = {"Train-R(s)": "Train", "Dev-R(s)": "Dev.", "Test-R(s)": "Test-A"}
_MIXES = (("LogicNLI Train", 12, 12), ("d-LogicNLI Train", 5, 10))
"""Facts and rules of two sets, as recovered from the release and from the printed lengths."""

_FREE_OF_NEGATION = ("∧", "∨", "→", "≡", "∀", "∃")

Sets = dict[tuple[str, str], PrintedCell]
Scores = dict[tuple[str, str, str, str], PrintedCell]


def audit(printed: PrintedNumbers) -> list[BrokenRule]:
    """Return every cell of LogicNLI's Tables 2, 4, 6 and 7 that breaks a rule, in the order of the tables."""
    sets = {(cell.benchmark, cell.measure): cell for cell in printed.cells("logicnli_table2")}
    scores = {
        (cell.table, cell.system, cell.setting, cell.column): cell
        for name in ("logicnli_table4", "logicnli_table6", "logicnli_table7")
        for cell in printed.cells(name)
    }
    of_scores = (_targets, _floors, _twice, _degradations)
    return [*_sizes(sets), *_sentences(sets), *chain.from_iterable(check(scores) for check in of_scores)]


def _sizes(sets: Sets) -> Iterator[BrokenRule]:
    for (name, measure), cell in sets.items():
        benchmark, _, split = name.partition(" ")
        if measure != "instances" or split not in _BASE:
            continue
        listed = sets[name, "facts_and_rules"].printed.count("/") + 1
        expected = listed * sets[f"{benchmark} {_BASE[split]}", "instances"].value
        if cell.value != expected:
            yield BrokenRule(cell, "sizes_of_r", f"{expected:.0f}: {listed} sizes of {expected / listed:.0f}")


def _sentences(sets: Sets) -> Iterator[BrokenRule]:
    """Compare lengths with what as many sentences can hold at most: rules only, and the statement."""
    (first, facts, rules), (second, other_facts, other_rules) = _MIXES
    whole, part = sets[first, "average_length"].value, sets[second, "average_length"].value
    # Two equations: the statement is as long as a fact.
    rules_apart = other_rules * (facts + 1) - rules * (other_facts + 1)
    per_rule = (part * (facts + 1) - whole * (other_facts + 1)) / rules_apart
    per_fact = (whole - rules * per_rule) / (facts + 1)
    for (name, measure), cell in sets.items():
        length = sets[name, "average_length"]
        if measure != "facts_and_rules" or not cell.is_number or not length.is_number:
            continue
        needed = math.ceil((length.value - per_fact) / per_rule)
        if needed > cell.value:
            lengths = f"{length.printed} tokens, at {per_rule:.1f} a rule and {per_fact:.1f} a fact"
            yield BrokenRule(cell, "sentence_length", f"{needed} or more: {lengths}")


def _targets(scores: Scores) -> Iterator[BrokenRule]:
    for (table, system, setting, column), cell in scores.items():
        under = {"Test-T (P-EM)": "#Target", "Test-T (P-Acc.)": "#Proof"}.get(column)
        if table != "Table 4" or under is None:
            continue
        if expected := no_whole_number(cell, scores[table, system, setting, under].value, decimals=2):
            yield BrokenRule(cell, "whole_targets", expected)


def _floors(scores: Scores) -> Iterator[BrokenRule]:
    for (table, system, _, column), cell in scores.items():
        if table == "Table 6" and system == "Random" and column in _FREE_OF_NEGATION:
            yield BrokenRule(cell, "floor_of_sign", "66.7")


def _twice(scores: Scores) -> Iterator[BrokenRule]:
    for (table, system, setting, column), cell in scores.items():
        if (table, setting, column) != ("Table 7", "LogicNLI", "P-Acc"):
            continue
        first, accuracy = (scores["Table 4", system, "", name] for name in ("Test-T (P-Acc.)", "Test-A"))
        if differ(first, cell):
            same = ", which is Table 4's Test-A" if cell.printed == accuracy.printed else ""
            yield BrokenRule(first, "p_acc_twice", f"{cell.printed} (Table 7)")
            yield BrokenRule(cell, "p_acc_twice", f"{first.printed} (Table 4){same}")


def _degradations(scores: Scores) -> Iterator[BrokenRule]:
    for (table, system, setting, column), cell in scores.items():
        if (table, setting, column) != ("Table 7", "LogicNLI", "δA→G"):
            continue
        within, beyond = (scores["Table 4", system, "", name] for name in ("Test-A", "Test-G"))
        corners = [
            100 * (1 - (beyond.value + up * beyond.half_unit) / (within.value - up * within.half_unit))
            for up in (-1, 1)
        ]
        if not min(corners) - cell.half_unit <= cell.value <= max(corners) + cell.half_unit:
            yield BrokenRule(cell, "degradation", f"{100 * (1 - beyond.value / within.value):.1f}")
