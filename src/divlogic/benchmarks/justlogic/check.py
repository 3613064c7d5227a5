"""The last word on every instance: its text read back by the grammar, its formulas put to Z3.

Only what the record says is used, none of the generator's structures: neither its templates nor its truth tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from divlogic.benchmarks.phrases import PhraseGrammar
from divlogic.benchmarks.verdict import Verdict, confirmed, of_each, published_label
from divlogic.io.files import write_json
from divlogic.logic import Binary, Formula, equivalent, filled, negate, parse, to_text
from divlogic.logic.smt import Z3Session, z3_entails
from divlogic.logic.syntax import Atom, Negation
from divlogic.records import Record

GRAMMAR = PhraseGrammar(Path(__file__).with_name("grammar.yaml"))
_LABELS = ("true", "false", "uncertain")
_derived = lru_cache(maxsize=50_000)(GRAMMAR.derive)
"""Reads a sentence whose clauses are slots; the same frames come again and again."""


def write_report(source: Path, out: Path) -> dict[str, Any]:
    """Check every instance of a file and write how many were confirmed."""
    counts = Counter(instances=0, premises=0, steps=0, disagreements=0)
    groups = confirmed((source,), "JustLogic", of_each(problems))
    for record in chain.from_iterable(groups):
        formulas = record.formulas or {}
        counts.update(
            instances=1, premises=len(formulas["premises"]), steps=len(formulas["argument"])
        )
    write_json(out, counts)
    return counts


def problems(record: Record) -> list[str]:
    """Return what is wrong with an instance; an empty list means confirmed."""
    formulas = record.formulas or {}
    premises = [parse(text) for text in formulas["premises"]]
    conclusion, query = parse(formulas["conclusion"]), parse(formulas["query"])
    argued = {text for step in formulas["argument"] for text in step["premises"]}
    concluded = {step["conclusion"] for step in formulas["argument"]}
    # An argument of an uncertain query may rest on one premise in which the text has the other sign.
    turned = [parse(text) for text in sorted(argued - concluded - set(formulas["premises"]))]
    argued_from = list(premises)
    needed = []
    for place, text in enumerate(formulas["premises"]):
        if text in argued:
            needed.append(premises[place])
        elif len(turned) == 1 and _is_one_sign_apart(premises[place], turned[0]):
            argued_from[place] = turned[0]
            needed.append(turned[0])
            turned = []
    if len(premises) - len(needed) != record.metadata.get("distractors", 0):
        needed = argued_from
    return [
        *_text_problems(record, premises, query),
        *_label_problems(record, premises, needed, query),
        *_conclusion_problems(record, premises, argued_from, needed, conclusion, query),
        *_argument_problems(record, needed, conclusion),
    ]


def _is_one_sign_apart(first: Formula, second: Formula) -> bool:
    """Return whether two conditionals or disjunctions differ in the sign of one of their two parts."""
    if not (isinstance(first, Binary) and isinstance(second, Binary)) or first.sign != second.sign:
        return False
    left_alike = first.left == second.left
    right_alike = first.right == second.right
    left_opposite = negate(first.left) == second.left or first.left == negate(second.left)
    right_opposite = negate(first.right) == second.right or first.right == negate(second.right)
    return (left_alike and right_opposite) or (left_opposite and right_alike)


def audit_arguments(record: Record) -> Verdict | None:
    """Decide with Z3 whether the premises entail, refute or leave open the query of a generated JustLogic item."""
    formulas = record.formulas or {}
    if record.answer is None or not formulas.get("premises") or not formulas.get("query"):
        return None
    published = published_label(record)
    try:
        premises = [parse(text) for text in formulas["premises"]]
        query = parse(formulas["query"])
    except ValueError as error:
        return Verdict(record.id, published, None, "not parsed", str(error))
    denied = z3_entails(premises, negate(query))
    derived = "true" if z3_entails(premises, query) else "false" if denied else "uncertain"
    if derived == published.lower():
        return Verdict(record.id, published, published)
    return Verdict(record.id, published, derived, "label", "Z3 finds another label")


def read_sentences(text: str, sentences: Mapping[str, Mapping[str, Any]]) -> list[Formula]:
    """Read a text made of an instance's statements back to formulas, one per sentence.

    Args:
        sentences: atom -> its ``text`` and ``negated``, as in a record.

    Raises:
        ValueError: the grammar cannot read a sentence, or reads it in two ways.
    """
    literals: dict[str, Formula] = {}
    for name, entry in sentences.items():
        literals[entry["text"]] = Atom(name)
        if entry["negated"]:
            literals[entry["negated"]] = Negation(Atom(name))
    # The longest clause first: one may be part of another.
    clauses = sorted(literals, key=lambda clause: (-len(clause), clause))
    pattern = "|".join(f"[{re.escape(c[0].upper() + c[0])}]{re.escape(c[1:])}" for c in clauses)
    found: list[Formula] = []

    def slot(match: re.Match[str]) -> str:
        clause = match[0] if match[0] in literals else match[0][0].lower() + match[0][1:]
        found.append(literals[clause])
        return "{}"

    skeletons = re.split(r"\.(?: |$)", re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", slot, text))
    said, result = iter(found), []
    for sentence in filter(None, skeletons):
        first, *others = sentence.split("{}")
        formula = _derived(
            first + "".join([f"{{X{place}}}{other}" for place, other in enumerate(others)])
        )
        result.append(filled(formula, {f"X{place}": next(said) for place in range(len(others))}))
    return result


def _text_problems(record: Record, premises: list[Formula], query: Formula) -> Iterator[str]:
    sentences = record.sentences or {}
    texts = [entry["text"] for entry in sentences.values()]
    if len(set(texts)) < len(texts):
        yield "a statement serves two atoms"
    try:
        said = read_sentences(record.context, sentences)
        asked = read_sentences(record.question, sentences)
    except ValueError as error:
        yield str(error)
        return
    if len(said) != len(premises):
        yield f"the context has {len(said)} sentences for {len(premises)} premises"
        return
    for sentence, premise in zip(said, premises, strict=True):
        if not equivalent(sentence, premise):
            yield f"the text says {to_text(sentence)} for {to_text(premise)}"
    if len(asked) != 1 or not equivalent(asked[0], query):
        yield "the question does not say the query"
    if any(equivalent(first, second) for at, first in enumerate(said) for second in said[:at]):
        yield "a premise is worded twice"


def _label_problems(
    record: Record, premises: list[Formula], needed: list[Formula], query: Formula
) -> Iterator[str]:
    """Check the label, and that a true or false query needs each premise of its argument."""
    goals = [*premises, query, negate(query)]
    everything = range(len(premises))
    asked, denied = len(premises), len(premises) + 1
    with Z3Session((), goals, rlimit=0) as session:
        possible = session.satisfiable
        if not possible(*everything):
            yield "the premises contradict each other"
        label = "uncertain" if possible(*everything, asked) else "false"
        label = label if possible(*everything, denied) else "true"
        if record.answer is None or label != _LABELS[record.answer]:
            yield f"the premises make the query {label}"
        if label == "uncertain":
            return
        for number, premise in enumerate(premises):
            if not any(premise is one for one in needed):
                continue
            rest = (*everything[:number], *everything[number + 1 :])
            if not (possible(*rest, asked) and possible(*rest, denied)):
                yield f"premise {number + 1} is not needed for the label"


def _conclusion_problems(
    record: Record,
    premises: list[Formula],
    argued_from: list[Formula],
    needed: list[Formula],
    conclusion: Formula,
    query: Formula,
) -> Iterator[str]:
    """Check that the conclusion follows from what is argued from, and needs each premise of the argument."""
    everything = range(len(argued_from))
    unconcluded = len(argued_from)
    with Z3Session((), [*argued_from, negate(conclusion)], rlimit=0) as session:
        possible = session.satisfiable
        if possible(*everything, unconcluded):
            yield "the conclusion does not follow"
        for number, premise in enumerate(argued_from):
            if any(premise is one for one in needed):
                rest = (*everything[:number], *everything[number + 1 :])
                if not possible(*rest, unconcluded):
                    yield f"premise {number + 1} is not needed for the conclusion"
    if argued_from != premises:
        if record.answer is None or _LABELS[record.answer] != "uncertain":
            yield "the argument rests on a premise that the text does not have"
        if not (equivalent(conclusion, query) or equivalent(conclusion, negate(query))):
            yield "an argument with a sign turned concludes something else than the query"


def _argument_problems(
    record: Record, premises: list[Formula], conclusion: Formula
) -> Iterator[str]:
    """Check that the steps lead from just these premises to the conclusion, one for each unit of depth."""
    steps = (record.formulas or {})["argument"]
    if not len(steps) == record.depth == len(record.forms or ()):
        yield f"{len(steps)} steps for depth {record.depth}"
    leaves = [conclusion]
    for number, step in enumerate(steps, start=1):
        given, concluded = [parse(text) for text in step["premises"]], parse(step["conclusion"])
        if concluded not in leaves:
            yield f"nothing needs the conclusion of step {number}"
            return
        leaves.remove(concluded)
        leaves += given
        if not z3_entails(given, concluded):
            yield f"step {number} is not valid"
    if sorted(map(to_text, leaves)) != sorted(map(to_text, premises)):
        yield "the steps rest on other premises than the text's"
