"""The report's thesis and its cards: the findings as a number and a sentence each, in the order of their weight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from divlogic.paper.catalogue import LEAD, LEAK


@dataclass(frozen=True)
class Card:
    """One finding: a number, what it counts, a sentence or two on it, and where the page goes on."""

    number: str
    head: str
    text: str
    link: str = ""
    target: str = ""


def thesis(found: dict[str, Any]) -> str:
    """Return what the report argues, in a sentence or two, from the run's own numbers."""
    confirmed = found["confirmed"]
    parts = [
        "Much of what the papers' benchmarks ask can be answered without reasoning, and some of what they print cannot"
        " be right."
    ]
    if found["shortcuts"]:
        one = found["shortcuts"]["as_published"]
        worst = max(
            found["shortcuts"]["made"], key=lambda made: made["worst"]["accuracy"] - made["worst"]["chance"]
        )
        parts = [
            f"Options drawn as in DivLogicEval's paper give {round(one['accuracy'])} % of the answers away (guessing:"
            f" {round(one['chance'])}). Of what is made here, a classifier that takes no step of inference has most of"
            f" {worst['title']}: {_probe(worst['worst'])}."
        ]
    return (
        f"{parts[0]} A solver contradicts {confirmed['disagreements']:,} of the {confirmed['instances']:,} labels"
        f" checked here, and {found['contradictions']['cells']} printed numbers contradict each other or arithmetic."
    )


def cards(found: dict[str, Any]) -> list[Card]:
    """Return the cards of the findings, the weightiest first; what a run lacks has none."""
    return [*_shortcuts(found), *_labels(found), *_memory(found), *_made(found)]


def _shortcuts(found: dict[str, Any]) -> Iterator[Card]:
    if shortcuts := found["shortcuts"]:
        one = shortcuts["as_published"]
        made = ", ".join(
            f"{own['title']} {own['construction']} {_probe(own['worst'])}" for own in shortcuts["made"]
        )
        yield Card(
            f"{round(one['accuracy'])} %",
            "answered from the options alone",
            f"where they are drawn as published ({one['type'].replace('_', ' ')}; guessing: {round(one['chance'])} %)."
            f" Made here, the worst probe without a step of inference: {made}.",
            "Figure",
            f"#{LEAD}",
        )


def _probe(found: dict[str, Any]) -> str:
    """Return an accuracy with its interval and the accuracy of guessing."""
    low, high, chance = (f"{found[name]:.0f}" for name in ("low", "high", "chance"))
    return f"{found['accuracy']:.0f} % ({low} to {high}; guessing {chance})"


def _labels(found: dict[str, Any]) -> Iterator[Card]:
    freely = found["worded_freely"]
    if freely["share"] is not None:
        yield Card(
            f"{100 * freely['share']:.0f} %",
            "would carry an unsupported label if worded freely",
            f"of {freely['instances']:,} instances whose sentences are drawn as the paper does, without a check of what"
            " they entail together.",
        )
    audited = found["audited"]
    if audited["labels"]:
        each = ", ".join(
            f"{one['title']} {one['wrong']:,} of {one['labels']:,}" for one in audited["benchmarks"]
        )
        yield Card(
            f"{audited['wrong']:,}",
            "labels of others do not follow",
            f"of {audited['labels']:,} derived again: {each}.",
            "List",
            "../benchmarks/label_disagreements.csv",
        )
    contradictions = found["contradictions"]
    often = contradictions["reasons"][0]["reason"] if contradictions["reasons"] else "none"
    yield Card(
        f"{contradictions['cells']}",
        "printed numbers that cannot be right",
        f"They contradict arithmetic, the metric or another cell; most often: {often}.",
        "List",
        "../evaluation/published_audit.csv",
    )
    confirmed = found["confirmed"]
    yield Card(
        f"{confirmed['disagreements']}",
        "labels that Z3 contradicts",
        f"of {confirmed['instances']:,} instances in the test splits of {confirmed['benchmarks']} benchmarks, each"
        " decided from what its sentences say.",
    )


def _memory(found: dict[str, Any]) -> Iterator[Card]:
    if leak := found["leak"]:
        leaked, fresh = leak["leaked"], leak["fresh"]
        yield Card(
            f"{round(leaked['after'])} %",
            "after training on the test set",
            f"{leak['learner']}: {round(leaked['before'])} % before; on instances drawn afresh"
            f" {round(fresh['before'])} % before and {round(fresh['after'])} % after.",
            "Figure",
            f"#{LEAK}",
        )
    if asked := found["asked"]:
        each = "; ".join(_score(one, named=bool(number)) for number, one in enumerate(asked["models"][:3]))
        guessing = " / ".join(f"{asked['guessing'][name]:.1f}" for name in ("ACC", "CIR", "PC"))
        best = asked["models"][0]
        yield Card(
            f"{round(best['ACC'])} %",
            f"right: {best['model']}",
            f"{each}. Guessing: {guessing}.",
            "Table",
            "#divlogiceval_table1",
        )


def _score(one: dict[str, Any], *, named: bool) -> str:
    """Return a model's scores with the interval of ACC and the number of instances."""
    interval = f"{one['ACC_low']:.0f} to {one['ACC_high']:.0f}"
    return (
        f"{one['model'] + ' ' if named else ''}ACC {one['ACC']:.1f} ({interval}), CIR {one['CIR']:.1f},"
        f" PC {one['PC']:.1f} on {one['instances']:,} instances of DivLogicEval"
    )


def _made(found: dict[str, Any]) -> Iterator[Card]:
    each = ", ".join(f"{one['title']} {one['total']:,}" for one in found["made"])
    short = "".join(
        f" {one['split'].capitalize()} split of DivLogicEval: {one['made']:,} of {one['wanted']:,}, more need more"
        f" sentences than the {found['groups']:,} groups of this run."
        for one in found["plan"]
        if one["made"] < one["wanted"]
    )
    yield Card(
        f"{found['instances']:,}", "instances made", f"{each}.{short}", "Browse every instance", "items.html"
    )
