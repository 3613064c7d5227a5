"""The last word on every item: its text read back, its label decided by Z3, from what the record states alone.

Twice: as a signed Horn program ("x is A" and "x is not A" are two propositions, and a literal follows exactly if the
theory with the literal false has no model), and, where the record claims it, in classical first-order logic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson

from divlogic.benchmarks.logicnli.proving import claimed_label, classical_labels, signed_labels
from divlogic.benchmarks.logicnli.reading import read_fact, read_rule
from divlogic.benchmarks.logicnli.reports import write_counts
from divlogic.errors import DivLogicError
from divlogic.io.log import track
from divlogic.logic.chaining import Literal, Rule, Side
from divlogic.records import Record, read_records


def write_report(files: Sequence[Path], out: Path, shard: int = 0, shards: int = 1) -> dict[str, Any]:
    """Check every item of the files and write how many were confirmed: of the set ``test``, in all, and by set.

    Args:
        files: the sets.
        out: the report (json).
        shard: which share of the theories is checked, from 0: every ``shards``-th.
        shards: number of shares; ``reports.merge_reports`` puts their reports together.

    Raises:
        DivLogicError: an item is not confirmed (the message names the first ten such items), a record has no
            formulas of this benchmark, or there is no record.
    """
    counts: dict[str, Counter[str]] = {}
    problems: list[str] = []
    theories = 0
    for path in files:
        for _, group in groupby(
            track(read_records(path), "records read, labels confirmed by Z3"), key=_group
        ):
            theories += 1
            if (theories - 1) % shards != shard:
                continue
            records = list(group)
            try:
                problems += disagreements(records)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
                raise DivLogicError(
                    f"{path}, record {records[0].id}: its formulas cannot be checked ({error}); give a set of"
                    " LogicNLI that this project has generated."
                ) from error
            for record in records:
                counts.setdefault(record.split, Counter()).update(
                    instances=1, first_order=int("classical" in record.metadata)
                )
    if not theories:
        raise DivLogicError(f"{files[0]}: there is no record in it to confirm; make the file again.")
    if problems:
        shown = "; ".join(problems[:10])
        raise DivLogicError(f"{files[0]}: {len(problems)} statements are not confirmed: {shown}.")
    return write_counts(out, counts)


def disagreements(records: Sequence[Record]) -> list[str]:
    """Return what is wrong with records that may share their rules; an empty list means confirmed."""
    problems = []
    shared: dict[bytes, list[Record]] = {}
    for record in records:
        formulas = record.formulas or {}
        shared.setdefault(orjson.dumps([formulas["rules"], formulas["people"]]), []).append(record)
    for group in shared.values():
        read: dict[tuple[tuple[int, str], ...], bool] = {}
        problems += [
            f"{record.id}: {problem}" for record in group for problem in _text_problems(record, read)
        ]
        labels = zip(group, signed_labels(group), strict=True)
        problems += [
            f"{record.id}: Z3 makes it {label}, by signed atoms"
            for record, label in labels
            if label != claimed_label(record)
        ]
        claimed = [record for record in group if "classical" in record.metadata]
        problems += [
            f"{record.id}: Z3 makes it {label} in classical logic"
            for record, label in zip(claimed, classical_labels(claimed), strict=True)
            if label != record.metadata["classical"]
        ]
    return problems


def _group(record: Record) -> str:
    """Return what records of one theory have in common: set and number, also of variants and of proofs' statements."""
    parts = 2 if "base" in record.metadata or "proves" in record.metadata else 1
    return record.id.rsplit("-", parts)[0]


def _text_problems(record: Record, read: dict[tuple[tuple[int, str], ...], bool]) -> Iterator[str]:
    """Read every sentence back and compare it with its formula.

    Args:
        record: an item.
        read: whether the rules in these words are those of the group, for the words read before.
    """
    formulas, sentences = record.formulas or {}, record.sentences or {}
    facts = [(one["fact"], _fact(one["text"])) for one in sentences.values() if "fact" in one]
    rules = tuple([(one["rule"], one["text"]) for one in sentences.values() if "rule" in one])
    if sentences:
        if " ".join([sentence["text"] for sentence in sentences.values()]) != record.context:
            yield "the context is not its sentences"
        if facts != [(number, tuple(fact)) for number, fact in enumerate(formulas["facts"])]:
            yield "the text states other facts than the formulas"
        if rules not in read:
            read[rules] = [(number, _key(_rule(text))) for number, text in rules] == [
                (number, _key(_formula(rule))) for number, rule in enumerate(formulas["rules"])
            ]
        if not read[rules]:
            yield "the text states other rules than the formulas"
    if _fact(record.question) != tuple(formulas["statement"]):
        yield "the question does not state the statement"


def _key(rule: Rule) -> tuple[object, ...]:
    return rule.premise, rule.conclusion, rule.equivalence


@lru_cache(maxsize=20_000)
def _fact(text: str) -> Literal:
    return read_fact(text)


@lru_cache(maxsize=20_000)
def _rule(text: str) -> Rule:
    return read_rule(text)


def _formula(rule: dict[str, Any]) -> Rule:
    premise, conclusion = [
        Side(tuple(Literal(*literal) for literal in rule[side]["fact"]), rule[side]["conj"]) for side in "pq"
    ]
    return Rule(rule["reasoning"], premise, conclusion, rule["type"] == "equ", rule["class"])
